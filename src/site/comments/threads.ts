import type { Comment, CommentedKind } from "#worker/comments/contract.ts";

/** A comment and its answers, as far as they are in one stretch of comments. */
export type CommentThread = {
  id: number;
  /** Deleted, if its answers are still there; `earlier` if it stands before this stretch. */
  first: Comment | "deleted" | "earlier";
  replies: Comment[];
};

/** `after`: the cursor behind which the stretch begins. A thread of which it shows the rest begins before it. */
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

/** What a reply to the thread names: its first comment, or one of those that are left. */
export const targetOf = ({ first, replies }: CommentThread) =>
  typeof first === "string" ? replies[0]! : first;

/** What is commented on, as readers call it. */
export const names: Record<CommentedKind, string> = { article: "essay", episode: "episode" };
