import { z } from "zod";
import { commentLimits } from "#worker/comments/limits.ts";
import { email, rowId, textOf } from "#worker/platform/contract.ts";
import { storedAddress } from "#worker/platform/text/email-address.ts";

export const CONFIRMED = "Your comment is confirmed. We read every comment before it’s shown.";
export const DELETED = "Your comment is deleted.";
export const INVALID_LINK = "This link isn’t valid. Please use the link in a newer email.";

/** The kinds of content with comments. */
export const commentedKinds = ["article", "episode"] as const;
export type CommentedKind = (typeof commentedKinds)[number];

/** Unconfirmed until the link in the email is used, then pending until the owner decides. */
export const commentStatuses = ["unconfirmed", "pending", "approved", "rejected", "spam"] as const;
export type CommentStatus = (typeof commentStatuses)[number];

const contentType = z.enum(commentedKinds, "Choose what it’s about.");

const text = textOf(commentLimits.text, { of: "Comment", isLong: true });

/** A comment as a reader sends it. */
export const NewComment = z.strictObject({
  contentType,
  contentId: rowId,
  /** The comment that it answers; an empty field in a form means none. */
  parentId: z.union([z.literal("").transform(() => undefined), rowId]).optional(),
  name: textOf(commentLimits.name, { of: "Name" }),
  email,
  text,
});
export type NewComment = z.input<typeof NewComment>;

/** The query of the public comments. `after` is the previous page's `next`. */
export const CommentsQuery = z.strictObject({
  contentType,
  contentId: rowId,
  after: z.string().max(40).optional(),
});
export type CommentsQuery = z.infer<typeof CommentsQuery>;

/** The time is milliseconds UTC. */
export type Comment = {
  id: number;
  /** The comment that this one answers; it may be deleted. */
  parentId: number | null;
  name: string;
  text: string;
  /** By the author of the site. */
  isOwner: boolean;
  createdAt: number;
};

/** A page of comments, oldest thread first, each followed by its replies. */
export type CommentList = {
  /** The total of shown comments, not only of this page. */
  count: number;
  items: Comment[];
  next: string | null;
};

export const MAX_TOKEN = 2000;
export const CommentLink = z.strictObject({
  token: z.string(INVALID_LINK).min(1, INVALID_LINK).max(MAX_TOKEN, INVALID_LINK),
});
export type CommentLink = z.input<typeof CommentLink>;

/** The content that a comment is about. */
export type Commented = { title: string; path: string };

/** The state of the mailed link. Gone: the link is valid, but the comment was deleted. */
export type OwnComment =
  | {
      state: "ready";
      name: string;
      text: string;
      /** Waiting for its writer, waiting for the owner, shown, or hidden. */
      stage: "unconfirmed" | "pending" | "shown" | "hidden";
      about: Commented | null;
    }
  | { state: "gone" }
  | { state: "invalid"; message: string };

/** The boxes of the owner. Unconfirmed ones are only counted. */
export const commentBoxes = ["pending", "approved", "rejected", "spam"] as const;
export type CommentBox = (typeof commentBoxes)[number];

/** The query of the owner's list. `before` is the previous page's `next`. */
export const CommentListQuery = z.strictObject({
  box: z.enum(commentBoxes, "There is no such box.").optional(),
  /** The complete address of the writer. */
  email: z.string().overwrite(storedAddress).max(254).optional(),
  before: z.string().max(40).optional(),
});
export type CommentListQuery = z.infer<typeof CommentListQuery>;

/** A comment as the owner sees it. */
export type OwnerComment = Comment & {
  status: CommentStatus;
  spamReason: string;
  email: string;
  contentType: CommentedKind;
  /** The content; null if deleted. `path` leads to the comment if it is shown. */
  about: (Commented & { isPublished: boolean }) | null;
};

export type CommentCounts = Record<CommentStatus, number>;

/** Maximum comments per request. */
const MOST_AT_ONCE = 100;
const NONE_CHOSEN = "Choose at least one comment.";
const ids = z.array(rowId).min(1, NONE_CHOSEN).max(MOST_AT_ONCE, `Choose at most ${MOST_AT_ONCE} comments.`);

/** Moves comments to a box. A comment that is not spam becomes pending again. */
export const Moderation = z.strictObject({ ids, status: z.enum(commentBoxes, "There is no such box.") });
export type Moderation = z.input<typeof Moderation>;

export const CommentChoice = z.strictObject({ ids });
export type CommentChoice = z.input<typeof CommentChoice>;

/** The owner's answer to a comment. */
export const Answer = z.strictObject({ text: textOf(commentLimits.text, { of: "Answer", isLong: true }) });
export type Answer = z.input<typeof Answer>;
