import assert from "node:assert/strict";
import { existsSync, globSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { describe, test } from "vitest";
import { root } from "../../scripts/tools.ts";

/** Tailwind says nothing of a file that it does not find, and its classes are missing. */
const sheets = globSync("src/**/*.css", { cwd: root });

/** The paths of a style sheet's `@source`, one for each alternative in braces. */
function sourcesOf(sheet: string) {
  const text = readFileSync(join(root, sheet), "utf8");
  return [...text.matchAll(/@source (?:not )?"([^"]+)"/g)].flatMap(([, path]) => {
    const [, before, names, after] = /^(.*)\{([^}]*)\}(.*)$/.exec(path!) ?? [];
    return names && !path!.includes("*") ? names.split(",").map((name) => before! + name + after!) : [path!];
  });
}

describe("@source of a style sheet", () => {
  test.each(sheets.flatMap((sheet) => sourcesOf(sheet).map((path) => [sheet, path])))(
    "%s names a file or folder that exists: %s",
    (sheet, path) => {
      const from = join(root, dirname(sheet!));
      assert.ok(existsSync(join(from, path!)) || globSync(path!, { cwd: from }).length > 0);
    },
  );
});
