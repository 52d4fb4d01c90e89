import type { PublicationKind } from "#worker/publications/contract.ts";
import type { Status } from "../publishing.ts";
import { isNewStatus } from "../saved-words.ts";

/** What the owner has just published on this page, and wants to see the follow-ups of. */
const awaited = new Set<string>();

const keyOf = (kind: PublicationKind, id: string | number) => `${kind} ${id}`;

type Saved = { id: number; values: { status: Status } };

/** Where the form published an item, its ledger takes the focus once it is rendered. */
export function awaitPublication(form: FormData, kind: PublicationKind, { id, values: { status } }: Saved) {
  if (status === "published" && isNewStatus(form, status)) awaited.add(keyOf(kind, id));
}

/** Whether a ledger was waited for; once. */
export const takeAwaited = (kind: PublicationKind, id: string) => awaited.delete(keyOf(kind, id));
