import { eq } from "drizzle-orm";
import { describe, expect, test } from "vitest";
import {
  createEpisode,
  deleteEpisode,
  updateEpisode,
  createEpisodePreviewLink,
} from "#worker/episodes/commands.ts";
import { readEpisodeForEdit, readEpisodeRow } from "#worker/episodes/owner-queries.ts";
import { findEpisodeBySlug } from "#worker/episodes/queries.ts";
import { episodes } from "#worker/episodes/table.ts";
import { restoreEpisode } from "#worker/episodes/restore-commands.ts";
import { fileReferences } from "#worker/nouns/list.ts";
import { deleteFile } from "#worker/files/commands.ts";
import { listRevisions, readRevision } from "#worker/revisions/queries.ts";
import { fetchSite, ownerContext, visitorContext } from "./support/client.ts";
import { anEpisode, storedAudio, storedImage, unique } from "./support/factories.ts";

const create = async (input: Parameters<typeof anEpisode>[0] = {}) =>
  (await createEpisode(ownerContext(), anEpisode({ status: "draft", ...input }))).id;
const update = (id: number, input: Parameters<typeof updateEpisode>[2]) =>
  updateEpisode(ownerContext(), id, input);
const of = (id: number) => ({ kind: "episode" as const, item: id });
const versionsOf = async (id: number) => (await listRevisions(ownerContext(), of(id))).items;

describe("every save of an episode is a version", () => {
  test("with its notes, chapters and transcript", async () => {
    const id = await create({ transcript: "WEBVTT\n\n00:00.000 --> 00:02.000\nHello." });
    await update(id, { showNotes: "# Notes", chapters: [{ start: 0, title: "Opening" }] });
    const [newest, first] = await versionsOf(id);
    expect(newest).toMatchObject({ savedBy: "The Owner", isAutomatic: false });
    expect(newest?.changes?.map(({ field }) => field)).toEqual(["chapters", "showNotes"]);
    expect(first?.changes).toBeNull();
    const { values } = await readEpisodeForEdit(ownerContext(), id);
    const { slug: _slug, ...saved } = values;
    expect((await readRevision(ownerContext(), of(id), newest!.id)).values).toMatchObject(saved);
  });

  test("and is deleted with it", async () => {
    const id = await create();
    await deleteEpisode(ownerContext(), id);
    expect(await versionsOf(id)).toEqual([]);
  });

  test("is automatic for drafts only", async () => {
    const id = await create();
    await update(id, { description: "Typed.", automatic: true });
    expect((await versionsOf(id))[0]).toMatchObject({ isAutomatic: true });
    const published = await create({ status: "published" });
    await expect(update(published, { title: "x", automatic: true })).rejects.toThrow(
      "Autosave is only for drafts",
    );
    await expect(update(id, { status: "published", automatic: true })).rejects.toThrow(
      "Autosave is only for drafts",
    );
    await expect(
      createEpisode(ownerContext(), anEpisode({ status: "published", automatic: true })),
    ).rejects.toThrow("Autosave is only for drafts");
  });

  test("shows the user who saved it last", async () => {
    expect((await readEpisodeForEdit(ownerContext(), await create())).savedBy).toBe("The Owner");
  });
});

describe("the stored HTML of show notes", () => {
  const NOTED = { showNotes: "Some *notes*.", transcript: "WEBVTT\n\n00:00.000 --> 00:02.000\nHello." };
  const stored = async (id: number) => (await readEpisodeRow(ownerContext(), id)).showNotesHtml;
  const createNoted = async () => {
    const id = await create(NOTED);
    await ownerContext().db.update(episodes).set({ showNotesHtml: "Stored." }).where(eq(episodes.id, id));
    return id;
  };

  test.each<[string, Parameters<typeof update>[1]]>([
    ["title", { title: "Another" }],
    ["transcript with times", { transcript: `${NOTED.transcript}\n\n00:03.000 --> 00:04.000\nMore.` }],
  ])("is not rendered again for a new %s", async (_what, change) => {
    const id = await createNoted();
    await update(id, change);
    expect(await stored(id)).toBe("Stored.");
  });

  test.each<[string, Parameters<typeof update>[1]]>([
    ["notes", { showNotes: "Other *notes*." }],
    ["length, which links their times", { durationSeconds: 99 }],
    ["transcript without times, which is found with them", { transcript: "Hello." }],
  ])("is rendered again for new %s", async (_what, change) => {
    const id = await createNoted();
    await update(id, change);
    expect(await stored(id)).toContain("notes</em>");
  });

  test("is rendered again if they have a picture, whose copies may be new", async () => {
    const { key } = await storedImage();
    const id = await create({ showNotes: `![A picture](/media/${key})` });
    await ownerContext().db.update(episodes).set({ showNotesHtml: "Stored." }).where(eq(episodes.id, id));
    await update(id, { title: "Another" });
    expect(await stored(id)).toContain(key);
  });
});

