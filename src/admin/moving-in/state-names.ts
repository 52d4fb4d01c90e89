import type { ImportProgress, ImportState, ItemState } from "#worker/imports/contract.ts";

export const importStateNames: Record<ImportState, string> = {
  open: "Not started",
  running: "Running",
  paused: "Paused",
  done: "Done",
  cancelled: "Cancelled",
};

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
};

export const itemStateTones = {
  waiting: "neutral",
  working: "info",
  done: "accent",
  skipped: "neutral",
  failed: "danger",
} as const satisfies Record<ItemState, string>;

/** How many items had their turn. */
export const turnsOf = ({ counts }: Pick<ImportProgress, "counts">) =>
  counts.done + counts.skipped + counts.failed;
