import type { QueuedSource } from "../moving-in/queued.ts";

export const restores: Omit<QueuedSource, "resultPath"> = {
  title: "Restore",
  path: "/admin/settings/restore",
  one: "step",
  many: "steps",
};
