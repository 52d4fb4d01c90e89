import { join } from "node:path";
import { readD1Migrations } from "@cloudflare/vitest-plugin";
import { root } from "../../scripts/tools.ts";
import { migratedSchema } from "./migrated-schema.ts";

/**
 * Makes the tables of a site in an empty local database, in one call: from Node, each statement that is prepared is a request
 * to workerd that blocks this thread.
 */
export async function makeTables(db: D1Database) {
  const migrations = await readD1Migrations(join(root, "migrations"));
  const known =
    "create table d1_migrations (id integer primary key autoincrement, name text unique, applied_at timestamp default current_timestamp not null)";
  const names = migrations.map(({ name }) => `insert into d1_migrations (name) values ('${name}')`);
  // `exec` takes a statement a line.
  const lines = [known, ...names, ...migratedSchema(migrations).queries].map((query) =>
    query.replaceAll("\n", " "),
  );
  await db.exec(lines.join("\n"));
}
