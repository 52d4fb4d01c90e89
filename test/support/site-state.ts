import { env } from "cloudflare:workers";
import { PLANNING } from "#worker/imports/contract.ts";
import { fileIdOf, isPublished } from "#worker/files/object-keys.ts";

/** All that a site stores: the rows of its tables, and the objects of its files. */
export type SiteState = Map<string, Map<string, Row>>;
type Row = Record<string, unknown>;

/**
 * What may differ between two equal states: counters of attempts, a key that is made on first use, clocks of cached pages, of
 * which one too many only renders a page once more, items of the feed, which are stored when it is read, and the tries of a
 * webhook's delivery, which the outbox repeats until one succeeds.
 */
const UNCOMPARED = [
  "rate_limits",
  "login_attempts",
  "signing_keys",
  "factor_keys",
  "cache_tags",
  "feed_items",
  "webhook_tries",
];
/** Counts that triggers derive from the other tables. */
const DERIVED = /_counts$/;
/** The progress of a delivery, which the outbox repeats until it is done. */
const PROGRESS = ["attempts", "not_before", "claimed_until", "claim", "done_at", "last_error"];

type Table = { name: string; key: string[] };
let tables: Table[] | undefined;

/** The tables with their primary keys, without search indexes, which triggers derive from the others. */
async function findTables(): Promise<Table[]> {
  const { results } = await env.DB.prepare(
    `select m.name as name, json_group_array(p.name) filter (where p.pk > 0) as key
      from sqlite_master m, pragma_table_info(m.name) p
      where m.type = 'table' and m.sql not like 'create virtual%' and m.name not like 'sqlite_%' and m.name not like '_cf_%'
      and not exists (select 1 from sqlite_master v where v.sql like 'create virtual%' and m.name like v.name || '_%')
      group by m.name`,
  ).all<{ name: string; key: string }>();
  return results
    .filter(({ name }) => !UNCOMPARED.includes(name) && !DERIVED.test(name))
    .map(({ name, key }) => ({ name, key: JSON.parse(key) as string[] }));
}

export async function readState(): Promise<SiteState> {
  tables ??= await findTables();
  const results = await env.DB.batch<Row>(
    tables.map(({ name }) => env.DB.prepare(`select * from "${name}"`)),
  );
  const state: SiteState = new Map();
  for (const [at, { name, key }] of tables.entries()) {
    const keyOf = (row: Row) => JSON.stringify(key.length > 0 ? key.map((column) => row[column]) : row);
    const rows = results[at]!.results.map((row): [string, Row] => [keyOf(row), comparedOf(name, row)]);
    state.set(name, new Map(rows));
  }
  leaveOutPlans(state);
  state.set("objects of files", await readObjects(state.get("files")!));
  return state;
}

function comparedOf(table: string, row: Row): Row {
  // No one sees how far an upload has come, except the browser that continues it.
  if (table === "files" && row["status"] === "uploading") return { id: row["id"], status: "uploading" };
  if (table !== "outbox") return row;
  return Object.fromEntries(Object.entries(row).filter(([name]) => !PROGRESS.includes(name)));
}

/** No list has an import whose source is being read, and the sweep deletes it if that was interrupted. */
function leaveOutPlans(state: SiteState) {
  const [imports, items] = [state.get("imports")!, state.get("import_items")!];
  for (const [key, { id, state: of }] of imports) {
    if (of !== PLANNING) continue;
    imports.delete(key);
    for (const [item, row] of items) if (row["import_id"] === id) items.delete(item);
  }
}

/** The objects of complete files: an object is public while its file has a row. */
async function readObjects(files: Map<string, Row>) {
  const found = new Map<string, Row>();
  for (let cursor: string | undefined, isMore = true; isMore;) {
    const listed = await env.MEDIA.list({ cursor });
    for (const { key, size } of listed.objects) {
      const file = files.get(JSON.stringify([fileIdOf(key)]));
      if (isPublished(key) && file?.["status"] === "complete") found.set(key, { key, size });
    }
    isMore = listed.truncated;
    cursor = listed.truncated ? listed.cursor : undefined;
  }
  return found;
}

/** What was added, deleted and changed between two states, with ids, times and secrets as words. */
export function changesBetween(before: SiteState, after: SiteState): string[] {
  const changes: string[] = [];
  for (const [table, rows] of after) {
    const former = before.get(table) ?? new Map<string, Row>();
    for (const [key, row] of rows) {
      const old = former.get(key);
      if (!old) changes.push(`+ ${table} ${JSON.stringify(shapeOf(row))}`);
      else if (JSON.stringify(old) !== JSON.stringify(row))
        changes.push(`~ ${table} ${JSON.stringify(changeOf(old, row))}`);
    }
    for (const [key, row] of former)
      if (!rows.has(key)) changes.push(`- ${table} ${JSON.stringify(shapeOf(row))}`);
  }
  return changes.toSorted();
}

const shapeOf = (row: Row) =>
  Object.fromEntries(Object.entries(row).map(([name, value]) => [name, shape(name, value)]));

/** The changed columns; of a count, by how much it changed. */
function changeOf(old: Row, row: Row) {
  const changed = Object.entries(row).filter(([name, value]) => old[name] !== value);
  return Object.fromEntries(
    changed.map(([name, value]) => {
      const [from, to] = [shape(name, old[name]), shape(name, value)];
      return [name, typeof from === "number" && typeof to === "number" ? `by ${to - from}` : `to ${to}`];
    }),
  );
}

/** Ids, also of versions, and places in lists that get longer. */
const COUNTED = /(?:^|_)(?:id|number|position|order|item|version|rowid|size|thread)$/;
/** Hashes of what differs, such as a name, and secrets. */
const HIDDEN = /digest|hash|packed|stamp|token|secret/;
const LATER_THAN = 1e11;

function shape(name: string, value: unknown) {
  if (value === null) return null;
  if (HIDDEN.test(name)) return "<hidden>";
  if (typeof value === "number") {
    if (COUNTED.test(name)) return "<id>";
    // Of a code of an authenticator app, in half minutes.
    if (name === "last_step") return "<time>";
    // Of a request to another server.
    if (name === "duration_ms") return "<duration>";
    return value > LATER_THAN ? "<time>" : value;
  }
  return (
    String(value)
      .replace(/[\da-f]{8}-[\da-f]{4}-[\da-f]{4}-[\da-f]{4}-[\da-f]{12}/g, "<uuid>")
      // The number in an address: with one more digit the address would be as long as a token.
      .replace(/(?<=[a-z]\/)\d+\b/g, "#")
      .replace(/[\w+/-]{20,}(?:\.[\w-]+)*=*/g, "<token>")
      .replace(/\d[\d.,:]*/g, "#")
  );
}
