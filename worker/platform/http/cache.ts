import { LRUCache } from "lru-cache";
import {
  bucket,
  createMemory,
  dataCentre,
  STORED_FOR,
  type CachedAnswer,
} from "#worker/platform/http/cache-store.ts";
import { Changes } from "#worker/platform/data/known-changes.ts";
import { allowsMatch, QUIET_MS, tagMatches, weakTag } from "#worker/platform/http/documents.ts";
import { logError } from "#worker/platform/log.ts";
import { PATIENCE_WITH_D1, within } from "#worker/platform/time/within.ts";

/**
 * Caches public responses, so that a hit reads nothing from D1, until something they depend on changes (changes.ts).
 *
 * A request awaits only work that it began: workerd refuses I/O on behalf of another request. The requests of an
 * isolate share only data (answers, known changes) and flags (which keys are being rendered), never a promise.
 */

/** Milliseconds. Pages also change without a write: the day of an engagement passes. */
const FRESH_FOR = 30 * 60_000;
/** Milliseconds after a render in which another data centre may give its answer: a rare page is not yesterday's there. */
const STALE_ELSEWHERE_FOR = 2 * FRESH_FOR;
/** Milliseconds after which the next request checks for changes in the background, and before it is answered. */
const LOOK_AFTER = 5_000;
const LOOK_FIRST_AFTER = 20_000;
/** Milliseconds after which a flag is ignored: the request that set it may have been cancelled. */
const FLAG_LASTS = 10_000;
/** Milliseconds between two polls for another request's render, and in total. */
const POLL_EVERY = 5;
const POLL_FOR = 1_000;
/** Milliseconds to wait for R2 before rendering instead, which takes about as long: a render asks a distant D1. */
const WAIT_FOR_BUCKET = 300;

/**
 * Milliseconds after which an expired answer is given instead of a render that D1 delays. Not if it is known to have
 * changed: it may have been withdrawn.
 */
const LONGEST_RENDER = 5_000;

type Place = "memory" | "dataCentre" | "bucket";

/** Where answers are cached, by the value of EDGE_CACHE. */
const placesOf = {
  on: ["memory", "dataCentre", "bucket"],
  store: ["dataCentre"],
  bucket: ["bucket"],
  off: [],
} as const satisfies Record<string, readonly Place[]>;
export type CacheMode = keyof typeof placesOf;

/** Identifies a cached answer. */
export type CacheKey = {
  /** The normalised path and query. */
  path: string;
  /**
   * Visitors choose its words, as in a search, so that keys are unbounded: such answers are cached in the data centre
   * only.
   */
  isEndless: boolean;
};

type Environment = Pick<Env, "DB" | "MEDIA" | "SITE_URL" | "VERSION"> & { EDGE_CACHE: string };
type Journey = {
  env: Environment;
  execution: Pick<ExecutionContext, "waitUntil" | "cache">;
  /** Null for an address that is not cached. */
  cacheKeyOf: (url: string) => CacheKey | null;
  /** Whether the requester must see a change immediately, wherever it was made. */
  needsLatest: (request: Request) => boolean;
  /** Answers an anonymised request. Only an endless key has the client's address, for its rate limit. */
  render: (request: Request) => Promise<Response> | Response;
};

const memory = createMemory();
/** When the render of each path began. A cancelled request leaves its flag behind. */
const rendering = new LRUCache<string, number>({ max: 1000 });
let changes = new Changes();
/** When the newest completed check for changes began; 0 before the first. */
let lookedAt = 0;
/** When the running background check began; 0 for none. */
let lookingSince = 0;
/** Whether the newest check for changes failed: D1 does not answer. */
let hasLookFailed = false;
/** Writes of this isolate, and how many of them preceded the newest completed check. */
let writes = 0;
let writesSeen = 0;

