import { api, readJson } from "#site/api.ts";
import { DRY_RUN_ITEMS, RUN_ITEMS, type BatchArticle, type BatchResult } from "#worker/imports/contract.ts";
import { partsOf } from "../parts.ts";
import type { Tools } from "../wizard/use-wizard.ts";
import type { BatchRow } from "./items.ts";

/** Characters of a request's articles: far below what the API takes, whatever they are made of. */
const MOST_CHARACTERS = 600_000;

type Row = BatchRow & { article: BatchArticle };

type Options = Pick<Tools<unknown>, "signal" | "until"> & {
  isDryRun: boolean;
  /** After each request, with the rows and their results. */
  onAnswer: (rows: BatchRow[]) => void;
};

/** Sends rows, one bounded request after the other. Ends early once it is cancelled. */
export async function sendRows(rows: BatchRow[], { isDryRun, signal, until, onAnswer }: Options) {
  const limits = {
    most: isDryRun ? DRY_RUN_ITEMS : RUN_ITEMS,
    characters: MOST_CHARACTERS,
    of: ({ article }: Row) => article,
  };
  for await (const part of partsOf(rows.filter(isReadable), limits)) {
    if (signal.aborted) return;
    const json = { isDryRun, items: part.map(limits.of) };
    const send = () => readJson<{ items: BatchResult[] }>(api.imports.articles.$post({ json }));
    const { items } = await until(send);
    onAnswer(part.map((row, index) => ({ ...row, result: items[index] ?? null })));
  }
}

export const isReadable = (row: BatchRow): row is Row => row.article !== null;
