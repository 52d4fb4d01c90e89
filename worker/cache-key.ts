import { LRUCache } from "lru-cache";
import { api, documents, matcherOf, pages, queryOf, type Address } from "#worker/addresses.ts";
import { momentIn, startOf } from "#worker/episodes/start-at.ts";
import type { CacheKey } from "#worker/platform/http/cache.ts";

const findApi = matcherOf<Address>(api);
const findDocument = matcherOf<Address>(documents);
const findPage = matcherOf(pages);

/** The query parameter in which React Router names the routes whose data it asks for. */
const ROUTES = "_routes";
const ROUTE_IDS = /^[\w/.,-]{1,300}$/;

/**
 * The cache key of an address: its path, and the parameters that its answer depends on, in the table's order. So campaign
 * tags neither split the cache nor empty it. Null for what is not cached.
 */
export function cacheKeyOf(address: string): CacheKey | null {
  const known = knownKeys.get(address);
  if (known) return known;
  const key = readKey(address);
  if (key === null || key.isEndless || address.length > LONGEST) return key;
  knownKeys.set(address, key);
  return key;
}

/** Reading an address takes a tenth of the time of a cache hit, and most visitors ask for the same few. */
const knownKeys = new LRUCache<string, CacheKey>({ max: 1000 });
/** Characters. */
const LONGEST = 300;

function readKey(address: string): CacheKey | null {
  const { pathname, searchParams } = new URL(address);
  const found = findCached(pathname, searchParams);
  if (!found) return null;
  if (found.parameters.includes(START)) writeAlike(searchParams);
  return { path: pathname + queryOf(found, searchParams), isEndless: found.isEndless ?? false };
}

/** The parameter of a timestamp link. */
const START = "t";

/** However a moment is written, its answer is the same; the beginning's is that without one. */
function writeAlike(given: URLSearchParams) {
  const start = startOf(momentIn(given));
  if (start > 0) given.set(START, String(start));
  else given.delete(START);
}

function findCached(pathname: string, given: URLSearchParams): Address | undefined {
  if (pathname.endsWith(".data")) return findPageData(pathname, given);
  const fromApi = findApi(pathname);
  // The API refuses a parameter that it does not know.
  if (fromApi)
    return [...given.keys()].every((name) => fromApi.parameters.includes(name)) ? fromApi : undefined;
  return findDocument(pathname) ?? findCachedPage(pathname);
}

function findCachedPage(pathname: string) {
  const page = findPage(pathname);
  return page?.isPersonal ? undefined : page;
}

/** React Router asks for a page's data at `/about.data`, and for the home page's at `/_.data`. */
function findPageData(pathname: string, given: URLSearchParams): Address | undefined {
  const page = findCachedPage(pathname.replace(/(\/_)?\.data$/, "") || "/");
  const routes = given.get(ROUTES);
  if (!page || (routes !== null && !ROUTE_IDS.test(routes))) return undefined;
  return { ...page, parameters: [...page.parameters, ROUTES] };
}
