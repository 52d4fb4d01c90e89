import { desc, getTableColumns } from "drizzle-orm";
import { changed } from "#worker/platform/changes.ts";
import { requireCapability, type Context } from "#worker/platform/context.ts";
import { parseInput } from "#worker/platform/input.ts";
import { prepared } from "#worker/platform/prepared.ts";
import { NewSocialPost, type SocialPost } from "#worker/social/contract.ts";
import { socialPosts } from "#worker/social/table.ts";

const { createdAt: _, updatedAt: __, ...postColumns } = getTableColumns(socialPosts);
export { postColumns };
const selectNewest = prepared(["limit"], (db, { limit }) =>
  db.select(postColumns).from(socialPosts).orderBy(desc(socialPosts.date), desc(socialPosts.id)).limit(limit),
);

/** The latest posts, newest first: a page shows a few and links to where the rest are. */
export async function listSocialPosts(ctx: Context, { limit = 4 } = {}): Promise<SocialPost[]> {
  ctx.dependsOn("social");
  const rows = await selectNewest(ctx, { limit });
  return rows.map(toPost);
}

export const toPost = <Row extends { date: Date }>(row: Row) => ({ ...row, date: row.date.getTime() });

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
