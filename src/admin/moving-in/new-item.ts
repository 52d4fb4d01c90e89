import { MAX_PAYLOAD, NewItem } from "#worker/imports/contract.ts";
import { inWords } from "#worker/platform/contract.ts";

const TOO_LONG = `With everything attached, it has more than ${MAX_PAYLOAD.toLocaleString("en")} characters.`;

/** Why the server would refuse an item, and with it the whole request; null for one that it takes. */
export function refusalOf(item: NewItem): string | null {
  if (JSON.stringify(item.payload ?? null).length > MAX_PAYLOAD) return TOO_LONG;
  return NewItem.safeParse(item, { error: inWords }).error?.issues[0]?.message ?? null;
}
