import { requireCapability } from "#worker/access/capabilities.ts";
import { RenderInput, type UpkeepItem, type UpkeepSlice } from "#worker/articles/contract.ts";
import { articleNoun } from "#worker/articles/noun.ts";
import type { articles } from "#worker/articles/table.ts";
import type { Context } from "#worker/platform/context.ts";
import { AppError } from "#worker/platform/errors.ts";
import { parseInput } from "#worker/platform/data/input.ts";
import {
  renderSlice,
  storedHtmlOf,
  type RenderedItem,
  type StoredHtml,
} from "#worker/rendering/render-slice.ts";

/**
 * Renders the next articles again from their Markdown: HTML, plain text and reading time, or the reading time alone.
 * Writes only changes, and no article counts as edited.
 * @throws `unauthenticated`, `forbidden`; `invalid`
 */
export async function renderArticles(ctx: Context, input: RenderInput): Promise<UpkeepSlice> {
  requireCapability("edit", ctx);
  const { after, part } = parseInput(RenderInput, input);
  const { items, next } = await renderSlice(ctx, part === "all" ? articleHtml : readingTime, after);
  return { items: items.map(toUpkeepItem), next };
}

type Article = typeof articles.$inferSelect;

const articleHtml = storedHtmlOf([articleNoun]).article as StoredHtml<Article>;

const readingTime: typeof articleHtml = {
  ...articleHtml,
  render(article, pictures) {
    const { readingMinutes } = articleHtml.render(article, pictures);
    return { readingMinutes };
  },
};

function toUpkeepItem({ item, isChanged, error }: RenderedItem<Article>): UpkeepItem {
  const { id, title } = item;
  if (error === null) return { id, title, isChanged, findings: [] };
  // A text over the cost limit, older than that limit.
  if (!(error instanceof AppError)) throw error;
  return { id, title, isChanged, findings: [{ message: error.message, where: null }] };
}
