import { renderToString } from "react-dom/server";
import { expect, it } from "vitest";
import { RichText } from "#site/ui/rich-text.tsx";

const ITALIC = /<link rel="preload" [^>]*newsreader-italic/;

it.each(["<p><em>Ada</em></p>", "<p><i>Ada</i></p>", "<p><cite>Ada</cite></p>"])(
  "a text with italics preloads their font: %s",
  (html) => expect(renderToString(<RichText html={html} />)).toMatch(ITALIC),
);

it.each([
  "<p>Ada</p>",
  "<blockquote>Ada</blockquote>",
  '<p><img src="a" alt="a"></p>',
  "<p>5 &lt;em&gt;</p>",
])("one without does not: %s", (html) =>
  expect(renderToString(<RichText html={html} />)).not.toMatch(ITALIC),
);

it("nor does one that is folded", () =>
  expect(renderToString(<RichText html="<p><em>Ada</em></p>" folded />)).not.toMatch(ITALIC));
