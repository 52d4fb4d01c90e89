import { eq } from "drizzle-orm";
import { describe, expect, test } from "vitest";
import { createEpisode } from "#worker/episodes/commands.ts";
import { checkEpisode } from "#worker/episodes/publish-check.ts";
import type { NewEpisode } from "#worker/episodes/contract.ts";
import { storePeaks } from "#worker/files/commands.ts";
import type { Loudness } from "#worker/files/loudness/contract.ts";
import { files } from "#worker/files/table.ts";
import { jobContext, ownerContext, signedIn } from "./support/client.ts";
import { anEpisode, publishedEpisode, savedShow, storedAudio, storedImage } from "./support/factories.ts";

const owner = await signedIn("editor");

describe("the publish check", () => {
  const whole = async () => {
    const image = await storedImage();
    return anEpisode({
      audioFileId: (await storedAudio()).id,
      imageFileId: image.id,
      imageAlt: "A hill at dusk",
      transcript: "WEBVTT\n\n00:00:01.000 --> 00:00:02.000\nHello\n",
    });
  };

  test("says nothing of an episode that apps take whole", async () => {
    const artwork = await storedImage();
    await savedShow({ artworkFileId: artwork.id });
    expect(await checkEpisode(ownerContext(), { episode: await whole() })).toEqual([]);
  });

  test("warns of what the browser measured: loudness, peaks, silences, a missing channel, clipping", async () => {
    const artwork = await storedImage();
    await savedShow({ artworkFileId: artwork.id });
    const episode = await whole();
    const said = async () =>
      (await checkEpisode(ownerContext(), { episode })).map(({ level, field, message }) => [
        level,
        field,
        message,
      ]);
    expect(await said()).toEqual([]);
    const loudness: Loudness = {
      integrated: -24,
      range: 3,
      truePeak: -0.2,
      channels: 2,
      missing: [0],
      clipped: 1,
      firstClip: 61,
      silences: [{ start: 62, end: 70 }],
      curve: "",
    };
    await storePeaks(ownerContext(), episode.audioFileId!, { peaks: "AAAA", loudness });
    expect(await said()).toEqual(
      [
        "The recording is too quiet: −24.0 LUFS instead of −16.0 for stereo.",
        "The peaks reach −0.2 dBTP. Above −1 dBTP, they may be distorted when played.",
        "The left channel has no sound.",
        "There’s a silence of 8 seconds at 1:02.",
        "The sound is clipped in one place, first at 1:01: it was recorded or amplified too loud.",
      ].map((message) => ["warning", "audioFileId", message]),
    );
  });

  test("does not take an episode for its own double", async () => {
    const artwork = await storedImage();
    await savedShow({ artworkFileId: artwork.id });
    const input = await whole();
    const { id } = await createEpisode(ownerContext(), input);
    expect(await checkEpisode(ownerContext(), { episode: input, id })).toEqual([]);
    const answer = await owner.api.episodes.check.$post({ json: { episode: input } });
    expect((await answer.json()).problems).toEqual([
      expect.objectContaining({
        level: "error",
        field: "audioFileId",
        message: expect.stringContaining(input.title),
      }),
    ]);
  });

  test("names another public episode with the same season and number", async () => {
    const numbers = { seasonNumber: 7, episodeNumber: 5 };
    const said = async (change: Partial<NewEpisode> = {}, id?: number) => {
      const problems = await checkEpisode(ownerContext(), {
        episode: anEpisode({ ...numbers, ...change }),
        id,
      });
      return problems.filter(({ field }) => field === "episodeNumber");
    };
    const scheduled = { status: "scheduled", scheduledFor: Date.now() + 3_600_000 } as const;
    await createEpisode(ownerContext(), anEpisode(numbers));
    expect(await said()).toEqual([]);
    const { id, values } = await createEpisode(ownerContext(), anEpisode({ ...numbers, ...scheduled }));
    const message = `“${values.title}” is also season 7, episode 5; apps would show the number twice.`;
    expect(await said()).toEqual([{ level: "warning", field: "episodeNumber", message }]);
    expect(await said({}, id)).toEqual([]);
    for (const other of [{ seasonNumber: 6 }, { seasonNumber: null }, { episodeNumber: null }]) {
      expect(await said(other)).toEqual([]);
    }
    // A bonus may belong to the episode whose numbers it has.
    expect(await said({ episodeType: "bonus" })).toEqual([]);
    const unseasoned = { seasonNumber: null, episodeNumber: 5 };
    const other = await publishedEpisode(unseasoned);
    expect(await said(unseasoned)).toMatchObject([{ message: expect.stringContaining(other.title) }]);
    const unnumbered = { seasonNumber: 7, episodeNumber: null };
    await publishedEpisode(unnumbered);
    expect(await said(unnumbered)).toEqual([]);
  });

  test("names missing audio, a type that is not played everywhere, and artwork that Apple refuses", async () => {
    const artwork = await storedImage();
    await savedShow({ artworkFileId: artwork.id });
    // As it may be from before artwork was checked.
    await jobContext().db.update(files).set({ width: 800, height: 600 }).where(eq(files.id, artwork.id));
    const ogg = await storedAudio({ type: "audio/ogg", durationSeconds: null });
    const alpha = await storedImage({ hasAlpha: true, type: "image/webp" });
    const problems = await checkEpisode(ownerContext(), {
      episode: anEpisode({ description: "", audioFileId: ogg.id, imageFileId: alpha.id }),
    });
    const said = problems.map(({ message }) => message).join("\n");
    for (const word of [
      "audio/ogg",
      "how long",
      "800 × 600",
      "JPEG or PNG",
      "opaque",
      "transcript",
      "description",
    ]) {
      expect(said).toContain(word);
    }
    const silent = await checkEpisode(ownerContext(), { episode: anEpisode() });
    expect(silent).toContainEqual(expect.objectContaining({ level: "error", field: "audioFileId" }));
  });
});
