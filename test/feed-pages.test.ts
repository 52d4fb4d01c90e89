import { sql, type SQL } from "drizzle-orm";
import { parseFeed } from "podcast-partytime";
import { expect, test } from "vitest";
import { createEpisode } from "#worker/episodes/commands.ts";
import { readFeedDocument } from "#worker/episodes/feed-queries.ts";
import { renewFeedItems } from "#worker/episodes/stored-feed.ts";
import { feedItems } from "#worker/episodes/table.ts";
import { fetchSite, jobContext, ownerContext, SITE } from "./support/client.ts";
import { anEpisode, publishedEpisode, savedShow, storedImage } from "./support/factories.ts";

const FEED = "/rss/podcast.xml";
/** Bytes. */
const MAX_DOCUMENT = 1_500_000;

/** About 1,700 characters, three links and a list, as an interview's notes are. */
const SHOW_NOTES = `Maren Oakleigh runs the only medical practice in Wirrabee, a river town of 4,100 people. The wait is nine days. In this conversation she says what the phone calls found, why the roster is a policy, and what a practice could do with one more nurse and no more money.

${"We begin on a Thursday, with a page that she wrote before the doors opened, and follow one morning through the front desk, the treatment room and the phone that never stops. ".repeat(4)}

## In this episode

- [The state of rural practice, 2025](https://example.com/reports/the-state-of-rural-practice-2025.pdf) (PDF, 84 pages)
- [Nine days: an essay](/essays/nine-days) by Imogen Tarrant
- [The Wirrabee roster experiment](https://journal.example.com/articles/2025/wirrabee-roster-experiment)

## Support

Plain Ground is made by two people and paid for by its listeners. If it was worth an hour of your time, tell one person about it, or [become a supporter](/podcast#support).
`;

/** Copies of one episode, a day apart each; `from` and `to` are its numbers. */
async function copies(id: number, from: number, to: number) {
  await ownerContext().db.run(sql`
    with recursive numbers(n) as (select ${from} union all select n + 1 from numbers where n < ${to})
    insert into episodes (
      slug, guid, title, description, show_notes, show_notes_html, embedded_file_ids, status, published_at, season_number, episode_number, episode_type,
      explicit, duration_seconds, audio_file_id, image_file_id, image_alt, transcript, cues, chapters, people, soundbites,
      created_at, updated_at)
    select 'copy-' || n, 'guid-' || n, title, description, show_notes, show_notes_html, embedded_file_ids, status, published_at - (n / 2) * 86400000,
      season_number, n, episode_type, explicit, duration_seconds, audio_file_id, image_file_id, image_alt, transcript, cues,
      chapters, people, soundbites, created_at, updated_at
    from numbers, episodes where episodes.id = ${id}`);
  await savedShow();
}

/** As a write expires the XML of the feed's items. */
async function changeEpisodes(change: SQL) {
  await ownerContext().db.run(change);
  await ownerContext().db.delete(feedItems);
}

const template = await (async () => {
  const { id } = await publishedEpisode({
    episodeNumber: 1,
    title: "The waiting room is a policy, with Maren Oakleigh",
    description:
      "Nine days for a standard appointment, and one phone line. Maren Oakleigh runs the only practice in a river town and says what the wait is made of, and what one nurse would change.",
    showNotes: SHOW_NOTES,
    imageFileId: (await storedImage()).id,
    transcript: "WEBVTT\n\n00:00.000 --> 00:05.000\nThis is Plain Ground.\n",
    chapters: [{ start: 0, title: "Nine days", url: null }],
    people: [
      { name: "Imogen Tarrant", role: "host", group: "cast", href: "https://example.com/people/imogen" },
      { name: "Maren Oakleigh", role: "guest", group: "cast", href: "https://example.com/people/maren" },
    ],
    soundbites: [{ start: 55, duration: 30, title: "What the phone calls found" }],
  });
  await savedShow();
  return id;
})();

async function readPage(path: string) {
  const response = await fetchSite(path);
  expect(response.status, path).toBe(200);
  const xml = await response.text();
  const links = Object.fromEntries(
    [...xml.matchAll(/<atom:link rel="(\w+)" href="([^"]+)"/g)].map(([, rel = "", href = ""]) => [rel, href]),
  );
  const items = parseFeed(xml)?.items ?? [];
  return { xml, links, items, bytes: new TextEncoder().encode(xml).length };
}

const hasNotes = ({ content }: { content?: string | undefined }) => Boolean(content);

/** Bytes of show notes, of the episodes with these numbers. */
const setNotes = (from: number, to: number, bytes: number) =>
  changeEpisodes(sql`
    update episodes set show_notes_html = '<p>' || replace(hex(zeroblob(${bytes} / 10)), '00', 'long words') || '</p>'
    where episode_number between ${from} and ${to}`);

test("301 episodes are one document with their show notes and no page links", async () => {
  await copies(template, 2, 301);
  const { links, items } = await readPage(FEED);
  expect(items.length).toBe(301);
  expect(links).toEqual({ self: `${SITE}${FEED}` });
  expect(items.every(({ content }) => content?.includes("Wirrabee"))).toBe(true);
  expect((await fetchSite(`${FEED}?page=2`)).status).toBe(404);
});

