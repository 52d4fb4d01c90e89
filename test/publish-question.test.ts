import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { confirmationOf } from "#site/admin/publishing/publish/decision.ts";
import { saveEpisode } from "#site/admin/podcast/save.ts";
import { api, readJson } from "#site/api.ts";
import { createEpisode } from "#worker/episodes/commands.ts";
import { fetchSite, ownerContext, signedIn } from "./support/client.ts";
import { anEpisode, savedShow, storedAudio, storedImage, unique } from "./support/factories.ts";

const { cookie } = await signedIn("editor");

/** The form's calls, carried to the running Worker. */
let calls: string[];
beforeEach(() => {
  calls = [];
  vi.spyOn(globalThis, "fetch").mockImplementation((input, init) => {
    calls.push(String(input));
    const headers = new Headers(init?.headers);
    headers.set("cookie", cookie);
    return fetchSite(String(input), { ...init, headers });
  });
});
afterEach(() => void vi.restoreAllMocks());

function aForm(values: Record<string, string> = {}) {
  const form = new FormData();
  const number = unique();
  const fields = {
    intent: "save",
    savedStatus: "draft",
    title: `A question ${number}`,
    status: "published",
    seasonNumber: "1",
    episodeNumber: String(number),
    episodeType: "full",
    durationMinutes: "1",
    scheduledFor: "",
    ...values,
  };
  for (const [name, value] of Object.entries(fields)) form.append(name, value);
  return form;
}

/** Whether the form was sent on, and what its owner is asked otherwise. */
async function save(form: FormData, id?: number) {
  const send = vi.fn(async () => "Saved.");
  const answer = await saveEpisode(form, send, id);
  const problems = "data" in answer && "problems" in answer.data ? answer.data.problems : [];
  return { isSent: send.mock.calls.length > 0, problems, answer };
}

const tomorrow = () => String(Date.now() + 86_400_000);

describe("before an episode is published, its owner", () => {
  test("is asked about data that apps would miss, and nothing is sent", async () => {
    for (const form of [aForm(), aForm({ status: "scheduled", scheduledFor: tomorrow() })]) {
      const { isSent, problems, answer } = await save(form);
      expect(isSent).toBe(false);
      expect(problems).toContainEqual(expect.objectContaining({ level: "error", field: "audioFileId" }));
      // The form is unchanged: no loader runs after a 422.
      expect(answer).toMatchObject({ init: { status: 422 } });
    }
  });

  test("is not asked twice", async () => {
    expect(await save(aForm({ checked: "yes" }))).toMatchObject({ isSent: true, problems: [] });
    expect(calls).toEqual([]);
    expect(await save(aForm({ overwrite: "yes" }))).toMatchObject({ isSent: false });
  });

  test("is not asked when its visibility is unchanged", async () => {
    for (const status of ["published", "draft", "archived"]) {
      expect(await save(aForm({ status, savedStatus: status }))).toMatchObject({ isSent: true });
    }
    expect(await save(aForm({ status: "draft", savedStatus: "published" }))).toMatchObject({ isSent: true });
    expect(calls).toEqual([]);
  });

  test("is asked again when it was scheduled and is published now", async () => {
    expect(await save(aForm({ savedStatus: "scheduled" }))).toMatchObject({ isSent: false });
  });

  test("is not asked without findings, and the episode is not its own duplicate", async () => {
    await savedShow({ artworkFileId: (await storedImage()).id });
    const files = { audioFileId: (await storedAudio()).id, imageFileId: (await storedImage()).id };
    const transcript = "WEBVTT\n\n00:00:01.000 --> 00:00:02.000\nHello\n";
    const values = { ...files, transcript, imageAlt: "A hill at dusk", description: "What it is about." };
    const { id } = await createEpisode(ownerContext(), anEpisode(values));
    expect(await save(aForm(values), id)).toMatchObject({ isSent: true, problems: [] });
    expect(calls).toHaveLength(1);
    expect((await save(aForm(values))).problems).toContainEqual(
      expect.objectContaining({ field: "audioFileId" }),
    );
  });

  test("confirms an audio that another episode has, and nothing that was not read", async () => {
    await savedShow({ artworkFileId: (await storedImage()).id });
    const audioFileId = (await storedAudio()).id;
    await createEpisode(ownerContext(), anEpisode({ status: "published", audioFileId }));
    const { problems } = await save(aForm({ audioFileId }));
    expect(confirmationOf(problems)).toBe("duplicate");
    expect(confirmationOf(problems.filter(({ field }) => field !== "audioFileId"))).toBe("yes");
    const send = vi.fn(async (_episode: object) => "Saved.");
    await saveEpisode(aForm({ audioFileId, checked: "duplicate" }), send);
    expect(send).toHaveBeenLastCalledWith(expect.objectContaining({ allowDuplicateAudio: true }));
    await saveEpisode(aForm({ audioFileId, checked: "yes" }), send);
    expect(send).toHaveBeenLastCalledWith(expect.not.objectContaining({ allowDuplicateAudio: true }));
  });

  test("is asked when the API refuses such an audio, also of one that was published before", async () => {
    const audioFileId = (await storedAudio()).id;
    await createEpisode(ownerContext(), anEpisode({ status: "published", audioFileId }));
    const { id } = await createEpisode(ownerContext(), anEpisode({ status: "published" }));
    const send = async (json: object) => {
      await readJson(api.episodes[":id"].$patch({ param: { id: String(id) }, json }));
      return "Saved.";
    };
    const values = { audioFileId, savedStatus: "published" };
    const answer = await saveEpisode(aForm(values), send, id);
    const problem = { level: "error", field: "audioFileId", confirms: "allowDuplicateAudio" };
    expect(answer).toMatchObject({ data: { problems: [problem] }, init: { status: 422 } });
    expect(await saveEpisode(aForm({ ...values, checked: "duplicate" }), send, id)).toMatchObject({
      errors: null,
    });
  });

  test("sees the form's own errors first", async () => {
    const { isSent, answer } = await save(aForm({ title: "" }));
    expect(isSent).toBe(false);
    expect(answer).toMatchObject({ data: { errors: { fields: { title: "Title is required" } } } });
    expect(calls).toEqual([]);
  });
});
