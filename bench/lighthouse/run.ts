import { execFile, execFileSync } from "node:child_process";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import { chromium } from "../../scripts/chromium.ts";
import { build } from "../../scripts/local.ts";
import { seed, USUAL } from "../content.ts";
import { median } from "../load.ts";
import { startBench } from "../site.ts";
import { multiplierOf } from "./calibration.ts";
import { startEdge } from "./edge.ts";

/** What is read of Lighthouse's report. */
type Report = {
  environment: { benchmarkIndex: number };
  categories: { performance: { score: number } };
  audits: Record<Audit, { numericValue: number }>;
};
type Audit =
  "largest-contentful-paint" | "first-contentful-paint" | "total-blocking-time" | "cumulative-layout-shift";

const RUNS = 3;
const PORT = 8784;
const FOLDER = import.meta.dirname;
const CLI = join(FOLDER, "node_modules", "lighthouse", "cli", "index.js");

/** Beside an episode and an essay. */
const ROUTES = `/ /podcast /essays /about /mission /three-es /conversations /media /media-kit /speaking
  /speaking/book /guest /contact /search /petitions /privacy-policy /terms-of-service`.split(/\s+/);

/** `npm run lighthouse /about` measures that route alone. */
const asked = process.argv.slice(2);

if (!existsSync(CLI)) {
  execFileSync("npm", ["ci", "--prefix", FOLDER], { stdio: "inherit", shell: process.platform === "win32" });
}
await build();
const bench = await startBench();
const edge = await startEdge(bench.site("whole"), PORT);
try {
  const { episodePath, essayPath } = await seed(bench.env, { ...USUAL, essays: 100, press: 100 });
  const routes = [...ROUTES, episodePath, essayPath];
  const hello = await measure(`${bench.bare}/5?type=text/html`, 1);
  const multiplier = multiplierOf(hello.index);
  console.log(
    `This machine's benchmark index is ${hello.index}: the phone is ${multiplier.toFixed(2)} times slower.`,
  );
  const rows: Record<string, unknown> = {};
  for (const route of asked.length > 0 ? asked : routes) {
    rows[route] = await measure(edge.url + route, multiplier);
  }
  console.table(rows);
} finally {
  edge.stop();
  await bench.stop();
}

/** The medians of some runs; milliseconds, but for performance, of 100, and the layout's shift. */
async function measure(url: string, multiplier: number) {
  const reports: Report[] = [];
  for (let run = 0; run < RUNS; run++) reports.push(await reportOn(url, multiplier));
  const of = (read: (report: Report) => number) => median(reports.map(read));
  const audit = (name: Audit) => Math.round(of(({ audits }) => audits[name].numericValue));
  return {
    performance: of(({ categories }) => Math.round(categories.performance.score * 100)),
    "LCP ms": audit("largest-contentful-paint"),
    "FCP ms": audit("first-contentful-paint"),
    "TBT ms": audit("total-blocking-time"),
    CLS: of(({ audits }) => audits["cumulative-layout-shift"].numericValue),
    index: Math.round(of(({ environment }) => environment.benchmarkIndex)),
  };
}

async function reportOn(url: string, multiplier: number): Promise<Report> {
  const flags = [
    "--headless=new",
    // There is no graphics processor: its software stand-in would take what the page needs.
    "--disable-gpu",
    "--ignore-certificate-errors",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    ...(process.getuid?.() === 0 ? ["--no-sandbox"] : []),
  ];
  const { stdout } = await promisify(execFile)(
    process.execPath,
    [
      CLI,
      url,
      "--output=json",
      "--quiet",
      "--only-categories=performance",
      `--throttling.cpuSlowdownMultiplier=${multiplier}`,
      `--chrome-flags=${flags.join(" ")}`,
    ],
    { maxBuffer: 64 * 1024 * 1024, env: { ...process.env, CHROME_PATH: await chromium() } },
  );
  return JSON.parse(stdout) as Report;
}
