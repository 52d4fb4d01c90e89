import { describe, expect, test } from "vitest";
import { createEpisode, publishDueEpisodes, updateEpisode } from "#worker/episodes/commands.ts";
import type { EpisodeChange, NewEpisode } from "#worker/episodes/contract.ts";
import { findOtherWithAudio } from "#worker/episodes/duplicate-audio.ts";
import { checkEpisode } from "#worker/episodes/publish-check.ts";
import { jobContext, ownerContext, signedIn } from "./support/client.ts";
import { anEpisode, publishedEpisode, storedAudio } from "./support/factories.ts";
import { plansOf } from "./support/plans.ts";

const owner = await signedIn("editor");
const DAY = 86_400_000;
const tomorrow = () => Date.now() + DAY;

/** An episode that is published, and its audio. */
async function first() {
  const { id, title, audioFileId } = await publishedEpisode();
  return { id, title, audioFileId: audioFileId! };
}

const create = (json: NewEpisode) => owner.api.episodes.$post({ json });
const update = (id: number, json: EpisodeChange) =>
  owner.api.episodes[":id"].$patch({ param: { id: String(id) }, json });
const saved = async (values: Partial<NewEpisode> = {}) =>
  (await createEpisode(ownerContext(), anEpisode(values))).id;

type Answer = { ok: boolean; status: number; json(): Promise<unknown> };
type Way = (audioFileId: string, confirmed: { allowDuplicateAudio?: boolean }) => Promise<Answer>;

/** Every way by which an episode gets public, or its audio another. */
const ways: Record<string, Way> = {
  "created as published": (audioFileId, confirmed) =>
    create(anEpisode({ status: "published", audioFileId, ...confirmed })),
  "created as scheduled": (audioFileId, confirmed) =>
    create(anEpisode({ status: "scheduled", scheduledFor: tomorrow(), audioFileId, ...confirmed })),
  "a draft that is published": async (audioFileId, confirmed) =>
    update(await saved({ audioFileId }), { status: "published", ...confirmed }),
  "a draft that is scheduled": async (audioFileId, confirmed) =>
    update(await saved({ audioFileId }), { status: "scheduled", scheduledFor: tomorrow(), ...confirmed }),
  "an archived one that is published again": async (audioFileId, confirmed) =>
    update(await saved({ status: "archived", audioFileId }), { status: "published", ...confirmed }),
  "a published one that gets the audio": async (audioFileId, confirmed) =>
    update(await saved({ status: "published" }), { audioFileId, ...confirmed }),
  "a scheduled one that gets it": async (audioFileId, confirmed) =>
    update(await saved({ status: "scheduled", scheduledFor: tomorrow() }), { audioFileId, ...confirmed }),
  "one that gets it and is published": async (audioFileId, confirmed) =>
    update(await saved(), { status: "published", audioFileId, ...confirmed }),
};

describe("two public episodes with one audio are refused, unless that is confirmed", () => {
  test.each(Object.entries(ways))("%s", async (_name, way) => {
    const { title, audioFileId } = await first();
    const refused = await way(audioFileId, {});
    expect(refused.status).toBe(409);
    expect(await refused.json()).toEqual({
      error: {
        code: "conflict",
        message: `“${title}” has the same audio; apps would ignore one of them.`,
        field: "audioFileId",
      },
    });
    expect((await way(audioFileId, { allowDuplicateAudio: false })).status).toBe(409);
    expect((await way(audioFileId, { allowDuplicateAudio: true })).ok).toBe(true);
  });

  test("also if the other one is scheduled", async () => {
    const audioFileId = (await storedAudio()).id;
    await saved({ status: "scheduled", scheduledFor: tomorrow(), audioFileId });
    expect((await create(anEpisode({ status: "published", audioFileId }))).status).toBe(409);
  });
});

/** A file that is as long as another upload, in bytes and in seconds. */
const upload = async (durationSeconds: number | null, more = {}) =>
  (await storedAudio({ durationSeconds, ...more })).id;

