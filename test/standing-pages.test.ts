import { sql } from "drizzle-orm";
import { afterEach, describe, expect, it, vi } from "vitest";
import { AppError } from "#worker/platform/errors.ts";
import { pageContents, type PageChange, type PageInput, type PageSlug } from "#worker/pages/contract.ts";
import { pageDefaults } from "#worker/pages/defaults.ts";
import { updatePage } from "#worker/pages/commands.ts";
import { readPage, readPages } from "#worker/pages/queries.ts";
import { updateSite } from "#worker/settings/commands.ts";
import { createVenture } from "#worker/ventures/commands.ts";
import { pages } from "#worker/pages/table.ts";
import { siteDefaults, type Site } from "#worker/settings/contract.ts";
import { contextAs, fetchSite, ownerContext, SITE, visitorContext } from "./support/client.ts";
import { savedShow, storedImage } from "./support/factories.ts";
import { headingsOf, open, structuredIn, titleOf } from "./support/pages.ts";

const contentOf = (html: string, name: string) =>
  new RegExp(`<meta (?:name|property)="${name}" content="([^"]*)"`).exec(html)?.[1];
const linksIn = (html: string) => [...html.matchAll(/href="([^"]+)"/g)].map(([, href]) => href);

const setSite = (change: Partial<Site>) => updateSite(ownerContext(), { ...siteDefaults, ...change });
/** Otherwise texts of one test would be on the pages of the next. */
afterEach(async () => {
  const { db } = ownerContext();
  await db.delete(pages);
  await setSite({});
});

const save = <Slug extends PageSlug>(slug: Slug, change: Partial<PageInput<Slug>>) =>
  updatePage(ownerContext(), slug, { ...pageDefaults[slug], ...change } as PageChange<Slug>);

const routes = [
  { path: "/about", slug: "about", title: "About", heading: "Why I Lead" },
  { path: "/mission", slug: "mission", title: "Mission", heading: "What this is for" },
  { path: "/three-es", slug: "three-es", title: "The 3 Es", heading: "The 3 Es" },
  { path: "/media-kit", slug: "media-kit", title: "Media Kit", heading: "Media Kit" },
  { path: "/guest", slug: "guest", title: "Be a Guest", heading: "Be a Guest" },
  { path: "/contact", slug: "contact", title: "Contact", heading: "Contact" },
  {
    path: "/speaking/book",
    slug: "booking",
    title: "Speaking Engagement Request",
    heading: "Put a real question on your program",
  },
  { path: "/privacy-policy", slug: "privacy-policy", title: "Privacy Policy", heading: "Privacy Policy" },
  {
    path: "/terms-of-service",
    slug: "terms-of-service",
    title: "Terms of Service",
    heading: "Terms of Service",
  },
] as const;

