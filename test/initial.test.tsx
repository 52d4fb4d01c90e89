import { renderToStaticMarkup } from "react-dom/server";
import { expect, it } from "vitest";
import { RichText } from "#site/ui/rich-text.tsx";

/** As many words as a first paragraph of at least three lines has in the widest column. */
const LONG = "he bus leaves at ten past the hour and at ten past the next. ".repeat(4);

const hasInitial = (html: string) =>
  /class="[^"]*\binitial\b/.test(renderToStaticMarkup(<RichText html={html} long />));

it.each([
  ["a long paragraph", `<p>T${LONG}</p>`],
  ["one with markup before its first letter", `<p><em>T</em>${LONG}</p>`],
  ["one in Cyrillic", `<p>Ж${LONG}</p>`],
  ["one behind a line break of the source", `\n<p>É${LONG}</p><table></table>`],
])("a text begins with an initial: %s", (_what, html) => {
  expect(hasInitial(html)).toBe(true);
});

it.each([
  ["a paragraph of one line before a table", "<p>The times:</p><table><tr><td>10</td></tr></table>"],
  ["a paragraph of two lines", `<p>T${LONG.slice(0, 120)}</p><p>T${LONG}</p>`],
  [
    "a paragraph whose length is its markup",
    `<p>The <a href="https://example.org/${"a".repeat(300)}">bus</a></p>`,
  ],
  ["a heading", `<h2>T${LONG}</h2><p>T${LONG}</p>`],
  ["a list", `<ul><li>T${LONG}</li></ul>`],
  ["a quote", `<blockquote><p>T${LONG}</p></blockquote><p>T${LONG}</p>`],
  ["a picture", `<p><img src="/a.png" alt="">T${LONG}</p>`],
  ["lines of a poem", `<p>T${LONG}<br>T${LONG}</p>`],
  ["a quotation mark", `<p>“T${LONG}</p>`],
  ["a digit", `<p>10${LONG}</p>`],
  ["Arabic", `<p>كانت${LONG}</p>`],
  ["Chinese", `<p>${"公".repeat(300)}</p>`],
  ["an emoji", `<p>🚌${LONG}</p>`],
  ["nothing", ""],
])("a text begins without an initial: %s", (_what, html) => {
  expect(hasInitial(html)).toBe(false);
});

it("is omitted in show notes, whose length is not the page's", () => {
  expect(renderToStaticMarkup(<RichText html={`<p>T${LONG}</p>`} />)).not.toContain("initial");
});
