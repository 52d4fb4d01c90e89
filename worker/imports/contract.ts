import { z } from "zod";
import { NewArticle, type ArticleInput } from "#worker/articles/contract.ts";
import { line, webLink } from "#worker/platform/contract.ts";

/** Articles of one request: of a dry run, which only reads, and of a run, which has some statements for each. */
export const DRY_RUN_ITEMS = 20;
export const RUN_ITEMS = 8;

/**
 * An article of a batch, with its category by name or slug. An article of this title gets the given fields; where there is
 * none, one is made, and published unless `status` or `scheduledFor` says otherwise.
 */
export const BatchArticle = NewArticle.omit({
  categoryId: true,
  imageFileId: true,
  source: true,
  engagement: true,
  automatic: true,
}).extend({ category: line(80, "A category has at most 80 characters.").nullable().optional() });
export type BatchArticle = z.input<typeof BatchArticle>;
export type ReadBatchArticle = z.output<typeof BatchArticle>;

/** Each item is parsed by itself: one that is refused leaves the others. */
export const ArticleBatch = z
  .strictObject({ isDryRun: z.boolean(), items: z.array(z.unknown()).min(1).max(DRY_RUN_ITEMS) })
  .refine(({ isDryRun, items }) => isDryRun || items.length <= RUN_ITEMS, {
    path: ["items"],
    error: `At most ${RUN_ITEMS} articles are written at once.`,
  });
export type ArticleBatch = { isDryRun: boolean; items: BatchArticle[] };

export type BatchResult = {
  title: string;
  /** Whether it was done; in a dry run, whether it would be. */
  success: boolean;
  /** Null where it is refused. */
  action: "insert" | "update" | "none" | null;
  /** Of the article; null of one that a dry run would insert, and where it is refused. */
  id: number | null;
  /** Of an update, the fields that differ. */
  changed: (keyof ArticleInput)[];
  /** Why it is refused. */
  message: string | null;
};

/** A post of LinkedIn's by its address, in the one form that all of them come in. */
const postAddress = webLink.overwrite((address) => {
  const url = URL.parse(address);
  return url ? url.origin + url.pathname.replaceAll(/%3A/gi, ":").replace(/\/$/, "") : address;
});

/** A post or an article from LinkedIn. */
export const LinkedInPost = NewArticle.pick({ title: true, excerpt: true, content: true }).extend({
  sourceUrl: postAddress,
  /** Milliseconds UTC. */
  originalPublishedAt: z.int().positive(),
});
export type LinkedInPost = z.input<typeof LinkedInPost>;

/** Posts that one request asks about. */
export const KNOWN_POSTS = 500;
export const KnownPosts = z.strictObject({ sourceUrls: z.array(postAddress).max(KNOWN_POSTS) });
export type KnownPosts = z.input<typeof KnownPosts>;

/** `isNew` is false where it was there already, and is left as it is. */
export type ImportedPost = { id: number; isNew: boolean };
