import { and, eq, isNull, sql, type SQL } from "drizzle-orm";
import { changedArticles, changedArticlesOf, publicationOf } from "#worker/articles/changed.ts";
import { articleNoun, renderedColumns } from "#worker/articles/noun.ts";
import {
  ArticleChange,
  articleDefaults,
  CategoryChange,
  categoryDefaults,
  NewArticle,
  NewCategory,
  type ArticleInput,
  type Category,
  type EditableArticle,
} from "#worker/articles/contract.ts";
import { firstGuid } from "#worker/articles/guid.ts";
import { articleSlugs } from "#worker/articles/slugs.ts";
import {
  articlePreviewLink,
  editableOf,
  readAround,
  readArticleRow,
  toCategory,
  toEditable,
  toInput,
} from "#worker/articles/owner-queries.ts";
import { articleNotFound, isPublished } from "#worker/articles/queries.ts";
import { keepOldAddresses } from "#worker/articles/old-addresses.ts";
import { articles, categories } from "#worker/articles/table.ts";
import { moveToBin } from "#worker/bin/move-to-bin.ts";
import { refusingReserved } from "#worker/bin/reserved.ts";
import { findEmbedded } from "#worker/files/pictures/markdown-images.ts";
import { describeOnce } from "#worker/files/describe.ts";
import { requireStoredFile } from "#worker/files/stored.ts";
import { requireCapability, requirePublishing } from "#worker/access/capabilities.ts";
import type { Context } from "#worker/platform/context.ts";
import { AppError } from "#worker/platform/errors.ts";
import { parseInput } from "#worker/platform/data/input.ts";
import { draftKeyOf, findByDraftKey, refusingTakenKey } from "#worker/platform/data/draft-key.ts";
import {
  datesOf,
  laterThan,
  publishedIfDue,
  refusingBroken,
  refusingTaken,
  withoutDerived,
} from "#worker/platform/data/publishing.ts";
import { keepFormerSlug, reclaimSlug } from "#worker/platform/data/item-slugs.ts";
import { writeAndRead } from "#worker/platform/data/write-and-read.ts";
import { freeSlug, slugOf } from "#worker/platform/text/slug.ts";
import { isRepeated } from "#worker/platform/data/versions.ts";
import { feedChanged, publish } from "#worker/publications/record-publication.ts";
import { slugOfChange, slugOfNew } from "#worker/revisions/item-slugs.ts";
import { recordChange, recordCreation } from "#worker/revisions/record-revision.ts";
import { today } from "#worker/settings/queries.ts";

const changedElsewhere = () =>
  new AppError("conflict", "This article was changed elsewhere since you opened it.");

type ImportOptions = {
  isImported?: boolean;
  importKey?: string;
  guid?: string | null;
  oldAddresses?: string[];
};

/**
 * Creates an article. Idempotent by `draftKey`: a repeated request changes the same article. An `isImported` article
 * was published elsewhere, so the owner is not asked to share it. `importKey` identifies the imported original, for any
 * user. `guid` is the one that feed readers already know, unless another article has it; `oldAddresses` redirect to it,
 * except those that lead to another article.
 * @throws `unauthenticated`, `forbidden`; `invalid`, also for dates that the status does not allow and for a file or
 * category that does not exist; `conflict` for a slug that another article has, for a LinkedIn post that is already
 * imported, and for a taken `importKey`
 */
export async function createArticle(
  ctx: Context,
  input: NewArticle,
  { isImported = false, importKey, guid = null, oldAddresses = [] }: ImportOptions = {},
): Promise<EditableArticle> {
  requireCapability("edit", ctx);
  const { automatic, draftKey: key, ...article } = parseInput(NewArticle, input);
  const ownKey = draftKeyOf(ctx, key);
  const made = await findByDraftKey(ctx, articles, ownKey);
  if (made !== null) return updateArticle(ctx, made, { ...article, automatic });
  const given = { ...articleDefaults, ...article };
  const values = await normalize(ctx, given);
  requirePublishing(ctx, values.status);
  if (automatic && values.status !== "draft") throw draftsOnly();
  const { slug, way } = await slugOfNew(ctx, articleSlugs, {
    given: given.slug,
    title: given.title,
    status: values.status,
  });
  const insert = ctx.db
    .insert(articles)
    .values({
      ...values,
      ...(await rendered(ctx, values)),
      slug,
      draftKey: importKey ?? ownKey,
      guid: unlessTaken(guid, crypto.randomUUID()),
      createdAt: ctx.now,
      updatedAt: ctx.now,
    })
    .returning();
  const newest = sql`(select max(id) from ${articles})`;
  const created = sql`${articles.id} = ${newest}`;
  const version = {
    kind: "article",
    item: newest,
    values: savedOf(given, values),
    isAutomatic: automatic,
  } as const;
  const revision = recordCreation(ctx, version);
  const goesOut = publish(ctx, publicationOf(sql`${created} and ${isPublished}`), {
    isPlanned: false,
    isImported,
  });
  const isOut = values.status === "published";
  const write = (db: Context["db"]) =>
    db.batch([
      way,
      insert,
      revision,
      ...keepOldAddresses(ctx, newest, oldAddresses),
      ...(isOut ? [changedArticles(ctx, created), ...goesOut.statements] : []),
      ...describeOnce(ctx, values.imageFileId, values.imageAlt),
    ]);
  const [[, [row]], around] = await refusingTakenAddress(article.slug, () =>
    refusingTakenKey(articles, () => writeAndRead(ctx, write, (one) => readAround(one, values))),
  );
  if (isOut) goesOut.enqueue();
  return editableOf(row!, around);
}

