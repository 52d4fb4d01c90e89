import { expect, test } from "vitest";
import { beginningOf, withoutHeading } from "#worker/platform/text/excerpt.ts";

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

test.each([
  ["the same words", "On rent", "On rent", ""],
  ["the same words in another case, with a full stop", "On Rent", "On rent.", ""],
  [
    "the words of a heading that was cut off",
    "What the bus…",
    "What the bus timetable knows.",
    "…timetable knows.",
  ],
  ["a heading that is a sentence", "Rent is due.", "Rent is due. So is spring.", "So is spring."],
  ["a heading on a line of its own", "On rent", "On rent\n\nIt is due.", "It is due."],
  ["a sentence that begins so", "On rent", "On rent and heat", "On rent and heat"],
  ["a longer word", "On rent", "On rental contracts", "On rental contracts"],
  ["other words", "On rent", "It is due.", "It is due."],
  ["nothing", "On rent", "", ""],
  ["no heading", "", "It is due.", "It is due."],
])("a text below a heading with %s", (_what, heading, text, shown) => {
  expect(withoutHeading(text, heading)).toBe(shown);
});

test("an excerpt starts after a heading that repeats the title", () => {
  expect(withoutHeading("On rent and heat", "On rent", { evenWithin: true })).toBe("…and heat");
  expect(withoutHeading("On rental contracts", "On rent", { evenWithin: true })).toBe("On rental contracts");
});
