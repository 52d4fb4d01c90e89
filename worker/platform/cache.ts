import { Changes } from "#worker/platform/changes.ts";
import { tagMatches, weakTag } from "#worker/platform/documents.ts";
import { dataCentre, Memory, type Kept } from "#worker/platform/kept.ts";

/**
 * Answers that are the same for everybody are rendered once and given again, in front of any D1 read, until something
 * that they depend on changes (changes.ts).
 */

/** Milliseconds. The world goes on without a change of ours: an engagement's day passes. */
const FRESH_FOR = 10 * 60_000;
/** Milliseconds after which changes are looked for beside the next request, and before it. */
const LOOK_AFTER = 5_000;
const LOOK_FIRST_AFTER = 20_000;

/** `off` leaves everything to the render; `store` leaves out the isolate's memory. */
export type CacheMode = "on" | "store" | "off";

type Environment = Pick<Env, "DB" | "SITE_URL" | "VERSION"> & { EDGE_CACHE: string };
type Journey = {
  env: Environment;
  execution: Pick<ExecutionContext, "waitUntil" | "cache">;
  /** The one path and query by which an answer is known, or null for what is not kept. */
  placeOf: (url: string) => string | null;
  /** Whether who asks must see a change at once, wherever it was made. */
  mustBeNew: (request: Request) => boolean;
  /** Answers a request that says nothing of who asks. */
  render: (request: Request) => Promise<Response> | Response;
};

const memory = new Memory();
const rendering = new Map<string, Shared<Made>>();
let changes = new Changes();
let lookedAt = 0;
let writes = 0;
let looking: Shared<void> | undefined;

/** Answers from what is kept, or renders and keeps. Null where that is not for the cache. */
export async function answerKept(request: Request, journey: Journey): Promise<Response | null> {
  if (journey.env.EDGE_CACHE === "off" || !["GET", "HEAD"].includes(request.method)) return null;
  // A document that goes by dates has its own rule for them, finer than whole seconds.
  if (request.headers.has("If-Modified-Since") && !request.headers.has("If-None-Match")) return null;
  const place = journey.placeOf(request.url);
  if (place === null) return null;
  await lookForChanges(journey, journey.mustBeNew(request));
  const key = `${journey.env.VERSION.id}${place}`;
  const kept = await find(key, journey);
  const state = stateOf(kept);
  if (kept && state === "fresh") return give(kept, request, "hit", journey);
  const made = renew(key, place, journey);
  if (kept && state === "aged") return give(kept, request, "stale", journey);
  const { kept: renewed, answer } = await made;
  if (renewed) return give(renewed, request, "miss", journey, answer.headers.get("Server-Timing"));
  if (kept && answer.status >= 500) return give(kept, request, "stale", journey);
  return new Response(answer.body, answer);
}

/** After a write in this isolate: the next request looks for changes first. */
export function expectChanges() {
  writes++;
  lookedAt = 0;
}

/** As after a cold start, but for the data centre's store. */
export function forgetKept() {
  memory.clear();
  changes = new Changes();
  lookedAt = 0;
}

/** Where a read must start to be at least as new as what is known here. */
export const latestBookmark = () => changes.bookmark;

async function lookForChanges({ env, execution }: Journey, isUrgent: boolean) {
  const age = Date.now() - lookedAt;
  if (age < LOOK_AFTER && !isUrgent) return;
  if (!isAlive(looking)) looking = share(look(env), execution);
  if (isUrgent || age > LOOK_FIRST_AFTER) await looking.work;
}

/** A failure leaves what is known as it is: pages are then given as they were last. */
async function look({ DB }: Environment) {
  try {
    let writesSeen;
    do {
      writesSeen = writes;
      await changes.catchUp(DB);
    } while (writesSeen !== writes);
    lookedAt = Date.now();
  } catch (error) {
    console.error("cache: changes could not be looked for", error);
  } finally {
    looking = undefined;
  }
}

async function find(key: string, { env }: Journey) {
  const near = env.EDGE_CACHE === "store" ? undefined : memory.find(key);
  if (near && stateOf(near) === "fresh") return near;
  const found = await dataCentre.find(key);
  // Another isolate may have renewed it.
  if (!found || (near && found.keptAt <= near.keptAt)) return near;
  if (env.EDGE_CACHE !== "store") memory.keep(key, found);
  return found;
}

/** Out of date: something that it depends on has changed. Aged: nothing is known to have. */
function stateOf(kept: Kept | undefined) {
  if (!kept || lookedAt === 0 || changes.isOutdated(kept)) return "outdated";
  return Date.now() - kept.keptAt < FRESH_FOR ? "fresh" : "aged";
}

/** What a render gave, as data: those who wait for the same one make answers of their own from it. */
type Made = { answer: { status: number; headers: Headers; body: ArrayBuffer }; kept: Kept | undefined };

