import { changedArticles } from "#worker/articles/changed.ts";
import { renderedColumns } from "#worker/articles/rendered.ts";
import { articles } from "#worker/articles/table.ts";
import type { StoredHtml } from "#worker/rendering/render-slice.ts";

export const articleHtml: StoredHtml<typeof articles.$inferSelect> = {
  table: articles,
  markdown: "content",
  render: ({ content }, pictures) => renderedColumns(content, pictures),
  changed: (ctx, which) => [changedArticles(ctx, which)],
};
