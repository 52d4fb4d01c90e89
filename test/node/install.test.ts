import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";

const SCRIPT = resolve("scripts/install.mjs");

let project: string;
beforeEach(() => {
  project = mkdtempSync(join(tmpdir(), "install-"));
  lock("1.0.0");
});
afterEach(() => rmSync(project, { recursive: true }));

const write = (path: string, value: object) => {
  const file = join(project, path);
  mkdirSync(join(file, ".."), { recursive: true });
  writeFileSync(file, JSON.stringify(value));
};

/** A project with one package, which is a folder in it: npm needs no registry. */
function lock(version: string) {
  const dependencies = { leaf: "file:leaf" };
  write("leaf/package.json", { name: "leaf", version });
  write("package.json", { name: "tree", version: "1.0.0", dependencies });
  const packages = {
    "": { name: "tree", version: "1.0.0", dependencies },
    "node_modules/leaf": { version, resolved: "file:leaf" },
    "node_modules/of-another-system": { version: "1.0.0", optional: true, os: ["none"] },
  };
  write("package-lock.json", { name: "tree", version: "1.0.0", lockfileVersion: 3, packages });
}

const install = () =>
  execFileSync(process.execPath, [SCRIPT], {
    cwd: project,
    encoding: "utf8",
    env: { ...process.env, npm_config_offline: "true", npm_config_install_links: "true" },
  });
const installedVersion = () =>
  (JSON.parse(readFileSync(join(project, "node_modules/leaf/package.json"), "utf8")) as { version: string })
    .version;

describe("scripts/install.mjs", () => {
  it("installs the locked packages of a bare clone, and says nothing the second time", () => {
    expect(install()).toContain("Installing the packages");
    expect(installedVersion()).toBe("1.0.0");
    expect(install()).toBe("");
  });

  it("installs again once the lock file has another version", () => {
    install();
    lock("2.0.0");
    expect(install()).toContain("Installing the packages");
    expect(installedVersion()).toBe("2.0.0");
  });

  it("fails if the packages cannot be installed", () => {
    rmSync(join(project, "package.json"));
    expect(install).toThrow("Command failed");
  });
});
