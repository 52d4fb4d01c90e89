import { sql } from "drizzle-orm";
import { parseFeed } from "podcast-partytime";
import { expect, test } from "vitest";
import { createEpisode } from "#worker/episodes/commands.ts";
import { fetchSite, ownerContext, SITE } from "./support/client.ts";
import { anEpisode, publishedEpisode, savedShow, storedImage } from "./support/factories.ts";

const FEED = "/rss/podcast.xml";
/** Bytes. */
const MAX_PAGE = 160_000;

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

const template = await (async () => {
  const { id } = await publishedEpisode({
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
    soundbites: [{ start: 65, duration: 30, title: "What the phone calls found" }],
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

test("300 episodes are one document with their show notes and no page links", async () => {
  await copies(template, 2, 300);
  const { links, items } = await readPage(FEED);
  expect(items.length).toBe(300);
  expect(links).toEqual({ self: `${SITE}${FEED}` });
  expect(items.every(({ content }) => content?.includes("Wirrabee"))).toBe(true);
  expect((await fetchSite(`${FEED}?page=2`)).status).toBe(404);
});

test("from 301 episodes on the feed has pages", async () => {
  await copies(template, 301, 301);
  const { links, items } = await readPage(FEED);
  expect(items.length).toBe(100);
  expect(links).toEqual({
    self: `${SITE}${FEED}`,
    first: `${SITE}${FEED}`,
    next: `${SITE}${FEED}?page=2`,
    last: `${SITE}${FEED}?page=4`,
  });
});

test("1,000 episodes: following next meets each exactly once, newest first, each page within 160 kB", async () => {
  await copies(template, 302, 1000);
  // Without audio it takes no place on a page.
  await createEpisode(ownerContext(), anEpisode({ status: "published" }));
  const guids: string[] = [];
  const times: number[] = [];
  const sizes: number[] = [];
  let path: string | undefined = FEED;
  for (let page = 1; path !== undefined; page++) {
    const { links, items, bytes } = await readPage(path);
    expect(items.length).toBe(100);
    const at = (n: number) => (n === 1 ? `${SITE}${FEED}` : `${SITE}${FEED}?page=${n}`);
    expect(links.self).toBe(at(page));
    expect(links.first).toBe(at(1));
    expect(links.last).toBe(at(10));
    expect(links.previous).toBe(page === 1 ? undefined : at(page - 1));
    expect(links.prev).toBe(links.previous);
    expect(bytes).toBeLessThanOrEqual(MAX_PAGE);
    guids.push(...items.map(({ guid }) => guid));
    times.push(...items.map(({ pubDate }) => pubDate?.getTime() ?? 0));
    sizes.push(bytes);
    path = links.next?.slice(SITE.length);
  }
  console.log(`feed pages, bytes: ${sizes.join(" ")}`);
  expect(sizes.length).toBe(10);
  expect(guids.length).toBe(1000);
  expect(new Set(guids).size).toBe(1000);
  expect(times).toEqual(times.toSorted((a, b) => b - a));
  expect((await fetchSite(`${FEED}?page=11`)).status).toBe(404);
});

test("a page has the show notes of its newest episodes, as many as fit", async () => {
  for (const path of [FEED, `${FEED}?page=7`]) {
    const { items, xml } = await readPage(path);
    const withNotes = items.map(({ content }) => content !== undefined);
    const count = withNotes.filter(Boolean).length;
    expect(count).toBeGreaterThan(5);
    expect(withNotes.lastIndexOf(true)).toBe(count - 1);
    expect(xml).toContain(`<a href="${SITE}/essays/nine-days">`);
  }
});

test("each page has its own tag and answers 304 to it alone", async () => {
  const tag = String((await fetchSite(`${FEED}?page=2`)).headers.get("ETag"));
  const headers = { "If-None-Match": tag };
  expect((await fetchSite(`${FEED}?page=2`, { headers })).status).toBe(304);
  expect((await fetchSite(`${FEED}?page=3`, { headers })).status).toBe(200);
});