describe("restoring a version of an episode", () => {
  test("brings back words and files, and leaves address and publication", async () => {
    const audio = await storedAudio();
    const image = await storedImage();
    const id = await create({ title: "One", audioFileId: audio.id, imageFileId: image.id });
    const first = (await versionsOf(id))[0]!;
    const slug = `other-address-${unique()}`;
    const { updatedAt } = await update(id, { title: "Two", slug, audioFileId: null, imageFileId: null });
    await expect(restoreEpisode(ownerContext(), id, first.id, { basedOn: updatedAt - 1 })).rejects.toThrow(
      "changed elsewhere",
    );
    // A version keeps its picture.
    await expect(deleteFile(ownerContext(), image.id, fileReferences)).rejects.toThrow("in use");
    const { values } = await restoreEpisode(ownerContext(), id, first.id, { basedOn: updatedAt });
    expect(values).toMatchObject({ title: "One", slug, audioFileId: audio.id, imageFileId: image.id });
    expect((await versionsOf(id))[0]).toMatchObject({ restoredFrom: first.savedAt });
  });

  test("does not change the audio if the former file is deleted", async () => {
    const [former, present] = [await storedAudio(), await storedAudio()];
    const id = await create({ audioFileId: former.id });
    const first = (await versionsOf(id))[0]!;
    const { updatedAt } = await update(id, { audioFileId: present.id });
    await deleteFile(ownerContext(), former.id, fileReferences);
    const { values } = await restoreEpisode(ownerContext(), id, first.id, { basedOn: updatedAt });
    expect(values.audioFileId).toBe(present.id);
  });
});

describe("an address that an episode had before", () => {
  test("redirects permanently to it, until another episode takes the slug", async () => {
    const [former, later] = [`former-${unique()}`, `later-${unique()}`];
    const id = await create({ status: "published", slug: former });
    await update(id, { slug: later });
    const answer = await fetchSite(`/podcast/${former}`);
    expect([answer.status, answer.headers.get("Location")]).toEqual([301, `/episode/${id}`]);
    const timed = await fetchSite(`/podcast/${former}?t=30`);
    expect(timed.headers.get("Location")).toBe(`/episode/${id}?t=30`);
    const other = await create({ status: "published", slug: former });
    expect(await findEpisodeBySlug(visitorContext(), former)).toBe(other);
    expect(await findEpisodeBySlug(visitorContext(), later)).toBe(id);
  });

  test("is not taken by a new title, nor remembered of an address that was never given out", async () => {
    const word = `word-${unique()}`;
    const id = await create({ title: word, slug: "", status: "published" });
    await update(id, { slug: `chosen-${unique()}` });
    const other = await create({ title: word, slug: "" });
    expect((await readEpisodeForEdit(ownerContext(), other)).values.slug).toBe(`${word}-2`);
    await update(other, { title: `${word} again`, slug: "", automatic: true });
    expect((await readEpisodeForEdit(ownerContext(), other)).values.slug).toBe(`${word}-again`);
    await update(other, { status: "published" });
    expect(await findEpisodeBySlug(visitorContext(), `${word}-2`)).toBeNull();
  });
});

test("an episode's preview link shows the draft, and redirects once it is published", async () => {
  const audio = await storedAudio({ durationSeconds: 61 });
  const id = await create({ title: "Not out yet", showNotes: "Some **notes**.", audioFileId: audio.id });
  const { url } = await createEpisodePreviewLink(ownerContext(), id);
  const path = new URL(url).pathname + new URL(url).search;
  const draft = await fetchSite(path);
  const html = await draft.text();
  expect([draft.status, draft.headers.get("Cache-Control")]).toEqual([200, "no-store"]);
  expect(html).toContain("Not out yet");
  expect(html).toContain("<strong>notes</strong>");
  expect(html).toContain("<audio");
  await update(id, { status: "published" });
  const published = await fetchSite(path);
  expect([published.status, published.headers.get("Location")]).toEqual([302, `/episode/${id}`]);
});