describe.each(routes)("$path", ({ path, slug, title, heading }) => {
  it("works before the owner has written anything, with one h1 and headings in order", async () => {
    const { response, html } = await open(path);
    expect(response.status).toBe(200);
    const [first, ...others] = headingsOf(html.replace(/<footer[\s\S]*/, ""));
    expect(first).toBe(1);
    expect(others).not.toContain(1);
    others.reduce((above, level) => {
      expect(level).toBeLessThanOrEqual(above + 1);
      return level;
    }, 1);
    expect(/<h1[^>]*>(.*?)<\/h1>/.exec(html)?.[1]).toBe(heading);
  });

  it("has its own title, description, canonical address, previews and breadcrumb", async () => {
    await setSite({ name: "Imogen Tarrant" });
    await savedShow({ artworkFileId: (await storedImage()).id });
    const { html } = await open(path);
    expect(titleOf(html)).toBe(`${title} | Imogen Tarrant`);
    const { standfirst } = pageDefaults[slug];
    expect(contentOf(html, "description")?.replaceAll("&#x27;", "'")).toContain(standfirst.slice(0, 60));
    expect(html).toContain(`<link rel="canonical" href="${SITE}${path}"/>`);
    expect(contentOf(html, "og:url")).toBe(`${SITE}${path}`);
    expect(contentOf(html, "og:image")).toContain(`${SITE}/share${path}?v=`);
    expect(contentOf(html, "twitter:card")).toBe("summary_large_image");
    expect(structuredIn(html)["BreadcrumbList"]).toBeDefined();
    expect(html).toContain('aria-label="Breadcrumb"');
  });

  it("shows the owner's text", async () => {
    await save(slug, { headline: "Another headline", standfirst: "Another standfirst." });
    const { mainText: text } = await open(path);
    expect(text).toContain("Another headline");
    expect(text).toContain("Another standfirst.");
    expect(text).not.toContain(pageDefaults[slug].standfirst);
  });

  it("shows an error when it cannot be read, with a button to retry and no details", async () => {
    const log = vi.spyOn(console, "error").mockImplementation(() => {});
    const { db } = ownerContext();
    await db.run(sql`alter table pages rename to pages_away`);
    const { response, html, mainText: text } = await open(path);
    await db.run(sql`alter table pages_away rename to pages`);
    log.mockRestore();
    expect(response.status).toBe(500);
    expect(text).toContain("Failed to load this page. Please try again later. An unexpected error occurred.");
    expect(text).toContain("Try Again");
    expect(html).not.toContain("no such table");
  });

  it("needs at most five statements", async () => {
    const { response } = await open(path);
    const statements = /desc="(\d+) statements/.exec(response.headers.get("Server-Timing") ?? "")?.[1];
    expect(Number(statements)).toBeGreaterThan(0);
    expect(Number(statements)).toBeLessThanOrEqual(5);
  });
});

describe("the about page", () => {
  it("names the three arenas and the 3 Es, and links to them", async () => {
    const { html, mainText: text } = await open("/about");
    expect(text).toMatch(/Politics.*Business.*Social Enterprise/);
    const { pillars } = await readPage(visitorContext(), "three-es");
    for (const { title } of pillars) expect(text).toContain(title);
    expect(text).toContain("The 3 Es");
    expect(linksIn(html)).toContain("/three-es");
  });

  it("shows a five-item timeline in order, and a quote with its source", async () => {
    const years = ["2006", "2010", "2014", "2019", "2026"];
    await save("about", {
      timeline: years.map((year) => ({ year, title: `What happened in ${year}`, text: "" })),
      quote: { text: "Know who holds the pencil.", source: "Mildura, 2022" },
    });
    const { mainText: text } = await open("/about");
    expect(text).toMatch(new RegExp(years.map((year) => `${year} What happened in ${year}`).join(".*")));
    expect(text).toContain("“Know who holds the pencil.”");
    expect(text).toContain("Mildura, 2022");
  });

  it("leaves out empty parts", async () => {
    const { html } = await open("/about");
    expect(html).not.toContain('id="timeline"');
    expect(html).not.toContain("<blockquote");
    expect(html).not.toContain('id="ventures"');
  });

  it("links to the ventures' sites; one without an address is not a link", async () => {
    const linked = await createVenture(ownerContext(), {
      name: "Saltbush Housing",
      description: "Forty-one homes.",
      url: "https://saltbush.example.org/",
    });
    const plain = await createVenture(ownerContext(), { name: "No Address Yet", description: "Soon." });
    expect(plain.id).toBeGreaterThan(linked.id);
    const { html, mainText: text } = await open("/about");
    expect(html).toMatch(
      /<a href="https:\/\/saltbush.example.org\/" rel="noopener"[^>]*>Saltbush Housing<\/a>/,
    );
    expect(text).toContain("saltbush.example.org");
    expect(text).toContain("No Address Yet Soon.");
  });

  it("shows a large icon for a venture without a picture, and no generated artwork", async () => {
    const { id } = await storedImage({ width: 1200, height: 800 });
    await createVenture(ownerContext(), { name: "Plain venture", description: "No picture.", icon: "Globe" });
    await createVenture(ownerContext(), { name: "Shown venture", description: "One.", imageFileId: id });
    const { html } = await open("/about");
    const [, list] = /<h2 id="ventures".*?<ul>(.*?)<\/ul>/s.exec(html)!;
    const rowOf = (name: string) => list!.split("<li").find((row) => row.includes(name))!;
    expect(rowOf("Plain venture")).toMatch(/<svg viewBox="0 0 24 24"[^>]*stroke-width="0.75"/);
    expect(rowOf("Plain venture")).not.toContain("<img");
    expect(rowOf("Shown venture")).toContain("<img");
    expect(html.match(/<svg[^>]*viewBox="0 0 \d+ 600"/g)).toHaveLength(1);
  });

  it("has structured data about the person", async () => {
    const social = { x: "https://x.com/imogen" };
    await setSite({ name: "Imogen Tarrant", description: "On policy.", social });
    const { html } = await open("/about");
    expect(structuredIn(html)["Person"]).toEqual({
      "@context": "https://schema.org",
      "@type": "Person",
      name: "Imogen Tarrant",
      description: "On policy.",
      url: `${SITE}/about`,
      sameAs: ["https://x.com/imogen"],
    });
  });
});

