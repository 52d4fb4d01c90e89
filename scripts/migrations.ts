import { join } from "node:path";
import { readD1Migrations } from "@cloudflare/vitest-plugin";
import { root } from "./tools.ts";

/** The columns of wrangler's own table, so that its commands recognise applied migrations. */
const TABLE = `create table if not exists d1_migrations (
  id integer primary key autoincrement,
  name text unique,
  applied_at timestamp default current_timestamp not null
)`;

/**
 * Migrates a local database. Wrangler's command restarts workerd for each migration, which takes 13 seconds at the
 * first start.
 */
export async function migrate(db: D1Database, folder = join(root, "migrations")) {
  await db.prepare(TABLE).run();
  const { results } = await db.prepare("select name from d1_migrations").all<{ name: string }>();
  const applied = new Set(results.map(({ name }) => name));
  for (const { name, queries } of await readD1Migrations(folder)) {
    if (applied.has(name)) continue;
    const statements = queries.map((query) => db.prepare(query));
    await db.batch([...statements, db.prepare("insert into d1_migrations (name) values (?)").bind(name)]);
  }
}
