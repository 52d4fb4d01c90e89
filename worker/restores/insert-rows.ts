import { sql, type SQL } from "drizzle-orm";
import type { Row, Value } from "#worker/exports/rows.ts";
import type { Context } from "#worker/platform/context.ts";
import type { Table } from "#worker/platform/data/schema.ts";

/** Characters of the rows of a statement. D1 takes two million bytes a value, and a character has up to three. */
const MOST_CHARACTERS = 500_000;

/** Rows as a table `given`, and a column of it. */
type Given = { rows: SQL; column: (name: string) => SQL };

type Rule = {
  /** Columns with other values than the archive's. */
  values?: (given: Given, importId: number) => Record<string, SQL>;
  /** Columns that an archive does not have, or that have another value until `after`. */
  firstValues?: Record<string, SQL>;
  /** Statements before and after the insertion. */
  before?: (given: Given) => SQL[];
  after?: (given: Given) => SQL[];
  /** Rows that are there stay, with these values in these columns. */
  keptValues?: (given: Given) => Record<string, SQL>;
};

const PAUSED =
  "The site was restored from an archive. This letter may have been sent since: check before you resume.";

/** SQL: the value of the account with the same address if that has a password here, and otherwise the archive's. */
const ownOr = (name: string, { column }: Given) => {
  const own = sql`from users as own where own.email = ${column("email")} and own.password_hash is not null`;
  return sql`iif(exists (select 1 ${own}), (select ${sql.raw(`own."${name}"`)} ${own}), ${column(name)})`;
};

/** Columns of an account with a password here, which keep their values. */
export const KEPT_OF_ACCOUNTS = ["role", "is_active", "last_seen_at"];

const rules: Record<string, Rule> = {
  // A trigger gives each complete file a number. This one is set afterwards, and with it the search index.
  files: {
    firstValues: { number: sql`null`, status: sql`'uploading'` },
    after: ({ rows, column }) => [
      sql`update files set number = ${column("number")}, status = 'complete' from ${rows}
        where files.id = ${column("id")}`,
    ],
  },
  // Passwords are set by mailed links: an account without one is an invited one. An account with the same address, such
  // as that of the owner who restores the site, keeps its password and role, and gets the id by which others know it.
  users: {
    firstValues: { stamp: sql`lower(hex(randomblob(32)))`, email_verified: sql`0` },
    before: ({ rows, column }) => [
      sql`pragma defer_foreign_keys = on`,
      ...["sessions", "api_tokens", "second_factors", "recovery_codes", "known_devices"].map((table) => {
        const ofUser = sql.raw(table);
        return sql`update ${ofUser} set user_id = ${column("id")} from ${rows}, users
          where users.id = ${ofUser}.user_id and users.email = ${column("email")}`;
      }),
      // No token of the former id works.
      sql`delete from ended_sessions where user_id in
        (select users.id from ${rows}, users where users.email = ${column("email")} and users.id <> ${column("id")})`,
      // Their devices know the former id.
      sql`delete from passkeys where user_id in
        (select users.id from ${rows}, users where users.email = ${column("email")} and users.id <> ${column("id")})`,
      sql`update users set id = ${column("id")}, full_name = ${column("full_name")},
          created_at = ${column("created_at")}, updated_at = ${column("updated_at")}
        from ${rows} where users.email = ${column("email")}`,
    ],
    keptValues: (given) => Object.fromEntries(KEPT_OF_ACCOUNTS.map((name) => [name, ownOr(name, given)])),
  },
  // A copy does not know what was sent after it was made. One that becomes due during the restore is sent after it.
  letters: {
    values: ({ column }, importId) => {
      const started = sql`(select started_at from imports where id = ${importId})`;
      const isDue = sql`(${column("status")} = 'scheduled' and ${column("scheduled_for")} <= ${started})`;
      const isStopped = sql`(${isDue} or ${column("status")} = 'sending')`;
      return {
        status: sql`iif(${isDue}, 'draft', iif(${column("status")} = 'sending', 'paused', ${column("status")}))`,
        scheduled_for: sql`iif(${isDue}, null, ${column("scheduled_for")})`,
        paused_reason: sql`iif(${isStopped}, ${PAUSED}, ${column("paused_reason")})`,
      };
    },
  },
  // A copy does not know what was sent after it was made: the owner switches them on again.
  automatic_letters: { values: () => ({ is_on: sql`0` }) },
};

/**
 * The statements that insert these rows of a table. Rows that are there are written over, so that an interrupted restore
 * can repeat them. A row that a visitor has added since, with a unique value of the archive, is deleted. A row that refers to
 * one which was deleted during the export is left out, or refers to none, as the database would have done.
 */
export async function insertRows(
  ctx: Context,
  importId: number,
  table: Table,
  rows: readonly Row[],
): Promise<SQL[]> {
  const uniques = await readUniqueColumns(ctx, table.name);
  return together(table, rows).flatMap((given) => writeRows(importId, table, given, uniques));
}

/** These rows as the restore leaves them; without those that it leaves out. */
export async function readExpected(
  { db }: Context,
  importId: number,
  table: Table,
  rows: readonly Row[],
): Promise<Row[]> {
  const names = table.columns.map(({ name }) => name);
  const found: Row[] = [];
  for (const given of together(table, rows)) {
    const { columns, isWhole } = valuesOf(importId, table, given);
    const kept = rules[table.name]?.keptValues?.(given) ?? {};
    const values = names.map((name) => kept[name] ?? columns.get(name)!);
    const expected = await db.values<Value[]>(
      sql`select ${sql.join(values, sql`, `)} from ${given.rows} where ${isWhole}`,
    );
    found.push(...expected.map((row) => rowOf(names, row)));
  }
  return found;
}

