import { createHash } from "node:crypto";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { mkdir, mkdtemp, readdir, rename, rm } from "node:fs/promises";
import { join } from "node:path";
import { prepare } from "./local.ts";
import { root } from "./tools.ts";

const FOLDER = join(root, ".wrangler", "prepared");
/** What decides the state. (So do the use cases that load the demo: after a change of what they store, delete FOLDER.) */
const SOURCES = ["migrations", "demo"];

/** Of this process: its sources are read once. */
let prepared: string | undefined;

/** A folder with a migrated state and the demo, to be copied. It is created once for each version of its sources. */
export async function preparedState() {
  prepared ??= join(FOLDER, hashOf(SOURCES));
  if (!existsSync(prepared)) await make(prepared);
  return prepared;
}

/** Made under another name first, so that a run that is cut off leaves nothing half made. */
async function make(folder: string) {
  await mkdir(FOLDER, { recursive: true });
  const earlier = await readdir(FOLDER);
  const unfinished = await mkdtemp(join(FOLDER, "unfinished-"));
  await prepare(unfinished);
  await rename(unfinished, folder);
  for (const name of earlier) await rm(join(FOLDER, name), { recursive: true, force: true });
}

function hashOf(folders: string[]) {
  const hash = createHash("sha256");
  for (const folder of folders) {
    const names = readdirSync(join(root, folder), { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map((entry) => join(entry.parentPath, entry.name));
    for (const name of names.toSorted()) hash.update(name.slice(root.length)).update(readFileSync(name));
  }
  return hash.digest("hex").slice(0, 16);
}
