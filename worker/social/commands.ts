import { and, eq } from "drizzle-orm";
import { requireCapability } from "#worker/access/capabilities.ts";
import { changed } from "#worker/platform/data/changes.ts";
import type { Context } from "#worker/platform/context.ts";
import { draftKeyOf, findByDraftKey, refusingTakenKey } from "#worker/platform/data/draft-key.ts";
import { AppError } from "#worker/platform/errors.ts";
import { parseInput } from "#worker/platform/data/input.ts";
import { laterThan } from "#worker/platform/data/publishing.ts";
import { isRepeated } from "#worker/platform/data/versions.ts";
import { NewSocialPost, postDefaults, SocialPostChange, type EditablePost } from "#worker/social/contract.ts";
import { postNotFound, readPostRow, toEditable } from "#worker/social/owner-queries.ts";
import { socialPosts } from "#worker/social/table.ts";

/**
 * Creates a post. Idempotent by `draftKey`: a repeated request changes the same post.
 * @throws `unauthenticated`, `forbidden`; `invalid`; `conflict` if a concurrent request is creating it
 */
export async function createSocialPost(ctx: Context, input: NewSocialPost): Promise<EditablePost> {
  requireCapability("edit", ctx);
  const { draftKey: key, ...given } = parseInput(NewSocialPost, input);
  const draftKey = draftKeyOf(ctx, key);
  const made = await findByDraftKey(ctx, socialPosts, draftKey);
  if (made !== null) return updateSocialPost(ctx, made, given);
  const { date, ...post } = { ...postDefaults, ...given };
  const insert = ctx.db
    .insert(socialPosts)
    .values({ ...post, date: new Date(date), draftKey, createdAt: ctx.now, updatedAt: ctx.now })
    .returning();
  const [[created]] = await refusingTakenKey(socialPosts, () =>
    ctx.db.batch([insert, changed(ctx, "social")]),
  );
  return toEditable(created!);
}

/**
 * Changes the given fields. `basedOn` is the `updatedAt` that the change was made from.
 * @throws `unauthenticated`, `forbidden`; `not_found`; `invalid`; `conflict` when the post was changed elsewhere since
 * `basedOn`
 */
export async function updateSocialPost(
  ctx: Context,
  id: number,
  input: SocialPostChange,
): Promise<EditablePost> {
  requireCapability("edit", ctx);
  const { basedOn, date, ...rest } = parseInput(SocialPostChange, input);
  const change = { ...rest, ...(date !== undefined && { date: new Date(date) }) };
  const row = await readPostRow(ctx, id);
  if (isRepeated({ basedOn, stored: row, given: change, changedElsewhere })) return toEditable(row);
  const update = ctx.db
    .update(socialPosts)
    .set({ ...change, updatedAt: laterThan(row.updatedAt, ctx.now) })
    .where(and(eq(socialPosts.id, id), eq(socialPosts.updatedAt, row.updatedAt)))
    .returning();
  const [[updated]] = await ctx.db.batch([update, changed(ctx, "social")]);
  if (!updated) throw changedElsewhere();
  return toEditable(updated);
}

/** @throws `unauthenticated`, `forbidden`; `not_found` */
export async function deleteSocialPost(ctx: Context, id: number) {
  requireCapability("edit", ctx);
  const remove = ctx.db.delete(socialPosts).where(eq(socialPosts.id, id)).returning({ id: socialPosts.id });
  const [[deleted]] = await ctx.db.batch([remove, changed(ctx, "social")]);
  if (!deleted) throw postNotFound();
}

const changedElsewhere = () =>
  new AppError("conflict", "This social post was changed elsewhere since you opened it.");
