import { eq } from "drizzle-orm";
import { XMLParser, XMLValidator } from "fast-xml-parser";
import { describe, expect, test } from "vitest";
import {
  createArticle,
  createCategory,
  publishDueArticles,
  storeFirstGuids,
} from "#worker/articles/commands.ts";
import { listPublishedArticles } from "#worker/articles/queries.ts";
import { readEssayFeed } from "#worker/articles/feed-queries.ts";
import { articles, categories } from "#worker/articles/table.ts";
import { renderArticles } from "#worker/articles/upkeep-commands.ts";
import { filePlaces, fileReferences } from "#worker/nouns/list.ts";
import { updateFile } from "#worker/files/library/commands.ts";
import { updateSite } from "#worker/settings/commands.ts";
import { anArticle, publishedArticle } from "./support/articles.ts";
import { fetchSite, jobContext, ownerContext, SITE, visitorContext } from "./support/client.ts";
import { savedShow, storedImage, unique } from "./support/factories.ts";

const FEED = "/rss/essays.xml";
/** What XML and HTML are most easily broken by; the last three cannot be written in XML. */
const HOSTILE = `]]> &amp; <b>"it's"</b> 🌏 é <!-- --> שלום\u0000\u000B\uD83C\uFFFE`;
const HOSTILE_READ = `]]> &amp; <b>"it's"</b> 🌏 é <!-- --> שלום`;

type Item = {
  title: string;
  link: string;
  guid: { "#text": string; "@_isPermaLink": string };
  pubDate: string;
  "dc:creator": string;
  category?: string[];
  description?: string;
  "content:encoded": string;
};

async function readXml() {
  const response = await fetchSite(FEED);
  expect(response.status).toBe(200);
  const xml = await response.text();
  expect(XMLValidator.validate(xml)).toBe(true);
  return xml;
}

/** The feed as another program's parser reads it. */
async function readChannel() {
  const parser = new XMLParser({
    ignoreAttributes: false,
    trimValues: false,
    parseTagValue: false,
    htmlEntities: false,
    isArray: (name) => name === "item" || name === "category",
  });
  const { rss } = parser.parse(await readXml());
  const channel = rss.channel as { [name: string]: unknown; item?: Item[] };
  return {
    ...channel,
    description: channel["description"],
    version: String(rss["@_version"]),
    items: channel.item ?? [],
  };
}

const itemOf = async (slug: string) =>
  (await readChannel()).items.find(({ link }) => link === `${SITE}/essays/${slug}`);
const etagNow = async () => (await fetchSite(FEED, { method: "HEAD" })).headers.get("ETag");

test("before anything is published the feed is there, and empty", async () => {
  await updateSite(ownerContext(), { name: "Imogen Tarrant", description: "" });
  const channel = await readChannel();
  expect(channel).toMatchObject({ version: "2.0", title: "Imogen Tarrant: essays", items: [] });
  expect(channel.description).toBe("Essays by Imogen Tarrant");
});

test("an excerpt that only repeats the title is not shown", async () => {
  const title = `A short post ${unique()}.`;
  const { slug } = await publishedArticle({ title, excerpt: title, content: "Words." });
  const cut = { title: `A long post ${unique()}…`, source: "linkedin" } as const;
  const words = `${cut.title.slice(0, -1)} that goes on`;
  await publishedArticle({ ...cut, sourceUrl: `https://www.linkedin.com/p/${unique()}`, excerpt: words });
  const { items } = await readChannel();
  expect(items.find((item) => item.title === title)?.description ?? "").toBe("");
  expect(items.find((item) => item.title === cut.title)?.description).toContain("…that goes on");
  const { items: listed } = await listPublishedArticles(visitorContext());
  expect(listed.find((article) => article.slug === slug)?.excerpt).toBe("");
  const page = await (await fetchSite(`/essays/${slug}`)).text();
  const descriptions = [
    ...page.matchAll(/<meta (?:name|property)="(?:og:|twitter:)?description" content="([^"]*)"/g),
  ];
  for (const [, description] of descriptions) expect(description).not.toContain("A short post");
  for (const path of [`/essays/${slug}`, "/essays", "/conversations"]) {
    const html = await (await fetchSite(path)).text();
    expect(html.split(`>${title}</p>`), path).toHaveLength(1);
  }
});

