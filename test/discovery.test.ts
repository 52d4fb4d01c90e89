import { getTableColumns, sql } from "drizzle-orm";
import { XMLParser } from "fast-xml-parser";
import { beforeAll, describe, expect, it } from "vitest";
import { articles } from "#worker/articles/table.ts";
import { createCampaign } from "#worker/campaigns/commands.ts";
import { updateEpisode } from "#worker/episodes/commands.ts";
import { updatePage } from "#worker/pages/commands.ts";
import { createPressItem } from "#worker/press/commands.ts";
import { updateSite } from "#worker/settings/commands.ts";
import { pageDefaults } from "#worker/pages/defaults.ts";
import { fetchSite, ownerContext, SITE } from "./support/client.ts";
import { publishedArticle } from "./support/articles.ts";
import { aPressItem, publishedEpisode, savedShow } from "./support/factories.ts";

const owner = ownerContext();

beforeAll(async () => {
  await updateSite(owner, { name: "Imogen [Tarrant]", description: "Health, housing\nand policy." });
  await savedShow({ title: "Plain Ground" });
});

const get = async (path: string, init?: RequestInit) => {
  const response = await fetchSite(path, init);
  return { response, body: await response.text() };
};

type Url = { loc: string; lastmod?: string; changefreq: string; priority: string };

async function readSitemap() {
  const { body } = await get("/sitemap.xml");
  const parser = new XMLParser({
    ignoreAttributes: false,
    parseTagValue: false,
    isArray: (name) => name === "url",
  });
  const { urlset } = parser.parse(body, true) as { urlset: { "@_xmlns": string; url: Url[] } };
  return { namespace: urlset["@_xmlns"], urls: urlset.url };
}
const entryOf = async (path: string) => (await readSitemap()).urls.find(({ loc }) => loc === SITE + path);

describe("every document", () => {
  const documents = [
    ["/sitemap.xml", "application/xml; charset=utf-8"],
    ["/robots.txt", "text/plain; charset=utf-8"],
    ["/llms.txt", "text/plain; charset=utf-8"],
    ["/.well-known/security.txt", "text/plain; charset=utf-8"],
    ["/manifest.webmanifest", "application/manifest+json"],
  ];

  it.each(documents)("%s has its content type and its cache lifetime", async (path, type) => {
    const { response } = await get(path);
    expect(response.status).toBe(200);
    expect(response.headers.get("Content-Type")).toBe(type);
    expect(response.headers.get("Cache-Control")).toBe("public, max-age=60, stale-while-revalidate=60");
  });

  it.each(documents)(
    "%s answers 304 to a current ETag, HEAD without a body, and refuses writes",
    async (path) => {
      const { response } = await get(path);
      const etag = response.headers.get("ETag")!;
      const again = await get(path, { headers: { "If-None-Match": etag } });
      expect([again.response.status, again.body]).toEqual([304, ""]);
      expect((await get(path, { headers: { "If-None-Match": '"other"' } })).response.status).toBe(200);
      const head = await get(path, { method: "HEAD" });
      expect([head.response.status, head.body, head.response.headers.get("ETag")]).toEqual([200, "", etag]);
    },
  );
});

