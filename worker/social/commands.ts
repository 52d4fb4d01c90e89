import { changed } from "#worker/platform/changes.ts";
import { requireCapability } from "#worker/access/capabilities.ts";
import type { Context } from "#worker/platform/context.ts";
import { parseInput } from "#worker/platform/input.ts";
import { NewSocialPost, type SocialPost } from "#worker/social/contract.ts";
import { postColumns, toPost } from "#worker/social/queries.ts";
import { socialPosts } from "#worker/social/table.ts";

/** @throws `unauthenticated`, `forbidden`; `invalid` */
export async function createSocialPost(ctx: Context, input: NewSocialPost): Promise<SocialPost> {
  requireCapability("edit", ctx);
  const { date, ...post } = parseInput(NewSocialPost, input);
  const insert = ctx.db
    .insert(socialPosts)
    .values({ ...post, date: new Date(date), createdAt: ctx.now, updatedAt: ctx.now })
    .returning(postColumns);
  const [[created]] = await ctx.db.batch([insert, changed(ctx, "social")]);
  return toPost(created!);
}
