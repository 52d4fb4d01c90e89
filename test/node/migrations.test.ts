import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { cp, mkdtemp, readdir, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, relative } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { readD1Migrations } from "@cloudflare/vitest-plugin";
import { test } from "vitest";
import { root } from "../../scripts/tools.ts";
import { migratedSchema } from "../support/migrated-schema.ts";

test("the migrations match the tables: drizzle-kit finds nothing to generate", async () => {
  const folder = await mkdtemp(join(tmpdir(), "rostrum-migrations-"));
  try {
    await cp(join(root, "migrations"), folder, { recursive: true });
    const before = await readdir(folder);
    const drizzleKit = join(root, "node_modules/drizzle-kit/bin.cjs");
    const output = execFileSync(
      process.execPath,
      [
        drizzleKit,
        "generate",
        "--dialect=sqlite",
        "--schema=./worker/*/table.ts",
        `--out=${relative(root, folder)}`,
      ],
      { cwd: root, encoding: "utf8" },
    );
    assert.match(output, /No schema changes/);
    assert.deepEqual(await readdir(folder), before);
  } finally {
    await rm(folder, { recursive: true });
  }
});

test("the journal and the migration files match", async () => {
  const { entries } = JSON.parse(await readFile(join(root, "migrations/meta/_journal.json"), "utf8")) as {
    entries: { tag: string }[];
  };
  const files = (await readdir(join(root, "migrations"))).filter((name) => name.endsWith(".sql"));
  assert.deepEqual(
    entries.map(({ tag }) => `${tag}.sql`),
    files.toSorted(),
  );
});

test("test files in workerd begin with the database that the migrations make one after another", async () => {
  const folder = join(root, "migrations");
  const migrations = await readD1Migrations(folder);
  const statements = migrations.flatMap(({ queries }) => queries);
  const [migrated, made] = [statements, migratedSchema(migrations).queries].map((queries) => {
    const database = new DatabaseSync(":memory:");
    for (const query of queries) database.exec(query);
    const read = (sql: string) => database.prepare(sql).all();
    const schema = read("select type, name, tbl_name, sql from sqlite_schema order by type, name");
    // The index of an empty search differs by how often it was changed.
    const tables = read(
      "select name from pragma_table_list where schema = 'main' and (type = 'table' or name like '%\\_config' escape '\\') and name not like 'sqlite%' order by name",
    );
    return { schema, rows: tables.map(({ name }) => [name, read(`select * from "${String(name)}"`)]) };
  });
  assert.deepEqual(made, migrated);
});
