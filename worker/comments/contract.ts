/** What can be commented on. */
export const commentedKinds = ["article", "episode"] as const;
export type CommentedKind = (typeof commentedKinds)[number];

/** Unconfirmed until the link in the mail is used, then pending until the owner decides. */
export const commentStatuses = ["unconfirmed", "pending", "approved", "rejected", "spam"] as const;
export type CommentStatus = (typeof commentStatuses)[number];
