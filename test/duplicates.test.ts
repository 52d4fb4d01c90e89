import { eq } from "drizzle-orm";
import { describe, expect, test } from "vitest";
import { createEpisode } from "#worker/episodes/commands.ts";
import { duplicateEpisode } from "#worker/episodes/duplicate-commands.ts";
import { readEpisodeForEdit } from "#worker/episodes/owner-queries.ts";
import { createLetter, duplicateLetter } from "#worker/letters/commands.ts";
import { readLetter } from "#worker/letters/queries.ts";
import { letters } from "#worker/letters/table.ts";
import { fetchSite, ownerContext, signedIn } from "./support/client.ts";
import { anEpisode, storedAudio, storedImage } from "./support/factories.ts";

describe("a copy of an episode", () => {
  test("has its words, people and picture, and nothing of its recording, GUID, address, date or status", async () => {
    const audio = await storedAudio();
    const image = await storedImage();
    const people = [{ name: "Wren Ashby", role: "host", group: "cast", href: null }];
    const { id } = await createEpisode(
      ownerContext(),
      anEpisode({
        title: "On fences",
        slug: "on-fences-first",
        description: "About fences.",
        showNotes: "- A post",
        status: "published",
        publishedAt: Date.UTC(2024, 1, 1),
        seasonNumber: 31,
        episodeNumber: 4,
        explicit: true,
        audioFileId: audio.id,
        imageFileId: image.id,
        imageAlt: "A fence",
        youtubeUrl: "https://youtube.example/fences",
        transcript: "All of it.",
        chapters: [{ start: 0, title: "Posts" }],
        people,
      }),
    );
    const original = await readEpisodeForEdit(ownerContext(), id);
    const made = await duplicateEpisode(ownerContext(), id);
    const copy = await readEpisodeForEdit(ownerContext(), made.id);
    expect(copy.guid).not.toBe(original.guid);
    expect(copy.values).toMatchObject({
      title: "On fences (copy)",
      description: "About fences.",
      showNotes: "- A post",
      explicit: true,
      imageFileId: image.id,
      imageAlt: "A fence",
      people,
      status: "draft",
      publishedAt: null,
      scheduledFor: null,
      audioFileId: null,
      durationSeconds: 0,
      youtubeUrl: null,
      transcript: "",
      chapters: [],
      soundbites: [],
    });
    expect(copy.values.slug).toBe("on-fences-copy");
    expect(copy.chosenSlug).toBe("");
    // The next one of the latest season.
    expect(copy.values).toMatchObject({ seasonNumber: 31, episodeNumber: 5 });
    expect(await readEpisodeForEdit(ownerContext(), id)).toEqual(original);
  });

  test("cuts a title at 255 characters, and gives a trailer no number", async () => {
    const { id } = await createEpisode(
      ownerContext(),
      anEpisode({ title: "x".repeat(255), episodeType: "trailer", seasonNumber: 2, episodeNumber: null }),
    );
    const { values } = await duplicateEpisode(ownerContext(), id);
    expect(values.title).toMatch(/^x+… \(copy\)$/);
    expect(values.title).toHaveLength(255);
    expect(values).toMatchObject({ episodeType: "trailer", seasonNumber: 2, episodeNumber: null });
  });

  test("is made by the API for editors", async () => {
    const { cookie } = await signedIn("editor");
    const { id } = await createEpisode(ownerContext(), anEpisode({ title: "By the API" }));
    const answer = await fetchSite(`/api/admin/episodes/${id}/duplicate`, {
      method: "POST",
      headers: { cookie },
    });
    expect(answer.status).toBe(201);
    expect(await answer.json()).toMatchObject({ values: { title: "By the API (copy)", status: "draft" } });
  });
});

test("a copy of a sent letter is a draft with its words and recipients, and without its origin", async () => {
  const segment = { sources: ["popup"], since: Date.UTC(2024, 0, 1), until: null };
  const words = { subject: "On rent", preheader: "In short", content: "Dear reader.", isPublic: false };
  const { id } = await createLetter(ownerContext(), { ...words, segment });
  await ownerContext()
    .db.update(letters)
    .set({ status: "sent", startedAt: new Date(), finishedAt: new Date() })
    .where(eq(letters.id, id));
  const made = await duplicateLetter(ownerContext(), id);
  expect(await readLetter(ownerContext(), made.id)).toMatchObject({
    status: "draft",
    scheduledFor: null,
    startedAt: null,
    origin: null,
    values: { ...words, subject: "On rent (copy)", segment },
  });
});
