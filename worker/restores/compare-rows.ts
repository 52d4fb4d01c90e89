import { sql } from "drizzle-orm";
import { ROWS } from "#worker/exports/left-out.ts";
import type { Row, Value } from "#worker/exports/rows.ts";
import type { Context } from "#worker/platform/context.ts";
import type { Table } from "#worker/platform/data/schema.ts";
import { linesIn } from "#worker/restores/check-rows.ts";
import type { Comparison } from "#worker/restores/contract.ts";
import { KEPT_OF_ACCOUNTS, readExpected, rowOf } from "#worker/restores/insert-rows.ts";

/**
 * Why a row is not the archive's after a restore. Anything else is a fault, or was changed by a visitor during the
 * restore.
 */
const reasons = {
  account: (count) =>
    count === 1
      ? "An account that was here keeps its password and its role."
      : `${count} accounts that were here keep their passwords and roles.`,
  draft: (count) =>
    count === 1
      ? "A letter became a draft, because its time had passed."
      : `${count} letters became drafts, because their times had passed.`,
  paused: (count) =>
    count === 1
      ? "A letter that was being sent is paused."
      : `${count} letters that were being sent are paused.`,
  switchedOff: (count) =>
    count === 1
      ? "An automatic letter is switched off, because it may have been sent since."
      : `${count} automatic letters are switched off, because they may have been sent since.`,
  leftOut: (count) => `Left out: ${count}, of something that was deleted while the archive was made.`,
  unlinked: (count) => `Without a link to something that was deleted while the archive was made: ${count}.`,
  counted: (count) => `Counted on since the restore began: ${count}.`,
  chained: (count) => `Added to the security log’s chain since the restore began: ${count}.`,
} satisfies Record<string, (count: number) => string>;
type Reason = keyof typeof reasons;

/** What was found so far in a table. */
export type Compared = {
  /** Rows of the archive, and how many of them are here. */
  rows: number;
  present: number;
  expected: Partial<Record<Reason, number>>;
  different: number;
  /** The keys of the first that differ. */
  keys: string[];
};

export const nothingCompared: Compared = { rows: 0, present: 0, expected: {}, different: 0, keys: [] };

/** Keys that a report names. */
const MOST_KEYS = 5;

/** Compares the rows of a piece with those of the table, each byte for byte, and adds what it finds. */
export async function compareRows(
  ctx: Context,
  importId: number,
  table: Table,
  text: string,
  compared: Compared,
): Promise<Compared> {
  const lines = linesIn(text).map((line) => ({ line, row: JSON.parse(line) as Row }));
  const present = await readByKey(
    ctx,
    table,
    lines.map(({ row }) => row),
  );
  const others = lines.filter(({ line, row }) => inJson(present.get(keyOf(table, row))) !== line);
  const read =
    others.length > 0
      ? await readExpected(
          ctx,
          importId,
          table,
          others.map(({ row }) => row),
        )
      : [];
  const expected = new Map(read.map((row) => [keyOf(table, row), row]));
  const found: Compared = {
    ...compared,
    rows: compared.rows + lines.length,
    present: compared.present + present.size,
    expected: { ...compared.expected },
    keys: [...compared.keys],
  };
  for (const { row } of others) {
    const key = keyOf(table, row);
    const reason = reasonFor(table, row, expected.get(key), present.get(key));
    if (reason === "same") continue;
    if (reason !== null) found.expected[reason] = (found.expected[reason] ?? 0) + 1;
    else {
      found.different++;
      if (found.keys.length < MOST_KEYS) found.keys.push(table.key.map((name) => row[name]).join(" "));
    }
  }
  return found;
}

const inJson = (row: Row | undefined) => row && JSON.stringify(row);
const keyOf = ({ key }: Table, row: Row) => JSON.stringify(key.map((name) => row[name]));

/** The rows of the table with the keys of these rows. */
async function readByKey({ db }: Context, table: Table, rows: Row[]) {
  const keys = JSON.stringify(rows.map((row) => table.key.map((name) => row[name])));
  const names = table.columns.map(({ name }) => name);
  const columns = names.map((name) => sql.raw(`present."${name}"`));
  const isIt = table.key.map((name, at) => sql.raw(`present."${name}" = given.value ->> ${at}`));
  const found = await db.values<Value[]>(
    sql`select ${sql.join(columns, sql`, `)} from json_each(${keys}) as given
      cross join ${sql.identifier(table.name)} as present on ${sql.join(isIt, sql` and `)}`,
  );
  return new Map(found.map((values) => rowOf(names, values)).map((row) => [keyOf(table, row), row]));
}

