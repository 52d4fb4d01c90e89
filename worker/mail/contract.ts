/** Where mails go: to their mailboxes; to the console of a machine that sends none; or no further than its database. */
export type MailDestination = "mailbox" | "console" | "database";
