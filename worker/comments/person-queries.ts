import { and, desc, eq, lt, sql } from "drizzle-orm";
import { changedComments } from "#worker/comments/changed-comments.ts";
import { comments } from "#worker/comments/table.ts";
import type { Context } from "#worker/platform/context.ts";
import { inWriting, type Holding } from "#worker/people/held.ts";

/** Characters of a comment that represent it in a list. */
const BEGINNING = 120;

/** A person's comments on articles and episodes. */
export const heldComments: Holding = {
  count: (email) => sql<number>`(select count(*) from ${comments} where ${comments.email} = ${email})`,
  async read({ db }, email, { before, limit }) {
    const { id, contentType, contentId, parentId, name, text, status, spamReason, createdAt, updatedAt } =
      comments;
    const rows = await db
      .select({
        id,
        contentType,
        contentId,
        parentId,
        name,
        email: comments.email,
        text,
        status,
        spamReason,
        createdAt,
        updatedAt,
      })
      .from(comments)
      .where(and(eq(comments.email, email), before === null ? undefined : lt(id, before)))
      .orderBy(desc(id))
      .limit(limit);
    return rows.map(({ id: key, ...row }) => ({
      key,
      id: String(key),
      at: row.createdAt.getTime(),
      title: row.text.length > BEGINNING ? `${row.text.slice(0, BEGINNING)}…` : row.text,
      data: inWriting(row),
    }));
  },
};

/** The statements that delete all comments of a person, in any status. Replies by others stay. */
export function forgetCommentsOf(ctx: Context, email: string) {
  const isTheirs = eq(comments.email, email);
  return [changedComments(ctx, isTheirs), ctx.db.delete(comments).where(isTheirs)] as const;
}
