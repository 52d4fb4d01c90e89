import type { MiddlewareHandler } from "hono";
import { LRUCache } from "lru-cache";
import { AppError } from "#worker/platform/errors.ts";
import type { HonoEnv } from "#worker/platform/http/router.ts";

const TRANSPORT = "Strict-Transport-Security";
const HTTPS_ONLY = "max-age=31536000; includeSubDomains";

const everywhere = {
  [TRANSPORT]: HTTPS_ONLY,
  "X-Content-Type-Options": "nosniff",
  "Permissions-Policy": "camera=(), microphone=(), geolocation=(), payment=(), usb=()",
  "Cross-Origin-Opener-Policy": "same-origin",
  // frame-ancestors says the same, but a route's own policy or a 304 may lack it.
  "X-Frame-Options": "DENY",
};

/** Security headers on every answer; the default Cache-Control and Referrer-Policy, which a route replaces with its own. */
export const securityHeaders: MiddlewareHandler<HonoEnv> = async (c, next) => {
  await next();
  // Answers from R2, the cache or React Router may have immutable headers.
  const given = new Response(c.res.body, c.res);
  const sources = {
    frames: take(given.headers, FRAMES),
    scripts: take(given.headers, SCRIPTS),
    robots: take(given.headers, ROBOTS),
    tags: take(given.headers, TAGS),
  };
  const mayBePreloaded = take(given.headers, PRELOAD) !== null;
  const isFramable = take(given.headers, FRAMABLE) !== null && isPage(given);
  const response = withContentPolicy(given, sources);
  for (const [name, value] of Object.entries(everywhere)) response.headers.set(name, value);
  if (mayBePreloaded) response.headers.set(TRANSPORT, `${HTTPS_ONLY}; preload`);
  if (isFramable) response.headers.delete("X-Frame-Options");
  if (!response.headers.has(RESOURCE_POLICY)) response.headers.set(RESOURCE_POLICY, readersOf(response));
  if (!response.headers.has(REFERRER_POLICY)) {
    response.headers.set(REFERRER_POLICY, "strict-origin-when-cross-origin");
  }
  if (!response.headers.has("Cache-Control")) response.headers.set("Cache-Control", "no-store");
  c.res = undefined;
  c.res = response;
};

const PRELOAD = "Rostrum-Preload";

/** Lets the site's domain be entered in the preload list, for which hstspreload.org reads the home page's header. */
export const allowPreload = (headers: Headers) => headers.set(PRELOAD, "allowed");

const REFERRER_POLICY = "Referrer-Policy";

/**
 * Hides a page's address from the next page, within this site too: the Referer has only the origin. With `no-referrer`
 * browsers would send the page's forms with the Origin `null`.
 */
export const hideAddress = (headers: Headers) => headers.set(REFERRER_POLICY, "strict-origin");

const RESOURCE_POLICY = "Cross-Origin-Resource-Policy";

/** An answer that other sites' scripts may read, they may also embed: feeds, public files. */
const readersOf = ({ headers }: Response) =>
  headers.get("Access-Control-Allow-Origin") === "*" ? "cross-origin" : "same-origin";

/**
 * A page may run the site's own files and the inline scripts of its render, by hash: a cached page cannot have a nonce,
 * which would be public. Other answers may run nothing. A route's own policy stays, so that an uploaded file never
 * counts as a page. A 304 has none: the browser would replace the policy stored with the page.
 */
function withContentPolicy(response: Response, sources: PolicySources) {
  if (response.headers.has(POLICY) || response.status === 304) return response;
  if (!isPage(response)) {
    const type = response.headers.get("Content-Type");
    // A feed has a style sheet.
    const own = type?.startsWith("application/xml") ? "style-src 'self'; " : "";
    response.headers.set(POLICY, `default-src 'none'; ${own}frame-ancestors 'none'; sandbox`);
    return response;
  }
  response.headers.set(POLICY, pagePolicy(sources));
  response.headers.set("Reporting-Endpoints", `${ENDPOINT}="${CSP_REPORTS}"`);
  return response;
}

