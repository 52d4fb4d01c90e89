import { LRUCache } from "lru-cache";

/** An answer that may be given again, whole. */
export type CachedAnswer = {
  body: ArrayBuffer;
  /** Without what belongs to one answer alone. */
  headers: [name: string, value: string][];
  etag: string;
  /** What it depends on, and the clock's time at which its render began (changes.ts). */
  tags: string[];
  time: number;
  /** Milliseconds UTC. */
  cachedAt: number;
};

/** Bytes that an isolate, which has 128 MB, holds of answers. */
const MEMORY_BYTES = 24 * 1024 * 1024;

/** This isolate's own store; what was not asked for longest goes first. Holds data, never a promise or a stream. */
export const createMemory = () =>
  new LRUCache<string, CachedAnswer>({ maxSize: MEMORY_BYTES, sizeCalculation: bytesOf });

/** Bytes of an entry itself: its objects, and its place in the map. */
const ENTRY = 1024;

/** A string takes up to two bytes a character. The headers count three times: as data, and as the two answers made of them. */
function bytesOf({ body, headers, tags, etag }: CachedAnswer, key: string) {
  const texts = [key, etag, ...tags, ...headers.flat(), ...headers.flat(), ...headers.flat()];
  return body.byteLength + 2 * texts.reduce((sum, text) => sum + text.length, 0) + ENTRY;
}

/** Seconds. An expired answer is still wanted when D1 fails. */
const STORED_FOR = 24 * 60 * 60;
const FACTS = "Rostrum-Cached";

/** The data centre's store, through the Cache API; the key is the path of an address that nobody can ask for. */
export const dataCentre = {
  async get(key: string): Promise<CachedAnswer | undefined> {
    const found = await cache().match(addressOf(key));
    const facts = found?.headers.get(FACTS);
    if (!found || !facts) return undefined;
    return { ...(JSON.parse(facts) as Omit<CachedAnswer, "body">), body: await found.arrayBuffer() };
  },
  async set(key: string, { body, ...facts }: CachedAnswer) {
    const headers = { "Cache-Control": `public, max-age=${STORED_FOR}`, [FACTS]: JSON.stringify(facts) };
    await cache().put(addressOf(key), new Response(body, { headers }));
  },
};

// The types of browsers, which have no default, come first.
const cache = () => (caches as unknown as { default: Cache }).default;

const addressOf = (key: string) => `https://cached.invalid/${encodeURIComponent(key)}`;
