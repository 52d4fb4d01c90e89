import { describe, expect, test } from "vitest";
import { file, move } from "../support/elsewhere.ts";
import { wxrItem, wxrOf } from "../support/exports.ts";

const moveItems = (items: string, options?: Parameters<typeof move>[1]) =>
  move([file(wxrOf(items), "old.xml")], options);
const moveText = async (content: string, others = "") =>
  (await moveItems(wxrItem({ content }) + others)).articles[0]!;

describe("lines of the older editor", () => {
  test.each([
    ["a paragraph", '<p style="text-align: center;">Line one\nLine two</p>', "Line one\\\nLine two"],
    [
      "a quotation",
      "<blockquote>Rose is\na <em>rose</em>\nis</blockquote>",
      "> Rose is\\\n> a *rose*\\\n> is",
    ],
    ["a list", "<ul>\n<li>One\ntwo</li>\n<li>Three</li>\n</ul>", "- One\\\n  two\n- Three"],
    ["a division", "<div>\nOne\ntwo\n</div>", "One\\\ntwo"],
    ["lines that are broken already", "One<br />\ntwo\n<br>three", "One\\\ntwo\\\nthree"],
    ["a tag of two lines", 'One <a\nhref="/b">two</a>', "One [two](https://old.example/b)"],
  ])("stay lines in %s", async (_what, content, wanted) => {
    expect((await moveText(content)).content).toBe(wanted);
  });
});
