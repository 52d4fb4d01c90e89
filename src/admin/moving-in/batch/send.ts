import { api, readJson } from "#site/api.ts";
import { DRY_RUN_ITEMS, RUN_ITEMS, type BatchArticle, type BatchResult } from "#worker/imports/contract.ts";
import { sendUntilAnswered } from "../retry.ts";
import type { BatchRow } from "./items.ts";

/** Characters of a request's articles: far below what the API takes, whatever they are made of. */
const MOST_CHARACTERS = 600_000;

type Row = BatchRow & { article: BatchArticle };

type Options = {
  isDryRun: boolean;
  signal: AbortSignal;
  onWaiting: (reason: string | null) => void;
  /** After each request, with the rows and their results. */
  onAnswer: (rows: BatchRow[]) => void;
};

/** Sends rows, one bounded request after the other. Ends early once it is cancelled. */
export async function sendRows(rows: BatchRow[], { isDryRun, signal, onWaiting, onAnswer }: Options) {
  for (const part of partsOf(rows.filter(isReadable), isDryRun ? DRY_RUN_ITEMS : RUN_ITEMS)) {
    if (signal.aborted) return;
    const json = { isDryRun, items: part.map(({ article }) => article) };
    const send = () => readJson<{ items: BatchResult[] }>(api.imports.articles.$post({ json }));
    const { items } = await sendUntilAnswered(send, { signal, onWaiting });
    onAnswer(part.map((row, index) => ({ ...row, result: items[index] ?? null })));
  }
}

export const isReadable = (row: BatchRow): row is Row => row.article !== null;

function* partsOf(rows: Row[], most: number): Generator<Row[]> {
  let part: Row[] = [];
  let characters = 0;
  for (const row of rows) {
    const length = JSON.stringify(row.article).length;
    if (part.length === most || (part.length > 0 && characters + length > MOST_CHARACTERS)) {
      yield part;
      part = [];
      characters = 0;
    }
    part.push(row);
    characters += length;
  }
  if (part.length > 0) yield part;
}
