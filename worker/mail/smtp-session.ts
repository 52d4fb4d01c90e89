import type { Mail } from "#worker/mail/message.ts";
import type { MailSession, Outcome } from "#worker/mail/session.ts";
import type { Submission, SmtpLine } from "#worker/mail/smtp.ts";
import { describeError } from "#worker/platform/log.ts";
import { BusyError } from "#worker/platform/outbox.ts";

/**
 * A session over one connection. Servers end a connection after some mails, or when it was idle: one that served us is
 * replaced, and a mail that the server had not begun to read is submitted again. One that is lost before it served us
 * is not: the mail at which it was lost waits, and the rest of the batch is left untried.
 */
export async function openSmtpSession(connect: () => Promise<SmtpLine>): Promise<MailSession> {
  let line = await connect();
  let isLost = false;
  let hasServed = false;

  async function replaceLine() {
    hasServed = false;
    line = await connect();
    isLost = false;
  }

  async function submit(mail: Mail): Promise<Submission> {
    if (isLost) await replaceLine();
    const submission = await line.submit(mail);
    const { state } = submission.outcome;
    isLost = submission.connection === "lost";
    hasServed ||= state === "sent" || state === "failed";
    return isLost && hasServed && state === "deferred" ? submit(mail) : submission;
  }

  async function send(mails: Mail[]) {
    const outcomes: Outcome[] = [];
    for (const mail of mails) {
      if (isLost && !hasServed) break;
      const { outcome, connection } = await submit(mail).catch(notConnected);
      const isOver = outcome.state === "deferred" && connection !== "open";
      // Nothing is wrong with the mail where the server takes none from this sender.
      if (isOver && connection === "refused" && outcomes.length === 0)
        throw new BusyError(outcome.answer, null);
      outcomes.push(outcome);
      if (isOver) break;
    }
    return [...outcomes, ...mails.slice(outcomes.length).map((): Outcome => ({ state: "untried" }))];
  }

  return { send, close: () => line.close() };
}

const notConnected = (error: unknown): Submission => ({
  outcome: { state: "deferred", answer: describeError(error) },
  connection: "lost",
});
