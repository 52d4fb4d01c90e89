import { expect, test } from "vitest";
import { beginningOf } from "#worker/platform/beginning.ts";

test.each([
  ["is whole where it is short enough", "One two.", "One two."],
  ["ends at a word", "One two, three four", "One two…"],
  ["is cut between letters where there are no spaces", "字".repeat(20), `${"字".repeat(11)}…`],
  ["ends in no half of a character", `0123456789${"🌏".repeat(5)}`, "0123456789…"],
])("the beginning of a text %s", (_what, text, beginning) => {
  expect(beginningOf(text, 12)).toBe(beginning);
});

test("a space far before its end does not take all behind it away", () => {
  expect(beginningOf(`第12集 ${"字".repeat(200)}`, 100)).toBe(`第12集 ${"字".repeat(94)}…`);
});
