import { parseRssFeed } from "feedsmith";
import { parseFeed } from "podcast-partytime";
import { describe, expect, test } from "vitest";
import { updateEpisode } from "#worker/episodes/commands.ts";
import { podcastGuid } from "#worker/episodes/guid.ts";
import { readEpisode } from "#worker/episodes/queries.ts";
import { updateSite } from "#worker/settings/commands.ts";
import { siteDefaults } from "#worker/settings/contract.ts";
import { fetchSite, ownerContext, signedIn, SITE, visitorContext } from "./support/client.ts";
import { anEpisode, publishedEpisode, savedShow, storedAudio, storedImage } from "./support/factories.ts";

const owner = await signedIn("editor");

async function readXml() {
  const response = await fetchSite("/rss/podcast.xml");
  expect(response.status).toBe(200);
  return response.text();
}

/** The feed as two independent parsers read it. */
async function readParsed() {
  const xml = await readXml();
  const partytime = parseFeed(xml);
  if (!partytime) throw new Error("The feed does not parse.");
  return { xml, partytime, feedsmith: parseRssFeed(xml) };
}

const AUSTIN = {
  name: "Austin, TX",
  rel: "creator",
  geo: "30.2672, -97.7431",
  osm: "r113314",
  country: "us",
};
const DREAMWORLD = { name: "Dreamworld (Queensland)", osm: "W43678282" };
const PUBLISHER = "https://agilesetmedia.com/assets/static/feeds/publisher.xml";

describe("two parsers read of the podcast", () => {
  test("its support links, places, podroll, publisher, texts and cover", async () => {
    const artwork = await storedImage();
    await savedShow({
      artworkFileId: artwork.id,
      appleVerification: "abc-123",
      funding: [
        { url: "https://example.com/donations", text: "Support us" },
        { url: "https://example.com/members" },
      ],
      places: [AUSTIN, DREAMWORLD] as never,
      podroll: [
        {
          title: "Podcasting 2.0",
          url: "https://mp3s.nashownotes.com/pc20rss.xml",
          guid: "917393E3-1b1e-5cef-ace4-edaa54e1f810",
        },
        { url: "https://podnews.net/rss" },
      ],
      publisherUrl: PUBLISHER,
      publisherGuid: "003af0a0-6a45-55cf-b765-68e3d349551a",
      txts: [{ purpose: "verify", text: "S6lpp-7ZCn8-dZfGc-OoyaG" }, { text: "naj3eEZaWVVY" }],
    });
    const { partytime, feedsmith } = await readParsed();
    const podroll = [
      {
        feedGuid: "917393e3-1b1e-5cef-ace4-edaa54e1f810",
        feedUrl: "https://mp3s.nashownotes.com/pc20rss.xml",
        title: "Podcasting 2.0",
      },
      // The guid that podnews.net gives as its own.
      { feedGuid: "9b024349-ccf0-5f69-a609-6b82873eab3c", feedUrl: "https://podnews.net/rss" },
    ];
    expect(feedsmith.podcast).toMatchObject({
      fundings: [
        { url: "https://example.com/donations", display: "Support us" },
        { url: "https://example.com/members", display: "Support the show" },
      ],
      locations: [
        { display: "Austin, TX", rel: "creator", geo: "geo:30.2672,-97.7431", osm: "R113314", country: "us" },
        { display: "Dreamworld (Queensland)", rel: "subject", osm: "W43678282" },
      ],
      podroll: { remoteItems: podroll },
      publisher: {
        remoteItem: {
          medium: "publisher",
          feedGuid: "003af0a0-6a45-55cf-b765-68e3d349551a",
          feedUrl: PUBLISHER,
        },
      },
      txts: [
        { purpose: "applepodcastsverify", display: "abc-123" },
        { purpose: "verify", display: "S6lpp-7ZCn8-dZfGc-OoyaG" },
        { display: "naj3eEZaWVVY" },
      ],
      images: expect.arrayContaining([
        {
          href: `${SITE}/media/${artwork.key}`,
          alt: "The cover of Plain Ground",
          aspectRatio: "1600/1600",
          width: 1600,
          height: 1600,
          type: "image/jpeg",
          purpose: "artwork",
        },
      ]),
    });
    expect(partytime).toMatchObject({
      podcastFunding: [
        { url: "https://example.com/donations", message: "Support us" },
        { url: "https://example.com/members", message: "Support the show" },
      ],
      podcastTxt: [
        { purpose: "applepodcastsverify", value: "abc-123" },
        { purpose: "verify", value: "S6lpp-7ZCn8-dZfGc-OoyaG" },
        { value: "naj3eEZaWVVY" },
      ],
      podroll,
      podcastPublisher: { feedUrl: PUBLISHER },
      // It only reads one.
      podcastLocation: { name: "Austin, TX", geo: "geo:30.2672,-97.7431", osm: "R113314" },
    });
  });

  test("nothing of what the owner left blank", async () => {
    await savedShow();
    const { xml, feedsmith } = await readParsed();
    for (const name of ["funding", "location", "podroll", "publisher", "txt"])
      expect(xml, name).not.toContain(`<podcast:${name}`);
    expect(feedsmith.podcast?.guid).toBe(podcastGuid(`${SITE}/rss/podcast.xml`));
  });
});