describe("/sitemap.xml", () => {
  it("has the pages of the specification with their priorities and frequencies, in its order, and how the site counts", async () => {
    const { namespace, urls } = await readSitemap();
    expect(namespace).toBe("http://www.sitemaps.org/schemas/sitemap/0.9");
    const own = urls.filter(({ loc }) => !/\/(episode|essays)\/./.test(loc));
    expect(own.map(({ loc, priority, changefreq }) => [loc.replace(SITE, ""), priority, changefreq])).toEqual(
      [
        ["/", "1.0", "daily"],
        ["/about", "0.8", "monthly"],
        ["/podcast", "0.9", "weekly"],
        ["/conversations", "0.9", "weekly"],
        ["/essays", "0.8", "weekly"],
        ["/speaking", "0.7", "monthly"],
        ["/media", "0.7", "monthly"],
        ["/contact", "0.6", "monthly"],
        ["/guest", "0.6", "monthly"],
        ["/mission", "0.7", "monthly"],
        ["/three-es", "0.7", "monthly"],
        ["/privacy-policy", "0.3", "yearly"],
        ["/terms-of-service", "0.3", "yearly"],
        // Those that it does not name.
        ["/listen", "0.6", "monthly"],
        ["/how-we-count", "0.3", "daily"],
        ["/petitions", "0.6", "monthly"],
        ["/speaking/book", "0.6", "monthly"],
        ["/media-kit", "0.6", "monthly"],
      ],
    );
  });

  it("reads one row for each episode and essay", async () => {
    const rowsRead = async () => {
      const timing = (await get("/sitemap.xml")).response.headers.get("Server-Timing");
      return Number(/(\d+) rows/.exec(timing ?? "")?.[1]);
    };
    const before = await rowsRead();
    for (let n = 0; n < 10; n++) {
      await publishedEpisode();
      await publishedArticle({ slug: `row-${n}` });
    }
    // One more for the end of a scan.
    expect((await rowsRead()) - before).toBeLessThanOrEqual(22);
  });

  it("has every published episode and essay, with the day of its last change", async () => {
    const episode = await publishedEpisode();
    const essay = await publishedArticle();
    expect(await entryOf(`/episode/${episode.id}`)).toMatchObject({
      lastmod: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
      changefreq: "monthly",
      priority: "0.7",
    });
    expect(await entryOf(`/essays/${essay.slug}`)).toMatchObject({ lastmod: expect.any(String) });
  });

  it("updates its dates with each change, those of the lists too", async () => {
    const { id } = await publishedEpisode();
    const later = new Date(Date.now() + 60_000);
    await updateEpisode(ownerContext({ now: later }), id, { title: "Changed" });
    await updatePage(ownerContext({ now: later }), "about", pageDefaults.about);
    for (const path of ["/", "/podcast", "/about", `/episode/${id}`]) {
      expect([path, (await entryOf(path))?.lastmod]).toEqual([path, later.toISOString()]);
    }
    await createPressItem(ownerContext({ now: later }), aPressItem());
    await createCampaign(ownerContext({ now: later }), {
      title: "Sign",
      embedUrl: "https://www.change.org/p/x",
    });
    await updatePage(ownerContext({ now: later }), "booking", pageDefaults.booking);
    for (const path of ["/media", "/petitions", "/speaking/book"]) {
      expect([path, (await entryOf(path))?.lastmod]).toEqual([path, later.toISOString()]);
    }
    expect((await entryOf("/mission"))?.lastmod).toBeUndefined();
    expect((await entryOf("/conversations"))?.lastmod).not.toBe(later.toISOString());
  });

  it("has nothing that visitors do not see, and no address twice", async () => {
    const { id } = await publishedEpisode();
    await updateEpisode(ownerContext(), id, { status: "archived" });
    const draft = await publishedArticle({ status: "draft" });
    const { urls } = await readSitemap();
    const all = urls.map(({ loc }) => loc);
    expect(all).not.toContain(`${SITE}/episode/${id}`);
    expect(all).not.toContain(`${SITE}/essays/${draft.slug}`);
    expect(new Set(all).size).toBe(all.length);
  });

  it("reads more rows than one statement gives", async () => {
    const { slug } = await publishedArticle();
    const columns = Object.values(getTableColumns(articles))
      .map(({ name }) => name)
      .filter((name) => !["id", "slug", "guid"].includes(name))
      .join(", ");
    await owner.db.run(sql`
      with recursive numbers(n) as (select 1 union all select n + 1 from numbers where n < 5001)
      insert into articles (slug, ${sql.raw(columns)})
      select 'copy-' || n, ${sql.raw(columns)} from numbers, articles where slug = ${slug}`);
    const { urls } = await readSitemap();
    expect(urls.filter(({ loc }) => loc.includes("/essays/copy-"))).toHaveLength(5001);
    await owner.db.delete(articles).where(sql`slug like 'copy-%'`);
  });
});

describe("/robots.txt", () => {
  it("excludes the admin area, the API and the search except the addresses in llms.txt, and names the sitemap", async () => {
    expect((await get("/robots.txt")).body).toBe(
      `User-agent: *\nDisallow: /admin\nDisallow: /api\nDisallow: /search\nAllow: /api/search\n\nSitemap: ${SITE}/sitemap.xml\n`,
    );
  });
});

