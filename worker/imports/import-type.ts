import type { SQL } from "drizzle-orm";
import type { BatchItem } from "drizzle-orm/batch";
import type { z } from "zod";
import type { Capability } from "#worker/access/contract.ts";
import type { ImportProgress } from "#worker/imports/contract.ts";
import type { Context } from "#worker/platform/context.ts";

/** The result of an item's work in one message. */
export type Outcome =
  | { is: "done"; result?: string | number; message?: string }
  /** There is nothing to do. */
  | { is: "skipped"; message: string; result?: string | number }
  /** During an undo: what was imported is deleted. */
  | { is: "undone"; message?: string }
  /** Until the owner retries it. */
  | { is: "failed"; message: string }
  /** Continues in another message from what was saved. */
  | { is: "more" }
  /** Waits, and the attempt does not count. */
  | { is: "wait"; message: string; forMs: number }
  /** Failed this time: it is retried automatically, and fails after its last attempt (`importWork`). */
  | { is: "again"; message: string; afterMs?: number }
  /**
   * No item can be imported until the owner fixes something: the import pauses with this message, and the item waits.
   */
  | { is: "pause"; message: string };

/** An item that is being imported. */
export type WorkItem = {
  id: number;
  importId: number;
  key: string;
  title: string;
  payload: unknown;
  /** What the previous message saved; null at first. */
  saved: unknown;
  /** The import's details, for its kind. */
  details: unknown;
  /**
   * Saves the progress, so that the work resumes from here after an interruption. Returns false if the import was
   * paused or cancelled: the rest is left to another message.
   * @throws {LostClaim} if another message works on the item now
   */
  save: (saved: unknown, bytes?: { size?: number; moved?: number }) => Promise<boolean>;
};

/** An item whose work was interrupted after it saved its progress. */
export type InterruptedItem = Pick<WorkItem, "id" | "key" | "saved">;

/** Another message works on the item. */
export class LostClaim extends Error {}

/** Works for a minute at most, and saves and returns `more` if it needs longer. Thrown errors are retried. */
export type ImportItem = (ctx: Context, item: WorkItem) => Promise<Outcome>;

export type ImportKind = {
  /** What messages call it, if it is no import. */
  work?: "restore";
  /** The capability that users need to import it. */
  capability: Capability;
  /** The schema of the payloads that browsers send; null if browsers cannot send items of this kind. */
  payload: z.ZodType | null;
  /** Whether it imports everything as drafts if the details have `asDrafts`. */
  takesDrafts?: boolean;
  /** Whether it joins an item with its article if the details have `joinsArticles`. */
  joinsArticles?: boolean;
  importItem: ImportItem;
  /** The key of the item that is added last: without it, the import is not whole and does not start. */
  lastItem?: string;
  /** Whether each item needs those before it: one at a time, in order. One that fails pauses the import. */
  inOrder?: boolean;
  /**
   * The statements of the batch that cancels an import of this kind, or deletes it, before it has finished. They run before
   * its row changes, and write only if `isEnding`.
   */
  endingWith?: (ctx: Context, isEnding: SQL) => BatchItem<"sqlite">[];
  /** After an import of this kind was cancelled or deleted. `isCut`: it had started and not ended until then. Repeatable. */
  onEnd?: (ctx: Context, ended: ImportProgress, isCut: boolean) => Promise<void>;
  /** The noun whose id is an item's result, if an import can be undone. */
  brings?: Brought;
  /** The ids of what these items created before their result could be stored, by the id of the item. */
  findCreated?: (ctx: Context, items: InterruptedItem[]) => Promise<Map<number, number>>;
};

export type Brought = "article" | "episode";

export type ImportKinds = Record<string, ImportKind>;