/** Answers from the cache, or renders and caches. Null if the request must go to the handler. */
export async function serveFromCache(request: Request, journey: Journey): Promise<Response | null> {
  const key = cachedBy(request, journey);
  if (key === null) return null;
  const needsLatest = journey.needsLatest(request);
  await lookForChanges(journey, needsLatest);
  const found = await find(key, journey);
  const state = stateOf(found);
  if (found && state === "fresh") return give(found, request, "hit", journey);
  if (!needsLatest && isRendering(key)) {
    // Another request is rendering this key: serve the stale answer, or wait for the new one.
    const instead = found ?? (await pollFor(key, journey));
    if (instead) return give(instead, request, found ? "stale" : "hit", journey);
  }
  const { stored, rendered } = renew(key, request, journey);
  if (found && state === "stale") return giveStale(found, request, rendered, journey);
  const { elsewhere, stateElsewhere } = await stored;
  if (elsewhere && stateElsewhere === "fresh") return give(elsewhere, request, "hit", journey);
  if (elsewhere && stateElsewhere === "stale") return giveStale(elsewhere, request, rendered, journey);
  const old = newerOf(found, elsewhere);
  const renewed = await (old && !needsLatest && mayBeCurrent(old)
    ? within(LONGEST_RENDER, "A render", rendered).catch(logLate)
    : rendered);
  if (!renewed) return give(old!, request, "stale", journey);
  const { answer, cached } = renewed;
  if (cached) return give(cached, request, "miss", journey, answer.headers.get("Server-Timing"));
  if (old && answer.status >= 500) return give(old, request, "stale", journey);
  return new Response(answer.body, answer);
}

/** Whether no change of an expired answer is known, or D1, which a render needs, does not answer. */
const mayBeCurrent = (old: CachedAnswer) => hasLookFailed || !changes.isExpired(old);

const logLate = (error: unknown) => {
  logError("cache: an expired answer is given", error);
  return null;
};

function giveStale(cached: CachedAnswer, request: Request, rendered: Promise<unknown>, journey: Journey) {
  rendered.catch((error: unknown) => logError("cache: an answer could not be renewed", error));
  return give(cached, request, "stale", journey);
}

/** Called after a write that expires answers: the next request checks for changes first. */
export function expectChanges() {
  writes++;
}

/** Resets to a cold start, except for what is stored outside the isolate. */
export function clearCache() {
  memory.clear();
  rendering.clear();
  changes = new Changes();
  lookedAt = 0;
  lookingSince = 0;
  hasLookFailed = false;
}

/** The D1 bookmark from which a read sees at least every change known here. */
export const latestBookmark = () => changes.bookmark;

/** The number of the newest change known here; null before the first check for changes. */
export const latestChange = () => (lookedAt === 0 ? null : changes.version);

/** The cache key; null if the request is not cached. */
function cachedBy({ method, url }: Request, { env, cacheKeyOf }: Journey): CacheKey | null {
  if (env.EDGE_CACHE === "off" || !["GET", "HEAD"].includes(method)) return null;
  return cacheKeyOf(url);
}

async function lookForChanges(journey: Journey, needsLatest: boolean) {
  const age = Date.now() - lookedAt;
  const mustWait = needsLatest || writes !== writesSeen || age > LOOK_FIRST_AFTER;
  if (mustWait) return look(journey);
  if (age < LOOK_AFTER || isRaised(lookingSince)) return;
  lookingSince = Date.now();
  journey.execution.waitUntil(look(journey).finally(() => (lookingSince = 0)));
}

/** On a failure, or if D1 takes too long, the known changes are not updated, and pages are served as last rendered. */
async function look({ env }: Journey) {
  const [since, seen] = [Date.now(), writes];
  try {
    await within(PATIENCE_WITH_D1, "D1", changes.catchUp(env.DB));
    lookedAt = Math.max(lookedAt, since);
    writesSeen = Math.max(writesSeen, seen);
    hasLookFailed = false;
  } catch (error) {
    hasLookFailed = true;
    logError("cache: changes could not be looked for", error);
  }
}

const storedBy = ({ path }: CacheKey, { env }: Journey) => `${env.VERSION.id}${path}`;

function isIn(place: Place, { path, isEndless }: CacheKey, { env }: Journey) {
  if (isEndless && place !== "dataCentre") return false;
  // Visitors choose the values of a query, and what is written to R2 costs money and remains.
  if (path.includes("?") && place === "bucket") return false;
  const places: readonly Place[] = placesOf[env.EDGE_CACHE as CacheMode] ?? placesOf.on;
  return places.includes(place);
}

