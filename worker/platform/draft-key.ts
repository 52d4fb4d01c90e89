import { eq, getTableName } from "drizzle-orm";
import type { SQLiteColumn, SQLiteTable } from "drizzle-orm/sqlite-core";
import type { Context } from "#worker/platform/context.ts";
import { refusingTaken } from "#worker/platform/publishing.ts";

/** Nobody's key is another person's. */
export const draftKeyOf = ({ actor }: Context, key: string | undefined) =>
  key === undefined || actor.kind !== "user" ? null : `${actor.id} ${key}`;

type Drafts = SQLiteTable & Record<"id" | "draftKey", SQLiteColumn>;

/** The item that a form of this key has made already: the answer was lost on its way. */
export async function findByDraftKey({ db }: Context, table: Drafts, key: string | null) {
  if (key === null) return null;
  const [row] = await db.select({ id: table.id }).from(table).where(eq(table.draftKey, key));
  return row ? (row.id as number) : null;
}

/** Does a write; the same form's own, which is under way, goes first. */
export const refusingTakenKey = <T>(table: Drafts, write: () => Promise<T>) =>
  refusingTaken(`${getTableName(table)}.draft_key`, "This is already being saved. Save it again.", write);
