/** The changes of cache tags (changes.ts) known to this isolate. Every cache hit loads this file, which imports nothing. */
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
