import { sql } from "drizzle-orm";
import { describe, expect, test, vi } from "vitest";
import { createCategory } from "#worker/articles/commands.ts";
import { updateSite } from "#worker/settings/commands.ts";
import { siteDefaults } from "#worker/settings/contract.ts";
import { publishedArticle } from "./support/articles.ts";
import { fetchSite, ownerContext } from "./support/client.ts";
import { storedImage, unique } from "./support/factories.ts";
import { open, structuredIn } from "./support/pages.ts";

const DAY = 86_400_000;

const metaOf = (html: string, name: string) =>
  [...html.matchAll(/<meta (?:name|property)="([^"]+)" content="([^"]*)"/g)].flatMap(([, key, content]) =>
    key === name ? [content] : [],
  );

describe("before anything is published", () => {
  test.each([
    ["/conversations", "No articles yet"],
    ["/conversations?source=linkedin", "Nothing from LinkedIn yet"],
    ["/conversations?source=original", "No original articles yet"],
    ["/essays", "No essays yet"],
  ])("%s shows a message and the next step", async (path, message) => {
    const { response, html, text } = await open(path);
    expect(response.status).toBe(200);
    expect(text).toContain(message);
    expect(html).toContain('href="/rss/essays.xml"');
  });
});

describe("the conversations page", () => {
  test("has the three filters as links, marks the one that is on, and shows its articles only", async () => {
    const linkedin = await publishedArticle({
      source: "linkedin",
      sourceUrl: "https://example.com/p",
      title: `Posted ${unique()}`,
    });
    const original = await publishedArticle({ title: `Written ${unique()}` });
    const all = await open("/conversations");
    expect(all.text).toContain("All Articles From LinkedIn Original Content");
    expect(all.html).toMatch(/aria-current="true"[^>]*>All Articles</);
    expect(all.html).toContain('href="/conversations?source=linkedin"');
    expect(all.html).toContain(`href="/essays/${linkedin.slug}"`);
    expect(all.html).toContain(`href="/essays/${original.slug}"`);
    const filtered = await open("/conversations?source=linkedin");
    expect(filtered.html).toMatch(/aria-current="true"[^>]*>From LinkedIn</);
    expect(filtered.text).toContain(linkedin.title);
    expect(filtered.text).not.toContain(original.title);
    const own = await open("/conversations?source=original");
    expect(own.text).toContain(original.title);
    expect(own.text).not.toContain(linkedin.title);
    expect((await open("/conversations?source=elsewhere")).text).toContain(original.title);
  });

  test("links to older articles within the filter", async () => {
    for (let n = 0; n < 30; n++) {
      await publishedArticle({
        source: "linkedin",
        sourceUrl: `https://example.com/p/${n}`,
        publishedAt: Date.UTC(2014, 0, 1) + n * DAY,
      });
    }
    const { html } = await open("/conversations?source=linkedin");
    const older = /href="(\/conversations\?source=linkedin&amp;before=[^"]+)"/.exec(html)?.[1];
    expect(older).toBeDefined();
    const second = await open(older!.replaceAll("&amp;", "&"));
    expect(second.response.status).toBe(200);
    expect(second.html).toMatch(/aria-current="true"[^>]*>From LinkedIn</);
    expect((await open("/conversations?before=1-1")).text).toContain("No older articles");
    expect((await open("/conversations?before=soon")).response.status).toBe(404);
  });

  test("has a Stay Updated box that subscribes with its own source, unless the newsletter is off", async () => {
    const { html, text } = await open("/conversations");
    expect(text).toContain("Stay Updated");
    expect(html).toMatch(/<form[^>]+action="\/api\/newsletter\/subscribe"/);
    expect(html).toContain('name="source" value="conversations"');
    const { features } = siteDefaults;
    await updateSite(ownerContext(), { features: { ...features, newsletter: false } });
    expect((await open("/conversations")).text).not.toContain("Stay Updated");
    await updateSite(ownerContext(), { features });
  });

  test("takes few statements, however many articles there are", async () => {
    const timing = (await fetchSite("/conversations")).headers.get("Server-Timing");
    expect(timing).toContain('"3 statements, ');
  });
});

