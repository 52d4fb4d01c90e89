import assert from "node:assert/strict";
import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, test } from "vitest";
import { root } from "../../scripts/tools.ts";

/** Each line of the Worker and the site that has the pattern: `file: line`. */
function linesWith(pattern: RegExp) {
  return globSync(["worker/**/*.{ts,tsx}", "src/**/*.{ts,tsx}"], { cwd: root }).flatMap((path) =>
    readFileSync(join(root, path), "utf8")
      .split("\n")
      .filter((line) => pattern.test(line) && !/^\s*(?:\/\/|\/?\*)/.test(line))
      .map((line) => `${path.replaceAll("\\", "/")}: ${line.trim()}`),
  );
}

const filesOf = (lines: string[]) => [...new Set(lines.map((line) => line.split(": ")[0]!))].toSorted();

describe("the code", () => {
  test("makes no code from text", () => {
    assert.deepEqual(linesWith(/\beval\(|\bnew Function\(|\bset(?:Timeout|Interval)\(\s*["'`]/), []);
  });

  test("takes random values from the platform's generator", () => {
    assert.deepEqual(filesOf(linesWith(/Math\.random/)), [
      // The order of a queue, and the minute at which waiting work begins: nothing that must not be guessed.
      "src/playlists/order.ts",
      "worker/platform/data/daily-limit.ts",
    ]);
  });

  test("hashes with SHA-256, but for two names that others chose", () => {
    const others = linesWith(/createHash\(|subtle\.digest\(/).filter((line) => !/sha-?256/i.test(line));
    assert.deepEqual(filesOf(others), ["worker/accounts/leaked-passwords.ts"]);
    assert.deepEqual(linesWith(/\bmd5\b|\bDES-|\bRC4\b|AES-(?:ECB|CBC)|RSAES-PKCS1/i), []);
  });
});