describe("the mission and the 3 Es", () => {
  it("show the same pillars; the mission shows them shorter", async () => {
    await save("three-es", {
      pillars: [{ title: "Earshot", text: "Stay near.", body: { markdown: "Spend **a day** there." } }],
    });
    const [about, mission, threeEs] = await Promise.all(
      ["/about", "/mission", "/three-es"].map((path) => open(path)),
    );
    for (const page of [about, mission, threeEs]) expect(page?.mainText).toContain("Earshot");
    expect(threeEs?.html).toContain("Spend <strong>a day</strong> there.");
    expect(mission?.html).not.toContain("Spend <strong>");
    expect(mission?.html).not.toContain("a day");
  });

  it("link to each other and to the contact page", async () => {
    expect(linksIn((await open("/mission")).html)).toContain("/three-es");
    const main = (await open("/three-es")).html.replace(/^[\s\S]*<main/, "").replace(/<\/main>[\s\S]*/, "");
    expect(linksIn(main)).toEqual(expect.arrayContaining(["/mission", "/contact"]));
  });
});

describe("the media kit", () => {
  it("shows the owner's figures with the month of their date", async () => {
    const mediaKit = [
      { label: "Subscribers", value: "10K+" },
      { label: "Monthly downloads", value: "25K+" },
      { label: "Reach", value: "50K+" },
      { label: "Episodes", value: "100+" },
    ];
    await setSite({ figures: { ...siteDefaults.figures, asOf: "2026-10", mediaKit } });
    const { mainText: text } = await open("/media-kit");
    expect(text).toContain("As at October 2026");
    for (const { label, value } of mediaKit) expect(text).toContain(`${label} ${value}`);
  });

  it("shows no figures if none are set", async () => {
    const { html, mainText: text } = await open("/media-kit");
    expect(html).not.toContain('id="figures"');
    expect(text).not.toContain("As at");
  });

  it("offers the cover, both biographies with their length, the credit line, and an address", async () => {
    const cover = await storedImage();
    await savedShow({ artworkFileId: cover.id });
    await setSite({ name: "Imogen Tarrant", contactEmail: "press@example.com" });
    await save("media-kit", {
      shortBio: "Five words about a host.",
      longBio: { markdown: "Seven words, *some* of them in italics." },
      credit: { markdown: "Name **the show**." },
    });
    const { html, mainText: text } = await open("/media-kit");
    expect(html).toMatch(new RegExp(`<a[^>]* download=""[^>]* href="/media/${cover.key}"`));
    expect(text).toContain("5 words");
    expect(text).toContain("7 words");
    expect(text).toContain("About Imogen Tarrant");
    expect(html).toContain("<strong>the show</strong>");
    expect(html).toContain("mailto:press@example.com");
  });
});

