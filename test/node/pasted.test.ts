import assert from "node:assert/strict";
import type { Element, Root } from "hast";
import { fromParse5 } from "hast-util-from-parse5";
import { parse } from "parse5";
import { describe, test } from "vitest";
import { find } from "../../src/admin/moving-in/importers/tree.ts";
import { pastedMarkdown } from "../../src/admin/markdown/pasted.ts";

const ORIGIN = "https://plain.example";

/** As the page parses the clipboard's HTML. */
const pasted = (html: string) => {
  const body = find(fromParse5(parse(html)) as Root, ({ tagName }) => tagName === "body") as Element;
  return pastedMarkdown({ type: "root", children: [body] }, ORIGIN);
};
const markdown = (html: string) => pasted(html).markdown;

const docsSpan = (words: string, style = "") =>
  `<span style="font-size:11pt;font-family:Arial,sans-serif;font-weight:400;font-style:normal;text-decoration:none;white-space:pre-wrap;${style}">${words}</span>`;
const docs = (content: string) =>
  `<meta charset='utf-8'><b style="font-weight:normal;" id="docs-internal-guid-7d1c">${content}</b><br class="Apple-interchange-newline">`;

const word = (content: string) => `<html xmlns:o="urn:schemas-microsoft-com:office:office"><head>
<meta name=Generator content="Microsoft Word 15"><style>p.MsoNormal {margin:0cm}</style>
<!--[if gte mso 9]><xml><w:WordDocument/></xml><![endif]--></head><body lang=EN-AU>
<!--StartFragment-->${content}<!--EndFragment--></body></html>`;
const wordItem = (marker: string, level: number, words: string, list = "l0") =>
  `<p class=MsoListParagraphCxSpMiddle style='text-indent:-18.0pt;mso-list:${list} level${level} lfo1'><![if !supportLists]><span
style='font-family:Symbol'><span style='mso-list:Ignore'>${marker}<span style='font:7.0pt "Times New Roman"'>&nbsp;&nbsp; </span></span></span><![endif]>${words}<o:p></o:p></p>`;

describe("a paste from Google Docs", () => {
  test("keeps headings, emphasis, strikethrough and links, past Google's own address", () => {
    const html = docs(
      `<h1 dir="ltr">${docsSpan("The river", "font-size:20pt")}</h1><p dir="ltr">${docsSpan("It ")}${docsSpan("rose ", "font-weight:700")}${docsSpan("fast", "font-weight:700;font-style:italic")}${docsSpan(", and ", "")}${docsSpan("stayed", "text-decoration:line-through")}${docsSpan(" ")}<a href="https://www.google.com/url?q=https://example.com/a%3Fb%3D1&amp;sa=D&amp;ust=2" style="text-decoration:none">${docsSpan("there", "text-decoration:underline")}</a>${docsSpan(".")}</p><br /><h2>${docsSpan("After", "font-weight:700")}</h2>`,
    );
    assert.equal(
      markdown(html),
      "# The river\n\nIt **rose *fast***, and ~~stayed~~ [there](https://example.com/a?b=1).\n\n## After",
    );
  });

  test("keeps lists that stand beside the item that they belong to", () => {
    const item = (level: number, words: string) =>
      `<li dir="ltr" aria-level="${level}"><p dir="ltr" role="presentation">${docsSpan(words)}</p></li>`;
    const html = docs(
      `<ol>${item(1, "One")}<ol>${item(2, "Below")}</ol>${item(1, "Two")}</ol><ul>${item(1, "Dot")}</ul>`,
    );
    assert.equal(markdown(html), "1. One\n   1. Below\n2. Two\n\n- Dot");
  });

  test("notes how many pictures are left out", () => {
    const picture = '<img src="https://lh7-rt.googleusercontent.com/docsz/x" width="600">';
    const { pictures } = pasted(docs(`<p>${docsSpan("Words")}${picture}</p><p>${picture}</p>`));
    assert.equal(pictures, 2);
  });
});

