import assert from "node:assert/strict";
import { globSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterAll, describe, test } from "vitest";
import { build } from "vite";
import { keepWorkerOutOfBrowser } from "../../scripts/keep-worker-out.ts";
import { root } from "../../scripts/tools.ts";

const folder = mkdtempSync(join(tmpdir(), "rostrum-frame-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

function write(path: string, text: string) {
  mkdirSync(dirname(join(folder, path)), { recursive: true });
  writeFileSync(join(folder, path), text);
}

test("lucide's runtime is only in files loaded later; pages use ui/icons.tsx", () => {
  const sources = globSync("src/{shell,site,player,playlists,ui}/**/*.{ts,tsx}", { cwd: root });
  const importers = sources
    .filter((path) => readFileSync(join(root, path), "utf8").includes('"lucide-react"'))
    .map((path) => path.replaceAll("\\", "/"))
    .filter((path) => !/^src\/(player\/deck|playlists\/panel)\//.test(path));
  assert.deepEqual(importers.toSorted(), [
    "src/player/follow.tsx",
    "src/player/page-guard.tsx",
    "src/site/community/widget.tsx",
    "src/ui/dialog.tsx",
    "src/ui/sortable-list.tsx",
    "src/ui/toast.tsx",
  ]);
});

describe("the build", () => {
  const bundle = (imported: string) => {
    write(`worker/${imported}`, "export const secret = 1;\n");
    write("src/page.ts", `import { secret } from "../worker/${imported}";\nconsole.log(secret);\n`);
    return build({
      root: folder,
      configFile: false,
      logLevel: "silent",
      plugins: [keepWorkerOutOfBrowser()],
      build: { write: false, rolldownOptions: { input: join(folder, "src/page.ts") } },
    });
  };
  for (const imported of ["cache-key.ts", "episodes/queries.ts", "episodes/addresses.ts"]) {
    test(`fails when ${imported} would reach the browser`, () =>
      assert.rejects(bundle(imported), /runs on the Worker and would be shipped to the browser/));
  }
  for (const imported of ["episodes/contract.ts", "addresses.ts"]) {
    test(`ships ${imported}`, () => assert.doesNotReject(bundle(imported)));
  }
});

test("the lock file names no registry, so that it installs from any", () => {
  const lock = readFileSync(join(root, "package-lock.json"), "utf8");
  assert.doesNotMatch(lock, /"resolved"/);
});
