import type { Context as HonoContext } from "hono";
import { getCookie } from "hono/cookie";
import { isAllowed } from "#worker/access/capabilities.ts";
import { renewCookie } from "#worker/accounts/session-cookie.ts";
import { readSessionOf } from "#worker/accounts/sessions.ts";
import { documents, matcherOf, pages, wellKnown, type Address } from "#worker/addresses.ts";
import { countRefusedInput, recordRefusal, refusalOf } from "#worker/accounts/refusals.ts";
import { sessionCookieOf } from "#worker/accounts/cookie.ts";
import { oembed } from "#worker/embeds/api.ts";
import { haveArticlesMoved } from "#worker/articles/old-addresses.ts";
import { findCurrentPath } from "#worker/discovery/moved-address.ts";
import { ESSAYS_FEED_PATH } from "#worker/articles/rss.ts";
import { essayFeeds } from "#worker/articles/feed-routes.ts";
import { letterFeeds } from "#worker/letters/feed-routes.ts";
import { episodeDocuments, feeds } from "#worker/episodes/feed-routes.ts";
import { FEED_PATH } from "#worker/episodes/show-queries.ts";
import { playlistFeeds } from "#worker/playlists/feed-routes.ts";
import { discoveryDocuments } from "#worker/discovery/document-routes.ts";
import { findShortened, meantPathsOf } from "#worker/discovery/meant-path.ts";
import { letterLinks } from "#worker/letters/link-routes.ts";
import { hideMemberAddress, memberAudio, memberFeeds } from "#worker/members/feed/feed-routes.ts";
import { media } from "#worker/files/media.ts";
import { sharePictures } from "#worker/sharing/api.ts";
import { expectChanges, latestBookmark, TAGS } from "#worker/platform/http/cache.ts";
import { purgePlatform } from "#worker/platform/data/changes.ts";
import { createContext, type Context } from "#worker/platform/context.ts";
import { RETRY_AFTER } from "#worker/platform/data/unavailable.ts";
import { readableAnywhere } from "#worker/platform/http/documents.ts";
import { AppError } from "#worker/platform/errors.ts";
import { answerError, readToTheEnd, routeOf, router, type HonoEnv } from "#worker/platform/http/router.ts";
import { requireHttps } from "#worker/platform/http/https.ts";
import { isLocal } from "#worker/platform/http/local-address.ts";
import { clientOf } from "#worker/platform/http/rate.ts";
import {
  CSP_REPORTS,
  hasToken,
  refuseForeignWrites,
  SAFE_METHODS,
  securityHeaders,
} from "#worker/platform/http/security.ts";
import { logError } from "#worker/platform/log.ts";
import { PATIENCE_WITH_D1, within } from "#worker/platform/time/within.ts";
import { readSite } from "#worker/settings/queries.ts";
import { LISTENER_HEADER } from "#worker/playlists/contract.ts";

/** Mail providers post to the one-click header's address from any origin (RFC 8058); the token authorises it. */
const ONE_CLICK = "/api/newsletter/unsubscribe";
/** Any sender may post there: the signature authenticates it. */
export const MAIL_WEBHOOK = "/api/webhooks/mail";
/** Stripe's notices of payments. */
export const STRIPE_WEBHOOK = "/api/webhooks/stripe";

/** Characters. React Router matches every prefix of a path separately: 4,500 segments took it 2.5 s. */
const LONGEST_PATH = 1024;

/** A member’s own data. An ended membership must not be one that a replica still has. */
const MEMBERS = ["/api/member", "/rss/members/", "/media/members/"];
const isOfMember = (path: string) => MEMBERS.some((start) => path.startsWith(start));

/** The health check answers a signed-in owner, too, while the sessions cannot be read. */
const HEALTH = "/api/health";

function readActor(visitor: Context, token: string, path: string): ReturnType<typeof readSessionOf> {
  const reading = readSessionOf(visitor, token);
  if (path !== HEALTH) return reading;
  return within(PATIENCE_WITH_D1, "D1", reading).catch((error: unknown) => {
    logError("health: the session", error);
    return { actor: visitor.actor, session: null };
  });
}

type RenderSite = (request: Request, ctx: Context) => Promise<Response> | Response;
type MountApi = (app: ReturnType<typeof router>) => void;

