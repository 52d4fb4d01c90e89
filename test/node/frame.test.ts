import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { cpSync, globSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
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

describe("the linter refuses an import across the house, and says the remedy", () => {
  cpSync(join(root, ".oxlintrc.json"), join(folder, ".oxlintrc.json"));

  const lint = (path: string, imported: string) => {
    write(path, `import { thing } from "${imported}";\nexport const other = thing;\n`);
    const oxlint = join(root, "node_modules", "oxlint", "bin", "oxlint");
    const { stdout } = spawnSync(process.execPath, [oxlint, path], { cwd: folder, encoding: "utf8" });
    rmSync(join(folder, path));
    return stdout;
  };

  const refused: [path: string, imported: string, remedy: string][] = [
    ["worker/platform/mail.ts", "#worker/episodes/queries.ts", "platform/ knows no product word"],
    ["worker/platform/mail.ts", "#worker/playlists/queries.ts", "platform/ knows no product word"],
    ["worker/episodes/contract.ts", "#worker/episodes/table.ts", "A contract is shipped"],
    ["worker/episodes/contract.ts", "drizzle-orm", "A contract is shipped"],
    ["worker/episodes/api.ts", "drizzle-orm", "calls a use case"],
    ["worker/episodes/api.ts", "#worker/episodes/table.ts", "calls a use case"],
    ["worker/episodes/queries.ts", "hono", "keep Hono, React and HTTP in api.ts"],
    ["worker/episodes/queries.ts", "#worker/platform/http.ts", "keep Hono, React and HTTP in api.ts"],
    ["worker/addresses.ts", "#worker/platform/bounded.ts", "it imports nothing"],
    ["src/site/page.tsx", "#site/admin/frame.tsx", "move what both need to ui/"],
    ["src/site/page.tsx", "#worker/episodes/contract.ts", "do not ship zod"],
    ["src/site/page.tsx", "zod", "do not ship zod"],
    ["src/admin/tab.tsx", "#site/site/header.tsx", "move what both need to ui/"],
    ["src/admin/tab.tsx", "#worker/episodes/table.ts", "call a use case inside a loader"],
    ["src/ui/button.tsx", "#worker/episodes/contract.ts", "take it as a prop"],
    ["src/ui/button.tsx", "#site/site/header.tsx", "take it as a prop"],
  ];
  for (const [path, imported, remedy] of refused) {
    test(`${path} may not import ${imported}`, () => assert.match(lint(path, imported), new RegExp(remedy)));
  }

  const allowed: [path: string, imported: string][] = [
    ["worker/platform/mail.ts", "#worker/platform/outbox.ts"],
    ["worker/episodes/contract.ts", "zod"],
    ["worker/episodes/contract.ts", "#worker/files/contract.ts"],
    ["worker/episodes/api.ts", "#worker/platform/http.ts"],
    ["worker/episodes/queries.ts", "#worker/files/stored.ts"],
    ["src/site/page.tsx", "#worker/episodes/queries.ts"],
    ["src/site/page.tsx", "#worker/addresses.ts"],
    ["src/admin/tab.tsx", "#worker/episodes/contract.ts"],
  ];
  for (const [path, imported] of allowed) {
    test(`${path} may import ${imported}`, () =>
      assert.doesNotMatch(lint(path, imported), /no-restricted-imports/));
  }
});

test("lucide's runtime comes only with what is loaded later; a page has its icons from ui/icons.tsx", () => {
  const sources = globSync("src/{site,player,playlists,ui}/**/*.{ts,tsx}", { cwd: root });
  const importers = sources
    .filter((path) => readFileSync(join(root, path), "utf8").includes('"lucide-react"'))
    .map((path) => path.replaceAll("\\", "/"))
    .filter((path) => !/^src\/(player\/deck|playlists\/panel)\//.test(path));
  assert.deepEqual(importers.toSorted(), [
    "src/player/follow.tsx",
    "src/site/community/widget.tsx",
    "src/ui/dialog.tsx",
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
