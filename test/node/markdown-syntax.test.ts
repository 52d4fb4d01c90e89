import assert from "node:assert/strict";
import * as fc from "fast-check";
import remarkParse from "remark-parse";
import remarkStringify from "remark-stringify";
import { unified, type Preset } from "unified";
import { describe, test } from "vitest";
import { notesOf } from "../../worker/imports/feed/notes.ts";
import { asMarkdown, linksAndPicturesIn, toPlainText } from "../../worker/mail/markdown-text.ts";
import { paragraphsOfText } from "../../worker/platform/text/html-before-markdown.ts";
import { style, syntax, syntaxFor } from "../../worker/platform/text/markdown-syntax.ts";
import { renderMarkdown } from "../../worker/platform/text/markdown.ts";
import "../support/property-seed.ts";

const html = (markdown: string) => renderMarkdown(markdown).html;
const paragraph = (content: string) => `<p>${content}</p>`;

describe("emphasis beside Chinese, Japanese and Korean", () => {
  const emphasis: Record<string, string> = {
    "**ボタン「保存」**を押す": "<strong>ボタン「保存」</strong>を押す",
    "**走了很远的路，**才到": "<strong>走了很远的路，</strong>才到",
    "*（仮）*として": "<em>（仮）</em>として",
    "彼は*「うん」*と答えた": "彼は<em>「うん」</em>と答えた",
    "**값(price)**은": "<strong>값(price)</strong>은",
    "他说**“好”**了": "他说<strong>“好”</strong>了",
    "***「はい」***と": "<em><strong>「はい」</strong></em>と",
    "**全体は*「一部」*より**大きい": "<strong>全体は<em>「一部」</em>より</strong>大きい",
    "~~（旧）~~は": "<del>（旧）</del>は",
    "価格は~~千円。~~五百円": "価格は<del>千円。</del>五百円",
    "__「はい」__と": "<strong>「はい」</strong>と",
    "彼は_「はい」_と": "彼は<em>「はい」</em>と",
    "_값(price)_은": "<em>값(price)</em>은",
    "使う**`npm`**です": '使う<strong><code translate="no">npm</code></strong>です',
    "看**[说明](/a)**吧": '看<strong><a href="/a">说明</a></strong>吧',
  };
  for (const [markdown, content] of Object.entries(emphasis))
    test(`renders ${markdown}`, () => assert.equal(html(markdown), paragraph(content)));

  test("does not change underscores and asterisks in names and sums", () => {
    for (const text of ["資料_最終_修正", "snake_case_name", "2 * 3 * 4", "f_(x)_y"])
      assert.equal(html(text), paragraph(text));
  });
});

test("a text is parsed the same without the constructs that it does not need", () => {
  const parse = (dialect: Preset, text: string) => unified().use(remarkParse).use(dialect).parse(text);
  const signs = [
    "a",
    "b@c.de",
    "@",
    "&#64;",
    "www.",
    "WWW.d.com",
    "http",
    "https://e.org",
    "h",
    "w",
    "_",
    "*",
  ];
  const others = [" ", "\n", "\n\n", "`", "[f](g)", "<", ">", "~~", "中", "。", "- ", "| "];
  const piece = fc.constantFrom(...signs, ...others);
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 12 }), (pieces) => {
      const text = pieces.join("");
      assert.deepEqual(parse(syntaxFor(text), text), parse(syntax, text));
    }),
    { numRuns: 500 },
  );
});

describe("a bare address among words", () => {
  const link = (address: string, href = address) => `<a href="${href}">${address}</a>`;
  const foo = link("https://example.com/foo");
  const addresses: Record<string, string> = {
    "见 https://example.com/foo。好": `见 ${foo}。好`,
    "见https://example.com/foo，好": `见${foo}，好`,
    ...Object.fromEntries(
      [..."、！？；：（）「」『』【】《》〈〉［］｛｝“”…—｡､　"].map((mark) => [
        `见https://example.com/foo${mark}好`,
        `见${foo}${mark}好`,
      ]),
    ),
    "(https://example.com/foo)好": `(${foo})好`,
    "见https://example.com/foo。**好**吧": `见${foo}。<strong>好</strong>吧`,
    "见https://example.com好": `见${link("https://example.com")}好`,
    "见https://example.com：好": `见${link("https://example.com")}：好`,
    "www.example.com/a、www.example.com/b。":
      `${link("www.example.com/a", "http://www.example.com/a")}、` +
      `${link("www.example.com/b", "http://www.example.com/b")}。`,
    "写信到me@example.com。好": `写信到${link("me@example.com", "mailto:me@example.com")}。好`,
    "[注：https://example.com/foo。好": `[注：${foo}。好`,
  };
  for (const [markdown, content] of Object.entries(addresses))
    test(`ends before the punctuation in ${markdown}`, () =>
      assert.equal(html(markdown), paragraph(content)));

  for (const address of [
    "https://ja.wikipedia.org/wiki/日本語",
    "https://ja.wikipedia.org/wiki/レオナルド・ダ・ヴィンチ",
    "https://ja.wikipedia.org/wiki/東京_(曖昧さ回避)",
    "https://ko.wikipedia.org/wiki/한국어?action=보기&x=1#역사",
    "https://www.abc日本.com/x",
    "https://例え.jp/foo",
  ])
    test(`has all of ${address}`, () => {
      assert.deepEqual(linksAndPicturesIn(`A ${address} b`).links, [{ url: address, label: address }]);
    });

  test("ends so in plain text, too, which becomes Markdown", () => {
    const [first] = paragraphsOfText("见https://example.com/foo。好\n(https://example.com/b)好");
    assert.deepEqual(
      first?.children.flatMap((child) => (child.type === "link" ? [child.url] : [])),
      ["https://example.com/foo", "https://example.com/b"],
    );
  });

  test("is unchanged in a letter's text part", () => {
    const text = "见 https://example.com/foo。**好，**吧";
    assert.equal(
      toPlainText(text, (href) => href),
      "见 https://example.com/foo。好，吧",
    );
  });
});

describe("Markdown that is written from HTML or text", () => {
  for (const content of [
    "<strong>ボタン「保存」</strong>を押す",
    "走<em>（了）</em>很远",
    "値<strong>(price)</strong>은 <del>「旧」</del>は",
    "これは<em>とても</em><strong>大切</strong>です",
    "<strong>Bold,</strong>than plain",
    '见<a href="https://example.com/foo">https://example.com/foo</a>。好',
  ])
    test(`is read back as ${content}`, () => {
      const { markdown } = notesOf(paragraph(content), 1000);
      assert.equal(html(markdown), paragraph(content));
    });

  test("is read back as the text that it was written from", () => {
    for (const text of ["**注意，**请看", "_「あ」_と~~（い）~~", "见 https://example.com/foo。好"]) {
      assert.equal(renderMarkdown(asMarkdown(text)).text, text);
      const writer = unified().use(syntax).use(remarkStringify, style);
      const written = writer.stringify({ type: "root", children: paragraphsOfText(text) });
      assert.equal(renderMarkdown(written).text, text);
    }
  });
});
