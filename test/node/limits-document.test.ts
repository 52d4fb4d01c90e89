import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, test } from "vitest";
import { limitsDocument, say, unlistedConstants } from "../../scripts/limits-table.ts";
import { root } from "../../scripts/tools.ts";

/** A table as its author and the formatter write it. */
const plain = (text: string) => text.replace(/ +/g, " ").replace(/-{3,}/g, "---");

describe("docs/limits.md", () => {
  test("is what npm run limits writes", async () => {
    const written = plain(readFileSync(join(root, "docs/limits.md"), "utf8"));
    assert.equal(written, plain(await limitsDocument()), "Run npm run limits.");
  });

  test("has each limit of a rate and each time for which something is stored", () => {
    assert.deepEqual(unlistedConstants(), []);
  });

  test("says an amount in the largest unit of which it is a multiple", () => {
    assert.equal(say(30 * 86_400_000, "ms"), "30 days");
    assert.equal(say(3_600_000, "ms"), "1 hour");
    assert.equal(say(90_000, "ms"), "90 seconds");
    assert.equal(say(500 * 1024 * 1024, "bytes"), "500 MiB");
    assert.equal(say(1_500_000, "bytes"), "1,500 kB");
    assert.equal(say(50_000_000, ""), "50,000,000");
    assert.equal(say(6, "an hour"), "6 an hour");
  });
});