export const rowOf = (names: string[], values: Value[]): Row =>
  Object.fromEntries(names.map((name, at) => [name, values[at]!]));

/** The rows in as few tables as statements take. */
function together(table: Table, rows: readonly Row[]): Given[] {
  const groups: Given[] = [];
  let group: Row[] = [];
  let characters = 0;
  const close = () => {
    if (group.length > 0) groups.push(asJson(group));
    [group, characters] = [[], 0];
  };
  for (const row of rows) {
    const { length } = JSON.stringify(row);
    if (characters + length > MOST_CHARACTERS) close();
    if (length > MOST_CHARACTERS) groups.push(asValues(table, row));
    else group.push(row);
    characters += length;
  }
  close();
  return groups;
}

const asJson = (rows: Row[]): Given => ({
  rows: sql`json_each(${JSON.stringify(rows)}) as given`,
  column: (name) => sql.raw(`given.value ->> '${name}'`),
});

/** A row whose columns are parameters, since together they may be longer than one. */
const asValues = ({ columns }: Table, row: Row): Given => ({
  rows: sql`(select ${sql.join(
    columns.map(({ name }) => sql`${row[name] ?? null} as ${sql.identifier(name)}`),
    sql`, `,
  )}) as given`,
  column: (name) => sql.raw(`given."${name}"`),
});

/** SQL: the restored values of the columns, and whether the rows exist that a row belongs to. */
function valuesOf(importId: number, table: Table, given: Given) {
  const columns = new Map(table.columns.map(({ name }) => [name, given.column(name)]));
  for (const { column, table: of, to, isOwned } of table.references) {
    if (!isOwned)
      columns.set(column, sql`iif(${isIn(given.column(column), of, to)}, ${given.column(column)}, null)`);
  }
  const others = rules[table.name]?.values?.(given, importId) ?? {};
  for (const [name, value] of Object.entries(others)) columns.set(name, value);
  const owned = table.references.filter(({ isOwned }) => isOwned);
  const isWhole = sql.join(
    [sql`true`, ...owned.map(({ column, table: of, to }) => isIn(given.column(column), of, to))],
    sql` and `,
  );
  return { columns, isWhole };
}

function writeRows(importId: number, table: Table, given: Given, uniques: string[][]): SQL[] {
  const { firstValues = {}, before, after, keptValues } = rules[table.name] ?? {};
  const { columns, isWhole } = valuesOf(importId, table, given);
  for (const [name, value] of Object.entries(firstValues)) columns.set(name, value);
  const names = [...columns.keys()].map((name) => sql.identifier(name));
  const keepsPresent = keptValues !== undefined;
  const insert = sql`insert into ${sql.identifier(table.name)} (${sql.join(names, sql`, `)})
    select ${sql.join([...columns.values()], sql`, `)} from ${given.rows} where ${isWhole} ${onConflict(table, [...columns.keys()], keepsPresent)}`;
  const replaced = keepsPresent ? [] : uniques.map((unique) => deleteOthers(table, given, unique));
  return [...(before?.(given) ?? []), ...replaced, insert, ...(after?.(given) ?? [])];
}

/** Deletes the rows that have the values of a unique index in a given row, and another primary key. */
function deleteOthers({ name, key }: Table, { rows, column }: Given, unique: string[]) {
  const present = (of: string) => sql`present.${sql.identifier(of)}`;
  const isEqual = (of: string) => sql`${present(of)} = ${column(of)}`;
  const and = (parts: SQL[]) => sql.join(parts, sql` and `);
  return sql`delete from ${sql.identifier(name)} where rowid in (
    select present.rowid from ${rows} cross join ${sql.identifier(name)} as present
    where ${and(unique.map(isEqual))} and not (${and(key.map(isEqual))}))`;
}

const isIn = (value: SQL, table: string, column: string) =>
  sql`(${value} is null or exists (select 1 from ${sql.identifier(table)} as other where other.${sql.identifier(column)} = ${value}))`;

function onConflict({ key }: Table, columns: string[], keepsPresent: boolean) {
  const others = columns.filter((name) => !key.includes(name));
  if (keepsPresent || others.length === 0) return sql`on conflict do nothing`;
  const keys = sql.join(
    key.map((name) => sql.identifier(name)),
    sql`, `,
  );
  const sets = sql.join(
    others.map((name) => sql`${sql.identifier(name)} = excluded.${sql.identifier(name)}`),
    sql`, `,
  );
  return sql`on conflict (${keys}) do update set ${sets}`;
}

/** The columns of each unique index of a table beside its primary key. Partial indexes are of no table that visitors write. */
async function readUniqueColumns({ db }: Context, table: string) {
  const rows = await db.all<{ of: string; name: string }>(
    sql`select given.name as "of", part.name as name
      from pragma_index_list(${table}) as given join pragma_index_info(given.name) as part
      where given."unique" = 1 and given.origin <> 'pk' and given.partial = 0 order by given.name, part.seqno`,
  );
  return [...Map.groupBy(rows, ({ of }) => of).values()].map((columns) => columns.map(({ name }) => name));
}
