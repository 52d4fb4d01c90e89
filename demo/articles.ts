import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { eq } from "drizzle-orm";
import { parse } from "yaml";
import { createArticle, createCategory } from "#worker/articles/commands.ts";
import type { NewArticle } from "#worker/articles/contract.ts";
import { articles, categories } from "#worker/articles/table.ts";
import type { FileFolder } from "#worker/files/contract.ts";
import type { Context } from "#worker/platform/context.ts";

/** Puts a file of the demo into R2 and returns its id. */
type Upload = (ctx: Context, path: string, folder: FileFolder) => Promise<string>;

type FrontMatter = Omit<NewArticle, "publishedAt" | "originalPublishedAt"> & {
  slug: string;
  category: string;
  publishedAt: string;
  originalPublishedAt?: string;
  image?: string;
  imageAlt?: string;
};

const kinds = [
  { name: "Health", color: "#1f7a66", description: "Who is seen, by whom, and what happens afterwards." },
  { name: "Housing", color: "#b4531f", description: "Tenure, leases and the streets that they make." },
  { name: "Policy", color: "#4a6fa5", description: "How decisions get made, and how they are ended." },
];

const folder = join(import.meta.dirname, "essays");

/** The essays of the demo and their categories. One that is there already is left alone. */
export async function loadArticles(ctx: Context, upload: Upload) {
  const categoryIds = await loadCategories(ctx);
  for (const file of readdirSync(folder).toSorted()) await loadArticle(ctx, file, categoryIds, upload);
}

async function loadCategories(ctx: Context) {
  const present = await ctx.db.select({ id: categories.id, name: categories.name }).from(categories);
  const ids = new Map(present.map(({ id, name }) => [name, id]));
  for (const kind of kinds) {
    if (!ids.has(kind.name)) ids.set(kind.name, (await createCategory(ctx, kind)).id);
  }
  return ids;
}

async function loadArticle(ctx: Context, file: string, categoryIds: Map<string, number>, upload: Upload) {
  const [, head = "", body = ""] =
    /^---\n(.*?)\n---\n(.*)$/s.exec(readFileSync(join(folder, file), "utf8")) ?? [];
  const { category, publishedAt, originalPublishedAt, image, ...said } = parse(head) as FrontMatter;
  if (await isLoaded(ctx, said.slug)) return;
  await createArticle(ctx, {
    ...said,
    content: body.trim(),
    status: "published",
    publishedAt: Date.parse(publishedAt),
    originalPublishedAt: originalPublishedAt ? Date.parse(originalPublishedAt) : null,
    categoryId: categoryIds.get(category) ?? null,
    imageFileId: image ? await upload(ctx, image, "articles") : null,
  });
}

/** An earlier load may have been interrupted. */
async function isLoaded({ db }: Context, slug: string) {
  const found = await db.select({ id: articles.id }).from(articles).where(eq(articles.slug, slug));
  return found.length > 0;
}
