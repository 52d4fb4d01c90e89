import { existsSync, readFileSync } from "node:fs";
import { chmod, mkdir, mkdtemp, rename, rm, rmdir } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import { createContext } from "#worker/platform/context.ts";
import { startBuiltWorker } from "./built-worker.ts";
import { build, PORT, prepare, STATE } from "./local.ts";
import { lockState } from "./lock.ts";
import { checkLinks } from "./static/check-links.ts";
import { readOptions } from "./static/options.ts";
import { MOST_REDIRECTS } from "./static/redirects.ts";
import { writeSite } from "./static/write-site.ts";
import { root } from "./tools.ts";

/**
 * `npm run static -- FOLDER` writes the public site of the local database as files that any host of files can serve.
 * `--address` is the new address, `--from` the old one, and `--audio` copies the recordings, too.
 */

/** The address that `npm run deploy` stored. */
function deployedAddress() {
  const file = join(root, ".deploy.json");
  if (!existsSync(file)) return undefined;
  return (JSON.parse(readFileSync(file, "utf8")) as { SITE_URL?: string }).SITE_URL;
}

function readArguments() {
  try {
    return readOptions(process.argv.slice(2), deployedAddress() ?? `http://localhost:${PORT}`);
  } catch (error) {
    console.error((error as Error).message);
    process.exit(1);
  }
}

const { folder, from, address, hasAudio } = readArguments();
lockState(STATE, PORT);
console.log("Building the site …");
await build();
await prepare();
await mkdir(dirname(folder), { recursive: true });
// Under its name once it is whole.
const unfinished = await mkdtemp(join(dirname(folder), `.${basename(folder)}-`));
const worker = await startBuiltWorker({
  state: STATE,
  hasAssets: true,
  vars: { SITE_URL: from, EDGE_CACHE: "off" },
  log: ({ level, message }) => level === "error" && console.error(message),
});
try {
  const ctx = createContext(await worker.miniflare.getBindings<Env>(), {
    actor: { kind: "job", name: "static" },
  });
  const written = await writeSite({ folder: unfinished, url: worker.url, ctx, from, address, hasAudio });
  const dead = checkLinks(unfinished, { address });
  // A temporary folder is its owner's alone: a web server could not read it.
  await chmod(unfinished, 0o755);
  // `readOptions` has checked that it is empty. If files were added since, this fails instead of deleting them.
  if (existsSync(folder)) await rmdir(folder);
  await rename(unfinished, folder);
  summarize(written, dead);
} catch (error) {
  await rm(unfinished, { recursive: true, force: true });
  throw error;
} finally {
  await worker.miniflare.dispose();
}

function summarize(
  { name, files, bytes, redirects, omitted, recordings, missing }: Awaited<ReturnType<typeof writeSite>>,
  dead: ReturnType<typeof checkLinks>,
) {
  console.log(
    `\n${folder}: the site of ${name}, ${files} files, ${(bytes / 1e6).toFixed(1)} MB, for ${address}.`,
  );
  if (recordings.length > 0)
    console.log(
      `${recordings.length} recordings stay at ${from}; audio.txt lists them, and --audio copies them.`,
    );
  if (redirects.length > MOST_REDIRECTS)
    console.log(
      `_redirects has ${redirects.length} lines: Cloudflare Pages reads the first ${MOST_REDIRECTS}.`,
    );
  if (omitted.length > 0)
    console.log(
      `Without a redirect, because the addresses have a query: ${listOf(omitted.map((each) => each.from))}`,
    );
  if (missing.length > 0) console.log(`Neither here nor at ${from}: ${listOf(missing)}`);
  if (dead.length > 0)
    console.log(`Dead links, as on the site: ${listOf(dead.map(({ file, link }) => `${link} in ${file}`))}`);
}

/** Lines of a list that are shown. */
const SHOWN = 20;
function listOf(lines: string[]) {
  const rest = lines.length > SHOWN ? [`… and ${lines.length - SHOWN} more`] : [];
  return [...lines.slice(0, SHOWN), ...rest].map((line) => `\n  ${line}`).join("");
}