/** SQL: a GUID, or the other one if it is null or taken by an article. */
const unlessTaken = (guid: string | null, other: string) =>
  sql`iif(${guid} is null or exists (select 1 from ${articles} where ${articles.guid} = ${guid}), ${other}, ${guid})`;

/**
 * Changes the given fields. A former slug redirects to the article from then on. `basedOn` is the `updatedAt` that the
 * change was made from; an `automatic` change is an autosave of a draft. `restoredFrom`: when the restored version was
 * saved.
 * @throws `unauthenticated`, `forbidden`; `not_found`; `invalid` as `createArticle`; `conflict` as `createArticle`, and
 * when the article was changed elsewhere since `basedOn`
 */
export async function updateArticle(
  ctx: Context,
  id: number,
  input: ArticleChange,
  { restoredFrom }: { restoredFrom?: Date } = {},
): Promise<EditableArticle> {
  requireCapability("edit", ctx);
  const { basedOn, automatic: isAutomatic = false, ...patch } = parseInput(ArticleChange, input);
  const row = await readArticleRow(ctx, id);
  const before = toInput(row);
  const stored = { ...before, updatedAt: row.updatedAt };
  if (isRepeated({ basedOn, stored, given: () => withoutDerived(asStored(patch)), changedElsewhere }))
    return toEditable(ctx, row);
  const after = publishedIfDue(ctx.now, before, keptDate(before, { ...before, ...patch }));
  const values = await normalize(ctx, after);
  requirePublishing(ctx, before.status, values.status);
  if (isAutomatic && !(before.status === "draft" && values.status === "draft")) throw draftsOnly();
  const { slug, way, namedSlug } = await slugOfChange(ctx, articleSlugs, {
    row,
    before,
    after,
    status: values.status,
    given: patch.slug,
  });
  const updatedAt = laterThan(row.updatedAt, ctx.now);
  const update = ctx.db
    .update(articles)
    .set({ ...values, ...(await renderedAnew(ctx, row, after)), slug, updatedAt })
    .where(and(eq(articles.id, id), eq(articles.updatedAt, row.updatedAt)))
    .returning();
  const isIt = eq(articles.id, id);
  const revision = await recordChange(ctx, {
    kind: "article",
    item: id,
    before: { values: before, savedAt: row.updatedAt },
    values: savedOf({ ...after, slug: namedSlug }, values),
    isAutomatic,
    restoredFrom,
  });
  const followUp = followUpOf(
    ctx,
    before,
    values,
    sql`${isIt} and ${articles.updatedAt} = ${updatedAt.getTime()}`,
  );
  const [wasPublic, isPublic] = [before, values].map(({ status }) => status === "published");
  // Withdrawing an article expires its answers, too. Nothing public shows a draft, which is saved the most often.
  const first = [way, ...(wasPublic ? [changedArticles(ctx, isIt)] : [])] as const;
  const then = [
    ...(isPublic ? [changedArticles(ctx, isIt)] : []),
    ...(wasPublic ? [keepFormerSlug(ctx, articleSlugs, id, row.slug)] : []),
    ...(isPublic ? [reclaimSlug(ctx, articleSlugs, isIt)] : []),
  ];
  const write = async (db: Context["db"]) => {
    const results = await db.batch([
      ...first,
      update,
      ...revision,
      ...then,
      ...(followUp?.statements ?? []),
      ...describeOnce(ctx, values.imageFileId, values.imageAlt),
    ]);
    return results[first.length] as (typeof row)[];
  };
  const [[updated], around] = await refusingTakenAddress(patch.slug, () =>
    writeAndRead(ctx, write, (one) => readAround(one, { id, imageFileId: values.imageFileId })),
  );
  if (!updated) throw changedElsewhere();
  followUp?.enqueue();
  return editableOf(updated, around);
}

