import { and, eq, inArray, lt, type SQL } from "drizzle-orm";
import { folders } from "#worker/files/contract.ts";
import { removeObjects } from "#worker/files/objects.ts";
import { isUnused, type FileReferences } from "#worker/files/references.ts";
import { files } from "#worker/files/table.ts";
import { requireCapability, type Context } from "#worker/platform/context.ts";

const DAY = 24 * 60 * 60 * 1000;
/** A run must fit into what one invocation may ask of R2 and D1; what is left waits for the next. */
const FILES_A_RUN = 200;
const OBJECTS_A_RUN = 1000;
/** D1 takes 100 parameters a statement. */
const KEYS_A_STATEMENT = 90;

/** Where the next run goes on through the bucket. */
const CURSOR = "files:sweep-after";

/** Daily: removes what was never finished, what nothing uses, and what a crash left in R2. All of it a day old. */
export async function sweepFiles(ctx: Context, references: FileReferences) {
  requireCapability("edit", ctx);
  const dayAgo = new Date(ctx.now.getTime() - DAY);
  await removeFiles(ctx, and(eq(files.status, "uploading"), lt(files.createdAt, dayAgo)));
  await removeFiles(
    ctx,
    and(eq(files.status, "complete"), lt(files.completedAt, dayAgo), isUnused(references)),
  );
  await removeStrays(ctx, dayAgo);
}

/** Rows first: if this dies in between, the objects are strays and the next run finds them. */
async function removeFiles(ctx: Context, which: SQL | undefined) {
  const some = ctx.db.select({ id: files.id }).from(files).where(which).limit(FILES_A_RUN);
  const removed = await ctx.db
    .delete(files)
    .where(inArray(files.id, some))
    .returning({ key: files.key, uploadId: files.uploadId });
  await removeObjects(ctx, removed);
}

/** Removes old objects in our folders that have no row, a stretch of the bucket each run. */
async function removeStrays(ctx: Context, dayAgo: Date) {
  const startAfter = (await ctx.kv.get(CURSOR)) ?? undefined;
  const { objects, truncated } = await ctx.media.list({ limit: OBJECTS_A_RUN, startAfter });
  const old = objects.filter(({ key, uploaded }) => isOurs(key) && uploaded < dayAgo).map(({ key }) => key);
  const known = await findKnownKeys(ctx, old);
  const strays = old.filter((key) => !known.has(key));
  if (strays.length > 0) await ctx.media.delete(strays);
  const last = objects.at(-1)?.key;
  if (truncated && last) await ctx.kv.put(CURSOR, last);
  else await ctx.kv.delete(CURSOR);
}

async function findKnownKeys({ db }: Context, keys: string[]) {
  const known = new Set<string>();
  for (let at = 0; at < keys.length; at += KEYS_A_STATEMENT) {
    const rows = await db
      .select({ key: files.key })
      .from(files)
      .where(inArray(files.key, keys.slice(at, at + KEYS_A_STATEMENT)));
    for (const { key } of rows) known.add(key);
  }
  return known;
}

const isOurs = (key: string) => Object.keys(folders).includes(key.split("/")[0] ?? "");
