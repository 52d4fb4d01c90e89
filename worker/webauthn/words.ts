/** Messages about passkeys that members and users alike see, and those that public pages know; without zod for these. */

export const PASSKEY_TOO_LATE = "That took too long, or it was already used. Please try again.";
export const PASSKEY_INVALID = "Your browser’s answer isn’t valid for this site. Please try again.";
export const PASSKEY_OVERTAKEN = "Please try again.";
export const PASSKEY_KNOWN = "This passkey was already added.";

/** The browser of a member forgets a passkey that gets this. */
export const MEMBER_PASSKEY_UNKNOWN =
  "This passkey doesn’t open an account here. It may have been removed. Ask for a link by email.";
