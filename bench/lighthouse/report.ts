import { execFile } from "node:child_process";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { chromium } from "../../scripts/chromium.ts";
import { multiplierOf } from "./calibration.ts";

/** What is read of Lighthouse's report; the times are milliseconds. */
export type Report = {
  configSettings: { throttling: { cpuSlowdownMultiplier: number } };
  categories: { performance: { score: number } };
  audits: Record<Audit, { numericValue: number }>;
};
export type Audit =
  | "largest-contentful-paint"
  | "first-contentful-paint"
  | "total-blocking-time"
  | "cumulative-layout-shift";

type Artifacts = {
  BenchmarkIndex: number;
  settings: Report["configSettings"];
};

export const FOLDER = import.meta.dirname;
export const CLI = join(FOLDER, "node_modules", "lighthouse", "cli", "index.js");
const ARTIFACTS = "artifacts.json";

/** A load now and then has no beginning in its trace (NO_NAVSTART): Lighthouse's advice is to load again. */
export async function reportOn(url: string): Promise<Report> {
  return loadAndAudit(url).catch((error: { stderr?: string }) => {
    if (!error.stderr?.includes("NO_NAVSTART")) throw error;
    console.warn(`${url} is loaded again: ${error.stderr.trim()}`);
    return loadAndAudit(url);
  });
}

/**
 * Loads the page at full speed, and then computes what a phone would have needed: how many times slower that is than this
 * machine was at the time, Lighthouse has measured just before the load.
 */
async function loadAndAudit(url: string) {
  const folder = await mkdtemp(join(tmpdir(), "rostrum-lighthouse-"));
  try {
    await lighthouse(url, `--gather-mode=${folder}`, `--chrome-flags=${flags.join(" ")}`);
    const multiplier = await calibrate(join(folder, ARTIFACTS));
    const audit = [`--audit-mode=${folder}`, `--throttling.cpuSlowdownMultiplier=${multiplier}`];
    return JSON.parse(await lighthouse(url, ...audit, "--output=json")) as Report;
  } finally {
    await rm(folder, { recursive: true });
  }
}

/** Gathering is not throttled, so the multiplier may still be changed afterwards. */
async function calibrate(path: string) {
  const artifacts = JSON.parse(await readFile(path, "utf8")) as Artifacts;
  const multiplier = multiplierOf(artifacts.BenchmarkIndex);
  artifacts.settings.throttling.cpuSlowdownMultiplier = multiplier;
  await writeFile(path, JSON.stringify(artifacts));
  return multiplier;
}

async function lighthouse(url: string, ...options: string[]) {
  const { stdout } = await promisify(execFile)(
    process.execPath,
    [CLI, url, "--quiet", "--only-categories=performance", ...options],
    { maxBuffer: 64 * 1024 * 1024, env: { ...process.env, CHROME_PATH: await chromium() } },
  );
  return stdout;
}

const flags = [
  "--headless=new",
  // There is no GPU, and software rendering would take processor time from the page.
  "--disable-gpu",
  "--ignore-certificate-errors",
  "--no-first-run",
  "--disable-background-networking",
  "--disable-component-update",
  "--disable-sync",
  ...(process.getuid?.() === 0 ? ["--no-sandbox"] : []),
];