describe("what readers' apps get", () => {
  test("the site's name and words, its language and the feed's own address", async () => {
    await updateSite(ownerContext(), { name: "Imogen Tarrant", description: "Health & housing." });
    await publishedArticle();
    expect(await readChannel()).toMatchObject({
      title: "Imogen Tarrant: essays",
      description: "Health &amp; housing.",
      link: `${SITE}/essays`,
      language: "en-AU",
      "atom:link": { "@_rel": "self", "@_href": `${SITE}${FEED}`, "@_type": "application/rss+xml" },
      lastBuildDate: expect.stringMatching(/^\w{3}, \d\d \w{3} \d{4} [\d:]{8} \+0000$/),
    });
  });

  test("each essay in full, its links and pictures with full addresses", async () => {
    await updateSite(ownerContext(), { name: "Imogen Tarrant" });
    await savedShow({ author: "The makers of the podcast" });
    const image = await storedImage();
    const category = await createCategory(ownerContext(), { name: `Housing ${unique()}` });
    const said = await publishedArticle({
      title: `The lease ${unique()}`,
      excerpt: "How long you may stay.",
      content: "Read **[more](/about)**.\n\n![A map](/media/map.png)\n\n> Last line.",
      publishedAt: Date.UTC(2026, 0, 5, 6, 7, 8),
      categoryId: category.id,
      tags: ["renting", "leases"],
      imageFileId: image.id,
      imageAlt: 'A "verandah" & <sun>',
    });
    const item = await itemOf(said.slug);
    expect(item).toEqual({
      title: said.title,
      link: `${SITE}/essays/${said.slug}`,
      guid: { "#text": expect.stringMatching(/^[0-9a-f-]{36}$/), "@_isPermaLink": "false" },
      pubDate: "Mon, 05 Jan 2026 06:07:08 +0000",
      "dc:creator": "Imogen Tarrant",
      category: [expect.stringMatching(/^Housing \d+$/), "renting", "leases"],
      description: "How long you may stay.",
      "content:encoded":
        `<p><img src="${SITE}/media/${image.key}" alt="A &quot;verandah&quot; &amp; &lt;sun&gt;"></p>\n` +
        `<p>Read <strong><a href="${SITE}/about">more</a></strong>.</p>\n` +
        `<p><img src="${SITE}/media/map.png" alt="A map"></p>\n` +
        "<blockquote>\n<p>Last line.</p>\n</blockquote>",
    });
  });

  test("each keeps its GUID when the site moves, also one from before GUIDs were stored", async () => {
    const stored = await publishedArticle();
    const older = await publishedArticle();
    const ctx = ownerContext();
    await ctx.db.update(articles).set({ guid: null }).where(eq(articles.id, older.id));
    const guidsAt = async (siteUrl: string) => {
      const xml = await readEssayFeed({ ...ctx, config: { ...ctx.config, siteUrl } });
      return [stored, older].map(
        ({ slug }) => new RegExp(`/essays/${slug}</link><guid[^>]*>([^<]*)`).exec(xml)?.[1],
      );
    };
    const before = await guidsAt(SITE);
    expect(before[1]).toBe(`${SITE}/articles/${older.id}`);
    await storeFirstGuids(jobContext());
    expect(await guidsAt(SITE)).toEqual(before);
    expect(await guidsAt("https://moved.example")).toEqual(before);
    await ctx.db.delete(articles).where(eq(articles.id, older.id));
  });

  test("newest first, and no more than the fifty newest", async () => {
    for (let n = 0; n < 52; n++) await publishedArticle({ publishedAt: Date.UTC(2010, 0, 1) + n });
    const times = (await readChannel()).items.map(({ pubDate }) => Date.parse(pubDate));
    expect(times).toHaveLength(50);
    expect(times).toEqual(times.toSorted((a, b) => b - a));
  });

  test("a draft, a scheduled and an archived essay are absent", async () => {
    const scheduledFor = Date.now() + 3_600_000;
    const ctx = ownerContext();
    const hidden = [
      await createArticle(ctx, anArticle({ status: "draft" })),
      await createArticle(ctx, anArticle({ status: "scheduled", scheduledFor })),
      await createArticle(ctx, anArticle({ status: "archived" })),
    ];
    const xml = await readXml();
    for (const { slug } of hidden) expect(xml).not.toContain(`/essays/${slug}<`);
  });

  test("any text is unchanged except for characters that XML cannot contain", async () => {
    const { slug } = await publishedArticle({
      slug: `hostile-${unique()}`,
      content: "End ]]> of \u0001it `]]>` <script>alert(1)</script> [x](javascript:alert(1)) 🌏",
    });
    // Contracts refuse such texts, but older rows may still contain them.
    await ownerContext()
      .db.update(articles)
      .set({ title: HOSTILE, excerpt: `Of ${HOSTILE}`, tags: [HOSTILE] })
      .where(eq(articles.slug, slug));
    const xml = await readXml();
    const item = xml.split("<item>").find((part) => part.includes(`/essays/${slug}<`)) ?? "";
    const escaped = HOSTILE_READ.replaceAll("&", "&amp;")
      .replaceAll("<", "&lt;")
      .replaceAll(">", "&gt;")
      .replaceAll('"', "&quot;")
      .replaceAll("'", "&apos;");
    const html = escaped.replaceAll("&apos;", "'").replaceAll("&quot;", '"');
    expect(item).toContain(`<title>${escaped}</title>`);
    expect(item).toContain(`<description><![CDATA[Of ${html}]]></description>`);
    expect(item).toContain(`<category>${escaped}</category>`);
    const content = item.slice(item.indexOf("<content:encoded>"));
    const sections = [...content.matchAll(/<!\[CDATA\[([\s\S]*?)\]\]>/g)].map(([, text]) => text);
    expect(sections.join("")).toBe(
      '<p>End ]]> of it <code translate="no">]]></code> alert(1) <a>x</a> 🌏</p>',
    );
  });
});

