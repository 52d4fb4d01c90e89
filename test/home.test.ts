import { describe, expect, it } from "vitest";
import { createArticle } from "#worker/articles/commands.ts";
import { updatePage } from "#worker/pages/commands.ts";
import type { PageInput } from "#worker/pages/contract.ts";
import { pageDefaults } from "#worker/pages/defaults.ts";
import { updateSite } from "#worker/settings/commands.ts";
import { createSocialPost } from "#worker/social/commands.ts";
import { siteDefaults, type Site } from "#worker/settings/contract.ts";
import { ownerContext } from "./support/client.ts";
import { publishedEpisode, savedShow, storedImage } from "./support/factories.ts";
import { open, textOf } from "./support/pages.ts";

const YOUTUBE = "https://www.youtube.com/@plainground";

/** All words that the owner can give the front page. */
const words: PageInput<"home"> = {
  ...pageDefaults.home,
  headline: "How decisions get made",
  standfirst: "I build things and write down what I learn.",
  building: [
    { title: "Health platforms", text: "Booking for country practices.", to: "/mission" },
    { title: "Housing platforms", text: "Long leases on two pages.", to: "/media" },
    { title: "Lifestyle platforms", text: "A tool library.", to: "/conversations" },
  ],
  principles: [
    { title: "Start with who waits", text: "Every rule makes somebody wait." },
    { title: "Put it on paper", text: "A promise that fits on two pages." },
    { title: "Finish the pilot", text: "Decide what would make you stop." },
  ],
  credentials: [{ title: "Chair, Saltbush Housing Co-operative", text: "Forty-one homes." }],
};

/** Everything that it can show of the settings. */
const everything: Partial<Site> = {
  name: "Imogen Tarrant",
  social: { youtube: YOUTUBE },
  figures: {
    asOf: "2026-10",
    listeners: "10,000+",
    reviewedWithin: "48 hours",
    conversationLength: "60-90 minute",
    mediaKit: [],
  },
  socialProof: [{ network: "total", followers: "35.8K", engagement: "5.5%" }],
};

const save = (site: Partial<Site>) => updateSite(ownerContext(), { ...siteDefaults, ...site });

const openHome = () => open("/");

/** The page's headings, in order. */
const headingsOf = (html: string) =>
  [...html.matchAll(/<h([1-6])[^>]*>([\s\S]*?)<\/h\1>/g)].map(([, level, inner = ""]) => ({
    level: Number(level),
    text: textOf(inner).trim(),
  }));

/** The strip below Featured, in order. */
const FOLLOW = [
  "The next letter is being written. Get it by email.",
  "Follow the podcast to hear the next conversation first.",
  "The conversations are on YouTube too.",
];

const bannersOf = (html: string) =>
  [...html.matchAll(/<aside aria-label="([^"]+)"/g)]
    .map(([, label]) => label!)
    .filter((label) => label !== "Community");

const anEssay = (title: string) =>
  createArticle(ownerContext(), { title, excerpt: `About ${title}.`, content: "Text.", status: "published" });

const sections = [
  "Featured",
  "What I’m Building",
  "Principles I Lead By",
  "Be a Guest",
  "Credentials and Recognition",
  "Social updates",
];

describe("before the owner has said or published anything", () => {
  it("shows the ways in that lead somewhere, and no section without content", async () => {
    await save({ features: { ...siteDefaults.features, guestSubmissions: false } });
    const { response, main, mainText: text } = await openHome();
    expect(response.status).toBe(200);
    expect(main).toMatch(/<h1[^>]*>Rostrum<\/h1>/);
    expect(text).toContain("Listen to Podcast");
    expect(text).toContain("Book to Speak");
    for (const absent of ["Subscribe on YouTube", "Read Latest Article", "Also new", ...sections]) {
      expect(text).not.toContain(absent);
    }
    expect(text).toContain("The first episode is coming soon");
  });

  it("leads with the latest essay if there is one", async () => {
    const { slug } = await anEssay("The second appointment");
    const { main, mainText: text } = await openHome();
    expect(text).not.toContain("The first episode is coming soon");
    expect(main).toContain(`href="/essays/${slug}"`);
    expect(text).toContain("Read the essay");
  });
});

