import type { SQL } from "drizzle-orm";
import type { BatchItem } from "drizzle-orm/batch";
import { drizzle, type DrizzleD1Database } from "drizzle-orm/d1";
import type { Context } from "#worker/platform/context.ts";
import type { Client } from "#worker/platform/data/database.ts";

/**
 * What another item needs of a write: statements for its batch, and what is read of the item then. `saved` is the condition,
 * as SQL, that the write was done.
 */
export type Alongside = {
  statements: (saved: SQL) => BatchItem<"sqlite">[];
  read: (ctx: Context) => Promise<unknown>;
};

/**
 * Runs a write and reads its result in the same batch: if the answer cannot be read, nothing was written. `write` calls
 * `db.batch` once, and `read` issues all its statements together, or it fails always and not only in an outage.
 * `read` refuses nothing that the write allows, since its error would follow the commit: it asks for no further
 * permission, and fails only if the item is missing, when the write has changed nothing.
 * `db` sees statements that were built with `ctx.db`, too.
 */
export async function writeAndRead<Written, Read>(
  ctx: Context,
  write: (db: Context["db"]) => Promise<Written>,
  read: (ctx: Context) => Promise<Read>,
): Promise<[Written, Read]> {
  const db = drizzle((ctx.db as DrizzleD1Database & { $client: Client }).$client.oneBatch());
  const writing = write(db);
  const reading = read({ ...ctx, db });
  // The write's own error, such as a refusal of its constraint, is the one to throw.
  reading.catch(() => {});
  return [await writing, await reading];
}
