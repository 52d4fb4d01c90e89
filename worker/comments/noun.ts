import { eq, sql } from "drizzle-orm";
import { changedComments } from "#worker/comments/changed-comments.ts";
import { comments } from "#worker/comments/table.ts";
import { COUNTED_OF_VISITORS } from "#worker/desk/contract.ts";
import { noun } from "#worker/nouns/noun.ts";
import { holdingOf, inWriting } from "#worker/people/held.ts";

/** Characters of a comment that represent it in a list. */
const BEGINNING = 120;

const isAbout = (email: string) => eq(comments.email, email);

/** A person's comments on articles and episodes. */
const heldComments = holdingOf({
  table: comments,
  key: comments.id,
  isAbout,
  select({ db }) {
    const { id, contentType, contentId, parentId, name, email, text } = comments;
    const { status, spamReason, createdAt, updatedAt } = comments;
    return db
      .select({
        id,
        contentType,
        contentId,
        parentId,
        name,
        email,
        text,
        status,
        spamReason,
        createdAt,
        updatedAt,
      })
      .from(comments);
  },
  toHeld: ({ id, ...row }) => ({
    key: id,
    at: row.createdAt.getTime(),
    title: row.text.length > BEGINNING ? `${row.text.slice(0, BEGINNING)}…` : row.text,
    data: inWriting(row),
  }),
});

export const commentNoun = noun({
  table: comments,
  // The key allows confirming and deleting the comment.
  exported: { list: "comments.json", omit: ["key", "thread"], long: ["text"] },
  held: { comments: heldComments },
  /** In any status. Replies by others stay. */
  forget: (ctx, email) => ({
    statements: [changedComments(ctx, isAbout(email)), ctx.db.delete(comments).where(isAbout(email))],
  }),
  desk: () => ({
    comments: sql`(select count(*) from (select 1 from ${comments} where ${comments.status} = 'pending' limit ${COUNTED_OF_VISITORS}))`,
  }),
});
