import { sql } from "drizzle-orm";
import { COLUMNS_LEFT_OUT, LEFT_OUT } from "#worker/exports/left-out.ts";
import type { Context } from "#worker/platform/context.ts";
import { askOf, readSchema, readTable as readOne, type Table } from "#worker/platform/data/schema.ts";

/** Tables that triggers write to when a row is inserted into another one: they come first. */
const WRITTEN_FIRST: Record<string, readonly string[]> = {
  playlists: ["listeners"],
  favorites: ["listeners"],
  progress: ["listeners"],
};

/** What was erased. Read last of all, so that it names also what is erased while the others are read. */
export const ERASED = "erased";

/** The tables of an archive with their columns, each after those that its rows refer to. */
export async function readTables(ctx: Pick<Context, "db">): Promise<Table[]> {
  const { tables } = await readSchema(askOf(ctx));
  const archived = tables.filter(({ name }) => isArchived(name));
  return inOrder(archived.map(archivedOf).toSorted((one, other) => (one.name < other.name ? -1 : 1)));
}

/** One of them; undefined for another name. */
export async function readTable(ctx: Pick<Context, "db">, name: string): Promise<Table | undefined> {
  const table = isArchived(name) ? await readOne(askOf(ctx), name) : undefined;
  return table && archivedOf(table);
}

const archivedOf = ({ name, columns, ...table }: Table): Table => ({
  ...table,
  name,
  columns: columns.filter((column) => !COLUMNS_LEFT_OUT[name]?.includes(column.name)),
});

/** Not Wrangler's. */
const isArchived = (name: string) => !name.startsWith("d1_") && !Object.hasOwn(LEFT_OUT, name);

function inOrder(tables: Table[]) {
  const byName = new Map(tables.map((table) => [table.name, table]));
  const ordered = new Set<Table>();
  const add = (table: Table | undefined) => {
    if (!table || ordered.has(table)) return;
    const first = [
      ...table.references.map((reference) => reference.table),
      ...(WRITTEN_FIRST[table.name] ?? []),
    ];
    for (const name of first) if (name !== table.name) add(byName.get(name));
    ordered.add(table);
  };
  for (const table of tables) if (table.name !== ERASED) add(table);
  add(byName.get(ERASED));
  return [...ordered];
}

/** The name of the last migration of the database. */
export async function readMigration({ db }: Pick<Context, "db">) {
  const [last] = await db.all<{ name: string }>(sql`select name from d1_migrations order by id desc limit 1`);
  return last!.name;
}
