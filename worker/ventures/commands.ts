import { requireStoredFile } from "#worker/files/stored.ts";
import { changed } from "#worker/platform/changes.ts";
import { requireCapability } from "#worker/access/capabilities.ts";
import type { Context } from "#worker/platform/context.ts";
import { parseInput } from "#worker/platform/input.ts";
import { NewVenture, type Venture } from "#worker/ventures/contract.ts";
import { readVenture } from "#worker/ventures/queries.ts";
import { ventures } from "#worker/ventures/table.ts";

/** @throws `unauthenticated`, `forbidden`; `invalid`, also for a picture that is not stored */
export async function createVenture(ctx: Context, input: NewVenture): Promise<Venture> {
  requireCapability("edit", ctx);
  const venture = parseInput(NewVenture, input);
  if (venture.imageFileId) await requireStoredFile(ctx, venture.imageFileId, "image", "imageFileId");
  const insert = ctx.db
    .insert(ventures)
    .values({ ...venture, createdAt: ctx.now, updatedAt: ctx.now })
    .returning({ id: ventures.id });
  const [[created]] = await ctx.db.batch([insert, changed(ctx, "ventures")]);
  return readVenture(ctx, created!.id);
}
