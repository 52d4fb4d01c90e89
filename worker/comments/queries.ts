import { eq, sql, type SQL } from "drizzle-orm";
import { commentedArticle } from "#worker/articles/queries.ts";
import {
  CommentsQuery,
  INVALID_LINK,
  type Commented,
  type CommentedKind,
  type CommentList,
  type CommentStatus,
  type OwnComment,
} from "#worker/comments/contract.ts";
import { readCommentToken } from "#worker/comments/confirmation-link.ts";
import { commentsTag, listOf, positionOf, shownComments } from "#worker/comments/shown.ts";
import { comments } from "#worker/comments/table.ts";
import { commentedEpisode } from "#worker/episodes/queries.ts";
import type { Context } from "#worker/platform/context.ts";
import { AppError } from "#worker/platform/errors.ts";
import { readSite } from "#worker/settings/queries.ts";

export type Place = Commented & { tag: string; isPublished: boolean };

const places = { article: commentedArticle, episode: commentedEpisode };

/** SQL, as JSON: the `Place` of the content. */
export const placeOf = (kind: CommentedKind, id: SQL | number) => places[kind](id);

export const toPlace = (json: string | null) => (json === null ? null : (JSON.parse(json) as Place));

/** SQL, as JSON: the same for each row of comments. */
export const commentedPlace = sql<string | null>`case ${comments.contentType}
  when 'article' then ${commentedArticle(sql`comments.content_id`)} else ${commentedEpisode(sql`comments.content_id`)} end`;

/** @throws `not_found` while comments are switched off */
export async function requireComments(ctx: Context) {
  const site = await readSite(ctx);
  if (!site.features.comments) throw new AppError("not_found", "Comments are closed.");
  return site;
}

export const contentNotFound = () => new AppError("not_found", "You can’t comment on this.");

/**
 * The public comments on published content. `after` is the previous page's `next`.
 * @throws `not_found` while comments are switched off, for unpublished content, and for a malformed cursor
 */
export async function listComments(
  ctx: Context,
  { contentType, contentId, after }: CommentsQuery,
): Promise<CommentList> {
  const { thread, comment } = positionOf(after);
  ctx.dependsOn("site", commentsTag(contentType, contentId));
  const [row] = await ctx.db.all<{ place: string | null; list: string | null }>(sql`
    select ${placeOf(contentType, contentId)} as place,
      ${shownComments(contentType, contentId, thread, comment)} as list`);
  const place = toPlace(row?.place ?? null);
  if (!row?.list || !place?.isPublished) throw contentNotFound();
  ctx.dependsOn(place.tag);
  return listOf(row.list);
}

/** The path of the published page in a form's fields; null if there is none. */
export async function readCommentedPath(ctx: Context, fields: Record<string, unknown>) {
  const { data } = CommentsQuery.safeParse({
    contentType: fields["contentType"],
    contentId: fields["contentId"],
  });
  if (!data) return null;
  const row = await ctx.db.get<{ place: string | null }>(
    sql`select ${placeOf(data.contentType, data.contentId)} as place`,
  );
  const place = toPlace(row.place);
  return place?.isPublished ? place.path : null;
}

/** The state of the mailed link's page. Changes nothing: mail scanners open every link. */
export async function readOwnComment(ctx: Context, token: string): Promise<OwnComment> {
  const key = await readCommentToken(ctx, token);
  if (key === null) return { state: "invalid", message: INVALID_LINK };
  const [row] = await ctx.db
    .select({ name: comments.name, text: comments.text, status: comments.status, place: commentedPlace })
    .from(comments)
    .where(eq(comments.key, key));
  if (!row) return { state: "gone" };
  const { name, text, status } = row;
  const place = toPlace(row.place);
  const about = place?.isPublished ? { title: place.title, path: place.path } : null;
  return { state: "ready", name, text, stage: stages[status], about };
}

/** A spammer must not learn that the spam was detected. */
const stages = {
  unconfirmed: "unconfirmed",
  pending: "pending",
  spam: "pending",
  approved: "shown",
  rejected: "hidden",
} as const satisfies Record<CommentStatus, string>;

/** Those of these articles or episodes that have comments, shown or not, except spam. */
export async function findCommented({ db }: Context, kind: CommentedKind, ids: number[]) {
  const rows = await db
    .selectDistinct({ id: comments.contentId })
    .from(comments)
    .where(
      sql`${comments.contentType} = ${kind} and ${comments.status} <> 'spam'
        and ${comments.contentId} in (select value from json_each(${JSON.stringify(ids)}))`,
    );
  return new Set(rows.map(({ id }) => id));
}
