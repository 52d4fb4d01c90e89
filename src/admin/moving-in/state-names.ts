import type { ImportProgress, ImportState, ItemState } from "#worker/imports/contract.ts";

const importStateNames: Record<ImportState, string> = {
  open: "Not started",
  running: "Running",
  paused: "Paused",
  done: "Done",
  cancelled: "Cancelled",
};

/** Of one that is being undone, or was. */
const undoStateNames: Record<ImportState, string> = {
  ...importStateNames,
  running: "Undoing",
  done: "Undone",
  cancelled: "Partly undone",
};

export const stateNameOf = ({ state, undoneAt }: Pick<ImportProgress, "state" | "undoneAt">) =>
  (undoneAt === null ? importStateNames : undoStateNames)[state];

export const importStateTones = {
  open: "neutral",
  running: "info",
  paused: "signal",
  done: "accent",
  cancelled: "neutral",
} as const satisfies Record<ImportState, string>;

export const itemStateNames: Record<ItemState, string> = {
  waiting: "Waiting",
  working: "In progress",
  done: "Done",
  skipped: "Left out",
  failed: "Failed",
  undone: "Deleted again",
};

export const itemStateTones = {
  waiting: "neutral",
  working: "info",
  done: "accent",
  skipped: "neutral",
  failed: "danger",
  undone: "neutral",
} as const satisfies Record<ItemState, string>;

/** How many items had their turn. */
export const turnsOf = ({ counts }: Pick<ImportProgress, "counts">) =>
  counts.done + counts.skipped + counts.failed + counts.undone;