/** Where browsers report what a page's policy blocked. */
export const CSP_REPORTS = "/api/csp-reports";
const ENDPOINT = "csp";

const POLICY = "Content-Security-Policy";
const isPage = ({ headers }: Response) => headers.get("Content-Type")?.startsWith("text/html") ?? false;

/**
 * What a page's policy needs, in headers that never leave the Worker: hosts to frame, hashes of inline scripts, the
 * robot check's origin, and whether it loads a tag manager.
 */
type PolicySources = Record<"frames" | "scripts" | "robots" | "tags", string | null>;
const FRAMES = "Rostrum-Frame-Sources";
const SCRIPTS = "Rostrum-Inline-Scripts";
const ROBOTS = "Rostrum-Robot-Check";
const TAGS = "Rostrum-Tag-Manager";

/**
 * Lets a page run these inline scripts. Pass the scripts that the renderer wrote, never those found in the finished
 * HTML: an injected script would then be allowed.
 */
export async function allowInlineScripts(headers: Headers, scripts: string[]) {
  headers.set(SCRIPTS, (await Promise.all([...new Set(scripts)].map(hashOf))).join(" "));
}

const FRAMABLE = "Rostrum-Framable";

/**
 * Lets every site frame a page. The page may then load only this style and script, and the site's own pictures and
 * audio.
 */
export async function allowFraming(headers: Headers, { style, script }: { style: string; script: string }) {
  headers.set(FRAMABLE, "anywhere");
  const policy = [
    "default-src 'none'",
    `script-src ${await hashOf(script)}`,
    `style-src ${await hashOf(style)}`,
    "img-src 'self'",
    "media-src 'self'",
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors *",
  ];
  headers.set(POLICY, policy.join("; "));
}

/** Of a page without scripts that has only this style. */
export async function allowStyle(headers: Headers, style: string) {
  const policy = [
    "default-src 'none'",
    `style-src ${await hashOf(style)}`,
    "base-uri 'none'",
    "form-action 'none'",
  ];
  headers.set(POLICY, [...policy, "frame-ancestors 'none'"].join("; "));
}

const HOST = /^[a-z0-9.-]+$/;

/** Lets a page frame these hosts over https; `headers` are those of its response. */
export function allowFrames(headers: Headers, hosts: string[]) {
  const stranger = hosts.find((host) => !HOST.test(host));
  if (stranger !== undefined) throw new Error(`Not a host that a policy may name: ${stranger}`);
  if (hosts.length > 0) headers.set(FRAMES, hosts.map((host) => `https://${host}`).join(" "));
}

/** Where Turnstile's script and checks are. */
export const TURNSTILE = "https://challenges.cloudflare.com";

/** Lets a page load Turnstile's script, which frames a page of its own host. */
export const allowTurnstile = (headers: Headers) => headers.set(ROBOTS, TURNSTILE);

/** Google Tag Manager, and the hosts to which Google Analytics sends. Tags with an inline script stay blocked. */
const tagHosts = {
  scripts: "https://www.googletagmanager.com",
  data: "https://www.googletagmanager.com https://*.google-analytics.com https://*.analytics.google.com",
};

/** Lets a page load Google Tag Manager. */
export const allowTagManager = (headers: Headers) => headers.set(TAGS, "allowed");

function take(headers: Headers, name: string) {
  const value = headers.get(name);
  headers.delete(name);
  return value;
}

/** React writes style attributes. Vite's development server adds style elements. */
const styles = () =>
  import.meta.env.MODE === "development"
    ? ["style-src 'self' 'unsafe-inline'"]
    : ["style-src 'self'", "style-src-elem 'self'", "style-src-attr 'unsafe-inline'"];

