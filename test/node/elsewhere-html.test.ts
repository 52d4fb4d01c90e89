import { describe, expect, test } from "vitest";
import { convert } from "../../src/admin/moving-in/importers/convert.ts";
import { parse } from "../support/elsewhere.ts";

describe("HTML as Markdown", () => {
  const markdown = (html: string, base: string | null = "https://old.example/a/") =>
    convert(parse(html), { base, moved: () => null });

  test.each([
    [
      "runs nothing",
      '<script>x()</script><p onclick="x()">Hi<style>p{}</style></p><a href="javascript:x()">y</a>',
      "Hi\n\n[y](javascript:x\\(\\))",
    ],
    ["makes relative addresses whole", '<p><a href="../b">b</a></p>', "[b](https://old.example/b)"],
    ["drops links to places within the text", '<p><a href="#x">x</a></p>', "x"],
    [
      "keeps code, lists and tables",
      "<ul><li>a</li></ul><pre><code class='language-js'>1 &lt; 2</code></pre>",
      "- a\n\n```js\n1 < 2\n```",
    ],
    [
      "keeps an emoji that was a picture",
      '<p>a <img class="emoji" alt="🙂" src="https://s.w.org/x.png"></p>',
      "a 🙂",
    ],
    [
      "drops pixels that count readers",
      '<p>a</p><img width="1" height="1" src="https://t.example/x.gif">',
      "a",
    ],
    [
      "writes raised and lowered text in characters of their own, or with a mark",
      "<p>10<sup>6</sup> H<sub>2</sub>O e<sup>x−1</sup> x<sub>max</sub> 2<sup>C</sup> XIX<sup>e</sup></p>",
      "10⁶ H₂O eˣ⁻¹ x\\_(max) 2^(C) XIXᵉ",
    ],
    ["leaves ordinals and signs on the line", "<p>21<sup>st</sup> Rostrum<sup>®</sup></p>", "21st Rostrum®"],
    [
      "writes the number of a note in brackets, and leaves links that are raised",
      '<p>So<sup><a href="#n1">1</a></sup> it<sup><a href="#n2">[2]</a></sup> is<sup><a href="/c">3</a></sup></p>',
      "So\\[1] it\\[2] is[3](https://old.example/c)",
    ],
    [
      "has the caption of a table above it",
      "<table><caption>Of <b>wood</b></caption><tr><th>a</th></tr><tr><td>b</td></tr></table>",
      "Of **wood**\n\n| a |\n| - |\n| b |",
    ],
    [
      "keeps formulas as they were written",
      '<p>So <math alttext="x^2"><mi>x</mi></math> and <math><semantics><mi>y</mi><annotation encoding="application/x-tex">y</annotation></semantics></math> and <math><mi>z</mi><mo>=</mo><mn>1</mn><annotation encoding="MathType-MTEF">MathType@MTEF@5</annotation></math>.</p>',
      "So x^2 and y and z=1.",
    ],
  ])("HTML as Markdown: %s", (_what, html, wanted) => expect(markdown(html).content).toBe(wanted));

  test("counts a picture once, and notes what is not imported", () => {
    const html =
      '<img src="/a.png"><img src="https://old.example/a.png"><img src="data:image/png;base64,AA" alt="Dot"><img src="b.png" data-src="c.png">';
    const { content, pictures, notes } = markdown(html);
    expect(pictures).toEqual(["https://old.example/a.png", "https://old.example/a/b.png"]);
    expect(content).toContain("Dot");
    expect(notes).toHaveLength(1);
    expect(markdown('<img src="a.png" alt="A">', null)).toMatchObject({
      content: "A",
      pictures: [],
      notes: [expect.any(String)],
    });
  });

  test("reads addresses whose percent-encoding is not UTF-8", () => {
    const small = '<img src="/small.png" alt="">';
    expect(markdown(`<a href="/caf%E9.jpg">${small}</a>`)).toMatchObject({
      content: "![](https://picture.invalid/0)",
      pictures: ["https://old.example/caf%E9.jpg"],
    });
    const odd = "https://substackcdn.com/image/fetch/w_9/https%3A%2F%2Fold.example%2Fcaf%E9.png";
    expect(markdown(`<img src="${odd}">`).pictures).toEqual([odd]);
  });

  test.each([
    [
      "an object of old",
      '<object><param name="movie" value="http://www.youtube.com/v/abcdefghijk&hl=en"><embed src="http://www.youtube.com/v/abcdefghijk"></object>',
      "[youtube.com](https://www.youtube.com/watch?v=abcdefghijk)",
      [/^What was embedded is a link: youtube.com/],
    ],
    ["a frame without an address", "<p>a</p><iframe></iframe>", "a", [/without a known address/]],
    [
      "a drawing",
      '<p>a</p><svg viewBox="0 0 600 400"><text>b</text></svg>',
      "a",
      [/embedded in the text itself/],
    ],
    ["an icon", '<p>a</p><svg width="24"></svg><svg viewBox="0 0 16 16"></svg>', "a", []],
    [
      "the label of a poem",
      '<div class="preformatted-block"><label class="hide-text">Text within</label><pre class="text">a\n b</pre></div>',
      "```\na\n b\n```",
      [],
    ],
  ])("HTML as Markdown: %s", (_what, html, wanted, told) => {
    const { content, notes } = markdown(html);
    expect(content).toBe(wanted);
    expect(notes).toEqual(told.map((words) => expect.stringMatching(words) as string));
  });

  test("text that looks like Markdown is escaped", () => {
    expect(markdown("<p>1. *not* a list_ &lt;b&gt;</p>").content).toBe("1\\. \\*not\\* a list\\_ \\<b>");
  });
});
