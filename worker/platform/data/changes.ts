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

/** The changes known to this isolate. */
export class Changes {
  /** The number of the newest known change; each change gets the next number. */
  version = 0;
  /** An answer of an older version may have missed changes that are not known here. */
  knownFrom = 0;
  private readonly versions = new Map<string, number>();
  /** D1's bookmark of that version: a session that starts there sees at least these changes. */
  bookmark: string | null = null;

  isExpired({ tags, version }: { tags: readonly string[]; version: number }) {
    return version < this.knownFrom || tags.some((tag) => (this.versions.get(tag) ?? 0) > version);
  }

  /** Reads the changes since the known version, at most the latest `MOST_CHANGES`. Requests may do so concurrently. */
  async catchUp(DB: D1Database) {
    const from = this.version;
    const session = DB.withSession("first-primary");
    const { results } = await session
      .prepare("select tag, version from cache_tags where version > ? order by version desc limit ?")
      .bind(from, MOST_CHANGES)
      .all<{ tag: string; version: number }>();
    this.remember(results);
    const newest = results[0]?.version ?? from;
    // A later read was answered first and knows more.
    if (newest < this.version) return;
    this.version = newest;
    this.bookmark = session.getBookmark();
  }

  private remember(results: { tag: string; version: number }[]) {
    for (const { tag, version } of results) {
      this.versions.set(tag, Math.max(version, this.versions.get(tag) ?? 0));
    }
    const oldest = results.at(-1);
    if (results.length === MOST_CHANGES && oldest) this.knownFrom = Math.max(this.knownFrom, oldest.version);
    if (this.versions.size <= MOST_KNOWN) return;
    this.versions.clear();
    this.knownFrom = Math.max(this.version, results[0]?.version ?? 0);
  }
}

const MOST_CHANGES = 1000;
/** Tags that an isolate remembers. When it has forgotten them all, older answers count as expired. */
const MOST_KNOWN = 10_000;

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