describe("a second upload of one recording", () => {
  test("is refused unless that is confirmed, and named by the publish check", async () => {
    const { title } = await publishedEpisode({ audioFileId: await upload(700.25) });
    const episode = anEpisode({ status: "published", audioFileId: await upload(700.25) });
    const message = `“${title}” may have the same audio: its file has the same size and length. Apps would list it twice.`;
    const { problems } = await (await owner.api.episodes.check.$post({ json: { episode } })).json();
    const field = "audioFileId";
    expect(problems).toContainEqual({ level: "error", field, message, confirms: "allowDuplicateAudio" });
    const refused = await create(episode);
    expect(refused.status).toBe(409);
    expect(await refused.json()).toEqual({ error: { code: "conflict", message, field } });
    expect((await create({ ...episode, allowDuplicateAudio: true })).status).toBe(201);
  });

  test("matters less than an episode with the file itself", async () => {
    await publishedEpisode({ audioFileId: await upload(701) });
    const audioFileId = await upload(701);
    const { title } = await publishedEpisode({ audioFileId });
    const said = await checkEpisode(ownerContext(), { episode: anEpisode({ audioFileId }) });
    expect(said).toContainEqual(
      expect.objectContaining({
        message: `“${title}” has the same audio; apps would ignore one of them.`,
      }),
    );
  });

  test.each([
    ["another length", 702, 702.001, {}],
    ["another size", 703, 703, { size: 2049 }],
    ["another type", 704, 704, { type: "audio/aac" }],
    ["an unknown length", null, null, {}],
  ])("is not reported if the file has %s", async (_what, one, other, more) => {
    await publishedEpisode({ audioFileId: await upload(one) });
    const audioFileId = await upload(other, more);
    expect((await create(anEpisode({ status: "published", audioFileId }))).status).toBe(201);
  });

  test("is not reported for an empty file", async () => {
    await publishedEpisode({ audioFileId: await upload(705, { size: 0 }) });
    const audioFileId = await upload(705, { size: 0 });
    expect((await create(anEpisode({ status: "published", audioFileId }))).status).toBe(201);
  });

  test("is found by indexes", async () => {
    const plans = await plansOf((ctx) => findOtherWithAudio(ctx, 0, "a file", { isPublic: true }));
    expect(plans.join("; ")).toContain("files_recording (size=? AND duration_seconds=?)");
    expect(plans.join("; ")).not.toContain("SCAN");
  });
});

describe("it is not refused", () => {
  test("among drafts and archived ones", async () => {
    const { audioFileId } = await first();
    expect((await create(anEpisode({ audioFileId }))).status).toBe(201);
    expect((await create(anEpisode({ status: "archived", audioFileId }))).status).toBe(201);
    const other = (await storedAudio()).id;
    await saved({ audioFileId: other });
    expect((await create(anEpisode({ status: "published", audioFileId: other }))).status).toBe(201);
  });

  test("where it was confirmed before, whatever else changes", async () => {
    const { audioFileId } = await first();
    const scheduledFor = tomorrow();
    const id = await saved({ status: "scheduled", scheduledFor, audioFileId, allowDuplicateAudio: true });
    expect((await update(id, { title: "Renamed" })).status).toBe(200);
    expect((await update(id, { status: "published" })).status).toBe(200);
    expect((await update(id, { audioFileId })).status).toBe(200);
    await updateEpisode(ownerContext(), id, { status: "draft" });
    expect((await update(id, { status: "published" })).status).toBe(409);
  });

  test("an episode is not its own double, nor are two without audio", async () => {
    const { id, audioFileId } = await first();
    expect((await update(id, { status: "archived" })).status).toBe(200);
    expect((await update(id, { status: "published", audioFileId })).status).toBe(200);
    expect((await create(anEpisode({ status: "published" }))).status).toBe(201);
    expect((await create(anEpisode({ status: "published" }))).status).toBe(201);
  });

  test("when it is due", async () => {
    const { audioFileId } = await first();
    const scheduledFor = tomorrow();
    const id = await saved({ status: "scheduled", scheduledFor, audioFileId, allowDuplicateAudio: true });
    await publishDueEpisodes(jobContext({ now: new Date(scheduledFor + 1) }));
    const answer = await owner.api.episodes[":id"].$get({ param: { id: String(id) } });
    expect(await answer.json()).toMatchObject({ values: { status: "published", audioFileId } });
  });
});