/**
 * The handling of a request, from top to bottom. Has the API only if `mountApi` adds it: pages and documents need none of
 * its code.
 */
export function createApp(renderSite: RenderSite, mountApi?: MountApi) {
  const app = router();
  app.use(readToTheEnd);
  app.use(securityHeaders);
  // Before whatever may redirect or refuse.
  for (const path of ["/rss/members/*", "/media/members/*"]) app.use(path, hideMemberAddress);
  app.use(requireHttps);
  app.use(async (c, next) => {
    if (c.req.path.length > LONGEST_PATH) throw nothingHere();
    await next();
  });
  app.use(async (c, next) => {
    const later = (work: Promise<unknown>) => c.executionCtx.waitUntil(work);
    const isProgram = hasToken(c.req.raw);
    // A program's token is read by the API, and is never combined with a session. A browser's report needs no session.
    const hasNoSession = isProgram || c.req.path === CSP_REPORTS;
    const token = hasNoSession ? undefined : getCookie(c, sessionCookieOf(c.req.url).name);
    const isListener = c.req.header(LISTENER_HEADER) !== undefined;
    // A sign-in in another data centre may be later than the bookmark.
    const isMembers = isOfMember(c.req.path);
    // Some answers of the API are streamed, and read slice by slice while they are sent.
    const isReadOutsideApi = SAFE_METHODS.includes(c.req.method) && !c.req.path.startsWith("/api/");
    const visitor = createContext(c.env, {
      actor: { kind: "visitor" },
      client: clientOf(c.req.raw),
      reads:
        token || isProgram || isListener || isMembers || c.req.method !== "GET"
          ? "primary"
          : { since: latestBookmark() },
      ...(isReadOutsideApi && { together: true }),
      later,
    });
    c.set("renderPage", async (path, ctx) => {
      const page = await renderSite(new Request(new URL(path, c.req.url)), ctx);
      if (page.status >= 500) throw new Error(`The page ${path} could not be rendered.`);
      return withoutScripts(page).text();
    });
    // The site's settings travel with the session: the admin area's layout needs them, and it reports a failure.
    if (token && isReadOutsideApi && c.req.path.startsWith("/admin"))
      readSite(visitor).catch(() => undefined);
    const read = token ? await readActor(visitor, token, c.req.path) : null;
    c.set("ctx", read ? { ...visitor, actor: read.actor } : visitor);
    await next();
    if (read?.session) await renewCookie(c, read.session);
    // Only for what is refused: a successful request costs no statement.
    if (c.res.status >= 400 && c.res.status < 500) noteRefusal(c, token !== undefined);
    if (c.var.ctx.invalidation.isDue) {
      expectChanges();
      c.var.ctx.later(purgePlatform(c.var.ctx, (c.executionCtx as ExecutionContext).cache));
    }
    if (c.var.ctx.tags.size > 0) c.header(TAGS, [...c.var.ctx.tags].join(","));
    // Not for writes or the admin area, where the statement count would reveal whether an address is known.
    if (SAFE_METHODS.includes(c.req.method) && !c.req.path.startsWith("/api/admin/")) {
      c.header("Server-Timing", timingOf(c.var.ctx));
    }
  });

  app.use(async (c, next) => {
    const { pathname, search } = new URL(c.req.url);
    const isRead = c.req.method === "GET" || c.req.method === "HEAD";
    const path = ownPathOf(pathname);
    if (!isRead || path === pathname) return next();
    const mayHaveMoved = path.startsWith("/essays/") || !findAddress(path);
    return leadTo(c, (mayHaveMoved && (await findCurrentPath(c.var.ctx, path, search))) || path);
  });
  // After the session, so that the audit log records refusals.
  app.use(refuseForeignWrites([ONE_CLICK, MAIL_WEBHOOK, STRIPE_WEBHOOK, CSP_REPORTS]));
  mountApi?.(app);
  for (const path of Object.keys({ ...documents, ...wellKnown })) app.use(path, readableAnywhere);
  for (const [path, target] of Object.entries(wellKnown)) {
    for (const each of [path, `${path}/`])
      app.get(each, async (c) => leadTo(c, await feedOf(c.var.ctx, target)));
  }
  app.route("/media", memberAudio);
  app.route("/media", media);
  app.route("/rss", memberFeeds);
  app.route("/rss", feeds);
  app.route("/rss", essayFeeds);
  app.route("/rss", letterFeeds);
  app.route("/rss", playlistFeeds);
  app.route("/episode", episodeDocuments);
  app.route("/share", sharePictures);
  app.route("/l", letterLinks);
  app.route("/", discoveryDocuments);
  app.route("/", oembed);
  app.all("*", async (c) => {
    // Writes go to the API: pages accept none, so refuse them before React Router.
    if (c.req.method === "OPTIONS") return c.body(null, 204, READ_ONLY);
    if (!["GET", "HEAD"].includes(c.req.method)) return c.body(null, 405, READ_ONLY);
    const page = await renderSite(c.req.raw, c.var.ctx);
    if (page.status !== 500 || !c.var.ctx.d1.isUnavailable) return page;
    // Search engines drop an address that answers 500.
    return new Response(page.body, {
      status: 503,
      headers: [...page.headers, ["Retry-After", String(RETRY_AFTER)]],
    });
  });

  app.onError(answerError);
  return app;
}