describe("a paste from Word", () => {
  test("preserves title, headings, bold and italic, without Word's own markup", () => {
    const html = word(`<p class=MsoTitle>On rivers<o:p></o:p></p><h2>First<o:p></o:p></h2>
<p class=MsoNormal><b style='mso-bidi-font-weight:normal'>Bold</b> and <i style='mso-bidi-font-style:normal'>slanted</i> in
<st1:place w:st="on">Hobart</st1:place>, <a href="https://example.com/">a&nbsp;link</a>.<o:p></o:p></p><p class=MsoNormal><o:p>&nbsp;</o:p></p>`);
    assert.equal(
      markdown(html),
      "# On rivers\n\n## First\n\n**Bold** and *slanted* in Hobart, [a link](https://example.com/).",
    );
  });

  test("keeps lists that are paragraphs, by their levels and markers", () => {
    const html = word(
      [
        wordItem("·", 1, "First"),
        wordItem("o", 2, "Below"),
        wordItem("·", 1, "Second <b>b</b>"),
        wordItem("3.", 1, "Third", "l1"),
        wordItem("4.", 1, "Fourth", "l1"),
        "<p class=MsoNormal>After</p>",
      ].join("\n"),
    );
    assert.equal(markdown(html), "- First\n  - Below\n- Second **b**\n\n3. Third\n4. Fourth\n\nAfter");
  });

  test("for browsers keeps headings and lists, whose items are lists of their own", () => {
    const run = (words: string, style = "") =>
      `<span class="TextRun" style="${style}"><span class="NormalTextRun">${words}</span></span><span class="EOP">&nbsp;</span>`;
    const item = (level: number, words: string) =>
      `<div class="ListContainerWrapper"><ul><li data-aria-level="${level}"><p class="Paragraph">${run(words)}</p></li></ul></div>`;
    const html = `<div class="OutlineElement"><p role="heading" aria-level="2">${run("Head")}</p></div>
<div class="OutlineElement"><p class="Paragraph">${run("Bold&nbsp;", "font-weight:bold")}${run("words")}</p></div>${item(1, "One")}${item(2, "Below")}${item(1, "Two")}`;
    assert.equal(markdown(html), "## Head\n\n**Bold** words\n\n- One\n  - Below\n- Two");
  });

  test("counts its pictures, which are on the other computer", () => {
    const html = word(
      `<p>a</p><img src="file:///C:/x/clip_image001.png"><img src="data:image/png;base64,AA==">`,
    );
    assert.equal(pasted(html).pictures, 2);
  });
});

describe("a paste from another program", () => {
  const cases: Record<string, [html: string, markdown: string | null]> = {
    "LibreOffice Writer": [
      '<body lang="en-AU"><h1 class="western">Head</h1><p><font color="#000080"><u><a href="https://example.com/">link</a></u></font> <i>i</i></p><ol><li><p>one</p></li><li><p>two</p><ol><li><p>deep</p></li></ol></li></ol>',
      "# Head\n\n[link](https://example.com/) *i*\n\n1. one\n2. two\n   1. deep",
    ],
    Pages: [
      '<head><style>p.p1 {margin: 0}</style></head><p class="p1"><span class="s1"><b>Bold</b></span> and <i>it</i></p><ul class="ul1"><li class="li1"><span class="s2"></span>one</li></ul>',
      "**Bold** and *it*\n\n- one",
    ],
    Notion: [
      "<!-- notionvc: 1 --><h2>Head</h2>\n<ul>\n<li>one\n<ul>\n<li>two</li>\n</ul>\n</li>\n</ul>\n<blockquote>said</blockquote>",
      "## Head\n\n- one\n  - two\n\n> said",
    ],
    "a page in Chrome": [
      '<meta charset="utf-8"><span style="font-style: normal; font-weight: 400;">See<span> </span></span><a href="https://example.com/x">the page</a><span style="font-weight: 400;"> now</span>',
      "See [the page](https://example.com/x) now",
    ],
    Excel: [
      "<table border=0><col width=64><tr><td class=xl65>Name</td><td>Year</td></tr><tr><td>Ann</td><td>1990</td></tr></table>",
      "| Name | Year |\n| ---- | ---- |\n| Ann  | 1990 |",
    ],
    "a cell of Google Sheets": [
      "<google-sheets-html-origin><table><tbody><tr><td>One</td></tr></tbody></table>",
      null,
    ],
    "an editor of code": [
      `<meta charset='utf-8'><div style="color: #d4d4d4;font-family: Consolas, 'Courier New', monospace;white-space: pre;"><div><span style="font-weight: bold;">const</span> a</div></div>`,
      null,
    ],
    "a page without formatting": [
      '<span style="font-weight: 400; font-style: normal; display: inline !important;">Just *words*</span>',
      null,
    ],
    paragraphs: ["<p>One</p><p>Two</p>", null],
    "a mail with divisions": ["<div>One <b>b</b></div><div><br></div><div>Two</div>", "One **b**\n\nTwo"],
    "this site's own page": [
      `<p><a href="${ORIGIN}/essays/a">An essay</a></p><p><img src="${ORIGIN}/media/articles/1/a.jpg" alt="A hill"></p>`,
      "[An essay](/essays/a)\n\n![A hill](/media/articles/1/a.jpg)",
    ],
    "a page with scripts": [
      '<p><a href="javascript:alert(1)">no</a> <b>yes</b><script>alert(1)</script></p>',
      "no **yes**",
    ],
    "a page with code": [
      '<p>Use <code>npm ci</code></p><pre><code class="language-js">a *b*</code></pre>',
      "Use `npm ci`\n\n```js\na *b*\n```",
    ],
    "a Japanese document": ["<p><b>新規（NEW）</b>を選ぶ</p>", "**新規（NEW）**を選ぶ"],
  };
  for (const [program, [html, expected]] of Object.entries(cases))
    test(`becomes Markdown that reads the same: ${program}`, () => assert.equal(markdown(html), expected));

  test("is recognised as inline or as blocks", () => {
    assert.equal(pasted("<p>a <b>b</b></p>").isInline, true);
    assert.equal(pasted("a <i>b</i>").isInline, true);
    assert.equal(pasted("<ul><li>a</li></ul>").isInline, false);
    assert.equal(pasted("<p>a</p><p><b>b</b></p>").isInline, false);
  });
});
