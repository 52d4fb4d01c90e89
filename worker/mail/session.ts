import type { Mail } from "#worker/mail/message.ts";

/** What became of a mail that was submitted, with the provider's words. */
export type Outcome =
  /** Taken. `providerId` is the provider's name for it, by which later reports refer to it. */
  | { state: "sent"; answer: string; providerId?: string }
  /** Refused for good. `isBadAddress`: there is no such mailbox, so no later mail has to be tried. */
  | { state: "failed"; answer: string; isBadAddress: boolean }
  /** Refused for now: to be tried again later. */
  | { state: "deferred"; answer: string }
  /** Not submitted, because the connection ended before: to be sent by another session. */
  | { state: "untried" }
  /** The connection was lost before the answer: it may have been taken. */
  | { state: "uncertain"; answer: string };

/** A connection to a provider, for one batch of mails after another. Used by one caller at a time. */
export type MailSession = {
  /**
   * Hands mails over, and returns what became of each, in their order. `key` names the batch: a provider that knows keys
   * (`isIdempotent`) answers the same batch under the same key with what it answered before, and sends nothing twice.
   * @throws `BusyError`, when nothing was submitted and nothing will be for a while
   */
  send: (mails: Mail[], batch: { key: string }) => Promise<Outcome[]>;
  close: () => void;
};

/** How mails of a kind leave. */
export type Provider = {
  /** Whether a batch may be submitted again under its key when nobody knows what became of it. */
  isIdempotent: boolean;
  /** How many sessions it bears side by side. */
  sessions: number;
  /** @throws for a server that cannot be reached or refuses the sign-in, and then nothing was submitted */
  open: () => Promise<MailSession>;
};