const withoutScripts = (page: Response) =>
  new HTMLRewriter()
    .on("script, link[rel=modulepreload]", { element: (element) => void element.remove() })
    .transform(page);

/** Subscribers of an imported blog get the essays' feed. */
const feedOf = async (ctx: Context, target: string) =>
  target === FEED_PATH && (await haveArticlesMoved(ctx)) ? ESSAYS_FEED_PATH : target;

const findAddress = matcherOf<Address>({ ...pages, ...documents });
const isWellKnown = (path: string): path is keyof typeof wellKnown => Object.hasOwn(wellKnown, path);

/**
 * Without a trailing slash, and in lower case if that is an address of this site: React Router ignores case, but the
 * cache and the table do not. A mistyped path is unchanged: the site redirects it in one step to the intended one.
 */
function ownPathOf(pathname: string) {
  const path = pathname.length > 1 && pathname.endsWith("/") ? pathname.slice(0, -1) : pathname;
  const lower = path.toLowerCase();
  if (findAddress(lower)) return lower;
  // These redirect in one step, with the slash.
  if (findShortened(lower)) return pathname;
  if (isWellKnown(lower)) return pathname.toLowerCase();
  return path !== pathname && meantPathsOf(path).length > 0 ? pathname : path;
}

/** Characters. Clients limit the length of headers, and no address of this site has so long a query. */
const LONGEST_QUERY = 2000;

/**
 * A 301 to another path of this site, cached for an hour; by the browser alone if it has a secret. The whole address, since a path
 * that begins with `//` is a host.
 */
function leadTo(c: HonoContext<HonoEnv>, path: string) {
  const url = new URL(c.req.url);
  url.pathname = path;
  if (url.search.length > LONGEST_QUERY) url.search = "";
  c.header("Cache-Control", `${isOfMember(path) ? "private" : "public"}, max-age=3600`);
  return c.redirect(url.href, 301);
}

function noteRefusal(c: HonoContext<HonoEnv>, hasSession: boolean) {
  const { ctx } = c.var;
  const { status } = c.res;
  const route = routeOf(c);
  const refusal = refusalOf({
    status,
    error: c.error,
    actor: ctx.actor,
    hasCredentials: hasSession || c.req.header("Authorization") !== undefined,
    isMailReport: c.req.path === MAIL_WEBHOOK,
    route,
  });
  const counted = countRefusedInput(ctx, { status, route });
  for (const each of [refusal, counted]) if (each) ctx.later(recordRefusal(ctx, each));
}

const READ_ONLY = { Allow: "GET, HEAD, OPTIONS" };

/** The answer at an unknown address. */
export const nothingHere = () => new AppError("not_found", "There is nothing at this address.");

/** Visitors of a deployed site get the time alone: a row that was read and not shown says that a draft has this address. */
function timingOf(ctx: Context) {
  const { statements, roundTrips, rowsRead, milliseconds } = ctx.d1;
  const counts = `;desc="${statements} statements, ${roundTrips} round trips, ${rowsRead} rows"`;
  return `d1${isLocal(ctx.config.siteUrl) || isAllowed("edit", ctx) ? counts : ""};dur=${milliseconds}`;
}