const listOf = (...sources: (string | null)[]) => sources.filter(Boolean).join(" ");

const pagePolicy = ({ scripts, frames, robots, tags }: PolicySources) =>
  [
    "default-src 'self'",
    `script-src ${listOf("'self'", scripts, robots, tags && tagHosts.scripts)}`,
    ...styles(),
    `img-src ${listOf("'self'", "data:", "blob:", tags && tagHosts.data)}`,
    "media-src 'self' blob:",
    `connect-src ${listOf("'self'", tags && tagHosts.data)}`,
    "font-src 'self'",
    "worker-src 'self'",
    `frame-src ${listOf(frames, robots) || "'none'"}`,
    "object-src 'none'",
    "base-uri 'none'",
    "form-action 'self'",
    "frame-ancestors 'none'",
    // For browsers without the Reporting API; the others ignore it.
    `report-uri ${CSP_REPORTS}`,
    `report-to ${ENDPOINT}`,
  ].join("; ");

/** Cached, since pages share nearly all their scripts. */
const hashes = new LRUCache<string, string>({ max: 200 });
/** Characters. A longer script is the data of one page. */
const LONG = 20_000;

async function hashOf(script: string) {
  const known = hashes.get(script);
  if (known) return known;
  const bytes = new TextEncoder().encode(script);
  const digest = await crypto.subtle.digest("SHA-256", bytes);
  const hash = `'sha256-${new Uint8Array(digest).toBase64()}'`;
  // A copy as the key: a substring would keep the whole page in memory.
  if (script.length < LONG) hashes.set(new TextDecoder("utf-8", { ignoreBOM: true }).decode(bytes), hash);
  return hash;
}

/** Safe methods (RFC 9110 §9.2.1). */
export const SAFE_METHODS = ["GET", "HEAD", "OPTIONS"];

/** What follows `Bearer` in the header (RFC 6750 §2.1); null without it. */
export const bearerOf = ({ headers }: Request) =>
  /^bearer +(.+)$/i.exec(headers.get("Authorization")?.trim() ?? "")?.[1] ?? null;

/**
 * Whether a program sends its API token with a request, valid or not. Another site cannot make a browser send one without
 * asking this site first, which never allows it.
 */
export const hasToken = (request: Request) =>
  bearerOf(request) !== null && new URL(request.url).pathname.startsWith("/api/");

/**
 * Refuses cross-site writes by the headers that browsers send, except to open paths and by token. API clients send neither
 * header.
 */
export const refuseForeignWrites =
  (open: string[]): MiddlewareHandler<HonoEnv> =>
  async (c, next) => {
    const isWrite = !SAFE_METHODS.includes(c.req.method) && !open.includes(c.req.path);
    if (isWrite && !hasToken(c.req.raw) && isForeign(c.req.raw, c.env.SITE_URL)) {
      throw new AppError("forbidden", "This request came from another site.", { isForeign: true });
    }
    await next();
  };

/**
 * Refuses reads that another site causes, by link too: some are logged and mailed about. An address that the owner typed is
 * answered (`none`), as are API clients.
 */
export const refuseForeignReads: MiddlewareHandler<HonoEnv> = async (c, next) => {
  const isTyped = c.req.header("Sec-Fetch-Site") === "none";
  const isRead = SAFE_METHODS.includes(c.req.method);
  if (isRead && !isTyped && !hasToken(c.req.raw) && isForeign(c.req.raw, c.env.SITE_URL))
    throw new AppError("forbidden", LED_HERE, { isForeign: true });
  await next();
};

const LED_HERE = "Another site led to this address. Open the admin area, and start from there.";

function isForeign(request: Request, siteUrl: string) {
  const site = request.headers.get("Sec-Fetch-Site");
  if (site !== null) return site !== "same-origin";
  const origin = request.headers.get("Origin");
  return origin !== null && origin !== new URL(request.url).origin && origin !== new URL(siteUrl).origin;
}
