import { eq, getTableName } from "drizzle-orm";
import type { SQLiteColumn, SQLiteTable } from "drizzle-orm/sqlite-core";
import type { Context } from "#worker/platform/context.ts";
import { refusingTaken } from "#worker/platform/data/publishing.ts";

/** Scoped to the user, so that two users' keys never collide. */
export const draftKeyOf = ({ actor }: Context, key: string | undefined) =>
  key === undefined || actor.kind !== "user" ? null : `${actor.id} ${key}`;

type Drafts = SQLiteTable & Record<"id" | "draftKey", SQLiteColumn>;

/** The item that a form with this key already created: the response was lost. */
export async function findByDraftKey({ db }: Context, table: Drafts, key: string | null) {
  if (key === null) return null;
  const [row] = await db.select({ id: table.id }).from(table).where(eq(table.draftKey, key));
  return row ? (row.id as number) : null;
}

/** Runs a write; refuses it while an earlier submission of the same form is being saved. */
export const refusingTakenKey = <T>(table: Drafts, write: () => Promise<T>) =>
  refusingTaken(`${getTableName(table)}.draft_key`, "This is already being saved. Save it again.", write);
