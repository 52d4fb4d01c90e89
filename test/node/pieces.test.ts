import { describe, expect, test } from "vitest";
import { changedFields } from "../../src/admin/form/compare/fields.tsx";
import { piecesOf, withoutMiddles } from "../../src/admin/form/compare/pieces.ts";

describe("two texts", () => {
  test("are compared word by word", () => {
    expect(piecesOf("A house on a hill", "A house by a hill")).toEqual([
      { kind: "same", text: "A house " },
      { kind: "removed", text: "on" },
      { kind: "added", text: "by" },
      { kind: "same", text: " a hill" },
    ]);
  });

  test("give back both of them", () => {
    const [before, after] = ["Ein  Haus\n\nam شارع", "Ein Haus\n\nam شارع طويل"];
    const pieces = piecesOf(before, after);
    const textOf = (kind: string) =>
      pieces.flatMap((piece) => (["same", kind].includes(piece.kind) ? piece.text : [])).join("");
    expect([textOf("removed"), textOf("added")]).toEqual([before, after]);
  });

  test("that have nothing in common are one removed and one added in the end", () => {
    const words = (seed: number) =>
      Array.from({ length: 20_000 }, (_, index) => `w${(index * seed) % 19_997}`).join(" ");
    const kinds = piecesOf(words(7919), words(104_729)).map(({ kind }) => kind);
    expect(kinds).toEqual(["removed", "added"]);
  });

  test("show the context of a change, and count the omitted words", () => {
    const long = "word ".repeat(200);
    const shown = withoutMiddles(piecesOf(`${long}old ${long}`, `${long}new ${long}`));
    const kinds = ["left-out", "same", "removed", "added", "same", "left-out"];
    expect(shown.map(({ kind }) => kind)).toEqual(kinds);
    const [before, beside] = shown;
    expect(before).toEqual({ kind: "left-out", words: 169 });
    expect(beside).toEqual({ kind: "same", text: "word ".repeat(31) });
  });

  test("show the context of a change in a language without spaces", () => {
    const long = "字".repeat(500);
    const changed = [
      { kind: "same", text: long },
      { kind: "added", text: "新" },
      { kind: "same", text: long },
    ] as const;
    const shown = withoutMiddles([...changed]);
    const beside = { kind: "same", text: "字".repeat(120) };
    expect(shown.filter(({ kind }) => kind !== "left-out")).toEqual([beside, changed[1], beside]);
  });
});

describe("the fields of two versions", () => {
  const words = { labels: { title: "Title", tags: "Tags", at: "Date" }, inWords: () => undefined };

  test("are those that differ, word by word", () => {
    const before = { title: "A", tags: ["x", "y"], at: 1 };
    expect(changedFields(before, { title: "A", tags: ["x"], at: 1 }, words)).toEqual([
      { field: "tags", label: "Tags", before: "x, y", after: "x" },
    ]);
  });

  test("are not those that only one of them has, nor an empty one beside none", () => {
    expect(changedFields({ title: "", at: undefined }, { title: null, at: 5, tags: [] }, words)).toEqual([]);
  });

  test("are all filled fields if there is no previous version", () => {
    expect(changedFields(null, { title: "A", tags: [], at: null }, words).map(({ field }) => field)).toEqual([
      "title",
    ]);
  });
});
