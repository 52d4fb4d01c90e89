import { z } from "zod";
import { NewArticle, type ArticleInput } from "#worker/articles/contract.ts";
import { line } from "#worker/platform/contract.ts";

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
