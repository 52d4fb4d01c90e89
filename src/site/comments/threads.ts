import type { Comment, CommentedKind } from "#worker/comments/contract.ts";

/** A comment and its replies on one page of comments. */
export type CommentThread = {
  id: number;
  /** "deleted" if only its replies exist; "earlier" if it is on an earlier page. */
  first: Comment | "deleted" | "earlier";
  replies: Comment[];
};

/** `after`: the cursor of the page. A thread that continues from an earlier page begins before it. */
export function threadsOf(comments: Comment[], after: string | null): CommentThread[] {
  const begun = after === null ? 0 : Number(after.split("-")[0]);
  // Map.groupBy is too new for Safari 16 and for Firefox ESR 115.
  const groups = new Map<number, Comment[]>();
  for (const comment of comments) {
    const thread = comment.parentId ?? comment.id;
    groups.set(thread, [...(groups.get(thread) ?? []), comment]);
  }
  return [...groups].map(([id, [head, ...rest]]) => {
    if (head!.id === id) return { id, first: head!, replies: rest };
    return { id, first: id === begun ? "earlier" : "deleted", replies: [head!, ...rest] };
  });
}

/** The comment to which a reply in the thread refers: the first, or a remaining one. */
export const targetOf = ({ first, replies }: CommentThread) =>
  typeof first === "string" ? replies[0]! : first;

/** The readers' words for the content. */
export const names: Record<CommentedKind, string> = { article: "essay", episode: "episode" };
