import { counted } from "#site/ui/format.ts";
import type { CommentBox, CommentStatus } from "#worker/comments/contract.ts";

export const LIST = "/admin/guests/comments";

export const boxNames: Record<CommentBox, string> = {
  pending: "Pending",
  approved: "Approved",
  rejected: "Rejected",
  spam: "Spam",
};

export const boxTones = {
  unconfirmed: "neutral",
  pending: "signal",
  approved: "accent",
  rejected: "neutral",
  spam: "danger",
} as const satisfies Record<CommentStatus, string>;

/** A button's target box. */
export type Move = { to: CommentBox; label: string };

const approve: Move = { to: "approved", label: "Approve" };
const reject: Move = { to: "rejected", label: "Reject" };
const spam: Move = { to: "spam", label: "Spam" };

/** The moves for comments of a box, the likeliest first. */
export const moves: Record<CommentStatus, Move[]> = {
  unconfirmed: [],
  pending: [approve, reject, spam],
  approved: [reject, spam],
  rejected: [approve, spam],
  spam: [{ to: "pending", label: "Not spam" }],
};

/** "Comment approved", "3 comments approved". */
export const doneWords = (count: number, what: string) =>
  count === 1 ? `Comment ${what}` : `${counted(count, "comment")} ${what}`;

export const movedWords: Record<CommentBox, string> = {
  pending: "pending again",
  approved: "approved",
  rejected: "rejected",
  spam: "marked as spam",
};
