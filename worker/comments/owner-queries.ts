import { and, desc, eq, ne, sql } from "drizzle-orm";
import { requireCapability } from "#worker/access/capabilities.ts";
import type { CommentCounts, CommentListQuery, OwnerComment } from "#worker/comments/contract.ts";
import { commentedPlace, toPlace } from "#worker/comments/queries.ts";
import { cursorBefore } from "#worker/comments/shown.ts";
import { commentBoxCounts, comments } from "#worker/comments/table.ts";
import type { Context } from "#worker/platform/context.ts";
import { olderThanId, pageOf } from "#worker/platform/data/keyset.ts";

const LIST_ROWS = 30;

/**
 * Comments of a box, by default the pending ones, or of one address in all boxes, newest first, with the counts of all
 * boxes. `before` is the previous page's `next`.
 * @throws `unauthenticated`, `forbidden`; `not_found` for a malformed cursor
 */
export async function listAllComments(ctx: Context, { box, email, before }: CommentListQuery = {}) {
  requireCapability("audience", ctx);
  const list = ctx.db
    .select(ownerColumns)
    .from(comments)
    .where(
      and(
        email ? and(eq(comments.email, email), ne(comments.status, "unconfirmed")) : undefined,
        box || !email ? eq(comments.status, box ?? "pending") : undefined,
        before === undefined ? undefined : olderThanId(before, comments.id),
      ),
    )
    .orderBy(desc(comments.id))
    .limit(LIST_ROWS + 1);
  // Only non-empty boxes: `countsOf` adds the others.
  const numbers = ctx.db.select().from(commentBoxCounts).where(ne(commentBoxCounts.count, 0));
  const [rows, counted] = await ctx.db.batch([list, numbers]);
  return {
    ...pageOf(rows.map(toOwnerComment), LIST_ROWS, ({ id }) => String(id)),
    counts: countsOf(counted),
  };
}

export const ownerColumns = {
  id: comments.id,
  parentId: comments.parentId,
  name: comments.name,
  email: comments.email,
  text: comments.text,
  status: comments.status,
  spamReason: comments.spamReason,
  isOwner: comments.isOwner,
  contentType: comments.contentType,
  createdAt: comments.createdAt,
  place: commentedPlace,
};

type OwnerRow = Omit<OwnerComment, "createdAt" | "about"> & { createdAt: Date; place: string | null };

export function toOwnerComment({ createdAt, place, ...row }: OwnerRow): OwnerComment {
  const about = toPlace(place);
  return {
    ...row,
    createdAt: createdAt.getTime(),
    about: about && {
      title: about.title,
      path: row.status === "approved" ? pathTo(about.path, row) : about.path,
      isPublished: about.isPublished,
    },
  };
}

const pathTo = (path: string, row: Pick<OwnerRow, "id" | "parentId">) =>
  `${path}?comments=${cursorBefore(row)}#comment-${row.id}`;

const countsOf = (rows: (typeof commentBoxCounts.$inferSelect)[]): CommentCounts => ({
  unconfirmed: 0,
  pending: 0,
  approved: 0,
  rejected: 0,
  spam: 0,
  ...Object.fromEntries(rows.map(({ status, count }) => [status, count])),
});

/** SQL: the total of pending comments, from the count that triggers maintain. */
export const allPending = sql<number>`coalesce(
  (select ${commentBoxCounts.count} from ${commentBoxCounts} where ${commentBoxCounts.status} = 'pending'), 0)`;
