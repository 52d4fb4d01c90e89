import { desc, getTableColumns } from "drizzle-orm";
import type { Context } from "#worker/platform/context.ts";
import { prepared } from "#worker/platform/data/prepared.ts";
import { SHOWN_POSTS, type SocialPost } from "#worker/social/contract.ts";
import { socialPosts } from "#worker/social/table.ts";

const { draftKey: _key, createdAt: _created, updatedAt: _updated, ...columns } = getTableColumns(socialPosts);
export const postColumns = columns;

const selectNewest = prepared(["limit"], (db, { limit }) =>
  db.select(postColumns).from(socialPosts).orderBy(desc(socialPosts.date), desc(socialPosts.id)).limit(limit),
);

/** The latest posts, newest first: a page shows a few and links to the rest. */
export async function listSocialPosts(ctx: Context, { limit = SHOWN_POSTS } = {}): Promise<SocialPost[]> {
  ctx.dependsOn("social");
  const rows = await selectNewest(ctx, { limit });
  return rows.map(toPost);
}

export const toPost = <Row extends { date: Date }>(row: Row) => ({ ...row, date: row.date.getTime() });
