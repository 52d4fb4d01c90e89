import { eq } from "drizzle-orm";
import { requireCapability } from "#worker/access/capabilities.ts";
import { updateArticle } from "#worker/articles/commands.ts";
import type { ArticleChange, ArticleInput } from "#worker/articles/contract.ts";
import { categories } from "#worker/articles/table.ts";
import { findStoredFiles } from "#worker/files/stored.ts";
import type { Context } from "#worker/platform/context.ts";
import { parseInput } from "#worker/platform/data/input.ts";
import { RestoreInput } from "#worker/revisions/contract.ts";
import { readRevision } from "#worker/revisions/queries.ts";

/**
 * Restores the words, picture, category and origin of a former version, as a new version. Status, dates and slug stay.
 * A deleted category or picture is omitted.
 * @throws `unauthenticated`, `forbidden`; `not_found`; `invalid` for values that are no longer allowed; `conflict` when
 * the article was changed since `basedOn`
 */
export async function restoreArticle(ctx: Context, id: number, revisionId: number, input: RestoreInput) {
  requireCapability("edit", ctx);
  const { basedOn } = parseInput(RestoreInput, input);
  const revision = await readRevision(ctx, { kind: "article", item: id }, revisionId);
  const {
    slug: _slug,
    status: _status,
    publishedAt: _at,
    scheduledFor: _plan,
    ...content
  } = revision.values as ArticleInput;
  const [categoryId, imageFileId] = await Promise.all([
    storedCategory(ctx, content.categoryId),
    storedFile(ctx, content.imageFileId),
  ]);
  const change: ArticleChange = { ...content, categoryId, imageFileId, basedOn };
  return updateArticle(ctx, id, change, { restoredFrom: new Date(revision.savedAt) });
}

async function storedCategory({ db }: Context, id: number | null) {
  if (id === null) return null;
  const [category] = await db.select({ id: categories.id }).from(categories).where(eq(categories.id, id));
  return category?.id ?? null;
}

const storedFile = async (ctx: Context, id: string | null) =>
  id !== null && (await findStoredFiles(ctx, [id])).has(id) ? id : null;
