import type { ImportRow, ImportStatus } from "#worker/newsletter/contract.ts";

/** What a column of a file is read as. */
export const columnNames = {
  email: "Email address",
  subscribedAt: "Sign-up date",
  confirmedAt: "Confirmation date",
  status: "Status",
  source: "Source",
};
export type ColumnKind = keyof typeof columnNames;

/** The number of the column that each is read from; null for none. */
export type Mapping = Record<ColumnKind, number | null>;

/** Headers in the exports of Mailchimp, Substack, beehiiv, Kit, Ghost, Buttondown and this site, in simple letters. */
const headers: Record<Exclude<ColumnKind, "status">, RegExp> = {
  email: /^(e ?mail( address)?|subscriber e ?mail|address)$/,
  subscribedAt:
    /^(optin time|subscribed at|subscribe date|created( at| on)?|date (subscribed|added|created)|sign ?up date|start date|creation date)$/,
  confirmedAt: /^(confirm time|confirmed( at)?|verified at|confirmation (date|time)|opt in confirmed at)$/,
  source: /^(source|signup source|sign ?up source|utm source|origin|referr?er source)$/,
};

/** A column that holds a word for the state, or yes or no. */
const SAYS_STATUS =
  /^(status|state|subscription status|subscriber type|subscribed( to emails)?|e ?mail disabled)$/;

/** A column that says when somebody left: Mailchimp's "UNSUB_TIME", Buttondown's "unsubscription_date". */
const SAYS_WHEN_LEFT = /^unsub(scribed?|scription)? (time|date|at|on)$/;

/** A column that says when mails began to come back: Mailchimp's "CLEAN_TIME". */
const SAYS_WHEN_BOUNCED = /^(clean(ed)?|bounced?) (time|date|at|on)$/;

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
  const find = (kind: keyof typeof headers) => indexOf(names, (name) => headers[kind].test(name));
  const looksLikeEmail = header.findIndex((_, index) => rows.some((cells) => EMAIL.test(cells[index] ?? "")));
  return {
    email: find("email") ?? (looksLikeEmail < 0 ? null : looksLikeEmail),
    subscribedAt: find("subscribedAt"),
    confirmedAt: find("confirmedAt"),
    status: findStatus(names, rows),
    source: find("source"),
  };
}

/** Buttondown's "type" is a status; elsewhere a column of that name may hold anything, so its words decide. */
function findStatus(names: string[], rows: string[][]) {
  const wordsOf = (index: number) => rows.map((cells) => simple(cells[index] ?? "")).filter(Boolean);
  return (
    indexOf(names, (name) => SAYS_STATUS.test(name)) ??
    indexOf(names, (name, index) => name === "type" && wordsOf(index).some(statusOfWord)) ??
    indexOf(names, (name) => SAYS_WHEN_LEFT.test(name) || SAYS_WHEN_BOUNCED.test(name)) ??
    indexOf(names, (name, index) => name === "type" && wordsOf(index).length === 0)
  );
}

function indexOf(names: string[], isIt: (name: string, index: number) => boolean) {
  const index = names.findIndex(isIt);
  return index < 0 ? null : index;
}

/** What services call the states of a subscriber. */
const statuses: [RegExp, ImportStatus][] = [
  [
    /^(active|subscribed|confirmed|enabled|free|paid|unpaid|past due|comped|regular|premium|gift(ed)?|trialed|churning|true|yes)$/,
    "active",
  ],
  [/^(pending|unconfirmed|validating|unactivated|needs attention|not confirmed)$/, "pending"],
  [/^(unsubscribed|cancell?ed|inactive|removed|disabled|archived|deleted|paused|false|no)$/, "unsubscribed"],
  [/^(bounced|cleaned|undeliverable|invalid|hard bounced?|blocked)$/, "bounced"],
  [/^(complained|complaint|spam|abuse|spammy|marked as spam)$/, "complained"],
];

const statusOfWord = (word: string) => statuses.find(([words]) => words.test(word))?.[1];

/** A column that says whether, or when, somebody left; its header: "email_disabled", "UNSUB_TIME". */
const TELLS_WHO_LEFT = /disabled|unsub/;

/** Undefined for a word that is not known. */
export function statusOf(cell: string, header: string): ImportStatus | undefined {
  const name = simple(header);
  if (SAYS_WHEN_BOUNCED.test(name)) return isFilled(cell) ? "bounced" : "active";
  if (TELLS_WHO_LEFT.test(name)) return isFilled(cell) ? "unsubscribed" : "active";
  if (cell.trim() === "") return "active";
  return statusOfWord(simple(cell));
}

/** It says yes, or when: "0000-00-00 00:00:00" is never. */
const isFilled = (cell: string) => !/^(|false|no|n)$/.test(simple(cell)) || /[1-9]/.test(cell);

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
