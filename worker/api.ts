import { accountsApi } from "#worker/accounts/api.ts";
import { episodesAdminApi, episodesApi, showApi } from "#worker/episodes/api.ts";
import { filesApi } from "#worker/files/api.ts";
import { healthApi } from "#worker/platform/health.ts";
import { router } from "#worker/platform/http.ts";

/** The API's table of contents. Accounts sit at the root: session, setup, verification. */
export const adminApi = router()
  .route("/", accountsApi)
  .route("/episodes", episodesAdminApi)
  .route("/show", showApi)
  .route("/files", filesApi);

export const publicApi = router().route("/episodes", episodesApi).route("/health", healthApi);

export type AdminApi = typeof adminApi;
