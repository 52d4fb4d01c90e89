import type { BatchArticle, BatchResult } from "#worker/imports/contract.ts";

/** An article that a file of a batch holds. */
export type BatchItem = {
  key: number;
  /** The file's name, with the item's number if it has several. */
  file: string;
  title: string;
  /** Null if it could not be read. */
  article: BatchArticle | null;
  /** Why it could not be read. */
  problem: string | null;
  /** Notes for the owner. */
  notes: string[];
};

/** An item with its plan, or its result. */
export type BatchRow = BatchItem & {
  /** The response of the last request that had it; null before the first, and if none was answered. */
  result: BatchResult | null;
};

export type Outcome = "update" | "insert" | "none" | "refused";

/** Whether the run writes it. */
export const isDue = ({ result }: BatchRow) => result?.action === "insert" || result?.action === "update";

export const outcomeOf = ({ result }: BatchRow): Outcome => result?.action ?? "refused";

/** What a new article becomes. */
export const statusOfNew = ({ article }: BatchRow) => article?.status ?? article?.newStatus ?? "draft";

/** The same as a draft, which is published at its own date once its owner publishes it. */
export function asDraft<R extends BatchRow>(row: R): R {
  if (row.article === null || row.result?.action !== "insert") return row;
  const { scheduledFor, publishedAt, ...article } = row.article;
  const at = publishedAt ?? scheduledFor;
  const isPast = typeof at === "number" && at <= Date.now();
  return { ...row, article: { ...article, status: "draft", ...(isPast && { publishedAt: at }) } };
}

/** The categories that articles name and that do not exist here, each with the number of its articles. */
export function missingCategories(rows: BatchRow[]) {
  const counts = new Map<string, { name: string; articles: number }>();
  for (const { result } of rows) {
    if (!result?.missingCategory) continue;
    const name = result.missingCategory;
    const known = counts.get(name.toLowerCase()) ?? { name, articles: 0 };
    counts.set(name.toLowerCase(), { ...known, articles: known.articles + 1 });
  }
  return [...counts.values()].toSorted((a, b) => b.articles - a.articles);
}

/** Without its category if that does not exist: an existing article keeps its own. */
export function withoutMissing<R extends BatchRow>(row: R): R {
  if (row.article === null || !row.result?.missingCategory) return row;
  const { category: _category, ...article } = row.article;
  return { ...row, article };
}

export const reasonOf = ({ problem, result }: BatchRow) => problem ?? result?.message ?? null;

/** Of an item that cannot be read; its message says why. */
export class Unreadable extends Error {}
