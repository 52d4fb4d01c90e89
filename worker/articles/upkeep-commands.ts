import { and, asc, eq, inArray } from "drizzle-orm";
import { requireCapability } from "#worker/access/capabilities.ts";
import { RenderInput, type UpkeepItem, type UpkeepSlice } from "#worker/articles/contract.ts";
import { changedArticles, isAmong } from "#worker/articles/changed.ts";
import { renderedColumns } from "#worker/articles/rendered.ts";
import { articles } from "#worker/articles/table.ts";
import { nextSlice } from "#worker/articles/upkeep-queries.ts";
import { findEmbeddedIn } from "#worker/files/embedded.ts";
import type { Context } from "#worker/platform/context.ts";
import { AppError } from "#worker/platform/errors.ts";
import { parseInput } from "#worker/platform/input.ts";
import type { Pictures } from "#worker/platform/markdown.ts";

/**
 * Makes the HTML, the plain text and the reading time of the next articles anew from their Markdown, or the reading time
 * alone. What is as it was is not written, and no article counts as edited.
 * @throws `unauthenticated`, `forbidden`; `invalid`
 */
export async function renderArticles(ctx: Context, input: RenderInput): Promise<UpkeepSlice> {
  requireCapability("edit", ctx);
  const { after, part } = parseInput(RenderInput, input);
  const ids = await nextSlice(ctx, after);
  const rows = await readSources(ctx, ids);
  const pictures = await findEmbeddedIn(
    ctx,
    rows.map(({ content }) => content),
  );
  const rendered = rows.map((row) => render(row, part, pictures));
  const updates = rendered.flatMap(({ row, change }) => (change ? updateOf(ctx, row, change) : []));
  const [first, ...rest] = updates;
  if (first) {
    const changed = rendered.flatMap(({ row, change }) => (change ? row.id : []));
    await ctx.db.batch([first, ...rest, changedArticles(ctx, isAmong(changed))]);
  }
  return { items: rendered.map(({ item }) => item), next: ids.at(-1) ?? null };
}

const readSources = ({ db }: Context, ids: number[]) =>
  db
    .select({
      id: articles.id,
      title: articles.title,
      updatedAt: articles.updatedAt,
      content: articles.content,
      contentHtml: articles.contentHtml,
      contentText: articles.contentText,
      embeddedFileIds: articles.embeddedFileIds,
      readingMinutes: articles.readingMinutes,
    })
    .from(articles)
    .where(inArray(articles.id, ids))
    .orderBy(asc(articles.id));

type Source = Awaited<ReturnType<typeof readSources>>[number];
type Columns = Partial<ReturnType<typeof renderedColumns>>;
type Rendered = { row: Source; change: Columns | null; item: UpkeepItem };

function render(row: Source, part: RenderInput["part"], pictures: Pictures): Rendered {
  const { id, title } = row;
  try {
    const all = renderedColumns(row.content, pictures);
    const made: Columns = part === "all" ? all : { readingMinutes: all.readingMinutes };
    const isChanged = Object.entries(made).some(
      ([column, value]) => JSON.stringify(value) !== JSON.stringify(row[column as keyof Columns]),
    );
    return { row, change: isChanged ? made : null, item: { id, title, isChanged, findings: [] } };
  } catch (error) {
    // A text that would take too long, from before there was such a limit.
    if (!(error instanceof AppError)) throw error;
    const findings = [{ message: error.message, where: null }];
    return { row, change: null, item: { id, title, isChanged: false, findings } };
  }
}

/** Nothing where somebody saved the article meanwhile, by which it was rendered, too. */
const updateOf = ({ db }: Context, { id, updatedAt }: Source, change: Columns) =>
  db
    .update(articles)
    .set(change)
    .where(and(eq(articles.id, id), eq(articles.updatedAt, updatedAt)));