test("long show notes that have room are whole", async () => {
  await setNotes(200, 200, 90_000);
  const { items } = await readPage(FEED);
  expect(items.every(hasNotes)).toBe(true);
  expect(items[199]?.content?.length).toBeGreaterThan(89_000);
});

test("1,000 episodes are one document of at most 1.5 MB, the newest with show notes and all with words", async () => {
  await copies(template, 302, 1000);
  const { links, items, bytes } = await readPage(FEED);
  const gzipped = await new Response(
    (await fetchSite(FEED)).body?.pipeThrough(new CompressionStream("gzip")),
  ).bytes();
  const withNotes = items.filter(hasNotes).length;
  console.log(`1,000 episodes: ${bytes} bytes, ${gzipped.length} gzipped, ${withNotes} with show notes`);
  expect(items.length).toBe(1000);
  expect(links).toEqual({ self: `${SITE}${FEED}` });
  expect(bytes).toBeLessThanOrEqual(MAX_DOCUMENT);
  expect(bytes).toBeGreaterThan(MAX_DOCUMENT - 10_000);
  expect(withNotes).toBeGreaterThan(100);
  expect(items.slice(0, withNotes).every(hasNotes)).toBe(true);
  expect(items.every(({ description }) => description?.startsWith("Nine days"))).toBe(true);
  const times = items.map(({ pubDate }) => pubDate?.getTime() ?? 0);
  expect(times).toEqual(times.toSorted((a, b) => b - a));
});

test("long show notes take no other episode’s", async () => {
  const without = (await readPage(FEED)).items.filter(hasNotes).length;
  // Neither a few that would fit if they were alone, nor so many that reading them all would fill the memory.
  for (const [count, bytes] of [
    [20, 90_000],
    [500, 400_000],
  ] as const) {
    await setNotes(2, count + 1, bytes);
    const page = await readPage(FEED);
    expect(page.items.filter(({ content }) => content?.includes("Wirrabee")).length).toBeGreaterThan(
      Math.min(without, 1000 - count) - 10,
    );
    expect(page.bytes).toBeLessThanOrEqual(MAX_DOCUMENT);
    expect(page.items[5]?.description).toMatch(/^Nine days/);
  }
});

test("the stored XML of 1,000 items makes the document that is rendered from their rows, for a third of the rows", async () => {
  // Long notes that fit after all others, some that do not, and more than there is room to read.
  for (const [count, bytes] of [
    [20, 30_000],
    [500, 40_000],
    [0, 0],
  ] as const) {
    await setNotes(2, count + 1, bytes);
    for (let run = 0; run < 20; run++) await renewFeedItems(jobContext());
    // The first request stores which of them have their details.
    await fetchSite(FEED);
    const response = await fetchSite(FEED);
    expect(await response.text()).toBe((await readFeedDocument(ownerContext())).xml);
    const timing = response.headers.get("Server-Timing");
    expect(timing).toContain('"2 statements, ');
    expect(Number(/(\d+) rows/.exec(timing ?? "")?.[1])).toBeLessThan(4500);
  }
});

test("show notes that do not fit are replaced by their beginning if there is no description", async () => {
  await changeEpisodes(sql`
    update episodes set description = '', show_notes_text = 'First & last' || char(10, 10)
      || replace(hex(zeroblob(2000)), '00', 'long words ') where episode_number > 900`);
  const { xml, bytes } = await readPage(FEED);
  expect(bytes).toBeLessThanOrEqual(MAX_DOCUMENT);
  const starts = [
    ...xml.matchAll(
      /<description><!\[CDATA\[<p>First &amp; last<\/p><p>long [^<>]{100,290}(?:long|words)…<\/p>\]\]>/g,
    ),
  ];
  expect(starts.length).toBe(100);
});

test("from 1,001 episodes on, following next meets each exactly once, newest first", async () => {
  await copies(template, 1001, 1001);
  // Without audio it is not in the feed.
  await createEpisode(ownerContext(), anEpisode({ status: "published" }));
  const first = await readPage(FEED);
  const second = await readPage(`${FEED}?page=2`);
  const at = { 1: `${SITE}${FEED}`, 2: `${SITE}${FEED}?page=2` };
  expect(first.links).toEqual({ self: at[1], first: at[1], next: at[2], last: at[2] });
  expect(second.links).toEqual({
    self: at[2],
    first: at[1],
    previous: at[1],
    prev: at[1],
    last: at[2],
  });
  expect([first.items.length, second.items.length]).toEqual([1000, 1]);
  expect(new Set([...first.items, ...second.items].map(({ guid }) => guid)).size).toBe(1001);
  expect((await fetchSite(`${FEED}?page=3`)).status).toBe(404);
});

test("each page has its own tag and answers 304 to it alone", async () => {
  const tag = String((await fetchSite(FEED)).headers.get("ETag"));
  const headers = { "If-None-Match": tag };
  expect((await fetchSite(FEED, { headers })).status).toBe(304);
  expect((await fetchSite(`${FEED}?page=2`, { headers })).status).toBe(200);
});
