/** An answer that may be given again, whole. */
export type Kept = {
  body: ArrayBuffer;
  /** Without what belongs to one answer alone. */
  headers: [name: string, value: string][];
  etag: string | null;
  /** What it depends on, and the clock's time at which it was begun (changes.ts). */
  tags: string[];
  time: number;
  /** Milliseconds UTC. */
  keptAt: number;
};

export interface Store {
  find: (key: string) => Promise<Kept | undefined> | Kept | undefined;
  keep: (key: string, kept: Kept) => Promise<void> | void;
}

const MEMORY_BYTES = 24 * 1024 * 1024;

/** This isolate's own, bounded; what was not asked for longest goes first. */
export class Memory implements Store {
  private readonly kept = new Map<string, Kept>();
  private bytes = 0;

  find(key: string) {
    const found = this.kept.get(key);
    if (!found) return undefined;
    this.kept.delete(key);
    this.kept.set(key, found);
    return found;
  }

  keep(key: string, kept: Kept) {
    this.forget(key);
    this.kept.set(key, kept);
    this.bytes += kept.body.byteLength;
    for (const eldest of this.kept.keys()) {
      if (this.bytes <= MEMORY_BYTES) return;
      this.forget(eldest);
    }
  }

  clear() {
    this.kept.clear();
    this.bytes = 0;
  }

  private forget(key: string) {
    this.bytes -= this.kept.get(key)?.body.byteLength ?? 0;
    this.kept.delete(key);
  }
}

/** Seconds. An answer that is out of date is still wanted when D1 fails. */
const STORED_FOR = 24 * 60 * 60;
const ABOUT = "Rostrum-Kept";

/** The data centre's, through the Cache API; the key is the path of an address that nobody can ask for. */
export const dataCentre = {
  async find(key: string): Promise<Kept | undefined> {
    const found = await cache().match(addressOf(key));
    const about = found?.headers.get(ABOUT);
    if (!found || !about) return undefined;
    return { ...(JSON.parse(about) as Omit<Kept, "body">), body: await found.arrayBuffer() };
  },
  async keep(key: string, { body, ...about }) {
    const headers = { "Cache-Control": `public, max-age=${STORED_FOR}`, [ABOUT]: JSON.stringify(about) };
    await cache().put(addressOf(key), new Response(body, { headers }));
  },
} satisfies Store;

// The types of browsers, which have no default, come first.
const cache = () => (caches as unknown as { default: Cache }).default;

const addressOf = (key: string) => `https://kept.invalid/${encodeURIComponent(key)}`;
