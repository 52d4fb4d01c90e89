import type { MiddlewareHandler } from "hono";
import { except } from "hono/combine";
import { accountsApi } from "#worker/accounts/api.ts";
import { acceptToken, challenge } from "#worker/access/api.ts";
import { api } from "#worker/addresses.ts";
import { analyticsAdminApi, analyticsApi } from "#worker/analytics/api.ts";
import { MAX_EVENTS_BYTES } from "#worker/analytics/contract.ts";
import { MAIL_WEBHOOK, nothingHere, STRIPE_WEBHOOK } from "#worker/app.ts";
import { articlesAdminApi, articlesApi, categoriesApi } from "#worker/articles/api.ts";
import { automaticLettersAdminApi } from "#worker/automatic-letters/api.ts";
import { backupsApi } from "#worker/backups/api.ts";
import { readBackupHealth } from "#worker/backups/queries.ts";
import { webhooksApi } from "#worker/bounces/api.ts";
import { binApi } from "#worker/bin/api.ts";
import { campaignsAdminApi } from "#worker/campaigns/api.ts";
import { commentForms, commentsAdminApi, commentsApi } from "#worker/comments/api.ts";
import { cspReportsApi } from "#worker/csp-reports/api.ts";
import { deskApi } from "#worker/desk/api.ts";
import { ownerSearchApi, searchApi, searchIndexApi } from "#worker/discovery/api.ts";
import { enquiryFormPaths, enquiryForms } from "#worker/enquiries/api.ts";
import { applicationsAdminApi, bookingsAdminApi, messagesAdminApi } from "#worker/enquiries/owner/api.ts";
import { episodesAdminApi, episodesApi, showApi } from "#worker/episodes/api.ts";
import { exportApi } from "#worker/exports/api.ts";
import { filesApi } from "#worker/files/api.ts";
import { importsApi } from "#worker/imports/api.ts";
import { lettersAdminApi, sendingApi } from "#worker/letters/api.ts";
import { newsletterApi, newsletterForms, subscribersAdminApi } from "#worker/newsletter/api.ts";
import { memberApi, memberForms } from "#worker/members/account/api.ts";
import { membersAdminApi, tiersAdminApi } from "#worker/members/api.ts";
import { mcpApi } from "#worker/mcp/api.ts";
import { openApi } from "#worker/openapi/api.ts";
import { pagesApi } from "#worker/pages/api.ts";
import { peopleApi } from "#worker/people/api.ts";
import type { Context } from "#worker/platform/context.ts";
import { AppError } from "#worker/platform/errors.ts";
import { cameFrom, redirect } from "#worker/platform/http/forms.ts";
import { healthApi } from "#worker/platform/http/health.ts";
import { forEverybody, readJson, router, type HonoEnv } from "#worker/platform/http/router.ts";
import { CSP_REPORTS, refuseForeignReads } from "#worker/platform/http/security.ts";
import { favoritesApi, playlistsApi, progressApi } from "#worker/playlists/api.ts";
import { pressAdminApi, pressApi } from "#worker/press/api.ts";
import { socialPostsAdminApi } from "#worker/social/api.ts";
import { engagementsAdminApi } from "#worker/speaking/api.ts";
import { profilesAdminApi } from "#worker/profiles/api.ts";
import { topicsAdminApi } from "#worker/topics/api.ts";
import { venturesAdminApi } from "#worker/ventures/api.ts";
import { refuseDuringRestore, restoresApi } from "#worker/restores/api.ts";
import { settingsApi } from "#worker/settings/api.ts";
import { transcriptionAdminApi, transcriptionKeyApi } from "#worker/transcription/api.ts";
import { proposalKeyApi, proposalsAdminApi } from "#worker/proposals/api.ts";
import { paymentsAdminApi, paymentWebhookApi } from "#worker/payments/api.ts";
import { webhooksAdminApi } from "#worker/webhooks/api.ts";

/** The API's table of contents. Accounts sit at the root: session, setup, verification. */
export const adminApi = router()
  .route("/", accountsApi)
  .route("/articles", articlesAdminApi)
  .route("/categories", categoriesApi)
  .route("/episodes", episodesAdminApi)
  .route("/episodes", transcriptionAdminApi)
  .route("/transcription-key", transcriptionKeyApi)
  .route("/episodes", proposalsAdminApi)
  .route("/proposal-key", proposalKeyApi)
  .route("/show", showApi)
  .route("/profiles", profilesAdminApi)
  .route("/ventures", venturesAdminApi)
  .route("/engagements", engagementsAdminApi)
  .route("/pages", pagesApi)
  .route("/press", pressAdminApi)
  .route("/campaigns", campaignsAdminApi)
  .route("/social-posts", socialPostsAdminApi)
  .route("/newsletters", lettersAdminApi)
  .route("/newsletters", sendingApi)
  .route("/automatic-letters", automaticLettersAdminApi)
  .route("/subscribers", subscribersAdminApi)
  .route("/members", membersAdminApi)
  .route("/tiers", tiersAdminApi)
  .route("/payments", paymentsAdminApi)
  .route("/topics", topicsAdminApi)
  .route("/imports", importsApi)
  .route("/people", peopleApi)
  .route("/comments", commentsAdminApi)
  .route("/guest-applications", applicationsAdminApi)
  .route("/contact-messages", messagesAdminApi)
  .route("/speaking-bookings", bookingsAdminApi)
  .route("/files", filesApi)
  .route("/bin", binApi)
  .route("/settings", settingsApi)
  .route("/webhooks", webhooksAdminApi)
  .route("/export", exportApi)
  .route("/backups", backupsApi)
  .route("/restores", restoresApi)
  .route("/desk", deskApi)
  .route("/analytics", analyticsAdminApi)
  .route("/search", ownerSearchApi)
  .route("/search-index", searchIndexApi);

