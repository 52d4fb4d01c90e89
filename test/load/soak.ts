import { actorsOf, run, runRounds } from "./actors.ts";
import { readAddresses } from "./addresses.ts";
import { siteDefaults } from "#worker/settings/contract.ts";
import { Client, pause, Records } from "./client.ts";
import { readMemory, type Memory } from "./memory.ts";
import { percentile } from "./percentile.ts";
import { restarted, startLoadSite } from "./site.ts";

/**
 * All kinds of traffic concurrently against the built Worker, for SOAK_MINUTES (10), and SOAK_ROUNDS (20) of each write
 * after a restart. Exits with 1 if a single response was a 5xx, broke off or was wrong, or if memory grows.
 */

const MINUTE = 60_000;
const length = Number(process.env["SOAK_MINUTES"] ?? 10) * MINUTE;
const rounds = Number(process.env["SOAK_ROUNDS"] ?? 20);
/** Milliseconds, after which the rest of the site ends with this process. */
const STOP_WITHIN = 10_000;
/** How often memory is read. The first minute is the warm-up, of a short run the first quarter. */
const READINGS = 12;
const QUARTER = READINGS / 4;
const WARM_UP = Math.min(QUARTER, Math.ceil((MINUTE / length) * READINGS) - 1);
/**
 * Allowed growth from the warm-up to the last quarter: the random variation of a heap that does not grow. The process also
 * holds the local stand-ins, whose files and caches grow with the stored data, and never returns memory to the system.
 */
const GROWTH: Record<keyof Memory, { ratio: number; megabytes: number }> = {
  isolate: { ratio: 1.25, megabytes: 16 },
  process: { ratio: 2, megabytes: 256 },
};

/** Additional milliseconds for the start, the readings and the rounds. */
const MARGIN = 10 * MINUTE;
setTimeout(() => {
  console.error("Soak: it did not end.");
  process.exit(1);
}, length + MARGIN).unref();

let site = await startLoadSite();
const records = new Records();
await new Client(site.url, records, "setup").send(
  "PUT",
  "/api/admin/settings",
  { features: { ...siteDefaults.features, comments: true } },
  { Cookie: site.ownerCookie },
);
const addresses = await readAddresses(site);
console.log(`Soak: ${addresses.public.length} public addresses, ${length / MINUTE} minutes.`);

const memory: Memory[] = [];
const actors = actorsOf(site, addresses, records);
for (let reading = 0; reading < READINGS; reading++) {
  await run(actors, length / READINGS);
  memory.push(await readMemory(site));
}
site = await restarted(site);
await runRounds(site, addresses, records, rounds);
await Promise.race([site.stop(), pause(STOP_WITHIN)]);

console.table(
  Object.fromEntries(
    [...records.byKind].map(([kind, { statuses, times }]) => [
      kind,
      {
        answers: times.length,
        "p50 ms": Math.round(percentile(times, 0.5)),
        "p99 ms": Math.round(percentile(times, 0.99)),
        statuses: [...statuses].map(([status, count]) => `${status}: ${count}`).join(", "),
      },
    ]),
  ),
);
const readingsOf = (key: keyof Memory) => memory.map((reading) => Math.round(reading[key])).join(" ");
console.log(
  `Memory in MB over time: workerd ${readingsOf("process")}; the site's isolate ${readingsOf("isolate")}`,
);

for (const part of ["isolate", "process"] as const)
  if (hasGrown(part)) records.fail(`The ${part}’s memory grows.`);
for (const failure of records.failures) console.error(failure);
console.log(records.failed === 0 ? "Soak: no failure." : `Soak: ${records.failed} failures.`);
process.exit(records.failed === 0 ? 0 : 1);

function hasGrown(part: keyof Memory) {
  const quarterFrom = (first: number) =>
    percentile(
      memory.slice(first, first + QUARTER).map((reading) => reading[part]),
      0.5,
    );
  const [early, late] = [quarterFrom(WARM_UP), quarterFrom(READINGS - QUARTER)];
  return late > early * GROWTH[part].ratio && late > early + GROWTH[part].megabytes;
}