describe("the guest page", () => {
  const figures = {
    ...siteDefaults.figures,
    conversationLength: "60-90 minute",
    listeners: "10,000+",
    reviewedWithin: "48 hours",
  };

  it("states the length, the audience, and the response time", async () => {
    await setSite({ figures });
    const { mainText: text } = await open("/guest");
    expect(text).toContain("60-90 minute unscripted conversation");
    expect(text).toContain("10,000+ listeners");
    expect(text).toMatch(/Applications are reviewed within 48 hours/);
  });

  it("promises nothing that the owner has not entered", async () => {
    const { mainText: text } = await open("/guest");
    expect(text).not.toContain("listeners");
    expect(text).not.toMatch(/reviewed within/i);
  });

  it("names the contact address as an alternative, and what to write", async () => {
    await setSite({ contactEmail: "hello@example.com" });
    const { html } = await open("/guest");
    const letter = linksIn(html).find((href) => href?.startsWith("mailto:hello@example.com?"));
    const body = new URL(letter!.replaceAll("&amp;", "&")).searchParams.get("body");
    for (const asked of ["Name", "LinkedIn profile", "Topic", "position"]) expect(body).toContain(asked);
  });

  it("does not exist while guest submissions are switched off, nor is it in the menu", async () => {
    expect(linksIn((await open("/contact")).html)).toContain("/guest");
    await setSite({ features: { ...siteDefaults.features, guestSubmissions: false } });
    const { response, mainText: text } = await open("/guest");
    expect(response.status).toBe(404);
    expect(text).toContain("Page not found");
    expect(linksIn((await open("/contact")).html)).not.toContain("/guest");
  });
});

