import { desc } from "drizzle-orm";
import { requireCapability } from "#worker/access/capabilities.ts";
import { shortList } from "#worker/nouns/short-list.ts";
import type { Context } from "#worker/platform/context.ts";
import { cursorOf, olderThan, pageOf } from "#worker/platform/data/keyset.ts";
import { NewSocialPost, postDefaults, SocialPostChange, type SocialPost } from "#worker/social/contract.ts";
import { postColumns, toPost } from "#worker/social/queries.ts";
import { socialPosts } from "#worker/social/table.ts";

const LIST_ROWS = 30;

/**
 * Every post, newest first. `before` is the previous page's `next`.
 * @throws `unauthenticated`, `forbidden`; `not_found` for a malformed cursor
 */
export async function listAllSocialPosts(ctx: Context, { before }: { before?: string } = {}) {
  requireCapability("edit", ctx);
  const rows = await ctx.db
    .select(postColumns)
    .from(socialPosts)
    .where(before === undefined ? undefined : olderThan(before, socialPosts.date, socialPosts.id))
    .orderBy(desc(socialPosts.date), desc(socialPosts.id))
    .limit(LIST_ROWS + 1);
  const posts: SocialPost[] = rows.map(toPost);
  return pageOf(posts, LIST_ROWS, ({ date, id }) => cursorOf(date, id));
}

export const socialPostList = shortList({
  table: socialPosts,
  one: "social post",
  tag: "social",
  New: NewSocialPost,
  Change: SocialPostChange,
  defaults: postDefaults,
  toColumns: (_ctx, { date, ...fields }) => ({
    ...fields,
    ...(date !== undefined && { date: new Date(date) }),
  }),
  toEdited: (_ctx, columns) => ({ values: toPost(columns) }),
});

export const readSocialPostForEdit = socialPostList.readForEdit;
