import assert from "node:assert/strict";
import { test } from "vitest";
import { array, assert as assertProperty, constantFrom, property } from "fast-check";
import { costlyLine } from "../../worker/platform/text/costly-markdown.ts";
import { renderMarkdown } from "../../worker/platform/text/markdown.ts";
import { processorTime } from "../support/processor-time.ts";
import "../support/property-seed.ts";
import { sweepsAll } from "../support/sweeps.ts";

const MAX = 100_000;

const cost = (markdown: string) => processorTime(() => renderMarkdown(markdown));

const fill = (unit: string, length = MAX) => unit.repeat(Math.floor(length / unit.length));
const some = (count: number, write: (n: number) => string) =>
  Array.from({ length: count }, (_, n) => write(n)).join("");
const words = "Some ordinary words stand here and say what there is to say about it. ";

/** The first are of the list that cmark is tested with. */
const costly: Record<string, string> = {
  "nested strong emphasis": `${fill("*a **a ", 60_000)}b${fill(" a** a*", 30_000)}`,
  "closers of emphasis without openers": fill("a_ "),
  "openers and closers in multiples of three": `a**b${fill("c* ")}`,
  "mismatched openers and closers": fill("*a_ "),
  "openers of links and closers of emphasis": fill("[ a_"),
  "links in emphasis": fill("**x [a*b**c*](d)"),
  "brackets within brackets": "[".repeat(50_000) + "a" + "]".repeat(49_000),
  "closing brackets": fill("]"),
  "links that never close": fill("[a](<b"),
  "pictures within pictures": "![".repeat(12_000) + "a" + "](b)".repeat(12_000),
  "empty links of pictures": fill("![[]()"),
  "quotes within quotes": ">".repeat(50_000),
  "quotes within quotes, with spaces": fill("> "),
  "lists within lists": some(300, (n) => `${"  ".repeat(n)}- a\n`),
  "lists on one line": fill("1. "),
  "footnotes within footnotes": "[^a]: ".repeat(16_000),
  "openers of links": "[a](".repeat(24_000),
  backslashes: fill("\\", 99_999),
  "runs of backticks": some(400, (n) => "`".repeat(n + 1) + " "),
  "angle brackets": fill("<"),
  ampersands: fill("&"),
  "openers of pictures": fill("!["),
  definitions: fill("[a]: b\n"),
  "rows of a table": `|a|b|\n|-|-|\n${fill("|a|b|\n")}`,
  "short rows of a wide table": `|${"a|".repeat(1000)}\n|${"-|".repeat(1000)}\n${"|a|\n".repeat(1000)}`,
  "short rows of a wide table in a quotation": `> |${"a|".repeat(1000)}\n> |${"-|".repeat(1000)}\n${"> |a|\n".repeat(1000)}`,
  "items of a list": fill("- a\n"),
  headings: fill("a\n=\n"),
  addresses: fill("www.a.b "),
  "lines of one paragraph": fill("a\n"),
  "emphasis in numbered lines of one paragraph": fill("2. *a*\n"),
  "emphasis below what only looks like a table": `a\\|b\n-|-\n${fill("*a*\n")}`,
  "emphasis after a quoted fence": `> \`\`\`\n${fill("*a*\n")}`,
  "emphasis after a fence in HTML": `<div>\n\`\`\`\n\n${fill("*a*\n")}`,
};

const ordinary: Record<string, string> = {
  "10,000 words with 500 links": some(700, (n) => {
    const link = n < 500 ? `[a page](https://example.com/pages/${n}), *indeed*. ` : "";
    return words + link + (n % 4 === 3 ? "\n\n" : "");
  }),
  "a table of 1,000 rows": `| Name | Role | Year |\n|---|:-:|---|\n${some(1000, (n) => `| [Person ${n}](/p/${n}) | Editor | ${n} |\n`)}`,
  "a list of 1,000 items": some(1000, (n) => `- Item [number ${n}](https://example.com/${n}) of a list\n`),
  "1,000 numbered items": some(1000, (n) => `${n + 1}. Item *number* ${n}\n`),
  "a list of four levels": some(1000, (n) => `${"  ".repeat(n % 4)}- Item number ${n}\n`),
  "200 footnotes":
    some(200, (n) => `${words}[^${n}]\n\n`) +
    some(200, (n) => `[^${n}]: See [there](https://example.com/${n}).\n\n`),
  "a program": `\`\`\`js\n${"const a = b[0] * c[1]; // `x` & y || z < w\n".repeat(800)}\`\`\`\n`,
  "a long quotation": `> ${words}*Said.*\n`.repeat(300),
};

for (const [name, text] of Object.entries(costly)) {
  test(`${name} are refused`, () => {
    assert.notEqual(costlyLine(text, MAX), null);
    assert.throws(() => renderMarkdown(text.repeat(6)), { code: "invalid" });
  });
}

for (const [name, text] of Object.entries(ordinary)) {
  test(`${name} may be written`, () => assert.equal(costlyLine(text, MAX), null));
}

const single = "ab \n*_~[]()!<>`\\&|#=-@'\":\t".split("");
const several =
  "** ](b) [^a] ![ <a> &amp; www.a.b http://a a@b.c <!-- *** \n\n |-|\n ```\n ~~~\n a|b\n-|-\n <div>\n [a]:b\n \n[^1]:x\n\n".split(
    " ",
  );
const beginnings = ["[^a]: ", "> ", "- ", "1. ", "2. ", "    ", "\n- ", "- [ ] "];
const token = constantFrom(...single, ...several, ...beginnings);
const units = array(token, { minLength: 1, maxLength: 6 }).map((tokens) => tokens.join(""));

/** As much of it as is let through. */
function longest(unit: string) {
  let [least, most] = [0, Math.floor(MAX / unit.length)];
  if (costlyLine(unit.repeat(most), MAX) === null) return unit.repeat(most);
  while (most - least > 1) {
    const half = (least + most) >> 1;
    if (costlyLine(unit.repeat(half), MAX) === null) least = half;
    else most = half;
  }
  return unit.repeat(least);
}

/** How many times as long as the longest ordinary text of short paragraphs. Quadratic texts took a hundred times. */
const AT_MOST = 10;

test("every accepted text renders in the time of an ordinary text", () => {
  const plain = longest("Some ordinary words stand here.\n\n");
  cost(plain);
  const usual = cost(plain);
  assertProperty(
    property(units, (repeated) => {
      assert.ok(cost(longest(repeated)) < usual * AT_MOST);
    }),
    { numRuns: sweepsAll ? 60 : 10, seed: 1 },
  );
});
