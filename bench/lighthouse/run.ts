import { execFileSync } from "node:child_process";
import { existsSync } from "node:fs";
import { build } from "../../scripts/local.ts";
import { measureInteractions } from "../interaction.ts";
import { median } from "../load.ts";
import { startBench } from "../site.ts";
import { startEdge } from "./edge.ts";
import { CLI, FOLDER, reportOn, type Audit, type Report } from "./report.ts";

const RUNS = 3;
/** The largest multiplier of a steady machine, as a multiple of the smallest. */
const STEADY = 1.3;

/** Of the demo, whose prose and pictures are real. */
const ROUTES =
  `/ /podcast /episode/1 /essays /essays/write-the-last-page-first /about /mission /three-es /conversations
  /media /media-kit /speaking /speaking/book /guest /contact /search /petitions /privacy-policy
  /terms-of-service`.split(/\s+/);

/** `npm run lighthouse /about` measures that route alone. */
const asked = process.argv.slice(2);

if (!existsSync(CLI)) {
  execFileSync("npm", ["ci", "--prefix", FOLDER], { stdio: "inherit", shell: process.platform === "win32" });
}
/** Of all loads. */
const multipliers: number[] = [];

await build();
const bench = await startBench();
const edge = await startEdge(bench.site("whole"));
try {
  const rows: Record<string, unknown> = { "a bare hello": await measure(`${bench.bare}/hello`) };
  for (const route of asked.length > 0 ? asked : ROUTES) rows[route] = await measure(edge.url + route);
  console.table(rows);
  noteUnsteadiness();
  console.log("\nThe first tap, right after the first paint, on a processor slowed four times");
  console.table(await measureInteractions(bench.site("whole")));
} finally {
  edge.stop();
  await bench.stop();
}

/**
 * How many times slower than this machine the phone was in each load: on a shared machine that swings, and the figures of
 * processor time with it.
 */
function noteUnsteadiness() {
  const [least, most] = [Math.min(...multipliers), Math.max(...multipliers)];
  if (most < STEADY * least) return;
  const range = `${least.toFixed(1)} to ${most.toFixed(1)}`;
  console.warn(
    `\nThis machine's speed changed between the loads: the phone was ${range} times slower. Performance, LCP and TBT are then
not absolute: repeat this on a quiet machine, or compare two builds by turns.`,
  );
}

/** The medians of some runs; milliseconds, but for performance, of 100, and the layout's shift. */
async function measure(url: string) {
  const reports: Report[] = [];
  for (let run = 0; run < RUNS; run++) reports.push(await reportOn(url));
  const slower = reports.map(({ configSettings }) => configSettings.throttling.cpuSlowdownMultiplier);
  multipliers.push(...slower);
  const of = (read: (report: Report) => number) => median(reports.map(read));
  const audit = (name: Audit) => Math.round(of(({ audits }) => audits[name].numericValue));
  return {
    performance: of(({ categories }) => Math.round(categories.performance.score * 100)),
    "LCP ms": audit("largest-contentful-paint"),
    "FCP ms": audit("first-contentful-paint"),
    "TBT ms": audit("total-blocking-time"),
    CLS: of(({ audits }) => audits["cumulative-layout-shift"].numericValue),
    "times slower": slower.map((times) => times.toFixed(1)).join(" "),
  };
}
