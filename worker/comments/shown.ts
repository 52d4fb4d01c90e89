import { sql, type Placeholder, type SQL } from "drizzle-orm";
import type { Comment, CommentedKind, CommentList } from "#worker/comments/contract.ts";
import { AppError } from "#worker/platform/errors.ts";
import { cursorOf, pageOf } from "#worker/platform/data/keyset.ts";
import { commentsSetting } from "#worker/settings/queries.ts";

/** Comments of one page. */
export const SHOWN = 30;

/** The cache tag of answers that show these comments. */
export const commentsTag = (kind: CommentedKind, id: number) => `comments:${kind}:${id}`;

type Position = { thread: number; comment: number };
const BEGINNING: Position = { thread: 0, comment: 0 };

/**
 * The position after which a page begins. A cursor names a thread and a comment in it.
 * @throws `not_found` for a malformed cursor
 */
export function positionOf(cursor: string | undefined): Position {
  if (cursor === undefined) return BEGINNING;
  const [, thread, comment] = /^(\d{1,15})-(\d{1,15})$/.exec(cursor) ?? [];
  if (!thread || !comment) throw new AppError("not_found", "There is no such page of comments.");
  return { thread: Number(thread), comment: Number(comment) };
}

type Given = number | Placeholder;

/**
 * SQL, as JSON: a page of the comments on this content, and the count of all; null while comments are switched off.
 * Part of the page's own statement, so it also checks the setting itself.
 */
export const shownComments = (kind: CommentedKind, id: SQL | number, thread: Given, comment: Given) =>
  sql<CommentList | null>`(case when ${commentsSetting} then json_object(
    'count', coalesce((select c.count from comment_counts c where c.content_type = ${sql.raw(`'${kind}'`)} and c.content_id = ${id}), 0),
    'rows', (select json_group_array(json_object('id', id, 'parentId', parent_id, 'name', name, 'text', text,
      'isOwner', json(iif(is_owner, 'true', 'false')), 'createdAt', created_at) order by thread, id)
      from (select * from comments k
        where k.content_type = ${sql.raw(`'${kind}'`)} and k.content_id = ${id} and k.status = 'approved'
          and (k.thread, k.id) > (${thread}, ${comment})
        order by k.thread, k.id limit ${sql.raw(String(SHOWN + 1))})))
    end)`.mapWith(listOf);

/** The list from that JSON. */
export function listOf(json: string): CommentList {
  const { count, rows } = JSON.parse(json) as { count: number; rows: Comment[] };
  return { count, ...pageOf(rows, SHOWN, ({ id, parentId }) => cursorOf(parentId ?? id, id)) };
}

/** The cursor of the page that begins with a comment. */
export const cursorBefore = ({ id, parentId }: Pick<Comment, "id" | "parentId">) =>
  cursorOf(parentId ?? id, id - 1);
