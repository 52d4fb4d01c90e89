import { bounded } from "#worker/platform/bounded.ts";
import type { CacheKey } from "#worker/platform/cache.ts";

/** What may stand behind the question mark of each public address; anything else does not change what it answers. */
const pages: [path: RegExp, parameters: string[]][] = [
  [
    /^\/(about|mission|three-es|media-kit|speaking|speaking\/book|guest|contact|privacy-policy|terms-of-service)?$/,
    [],
  ],
  [/^\/(podcast|essays)$/, ["before"]],
  [/^\/episode\/\d{1,9}$/, ["t"]],
  [/^\/essays\/[a-z0-9-]{1,120}$/, []],
  [/^\/conversations$/, ["source", "before"]],
  [/^\/media$/, ["coverage", "releases", "item"]],
  [/^\/petitions$/, ["campaign"]],
  [/^\/search$/, ["q", "kind", "before"]],
  [/^\/rss\/podcast\.xml$/, ["page"]],
  [/^\/(rss\/essays\.xml|sitemap\.xml|robots\.txt|llms\.txt|manifest\.webmanifest)$/, []],
  [/^\/playlists\/[0-9a-f-]{36}$/, []],
  [/^\/rss\/playlists\/[0-9a-f-]{36}\.xml$/, ["page"]],
  [/^\/episode\/\d{1,9}\/(chapters\.json|transcript\.vtt)$/, []],
];

/** The same for machines, who are told of a parameter that does not exist. */
const api: [path: RegExp, parameters: string[]][] = [
  [/^\/api\/episodes$/, ["before"]],
  [/^\/api\/episodes\/\d{1,9}$/, []],
  [/^\/api\/articles$/, ["source", "before"]],
  [/^\/api\/articles\/[a-z0-9-]{1,120}$/, []],
  [/^\/api\/press$/, ["type", "before"]],
  [/^\/api\/search$/, ["q", "kind", "before"]],
];

/** React Router's own question about a page: which of its routes' data. */
const ROUTES = "_routes";
const ROUTE_IDS = /^[\w/.,-]{1,300}$/;

/** What visitors choose the words of. */
const ENDLESS = /^\/(api\/)?search$/;

/**
 * What an answer is cached by: the path, and the parameters that it knows in their order. So campaign tags neither split
 * the cache nor empty it. Null for what is not the same for everybody.
 */
export function cacheKeyOf(address: string): CacheKey | null {
  const known = knownKeys.get(address);
  if (known) return known;
  const key = readKey(address);
  if (key === null || key.isEndless || address.length > LONGEST) return key;
  knownKeys.set(address, key);
  return key;
}

/** Reading an address takes a tenth of what a cache hit does, and most visitors ask for the same few. */
const knownKeys = bounded<CacheKey>(1000);
/** Characters. */
const LONGEST = 300;

function readKey(address: string): CacheKey | null {
  const { pathname, searchParams } = new URL(address);
  const isData = pathname.endsWith(".data");
  const path = isData ? pageOf(pathname) : pathname;
  const known = parametersOf(path, searchParams, isData);
  if (!known) return null;
  const query = known.flatMap((name) => {
    const value = searchParams.get(name);
    return value === null ? [] : [`${name}=${encodeURIComponent(value)}`];
  });
  return {
    path: query.length > 0 ? `${pathname}?${query.join("&")}` : pathname,
    isEndless: ENDLESS.test(path),
  };
}

/** The page whose data it is: React Router asks for `/about.data`, and for the home page's at `/_.data`. */
const pageOf = (pathname: string) => pathname.replace(/(\/_)?\.data$/, "") || "/";

function parametersOf(path: string, given: URLSearchParams, isData: boolean) {
  const of = (places: typeof pages) => places.find(([pattern]) => pattern.test(path))?.[1];
  const ofMachines = of(api);
  if (ofMachines)
    return [...given.keys()].every((name) => ofMachines.includes(name)) ? ofMachines : undefined;
  const ofPage = of(pages);
  if (!ofPage || !isData) return ofPage;
  const routes = given.get(ROUTES);
  return routes === null || ROUTE_IDS.test(routes) ? [...ofPage, ROUTES] : undefined;
}
