import { parseRssFeed } from "feedsmith";
import { XMLValidator } from "fast-xml-parser";
import { beforeEach, describe, expect, test } from "vitest";
import { updateLetter } from "#worker/letters/commands.ts";
import { letters } from "#worker/letters/table.ts";
import { updateSite } from "#worker/settings/commands.ts";
import { archivedLetter, setArchive } from "./support/archive.ts";
import { fetchSite, jobContext, ownerContext, SITE } from "./support/client.ts";
import { open } from "./support/pages.ts";

const FEED = "/rss/letters.xml";
const DAY = 86_400_000;

/** The feed as another program's parser reads it. */
async function readFeed() {
  const response = await fetchSite(FEED);
  expect(response.status).toBe(200);
  const xml = await response.text();
  expect(XMLValidator.validate(xml)).toBe(true);
  return parseRssFeed(xml);
}

const etagNow = async () => (await fetchSite(FEED, { method: "HEAD" })).headers.get("ETag");

beforeEach(async () => {
  await jobContext().db.delete(letters);
  await setArchive(true);
  await updateSite(ownerContext(), { name: "Imogen Tarrant" });
});

describe("the feed of letters", () => {
  test("has each letter's subject, opening, whole text and date, the newest first", async () => {
    const startedAt = new Date("2026-11-03T04:05:06Z");
    const older = await archivedLetter({ startedAt, subject: "An older one" });
    const id = await archivedLetter({
      startedAt: new Date(startedAt.getTime() + DAY),
      subject: "On rent & <more> ]]> 🌏",
      preheader: "What we heard & saw.",
      contentHtml: '<p>Words & <a href="/essays">more</a>.</p>',
    });
    const feed = await readFeed();
    expect(feed).toMatchObject({
      title: "Imogen Tarrant: letters",
      link: `${SITE}/letters`,
      description: "Letters that Imogen Tarrant sent to subscribers by email.",
    });
    const link = `${SITE}/letters/${id}`;
    expect(feed.items?.map((item) => item.link)).toEqual([link, `${SITE}/letters/${older}`]);
    expect(feed.items?.[0]).toMatchObject({
      title: "On rent & <more> ]]> 🌏",
      guid: { value: link, isPermaLink: true },
      description: "What we heard &amp; saw.",
      content: { encoded: `<p>Words & <a href="${SITE}/essays">more</a>.</p>` },
      dc: { creators: ["Imogen Tarrant"] },
    });
    expect(new Date(feed.items![0]!.pubDate as string).toISOString()).toBe("2026-11-04T04:05:06.000Z");
  });

  test("is there, and empty, before a letter is sent", async () => {
    expect((await readFeed()).items ?? []).toEqual([]);
  });

  test("has the newest fifty", async () => {
    const now = Date.now();
    for (let n = 0; n < 52; n++)
      await archivedLetter({ startedAt: new Date(now - n * DAY), subject: `Number ${n}` });
    const titles = (await readFeed()).items?.map(({ title }) => title);
    expect(titles).toEqual(Array.from({ length: 50 }, (_, n) => `Number ${n}`));
  });

  test("is answered with 304 to a reader that has it, until a letter leaves the archive", async () => {
    const id = await archivedLetter();
    const etag = (await etagNow())!;
    const again = await fetchSite(FEED, { headers: { "If-None-Match": etag } });
    expect(again.status).toBe(304);
    await updateLetter(ownerContext(), id, { isPublic: false });
    expect(await etagNow()).not.toBe(etag);
    expect((await readFeed()).items ?? []).toEqual([]);
  });

  test("is named by the page of letters, for readers and for their programs", async () => {
    const { html } = await open("/letters");
    expect(html).toMatch(/<a[^>]* href="\/rss\/letters.xml"[^>]*>Letters as RSS feed<\/a>/);
    expect(html).toMatch(/<link[^>]* rel="alternate"[^>]* href="\/rss\/letters.xml"/);
  });
});