describe("/.well-known/security.txt", () => {
  const read = async () => {
    const { body } = await get("/.well-known/security.txt");
    return body
      .trimEnd()
      .split("\n")
      .map((line) => line.split(/: (.*)/s).slice(0, 2));
  };

  it("names the contact page, the language, itself, and when a copy ends, within a year (RFC 9116)", async () => {
    const fields = await read();
    const expires = Date.parse(fields.find(([name]) => name === "Expires")![1]!);
    expect(expires).toBeGreaterThan(Date.now() + 150 * 86_400_000);
    expect(expires).toBeLessThan(Date.now() + 365 * 86_400_000);
    expect(fields.filter(([name]) => name !== "Expires")).toEqual([
      ["Contact", `${SITE}/contact`],
      ["Preferred-Languages", "en-AU"],
      ["Canonical", `${SITE}/.well-known/security.txt`],
    ]);
  });

  it("names the public email address first", async () => {
    await updateSite(owner, { contactEmail: "owner@example.org" });
    expect((await read())[0]).toEqual(["Contact", "mailto:owner@example.org"]);
    await updateSite(owner, { contactEmail: "" });
  });
});

describe("/llms.txt", () => {
  it("describes the site, and links its pages, feeds, newest essays and episodes", async () => {
    const episode = await publishedEpisode({ title: "On [brackets]", description: "Two\nlines." });
    const essay = await publishedArticle({ title: "A long lease", excerpt: "Ten years." });
    const { body } = await get("/llms.txt");
    expect(body).toMatch(/^# Imogen \[Tarrant\]\n\n> Health, housing and policy\.\n/);
    expect(body.match(/^## .*/gm)).toEqual(["## Main pages", "## Feeds", "## Essays", "## Episodes"]);
    expect(body).toContain(`- [Podcast](${SITE}/podcast): `);
    expect(body).toContain(`- [Plain Ground](${SITE}/rss/podcast.xml): `);
    expect(body).toContain(`- [Essays](${SITE}/rss/essays.xml): `);
    expect(body).toContain(`- [A long lease](${SITE}/essays/${essay.slug}): Ten years.\n`);
    expect(body).toContain(`- [On \\[brackets\\]](${SITE}/episode/${episode.id}): Two lines.\n`);
  });

  it("names nothing that visitors do not see", async () => {
    const draft = await publishedArticle({ status: "draft", title: "A secret draft" });
    expect((await get("/llms.txt")).body).not.toContain(draft.title);
  });
});

describe("/manifest.webmanifest", () => {
  it("has the site's name and colours, and icons that exist", async () => {
    const manifest = JSON.parse((await get("/manifest.webmanifest")).body);
    expect(manifest).toMatchObject({
      name: "Imogen [Tarrant]",
      short_name: "Imogen [Tarrant]",
      start_url: "/",
      background_color: "#faf7f0",
      theme_color: "#faf7f0",
    });
    const icons = manifest.icons.map(({ src, sizes, purpose }: Record<string, string>) => [
      src,
      sizes,
      purpose,
    ]);
    expect(icons).toEqual([
      ["/favicon.svg", "any", "any"],
      ["/icon-192.png", "192x192", "any"],
      ["/icon-512.png", "512x512", "any"],
      ["/icon-512.png", "512x512", "maskable"],
    ]);
  });
});

describe("the head of every page", () => {
  it.each(["/", "/podcast", "/search"])("%s names each feed once", async (path) => {
    const { body } = await get(path);
    const links = [...body.matchAll(/<link [^>]*rel="alternate"[^>]*>/g)].map(
      ([tag]) => /href="([^"]+)"/.exec(tag)?.[1],
    );
    expect(links.toSorted()).toEqual(["/rss/essays.xml", "/rss/podcast.xml"]);
  });

  it("of an episode names them once too", async () => {
    const { id } = await publishedEpisode();
    const { body } = await get(`/episode/${id}`);
    expect(body.match(/type="application\/rss\+xml"/g)).toHaveLength(2);
  });

  it("of the home page declares the search for search engines", async () => {
    const { body } = await get("/");
    expect(body).toContain(`"urlTemplate":"${SITE}/search?q={search_term_string}"`);
  });
});
