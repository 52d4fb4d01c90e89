import { and, eq, sql } from "drizzle-orm";
import type { BinPart } from "#worker/bin/facet.ts";
import { changedComments } from "#worker/comments/changed-comments.ts";
import type { CommentedKind } from "#worker/comments/contract.ts";
import { binnedComments, comments } from "#worker/comments/table.ts";

/** The comments on an item of a kind, which follow it into the bin. */
export function commentsOf(kind: CommentedKind): BinPart {
  const of = (item: string) =>
    and(eq(comments.contentType, kind), sql`${comments.contentId} = cast(${item} as integer)`)!;
  return {
    table: comments,
    binned: binnedComments,
    of,
    isApart: true,
    changed: (ctx, item) => [changedComments(ctx, of(item))],
  };
}
