import { describe, expect, test } from "vitest";
import { filesOfSite } from "../../src/admin/moving-in/importers/read-site.ts";

/** A site that answers at these addresses, and has nothing elsewhere. */
async function read(typed: string, answers: Record<string, string>) {
  const asked: string[] = [];
  const progress: number[] = [];
  const files = await filesOfSite(
    typed,
    async (url) => {
      asked.push(url);
      return answers[url] ?? null;
    },
    (posts) => progress.push(posts),
  );
  return { asked, progress, files, texts: await Promise.all(files.map((file) => file.text())) };
}

const SITE = "https://w.example";
const api = (page: number, kind = "posts", base = SITE) =>
  `${base}/wp-json/wp/v2/${kind}?per_page=100&page=${page}&_embed=1`;
const posts = (count: number) =>
  JSON.stringify(Array.from({ length: count }, (_, id) => ({ id, content: { rendered: "x" } })));
const RSS =
  '<?xml version="1.0"?>\n<?xml-stylesheet href="a.xsl"?>\n<!-- A feed --><rss version="2.0"><channel/></rss>';

// https://developer.wordpress.org/rest-api/using-the-rest-api/pagination/: beyond the last page it answers 400
describe("a site of WordPress's", () => {
  test("is read page by page, with its pages", async () => {
    const { texts, progress, asked } = await read("w.example", {
      [api(1)]: posts(100),
      [api(2)]: posts(3),
      [api(1, "pages")]: posts(2),
    });
    expect(texts.map((text) => (JSON.parse(text) as unknown[]).length)).toEqual([100, 3, 2]);
    expect(progress).toEqual([100, 103, 105]);
    expect(asked).toEqual([api(1), api(2), api(1, "pages")]);
  });

  test("whose last page is full ends there", async () => {
    expect((await read(SITE, { [api(1)]: posts(100) })).texts).toHaveLength(1);
  });

  test("in a folder has its API there, or at its host", async () => {
    const folder = `${SITE}/blog`;
    expect((await read(`${folder}/`, { [api(1, "posts", folder)]: posts(1) })).texts).toHaveLength(1);
    expect((await read(`${folder}/2020/a-post/`, { [api(1)]: posts(1) })).texts).toHaveLength(1);
  });

  test("that breaks off is not read in part", async () => {
    const answers = { [api(1)]: posts(100), [api(2)]: "<html>Too busy</html>" };
    await expect(read(SITE, answers)).rejects.toThrow("stopped answering");
  });
});

describe("another site", () => {
  test("is read by its feed behind many comments, and is no feed behind as many", async () => {
    const comments = "<!--a--> ".repeat(1000) + "<?a?>".repeat(1000);
    const [given, page] = [comments + RSS, comments + "<p>A page"];
    expect((await read(`${SITE}/a.xml`, { [`${SITE}/a.xml`]: given })).texts).toEqual([given]);
    await expect(read(SITE, { [SITE]: page, [`${SITE}/`]: page })).rejects.toThrow();
  });

  test("is read by its feed", async () => {
    const { files, texts } = await read(`${SITE}/feed.xml`, { [`${SITE}/feed.xml`]: RSS });
    expect([files[0]!.name, texts]).toEqual(["w.example-feed-xml.xml", [RSS]]);
  });

  test("is read by the feed that its page names", async () => {
    const page = `<html><link rel="stylesheet" href="/a.css"><link href='/rss?a=1&amp;b=2' rel='alternate' type='application/rss+xml'></html>`;
    const { texts } = await read(SITE, { [`${SITE}/`]: page, [`${SITE}/rss?a=1&b=2`]: RSS });
    expect(texts).toEqual([RSS]);
  });

  test.each([
    ["no address", "hello", {}, /Enter the address/],
    ["nothing at its address", SITE, {}, /nothing at this address/],
    ["a page that names no feed", SITE, { [`${SITE}/`]: "<html></html>" }, /don’t link to a feed/],
    [
      "a page whose feed is none",
      SITE,
      {
        [`${SITE}/`]: '<link rel="alternate" type="application/atom+xml" href="/x">',
        [`${SITE}/x`]: "<html>",
      },
      /don’t link to a feed/,
    ],
  ])("with %s is refused with a message", async (_what, typed, answers, message) => {
    await expect(read(typed, answers)).rejects.toThrow(message);
  });
});
