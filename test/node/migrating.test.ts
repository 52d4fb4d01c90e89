import assert from "node:assert/strict";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, test } from "vitest";
import { getPlatformProxy } from "wrangler";
import { migrate } from "../../scripts/migrations.ts";
import { capture } from "../../scripts/tools.ts";
import { fullTest } from "../support/sweeps.ts";

let folder: string;
let proxy: Awaited<ReturnType<typeof getPlatformProxy<Env>>>;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "rostrum-migrating-"));
  proxy = await getPlatformProxy<Env>({ persist: { path: join(folder, "v3") }, remoteBindings: false });
});
afterAll(async () => {
  await proxy.dispose();
  await rm(folder, { recursive: true });
});

fullTest("wrangler finds nothing left to do in a database that was brought up to date here", async () => {
  await migrate(proxy.env.DB);
  const said = await capture("wrangler", [
    "d1",
    "migrations",
    "list",
    "DB",
    "--local",
    "--persist-to",
    folder,
  ]);
  assert.match(said, /No migrations to apply/);
});

test("a migration is applied once, whole or not at all", async () => {
  const db = proxy.env.DB;
  const migrations = await mkdtemp(join(folder, "migrations-"));
  const first = "create table things (name text); insert into things values ('one');";
  await writeFile(join(migrations, "9001.sql"), first);
  await migrate(db, migrations);
  await writeFile(
    join(migrations, "9002.sql"),
    "insert into things values ('two'); insert into missing values (1);",
  );
  await assert.rejects(migrate(db, migrations), /no such table: missing/);
  const { results } = await db.prepare("select name from things").all();
  assert.deepEqual(results, [{ name: "one" }]);
  await writeFile(join(migrations, "9002.sql"), "insert into things values ('two');");
  await migrate(db, migrations);
  assert.deepEqual((await db.prepare("select name from things").all()).results, [
    { name: "one" },
    { name: "two" },
  ]);
});
