import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { cp, mkdtemp, readdir, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, relative } from "node:path";
import { test } from "vitest";
import { root } from "../../scripts/tools.ts";

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
