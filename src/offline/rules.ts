import { matcherOf, pages, queryOf } from "#worker/addresses.ts";

/** What the service worker caches: see docs/decisions/0061. Everything else goes to the network. */
export type Asked =
  | { kind: "page" | "data"; key: string }
  /** A file with a hash in its name, or the router's list of such files. */
  | { kind: "asset"; key: string }
  /** Of a downloaded episode. */
  | { kind: "audio" | "details"; key: string };

/** The fields of a request that the rules need. */
type Request = { method: string; url: string; mode: string; destination: string };

/**
 * The kind of a request and its cache key. Null for requests that bypass the cache: the admin area, the API, files,
 * searches, and personal pages, whose addresses contain tokens.
 */
export function askedFor({ method, url, mode, destination }: Request, origin: string): Asked | null {
  const address = new URL(url);
  if (method !== "GET" || address.origin !== origin) return null;
  const { pathname, search } = address;
  if (mode === "navigate") return pageAsked(pathname, address.searchParams);
  if (pathname.endsWith(".data")) return dataAsked(pathname, address.searchParams);
  if (ASSET.test(pathname)) return { kind: "asset", key: pathname };
  if (pathname === ROUTES) return { kind: "asset", key: pathname + search };
  if (search) return null;
  if (HEARD.includes(destination) && pathname.startsWith("/media/")) return { kind: "audio", key: pathname };
  return DETAILS.test(pathname) ? { kind: "details", key: pathname } : null;
}

const ASSET = /^\/assets\/[\w.-]+$/;
/** Where the router requests the routes of the addresses that a page links to. */
const ROUTES = "/__manifest";
const DETAILS = /^\/api\/episodes\/\d{1,9}$/;
const HEARD = ["audio", "video"];

/** Whether two manifest requests of the router are for the same build. */
export function isOfSameRoutes(key: string, other: string) {
  const [a, b] = [key, other].map((one) => new URL(one, "https://a.invalid"));
  return [a, b].every((url) => url!.pathname === ROUTES) && versionOf(a!) === versionOf(b!);
}
const versionOf = ({ searchParams }: URL) => searchParams.get("version");

const findPage = matcherOf(pages);

function addressOf(pathname: string, given: URLSearchParams) {
  const path = pathname.replace(/(.)\/+$/, "$1");
  const page = findPage(path);
  if (!page || page.isPersonal || page.isEndless) return null;
  return { path, search: queryOf(page, given) };
}

function pageAsked(pathname: string, given: URLSearchParams): Asked | null {
  const address = addressOf(pathname, given);
  return address && { kind: "page", key: address.path + address.search };
}

/** A request for some of a page's routes is also answered with the data of all. */
function dataAsked(pathname: string, given: URLSearchParams): Asked | null {
  const address = addressOf(pathname.replace(/(\/_)?\.data$/, "") || "/", given);
  return address && { kind: "data", key: dataOf(address.path) + address.search };
}

const dataOf = (path: string) => (path === "/" ? "/_.data" : `${path}.data`);

/**
 * The cache keys of both parts of a page: its document, and the data that the router fetches on a client-side
 * navigation.
 */
export function partsOf(address: string, origin: string) {
  const { pathname, searchParams } = new URL(address, origin);
  const page = addressOf(pathname, searchParams);
  return page && { page: page.path + page.search, data: dataOf(page.path) + page.search };
}

/** The fields of a response that the rules need. */
type Answer = { status: number; type: string; redirected: boolean; headers: Headers };

/** Whether a response may be cached: complete, same-origin, and marked by the Worker as public. */
export function mayKeep(kind: Asked["kind"], { status, type, redirected, headers }: Answer) {
  const control = headers.get("Cache-Control") ?? "";
  const isHtml = (headers.get("Content-Type") ?? "").startsWith("text/html");
  return (
    status === 200 &&
    type === "basic" &&
    !redirected &&
    /\bpublic\b/.test(control) &&
    !/\b(?:private|no-store)\b/.test(control) &&
    !headers.has("Set-Cookie") &&
    isHtml === (kind === "page")
  );
}
