import { describe, expect, test } from "vitest";
import { fromClassic } from "../../src/admin/moving-in/importers/shortcodes.ts";
import { file, move } from "../support/elsewhere.ts";
import { wxrItem, wxrOf } from "../support/exports.ts";
import { processorTime } from "../support/processor-time.ts";

const moveItems = (items: string, options?: Parameters<typeof move>[1]) =>
  move([file(wxrOf(items), "old.xml")], options);
const moveText = async (content: string, others = "") =>
  (await moveItems(wxrItem({ content }) + others)).articles[0]!;

describe("line breaks of the classic editor", () => {
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
  ])("remain line breaks in %s", async (_what, content, wanted) => {
    expect((await moveText(content)).content).toBe(wanted);
  });
});

const picture = (id: string, post = "") =>
  wxrItem({
    id,
    name: `picture-${id}`,
    type: "attachment",
    status: "inherit",
    extra: `<wp:post_parent>${post}</wp:post_parent><wp:attachment_url>https://old.example/${id}.png</wp:attachment_url>`,
  });

describe("WordPress galleries", () => {
  test("without ids show the pictures of their post", async () => {
    const others = picture("21", "1") + picture("22", "9") + picture("23", "1");
    for (const gallery of ["[gallery]", '[gallery columns="2"]']) {
      const { pictures, notes } = await moveText(gallery, others);
      expect(pictures).toEqual(["https://old.example/21.png", "https://old.example/23.png"]);
      expect(notes).toEqual([]);
    }
    expect((await moveText('[gallery id="9"]', others)).pictures).toEqual(["https://old.example/22.png"]);
  });

  test.each(["[gallery]", '[gallery ids="21,99"]'])(
    "with %s get a note about missing pictures",
    async (gallery) => {
      const { articles, plan } = await moveItems(wxrItem({ content: gallery }) + picture("21"));
      expect(articles[0]!.notes).toEqual(["Gallery pictures are left out: they aren’t in the export."]);
      expect(plan.rows[0]!.notes).toEqual(articles[0]!.notes);
    },
  );
});

describe("blocks that WordPress renders", () => {
  const pattern = (id: string, content: string) =>
    wxrItem({ id, name: `p-${id}`, type: "wp_block", content });

  test("that are patterns are replaced by their content, also nested ones", async () => {
    const others =
      pattern(
        "12",
        '<!-- wp:paragraph --><p>Shared.</p><!-- /wp:paragraph --><!-- wp:block {"ref":13} /-->',
      ) + pattern("13", '<p>Inner.</p><!-- wp:block {"ref":13} /-->');
    const text = '<!-- wp:paragraph --><p>Own.</p><!-- /wp:paragraph -->\n<!-- wp:block {"ref":12} /-->';
    const { articles, plan } = await moveItems(wxrItem({ content: text }) + others);
    expect(articles[0]!.content).toMatch(/^Own\.\n\nShared\.\n\nInner\./);
    expect([...plan.leftOut]).toEqual([]);
  });

  test("are listed by name in a note, and so are patterns that the export lacks", async () => {
    const text = `<!-- wp:acf/text {"name":"acf/text","data":{"a":"b/c"}} /--><p>Own.</p><!-- wp:latest-posts /-->
<!-- wp:spacer {"height":"20px"} /--><!-- wp:block {"ref":99} /-->[form id="5"]`;
    expect((await moveText(text)).notes).toEqual([
      "It has parts that only WordPress can show: [form], acf/text, latest-posts.",
      "A pattern is left out: it isn’t in the export.",
    ]);
  });
});

test.each(["[code]", "[caption]", "<pre>"])(
  "a megabyte of unclosed %s is parsed in linear time",
  (opening) => {
    const library = { picture: () => null, picturesOf: () => [], pattern: () => null, isComplete: true };
    const text = opening.repeat(1_000_000 / opening.length);
    expect(processorTime(() => fromClassic(text, "1", library))).toBeLessThan(20_000);
  },
);
