import assert from "node:assert/strict";
import { existsSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { describe, test } from "vitest";
import { root } from "../../scripts/tools.ts";

/** OWASP ASVS 5.0.0: the level of each requirement of a section, in order. */
const LEVELS: Record<string, string> = {
  "1.1": "22",
  "1.2": "1111122223",
  "1.3": "112222222223",
  "1.4": "222",
  "1.5": "123",
  "2.1": "122",
  "2.2": "112",
  "2.3": "12223",
  "2.4": "23",
  "3.1": "3",
  "3.2": "113",
  "3.3": "12223",
  "3.4": "11222233",
  "3.5": "11122333",
  "3.6": "3",
  "3.7": "22333",
  "4.1": "12233",
  "4.2": "23333",
  "4.3": "22",
  "4.4": "1222",
  "5.1": "2",
  "5.2": "112333",
  "5.3": "113",
  "5.4": "222",
  "6.1": "122",
  "6.2": "111111112222",
  "6.3": "11223333",
  "6.4": "112233",
  "6.5": "22222333",
  "6.6": "2223",
  "6.7": "33",
  "6.8": "2222",
  "7.1": "222",
  "7.2": "1111",
  "7.3": "22",
  "7.4": "11222",
  "7.5": "223",
  "7.6": "22",
  "8.1": "1233",
  "8.2": "1123",
  "8.3": "133",
  "8.4": "23",
  "9.1": "111",
  "9.2": "1222",
  "10.1": "22",
  "10.2": "223",
  "10.3": "22223",
  "10.4": "1111122222233333",
  "10.5": "22222",
  "10.6": "22",
  "10.7": "222",
  "11.1": "2233",
  "11.2": "22233",
  "11.3": "11233",
  "11.4": "1222",
  "11.5": "23",
  "11.6": "23",
  "11.7": "33",
  "12.1": "12233",
  "12.2": "11",
  "12.3": "22223",
  "13.1": "2333",
  "13.2": "222223",
  "13.3": "2233",
  "13.4": "1222233",
  "14.1": "22",
  "14.2": "12223333",
  "14.3": "122",
  "15.1": "12233",
  "15.2": "12233",
  "15.3": "1222222",
  "15.4": "3333",
  "16.1": "2",
  "16.2": "22222",
  "16.3": "2222",
  "16.4": "222",
  "16.5": "2223",
  "17.1": "23",
  "17.2": "22223333",
  "17.3": "22",
};

/** The ids of the requirements of levels 1 and 2, with their level. */
const required = new Map(
  Object.entries(LEVELS).flatMap(([section, levels]) =>
    [...levels].map((level, at) => [`V${section}.${at + 1}`, level] as const),
  ),
);
for (const [id, level] of required) if (level === "3") required.delete(id);

const read = (path: string) => readFileSync(join(root, path), "utf8");

/** The cells of each row of the tables with so many columns, without heads. */
const rowsOf = (document: string, columns: number) =>
  document
    .split("\n")
    .filter((line) => line.startsWith("| ") && !/^\| (?:-+|id|who) +\|/.test(line))
    .map((line) => line.slice(2, -2).split(/ +\| /))
    .filter((cells) => cells.length === columns)
    .map((cells) => cells.map((cell) => cell.trim()));

/** The tests that a text names: `[file](../test/…) “title”`. */
const testsIn = (text: string) =>
  [...text.matchAll(/\[[^\]]+\]\((\.\.\/test\/[^)]+)\) “(.+?)”(?=;|\s*\||\s*$)/gm)].map(
    ([, file, title]) => ({ file: file!, title: title! }),
  );

/** Whether the file has a test or a group of tests of this title, as it is written there. */
const hasTitle = (source: string, title: string) =>
  ['"', "`"].some((quote) => source.includes(`${quote}${title.replaceAll(quote, `\\${quote}`)}${quote}`));

describe("docs/asvs.md", () => {
  const rows = rowsOf(read("docs/asvs.md"), 4);

  test("has each requirement of levels 1 and 2 once, with its level", () => {
    assert.equal(required.size, 253);
    assert.deepEqual(
      rows.map(([id, level]) => `${id} ${level}`).toSorted(),
      [...required].map(([id, level]) => `${id} ${level}`).toSorted(),
    );
  });

  test("has a test, a document or a reason for each", () => {
    for (const [id, , , here] of rows)
      assert.ok(/^(?:Open|Does not apply): .{10}/.test(here!) || here!.includes("]("), id);
  });

  test("counts what is open", () => {
    const open = rows.filter(([, , , here]) => here!.startsWith("Open: ")).length;
    const unmet = rows.filter(([, , , here]) => here!.startsWith("Does not apply: ")).length;
    const sum = `${rows.length} requirements: ${rows.length - open - unmet} met, ${unmet} do not apply, ${open} open.`;
    assert.ok(read("docs/asvs.md").includes(sum), sum);
  });
});

describe("the rules of docs/combined-fields.md", () => {
  const rules = rowsOf(read("docs/combined-fields.md"), 4).slice(1);

  test.each(rules)("%s: %s", (_form, _rule, message, place) => {
    const [, file] = place!.match(/\]\((.+)\)/)!;
    assert.ok(read(join("docs", file!)).includes(message!));
  });
});

describe("the threats of docs/threats.md", () => {
  test("have each a test", () => {
    const threats = rowsOf(read("docs/threats.md"), 5);
    assert.ok(threats.length > 20);
    for (const [, wants, , , by] of threats)
      assert.ok(by!.startsWith("Open: ") || testsIn(by!).length > 0, wants);
  });
});

describe.each(["docs/asvs.md", "docs/threats.md"])("%s", (path) => {
  const document = read(path);

  test("names tests that exist", () => {
    const named = testsIn(document);
    assert.equal(named.length, document.match(/\]\(\.\.\/test\//g)?.length, "a title is missing");
    for (const { file, title } of named)
      assert.ok(hasTitle(read(join("docs", file)), title), `${file} has no test “${title}”.`);
  });

  test("links to files that exist", () => {
    for (const [, target] of document.matchAll(/\]\((?!https?:|#)([^)#]+)/g))
      assert.ok(existsSync(join(root, dirname(path), target!)), target);
  });
});
