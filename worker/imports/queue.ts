import type { Context, JobMessage } from "#worker/platform/context.ts";
import { logError } from "#worker/platform/log.ts";

/** Items of one import that are worked on at a time. */
export const AT_ONCE = 4;

/** Has the next items of an import worked on. A failure here is made up for by the watch. */
export function sendTurns(ctx: Context, importId: number, count = 1) {
  if (count <= 0) return;
  const body: JobMessage = { kind: "import", id: String(importId) };
  const sent = ctx.imports.sendBatch(Array.from({ length: count }, () => ({ body })));
  ctx.later(sent.catch((error: unknown) => logError("imports: the queue did not take the message", error)));
}
