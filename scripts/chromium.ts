import { execFileSync, spawnSync } from "node:child_process";
import { existsSync } from "node:fs";
import { chromium as playwright } from "@playwright/test";

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

/** The path of a Chromium: `CHROMIUM_PATH`, Playwright's own, the usual places; where there is none, one is installed. */
export async function chromium(): Promise<string> {
  const named = process.env["CHROMIUM_PATH"];
  if (named) {
    if (!existsSync(named)) throw new Error(`CHROMIUM_PATH names ${named}, which does not exist.`);
    return named;
  }
  const found = find();
  if (found) return found;
  console.log("No Chromium was found; installing one for the browser tests.");
  install();
  const installed = find();
  if (installed) return installed;
  throw new Error("No Chromium could be found or installed. Install one and name it in CHROMIUM_PATH.");
}

const find = () => [playwright.executablePath(), ...usualPaths].find((path) => existsSync(path));

function install() {
  const download = spawnSync(
    process.execPath,
    ["node_modules/@playwright/test/cli.js", "install", "--with-deps", "chromium"],
    { stdio: "inherit", timeout: 10 * 60_000 },
  );
  if (download.status === 0 && find()) return;
  if (process.getuid?.() !== 0) return;
  console.log("Playwright's download did not work; installing the system's package.");
  execFileSync("apt-get", ["update"], { stdio: "inherit" });
  execFileSync("apt-get", ["install", "--yes", "--no-install-recommends", "chromium"], { stdio: "inherit" });
}
