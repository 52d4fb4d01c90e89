/*
 * Installs the packages before a command needs them: `npm start` and `npm test` work on a bare clone. It is JavaScript
 * because the Node that runs it may be 18: the one that reads TypeScript is among the packages.
 */
import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";

/** The packages of a lock file by their folder; empty if there is no such file. */
function packagesIn(path) {
  try {
    return JSON.parse(readFileSync(path, "utf8")).packages;
  } catch (error) {
    if (error.code === "ENOENT") return {};
    throw error;
  }
}

/** Whether each package is installed in its locked version, but for those of other systems, which npm leaves out. */
function isInstalled() {
  const installed = packagesIn("node_modules/.package-lock.json");
  const { "": _project, ...locked } = packagesIn("package-lock.json");
  return Object.entries(locked).every(([folder, { version, optional }]) =>
    installed[folder] ? installed[folder].version === version : optional,
  );
}

if (!isInstalled()) {
  console.log("Installing the packages of package-lock.json …");
  process.exitCode = spawnSync("npm ci", { shell: true, stdio: "inherit" }).status ?? 1;
}