/** However many ask for it at once, one renders. */
function renew(key: string, place: string, journey: Journey) {
  const running = rendering.get(key);
  if (isAlive(running)) return running.work;
  const made = make(key, place, journey).finally(() => rendering.delete(key));
  rendering.set(key, share(made, journey.execution));
  return made;
}

/** Work of one request for which others wait too. */
type Shared<T> = { work: Promise<T>; since: number };

/** Milliseconds. The platform ends what a request left behind after 30 seconds, without a word to those who wait. */
const PATIENCE = 10_000;

/** Whoever begins it keeps it running, also when they have gone: nobody may do so for another's request. */
function share<T>(work: Promise<T>, execution: Journey["execution"]): Shared<T> {
  execution.waitUntil(work.catch(() => {}));
  return { work, since: Date.now() };
}

const isAlive = <T>(shared: Shared<T> | undefined): shared is Shared<T> =>
  shared !== undefined && Date.now() - shared.since < PATIENCE;

async function make(key: string, place: string, { env, execution, render }: Journey): Promise<Made> {
  const { time } = changes;
  const response = await render(new Request(new URL(place, env.SITE_URL)));
  const { status, headers } = response;
  const answer = { status, headers, body: await response.arrayBuffer() };
  if (!mayKeep(answer)) return { answer, kept: undefined };
  const kept = await keptOf(answer, time);
  if (env.EDGE_CACHE !== "store") memory.keep(key, kept);
  execution.waitUntil(dataCentre.keep(key, kept));
  return { answer, kept };
}

const mayKeep = ({ status, headers }: Made["answer"]) =>
  status === 200 && /\bpublic\b/.test(headers.get("Cache-Control") ?? "") && !headers.has("Set-Cookie");

async function keptOf({ headers, body }: Made["answer"], time: number): Promise<Kept> {
  const etag = headers.get("ETag") ?? (await weakTag(withoutTime(new TextDecoder().decode(body))));
  const own = ["server-timing", TAGS.toLowerCase(), "etag"];
  return {
    body,
    headers: [...[...headers].filter(([name]) => !own.includes(name)), ["etag", etag]],
    etag,
    tags: headers.get(TAGS)?.split(",") ?? [],
    time,
    keptAt: Date.now(),
  };
}

/** How an answer says what it depends on: to this cache, and to the platform's. */
export const TAGS = "Cache-Tag";

/** A page says when its forms were rendered, which is no change of it. */
function withoutTime(html: string) {
  const [, shownAt] = /name="shownAt" value="(\d+)"/.exec(html) ?? [];
  return shownAt ? html.replaceAll(shownAt, "") : html;
}

type Way = "hit" | "miss" | "stale";

function give(kept: Kept, request: Request, way: Way, { execution }: Journey, timing?: string | null) {
  const tags = request.headers.get("If-None-Match");
  const isUnchanged = tags !== null && kept.etag !== null && tagMatches(tags, kept.etag);
  const answer = isUnchanged ? "unchanged" : "whole";
  const isHit = way === "hit" && !execution.cache;
  const headers = isHit ? hitHeadersOf(kept, answer) : headersOf(kept, answer, { way, execution, timing });
  if (isUnchanged) return new Response(null, { status: 304, headers });
  return new Response(request.method === "HEAD" ? null : kept.body, { headers });
}

type Answer = "whole" | "unchanged";
type Given = { way: Way; execution?: Journey["execution"]; timing?: string | null };

function headersOf(kept: Kept, answer: Answer, { way, execution, timing }: Given) {
  const headers = new Headers(kept.headers);
  headers.set("Server-Timing", [`cache;desc="${way}"`, ...(timing ? [timing] : [])].join(", "));
  if (execution?.cache) tellPlatform(headers, kept);
  if (answer === "unchanged") for (const name of OF_THE_BODY) headers.delete(name);
  return headers;
}

/** A browser keeps these with the body that it has; a policy in a 304 would take the place of the page's. */
const OF_THE_BODY = ["Content-Type", "Content-Length", "Content-Security-Policy"];

/** Made once: a hit is mostly its headers. */
const hitHeaders: Record<Answer, WeakMap<Kept, Headers>> = { whole: new WeakMap(), unchanged: new WeakMap() };

function hitHeadersOf(kept: Kept, answer: Answer) {
  const made = hitHeaders[answer].get(kept) ?? headersOf(kept, answer, { way: "hit" });
  hitHeaders[answer].set(kept, made);
  return made;
}

/** Where the platform has a cache in front of the Worker, it keeps answers a minute at most: a purge may be lost. */
function tellPlatform(headers: Headers, { tags }: Kept) {
  headers.set(TAGS, tags.join(","));
  headers.set("Cloudflare-CDN-Cache-Control", "public, max-age=60, stale-while-revalidate=600");
}
