import { siteContext } from "#site/context.ts";
import { findEpisodeBySlug } from "#worker/episodes/queries.ts";
import type { Route } from "./+types/redirect.ts";
import { leadOn, respondNotFound } from "../loader.server.ts";

export { default, meta } from "../not-found.tsx";

/** `/podcast/{slug}`, which analytics and old links use. */
export async function loader({ context, params, url }: Route.LoaderArgs) {
  const ctx = context.get(siteContext);
  const id = await findEpisodeBySlug(ctx, params.slug);
  return id === null ? respondNotFound(ctx, url) : leadOn("/episode/:id", id, url);
}
