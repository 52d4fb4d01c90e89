import { parseRssFeed } from "feedsmith";
import { parseFeed } from "podcast-partytime";
import { describe, expect, test } from "vitest";
import { updateEpisode } from "#worker/episodes/commands.ts";
import { FEED_PATH } from "#worker/episodes/show-queries.ts";
import { clearCache } from "#worker/platform/http/cache.ts";
import { createProfile, deleteProfile, updateProfile } from "#worker/profiles/commands.ts";
import { listPeople } from "#worker/profiles/owner-queries.ts";
import { personSlug } from "#worker/profiles/slug.ts";
import { ask } from "./support/cached.ts";
import { fetchSite, ownerContext, signedIn, SITE } from "./support/client.ts";
import { publishedEpisode, savedShow, storedImage } from "./support/factories.ts";

const owner = await signedIn("editor");

const person = (name: string, role = "guest") => ({ name, role, group: "cast" });

async function open(path: string) {
  const response = await fetchSite(path);
  return { status: response.status, html: await response.text() };
}

/** The JSON-LD of a page with this type. */
const dataOf = (html: string, type: string) =>
  [...html.matchAll(/<script type="application\/ld\+json">(.*?)<\/script>/gs)]
    .map(([, json]) => JSON.parse(json!) as Record<string, unknown>)
    .find((data) => data["@type"] === type);

test.each([
  ["Imogen Tarrant", "imogen-tarrant"],
  ["  José  García-López ", "jose-garcia-lopez"],
  ["Flann O’Brien", "flann-obrien"],
  ["Łukasz Groß", "lukasz-gross"],
  ["Dr. 3rd", "dr-3rd"],
  ["…", ""],
])("the page of %j is at %j", async (name, slug) => {
  expect(await personSlug(name)).toBe(slug);
});

test.each([
  ["Ольга Токарчук", /^olga-tokarchuk-[a-z\d]{4}$/],
  ["Ελένη Καραΐνδρου", /^eleni-karaindro[uy]-[a-z\d]{4}$/],
  ["李伟", /^li-wei-[a-z\d]{4}$/],
  ["김민희", /^gimminhyi-[a-z\d]{4}$/],
  ["村上 春樹", /^[a-z-]+-[a-z\d]{4}$/],
  ["عمر خيام", /^[a-z-]+-[a-z\d]{4}$/],
  ["अरुंधति राय", /^[a-z-]+-[a-z\d]{4}$/],
])("the page of %j has an address in Latin letters, with four of its own", async (name, slug) => {
  expect(await personSlug(name)).toMatch(slug);
});

test("names that are one in Latin letters have different pages", async () => {
  expect(await personSlug("李伟")).not.toBe(await personSlug("李玮"));
});

describe("the page of a person", () => {
  test("has their episodes, newest first, their roles, and the address that an episode gives", async () => {
    await savedShow();
    const name = "Maren Oakleigh";
    const href = "https://example.com/maren";
    const older = await publishedEpisode({
      title: "The older one",
      publishedAt: 1_000,
      people: [person(name)],
    });
    await publishedEpisode({ title: "With another", people: [person("Bo Reed")] });
    await publishedEpisode({
      title: "The newer one",
      publishedAt: 2_000,
      people: [{ ...person(name), href }],
    });
    const { status, html } = await open("/people/maren-oakleigh");
    expect(status).toBe(200);
    expect(html).toMatch(/<h1[^>]*>Maren Oakleigh<\/h1>/);
    expect(html.indexOf("The newer one")).toBeLessThan(html.indexOf("The older one"));
    expect(html).not.toContain("With another");
    expect(html).toContain(`href="${href}"`);
    expect(dataOf(html, "ProfilePage")).toMatchObject({
      mainEntity: { "@type": "Person", name, url: `${SITE}/people/maren-oakleigh`, sameAs: [href] },
    });
    const episode = await open(`/episode/${older.id}`);
    expect(episode.html).toContain('href="/people/maren-oakleigh"');
    expect((await open("/sitemap.xml")).html).toContain(`<loc>${SITE}/people/maren-oakleigh</loc>`);
  });

  test("has the words, picture and links that the owner wrote", async () => {
    const picture = await storedImage();
    await savedShow({
      people: [person("Wes Arden", "producer")].map((each) => ({ ...each, group: "creative direction" })),
    });
    await createProfile(ownerContext(), {
      name: "Wes Arden",
      about: "Wes makes the sound.",
      imageFileId: picture.id,
      imageAlt: "Wes at a desk",
      links: [{ label: "Mastodon", url: "https://social.example/@wes" }],
    });
    const { html } = await open("/people/wes-arden");
    for (const words of [
      "Wes makes the sound.",
      `/media/${picture.key}`,
      'alt="Wes at a desk"',
      'href="https://social.example/@wes"',
      "Producer",
    ])
      expect(html).toContain(words);
    expect(dataOf(html, "ProfilePage")).toMatchObject({
      mainEntity: { description: "Wes makes the sound.", image: `${SITE}/media/${picture.key}` },
    });
  });

  test("is missing for a person whom no published episode names, also with a profile", async () => {
    await savedShow();
    const { id } = await publishedEpisode({ people: [person("Ida Lund")] });
    await createProfile(ownerContext(), { name: "Ida Lund", about: "She sings." });
    expect((await open("/people/ida-lund")).status).toBe(200);
    await updateEpisode(ownerContext(), id, { status: "draft" });
    expect((await open("/people/ida-lund")).status).toBe(404);
    expect((await open("/people/nobody-at-all")).status).toBe(404);
  });

  test("is missing without a second read of all credits, until a new person is published", async () => {
    clearCache();
    await savedShow();
    await publishedEpisode({ people: [person("Ada Quist")] });
    const statementsOf = async (path: string) => {
      const { response } = await ask(path);
      expect(response.status).toBe(404);
      return Number(/(\d+) statements/.exec(response.headers.get("Server-Timing") ?? "")?.[1]);
    };
    const first = await statementsOf("/people/qq-1");
    const second = await statementsOf("/people/qq-2");
    expect(second).toBeLessThan(first);
    const { id } = await publishedEpisode({ people: [] });
    const change = await owner.api.episodes[":id"].$patch({
      param: { id: String(id) },
      json: { people: [person("Qq 3")] },
    });
    expect(change.status).toBe(200);
    expect((await ask("/people/qq-3")).response.status).toBe(200);
    clearCache();
  });

  test("continues on a second page of 24 episodes each", async () => {
    for (let at = 1; at <= 25; at++)
      await publishedEpisode({ title: `Number ${at}.`, publishedAt: at, people: [person("Uma Teal")] });
    const first = await open("/people/uma-teal");
    expect(first.html).not.toContain("Number 1.");
    const [, next] = /href="(\/people\/uma-teal\?before=[^"]+)"/.exec(first.html)!;
    const second = await open(next!);
    expect(second.html).toContain("Number 1.");
    expect((await open("/people/uma-teal?before=x")).status).toBe(404);
  });
});

