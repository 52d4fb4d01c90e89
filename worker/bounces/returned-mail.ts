import PostalMime, { type Attachment, type Email } from "postal-mime";
import { isBadAddress } from "#worker/mail/session.ts";

/** What an email to the address of the letters reports about one of them. */
export type ReturnedMail =
  | { kind: "bounced"; token: string | null; isPermanent: boolean; reason: string }
  | { kind: "complained"; token: string | null }
  /** Nothing is to be done: a letter is still being tried or has arrived, or a program answered. */
  | { kind: "noted" }
  /** A person's own email, or what no standard describes. */
  | { kind: "other" };

/** Parts of a report: the fields of RFC 3464 and RFC 5965, and the returned letter or its headers. */
const STATUS = "message/delivery-status";
const FEEDBACK = "message/feedback-report";
const RETURNED = ["message/rfc822", "text/rfc822-headers", "message/rfc822-headers"];

/** Kinds of feedback after which no more letters are sent. The others: not-spam, virus and auth-failure (RFC 5965, 6591). */
const COMPLAINTS = ["abuse", "fraud", "opt-out", "other"];

/** Beyond the first two, the parser throws. A message within a message is a part like others, and is not parsed. */
const LIMITS = { maxNestingDepth: 8, maxHeadersSize: 128 * 1024, maxRfc822NestingDepth: 0 };
/** Characters of a part that are read, and returned letters in a report. The fields of real reports have some hundred. */
const MOST_OF_A_PART = 32 * 1024;
const MOST_RETURNED = 3;

/** Reads an email as a report about a letter. `raw` may end within a part. */
export async function readReturnedMail(raw: Uint8Array): Promise<ReturnedMail> {
  const email = await PostalMime.parse(raw, { ...LIMITS, attachmentEncoding: "utf8" }).catch(() => null);
  if (email === null) return { kind: "other" };
  const [feedback] = partsOf(email, FEEDBACK);
  if (feedback !== undefined) return readFeedback(email, feedback);
  const [status] = partsOf(email, STATUS);
  if (status !== undefined) return readStatus(email, status);
  return isAutomatic(email) ? { kind: "noted" } : { kind: "other" };
}

const partsOf = ({ attachments }: Email, ...types: string[]) =>
  attachments.filter(({ mimeType }) => types.includes(mimeType.toLowerCase())).map(textOf);

const textOf = ({ content }: Attachment) =>
  (typeof content === "string" ? content : new TextDecoder().decode(content)).slice(0, MOST_OF_A_PART);

async function readFeedback(email: Email, report: string): Promise<ReturnedMail> {
  const kind = groupsOf(report)[0]?.get("feedback-type")?.toLowerCase() ?? "";
  return COMPLAINTS.includes(kind) ? { kind: "complained", token: await tokenIn(email) } : { kind: "noted" };
}

/** The first group of fields is about the message, each other one about a recipient. */
async function readStatus(email: Email, report: string): Promise<ReturnedMail> {
  const failed = groupsOf(report).find((fields) => fields.get("action")?.toLowerCase() === "failed");
  if (!failed) return { kind: "noted" };
  const status = /^\d\.\d{1,3}\.\d{1,3}/.exec(failed.get("status") ?? "")?.[0] ?? "";
  const answer = (failed.get("diagnostic-code") ?? "").replace(/^[\w-]+\s*;\s*/, "");
  return {
    kind: "bounced",
    token: await tokenIn(email),
    // Exim has 5.0.0 for every failure, and the code in the answer of the receiving server.
    isPermanent: isBadAddress(answer) || (!hasCode(answer) && isBadAddress(`550 ${status}`)),
    reason: answer || status,
  };
}

const hasCode = (answer: string) => /^\d{3}[ -]\d\.\d{1,3}\.\d{1,3}/.test(answer);

/** Groups of header fields, separated by blank lines; the names in lower case. */
const groupsOf = (text: string) =>
  text
    .replaceAll(/\r\n?/g, "\n")
    .split(/\n[ \t]*\n/)
    .map(
      (group) =>
        new Map(
          group
            .replaceAll(/\n[ \t]+/g, " ")
            .split("\n")
            .flatMap(fieldOf),
        ),
    );

function fieldOf(line: string): [string, string][] {
  const colon = line.indexOf(":");
  return colon > 0 ? [[line.slice(0, colon).toLowerCase(), line.slice(colon + 1).trim()]] : [];
}

/** The token of the link that unsubscribes, in the headers of the returned letter. */
async function tokenIn(email: Email) {
  for (const part of partsOf(email, ...RETURNED).slice(0, MOST_RETURNED)) {
    const { headers } = await PostalMime.parse(part, LIMITS);
    const link = headers.find(({ key }) => key === "list-unsubscribe")?.value ?? "";
    const token = /<[^<>\s]*[?&]token=([^<>&\s]+)/.exec(link.replaceAll(/\s+/g, ""))?.[1];
    if (token !== undefined) return token;
  }
  return null;
}

/** RFC 3834: an answer of a program, such as of someone who is on holiday. Servers without DSN send from no address. */
const isAutomatic = ({ headers }: Email) =>
  headers.some(
    ({ key, value }) =>
      (key === "auto-submitted" && value.trim().toLowerCase() !== "no") ||
      (key === "precedence" && /^(bulk|junk|list|auto_reply)$/i.test(value.trim())) ||
      (key === "return-path" && value.trim() === "<>"),
  );
