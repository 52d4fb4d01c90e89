import { requireCapability } from "#worker/access/capabilities.ts";
import { createArticle, updateArticle } from "#worker/articles/commands.ts";
import { listCategories } from "#worker/articles/owner-queries.ts";
import { findArticlesByTitle, findSlugOwners } from "#worker/articles/match-queries.ts";
import { missingCategoryOf, planArticle, type Known, type Plan } from "#worker/imports/batch/plan.ts";
import {
  ArticleBatch,
  BatchArticle,
  type BatchResult,
  type ReadBatchArticle,
} from "#worker/imports/contract.ts";
import type { Context } from "#worker/platform/context.ts";
import { AppError } from "#worker/platform/errors.ts";
import { parseInput } from "#worker/platform/data/input.ts";

/**
 * Updates the articles that have the titles of a batch, and inserts the others; a dry run only reports what it would do
 * with each, and which categories are missing. Each article is written completely or not at all; a refused one does not
 * stop the others. Sending the batch again changes nothing.
 * @throws `unauthenticated`, `forbidden`; `invalid` for the batch as a whole
 */
export async function importArticles(ctx: Context, input: ArticleBatch): Promise<{ items: BatchResult[] }> {
  requireCapability("edit", ctx);
  const { isDryRun, items } = parseInput(ArticleBatch, input);
  const read = items.map(readItem);
  const known = await readKnown(
    ctx,
    read.flatMap((item) => ("article" in item ? item.article : [])),
  );
  const isDoubled = (title: string) => read.filter((item) => item.title === title).length > 1;
  const results: BatchResult[] = [];
  // Sequentially: the slug of one may depend on the one before.
  for (const item of read) {
    results.push(
      await refusing(item.title, async () => {
        if ("refusal" in item) throw item.refusal;
        if (isDoubled(item.title)) throw new AppError("conflict", "Several items have this title.");
        const missingCategory = isDryRun ? missingCategoryOf(known, item.article) : null;
        const plan = planArticle(known, missingCategory ? { ...item.article, category: null } : item.article);
        return { plan, missingCategory, id: isDryRun ? null : await write(ctx, plan) };
      }),
    );
  }
  return { items: results };
}

type Item = { title: string } & ({ article: ReadBatchArticle } | { refusal: AppError });

function readItem(raw: unknown): Item {
  const title = String((raw as { title?: unknown } | null)?.title ?? "").slice(0, 255);
  try {
    const article = parseInput(BatchArticle, raw);
    return { title: article.title, article };
  } catch (error) {
    if (error instanceof AppError) return { title, refusal: error };
    throw error;
  }
}

async function readKnown(ctx: Context, batch: ReadBatchArticle[]): Promise<Known> {
  const slugs = batch.flatMap(({ slug }) => slug || []);
  const [articles, { items: categories }, slugOwners] = await Promise.all([
    findArticlesByTitle(
      ctx,
      batch.map(({ title }) => title),
    ),
    listCategories(ctx),
    findSlugOwners(ctx, slugs),
  ]);
  return { now: ctx.now, articles, categories, slugOwners };
}

async function write(ctx: Context, plan: Plan) {
  if (plan.action === "insert") return (await createArticle(ctx, plan.input, { isImported: true })).id;
  if (plan.action === "update") await updateArticle(ctx, plan.id, plan.input);
  return plan.id;
}

/**
 * The result of an item. A refusal is part of the result; any other error ends the batch, and the same request may be
 * sent again.
 */
async function refusing(
  title: string,
  work: () => Promise<{ plan: Plan; missingCategory: string | null; id: number | null }>,
): Promise<BatchResult> {
  try {
    const { plan, missingCategory, id } = await work();
    return {
      title,
      success: true,
      action: plan.action,
      id: plan.action === "insert" ? id : plan.id,
      changed: plan.action === "update" ? plan.changed : [],
      missingCategory,
      message: null,
    };
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    return {
      title,
      success: false,
      action: null,
      id: null,
      changed: [],
      missingCategory: null,
      message: error.message,
    };
  }
}