/** The public follow-ups of an update; null if visitors see no change. `saved` is the updated row. */
function followUpOf(
  ctx: Context,
  before: ArticleInput,
  { status }: Pick<ArticleInput, "status">,
  saved: SQL,
) {
  if (before.status === "published") return feedChanged(ctx, publicationOf(saved));
  return status === "published" ? publish(ctx, publicationOf(saved), { isPlanned: false }) : null;
}

const draftsOnly = () =>
  new AppError("conflict", "Autosave is only for drafts. Save this article with the button.");

type Normalized = Awaited<ReturnType<typeof normalize>>;

/** The values stored in a version: the input with the saved dates, and without a slug derived from the title. */
const savedOf = (
  input: Omit<ArticleInput, "slug"> & { slug?: string },
  { publishedAt, scheduledFor, tags }: Normalized,
) => ({
  ...input,
  slug: input.slug || undefined,
  tags,
  publishedAt: publishedAt?.getTime() ?? null,
  scheduledFor: scheduledFor?.getTime() ?? null,
});

/**
 * Deletes an article into the bin.
 * @throws `unauthenticated`, `forbidden`; `not_found`
 */
export async function deleteArticle(ctx: Context, id: number) {
  requireCapability("edit", ctx);
  if (!(await moveToBin(ctx, articleNoun, id))) throw articleNotFound();
}

const refusingTakenAddress = <T>(slug: string | undefined, write: () => Promise<T>) =>
  refusingReserved(articleNoun, slug, () =>
    refusingTaken("articles.slug", `Another article already uses “${slug}”. Choose another.`, () =>
      refusingBroken(
        "UNIQUE constraint failed: articles.source_url",
        () => new AppError("conflict", IS_IMPORTED, { field: "sourceUrl" }),
        write,
      ),
    ),
  );

const IS_IMPORTED = "Another article was already imported from this LinkedIn post.";

/** Publishes the scheduled articles that are due, at their scheduled times. */
export async function publishDueArticles(ctx: Context) {
  const { db, now } = ctx;
  const isDue = sql`${articles.status} = 'scheduled' and ${articles.scheduledFor} <= ${now.getTime()}`;
  const due = await db.select({ id: articles.id }).from(articles).where(isDue).limit(1);
  if (due.length === 0) return;
  const update = db
    .update(articles)
    .set({
      status: "published",
      publishedAt: sql`${articles.scheduledFor}`,
      scheduledFor: null,
      updatedAt: now,
    })
    .where(isDue);
  // Before the update, after which none is due: of overlapping ticks only one publishes.
  const goesOut = publish(ctx, publicationOf(isDue), { isPlanned: true });
  await db.batch([...goesOut.statements, update, changedArticles(ctx, eq(articles.updatedAt, now))]);
  goesOut.enqueue();
}

/** Stores the derived GUIDs of older essays, so that they survive a change of the site's address. */
export async function storeFirstGuids({ db, config }: Context) {
  await db
    .update(articles)
    .set({ guid: firstGuid(config.siteUrl) })
    .where(isNull(articles.guid));
}

const hasDate = (status: ArticleInput["status"]) => status === "published" || status === "archived";

/** An archived article keeps its date for when it is published again. */
const keptDate = <After extends Pick<ArticleInput, "status" | "publishedAt">>(
  { publishedAt }: ArticleInput,
  after: After,
): After =>
  after.status === "archived" ? { ...after, publishedAt: after.publishedAt ?? publishedAt } : after;

/** The columns of an input without its slug: dates derived, file and category checked. */
async function normalize(ctx: Context, { slug: _slug, ...input }: ArticleInput) {
  const dates = datesOf(ctx.now, { ...input, publishedAt: input.publishedAt ?? dateElsewhere(input) });
  if (input.imageFileId) await requireStoredFile(ctx, input.imageFileId, "image", "imageFileId");
  if (input.categoryId) await requireCategory(ctx, input.categoryId);
  return {
    ...input,
    ...dates,
    // Unlike an episode, a draft article has no date.
    publishedAt: hasDate(input.status) ? dates.publishedAt : null,
    originalPublishedAt: input.originalPublishedAt === null ? null : new Date(input.originalPublishedAt),
    ...asStored({ tags: input.tags }),
  };
}

/** The HTML and reading time of a text. */
const rendered = async (ctx: Context, { content }: Pick<ArticleInput, "content">) =>
  renderedColumns({ content }, await findEmbedded(ctx, content));