/** Reads the places that are near: no request waits long for them. */
async function find(key: CacheKey, journey: Journey) {
  const id = storedBy(key, journey);
  const near = isIn("memory", key, journey) ? memory.get(id) : undefined;
  if (near && stateOf(near) === "fresh") return near;
  const found = isIn("dataCentre", key, journey) ? await dataCentre.get(id) : undefined;
  // Another isolate may have renewed it.
  const newer = newerOf(near, found);
  if (newer && newer !== near) setNear(key, newer, journey, ["memory"]);
  return newer;
}

const newerOf = (one: CachedAnswer | undefined, other: CachedAnswer | undefined) =>
  !other || (one && other.cachedAt <= one.cachedAt) ? one : other;

/** What another data centre rendered; nothing if R2 fails, or takes longer than a render may. */
async function findElsewhere(key: CacheKey, journey: Journey) {
  const elsewhere = isIn("bucket", key, journey) ? await readBucket(key, journey) : undefined;
  const isOld = elsewhere && Date.now() > elsewhere.cachedAt + STALE_ELSEWHERE_FOR;
  return { elsewhere, stateElsewhere: isOld ? "expired" : stateOf(elsewhere) };
}

async function readBucket({ path }: CacheKey, { env }: Journey) {
  const failed = (error: unknown) => logError("cache: an answer could not be read from R2", error);
  const reading = bucket.get(env.MEDIA, path, env.VERSION.id).catch(failed);
  return (await Promise.race([reading, scheduler.wait(WAIT_FOR_BUCKET)])) ?? undefined;
}

/** Expired: something it depends on has changed, or it is a day old. Stale: old, but no change is known. */
function stateOf(cached: CachedAnswer | undefined) {
  if (!cached || lookedAt === 0 || changes.isExpired(cached)) return "expired";
  const now = Date.now();
  if (now < cached.freshUntil) return "fresh";
  return now < cached.cachedAt + STORED_FOR ? "stale" : "expired";
}

const isRaised = (since: number | undefined) => since !== undefined && Date.now() - since < FLAG_LASTS;
const isRendering = ({ path }: CacheKey) => isRaised(rendering.get(path));

/** Polls for the answer that another request is rendering; undefined if it does not arrive in time. */
async function pollFor(key: CacheKey, journey: Journey) {
  const end = Date.now() + POLL_FOR;
  while (isRendering(key) && Date.now() < end) {
    await scheduler.wait(POLL_EVERY);
    const near = memory.get(storedBy(key, journey));
    if (near) return near;
  }
  return find(key, journey);
}

/** A render's result, as data. */
type Rendered = { answer: { status: number; headers: Headers; body: ArrayBuffer }; cached?: CachedAnswer };

/**
 * Reads what another data centre rendered, and renders unless that is fresh. Completes even if the client disconnects:
 * other requests may be getting a stale answer until it does.
 */
function renew(key: CacheKey, request: Request, journey: Journey) {
  const since = Date.now();
  rendering.set(key.path, since);
  const stored = findElsewhere(key, journey);
  const rendered = renderUnlessFresh(key, request, journey, stored).finally(() => {
    if (rendering.get(key.path) === since) rendering.delete(key.path);
  });
  journey.execution.waitUntil(rendered.catch(() => {}));
  return { stored, rendered };
}

/** Null if the stored answer is fresh. */
async function renderUnlessFresh(
  key: CacheKey,
  request: Request,
  journey: Journey,
  stored: ReturnType<typeof findElsewhere>,
): Promise<Rendered | null> {
  const { elsewhere, stateElsewhere } = await stored;
  if (elsewhere && stateElsewhere !== "expired") setNear(key, elsewhere, journey);
  return stateElsewhere === "fresh" ? null : renderAndCache(key, request, journey);
}