describe("the whole front page", () => {
  it("has the specification's four actions in its order, all quiet beside the lead's button", async () => {
    await save(everything);
    await updatePage(ownerContext(), "home", words);
    const { slug } = await anEssay("The dull virtue of a long lease");
    const { main } = await openHome();
    const [row = ""] = main.match(/<nav aria-label="Start here"[\s\S]*?<\/nav>/) ?? [];
    expect(textOf(row).trim()).toBe(
      "Subscribe on YouTube Listen to Podcast Read Latest Article Book to Speak",
    );
    expect(row).not.toMatch(/bg-(accent|signal)/);
    expect(main).toMatch(/href="\/podcast"[^>]*>Listen to Podcast/);
    expect(main).toMatch(new RegExp(`href="${YOUTUBE}"[^>]*>Subscribe on YouTube`));
    expect(main).toMatch(new RegExp(`href="/essays/${slug}"[^>]*>Read Latest Article`));
    expect(main).toMatch(/href="\/speaking"[^>]*>Book to Speak/);
  });

  it("shows the owner's ventures, with a link to each page", async () => {
    const { main, mainText: text } = await openHome();
    expect(text).toMatch(/What I’m Building.*Health platforms.*Housing platforms.*Lifestyle platforms/);
    for (const to of ["/mission", "/media", "/conversations"]) expect(main).toContain(`href="${to}"`);
  });

  it("numbers the principles in their order", async () => {
    const { mainText: text } = await openHome();
    expect(text).toMatch(
      /Principles I Lead By 1 Start with who waits.*2 Put it on paper.*3 Finish the pilot/,
    );
  });

  it("invites guests with the owner's figures and the month that they are of", async () => {
    const { main, mainText: text } = await openHome();
    expect(text).toMatch(/Be a Guest.*60-90 minute.*10,000\+.*48 hours.*As of October 2026/);
    expect(main).toContain('href="/guest"');
  });

  it("leaves out a figure that the owner has not given, and the invitation when guests are switched off", async () => {
    await save({ ...everything, figures: { ...siteDefaults.figures, listeners: "10,000+" } });
    const some = await openHome();
    expect(some.mainText).toContain("10,000+");
    expect(some.mainText).not.toMatch(/until we review your application|As of/);
    await save({ ...everything, features: { ...siteDefaults.features, guestSubmissions: false } });
    const off = await openHome();
    expect(off.mainText).not.toContain("Be a Guest");
    expect(off.html).not.toContain('href="/guest"');
    await save(everything);
  });

  it("shows credentials, the way to write, and how many follow", async () => {
    const { main, mainText: text } = await openHome();
    expect(text).toContain("Chair, Saltbush Housing Co-operative Forty-one homes.");
    expect(main).toMatch(/href="\/contact"[^>]*>Get in touch/);
    expect(text).toContain("35.8K");
  });

  it("shows the latest posts from elsewhere", async () => {
    const post = { platform: "linkedin" as const, author: "Imogen Tarrant", date: Date.UTC(2026, 10, 12) };
    await createSocialPost(ownerContext(), { ...post, content: "Forty-one homes, ten-year leases." });
    expect((await openHome()).mainText).toContain("Forty-one homes, ten-year leases.");
  });

  it("asks for the newsletter, the podcast and YouTube once, below Featured, and has one form", async () => {
    const { html, main } = await openHome();
    expect(bannersOf(main)).toEqual(FOLLOW);
    expect(main.indexOf("Featured")).toBeLessThan(main.indexOf(FOLLOW[0]!));
    expect(main.indexOf(FOLLOW[0]!)).toBeLessThan(main.indexOf("What I’m Building"));
    expect(html.match(/action="\/api\/newsletter\/subscribe"/g)).toHaveLength(1);
  });

  it("says no more of the podcast than holds for every owner: no rhythm, no manner of recording", async () => {
    for (const path of ["/", "/speaking", "/guest", "/about"]) {
      expect((await open(path)).mainText).not.toMatch(
        /(Mon|Tues|Wednes|Thurs|Fri)day|uncut|one take|put up whole/,
      );
    }
  });

  it("has the newsletter's block, in the variant that belongs to the page", async () => {
    const blocks = {
      "/speaking": ["Watch the conversations", YOUTUBE],
      "/guest": ["Follow the podcast", 'href="/podcast"'],
      "/about": ["Keep up", 'type="email"', YOUTUBE, 'href="/podcast"'],
    };
    for (const [path, [title, ...ways]] of Object.entries(blocks)) {
      const { main } = await open(path);
      const block = new RegExp(`<section aria-label="${title}".*?</section>`, "s").exec(main)?.[0];
      for (const way of ways) expect(block).toContain(way);
    }
  });

  it("has no form for a newsletter that is switched off, but a closing banner", async () => {
    await save({ ...everything, features: { ...siteDefaults.features, newsletter: false } });
    const { html, mainText: text } = await openHome();
    await save(everything);
    expect(text).not.toContain("Get the newsletter");
    expect(html).not.toContain('type="email"');
    expect(bannersOf(html)).toEqual([...FOLLOW.slice(1), "Three ways to keep up: read, listen, watch."]);
  });
});

