import Papa from "papaparse";
import { expect, it } from "vitest";
import { csvLines } from "#worker/platform/http/csv.ts";

const HOSTILE = ["=1+1", "a;=1+1", "a; =1+1", "a;+1;-1;@x", 'a";"=1+1', "a\n;=1+1", "＝1+1", "a;＝1+1"];

it.each([",", ";"])(
  "csvLines: no cell begins a formula in a spreadsheet that separates cells at %s",
  (delimiter) => {
    const text = csvLines(HOSTILE.map((cell) => ["first", cell]));
    const cells = Papa.parse<string[]>(text, { delimiter }).data.flat();
    expect(cells.length).toBeGreaterThanOrEqual(HOSTILE.length);
    for (const cell of cells) expect(cell).not.toMatch(/^\s*[=+\-@＝]/);
  },
);

it("csvLines changes no other words behind a semicolon", () => {
  expect(csvLines([["one; two;three", "x@example.com;y"]])).toBe("one; two;three,x@example.com;y\r\n");
});