async function renderAndCache(key: CacheKey, request: Request, journey: Journey): Promise<Rendered> {
  const { version } = changes;
  const response = await journey.render(requestFor(key, request, journey));
  const { status, headers } = response;
  const answer = { status, headers, body: await response.arrayBuffer() };
  if (isGone(answer)) remove(key, journey);
  if (!mayCache(answer)) return { answer };
  const cached = await cachedFrom(answer, version);
  setNear(key, cached, journey);
  setElsewhere(key, cached, journey);
  return { answer, cached };
}

function setNear(key: CacheKey, cached: CachedAnswer, journey: Journey, places = NEAR) {
  const id = storedBy(key, journey);
  const isSet = (place: Place) => places.includes(place) && isIn(place, key, journey);
  if (isSet("memory")) memory.set(id, cached);
  if (isSet("dataCentre")) journey.execution.waitUntil(dataCentre.set(id, cached));
}

const NEAR: Place[] = ["memory", "dataCentre"];

function setElsewhere(key: CacheKey, cached: CachedAnswer, journey: Journey) {
  const { MEDIA, VERSION } = journey.env;
  if (isIn("bucket", key, journey)) inBucket(bucket.set(MEDIA, key.path, VERSION.id, cached), journey);
}

function remove(key: CacheKey, journey: Journey) {
  const id = storedBy(key, journey);
  memory.delete(id);
  journey.execution.waitUntil(dataCentre.delete(id));
  if (isIn("bucket", key, journey)) inBucket(bucket.delete(journey.env.MEDIA, key.path), journey);
}

/** R2 refuses more than one write a second to the same object: then another data centre rendered the answer too. */
function inBucket(work: Promise<void>, { execution }: Journey) {
  execution.waitUntil(
    work.catch((error: unknown) => logError("cache: an answer could not be stored in R2", error)),
  );
}

function requestFor({ path, isEndless }: CacheKey, { headers }: Request, { env }: Journey) {
  const address = isEndless ? headers.get(ADDRESS) : null;
  return new Request(new URL(path, env.SITE_URL), address ? { headers: { [ADDRESS]: address } } : {});
}

const ADDRESS = "CF-Connecting-IP";

const mayCache = ({ status, headers }: Rendered["answer"]) =>
  status === 200 && /\bpublic\b/.test(headers.get("Cache-Control") ?? "") && !headers.has("Set-Cookie");

/** Deleted or moved: the older response must no longer be served, not even while this renders. */
const isGone = ({ status }: Rendered["answer"]) => status >= 300 && status < 500 && status !== 429;

async function cachedFrom({ headers, body }: Rendered["answer"], version: number): Promise<CachedAnswer> {
  const etag =
    headers.get("ETag") ?? (await weakTag(withoutTime(new TextDecoder().decode(body)), framesOf(headers)));
  const own = ["server-timing", TAGS.toLowerCase(), "etag"];
  const now = Date.now();
  return {
    body,
    headers: [...[...headers].filter(([name]) => !own.includes(name)), ["etag", etag]],
    etag,
    tags: headers.get(TAGS)?.split(",") ?? [],
    version,
    cachedAt: now,
    freshUntil: now + (isDatedJustNow(headers, now) ? QUIET_MS : FRESH_FOR),
  };
}

/**
 * The frame sources are not in the HTML, and a 304 carries no policy, so they are part of the ETag. The rest of the
 * policy may differ at each render.
 */
const framesOf = (headers: Headers) =>
  /frame-src [^;]*/.exec(headers.get("Content-Security-Policy") ?? "")?.[0] ?? "";

/** A change just now is dated by the beginning of its second, which never answers 304: see documents.ts. */
const isDatedJustNow = (headers: Headers, now: number) =>
  now - Date.parse(headers.get("Last-Modified") ?? "") < QUIET_MS + 1000;

/** Lists an answer's tags, for this cache and for the platform's. */
export const TAGS = "Cache-Tag";

/** The time at which a form was rendered is not a change of the page. */
function withoutTime(html: string) {
  const [, shownAt] = /name="shownAt" value="(\d+)"/.exec(html) ?? [];
  return shownAt ? html.replaceAll(shownAt, "") : html;
}

type Source = "hit" | "miss" | "stale";

