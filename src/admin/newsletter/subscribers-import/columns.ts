import type { ImportRow, ImportStatus } from "#worker/newsletter/contract.ts";

/** What a column of a file is read as. */
export const columnNames = {
  email: "Email address",
  subscribedAt: "Date of sign-up",
  confirmedAt: "Date of confirmation",
  status: "Status",
  source: "Source",
};
export type ColumnKind = keyof typeof columnNames;

/** The number of the column that each is read from; null for none. */
export type Mapping = Record<ColumnKind, number | null>;

/** Headers in the exports of Mailchimp, Substack, beehiiv, Kit, Ghost, Buttondown and this site, in simple letters. */
const headers: Record<ColumnKind, RegExp> = {
  email: /^(e ?mail( address)?|subscriber e ?mail|address)$/,
  subscribedAt:
    /^(optin time|subscribed at|subscribe date|created( at| on)?|date (subscribed|added|created)|sign ?up date|start date|creation date)$/,
  confirmedAt: /^(confirm time|confirmed( at)?|verified at|confirmation (date|time)|opt in confirmed at)$/,
  status:
    /^(status|state|subscription status|subscribed( to emails)?|e ?mail disabled|unsub time|unsubscribed at)$/,
  source: /^(source|signup source|sign ?up source|utm source|origin|referr?er source)$/,
};

const simple = (header: string) =>
  header
    .toLowerCase()
    .replaceAll(/[^a-z]+/g, " ")
    .trim();

const EMAIL = /^\S+@\S+\.\S+$/;

/** Whether the first line of a file names its columns. */
export const isHeader = (cells: string[]) => !cells.some((cell) => EMAIL.test(cell.trim()));

/** Which column is what, by the headers; the address otherwise by what stands in the columns. */
export function guessMapping(header: string[], rows: string[][]): Mapping {
  const names = header.map(simple);
  const find = (kind: ColumnKind) => {
    const index = names.findIndex((name) => headers[kind].test(name));
    return index < 0 ? null : index;
  };
  const looksLikeEmail = header.findIndex((_, index) => rows.some((cells) => EMAIL.test(cells[index] ?? "")));
  return {
    email: find("email") ?? (looksLikeEmail < 0 ? null : looksLikeEmail),
    subscribedAt: find("subscribedAt"),
    confirmedAt: find("confirmedAt"),
    status: find("status"),
    source: find("source"),
  };
}

/** What services call the states of a subscriber. */
const statuses: [RegExp, ImportStatus][] = [
  [/^(active|subscribed|confirmed|enabled|free|paid|comped|regular|premium|gift|true|yes)$/, "active"],
  [/^(pending|unconfirmed|validating|unactivated|needs attention|not confirmed)$/, "pending"],
  [/^(unsubscribed|cancell?ed|inactive|removed|disabled|archived|deleted|paused|false|no)$/, "unsubscribed"],
  [/^(bounced|cleaned|undeliverable|invalid|hard bounced?|blocked)$/, "bounced"],
  [/^(complained|complaint|spam|abuse|spammy|marked as spam)$/, "complained"],
];

/** A column that says whether, or when, somebody left; its header: "email_disabled", "UNSUB_TIME". */
const TELLS_WHO_LEFT = /disabled|unsub/;

/** Undefined for a word that is not known. */
export function statusOf(cell: string, header: string): ImportStatus | undefined {
  const word = simple(cell);
  if (TELLS_WHO_LEFT.test(simple(header))) {
    return /^(|false|no|n)$/.test(word) && !/[1-9]/.test(cell) ? "active" : "unsubscribed";
  }
  if (cell.trim() === "") return "active";
  return statuses.find(([words]) => words.test(word))?.[1];
}

/** The first mails of newsletters; an earlier date is no date. */
const EARLIEST = Date.UTC(1990, 0, 1);

/**
 * Milliseconds UTC. Only dates that begin with the year, which all these services write: in others nobody knows the month
 * from the day. Null for none, undefined for one that cannot be read.
 */
export function dateOf(cell: string, now: number): number | null | undefined {
  const text = cell.trim();
  if (text === "" || text.startsWith("0000")) return null;
  const [, day, time = "00:00:00", zone = "Z"] =
    /^(\d{4}[-/]\d\d[-/]\d\d)(?:[T ](\d\d:\d\d(?::\d\d(?:\.\d{1,9})?)?))?\s*(Z|UTC|[+-]\d\d:?\d\d)?$/i.exec(
      text,
    ) ?? [];
  if (!day) return undefined;
  const offset = /^[+-]/.test(zone) ? zone.replace(/^(...):?/, "$1:") : "Z";
  const at = Date.parse(`${day.replaceAll("/", "-")}T${time.replace(/(\.\d{3})\d+$/, "$1")}${offset}`);
  return at >= EARLIEST && at <= now ? at : undefined;
}

/** A word that the list can be filtered by; null for none. */
export function sourceOf(cell: string) {
  const word = cell
    .toLowerCase()
    .replaceAll(/[^a-z0-9_-]+/g, "-")
    .replace(/^[^a-z]+/, "")
    .slice(0, 40)
    .replace(/-+$/, "");
  return word === "" ? null : word;
}

/** Characters that an address may have when it is sent: of a longer cell the beginning names it in the report. */
const MAX_EMAIL = 300;

export type ReadRow =
  | { row: ImportRow; isDateUnread: boolean }
  /** Its status is a word that nobody here knows. */
  | { unknownStatus: string };

export function readRow(
  cells: string[],
  line: number,
  mapping: Mapping,
  header: string[],
  now: number,
): ReadRow {
  const cell = (kind: ColumnKind) => (mapping[kind] === null ? "" : (cells[mapping[kind]] ?? ""));
  const status = mapping.status === null ? "active" : statusOf(cell("status"), header[mapping.status] ?? "");
  if (status === undefined) return { unknownStatus: cell("status").trim().slice(0, 40) };
  const [subscribedAt, confirmedAt] = [dateOf(cell("subscribedAt"), now), dateOf(cell("confirmedAt"), now)];
  return {
    row: {
      line,
      email: cell("email").trim().slice(0, MAX_EMAIL),
      status,
      source: sourceOf(cell("source")),
      subscribedAt: subscribedAt ?? null,
      confirmedAt: confirmedAt ?? null,
    },
    isDateUnread: subscribedAt === undefined || confirmedAt === undefined,
  };
}