describe("a person in the feed", () => {
  const readXml = async () => (await open(FEED_PATH)).html;
  const inFeed = async (episodeId: number) => {
    const xml = await readXml();
    const isIt = (each: { link?: string }) => each.link === `${SITE}/episode/${episodeId}`;
    const item = parseFeed(xml)?.items.find(isIt);
    const again = parseRssFeed(xml).items?.find(isIt);
    return { partytime: item?.podcastPeople, feedsmith: again?.podcast?.persons };
  };

  test("has the picture of their profile, and their page if the episode gives no address", async () => {
    const picture = await storedImage();
    await savedShow();
    const { id: episodeId } = await publishedEpisode({
      people: [person("Ada Wren"), { ...person("Bo Reed"), href: "https://example.com/bo" }],
    });
    expect((await inFeed(episodeId)).feedsmith).toEqual([
      { display: "Ada Wren", role: "guest", group: "cast", href: `${SITE}/people/ada-wren` },
      { display: "Bo Reed", role: "guest", group: "cast", href: "https://example.com/bo" },
    ]);
    const tag = async () => (await fetchSite(FEED_PATH, { method: "HEAD" })).headers.get("ETag");
    const before = await tag();
    const { id } = await createProfile(ownerContext(), { name: "Ada Wren", imageFileId: picture.id });
    expect(await tag()).not.toBe(before);
    const img = `${SITE}/media/${picture.key}`;
    const page = `${SITE}/people/ada-wren`;
    expect(await inFeed(episodeId)).toMatchObject({
      partytime: [{ name: "Ada Wren", img, href: page }, { name: "Bo Reed" }],
      feedsmith: [{ display: "Ada Wren", img, href: page }, { display: "Bo Reed" }],
    });
    await updateProfile(ownerContext(), id, { imageFileId: null });
    expect((await inFeed(episodeId)).feedsmith?.[0]).not.toHaveProperty("img");
    await deleteProfile(ownerContext(), id);
    expect((await inFeed(episodeId)).feedsmith?.[0]).toMatchObject({ href: page });
  });
});

describe("the owner’s list of people", () => {
  test("has everyone whom an episode or the podcast names, and profiles of others", async () => {
    await savedShow({ people: [person("Host One", "host")] });
    await publishedEpisode({ people: [person("Guest Two")] });
    const { id } = await createProfile(ownerContext(), { name: "Nobody Three" });
    const { items } = await listPeople(ownerContext());
    expect(items).toEqual(
      expect.arrayContaining([
        { id: null, name: "Host One", episodes: 0 },
        { id: null, name: "Guest Two", episodes: 1 },
        { id, name: "Nobody Three", episodes: 0 },
      ]),
    );
  });

  test("a second profile of a person is refused beside the name, also in other letters", async () => {
    await createProfile(ownerContext(), { name: "Éva Kiss" });
    const answer = await owner.api.profiles.$post({ json: { name: "Eva Kiss" } });
    expect(answer.status).toBe(409);
    expect(await answer.json()).toEqual({
      error: {
        code: "conflict",
        message: "This person has a profile already. Change that one.",
        field: "name",
      },
    });
  });
});
