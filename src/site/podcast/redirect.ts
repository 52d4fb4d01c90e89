import { redirect } from "react-router";
import { siteContext } from "#site/context.ts";
import { findEpisodeBySlug } from "#worker/episodes/queries.ts";
import type { Route } from "./+types/redirect.ts";
import { respondNotFound } from "../loader.server.ts";

export { default, meta } from "../not-found.tsx";

/** `/podcast/{slug}`, which analytics and old links use. */
export async function loader({ context, params, url }: Route.LoaderArgs) {
  const ctx = context.get(siteContext);
  const id = await findEpisodeBySlug(ctx, params.slug);
  return id === null ? respondNotFound(ctx, url) : redirect(`/episode/${id}`, 301);
}
