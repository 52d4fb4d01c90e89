import { globSync } from "node:fs";
import { chromium } from "./chromium.ts";
import { folderInMemory } from "./in-memory.ts";
import { build } from "./local.ts";
import { preparedState } from "./prepared-state.ts";
import { run, runNode } from "./tools.ts";

/**
 * Each line runs beside the other, its parts one after another, also when one fails: browsers, servers and their clients
 * wait for each other, so that a line alone leaves a third of two cores idle. With a third
 * line, the loaded site had so little of them that some answers took longer than its clients wait.
 */
const LINES = ["code", "site"] as const;
type Line = (typeof LINES)[number];

/**
 * `npm test` runs all parts; `npm test -- NAME` the parts that are called so, and of the others the files that have the
 * name in their path, browser tests marked @full included. `npm run test:full` also runs all of these, sweeps over all
 * windows, themes, inputs and faults, soaks for ten minutes, audits the packages, sends letters, moves a podcast in, drills a copy, restores an
 * archive, and runs the browser tests once more on translated pages. `npm run faults` sweeps over all faults.
 */
type Part = {
  name: string;
  line: Line;
  /** Its test files; none for a part that runs as a whole or not at all. */
  files?: string;
  /** Whether it serves the built site with the demo. */
  needsSite?: boolean;
  run: (files: string[]) => Promise<unknown>;
};

/** Selects by files: Vitest leaves the server of an excluded project open, and waits ten seconds for it. */
const vitest = (files: string[]) => run("vitest", ["run", ...files], { env: sweeps, output: "repeat" });

// Of each part, and of what it starts.
process.env["TMPDIR"] = folderInMemory();

/** The file of the machine's own authorities, if it has one: only what asks the network needs them. */
const AUTHORITIES = "NODE_EXTRA_CA_CERTS";
const authorities = process.env[AUTHORITIES];

const names = process.argv.slice(2).filter((name) => !name.startsWith("--"));
const asksForFiles = names.length > 0 && !names.includes("browser");

const isFull = process.argv.includes("--full");
/** Each window and theme in the browser, new inputs for property tests, and each fault; or each fault alone. */
const sweeps: Record<string, string> = isFull
  ? { SWEEPS: "all" }
  : process.argv.includes("--faults")
    ? { SWEEPS: "faults" }
    : {};

const browserTests = (name: string, env: Record<string, string> = {}): Part => ({
  name,
  line: "site",
  files: "test/e2e/*.spec.ts",
  needsSite: true,
  run: (files) =>
    run("playwright", ["test", ...files], {
      packageName: "@playwright/test",
      output: "repeat",
      // The other parts write to the same terminal: no line is redrawn.
      env: { CHROMIUM_PATH: browser, PLAYWRIGHT_FORCE_TTY: "false", ...env },
    }),
});

/** A small run of one that loads the built site. */
const loadTest = (name: string, env: Record<string, string> = {}): Part => ({
  name,
  line: "site",
  needsSite: true,
  run: () => runNode(`test/load/${name}.ts`, { env, output: "repeat" }),
});

const parts: Part[] = [
  { name: "check", line: "code", run: () => runNode("scripts/check.ts", { output: "repeat" }) },
  { name: "node", line: "code", files: "test/node/*.test.{ts,tsx}", run: vitest },
  { name: "workerd", line: "code", files: "test/*.test.{ts,tsx}", run: vitest },
  ...(isFull
    ? [
        {
          name: "audit",
          line: "code" as const,
          run: () =>
            runNode("scripts/audit.ts", {
              output: "repeat",
              env: authorities === undefined ? {} : { [AUTHORITIES]: authorities },
            }),
        },
      ]
    : []),
  loadTest("soak", isFull ? {} : { SOAK_MINUTES: "0.25", SOAK_ROUNDS: "1" }),
  // How long an answer takes is the machine's business here.
  loadTest("fuzz", {
    FUZZ_LONGEST_MS: "20000",
    ...(isFull ? {} : { FUZZ_REQUESTS: "600", FUZZ_SEED: "20261128" }),
  }),
  loadTest("processor-time"),
  ...(isFull
    ? [
        loadTest("letters", { LETTERS: "5000" }),
        loadTest("move", { EPISODES: "100", HUGE_MB: "100" }),
        loadTest("drill"),
        loadTest("archive", { EPISODES: "100", AUDIO_MB: "100", KILLS: "1" }),
      ]
    : []),
  browserTests("browser", asksForFiles ? { SWEEPS: "all" } : sweeps),
  ...(isFull ? [browserTests("translated", { TRANSLATED: "1" })] : []),
];

/** The files of a part that the names ask for, if any; null if they ask for nothing of it. */
function wanted({ name, files }: Part): string[] | null {
  const paths = files ? globSync(files).map((path) => path.replaceAll("\\", "/")) : [];
  if (names.length === 0 || names.includes(name)) return paths;
  const found = paths.filter((path) => names.some((asked) => path.includes(asked)));
  return found.length > 0 ? found : null;
}

const chosen = parts.flatMap((part) => {
  const files = wanted(part);
  return files ? [{ ...part, run: () => part.run(files) }] : [];
});
if (chosen.length === 0) throw new Error(`Nothing is called ${names.join(" or ")}.`);
const needsSite = chosen.some((part) => part.needsSite);
// Searched first: if there is none, it is installed.
const browser = chosen.some(({ files }) => files?.startsWith("test/e2e/"))
  ? await chromium({ headless: true })
  : "";

// Miniflare describes each of them to each site that a test starts, which takes a second of processor time with 150.
delete process.env[AUTHORITIES];

const times: Record<string, string> = {};
const failures: Record<string, unknown> = {};

/** Whether the work succeeded; its time and its failure are printed in the end. */
async function succeeds(name: string, work: () => Promise<unknown>) {
  const start = performance.now();
  try {
    await work();
  } catch (error) {
    failures[name] = error;
  }
  times[name] = `${((performance.now() - start) / 1000).toFixed(1)} s`;
  return !(name in failures);
}

async function runLine(line: Line, demo: Promise<boolean>) {
  for (const { name, needsSite: waits, run: work } of chosen.filter((part) => part.line === line)) {
    if (!waits || (await demo)) await succeeds(name, work);
  }
}

await succeeds("in all", async () => {
  // First: the type check would also build the site if it is not built.
  if (needsSite && !(await succeeds("build", build))) return;
  const demo = needsSite ? succeeds("demo", preparedState) : Promise.resolve(true);
  await Promise.all([demo, ...LINES.map((line) => runLine(line, demo))]);
});
console.table(times);
// Last, since the output of the other parts is between.
for (const [name, error] of Object.entries(failures)) {
  console.error(`\n── ${name} failed ──\n${error instanceof Error ? error.message : String(error)}`);
  process.exitCode = 1;
}
