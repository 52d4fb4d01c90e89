import { env } from "cloudflare:workers";
import { sql } from "drizzle-orm";
import { decodeHTML } from "entities";
import { describe, expect, test } from "vitest";
import { bin } from "#worker/bin/table.ts";
import {
  createEpisode,
  deleteEpisode,
  publishDueEpisodes,
  updateEpisode,
} from "#worker/episodes/commands.ts";
import { episodeDefaults, type EpisodeListQuery, type Person } from "#worker/episodes/contract.ts";
import {
  listEpisodes,
  previewShowNotes,
  readEpisodeDefaults,
  readEpisodeForEdit,
  listSeasons,
} from "#worker/episodes/owner-queries.ts";
import { readEpisode } from "#worker/episodes/queries.ts";
import { readShow } from "#worker/episodes/show-queries.ts";
import { episodes, shows } from "#worker/episodes/table.ts";
import { rebuildSearchIndex } from "#worker/discovery/search-index.ts";
import { createContext } from "#worker/platform/context.ts";
import { fetchSite, jobContext, ownerContext, signedIn, visitorContext } from "./support/client.ts";
import { anEpisode, publishedEpisode, savedShow, storedAudio, storedImage } from "./support/factories.ts";
import { aWord } from "./support/search.ts";

const owner = ownerContext;
const idsOf = async (query: EpisodeListQuery) =>
  (await listEpisodes(owner(), query)).items.map(({ id }) => id);
const add = async (input: Parameters<typeof anEpisode>[0]) =>
  (await createEpisode(owner(), anEpisode(input))).id;

