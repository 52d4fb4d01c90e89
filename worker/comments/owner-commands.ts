import { and, eq, ne, sql } from "drizzle-orm";
import { requireCapability } from "#worker/access/capabilities.ts";
import {
  Answer,
  CommentChoice,
  Moderation,
  type Comment,
  type OwnerComment,
} from "#worker/comments/contract.ts";
import { ownerColumns, toOwnerComment } from "#worker/comments/owner-queries.ts";
import { changedComments } from "#worker/comments/changed-comments.ts";
import { comments } from "#worker/comments/table.ts";
import type { Context } from "#worker/platform/context.ts";
import { AppError } from "#worker/platform/errors.ts";
import { parseInput } from "#worker/platform/data/input.ts";
import { readSite } from "#worker/settings/queries.ts";

/** Milliseconds within which a repeated answer is ignored, such as a second press on a slow connection. */
const SAME_WITHIN = 10 * 60_000;

/** SQL. The ids as JSON in one parameter: D1 allows 100 per statement. */
const isChosen = (ids: number[]) =>
  sql`${comments.id} in (select value from json_each(${JSON.stringify(ids)}))`;

/** Unconfirmed comments cannot be moderated. */
const isConfirmed = ne(comments.status, "unconfirmed");

/**
 * Moves comments to a box; ignores deleted ones. Returns how many exist.
 * @throws `unauthenticated`, `forbidden`; `invalid`; `not_found` where none is left
 */
export async function moderateComments(ctx: Context, input: Moderation) {
  requireCapability("audience", ctx);
  const { ids, status } = parseInput(Moderation, input);
  const which = sql`${isChosen(ids)} and ${isConfirmed} and ${comments.status} <> ${status}`;
  const update = ctx.db
    .update(comments)
    .set({ status, spamReason: "", updatedAt: ctx.now })
    .where(and(isChosen(ids), isConfirmed))
    .returning({ id: comments.id });
  const [, moved] = await ctx.db.batch([
    changedComments(ctx, which, { becomesShown: status === "approved" }),
    update,
  ]);
  if (moved.length === 0) throw commentNotFound();
  return { count: moved.length };
}

/**
 * Deletes comments. Their replies stay. Returns how many were deleted.
 * @throws `unauthenticated`, `forbidden`; `invalid`; `not_found` where none is left
 */
export async function deleteComments(ctx: Context, input: CommentChoice) {
  requireCapability("audience", ctx);
  const { ids } = parseInput(CommentChoice, input);
  const remove = ctx.db.delete(comments).where(isChosen(ids)).returning({ id: comments.id });
  const [, deleted] = await ctx.db.batch([changedComments(ctx, isChosen(ids)), remove]);
  if (deleted.length === 0) throw commentNotFound();
  return { count: deleted.length };
}

/**
 * Answers a comment as the author of the site, and approves it. A repeated answer within ten minutes is ignored.
 * @throws `unauthenticated`, `forbidden`; `invalid`; `not_found`, also for an unconfirmed comment
 */
export async function answerComment(ctx: Context, id: Comment["id"], input: Answer): Promise<OwnerComment> {
  requireCapability("audience", ctx);
  const { text } = parseInput(Answer, input);
  const { name } = await readSite(ctx);
  const isIt = and(eq(comments.id, id), isConfirmed)!;
  const time = ctx.now.getTime();
  const approve = ctx.db
    .update(comments)
    .set({ status: "approved", spamReason: "", updatedAt: ctx.now })
    .where(and(isIt, ne(comments.status, "approved")));
  const words = text.replace(/\r\n?/g, "\n");
  const answers = sql`select answer.id from ${comments} as asked
    join ${comments} as answer on answer.content_type = asked.content_type and answer.content_id = asked.content_id
      and answer.status = 'approved' and answer.thread = asked.thread
    where asked.id = ${id} and asked.status <> 'unconfirmed' and answer.is_owner and answer.text = ${words}
      and answer.created_at > ${time - SAME_WITHIN}`;
  const insert = ctx.db.insert(comments).select(
    sql`select null, content_type, content_id, thread, ${name}, '', ${words}, 'approved', '', 1, ${time}, ${time}, null
      from ${comments} where ${isIt} and not exists (${answers})`,
  );
  const read = ctx.db
    .select(ownerColumns)
    .from(comments)
    .where(sql`${comments.id} = (${answers} order by answer.id desc limit 1)`);
  const [, , , [row]] = await ctx.db.batch([approve, changedComments(ctx, isIt), insert, read]);
  if (!row) throw commentNotFound();
  return toOwnerComment(row);
}

const commentNotFound = () => new AppError("not_found", "That comment no longer exists.");
