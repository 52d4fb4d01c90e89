import { eq, getTableColumns, sql } from "drizzle-orm";
import { readAs } from "#worker/bin/binned-columns.ts";
import { noteErased } from "#worker/bin/note-erased.ts";
import { changedComments } from "#worker/comments/changed-comments.ts";
import { binnedComments, comments } from "#worker/comments/table.ts";
import { COUNTED_OF_VISITORS } from "#worker/desk/contract.ts";
import { noun } from "#worker/nouns/noun.ts";
import { bothOf, holdingOf, inWriting } from "#worker/people/held.ts";

/** Characters of a comment that represent it in a list. */
const BEGINNING = 120;

const isAbout = (email: string) => eq(comments.email, email);
const isAboutInBin = (email: string) => eq(binnedComments.email, email);

const shownOf = ({
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
}: typeof comments._.columns) => ({
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
});

type Comment = Pick<typeof comments.$inferSelect, keyof ReturnType<typeof shownOf>>;

const toHeld = ({ id, ...row }: Comment) => ({
  key: id,
  at: row.createdAt.getTime(),
  title: row.text.length > BEGINNING ? `${row.text.slice(0, BEGINNING)}…` : row.text,
  data: inWriting(row),
});

/** A person's comments on articles and episodes, those on deleted ones included. */
const heldComments = bothOf(
  holdingOf<Comment>({
    table: comments,
    key: comments.id,
    isAbout,
    select: ({ db }) => db.select(shownOf(getTableColumns(comments))).from(comments),
    toHeld,
  }),
  holdingOf<Comment>({
    table: binnedComments,
    key: sql<number>`${binnedComments}.id`,
    isAbout: isAboutInBin,
    select: ({ db }) => db.select(shownOf(readAs(comments, binnedComments))).from(binnedComments),
    toHeld,
  }),
);

/** SQL: the ids of a person's comments, as `item`. */
const idsAbout = (email: string) => sql`select ${comments.id} as item from ${comments} where ${isAbout(email)}
  union select ${binnedComments}.id from ${binnedComments} where ${isAboutInBin(email)}`;

export const commentNoun = noun({
  table: comments,
  // The key allows confirming and deleting the comment.
  exported: { list: "comments.json", omit: ["key", "thread"], long: ["text"] },
  held: { comments: heldComments },
  /** In any status. Replies by others stay. */
  forget: (ctx, email) => ({
    statements: [
      changedComments(ctx, isAbout(email)),
      noteErased(ctx, "comments", idsAbout(email)),
      ctx.db.delete(comments).where(isAbout(email)),
      ctx.db.delete(binnedComments).where(isAboutInBin(email)),
    ],
  }),
  desk: () => ({
    comments: sql`(select count(*) from (select 1 from ${comments} where ${comments.status} = 'pending' limit ${COUNTED_OF_VISITORS}))`,
  }),
});