describe("the essays page", () => {
  test("shows essays with category, date and reading time, and a way to manage them", async () => {
    const image = await storedImage();
    const { id: categoryId } = await createCategory(ownerContext(), { name: `Tenure ${unique()}` });
    const essay = await publishedArticle({
      title: `A long lease ${unique()}`,
      content: "word ".repeat(300),
      categoryId,
      imageFileId: image.id,
      imageAlt: "A verandah",
    });
    const { html, text } = await open("/essays");
    expect(text).toContain(essay.title);
    expect(text).toContain(essay.excerpt);
    expect(text).toMatch(/Tenure \d+/);
    expect(text).toContain("2 min read");
    expect(html).toContain(`/media/${image.key}`);
    expect(html).toContain(`href="/essays/${essay.slug}"`);
    expect(html).toMatch(/href="\/admin"[^>]*>Manage Content</);
    expect(html).toContain(`sharer.php?u=${encodeURIComponent("http://localhost:8787/essays")}"`);
  });
});

describe("an essay's page", () => {
  test("shows no description of its picture as a caption", async () => {
    const image = await storedImage({ width: 1800, height: 1200 });
    const essay = await publishedArticle({ imageFileId: image.id, imageAlt: "A pier in the fog" });
    const { html, text } = await open(`/essays/${essay.slug}`);
    expect(html).toContain('alt="A pier in the fog"');
    expect(html).not.toContain("<figcaption");
    expect(text).not.toContain("A pier in the fog");
  });

  test("shows everything that the essay has", async () => {
    const image = await storedImage({ width: 1800, height: 1200 });
    const category = await createCategory(ownerContext(), { name: `Policy ${unique()}`, color: "#123456" });
    const essay = await publishedArticle({
      title: `The last page ${unique()}`,
      excerpt: "Sign it before the first dollar.",
      content: `Begin **here**. ${"word ".repeat(400)}`,
      publishedAt: Date.UTC(2026, 10, 20, 14),
      categoryId: category.id,
      tags: ["budgets", "pilots"],
      imageFileId: image.id,
      imageAlt: "A ledger, closed",
      imageCaption: "From the shire’s archive",
    });
    const { response, html, text } = await open(`/essays/${essay.slug}`);
    expect(response.status).toBe(200);
    expect(html.match(/<h1/g)).toHaveLength(1);
    expect(text).toContain(essay.title);
    expect(text).toContain("Sign it before the first dollar.");
    expect(html).toMatch(/<figcaption[^>]*>From the shire’s archive<\/figcaption>/);
    expect(html).toContain('alt="A ledger, closed"');
    expect(text).not.toContain("A ledger, closed");
    expect(html).toContain('"caption":"From the shire’s archive"');
    expect(text).toContain("21 November 2026");
    expect(text).toContain("3 min read");
    expect(text).toMatch(/Policy \d+/);
    expect(text).toContain("budgets");
    expect(html).toContain("<strong>here</strong>");
    expect(html).toMatch(/<img[^>]+alt="A ledger, closed"[^>]+width="1800" height="1200"/);
    expect(text).not.toContain("First published on LinkedIn");
    expect(html).toContain(
      `sharer.php?u=${encodeURIComponent(`http://localhost:8787/essays/${essay.slug}`)}"`,
    );
    expect(text).toMatch(new RegExp(`Home Essays ${essay.title}`));
  });

  test("names where it was first published, and its engagement there", async () => {
    const { slug } = await publishedArticle({
      source: "linkedin",
      sourceUrl: "https://www.linkedin.com/posts/1",
      originalPublishedAt: Date.UTC(2026, 1, 3),
      engagement: { likes: 1284, comments: 1, shares: 0 },
    });
    const { html, text } = await open(`/essays/${slug}`);
    expect(html).toContain('href="https://www.linkedin.com/posts/1"');
    expect(text).toMatch(/First published on LinkedIn ?, 3 February 2026/);
    expect(text).toContain("1,284 likes");
    expect(text).toContain("1 comment");
    expect(text).toContain("0 shares");
  });

  test("leads to the essays before and after it", async () => {
    const at = Date.UTC(2013, 0, 1);
    const before = await publishedArticle({ publishedAt: at, title: `Before ${unique()}` });
    const here = await publishedArticle({ publishedAt: at + 1 });
    const after = await publishedArticle({ publishedAt: at + 2, title: `After ${unique()}` });
    const { html, text } = await open(`/essays/${here.slug}`);
    expect(html).toContain(`href="/essays/${before.slug}"`);
    expect(html).toContain(`href="/essays/${after.slug}"`);
    expect(text).toContain(`Previous essay ${before.title}`);
    expect(text).toContain(`Next essay ${after.title}`);
  });

  test("describes itself to search engines and link previews", async () => {
    const image = await storedImage();
    const category = await createCategory(ownerContext(), { name: `Health ${unique()}` });
    const essay = await publishedArticle({
      title: `Meta ${unique()}`,
      metaTitle: "A shorter title",
      tags: ["care", "waiting"],
      categoryId: category.id,
      imageFileId: image.id,
      content: "word",
    });
    const { html } = await open(`/essays/${essay.slug}`);
    const url = `http://localhost:8787/essays/${essay.slug}`;
    expect(html).toContain(`<link rel="canonical" href="${url}"/>`);
    expect(/<title[^>]*>(.*?)<\/title>/.exec(html)?.[1]).toMatch(/^A shorter title \| /);
    expect(metaOf(html, "description")).toEqual([essay.excerpt]);
    expect(metaOf(html, "og:type")).toEqual(["article"]);
    expect(metaOf(html, "og:image")).toEqual([expect.stringContaining(`/share/essays/${essay.slug}?v=`)]);
    expect(metaOf(html, "article:tag")).toEqual(["care", "waiting"]);
    expect(metaOf(html, "article:section")[0]).toMatch(/^Health \d+$/);
    expect(metaOf(html, "article:published_time")).toHaveLength(1);
    const { Article, BreadcrumbList } = structuredIn(html);
    expect(Article).toMatchObject({
      headline: essay.title,
      url,
      image: `http://localhost:8787/media/${image.key}`,
      keywords: ["care", "waiting"],
      timeRequired: "PT1M",
      author: { "@type": "Person" },
    });
    expect(BreadcrumbList).toMatchObject({
      itemListElement: [{ name: "Home" }, { name: "Essays" }, { name: essay.title, item: url }],
    });
  });

  test("shows a hostile title as the text it is", async () => {
    const title = `</script><script>alert("1")</script> & "quotes" ${unique()}`;
    const { slug } = await publishedArticle({ title, excerpt: '"><img src=x onerror=alert(1)>' });
    for (const path of ["/conversations", "/essays", `/essays/${slug}`]) {
      const { html, text } = await open(path);
      expect(html).not.toContain("<script>alert");
      expect(html).not.toContain("<img src=x");
      expect(text).toContain(title);
    }
  });

  test("that does not exist answers 404 with a way back", async () => {
    const { response, html, text } = await open("/essays/nothing-of-the-kind");
    expect(response.status).toBe(404);
    expect(response.headers.get("Cache-Control")).toBe("no-store");
    expect(text).toContain("Essay not found");
    expect(html).toContain('href="/essays"');
  });
});

describe("when the articles cannot be read", () => {
  test.each([
    ["/conversations", "Failed to load articles. Please try again later."],
    ["/essays", "Failed to load essays. Please try again later."],
    ["/essays/any", "Failed to load this essay. Please try again later."],
  ])("%s shows an error with a button to retry, and no details", async (path, message) => {
    const log = vi.spyOn(console, "error").mockImplementation(() => {});
    const { db } = ownerContext();
    await db.run(sql`alter table articles rename to articles_away`);
    const { response, html, text } = await open(path);
    await db.run(sql`alter table articles_away rename to articles`);
    log.mockRestore();
    expect(response.status).toBe(500);
    expect(text).toContain(`${message} An unexpected error occurred.`);
    expect(text).toContain("Try Again");
    expect(html).not.toContain("no such table");
  });
});
