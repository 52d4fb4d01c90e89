import { and, eq, gt, sql, type SQL } from "drizzle-orm";
import type { Context } from "#worker/platform/context.ts";
import { cacheTags } from "#worker/platform/table.ts";

/**
 * What answers depend on, by tag, and when it last changed. A write puts `changed` into its batch; a reader says
 * `ctx.dependsOn`; whoever keeps answers compares the two.
 */

/** The statement that makes answers which depend on these out of date: tags, or a select of them. */
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

/** SQL: which change was the tag's last; null before the first. */
export const versionOf = (tag: string) =>
  sql<number | null>`(select ${cacheTags.version} from ${cacheTags} where ${cacheTags.tag} = ${tag})`;

/** The changes that are known here, as far as they are known. */
export class Changes {
  /** Of the newest change that is known: each change has the next number. */
  version = 0;
  /** An answer of an older version may have missed changes that are not known here. */
  knownFrom = 0;
  private readonly versions = new Map<string, number>();
  /** D1's own mark of that version: a session that starts there sees at least these changes. */
  bookmark: string | null = null;

  isExpired({ tags, version }: { tags: readonly string[]; version: number }) {
    return version < this.knownFrom || tags.some((tag) => (this.versions.get(tag) ?? 0) > version);
  }

  /** Reads what has changed since; of very many changes only the latest. Requests may do so at the same time. */
  async catchUp(DB: D1Database) {
    const from = this.version;
    const session = DB.withSession("first-primary");
    const { results } = await session
      .prepare("select tag, version from cache_tags where version > ? order by version desc limit ?")
      .bind(from, MOST_CHANGES)
      .all<{ tag: string; version: number }>();
    this.remember(results);
    const newest = results[0]?.version ?? from;
    // One that was answered after another that began later knows less than that one.
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
/** Tags that an isolate remembers; what is older than the last time that it forgot them all counts as expired. */
const MOST_KNOWN = 10_000;

/** Cloudflare takes this many tags at once. */
const TAGS_A_PURGE = 100;

/**
 * Tells the platform's own cache, where the Worker has one, what has changed since it was last told. Called after each
 * write and every minute: what one call could not do, the next does.
 */
export async function purgePlatform({ db }: Context, cache: Pick<CacheContext, "purge"> | undefined) {
  if (!cache) return;
  const untold = await db
    .select({ tag: cacheTags.tag, version: cacheTags.version })
    .from(cacheTags)
    .where(gt(cacheTags.version, cacheTags.purged))
    .limit(TAGS_A_PURGE);
  if (untold.length === 0) return;
  const { success, errors } = await cache.purge({ tags: untold.map(({ tag }) => tag) });
  if (!success) throw new Error(`The platform's cache was not purged: ${JSON.stringify(errors)}`);
  const [first, ...others] = untold.map(({ tag, version }) =>
    db
      .update(cacheTags)
      .set({ purged: version })
      .where(and(eq(cacheTags.tag, tag), eq(cacheTags.version, version))),
  );
  if (first) await db.batch([first, ...others]);
}
