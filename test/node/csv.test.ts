import Papa from "papaparse";
import { expect, it } from "vitest";
import { csvLines } from "#worker/platform/http/csv.ts";

const HOSTILE = [
  "=1+1",
  "a;=1+1",
  "a; =1+1",
  "a;+1;-1;@x",
  'a";"=1+1',
  "a\n;=1+1",
  "＝1+1",
  "a;＝1+1",
  "a\n=1+1",
  "a\r\n+1",
  "a\r@x",
  "a\t=1+1",
  "a\n\n  -1",
  "a\t\t＝1",
];

it.each([
  [",", "\r\n"],
  [",", "\n"],
  [";", "\n"],
  [";", "\r"],
  ["\t", "\n"],
  ["\t", "\r"],
] as const)(
  "csvLines: no cell begins a formula in a spreadsheet that separates cells at %j and rows at %j",
  (delimiter, newline) => {
    const text = csvLines(HOSTILE.map((cell) => ["first", cell]));
    const cells = Papa.parse<string[]>(text, { delimiter, newline }).data.flat();
    expect(cells.length).toBeGreaterThanOrEqual(HOSTILE.length);
    for (const cell of cells) expect(cell).not.toMatch(/^\s*[=+\-@＝]/);
  },
);

it("csvLines changes no other words behind a semicolon, a tab or a line break", () => {
  expect(csvLines([["one; two;three", "x@example.com;y"]])).toBe("one; two;three,x@example.com;y\r\n");
  expect(csvLines([["one\n\ntwo-three\tfour"]])).toBe('"one\n\ntwo-three\tfour"\r\n');
});

it("csvLines looks for formulas in one pass", () => {
  const blank = `${"\n".repeat(300_000)}${" ".repeat(300_000)}${";\t".repeat(150_000)}x`;
  expect(csvLines([[blank]])).toBe(`"${blank}"\r\n`);
});