/** Null for a difference that is not expected. */
function reasonFor(
  { name }: Table,
  row: Row,
  expected: Row | undefined,
  present: Row | undefined,
): Reason | "same" | null {
  if (inJson(present) !== inJson(expected) && !isSeen(name, expected, present))
    return present ? reasonForGrowth(name, row, present) : null;
  if (!present) return "leftOut";
  if (inJson(row) === inJson(present)) return "same";
  if (name === "users") return isOwnAccount(row, present) ? "account" : "unlinked";
  if (name === "automatic_letters") return "switchedOff";
  if (name !== "letters") return "unlinked";
  if (row["status"] === "sending") return "paused";
  return row["status"] === present["status"] ? "unlinked" : "draft";
}

/** Whether all that differs is when the user was seen: the owner follows the restore. */
const isSeen = (name: string, expected: Row | undefined, present: Row | undefined) =>
  name === "users" &&
  inJson(expected && { ...expected, last_seen_at: null }) ===
    inJson(present && { ...present, last_seen_at: null });

/** Whether all that differs is what an account that was there before the restore keeps. */
export const isOwnAccount = (row: Row, present: Row) =>
  Object.entries(row).every(
    ([column, value]) => present[column] === value || KEPT_OF_ACCOUNTS.includes(column),
  );

/** What the site itself has changed in a row since the restore began. */
function reasonForGrowth(name: string, row: Row, present: Row): Reason | null {
  if (COUNTED.includes(name)) return isGrown(row, present) ? "counted" : null;
  return isChained(name, row, present) ? "chained" : null;
}

/** The columns that each minute's cron writes once it has chained an entry of the security log. */
const CHAINED: Record<string, readonly string[]> = {
  log_chain: ["last_id", "last_hash"],
  security_events: ["salt", "personal_hash", "hash"],
};

/** Whether an entry was chained since, which had no hash in the archive, or the head is a later one. */
function isChained(name: string, row: Row, present: Row) {
  const columns = CHAINED[name];
  return (
    columns !== undefined &&
    !row["hash"] &&
    Object.entries(row).every(([column, value]) => present[column] === value || columns.includes(column))
  );
}

/** Tables in which each visit changes a row. */
const COUNTED = [
  "analytics_counts",
  "analytics_rejections",
  "analytics_sources",
  "analytics_totals",
  "analytics_zones",
  "download_totals",
  "downloads",
  "listeners",
  "sending_days",
];

const isGrown = (row: Row, present: Row) =>
  Object.entries(row).every(([column, value]) => {
    const other = present[column];
    return value === other || (typeof value === "number" && typeof other === "number" && other > value);
  });

/** The end of a table's comparison, in words. `rows`: of the archive. */
export async function describeComparison(
  { db }: Context,
  { name }: Table,
  rows: number,
  { rows: compared, present, expected, different: found, keys }: Compared,
): Promise<{ result: Comparison; message: string }> {
  const [{ count } = { count: 0 }] = await db.all<{ count: number }>(
    sql.raw(`select count(*) as count from "${name}" where ${ROWS[name] ?? "true"}`),
  );
  const more = count - present;
  const different = found + rows - compared;
  const why = Object.entries(expected).map(([reason, times]) => reasons[reason as Reason](times));
  const isSame = different === 0 && why.length === 0;
  const named = [...keys, ...(different > keys.length ? ["…"] : [])].join(", ");
  const all = rows === 1 ? "1 row" : `${rows.toLocaleString("en")} rows`;
  const parts = [
    rows === 0 ? "Empty in the archive." : isSame ? `${all}, the same as in the archive.` : `${all}.`,
    different > 0 && `Not the archive’s: ${different.toLocaleString("en")} (${named}).`,
    ...why,
    more > 0 && `${more.toLocaleString("en")} more written here.`,
  ];
  return {
    result: different > 0 ? "different" : isSame ? "same" : "expected",
    message: parts.filter(Boolean).join(" "),
  };
}
