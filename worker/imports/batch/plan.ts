import {
  articleDefaults,
  type ArticleChange,
  type ArticleInput,
  type Category,
  type NewArticle,
} from "#worker/articles/contract.ts";
import { hasWord, type TitledArticle } from "#worker/articles/match-queries.ts";
import type { ReadBatchArticle } from "#worker/imports/contract.ts";
import { AppError } from "#worker/platform/errors.ts";
import { datesOf, publishedIfDue } from "#worker/platform/data/publishing.ts";

/** What is there already. */
export type Known = {
  now: Date;
  /** The articles that have a title of the batch. */
  articles: TitledArticle[];
  categories: Category[];
  /** By slug, the article that has it. */
  slugOwners: Map<string, number>;
};

export type Plan =
  | { action: "insert"; input: NewArticle }
  | { action: "update"; id: number; input: ArticleChange; changed: (keyof ArticleInput)[] }
  | { action: "none"; id: number };

/** The category that an article names, if none has that name or slug. */
export const missingCategoryOf = ({ categories }: Known, { category }: ReadBatchArticle) =>
  category && !findCategory(categories, category) ? category : null;

/**
 * The plan for an article of a batch.
 * @throws `invalid`, also for a category that does not exist; `conflict`
 */
export function planArticle(
  known: Known,
  { category, slug, draftKey, newStatus, ...fields }: ReadBatchArticle,
): Plan {
  const { title } = fields;
  if (!hasWord(title)) throw new AppError("invalid", "A title needs a letter or a digit.");
  const article = findMatch(known.articles, title, slug);
  const given: Partial<ArticleInput> = {
    ...fields,
    ...(slug && { slug }),
    ...(category !== undefined && { categoryId: categoryIdOf(known.categories, category) }),
  };
  requireFreeSlug(known, slug, article?.id);
  if (article)
    return planUpdate(known.now, article, newStatus === "scheduled" ? asPlanned(article, given) : given);
  const input = asNew(given, newStatus);
  datesOf(known.now, { ...articleDefaults, ...input });
  return { action: "insert", input: { ...input, title, draftKey } };
}

/** For an existing article, a date in the future only changes a schedule. */
function asPlanned({ values }: TitledArticle, { publishedAt, ...given }: Partial<ArticleInput>) {
  return values.status === "scheduled" ? { ...given, scheduledFor: publishedAt ?? null } : given;
}

/**
 * Never public unless a field or date says so. A date in the future is a schedule; a draft keeps its date for its
 * publication.
 */
function asNew(
  given: Partial<ArticleInput>,
  newStatus: ReadBatchArticle["newStatus"],
): Partial<ArticleInput> {
  const { scheduledFor, publishedAt, originalPublishedAt } = given;
  const dated = scheduledFor ? "scheduled" : publishedAt ? "published" : "draft";
  const status = given.status ?? newStatus ?? dated;
  if (status === "scheduled" && !scheduledFor)
    return { ...given, status, scheduledFor: publishedAt ?? null, publishedAt: null };
  if (status === "draft" && publishedAt)
    return { ...given, status, originalPublishedAt: originalPublishedAt ?? publishedAt };
  return { ...given, status };
}

function planUpdate(now: Date, { id, updatedAt, values }: TitledArticle, given: Partial<ArticleInput>): Plan {
  const saved = asSaved(now, publishedIfDue(now, values, { ...values, ...given }));
  const fields = Object.keys(values) as (keyof ArticleInput)[];
  const changed = fields.filter((field) => JSON.stringify(saved[field]) !== JSON.stringify(values[field]));
  if (changed.length === 0) return { action: "none", id };
  return { action: "update", id, changed, input: { ...given, basedOn: updatedAt.getTime() } };
}

/** The values as an update would store them, so that a second run finds no change. */
function asSaved(now: Date, values: ArticleInput): ArticleInput {
  const { publishedAt, scheduledFor } = datesOf(now, values);
  return {
    ...values,
    tags: [...new Set(values.tags)],
    publishedAt: values.status === "published" ? (publishedAt?.getTime() ?? null) : null,
    scheduledFor: scheduledFor?.getTime() ?? null,
  };
}

function findMatch(articles: TitledArticle[], title: string, slug: string | undefined) {
  const titled = articles.filter(({ values }) => values.title === title);
  if (titled.length <= 1) return titled[0];
  const meant = titled.find(({ values }) => values.slug === slug);
  if (meant) return meant;
  throw new AppError("conflict", `${titled.length} articles have this title. Add the slug of the right one.`);
}

function categoryIdOf(categories: Category[], name: string | null) {
  if (name === null || name === "") return null;
  const found = findCategory(categories, name);
  if (found) return found.id;
  throw new AppError("invalid", `There’s no category “${name}”. Create it first, or leave it out.`);
}

function findCategory(categories: Category[], name: string) {
  const wanted = name.toLowerCase();
  return (
    categories.find((category) => category.name.toLowerCase() === wanted) ??
    categories.find(({ slug }) => slug === wanted)
  );
}

function requireFreeSlug({ slugOwners }: Known, slug: string | undefined, id: number | undefined) {
  const owner = slug ? slugOwners.get(slug) : undefined;
  if (owner === undefined || owner === id) return;
  throw new AppError("conflict", `Another article already uses “${slug}”. Choose another.`);
}
