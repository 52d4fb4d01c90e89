import { api, ensureOk } from "#site/api.ts";
import type { BinKind } from "#worker/bin/contract.ts";

export const binNames: Record<BinKind, string> = {
  article: "Article",
  episode: "Episode",
  press: "Media item",
  letter: "Letter",
  file: "File",
  enquiry: "Enquiry",
};

export const restoredWords = (kind: BinKind) => `${binNames[kind]} restored`;

/** Restores an item that was just deleted. */
export const undoDeletion = (kind: BinKind, id: FormDataEntryValue | null) => async () => {
  await ensureOk(api.bin[":key"].restore.$post({ param: { key: `${kind}:${String(id)}` } }));
  return restoredWords(kind);
};
