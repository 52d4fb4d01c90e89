import { createWriteStream } from "node:fs";
import { rename, rm } from "node:fs/promises";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { backUp } from "../worker/backups/database-sql.ts";
import type { Ask } from "../worker/platform/data/schema.ts";
import { capture } from "./tools.ts";

/**
 * `npm run backup -- FILE` writes the local database into a file, `npm run backup -- FILE --remote` the one at Cloudflare.
 * An empty database becomes the same by `wrangler d1 execute`.
 */
const file = process.argv.slice(2).find((argument) => !argument.startsWith("-"));
const place = process.argv.includes("--remote") ? "--remote" : "--local";
if (file === undefined) {
  console.error("Say where to: npm run backup -- rostrum.sql");
  process.exit(1);
}

const ask: Ask = async (reads) => {
  const said = await capture("wrangler", [
    "d1",
    "execute",
    "DB",
    place,
    "--yes",
    "--json",
    "--command",
    reads.join(";\n"),
  ]);
  return (JSON.parse(said) as { results: Awaited<ReturnType<Ask>>[number] }[]).map(({ results }) => results);
};

async function* lines() {
  for await (const statement of backUp(ask)) yield `${statement};\n`;
}

// Under its name once it is whole.
const unfinished = `${file}.part`;
try {
  await pipeline(Readable.from(lines()), createWriteStream(unfinished, { mode: 0o600 }));
  await rename(unfinished, file);
} catch (error) {
  await rm(unfinished, { force: true });
  throw error;
}
