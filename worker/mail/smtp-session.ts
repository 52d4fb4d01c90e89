import type { Mail } from "#worker/mail/message.ts";
import { BusyError, type MailSession, type Outcome } from "#worker/mail/session.ts";
import type { Handed, SmtpLine } from "#worker/mail/smtp.ts";
import { describeError } from "#worker/platform/log.ts";

/**
 * A session over one connection. Servers end a connection after some mails, or when it was idle: one that served us is
 * replaced, and a mail that the server had not begun to read is handed over again. One that is lost before it served us
 * is not, and what is left of the batch waits.
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

  async function handOver(mail: Mail): Promise<Handed> {
    if (isLost) {
      if (!hasServed) return notHandedOver;
      await replaceLine();
    }
    const handed = await line.handOver(mail);
    const { state } = handed.outcome;
    isLost = handed.connection === "lost";
    hasServed ||= state === "sent" || state === "failed";
    return isLost && hasServed && state === "deferred" ? handOver(mail) : handed;
  }

  async function send(mails: Mail[]) {
    const outcomes: Outcome[] = [];
    for (const mail of mails) {
      const { outcome, connection } = await handOver(mail).catch(notConnected);
      const isOver = outcome.state === "deferred" && connection !== "open";
      if (isOver) return withRestDeferred(outcomes, mails.length, outcome.answer);
      outcomes.push(outcome);
    }
    return outcomes;
  }

  return { send, close: () => line.close() };
}

const notHandedOver: Handed = {
  outcome: { state: "deferred", answer: "The mail server closed the connection." },
  connection: "lost",
};

const notConnected = (error: unknown): Handed => ({
  outcome: { state: "deferred", answer: describeError(error) },
  connection: "lost",
});

/** @throws `BusyError` when nothing of the batch was handed over */
function withRestDeferred(outcomes: Outcome[], count: number, answer: string): Outcome[] {
  if (outcomes.length === 0) throw new BusyError(answer, null);
  const rest = Array.from({ length: count - outcomes.length }, (): Outcome => ({
    state: "deferred",
    answer,
  }));
  return [...outcomes, ...rest];
}