describe("the contact page", () => {
  it("names the four kinds of message, each of which preselects its type in the form", async () => {
    await setSite({ contactEmail: "hello@example.com", social: { linkedin: "https://linkedin.com/in/i" } });
    const { html, mainText: text } = await open("/contact");
    expect(text).toMatch(/Speaking.*Partnerships.*Media.*General/);
    const types = linksIn(html).flatMap((href) => /^\/contact\?type=(\w+)#write$/.exec(href!)?.[1] ?? []);
    expect(types).toEqual(["speaking", "partnerships", "media", "general"]);
    expect(linksIn(html)).toContain("mailto:hello@example.com");
    expect(linksIn(html)).toContain("https://linkedin.com/in/i");
    expect(linksIn(html)).toEqual(expect.arrayContaining(["/speaking/book", "/media-kit"]));
  });

  it("without an address has the form and the social networks", async () => {
    await setSite({ social: { x: "https://x.com/i" } });
    const { html } = await open("/contact");
    expect(html).not.toContain("mailto:");
    expect(html).toContain('action="/api/contact-messages"');
    expect(linksIn(html)).toContain("https://x.com/i");
  });
});

describe("the booking page", () => {
  it("invites, is headed Speaking Engagement Request, and links to the address", async () => {
    await setSite({ contactEmail: "hello@example.com" });
    const { html } = await open("/speaking/book");
    expect(html).toMatch(/<h2[^>]*>Speaking Engagement Request<\/h2>/);
    const letter = linksIn(html).find((href) => href?.startsWith("mailto:hello@example.com?"));
    expect(decodeURIComponent(letter!)).toMatch(
      /subject=Speaking Engagement Request.*Organisation.*Honorarium/s,
    );
  });
});

describe("the legal pages", () => {
  it("name the publisher, their date, and a contact", async () => {
    await setSite({ name: "Imogen Tarrant", contactEmail: "hello@example.com" });
    await save("terms-of-service", { since: "2026-01-31" });
    const { html, mainText: text } = await open("/terms-of-service");
    expect(text).toContain("Publisher Imogen Tarrant");
    expect(text).toContain("Last updated 31 January 2026");
    expect(html).toContain('<time dateTime="2026-01-31">');
    expect(html).toContain('href="mailto:hello@example.com"');
  });

  it("state what this product stores in a browser, its processors, and where to complain", async () => {
    const { html, mainText: text } = await open("/privacy-policy");
    const keys = [
      "theme",
      "user_id",
      "player",
      "progress",
      "newsletterSubscribed",
      "exitIntentShown",
      "exitIntentDismissedToday",
    ];
    for (const phrase of ["no third-party trackers", "Cloudflare", "Australian Information Commissioner"])
      expect(text).toContain(phrase);
    for (const key of keys) expect(html).toMatch(new RegExp(`<code translate="no">${key}</code>`));
  });

  it.each([
    ["/Privacy-Policy", "/privacy-policy"],
    ["/PRIVACY-POLICY", "/privacy-policy"],
    ["/Terms-Of-Service", "/terms-of-service"],
  ])("%s redirects to %s, whatever the case", async (from, to) => {
    const response = await fetchSite(from);
    expect([response.status, response.headers.get("Location")]).toEqual([301, SITE + to]);
  });

  it.each([
    ["/privacy", "/privacy-policy"],
    ["/Privacy", "/privacy-policy"],
    ["/terms", "/terms-of-service"],
  ])("%s redirects to %s permanently", async (from, to) => {
    const response = await fetchSite(from);
    expect(response.status).toBe(301);
    expect(response.headers.get("Location")).toBe(to);
  });
});

describe("the content of a page", () => {
  it.each(Object.keys(pageContents) as PageSlug[])("%s has a default that its own rules allow", (slug) => {
    expect(pageContents[slug].parse(pageDefaults[slug])).toEqual(pageDefaults[slug]);
  });

  it("uses the default for each missing field", async () => {
    const { db, now } = ownerContext();
    const content = { written: {}, shown: { headline: "Only this" } };
    await db.insert(pages).values({ slug: "mission", content, embeddedFileIds: [], updatedAt: now });
    const mission = await readPage(visitorContext(), "mission");
    expect(mission).toEqual({
      headline: "Only this",
      standfirst: pageDefaults.mission.standfirst,
      statement: { html: "" },
      pillarsTitle: pageDefaults.mission.pillarsTitle,
      pillarsLink: pageDefaults.mission.pillarsLink,
    });
    expect((await open("/mission")).response.status).toBe(200);
  });

  it("is read for several pages in one statement", async () => {
    const ctx = visitorContext({});
    const before = ctx.d1.statements;
    const read = await readPages(ctx, ["about", "mission", "three-es"]);
    expect(ctx.d1.statements - before).toBe(1);
    expect(Object.keys(read)).toEqual(["about", "mission", "three-es"]);
  });

  it("shows Markdown as sanitised HTML", async () => {
    const markdown =
      "A *word* <img src=x onerror=alert(1)> [and](javascript:alert(2)) <script>alert(3)</script>";
    await save("mission", { headline: "<b>Not bold</b>", statement: { markdown } });
    const { html } = await open("/mission");
    expect(html).toContain("<em>word</em>");
    expect(html).not.toContain("onerror");
    expect(html).not.toContain("javascript:");
    expect(html).not.toContain("<script>alert(3)");
    expect(html).toContain("&lt;b&gt;Not bold&lt;/b&gt;");
  });

  it("may only be changed by users with the edit capability", async () => {
    const input = { ...pageDefaults.mission, headline: "By an editor" };
    await updatePage(contextAs("editor"), "mission", input);
    expect((await readPage(visitorContext(), "mission")).headline).toBe("By an editor");
    for (const ctx of [visitorContext(), contextAs("user")]) {
      await expect(updatePage(ctx, "mission", input)).rejects.toThrow(AppError);
    }
  });

  it("refuses unknown fields and leaves the stored content unchanged", async () => {
    const unknown = { ...pageDefaults.mission, colour: "mauve" };
    await expect(updatePage(ownerContext(), "mission", unknown)).rejects.toThrow();
    await expect(save("contact", { headline: "" })).rejects.toThrow("Enter some text.");
    expect((await readPage(visitorContext(), "contact")).headline).toBe("Contact");
  });
});

describe("an address that does not exist", () => {
  it("shows the 404 page below a known path, too", async () => {
    const warn = vi.spyOn(console, "warn").mockImplementation(() => {});
    const { response, mainText: text } = await open("/about/nothing");
    expect(response.status).toBe(404);
    expect(text).toContain("Page not found");
    expect(text).toContain("Return to Home");
    expect(warn).toHaveBeenCalledWith(expect.stringContaining('"message":"404: /about/nothing"'));
    warn.mockRestore();
  });
});
