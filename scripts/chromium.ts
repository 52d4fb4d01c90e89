import { spawnSync } from "node:child_process";
import { existsSync } from "node:fs";
import { chromium as playwright } from "@playwright/test";

/** Without a window it takes a third less processor time. Debian's package. */
const HEADLESS_SHELL = "/usr/bin/chromium-headless-shell";
const usualPaths = [
  "/usr/bin/chromium",
  "/usr/bin/chromium-browser",
  "/usr/bin/google-chrome",
  "/usr/bin/google-chrome-stable",
  "/snap/bin/chromium",
  "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome",
  "/Applications/Chromium.app/Contents/MacOS/Chromium",
  "C:\\Program Files\\Google\\Chrome\\Application\\chrome.exe",
];

/**
 * The path of a Chromium: `CHROMIUM_PATH`, Playwright's own, or the usual places; otherwise one is installed.
 * `headless` prefers one without windows.
 */
export async function chromium({ headless = false } = {}): Promise<string> {
  const named = process.env["CHROMIUM_PATH"];
  if (named) {
    if (!existsSync(named)) throw new Error(`CHROMIUM_PATH names ${named}, which does not exist.`);
    return named;
  }
  const paths = [playwright.executablePath(), ...(headless ? [HEADLESS_SHELL] : []), ...usualPaths];
  const find = () => paths.find((path) => existsSync(path));
  const found = find();
  if (found) return found;
  const packages = headless ? ["chromium-headless-shell", "chromium"] : ["chromium"];
  console.log(
    `No Chromium was found: Playwright downloads one, or else the system’s package ${packages[0]} is installed.`,
  );
  const faults = [download(), ...(find() ? [] : installPackage(packages))].filter((fault) => fault !== "");
  const installed = find();
  if (installed) return installed;
  throw new Error(
    ["No Chromium could be installed. Install one, and set CHROMIUM_PATH to its path.", ...faults].join(
      "\n\n",
    ),
  );
}

/** Runs a command without showing its output. Returns its standard error if it failed, otherwise an empty string. */
function attempt(command: string, args: string[]) {
  const { status, stderr, error } = spawnSync(command, args, {
    stdio: ["ignore", "ignore", "pipe"],
    encoding: "utf8",
    timeout: 10 * 60_000,
  });
  return status === 0 ? "" : [`${command} ${args.join(" ")}`, error?.message, stderr].join("\n").trim();
}

/** Where its host is not reached, it prints four stack traces. */
const download = () =>
  attempt(process.execPath, ["node_modules/@playwright/test/cli.js", "install", "--with-deps", "chromium"]);

/** The first of them that the system has; what went wrong. */
function installPackage(names: string[]) {
  if (process.getuid?.() !== 0) return [];
  const faults = [attempt("apt-get", ["update"])];
  const install = ["install", "--yes", "--no-install-recommends"];
  for (const name of names) {
    const fault = attempt("apt-get", [...install, name]);
    if (fault === "") return [];
    faults.push(fault);
  }
  return faults;
}
