import type { Context, JobMessage } from "#worker/platform/context.ts";
import { logError } from "#worker/platform/log.ts";

/** Items of one import that are worked on at a time. */
export const AT_ONCE = 4;

/** Messages for the next items of an import. Should the queue not take them, the minute's watch sends others. */
export function enqueueItems(ctx: Context, importId: number, count = 1) {
  if (count <= 0) return;
  const body: JobMessage = { kind: "import", id: String(importId) };
  const sent = ctx.imports.sendBatch(Array.from({ length: count }, () => ({ body })));
  ctx.later(sent.catch((error: unknown) => logError("imports: the queue did not take the message", error)));
}
