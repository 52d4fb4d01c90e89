import { sql } from "drizzle-orm";
import { drizzle } from "drizzle-orm/d1";
import type { FileLine, TableFacts } from "#worker/backups/contract.ts";
import { readSchema } from "#worker/backups/database-sql.ts";
import type { Context } from "#worker/platform/context.ts";
import { clientOf } from "#worker/platform/data/database.ts";
import { askOf } from "#worker/platform/data/schema.ts";

/** The tables of a drill's own. */
const STEPS = "drill_steps";
const LISTED = "drill_files";
const isOwn = (name: string) => name === STEPS || name === LISTED;

/** Statements of one batch. */
const MOST = 400;
const FEW = 40;
/** Bytes of one statement: D1 takes 100,000. */
const STATEMENT_BYTES = 90_000;

const batchOf = ({ config }: Context) => (config.plan === "free" ? FEW : MOST);

/** The same context with the drill's database in place of the site's. */
export function inDrill(ctx: Context): Context {
  const d1 = { statements: 0, roundTrips: 0, rowsRead: 0, milliseconds: 0, isUnavailable: false };
  const session = ctx.drill!.withSession("first-primary");
  return { ...ctx, d1, db: drizzle(clientOf(session, d1, { together: false })), later: () => {} };
}

const run = (ctx: Context, statements: string[]) =>
  ctx.drill!.batch(statements.map((statement) => ctx.drill!.prepare(statement)));

/** Rows that D1 counts as written when these are restored: each row, and its entry in each index. */
export async function restoredWrites({ db }: Context, tables: TableFacts[]) {
  const found = await db.all<{ name: string; count: number }>(
    sql`select tbl_name as name, count(*) as count from sqlite_schema where type = 'index' group by tbl_name`,
  );
  const indexes = new Map(found.map(({ name, count }) => [name, count]));
  return tables.reduce((sum, { name, rows }) => sum + rows * (1 + (indexes.get(name) ?? 0)), 0);
}

/** Drops what a former drill left, a batch at a time. Returns whether there is more. */
export async function clearDrill(ctx: Context) {
  const { results } = await ctx
    .drill!.prepare(
      `select type, name, sql from sqlite_schema where sql is not null and type in ('table', 'trigger', 'view')
        and name not like 'sqlite\\_%' escape '\\' and name not like '\\_cf\\_%' escape '\\'`,
    )
    .all<{ type: string; name: string; sql: string }>();
  const found = results.toSorted((a, b) => Number(b.type === "trigger") - Number(a.type === "trigger"));
  if (found.length === 0) return false;
  await run(
    ctx,
    found.slice(0, batchOf(ctx)).map(({ type, name }) => `drop ${type} if exists "${name}"`),
  );
  return true;
}

export const prepareDrill = (ctx: Context) =>
  run(ctx, [
    `create table if not exists ${STEPS} (step text primary key)`,
    `create table if not exists ${LISTED} (key text primary key, bytes integer, sha256 text, hashed integer not null default 0)`,
  ]);

/**
 * Runs the next statements of a piece, once: a step that was interrupted after its batch is not repeated. Returns where
 * the next batch begins; null at the end.
 */
export async function runStatements(
  ctx: Context,
  { step, statements, from }: { step: string; statements: string[]; from: number },
) {
  const joined = joinInserts(statements.map(withoutReferences));
  const to = from + batchOf(ctx);
  const mark = `${step}:${from}`;
  const isRun = () => ctx.drill!.prepare(`select 1 from ${STEPS} where step = ?1`).bind(mark).first();
  if (!(await isRun())) {
    const first = ctx.drill!.prepare(`insert into ${STEPS} (step) values (?1)`).bind(mark);
    const rest = joined.slice(from, to).map((statement) => ctx.drill!.prepare(statement));
    try {
      await ctx.drill!.batch([first, ...rest]);
    } catch (error) {
      if (!(await isRun())) throw error;
    }
  }
  return to < joined.length ? to : null;
}

/**
 * A table without its foreign keys: rows that refer to one another are restored in several transactions, in any order,
 * and D1 has no way to switch the keys off. A restore by hand has one transaction.
 */
export function withoutReferences(statement: string) {
  if (!/^CREATE TABLE\b/i.test(statement)) return statement;
  return statement
    .replace(
      /,\s*(?:CONSTRAINT\s+\S+\s+)?FOREIGN KEY\s*\([^)]*\)\s*REFERENCES\s+\S+?\s*\([^)]*\)(?:\s+ON\s+(?:UPDATE|DELETE)\s+(?:NO ACTION|SET NULL|SET DEFAULT|CASCADE|RESTRICT))*/gi,
      "",
    )
    .replace(
      /\s+REFERENCES\s+\S+?\s*\([^)]*\)(?:\s+ON\s+(?:UPDATE|DELETE)\s+(?:NO ACTION|SET NULL|SET DEFAULT|CASCADE|RESTRICT))*/gi,
      "",
    );
}

const INSERT = /^INSERT INTO "[^"]+" \((?:"[^"]+",?)+\) VALUES /;

/** One statement for as many rows of a table as D1 takes: an invocation has a limited number of statements. */
export function joinInserts(statements: string[]) {
  const joined: string[] = [];
  let open = { head: "", bytes: 0 };
  for (const statement of statements) {
    const head = INSERT.exec(statement)?.[0] ?? "";
    const bytes = new TextEncoder().encode(statement).length;
    if (head !== "" && head === open.head && open.bytes + bytes <= STATEMENT_BYTES) {
      joined.push(`${joined.pop()},${statement.slice(head.length)}`);
      open.bytes += bytes;
    } else {
      joined.push(statement);
      open = { head, bytes };
    }
  }
  return joined;
}

/** The restored tables. */
export async function readRestored(ctx: Context) {
  const schema = await readSchema(askOf(inDrill(ctx)));
  return { ...schema, tables: schema.tables.filter(({ name }) => !isOwn(name)) };
}

/** Stores the files that the copy names, to compare them with those of the restored database. */
export const storeListed = (ctx: Context, files: FileLine[]) =>
  ctx
    .drill!.prepare(
      `insert or ignore into ${LISTED} (key, bytes, sha256)
        select value ->> 'key', value ->> 'bytes', value ->> 'sha256' from json_each(?1)`,
    )
    .bind(JSON.stringify(files))
    .run();

/** The first of these keys that the copy does not name; null if it names all. */
export const findUnlisted = async (ctx: Context, keys: string[]) =>
  ctx
    .drill!.prepare(
      `select value as key from json_each(?1) where value not in (select key from ${LISTED}) limit 1`,
    )
    .bind(JSON.stringify(keys))
    .first<string>("key");

export type ToHash = { key: string; bytes: number; sha256: string };

/** A file that was not hashed yet, at random; null if there is none. */
export const pickFile = (ctx: Context) =>
  ctx
    .drill!.prepare(`select key, bytes, sha256 from ${LISTED} where hashed = 0 order by random() limit 1`)
    .first<ToHash>();

export const markHashed = (ctx: Context, key: string) =>
  ctx.drill!.prepare(`update ${LISTED} set hashed = 1 where key = ?1`).bind(key).run();

export const countHashed = async (ctx: Context) =>
  (await ctx
    .drill!.prepare(`select count(*) as count from ${LISTED} where hashed = 1`)
    .first<number>("count"))!;
