import { sql } from "drizzle-orm";
import type { SQLiteColumn, SQLiteTable } from "drizzle-orm/sqlite-core";
import type { Context } from "#worker/platform/context.ts";
import { AppError } from "#worker/platform/errors.ts";

/** A table of at most `most` rows; `noun` is their name in the error message: "ventures". */
type Room = { table: SQLiteTable & { id: SQLiteColumn }; noun: string; most: number };

/**
 * The statement that deletes the row inserted just before it in the same batch, if the table is now over its limit: of
 * two concurrent inserts with room for one, the second is deleted. Pass its result to `requireRoom`.
 */
export const takeBackIfFull = ({ db }: Context, { table, most }: Room) =>
  db
    .delete(table)
    .where(sql`${table.id} = (select max(id) from ${table}) and (select count(*) from ${table}) > ${most}`)
    .returning({ id: table.id });

/** @throws `conflict` if the row was taken back */
export function requireRoom({ noun, most }: Room, takenBack: unknown[]) {
  if (takenBack.length === 0) return;
  throw new AppError("conflict", `You already have ${most} ${noun}. Delete one to make room.`);
}
