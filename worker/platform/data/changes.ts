import { and, eq, gt, sql, type SQL } from "drizzle-orm";
import type { Context } from "#worker/platform/context.ts";
import { cacheTags } from "#worker/platform/table.ts";

/**
 * The cache tags that answers depend on, and when each last changed. A write puts `changed` into its batch; a reader
 * calls `ctx.dependsOn`; the cache compares the two.
 */

/** The statement that expires the answers with these tags, or with the tags that a select returns. */
export function changed({ db, invalidation }: Context, ...tags: [SQL] | string[]) {
  invalidation.isDue = true;
  const [first] = tags;
  const names =
    typeof first === "object" ? first : sql`select value as tag from json_each(${JSON.stringify(tags)})`;
  const version = sql`(select coalesce(max(version), 0) + 1 from ${cacheTags})`;
  return db
    .insert(cacheTags)
    .select(sql`select tag, ${version} as version, 0 as purged from (${names}) where tag is not null`)
    .onConflictDoUpdate({ target: cacheTags.tag, set: { version: sql`excluded.version` } });
}

/** SQL: the number of the last change of all; 0 before the first. */
export const newestVersion = sql<number>`(select coalesce(max(${cacheTags.version}), 0) from ${cacheTags})`;

/** SQL: the number of the tag's last change; null before the first. */
export const versionOf = (tag: string | SQL) =>
  sql<number | null>`(select ${cacheTags.version} from ${cacheTags} where ${cacheTags.tag} = ${tag})`;

/** Cloudflare's limit of tags per purge. */
const TAGS_A_PURGE = 100;

/**
 * Purges the changed tags from the platform's cache, if the Worker has one. Called after each write and every minute:
 * the next call retries a failed purge.
 */
export async function purgePlatform({ db }: Context, cache: Pick<CacheContext, "purge"> | undefined) {
  if (!cache) return;
  const unpurged = await db
    .select({ tag: cacheTags.tag, version: cacheTags.version })
    .from(cacheTags)
    .where(gt(cacheTags.version, cacheTags.purged))
    .limit(TAGS_A_PURGE);
  if (unpurged.length === 0) return;
  const { success, errors } = await cache.purge({ tags: unpurged.map(({ tag }) => tag) });
  if (!success) throw new Error(`The platform's cache was not purged: ${JSON.stringify(errors)}`);
  const [first, ...others] = unpurged.map(({ tag, version }) =>
    db
      .update(cacheTags)
      .set({ purged: version })
      .where(and(eq(cacheTags.tag, tag), eq(cacheTags.version, version))),
  );
  if (first) await db.batch([first, ...others]);
}
