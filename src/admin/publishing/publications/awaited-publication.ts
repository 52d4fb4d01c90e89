import { api, ApiError, readJson } from "#site/api.ts";
import type { PublicationKind } from "#worker/publications/contract.ts";
import { isMailed } from "../publish/decision.ts";
import type { Status } from "../statuses.ts";
import { isNewStatus } from "../../form/saved-words.ts";
import { toast } from "../../shell/toast.tsx";

/** What the owner has just published on this page, and wants to see the follow-ups of. */
const awaited = new Set<string>();

const keyOf = (kind: PublicationKind, id: string | number) => `${kind} ${id}`;

type Saved = { id: number; values: { status: Status } };

/**
 * Where the form published an item, its ledger opens and takes the focus once it is rendered, and the letter is made that
 * was asked for.
 */
export async function followUp(form: FormData, kind: PublicationKind, { id, values: { status } }: Saved) {
  if (status !== "published" || !isNewStatus(form, status)) return;
  awaited.add(keyOf(kind, id));
  if (isMailed(form)) await makeLetter(kind, id);
}

/** By now the item is public: if creating the letter fails, the item's panel offers it. */
async function makeLetter(kind: PublicationKind, id: number) {
  try {
    await readJson(api.newsletters.$post({ json: { origin: { kind, id } } }));
  } catch (error) {
    console.warn("letter:", error);
    const reason = error instanceof ApiError ? error.message : "The connection was lost.";
    setTimeout(() => toast.error(`Published, but the letter couldn’t be created. ${reason}`));
  }
}

export const isAwaited = (kind: PublicationKind, id: string) => awaited.has(keyOf(kind, id));

/** Whether a ledger was waited for; once. */
export const takeAwaited = (kind: PublicationKind, id: string) => awaited.delete(keyOf(kind, id));
