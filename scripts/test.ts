import { globSync } from "node:fs";
import { chromium } from "./chromium.ts";
import { build } from "./local.ts";
import { run, runNode } from "./tools.ts";

/**
 * `npm test` runs all parts; `npm test -- NAME` the parts that are called so, and of the others the files that have the
 * name in their path.
 */
type Part = {
  name: string;
  /** Its test files; none for a part that runs as a whole or not at all. */
  files?: string;
  needsBuild?: boolean;
  run: (files: string[]) => Promise<void>;
};

/** By files: Vitest leaves the server of a project that it is told to leave out open, and waits ten seconds for it. */
const vitest = (files: string[]) => run("vitest", ["run", ...files]);

const parts: Part[] = [
  { name: "check", run: () => runNode("scripts/check.ts") },
  { name: "node", files: "test/node/*.test.{ts,tsx}", run: vitest },
  { name: "workerd", files: "test/*.test.{ts,tsx}", run: vitest },
  {
    name: "soak",
    needsBuild: true,
    run: () => runNode("test/load/soak.ts", { SOAK_MINUTES: "0.25", SOAK_ROUNDS: "5" }),
  },
  {
    name: "fuzz",
    needsBuild: true,
    // How long an answer takes is the machine's business here.
    run: () => runNode("test/load/fuzz.ts", { FUZZ_REQUESTS: "2000", FUZZ_LONGEST_MS: "20000" }),
  },
  {
    name: "browser",
    files: "test/e2e/*.spec.ts",
    needsBuild: true,
    run: (files) =>
      run("playwright", ["test", ...files], {
        packageName: "@playwright/test",
        env: { CHROMIUM_PATH: browser },
      }),
  },
];

/** The files of a part that the names ask for, if any; null where they ask for nothing of it. */
function wanted({ name, files }: Part): string[] | null {
  const paths = files ? globSync(files).map((path) => path.replaceAll("\\", "/")) : [];
  if (names.length === 0 || names.includes(name)) return paths;
  const found = paths.filter((path) => names.some((asked) => path.includes(asked)));
  return found.length > 0 ? found : null;
}

const names = process.argv.slice(2);
const chosen = parts.flatMap((part) => {
  const files = wanted(part);
  return files ? [{ ...part, files }] : [];
});
if (chosen.length === 0) throw new Error(`Nothing is called ${names.join(" or ")}.`);
// Looked for first: where there is none, it is installed.
const browser = chosen.some(({ name }) => name === "browser") ? await chromium({ headless: true }) : "";

const times: Record<string, string> = {};
async function timed(name: string, work: () => Promise<void>) {
  const start = performance.now();
  try {
    await work();
  } finally {
    times[name] = `${((performance.now() - start) / 1000).toFixed(1)} s`;
  }
}

let isBuilt = false;
try {
  for (const part of chosen) {
    if (part.needsBuild && !isBuilt) {
      await timed("build", build);
      isBuilt = true;
    }
    await timed(part.name, () => part.run(part.files));
  }
} finally {
  console.table(times);
}
