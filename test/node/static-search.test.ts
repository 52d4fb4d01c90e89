import MiniSearch from "minisearch";
import { describe, expect, test } from "vitest";
import { queryFor, searchOptions } from "../../scripts/static/browser/search-words.ts";
import { searchIndexOf } from "../../scripts/static/search-index.ts";

const texts = [
  "The dull virtue of a long lease",
  "Leasing a tower, at least for now",
  "我们需要住房政策",
  "繁體字的頭髮",
  "カタカナとひらがなの検索",
  "Müller wohnt in Łódź",
  "서울에서 주택 정책을",
  "C++ and well-being",
  "ภาษาไทยไม่มีช่องว่าง",
];
const index = MiniSearch.loadJSON(
  searchIndexOf(
    texts.map((title, id) => ({
      title,
      summary: "",
      text: "",
      path: `/${id}/`,
      kind: "Essay",
      date: "",
    })),
  ),
  searchOptions,
);
const found = (typed: string) =>
  index
    .search(queryFor(typed)!)
    .map(({ id }) => texts[Number(String(id).slice(1, -1))])
    .toSorted();

describe("the search of a static site", () => {
  test.each([
    ["lease", [texts[1], texts[0]]],
    ["leas", [texts[1], texts[0]]],
    ["virtue lease", [texts[0]]],
    ["virt", [texts[0]]],
    ["住房", [texts[2]]],
    ["房住", []],
    ["政", [texts[2]]],
    ["头发", [texts[3]]],
    ["かたかな", [texts[4]]],
    ["mueller", [texts[5]]],
    ["lodz", [texts[5]]],
    ["주택", [texts[6]]],
    ["c++", [texts[7]]],
    ["wellbeing", [texts[7]]],
    ["well-being", [texts[7]]],
    ["ภาษา", [texts[8]]],
  ])("finds %s in the texts that have it", (typed, expected) => {
    expect(found(typed)).toEqual(expected.toSorted());
  });

  test("has no query for punctuation", () => {
    expect(queryFor(" ?! ")).toBeNull();
  });
});
