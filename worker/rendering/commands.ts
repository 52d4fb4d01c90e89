import { requireCapability } from "#worker/access/capabilities.ts";
import type { Context } from "#worker/platform/context.ts";
import { logError } from "#worker/platform/log.ts";
import { RENDERER_VERSION } from "#worker/platform/text/markdown.ts";
import { readPositions } from "#worker/rendering/positions.ts";
import { renderSlice, type StoredHtml } from "#worker/rendering/render-slice.ts";
import { renderPasses } from "#worker/rendering/table.ts";

/** Maximum milliseconds of a run. */
const LONG = 5000;
/** Slices of a run: each is up to 25 statements, of which an invocation has 1,000. */
const MOST_SLICES = 20;

/**
 * Renders the stored HTML of each noun again for a new version of the renderer, within the time of a cron run. The next
 * run continues. On the free plan, one item.
 * @throws `unauthenticated`, `forbidden`
 */
export async function renderStoredTexts(ctx: Context, nouns: Record<string, StoredHtml>) {
  requireCapability("edit", ctx);
  const isFree = ctx.config.plan === "free";
  const until = ctx.clock().getTime() + LONG;
  let left = isFree ? 1 : MOST_SLICES;
  for (const [noun, start] of await readPositions(ctx, nouns)) {
    let after = start;
    while (after !== null) {
      if (left-- === 0 || ctx.clock().getTime() > until) return;
      const { items, next } = await renderSlice(ctx, nouns[noun]!, after, isFree ? 1 : undefined);
      // An item that cannot be rendered keeps its HTML, and the others are rendered.
      for (const { item, error } of items)
        if (error !== null) logError(`rendering: ${noun} ${item.id} was not rendered`, error);
      after = next;
      const position = { version: RENDERER_VERSION, after };
      await ctx.db
        .insert(renderPasses)
        .values({ noun, ...position })
        .onConflictDoUpdate({ target: renderPasses.noun, set: position });
    }
  }
}
