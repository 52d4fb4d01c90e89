import type { Mail } from "#worker/mail/message.ts";

/** The outcome of a submitted email, with the provider's answer. */
export type Outcome =
  /** Accepted. `providerId` is the provider's message id, to which later reports refer. */
  | { state: "sent"; answer: string; providerId?: string }
  /** Refused for good. `isBadAddress`: the mailbox does not exist, so later emails need no attempt. */
  | { state: "failed"; answer: string; isBadAddress: boolean }
  /** Refused temporarily: to be tried again. */
  | { state: "deferred"; answer: string }
  /** Not submitted, because the connection ended first: another session will send it. */
  | { state: "untried" }
  /** The connection was lost before the answer: the email may have been accepted. */
  | { state: "uncertain"; answer: string };

/** A connection to a provider, for one batch of emails after another. Used by one caller at a time. */
export type MailSession = {
  /**
   * Submits emails, and returns each outcome, in their order. `key` is the batch's idempotency key: an `isIdempotent`
   * provider repeats its answer for the same key and sends nothing twice.
   * @throws `BusyError` if nothing was submitted and the provider temporarily accepts nothing
   */
  send: (mails: Mail[], batch: { key: string }) => Promise<Outcome[]>;
  close: () => void;
};

/** A provider of emails or letters. */
export type Provider = {
  /** Whether a batch with an unknown outcome may be retried under its key. */
  isIdempotent: boolean;
  /** Maximum concurrent sessions. */
  sessions: number;
  /** Emails that one invocation composes and hands over in less than 10 ms of processor time. */
  fewMails: number;
  /** @throws for a server that cannot be reached or refuses the sign-in, and then nothing was submitted */
  open: () => Promise<MailSession>;
};

/**
 * Whether a server's answer says that the mailbox or its domain does not exist or has moved (RFC 3463 §3.2, RFC 7505). Other
 * refusals do not concern the address.
 */
export const isBadAddress = (answer: string) => /^5\d\d[ -]5\.1\.(1|2|3|6|10)(?!\d)/.test(answer);
