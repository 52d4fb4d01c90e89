import { api, readJson } from "#site/api.ts";
import type { ImportedItem, ItemState } from "#worker/imports/contract.ts";

/** Items that are read of one import; who imports more sees the rest as its list is read again. */
const MOST_PAGES = 40;

/** Items of an import by their posts' addresses, all or those in one state. */
export async function readItems(importId: number, state?: ItemState) {
  const items = new Map<string, ImportedItem>();
  let before: string | undefined;
  for (let page = 0; page < MOST_PAGES; page++) {
    const answer = await readJson(
      api.imports[":id"].items.$get({ param: { id: String(importId) }, query: { before, state } }),
    );
    for (const item of answer.items) items.set(item.key, item);
    if (answer.next === null) break;
    before = answer.next;
  }
  return items;
}
