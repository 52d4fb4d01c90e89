import type { Mail } from "#worker/mail/message.ts";
import type { MailSession, Outcome } from "#worker/mail/session.ts";
import type { Submission, SmtpLine } from "#worker/mail/smtp.ts";
import { describeError } from "#worker/platform/log.ts";
import { BusyError } from "#worker/platform/work/outbox.ts";

/**
 * A session over one connection. Servers close a connection after some emails, or when idle: if it has sent emails
 * before, it is replaced, and an email that the server had not begun to read is submitted again. If it is lost before its
 * first email, it is not replaced: that email is deferred, and the rest of the batch is untried.
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
      // The email is not at fault: the server refuses this sender.
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
