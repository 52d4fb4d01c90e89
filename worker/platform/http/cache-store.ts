import { LRUCache } from "lru-cache";

/** A complete cached response. */
export type CachedAnswer = {
  body: ArrayBuffer;
  /** Without headers that belong to a single response. */
  headers: [name: string, value: string][];
  etag: string;
  /** The tags it depends on, and the newest change known when its render began (changes.ts). */
  tags: string[];
  version: number;
  /** Milliseconds UTC. */
  cachedAt: number;
  freshUntil: number;
};

/** Bytes of cached answers per isolate, which has 128 MB. */
const MEMORY_BYTES = 24 * 1024 * 1024;

/** This isolate's store, least recently used out first. Holds data, never a promise or a stream. */
export const createMemory = () =>
  new LRUCache<string, CachedAnswer>({ maxSize: MEMORY_BYTES, sizeCalculation: bytesOf });

/** Bytes of an entry's own objects and its slot in the map. */
const ENTRY = 1024;

/**
 * A string takes up to two bytes a character. Headers count three times: as data, and in the two `Headers` objects made
 * from them.
 */
function bytesOf({ body, headers, tags, etag }: CachedAnswer, key: string) {
  const texts = [key, etag, ...tags, ...headers.flat(), ...headers.flat(), ...headers.flat()];
  return body.byteLength + 2 * texts.reduce((sum, text) => sum + text.length, 0) + ENTRY;
}

/** Seconds. An expired answer is served if D1 fails. */
const STORED_FOR = 24 * 60 * 60;
const METADATA = "Rostrum-Cached";

/** The data centre's store, through the Cache API. Keys are paths on a host that no request can reach. */
export const dataCentre = {
  async get(key: string): Promise<CachedAnswer | undefined> {
    const found = await cache().match(addressOf(key));
    const metadata = found?.headers.get(METADATA);
    if (!found || !metadata) return undefined;
    return { ...(JSON.parse(metadata) as Omit<CachedAnswer, "body">), body: await found.arrayBuffer() };
  },
  async set(key: string, { body, ...metadata }: CachedAnswer) {
    const headers = {
      "Cache-Control": `public, max-age=${STORED_FOR}`,
      [METADATA]: JSON.stringify(metadata),
    };
    await cache().put(addressOf(key), new Response(body, { headers }));
  },
  async delete(key: string) {
    await cache().delete(addressOf(key));
  },
};

// The DOM's type of `caches`, which has no `default`, takes precedence.
const cache = () => (caches as unknown as { default: Cache }).default;

const addressOf = (key: string) => `https://cached.invalid/${encodeURIComponent(key)}`;
