import { z } from "zod";
import { calendarFileOf, type Mail, type Mailbox } from "#worker/mail/message.ts";
import type { MailSession, Outcome } from "#worker/mail/session.ts";
import type { Config } from "#worker/platform/context.ts";
import { BusyError } from "#worker/platform/work/outbox.ts";

/** The limit of `POST /emails/batch`. */
const MOST_MAILS = 100;
/** Timeout of a request in milliseconds. */
const ANSWER_MS = 60_000;
/** Milliseconds before retrying after a used-up quota, if the answer names no time. */
const QUOTA_MS = 3_600_000;
/** Stored characters of an answer. */
const MOST_WORDS = 300;

/** Emails without an id are in `errors`, by their index in the batch. */
const Accepted = z.object({
  data: z.array(z.object({ id: z.string() })),
  errors: z.array(z.object({ index: z.int(), message: z.string() })).default([]),
});

const AcceptedOne = z.object({ id: z.string() });

const Refused = z.object({ name: z.string().default(""), message: z.string().default("") });
type Refused = z.infer<typeof Refused>;

/** Hands batches to Resend's API, or to a service that speaks it. A session is only the account's key. */
export const openResend = (account: NonNullable<Config["resend"]>) =>
  ({
    send: (mails, { key }) => {
      const [mail] = mails;
      // The batch endpoint accepts no attachments.
      if (mail?.invitation !== undefined && mails.length === 1)
        return sendOne(account, { ...mail, invitation: mail.invitation }, key);
      return sendBatch(account, mails, key);
    },
    close: () => undefined,
  }) satisfies MailSession;

type Account = NonNullable<Config["resend"]>;

async function sendBatch(account: Account, mails: Mail[], key: string) {
  if (mails.length > MOST_MAILS) throw new Error(`Resend takes at most ${MOST_MAILS} emails in a batch.`);
  if (mails.some(({ invitation }) => invitation !== undefined)) throw new Error("A batch takes no files.");
  const response = await post(account, "/emails/batch", {
    body: mails.map(payloadOf),
    key,
    // Reports an invalid email separately and sends the others.
    headers: { "x-batch-validation": "permissive" },
  });
  if (response.ok) return outcomesOf(Accepted.parse(await response.json()), mails.length);
  return afterRefusal(response, await refusalIn(response), mails.length);
}

async function sendOne(
  account: Account,
  mail: Mail & { invitation: string },
  key: string,
): Promise<Outcome[]> {
  const { name, type } = calendarFileOf(mail.invitation);
  const file = {
    filename: name,
    content_type: type,
    content: new TextEncoder().encode(mail.invitation).toBase64(),
  };
  const response = await post(account, "/emails", {
    body: { ...payloadOf(mail), attachments: [file] },
    key,
  });
  if (response.ok) return outcomesOf({ data: [AcceptedOne.parse(await response.json())], errors: [] }, 1);
  const refused = await refusalIn(response);
  if (response.status === 422) {
    return [
      { state: "failed", answer: short(`422 ${refused.name}: ${refused.message}`), isBadAddress: false },
    ];
  }
  return afterRefusal(response, refused, 1);
}

type Posted = { body: unknown; key: string; headers?: Record<string, string> };

const post = ({ key: apiKey, url }: Account, path: string, { body, key, headers }: Posted) =>
  fetch(url + path, {
    method: "POST",
    headers: {
      Authorization: `Bearer ${apiKey}`,
      "Content-Type": "application/json",
      "Idempotency-Key": key,
      "User-Agent": "Rostrum",
      ...headers,
    },
    body: JSON.stringify(body),
    redirect: "manual",
    signal: AbortSignal.timeout(ANSWER_MS),
  });

const payloadOf = ({ from, replyTo, to, subject, text, html, headers }: Mail) => ({
  from: toAddress(from),
  to: [to],
  ...(replyTo && { reply_to: toAddress(replyTo) }),
  subject,
  text,
  html,
  headers,
});

/** RFC 5322 §3.4; a name with special characters is quoted. */
function toAddress({ name, address }: Mailbox) {
  if (!name) return address;
  const phrase = /^[\p{L}\p{N} ]+$/u.test(name) ? name : `"${name.replace(/["\\]/g, "\\$&")}"`;
  return `${phrase} <${address}>`;
}

function outcomesOf({ data, errors }: z.infer<typeof Accepted>, count: number): Outcome[] {
  const faults = new Map(errors.map(({ index, message }) => [index, message]));
  if (data.length + faults.size !== count) {
    const answer = `Resend answered with ${data.length} ids to ${count} emails.`;
    return Array.from({ length: count }, () => ({ state: "uncertain", answer }));
  }
  const ids = data.map(({ id }) => id).values();
  return Array.from({ length: count }, (_, at): Outcome => {
    const fault = faults.get(at);
    // A fault of the email's format; the mailbox was not checked yet.
    if (fault !== undefined) return { state: "failed", answer: short(fault), isBadAddress: false };
    const providerId = ids.next().value!;
    return { state: "sent", answer: `Resend accepted it as ${providerId}.`, providerId };
  });
}

/** An answer that is not in the API's format comes from a proxy. */
async function refusalIn(response: Response): Promise<Refused> {
  const text = await response.text();
  try {
    return Refused.parse(JSON.parse(text));
  } catch {
    return { name: "", message: text.replaceAll(/\s+/g, " ") };
  }
}

/**
 * @throws `BusyError` if the request was refused as a whole; an `Error` if its outcome is unknown and the same batch
 * must be retried
 */
function afterRefusal({ status, headers }: Response, { name, message }: Refused, count: number): Outcome[] {
  const answer = short(`${status} ${name}: ${message}`);
  if (name === "invalid_idempotent_request") {
    // The key was used for a different batch, so it is unknown which of these emails were sent.
    return Array.from({ length: count }, () => ({ state: "uncertain", answer }));
  }
  if (status >= 500 || status < 400 || status === 408 || status === 409) throw new Error(answer);
  if (name === "daily_quota_exceeded" || name === "monthly_quota_exceeded") {
    const quota = name === "daily_quota_exceeded" ? "daily" : "monthly";
    throw new BusyError(`Resend’s ${quota} quota is used up: ${answer}`, waitIn(headers) ?? QUOTA_MS);
  }
  // Other answers also name the end of the rate window, but waiting fixes neither a wrong key nor an unverified domain.
  throw new BusyError(answer, status === 429 ? waitIn(headers) : null);
}

/** Milliseconds; both headers are in seconds. */
function waitIn(headers: Headers) {
  const seconds = Number(headers.get("retry-after") ?? headers.get("ratelimit-reset") ?? NaN);
  return Number.isFinite(seconds) && seconds >= 0 ? seconds * 1000 : null;
}

const short = (words: string) => words.slice(0, MOST_WORDS);
