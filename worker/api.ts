import { accountsApi } from "#worker/accounts/api.ts";
import { api } from "#worker/addresses.ts";
import { analyticsAdminApi, analyticsApi } from "#worker/analytics/api.ts";
import { MAX_EVENTS_BYTES } from "#worker/analytics/contract.ts";
import { articlesAdminApi, articlesApi, categoriesApi } from "#worker/articles/api.ts";
import { MAIL_WEBHOOK, webhooksApi } from "#worker/bounces/api.ts";
import { campaignsAdminApi } from "#worker/campaigns/api.ts";
import { commentForms, commentsAdminApi, commentsApi } from "#worker/comments/api.ts";
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
import { pagesApi } from "#worker/pages/api.ts";
import { peopleApi } from "#worker/people/api.ts";
import { healthApi } from "#worker/platform/http/health.ts";
import { forEverybody, router } from "#worker/platform/http/router.ts";
import { favoritesApi, playlistsApi, progressApi } from "#worker/playlists/api.ts";
import { pressAdminApi, pressApi } from "#worker/press/api.ts";
import { socialPostsAdminApi } from "#worker/social/api.ts";
import { engagementsAdminApi } from "#worker/speaking/api.ts";
import { venturesAdminApi } from "#worker/ventures/api.ts";
import { settingsApi } from "#worker/settings/api.ts";

/** The API's table of contents. Accounts sit at the root: session, setup, verification. */
export const adminApi = router()
  .route("/", accountsApi)
  .route("/articles", articlesAdminApi)
  .route("/categories", categoriesApi)
  .route("/episodes", episodesAdminApi)
  .route("/show", showApi)
  .route("/ventures", venturesAdminApi)
  .route("/engagements", engagementsAdminApi)
  .route("/pages", pagesApi)
  .route("/press", pressAdminApi)
  .route("/campaigns", campaignsAdminApi)
  .route("/social-posts", socialPostsAdminApi)
  .route("/newsletters", lettersAdminApi)
  .route("/newsletters", sendingApi)
  .route("/subscribers", subscribersAdminApi)
  .route("/imports", importsApi)
  .route("/people", peopleApi)
  .route("/comments", commentsAdminApi)
  .route("/guest-applications", applicationsAdminApi)
  .route("/contact-messages", messagesAdminApi)
  .route("/speaking-bookings", bookingsAdminApi)
  .route("/files", filesApi)
  .route("/settings", settingsApi)
  .route("/export", exportApi)
  .route("/desk", deskApi)
  .route("/analytics", analyticsAdminApi)
  .route("/search", ownerSearchApi)
  .route("/search-index", searchIndexApi);

/** Paths of the public API, relative to /api. */
const published = Object.keys(api).map((path) => path.slice("/api".length));

/** A listener's own data: every answer is private. */
export const listenerApi = router()
  .route("/playlists", playlistsApi)
  .route("/favorites", favoritesApi)
  .route("/progress", progressApi);

export const publicApi = router()
  .on("GET", published, forEverybody)
  .route("/episodes", episodesApi)
  .route("/articles", articlesApi)
  .route("/press", pressApi)
  .route("/search", searchApi)
  .route("/newsletter", newsletterApi)
  .route("/comments", commentsApi)
  .route("/", enquiryForms)
  .route("/webhooks", webhooksApi)
  .route("/analytics", analyticsApi)
  .route("/health", healthApi)
  .route("/", listenerApi);

/** Paths below /api that accept HTML forms of pages without scripts. */
export const formRoutes = [...newsletterForms, ...commentForms, ...enquiryFormPaths];

/** Paths below /api/admin that are open to signed-out users. */
const openRoutes = [
  "/session",
  "/setup",
  "/verification",
  "/verification/confirm",
  "/password-reset",
  "/password-reset/confirm",
  "/invitation/confirm",
].map((path) => `/api/admin${path}`);

/** Paths that receive long texts: articles, show notes, transcripts, pages. */
const LONG_TEXTS = /^\/api\/admin\/(?:articles|episodes|newsletters|pages|press|imports)(?:\/|$)/;

/** Bytes. */
const KB = 1024;

const EVENTS = "/api/analytics/events";

/** The body limits of API routes, and who may send to them. */
export const bodyRules = {
  isClosed: (path: string) => path.startsWith("/api/admin/") && !openRoutes.includes(path),
  limitOf: (path: string) => {
    if (openRoutes.includes(path)) return 8 * KB;
    if (path === MAIL_WEBHOOK) return 64 * KB;
    if (path === EVENTS) return MAX_EVENTS_BYTES;
    return LONG_TEXTS.test(path) ? 4 * KB * KB : 256 * KB;
  },
  takesText: (path: string) => path === EVENTS,
};

export type AdminApi = typeof adminApi;
export type ListenerApi = typeof listenerApi;
