import { desc, eq } from "drizzle-orm";
import { requireCapability } from "#worker/access/capabilities.ts";
import type { Context } from "#worker/platform/context.ts";
import { AppError } from "#worker/platform/errors.ts";
import { cursorOf, olderThan, pageOf } from "#worker/platform/data/keyset.ts";
import type { EditablePost, SocialPost } from "#worker/social/contract.ts";
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

/**
 * A post as its owner edits it.
 * @throws `unauthenticated`, `forbidden`; `not_found`
 */
export async function readSocialPostForEdit(ctx: Context, id: number): Promise<EditablePost> {
  requireCapability("edit", ctx);
  return toEditable(await readPostRow(ctx, id));
}

type PostColumns = typeof socialPosts.$inferSelect;

/** @throws `not_found` */
export async function readPostRow({ db }: Context, id: number): Promise<PostColumns> {
  const [row] = await db.select().from(socialPosts).where(eq(socialPosts.id, id));
  if (!row) throw postNotFound();
  return row;
}

export const postNotFound = () => new AppError("not_found", "There is no such social post.");

export const toEditable = ({
  id,
  draftKey: _key,
  createdAt: _created,
  updatedAt,
  ...values
}: PostColumns): EditablePost => ({
  id,
  updatedAt: updatedAt.getTime(),
  values: toPost(values),
});
