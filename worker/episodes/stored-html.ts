import { changedEpisodes } from "#worker/episodes/changed.ts";
import { renderedColumns } from "#worker/episodes/rendered.ts";
import { episodes } from "#worker/episodes/table.ts";
import type { StoredHtml } from "#worker/rendering/render-slice.ts";

export const episodeHtml: StoredHtml<typeof episodes.$inferSelect> = {
  table: episodes,
  markdown: "showNotes",
  render: renderedColumns,
  changed: (ctx, which) => [...changedEpisodes(ctx, which)],
};