describe("the owner's list", () => {
  test("has episodes of every status, newest first, with number, cover and length", async () => {
    const audio = await storedAudio();
    const picture = await storedImage({ variants: [320, 640] });
    const draft = await add({
      seasonNumber: 2,
      episodeNumber: 5,
      imageFileId: picture.id,
      imageAlt: "A pier",
    });
    const { id: published } = await publishedEpisode({ audioFileId: audio.id, episodeType: "bonus" });
    const { items } = await listEpisodes(owner());
    expect(items.slice(0, 2)).toMatchObject([
      { id: published, status: "published", episodeType: "bonus", picture: null, hasAudio: true },
      { id: draft, status: "draft", seasonNumber: 2, episodeNumber: 5, hasAudio: false },
    ]);
    expect(items[1]?.picture).toMatchObject({ alt: "A pier" });
    expect(items[1]?.picture?.srcset).toMatch(/\/320\/.*\.webp 320w, .*\/640\/.*\.webp 640w$/);
  });

  test("is searched by title, description and show notes, over drafts too, by beginnings of words", async () => {
    const [title, description, notes] = [aWord(), aWord(), `${aWord()}yational`];
    const draft = await add({ title, description, showNotes: `On **${notes}**.` });
    const { id: published } = await publishedEpisode({ title: `Again ${title}` });
    expect(await idsOf({ q: title })).toEqual([published, draft]);
    expect(await idsOf({ q: description })).toEqual([draft]);
    for (let length = 3; length <= notes.length; length++)
      expect(await idsOf({ q: `${notes.slice(0, length)} ${title}` })).toEqual([draft]);
    expect(await idsOf({ q: `${title} ${aWord()}` })).toEqual([]);
  });

  test("finds no episode by index words for status or by FTS syntax", async () => {
    await add({});
    for (const q of ["statusdraft", "filters : statusdraft", '") OR filters : "statusdraft', "typefull"])
      expect(await idsOf({ q })).toEqual([]);
    for (const q of ["…", '"*"', "-"]) expect(await idsOf({ q })).toEqual([]);
  });

  test("is filtered by status, season and type, together with a search", async () => {
    const word = aWord();
    const draft = await add({ title: word, seasonNumber: 1 });
    const archived = await add({ title: word, seasonNumber: 12, status: "archived" });
    const bonus = await add({ title: word, seasonNumber: 12, episodeType: "bonus" });
    const none = await add({ title: word, seasonNumber: null });
    expect(await idsOf({ q: word })).toEqual([none, bonus, archived, draft]);
    expect(await idsOf({ q: word, status: "draft" })).toEqual([none, bonus, draft]);
    expect(await idsOf({ q: word, season: 12 })).toEqual([bonus, archived]);
    expect(await idsOf({ q: word, season: 1 })).toEqual([draft]);
    expect(await idsOf({ q: word, season: 12, type: "bonus" })).toEqual([bonus]);
    await updateEpisode(owner(), draft, { seasonNumber: 12, episodeType: "bonus", status: "archived" });
    expect(await idsOf({ q: word, season: 12, type: "bonus", status: "archived" })).toEqual([draft]);
    await deleteEpisode(owner(), draft);
    expect(await idsOf({ q: word, status: "archived" })).toEqual([archived]);
  });

  test("follows the clock, and a rebuilt index", async () => {
    const word = aWord();
    const ctx = owner();
    const scheduledFor = ctx.now.getTime() + 60_000;
    const id = await add({ title: word, status: "scheduled", scheduledFor });
    expect(await idsOf({ q: word, status: "scheduled" })).toEqual([id]);
    await publishDueEpisodes(jobContext({ now: new Date(scheduledFor) }));
    expect(await idsOf({ q: word, status: "scheduled" })).toEqual([]);
    await rebuildSearchIndex(owner());
    expect(await idsOf({ q: word, status: "published" })).toEqual([id]);
  });

  test("is paged by key, and refuses an invalid cursor", async () => {
    const word = aWord();
    const ids: number[] = [];
    for (let n = 0; n < 31; n++) ids.push(await add({ title: word }));
    for (const query of [{ q: word }, {}]) {
      const first = await listEpisodes(owner(), query);
      expect(first.items.map(({ id }) => id)).toEqual(ids.toReversed().slice(0, 30));
      const second = await listEpisodes(owner(), { ...query, before: first.next! });
      expect(second.items[0]?.id).toBe(ids[0]);
    }
    for (const before of ["x", "-1", "1e3"])
      await expect(listEpisodes(owner(), { before })).rejects.toMatchObject({ code: "not_found" });
  });

  test("refuses an unknown filter in the API", async () => {
    const { cookie } = await signedIn("editor");
    for (const query of ["status=lost", "season=0", "season=x", "type=video", "order=asc"]) {
      const answer = await fetchSite(`/api/admin/episodes?${query}`, { headers: { cookie } });
      expect(answer.status, query).toBe(422);
    }
  });

  test("has its seasons, newest first", async () => {
    const { db } = owner();
    await db.delete(episodes);
    expect((await listSeasons(owner())).items).toEqual([]);
    for (const seasonNumber of [2, 11, null, 2]) await add({ seasonNumber });
    expect((await listSeasons(owner())).items).toEqual([11, 2]);
  });

  test("costs three statements, with words four, and at most 200 rows among 5,000 episodes", async () => {
    const { db } = owner();
    const picture = await storedImage();
    const columns = `slug, guid, title, description, status, season_number, episode_number, episode_type, explicit,
      duration_seconds, image_file_id, image_alt, chapters, people, soundbites, created_at, updated_at,
      embedded_file_ids, show_notes, show_notes_html, transcript, cues, show_notes_text`;
    await db.run(
      sql.raw(`insert into episodes (${columns})
        with recursive numbered (n) as (select 1 union all select n + 1 from numbered where n < 5000)
        select 'many-' || n, 'guid-' || n, 'Of the rent ' || n, '', iif(n % 500, 'published', 'archived'), n / 250, n,
          'full', 0, 60, '${picture.id}', '', '[]', '[]', '[]', 1, 1, '[]', '', '', '', '[]',
          'Words about the rent of homes.' from numbered`),
    );
    const queries: EpisodeListQuery[] = [
      {},
      { q: "rent" },
      { q: "of the rent hom", status: "archived" },
      { status: "archived" },
      { status: "archived", season: 4, type: "bonus" },
      { q: "rent", before: "2500" },
    ];
    await rebuildSearchIndex(jobContext());
    for (const query of queries) {
      const ctx = createContext(env, { actor: owner().actor, reads: "any-replica" });
      await Promise.all([listEpisodes(ctx, query), listSeasons(ctx), readShow(ctx)]);
      expect(ctx.d1.statements, JSON.stringify(query)).toBe(query.q === undefined ? 3 : 4);
      expect(ctx.d1.rowsRead).toBeGreaterThan(0);
      expect(ctx.d1.rowsRead, JSON.stringify(query)).toBeLessThanOrEqual(200);
    }
    const ctx = createContext(env, { actor: owner().actor, reads: "any-replica" });
    await readEpisodeDefaults(ctx);
    expect(ctx.d1.statements).toBe(3);
    expect(ctx.d1.rowsRead).toBeLessThanOrEqual(20);
    await db.delete(episodes);
  });
});

