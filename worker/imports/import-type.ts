import type { z } from "zod";
import type { Capability } from "#worker/access/contract.ts";
import type { Context } from "#worker/platform/context.ts";

/** What became of an item in one message. */
export type Outcome =
  | { is: "done"; result?: string | number; message?: string }
  /** Nothing is to be done with it. */
  | { is: "skipped"; message: string; result?: string | number }
  /** Undoing: what it became is deleted. */
  | { is: "undone"; message?: string }
  /** Until somebody tries it again. */
  | { is: "failed"; message: string }
  /** It goes on in another message from what was saved. */
  | { is: "more" }
  /** It did not work this time: it is tried again on its own, and has failed after its last attempt (`importWork`). */
  | { is: "again"; message: string; afterMs?: number }
  /** No item can be done until somebody mends something: the import is paused with these words, and this item waits. */
  | { is: "stop"; message: string };

/** An item that is being worked on. */
export type WorkItem = {
  id: number;
  importId: number;
  key: string;
  title: string;
  payload: unknown;
  /** What the message before saved; null at first. */
  saved: unknown;
  /** What the kind knows of the import. */
  details: unknown;
  /**
   * Saves how far the work is, so that it goes on from here if it is cut off. False where the import was paused or
   * cancelled: the rest is left to another message.
   * @throws {LostClaim} where another message works on the item by now
   */
  save: (saved: unknown, bytes?: { size?: number; moved?: number }) => Promise<boolean>;
};

/** Another message works on the item. */
export class LostClaim extends Error {}

/** Works for a minute at most, saves what it has and answers `more` before it does longer. Thrown errors are tried again. */
export type ImportItem = (ctx: Context, item: WorkItem) => Promise<Outcome>;

export type ImportKind = {
  /** What whoever imports it must be allowed to do. */
  capability: Capability;
  /** What browsers send as the payload; null where they send no items of this kind. */
  payload: z.ZodType | null;
  /** Whether it makes drafts of everything where the details say `asDrafts`. */
  takesDrafts?: boolean;
  /** Whether it makes one of an article and its item where the details say `joinsArticles`. */
  joinsArticles?: boolean;
  importItem: ImportItem;
  /** What the result of an item is the id of, if an import can be undone. */
  brings?: Brought;
};

export type Brought = "article" | "episode";

export type ImportKinds = Record<string, ImportKind>;