describe("asking whether the feed has changed", () => {
  test("the response has caching headers, and any site may read it", async () => {
    const { headers } = await fetchSite(FEED);
    expect(headers.get("Content-Type")).toBe("application/xml; charset=utf-8");
    expect(headers.get("Cache-Control")).toBe("public, max-age=60, stale-while-revalidate=60");
    expect(headers.get("Access-Control-Allow-Origin")).toBe("*");
    expect(headers.get("ETag")).toMatch(/^W\/"[\w-]{22}"$/);
  });

  test("HEAD answers as GET does, without the feed", async () => {
    const get = await fetchSite(FEED);
    const head = await fetchSite(FEED, { method: "HEAD" });
    expect(head.status).toBe(200);
    expect(await head.text()).toBe("");
    for (const name of ["Content-Type", "ETag", "Cache-Control"]) {
      expect(head.headers.get(name)).toBe(get.headers.get(name));
    }
  });

  test.each([
    ["the tag itself", (tag: string) => tag],
    ["the tag as a strong one", (tag: string) => tag.slice(2)],
    ["a list that holds it", (tag: string) => `"a,b", W/"c",${tag}`],
    ["any", () => " * "],
  ])("If-None-Match with %s answers 304 with no body, for one statement", async (_name, header) => {
    const tag = await etagNow();
    const response = await fetchSite(FEED, { headers: { "If-None-Match": header(String(tag)) } });
    expect(response.status).toBe(304);
    expect(await response.text()).toBe("");
    expect(response.headers.get("ETag")).toBe(tag);
    expect(response.headers.get("Server-Timing")).toContain('"1 statements, ');
  });

  test("another tag gets the feed", async () => {
    expect((await fetchSite(FEED, { headers: { "If-None-Match": '"other"' } })).status).toBe(200);
  });

  test("every change in the feed changes its tag", async () => {
    const tags = [await etagNow()];
    const then = async (write: Promise<unknown>) => {
      await write;
      tags.push(await etagNow());
    };
    const { db } = ownerContext();
    const scheduledFor = Date.now() + 60_000;
    const category = await createCategory(ownerContext(), { name: `Before ${unique()}` });
    tags[0] = await etagNow();
    await then(publishedArticle());
    await then(
      createArticle(ownerContext(), anArticle({ status: "scheduled", scheduledFor })).then(() =>
        publishDueArticles(jobContext({ now: new Date(scheduledFor) })),
      ),
    );
    const { id } = await publishedArticle();
    tags.push(await etagNow());
    const updatedAt = new Date(Date.now() + 1000);
    await then(db.update(articles).set({ title: "Another title", updatedAt }).where(eq(articles.id, id)));
    await then(
      db
        .update(categories)
        .set({ name: `After ${unique()}` })
        .where(eq(categories.id, category.id)),
    );
    await then(updateSite(ownerContext({ now: new Date(Date.now() + 2000) }), { name: "Another name" }));
    await then(db.delete(articles).where(eq(articles.id, id)));
    const cover = await storedImage();
    const { id: covered } = await publishedArticle({ imageFileId: cover.id });
    tags.push(await etagNow());
    const nouns = { references: fileReferences, places: filePlaces };
    await then(updateFile(ownerContext(), cover.id, { alt: "A door" }, nouns));
    await db
      .update(articles)
      .set({ contentHtml: "As it was rendered once." })
      .where(eq(articles.id, covered));
    await then(renderArticles(ownerContext(), { after: covered - 1, part: "all" }));
    expect(new Set(tags).size).toBe(tags.length);
    expect(tags.length).toBe(11);
  });

  test("a draft does not change the tag", async () => {
    const tag = await etagNow();
    await createArticle(ownerContext(), anArticle({ status: "draft" }));
    expect(await etagNow()).toBe(tag);
  });
});

test("every address in the feed is on the configured site, whatever host was asked", async () => {
  const ctx = visitorContext();
  const xml = await readEssayFeed({ ...ctx, config: { ...ctx.config, siteUrl: "https://pod.example" } });
  expect(xml).toContain('href="https://pod.example/rss/essays.xml"');
  expect(xml).toContain("<link>https://pod.example/essays/");
  expect(xml).not.toContain(SITE);
});