/** Paths of the public API, relative to /api. */
const published = Object.keys(api).map((path) => path.slice("/api".length));

/** A listener's own data: every answer is private. */
const listenerApi = router()
  .route("/playlists", playlistsApi)
  .route("/favorites", favoritesApi)
  .route("/progress", progressApi);

async function readOwnersHealth(ctx: Context) {
  const backups = await readBackupHealth(ctx);
  return backups && { backups };
}

const publicApi = router()
  .on("GET", published, forEverybody)
  .route("/episodes", episodesApi)
  .route("/articles", articlesApi)
  .route("/press", pressApi)
  .route("/search", searchApi)
  .route("/newsletter", newsletterApi)
  .route("/member", memberApi)
  .route("/comments", commentsApi)
  .route("/", enquiryForms)
  .route("/webhooks", webhooksApi)
  .route("/webhooks", paymentWebhookApi)
  .route("/csp-reports", cspReportsApi)
  .route("/analytics", analyticsApi)
  .route("/", openApi)
  .route("/mcp", mcpApi)
  .route("/health", healthApi(readOwnersHealth))
  .route("/", listenerApi);

/** Paths below /api that accept HTML forms of pages without scripts. */
const formRoutes = [...newsletterForms, ...memberForms, ...commentForms, ...enquiryFormPaths];

/** Paths below /api/admin that are open to signed-out users. */
const openRoutes = [
  "/session",
  "/session/passkey",
  "/session/code",
  "/not-me",
  "/setup",
  "/verification",
  "/verification/confirm",
  "/password-reset",
  "/password-reset/confirm",
  "/invitation/confirm",
].map((path) => `/api/admin${path}`);

/** Paths that receive long texts: articles, show notes, transcripts, pages. */
const LONG_TEXTS =
  /^\/api\/admin\/(?:articles|automatic-letters|episodes|newsletters|pages|press|imports)(?:\/|$)/;

/** The pieces of an archive: a long row is one. */
const PIECES = /^\/api\/admin\/restores\/[^/]+\/pieces$/;

const KB = 1024;
/** Bytes of a request's body. */
const BODY_BYTES = {
  /** What signed-out users of the admin area send. */
  open: 8 * KB,
  mailWebhook: 64 * KB,
  piece: 12 * KB * KB,
  longTexts: 4 * KB * KB,
  other: 256 * KB,
};

const EVENTS = "/api/analytics/events";

/** The body limits of API routes, and who may send to them. */
const bodyRules = {
  isClosed: (path: string) => path.startsWith("/api/admin/") && !openRoutes.includes(path),
  limitOf: (path: string) => {
    if (openRoutes.includes(path)) return BODY_BYTES.open;
    if (path === MAIL_WEBHOOK || path === STRIPE_WEBHOOK) return BODY_BYTES.mailWebhook;
    if (path === EVENTS) return MAX_EVENTS_BYTES;
    if (PIECES.test(path)) return BODY_BYTES.piece;
    return LONG_TEXTS.test(path) ? BODY_BYTES.longTexts : BODY_BYTES.other;
  },
  takesText: (path: string) => path === EVENTS,
};

/** Adds the API to an app. */
export function mountApi(app: ReturnType<typeof router>) {
  const countHandlers = (method: string, path: string) => app.router.match(method, path)[0].length;

  app.use("/api/*", challenge, acceptToken);
  app.use("/api/*", except([...formRoutes.map((path) => `/api${path}`), CSP_REPORTS], readJson(bodyRules)));
  app.use("/api/admin/*", refuseForeignReads);
  app.use("/api/admin/*", leadToLogin);
  app.use("/api/admin/*", refuseDuringRestore);
  app.route("/api/admin", adminApi);
  app.route("/api", publicApi);
  app.all("/api/*", (c) => {
    const allowed = METHODS.filter(
      (method) => countHandlers(method, c.req.path) > countHandlers(NONE, c.req.path),
    );
    if (allowed.length === 0) throw nothingHere();
    // Hono answers HEAD with the route of GET.
    const also = allowed.includes("GET") ? ["HEAD", "OPTIONS"] : ["OPTIONS"];
    c.header("Allow", [...allowed, ...also].join(", "));
    if (c.req.method === "OPTIONS") return c.body(null, 204);
    throw new AppError("method_not_allowed", `This address takes ${allowed.join(" and ")}.`);
  });
}

const METHODS = ["GET", "POST", "PUT", "PATCH", "DELETE"];
/** No route has this method, so only routes for all methods match. */
const NONE = "NONE";

/** Without it, a link to a download after the session's end would show the API's JSON as a page. */
const leadToLogin: MiddlewareHandler<HonoEnv> = async (c, next) => {
  await next();
  const isFollowed = c.req.method === "GET" && c.req.header("Sec-Fetch-Mode") === "navigate";
  if (c.res.status !== 401 || !isFollowed) return;
  redirect(c, `/admin/login?${new URLSearchParams({ next: cameFrom(c), ended: "1" })}`);
};

export type AdminApi = typeof adminApi;
export type ListenerApi = typeof listenerApi;
