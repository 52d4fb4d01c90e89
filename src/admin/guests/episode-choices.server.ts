import { listEpisodes } from "#worker/episodes/owner-queries.ts";
import type { Context } from "#worker/platform/context.ts";

/** The episodes that a guest may be added to: the newest, those that are not published first. */
export async function listChoices(ctx: Context) {
  const { items } = await listEpisodes(ctx);
  return items
    .map(({ id, title, status }) => ({ id, title, status }))
    .toSorted((a, b) => Number(a.status === "published") - Number(b.status === "published"));
}
