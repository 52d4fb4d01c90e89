import { execFileSync, spawnSync } from "node:child_process";
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
 * The path of a Chromium: `CHROMIUM_PATH`, Playwright's own, the usual places; where there is none, one is installed.
 * `headless`: one without a window is preferred.
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
  console.log("No Chromium was found: downloading one for the browser tests.");
  if (!download() || !find()) {
    console.log("It cannot be downloaded here: installing the system's package.");
    installPackage(headless ? ["chromium-headless-shell", "chromium"] : ["chromium"]);
  }
  const installed = find();
  if (installed) return installed;
  throw new Error("No Chromium could be installed. Install one, and set CHROMIUM_PATH to its path.");
}

/** Without its output: where there is no such host, it prints four stack traces. */
function download() {
  const command = ["node_modules/@playwright/test/cli.js", "install", "--with-deps", "chromium"];
  return spawnSync(process.execPath, command, { stdio: "ignore", timeout: 10 * 60_000 }).status === 0;
}

/** The first of them that the system has. */
function installPackage(names: string[]) {
  if (process.getuid?.() !== 0) return;
  execFileSync("apt-get", ["update"], { stdio: "inherit" });
  const install = ["install", "--yes", "--no-install-recommends"];
  names.find((name) => spawnSync("apt-get", [...install, name], { stdio: "inherit" }).status === 0);
}
