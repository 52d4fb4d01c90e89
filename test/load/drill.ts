import assert from "node:assert/strict";
import { DatabaseSync } from "node:sqlite";
import { Manifest, type DrillReport } from "#worker/backups/contract.ts";
import { statementsOf } from "#worker/backups/copy-database.ts";
import { manifestKey, partKey } from "#worker/backups/store.ts";
import { createContext } from "#worker/platform/context.ts";
import { startBuiltSite } from "../support/built-site.ts";
import { signInOwner } from "./site.ts";

/**
 * `npm run drill`: has the built site with the demo make a copy and drill it, on the paid and on the free plan; restores
 * the copy in one transaction, as docs/deploy.md does by hand; then changes one byte, and expects the drill to fail.
 */

/** Ticks after which a run counts as hanging. */
const MOST_TICKS = 600;

for (const plan of ["paid", "free"]) {
  const site = await startBuiltSite({ vars: { PLAN: plan }, log: showErrors });
  try {
    const cookie = await signInOwner(createContext(site.env, { actor: { kind: "job", name: "load" } }));
    await drillOn({ ...site, cookie }, plan);
  } finally {
    await site.stop();
  }
}

function showErrors({ level, message }: { level: string; message: string }) {
  if (level === "error") console.error(message.slice(0, 500));
}

type Site = Awaited<ReturnType<typeof startBuiltSite>> & { cookie: string };
type Run = { id: number; state: string; copy: string; problem: string | null; position: string };

async function drillOn(site: Site, plan: string) {
  const start = performance.now();
  const copy = await run(site, "copies");
  assert.equal(copy.problem, null);
  const { env } = site;
  const read = async (key: string) => (await env.BACKUP.get(key))!.text();
  const manifest = Manifest.parse(JSON.parse(await read(manifestKey(copy.copy))));
  restore(await read(partKey(copy.copy, "database.sql")), manifest);

  const drill = await run(site, "drills");
  assert.equal(drill.problem, null);
  const report = JSON.parse(drill.position) as DrillReport;
  // The free plan's rows of a day are too few to restore the demo: its bytes are compared.
  assert.equal(report.isRestored, plan === "paid");
  if (report.isRestored) assert.equal(report.feed, "same");
  const seconds = ((performance.now() - start) / 1000).toFixed(1);
  console.log(
    `Drill, ${plan} plan: ${report.rows} rows of ${report.tables} tables and ${report.files} files are the same${report.isRestored ? ", and the feed" : ", by their bytes"}; ${seconds} s.`,
  );

  const key = partKey(copy.copy, "database.sql");
  const bytes = new Uint8Array(await (await env.BACKUP.get(key))!.arrayBuffer());
  bytes[bytes.length >> 1]! ^= 1;
  await env.BACKUP.put(key, bytes);
  const failed = await run(site, "drills");
  assert.equal(failed.state, "failed");
  assert.match(failed.problem!, /has changed since the copy was made/);
  console.log(`Drill, ${plan} plan: one changed byte was found.`);
}

/** Begins a run as the owner does, and fires the minute's cron until it ends. */
async function run(site: Site, what: "copies" | "drills"): Promise<Run> {
  const response = await fetch(`${site.url}/api/admin/backups/${what}`, {
    method: "POST",
    headers: { cookie: site.cookie, origin: site.url },
  });
  assert.equal(response.status, 202, await response.text());
  for (let ticks = 0; ticks < MOST_TICKS; ticks++) {
    await site.tick(["* * * * *"]);
    const row = await site.env.DB.prepare("select * from backup_runs order by id desc limit 1").first<Run>();
    if (row?.state === "done" || row?.state === "failed") return row;
    await new Promise((resolve) => setTimeout(resolve, 200));
  }
  throw new Error(`The run of ${what} did not end.`);
}

/** One transaction, with all foreign keys, in an empty database. */
function restore(text: string, { database: { tables } }: Manifest) {
  const database = new DatabaseSync(":memory:");
  const statements = statementsOf(text);
  // The statements after the rows change some: the run that made the copy is deleted, and the search index is built.
  const rest = statements.splice(statements.indexOf("DELETE FROM sqlite_sequence"));
  for (const statement of ["begin", ...statements]) database.exec(statement);
  for (const { name, rows } of tables) {
    const { count } = database.prepare(`select count(*) as count from "${name}"`).get() as { count: number };
    assert.equal(count, rows, `${name} has other rows than the manifest says`);
  }
  for (const statement of [...rest, "commit"]) database.exec(statement);
  assert.deepEqual(database.prepare("pragma foreign_key_check").all(), []);
}
