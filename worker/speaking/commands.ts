import { changed } from "#worker/platform/changes.ts";
import { requireCapability } from "#worker/access/capabilities.ts";
import type { Context } from "#worker/platform/context.ts";
import { parseInput } from "#worker/platform/input.ts";
import { NewEngagement, type Engagement } from "#worker/speaking/contract.ts";
import { engagementColumns, toEngagement } from "#worker/speaking/queries.ts";
import { engagements } from "#worker/speaking/table.ts";

/** @throws `unauthenticated`, `forbidden`; `invalid` */
export async function createEngagement(ctx: Context, input: NewEngagement): Promise<Engagement> {
  requireCapability("edit", ctx);
  const { date, ...engagement } = parseInput(NewEngagement, input);
  const insert = ctx.db
    .insert(engagements)
    .values({
      ...engagement,
      date: date === null ? null : new Date(date),
      createdAt: ctx.now,
      updatedAt: ctx.now,
    })
    .returning(engagementColumns);
  const [[created]] = await ctx.db.batch([insert, changed(ctx, "engagements")]);
  return toEngagement(created!);
}