/**
 * The same if they differ from the stored ones. Those of a text with pictures may: their smaller copies are made after
 * it was saved.
 */
const renderedAnew = async (ctx: Context, row: typeof articles.$inferSelect, input: ArticleInput) =>
  row.content === input.content && row.embeddedFileIds.length === 0 ? {} : rendered(ctx, input);

/**
 * A LinkedIn post has its original date, and so has a draft imported from elsewhere: it does not become the newest
 * article. An article that also appears on another site has the date of its publication here.
 */
const dateElsewhere = ({
  source,
  sourceUrl,
  status,
  originalPublishedAt,
}: Pick<ArticleInput, "source" | "sourceUrl" | "status" | "originalPublishedAt">) =>
  status === "published" && (source === "linkedin" || sourceUrl === null) ? originalPublishedAt : null;

/** Normalises values whose stored form may differ from the input. */
const asStored = <T extends Partial<Pick<ArticleInput, "tags">>>(given: T): T =>
  given.tags ? { ...given, tags: [...new Set(given.tags)] } : given;

async function requireCategory({ db }: Context, id: number) {
  const [category] = await db.select({ id: categories.id }).from(categories).where(eq(categories.id, id));
  if (!category)
    throw new AppError("invalid", "This category no longer exists. Choose another.", { field: "categoryId" });
}

/** @throws `unauthenticated`, `forbidden`; `invalid`; `conflict` for a slug that another category has */
export async function createCategory(ctx: Context, input: NewCategory): Promise<Category> {
  requireCapability("edit", ctx);
  const category = { ...categoryDefaults, ...parseInput(NewCategory, input) };
  const { slug, named } = await categorySlug(ctx, category);
  const [created] = await refusingTakenCategory(named, () =>
    ctx.db
      .insert(categories)
      .values({ ...category, slug, updatedAt: ctx.now })
      .returning(),
  );
  return toCategory(created!);
}

/**
 * Changes the given fields. `basedOn` is the `updatedAt` that the change was made from.
 * @throws `unauthenticated`, `forbidden`; `not_found`; `invalid`; `conflict` for a slug that another category has, and when
 * the category was changed elsewhere since `basedOn`
 */
export async function updateCategory(ctx: Context, id: number, input: CategoryChange): Promise<Category> {
  requireCapability("edit", ctx);
  const { basedOn, ...change } = parseInput(CategoryChange, input);
  const [before] = await ctx.db.select().from(categories).where(eq(categories.id, id));
  if (!before) throw categoryNotFound();
  const category = { ...before, ...change };
  const { slug, named } = await categorySlug(ctx, category);
  const given = { ...change, slug };
  if (isRepeated({ basedOn, stored: before, given: () => given, changedElsewhere: categoryChanged }))
    return toCategory(before);
  const update = ctx.db
    .update(categories)
    .set({ ...given, updatedAt: laterThan(before.updatedAt, ctx.now) })
    .where(and(eq(categories.id, id), eq(categories.updatedAt, before.updatedAt)))
    .returning();
  const [[updated]] = await refusingTakenCategory(named, () =>
    ctx.db.batch([update, changedArticlesOf(ctx, id)]),
  );
  if (!updated) throw categoryChanged();
  return toCategory(updated);
}

/**
 * Deletes a category; its articles then have none.
 * @throws `unauthenticated`, `forbidden`; `not_found`
 */
export async function deleteCategory(ctx: Context, id: number) {
  requireCapability("edit", ctx);
  const remove = ctx.db.delete(categories).where(eq(categories.id, id)).returning({ id: categories.id });
  const [, deleted] = await ctx.db.batch([changedArticlesOf(ctx, id), remove]);
  if (deleted.length === 0) throw categoryNotFound();
}

const categoryChanged = () =>
  new AppError("conflict", "This category was changed elsewhere since you opened it.");

const categoryNotFound = () => new AppError("not_found", "That category no longer exists.");

/** Two categories with the same name are a mistake; two names without words are not. */
async function categorySlug(ctx: Context, { id, name, slug }: { id?: number; name: string; slug: string }) {
  const named = slug || (await slugOf(name));
  return { named, slug: named || freeSlug(categories.slug, await today(ctx), id) };
}

const refusingTakenCategory = <T>(slug: string, write: () => Promise<T>) =>
  refusingTaken("categories.slug", `Another category already uses “${slug}”. Choose another.`, write);

export const createArticlePreviewLink = articlePreviewLink.create;
export const deleteArticlePreviewLink = articlePreviewLink.remove;
