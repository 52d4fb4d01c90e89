import { matcherOf, pages, queryOf } from "#worker/addresses.ts";

/** What is kept of this site on a device: see docs/decisions/0061. Everything else is left to the network. */
export type Asked =
  | { kind: "page" | "data"; key: string }
  /** A file with a hash in its name, or the router's list of such files. */
  | { kind: "asset"; key: string }
  /** Of an episode that somebody chose. */
  | { kind: "audio" | "details"; key: string };

/** A request, as far as the rules look at it. */
type Request = { method: string; url: string; mode: string; destination: string };

/**
 * What a request asks for, and the address that it is kept by. Null for what is neither kept nor answered from what is
 * kept: the admin area, the API, files, searches, and pages that are for one person, whose addresses hold tokens.
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
/** The router asks here for the routes at the addresses that a page links to. */
const ROUTES = "/__manifest";
const DETAILS = /^\/api\/episodes\/\d{1,9}$/;
const HEARD = ["audio", "video"];

/** Whether two of the router's questions for routes are put to the same build. */
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

/** The data of some of a page's routes, too, is answered by the data of all. */
function dataAsked(pathname: string, given: URLSearchParams): Asked | null {
  const address = addressOf(pathname.replace(/(\/_)?\.data$/, "") || "/", given);
  return address && { kind: "data", key: dataOf(address.path) + address.search };
}

const dataOf = (path: string) => (path === "/" ? "/_.data" : `${path}.data`);

/** Both parts of a page: its document, and what the router asks for instead when somebody comes by a link. */
export function partsOf(address: string, origin: string) {
  const { pathname, searchParams } = new URL(address, origin);
  const page = addressOf(pathname, searchParams);
  return page && { page: page.path + page.search, data: dataOf(page.path) + page.search };
}

/** An answer, as far as the rules look at it. */
type Answer = { status: number; type: string; redirected: boolean; headers: Headers };

/** Whether an answer may be kept: whole, ours, and said by the Worker to be the same for everybody. */
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