/** Null if only the handler can decide what this request gets. */
function give(
  cached: CachedAnswer,
  request: Request,
  source: Source,
  { execution }: Journey,
  timing?: string | null,
) {
  if (!allowsMatch(request, cached.etag)) return refuseMatch(cached, { source, timing });
  const tags = request.headers.get("If-None-Match");
  if (tags === null && !isDatedBefore(request, cached)) return null;
  const isUnchanged = tags !== null && tagMatches(tags, cached.etag);
  const answer = isUnchanged ? "unchanged" : "whole";
  const isHit = source === "hit" && !execution.cache;
  const headers = isHit
    ? hitHeadersOf(cached, answer)
    : headersOf(cached, answer, { source, execution, timing });
  if (isUnchanged) return new Response(null, { status: 304, headers });
  return new Response(request.method === "HEAD" ? null : bodyOf(cached), { headers });
}

/** Bytes. */
const PIECE = 256 * 1024;

/**
 * A large body is sent in pieces, each after the client has taken the one before. Otherwise workerd copies it whole for
 * each client: 200 slow ones of a feed of 1.5 MB took 470 MB.
 */
function bodyOf({ body }: CachedAnswer) {
  if (body.byteLength <= PIECE) return body;
  const { readable, writable } = new FixedLengthStream(body.byteLength);
  // Rejects when the client leaves.
  sendInPieces(body, writable).catch(() => {});
  return readable;
}

async function sendInPieces(body: ArrayBuffer, writable: WritableStream) {
  const writer = writable.getWriter();
  for (let at = 0; at < body.byteLength; at += PIECE)
    await writer.write(new Uint8Array(body, at, Math.min(PIECE, body.byteLength - at)));
  await writer.close();
}

/**
 * Refuses an If-Match as documents.ts does. Has no headers for the platform's cache, which would serve it to others.
 */
function refuseMatch(cached: CachedAnswer, given: Given) {
  const headers = headersOf(cached, "whole", given);
  headers.set("Cache-Control", "no-store");
  headers.delete("Content-Length");
  return new Response(null, { status: 412, headers });
}

/**
 * Whether the cached answer is newer than the request's If-Modified-Since, if it has one. For the same or a later
 * second only the document itself can decide: its rule is finer than seconds.
 */
function isDatedBefore({ headers }: Request, cached: CachedAnswer) {
  const since = Date.parse(headers.get("If-Modified-Since") ?? "");
  const [, lastModified = ""] = cached.headers.find(([name]) => name === "last-modified") ?? [];
  return !(since >= Date.parse(lastModified));
}

type Answer = "whole" | "unchanged";
type Given = { source: Source; execution?: Journey["execution"]; timing?: string | null };

function headersOf(cached: CachedAnswer, answer: Answer, { source, execution, timing }: Given) {
  const headers = new Headers(cached.headers);
  headers.set("Server-Timing", [`cache;desc="${source}"`, ...(timing ? [timing] : [])].join(", "));
  if (execution?.cache) tellPlatform(headers, cached);
  if (answer === "unchanged") for (const name of OF_THE_BODY) headers.delete(name);
  return headers;
}

/** A browser stores these with the body; a policy in a 304 would replace the page's. */
const OF_THE_BODY = ["Content-Type", "Content-Length", "Content-Security-Policy"];

/** Built once per answer: headers are most of the cost of a hit. */
const hitHeaders: Record<Answer, WeakMap<CachedAnswer, Headers>> = {
  whole: new WeakMap(),
  unchanged: new WeakMap(),
};

function hitHeadersOf(cached: CachedAnswer, answer: Answer) {
  const made = hitHeaders[answer].get(cached) ?? headersOf(cached, answer, { source: "hit" });
  hitHeaders[answer].set(cached, made);
  return made;
}

/**
 * A platform cache in front of the Worker stores answers for a minute at most: a purge may be lost. It would serve an
 * answer for one browser to others.
 */
function tellPlatform(headers: Headers, { tags }: CachedAnswer) {
  if (headers.get("Vary")?.includes("User-Agent"))
    return headers.set("Cloudflare-CDN-Cache-Control", "no-store");
  headers.set(TAGS, tags.join(","));
  headers.set("Cloudflare-CDN-Cache-Control", "public, max-age=60, stale-while-revalidate=600");
}
