import { LRUCache } from "lru-cache";
import type { Context } from "#worker/platform/context.ts";
import { deleteOldObjects } from "#worker/platform/data/prune.ts";

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

type Metadata = Omit<CachedAnswer, "body">;

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

/** Milliseconds. An expired answer is served if D1 fails. */
export const STORED_FOR = 24 * 60 * 60_000;
const METADATA = "Rostrum-Cached";

/** The data centre's store, through the Cache API. Keys are paths on a host that no request can reach. */
export const dataCentre = {
  async get(key: string): Promise<CachedAnswer | undefined> {
    const found = await cache().match(addressOf(key));
    const metadata = found?.headers.get(METADATA);
    if (!found || !metadata) return undefined;
    return { ...(JSON.parse(metadata) as Metadata), body: await found.arrayBuffer() };
  },
  async set(key: string, { body, ...metadata }: CachedAnswer) {
    const headers = {
      "Cache-Control": `public, max-age=${STORED_FOR / 1000}`,
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

/**
 * All data centres' store, in R2: one object per path, which the next deployment overwrites. Its first line is the
 * metadata, since R2's own has a limit, and a content policy has none.
 */
export const bucket = {
  /** The answer that this version of the Worker stored. */
  async get(media: R2Bucket, path: string, worker: string): Promise<CachedAnswer | undefined> {
    const object = await media.get(objectOf(path));
    if (object?.customMetadata?.["worker"] !== worker) return void (await object?.body.cancel());
    const bytes = new Uint8Array(await object.arrayBuffer());
    const end = bytes.indexOf(LINE_FEED);
    const metadata = JSON.parse(new TextDecoder().decode(bytes.subarray(0, end))) as Metadata;
    if (!Array.isArray(metadata.tags)) throw new Error(`${objectOf(path)} is not a cached answer.`);
    return { ...metadata, body: bytes.slice(end + 1).buffer };
  },
  async set(media: R2Bucket, path: string, worker: string, { body, ...metadata }: CachedAnswer) {
    const object = new Blob([JSON.stringify(metadata), "\n", body]);
    await media.put(objectOf(path), object, { customMetadata: { worker } });
  },
  async delete(media: R2Bucket, path: string) {
    await media.delete(objectOf(path));
  },
};

const objectOf = (path: string) => `rendered${path}`;
const LINE_FEED = 10;

/** Deletes the stored answers that were not rendered again for a day, such as those of deleted pages. Runs daily. */
export const pruneStoredAnswers = (ctx: Context) => deleteOldObjects(ctx, objectOf("/"), STORED_FOR);
