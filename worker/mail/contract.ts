/** Where emails go: to mailboxes; to the console of a machine that sends none; or only into the database. */
export type MailDestination = "mailbox" | "console" | "database";

/** How emails leave, other than letters. `cloudflare` is the binding to its Email Service. */
export type MailWay = "smtp" | "resend" | "cloudflare" | "console" | "database";

/** How letters leave; `none`: they cannot. */
export type LetterWay = "resend" | "smtp" | "console" | "none";

/** Waiting: not tried yet, or to be tried again after a failure. Failed: given up. */
export type MailState = "sent" | "waiting" | "failed";