describe("an episode in the feed has", () => {
  test("its support links and places, and links to it at YouTube, Spotify and Apple", async () => {
    await savedShow();
    const { id } = await publishedEpisode({
      youtubeUrl: "https://www.youtube.com/watch?v=example",
      spotifyUrl: "https://open.spotify.com/episode/abc",
      appleUrl: "https://podcasts.apple.com/au/podcast/id1?i=2",
      funding: [{ url: "https://example.com/charity", text: "Give to the clinic" }],
      places: [AUSTIN, DREAMWORLD] as never,
    });
    const { xml, partytime, feedsmith } = await readParsed();
    const link = `${SITE}/episode/${id}`;
    expect(feedsmith.items?.find((item) => item.link === link)?.podcast?.locations).toEqual([
      { display: "Austin, TX", rel: "creator", geo: "geo:30.2672,-97.7431", osm: "R113314", country: "us" },
      { display: "Dreamworld (Queensland)", rel: "subject", osm: "W43678282" },
    ]);
    expect(partytime.items.find((item) => item.link === link)).toMatchObject({
      podcastLocation: { name: "Austin, TX", geo: "geo:30.2672,-97.7431", osm: "R113314" },
    });
    // Both read these of a live item, or of the channel, alone.
    for (const element of [
      '<podcast:funding url="https://example.com/charity">Give to the clinic</podcast:funding>',
      '<podcast:contentLink href="https://www.youtube.com/watch?v=example">Watch on YouTube</podcast:contentLink>',
      '<podcast:contentLink href="https://open.spotify.com/episode/abc">Listen on Spotify</podcast:contentLink>',
      '<podcast:contentLink href="https://podcasts.apple.com/au/podcast/id1?i=2">Listen on Apple Podcasts</podcast:contentLink>',
    ])
      expect(xml).toContain(element);
  });

  test("its support links only while the supporters’ feature is on", async () => {
    const setPatreon = (patreon: boolean) =>
      updateSite(ownerContext(), { features: { ...siteDefaults.features, patreon } });
    await savedShow();
    await publishedEpisode({ funding: [{ url: "https://example.com/once" }] });
    expect(await readXml()).toContain('<podcast:funding url="https://example.com/once">');
    await setPatreon(false);
    expect(await readXml()).not.toContain("https://example.com/once");
    await setPatreon(true);
    expect(await readXml()).toContain("https://example.com/once");
  });
});

describe("chapters", () => {
  const saved = async (chapters: object[]) => {
    const audio = await storedAudio({ durationSeconds: 60 });
    return owner.api.episodes.$post({
      json: anEpisode({ status: "published", audioFileId: audio.id, chapters: chapters as never }),
    });
  };

  test("have their picture, their end and whether they are listed for apps, and pages list the others", async () => {
    const answer = await saved([
      { start: 0, title: "Start" },
      { start: 10, title: "A map", img: "https://example.com/map.jpg", end: 20, toc: false },
      { start: 30, title: "The turn", end: 45.5, url: "https://example.com/turn" },
    ]);
    const { id } = (await answer.json()) as { id: number };
    const document = await fetchSite(`/episode/${id}/chapters.json`);
    expect(await document.json()).toMatchObject({
      version: "1.2.0",
      chapters: [
        { startTime: 0, title: "Start" },
        { startTime: 10, endTime: 20, title: "A map", toc: false, img: "https://example.com/map.jpg" },
        { startTime: 30, endTime: 45.5, title: "The turn", url: "https://example.com/turn" },
      ],
    });
    expect((await readEpisode(visitorContext(), id)).chapters.map(({ title }) => title)).toEqual([
      "Start",
      "The turn",
    ]);
    await updateEpisode(ownerContext(), id, { title: "Renamed" });
    expect((await readEpisode(visitorContext(), id)).title).toBe("Renamed");
  });

  test.each([
    [{ start: 30, title: "The turn", end: 20 }, "chapters.0.end", "The chapter ends before it starts."],
    [
      { start: 30, title: "The turn", end: 90 },
      "chapters.0.end",
      "“The turn” ends at 1:30, but the episode ends at 1:00.",
    ],
  ])("%o is refused beside its field", async (chapter, field, message) => {
    const answer = await saved([chapter]);
    expect(await answer.json()).toEqual({ error: { code: "invalid", message, field } });
  });
});