describe("once episodes are published", () => {
  it("leads with the latest and asks for its picture first", async () => {
    await savedShow();
    const image = await storedImage();
    await publishedEpisode({ title: "The first", publishedAt: Date.UTC(2026, 0, 1) });
    await publishedEpisode({ title: "The lead", imageFileId: image.id });
    const { main, mainText: text } = await openHome();
    expect(text).toMatch(/Latest episode.*The lead.*Play episode/);
    const [hero = ""] = main.match(/<img[^>]*>/) ?? [];
    expect(hero).toContain(image.key.replace(/\.\w+$/, ""));
    expect(hero).toContain('loading="eager"');
    expect(hero).toContain('fetchPriority="high"');
    expect(hero).toMatch(/width="\d+" height="\d+"/);
  });

  it("features the latest essay to read, and a recent conversation to watch if it has a video", async () => {
    const watch = "https://www.youtube.com/watch?v=1";
    await publishedEpisode({ title: "To be seen", publishedAt: Date.UTC(2026, 1, 1), youtubeUrl: watch });
    await publishedEpisode({ title: "Heard only", publishedAt: Date.UTC(2026, 2, 1) });
    const { main, mainText: text } = await openHome();
    expect(text).toMatch(/Featured.*Latest essay.*Read : .*Subscribe/);
    expect(text).toMatch(/A recent conversation.*To be seen.*Watch : To be seen Subscribe/);
    expect(main).toContain(`href="${watch}"`);
    expect(main).toMatch(new RegExp(`href="${YOUTUBE}"[^>]*>Subscribe<`));
    expect(main).toMatch(/href="#newsletter"[^>]*>Subscribe</);
  });

  it("lists other new items once, except the lead and the featured ones", async () => {
    const { main } = await openHome();
    const column = /<aside aria-labelledby="also-new"[\s\S]*?<\/aside>/.exec(main)?.[0] ?? "";
    expect(textOf(column)).toContain("Heard only");
    expect(textOf(column)).not.toMatch(/The lead|To be seen/);
  });

  it("has one h1 and leaves no level of heading out", async () => {
    const headings = headingsOf((await openHome()).main);
    expect(headings.filter(({ level }) => level === 1)).toEqual([{ level: 1, text: words.headline }]);
    headings.reduce((before, heading) => {
      expect(heading.level, heading.text).toBeLessThanOrEqual(before.level + 1);
      return heading;
    });
  });

  it("asks D1 for no more than six statements", async () => {
    const timing = (await openHome()).response.headers.get("Server-Timing");
    const [, statements] = /d1;desc="(\d+) statements/.exec(timing ?? "") ?? [];
    expect(Number(statements)).toBeGreaterThan(0);
    expect(Number(statements)).toBeLessThanOrEqual(6);
  });

  it("has structured data about its owner and the search", async () => {
    const { html } = await openHome();
    const objects = [...html.matchAll(/<script type="application\/ld\+json">([\s\S]*?)<\/script>/g)].map(
      ([, json = ""]) => JSON.parse(json) as { "@type": string; name: string; potentialAction?: object },
    );
    expect(objects.map((object) => object["@type"])).toEqual(["WebSite", "Person"]);
    expect(objects.every(({ name }) => name === "Imogen Tarrant")).toBe(true);
    expect(objects[0]?.potentialAction).toMatchObject({ "@type": "SearchAction" });
  });

  it("offers the listener's playlists behind a button that says whether they are open", async () => {
    const { main } = await openHome();
    expect(main).toMatch(/<button[^>]*aria-expanded="false"[^>]*aria-controls="playlists-panel"/);
    expect(main).toContain('id="playlists-panel"');
  });
});
