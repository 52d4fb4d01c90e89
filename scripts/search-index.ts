import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createIndex, dropIndex } from "../worker/discovery/search-schema.ts";
import { run } from "./tools.ts";

/**
 * `npm run search-index` rebuilds the search index; `npm run search-index -- drop` removes it. Both are local without
 * `--remote`.
 */
const isDrop = process.argv.includes("drop");
const place = process.argv.includes("--remote") ? "--remote" : "--local";

const folder = await mkdtemp(join(tmpdir(), "rostrum-search-"));
try {
  const file = join(folder, "index.sql");
  const statements = isDrop ? dropIndex : [...dropIndex, ...createIndex];
  await writeFile(file, statements.map((statement) => `${statement};\n`).join(""));
  await run("wrangler", ["d1", "execute", "DB", place, "--yes", "--file", file]);
} finally {
  await rm(folder, { recursive: true });
}