describe("a new episode begins", () => {
  const person = (name: string, change: Partial<Person> = {}): Person => ({
    name,
    role: "host",
    group: "cast",
    href: null,
    ...change,
  });
  const imogen = person("Imogen Tarrant", { href: "https://imogen.example" });
  const editor = person("Farida Oakleigh", { role: "editor", group: "video post-production" });

  test("as the first of the first season, with the people and the rating of the podcast", async () => {
    await owner().db.delete(episodes);
    await owner().db.delete(bin);
    await owner().db.delete(shows);
    expect(await readEpisodeDefaults(owner())).toEqual(episodeDefaults);
    await savedShow({ explicit: true, people: [imogen] });
    expect(await readEpisodeDefaults(owner())).toEqual({
      ...episodeDefaults,
      seasonNumber: 1,
      episodeNumber: 1,
      explicit: true,
      people: [imogen],
    });
  });

  test("after the last one of the latest season, with the people of each of the last three except guests", async () => {
    await savedShow();
    await add({ seasonNumber: 3, episodeNumber: 9, people: [imogen] });
    await add({
      seasonNumber: 2,
      episodeNumber: 40,
      people: [person("Imogen Tarrant"), editor, person("A", { role: "guest" })],
    });
    await add({
      seasonNumber: 1,
      episodeNumber: 1,
      people: [imogen, editor, person("A", { role: "guest" })],
    });
    await add({
      seasonNumber: 1,
      episodeNumber: 2,
      people: [imogen, person("A", { role: "guest" }), editor],
    });
    await add({ episodeType: "trailer", episodeNumber: null, seasonNumber: 4, people: [] });
    expect(await readEpisodeDefaults(owner())).toMatchObject({
      seasonNumber: 3,
      episodeNumber: 10,
      explicit: false,
      people: [imogen, editor],
      status: "draft",
    });
    await owner().db.delete(episodes);
  });
});

test("a preview of show notes equals the page, with links for times within the episode", async () => {
  const showNotes =
    "# A *heading*\n\n1:05 The first\n\n59:00 Too late\n\n[x](https://a.example) <script>x</script> ![](/media/x.jpg)";
  const audio = await storedAudio({ durationSeconds: 90 });
  const { id } = await publishedEpisode({ showNotes, audioFileId: audio.id });
  const { showNotesHtml } = await readEpisode(visitorContext(), id);
  expect(showNotesHtml).toContain('href="?t=65"');
  expect(showNotesHtml).not.toContain("<script");
  expect(await previewShowNotes(owner(), { showNotes, durationSeconds: 90 })).toEqual({
    html: showNotesHtml,
  });
  await expect(
    previewShowNotes(owner(), { showNotes: "x".repeat(100_001), durationSeconds: 0 }),
  ).rejects.toMatchObject({ code: "invalid", field: "showNotes" });
});

test("the owner's queries of episodes need the capability edit", async () => {
  for (const read of [
    () => listEpisodes(visitorContext()),
    () => listSeasons(visitorContext()),
    () => readEpisodeDefaults(visitorContext()),
    () => readEpisodeForEdit(visitorContext(), 1),
    () => previewShowNotes(visitorContext(), { showNotes: "", durationSeconds: 0 }),
  ])
    await expect(read()).rejects.toMatchObject({ code: "unauthenticated" });
});

test("an episode's form has the transcript once, and its data has it after a navigation", async () => {
  const transcript = `WEBVTT\n\n00:00:01.000 --> 00:00:02.000\n<v Imogen>The ${aWord()} crossing\n`;
  const { id } = await publishedEpisode({ transcript });
  const { cookie } = await signedIn("editor");
  const read = async (path: string) => (await fetchSite(path, { headers: { cookie } })).text();
  const html = await read(`/admin/podcast/${id}`);
  const [, field] = /<textarea[^>]+name="transcript"[^>]*>(.*?)<\/textarea>/s.exec(html) ?? [];
  expect(decodeHTML(field ?? "")).toBe(transcript);
  expect(html.split(" crossing")).toHaveLength(2);
  expect(await read(`/admin/podcast/${id}.data`)).toContain(" crossing");
});
