import { and, asc, eq, isNull } from "drizzle-orm";
import { afterEach, beforeEach, describe, expect, inject, it, vi } from "vitest";
import { createEpisode, deleteEpisode, updateEpisode } from "#worker/episodes/commands.ts";
import { readEpisodeForEdit } from "#worker/episodes/owner-queries.ts";
import { shows } from "#worker/episodes/table.ts";
import type { Context } from "#worker/platform/context.ts";
import { outbox } from "#worker/platform/table.ts";
import { CLAIM_MS } from "#worker/platform/work/leases.ts";
import { deliverOutbox, sweepOutbox } from "#worker/platform/work/outbox.ts";
import { updateSite } from "#worker/settings/commands.ts";
import { siteDefaults, type Site } from "#worker/settings/contract.ts";
import {
  acceptTranscription,
  changeTranscriptionKey,
  continueTranscription,
  discardTranscription,
  startTranscription,
} from "#worker/transcription/commands.ts";
import { readTranscription, readTranscriptionDraft } from "#worker/transcription/queries.ts";
import { readWhisper } from "#worker/transcription/read-answer.ts";
import { transcriptionKeys, transcriptionPieces, transcriptions } from "#worker/transcription/table.ts";
import { takeStep, TRANSCRIPTION_TOPIC } from "#worker/transcription/transcribe-step.ts";
import { jobContext, ownerContext } from "./support/client.ts";
import { anEpisode, savedShow, storedAudio, unique } from "./support/factories.ts";
import { killedAfter } from "./support/killed.ts";
import { spokenRecording } from "./support/spoken-recording.ts";

const server = `http://127.0.0.1:${inject("transcription")}`;
const MINUTE = 60_000;
/** The queue's messages are dropped: each test works through the rows itself. */
const jobs = { send: async () => ({}) as never, sendBatch: async () => ({}) as never };
const local = (ctx: Context) => ({ ...ctx, jobs, config: { ...ctx.config, loopback: true } });
const owner = (options: Partial<Context> = {}) => local(ownerContext(options));
/** The time of the queue, which a test moves on. */
let now = Date.now();
const job = () => local(jobContext({ now: new Date(now) }));

/** A model of its own tells the requests of one test from those of others. */
async function set(mode: string, changes: Partial<Site["transcription"]> = {}) {
  const model = `model-${unique()}`;
  const transcription = {
    ...siteDefaults.transcription,
    service: "server" as const,
    url: `${server}/${mode}`,
  };
  await updateSite(owner(), { transcription: { ...transcription, model, ...changes } });
  return model;
}

async function recorded(seconds: number, overrides: Parameters<typeof anEpisode>[0] = {}) {
  const audio = await storedAudio({ bytes: spokenRecording(seconds), durationSeconds: seconds });
  const { id } = await createEpisode(owner(), anEpisode({ audioFileId: audio.id, ...overrides }));
  return id;
}

const asked = async (model: string) =>
  (await (await fetch(`${server}/asked?model=${model}`)).json()) as {
    language: string | null;
    stretch: [number, number];
  }[];

/** The row of the next step. */
async function openRow() {
  const [row] = await openRows();
  now = Math.max(now, row!.notBefore.getTime());
  return row!;
}

const openRows = () =>
  job()
    .db.select({ id: outbox.id, notBefore: outbox.notBefore })
    .from(outbox)
    .where(and(eq(outbox.topic, TRANSCRIPTION_TOPIC), isNull(outbox.doneAt), isNull(outbox.failedAt)));

/** Delivers what is due, and what follows; moves the time on to what waits. */
async function workThrough(episode: number, bound = (ctx: Context) => ctx) {
  for (let turns = 0; turns < 200; turns++) {
    const { transcription } = await readTranscription(owner(), episode);
    if (transcription?.state !== "running") return transcription;
    const rows = await openRows();
    const next = Math.min(...rows.map(({ notBefore }) => notBefore.getTime()));
    now = Math.max(now, next);
    for (const { id } of rows) await deliverOutbox(bound(job()), id, { [TRANSCRIPTION_TOPIC]: takeStep });
  }
  throw new Error("It does not end.");
}

const wordsOf = async (episode: number) => {
  const rows = await job()
    .db.select({ words: transcriptionPieces.words })
    .from(transcriptionPieces)
    .innerJoin(transcriptions, eq(transcriptions.id, transcriptionPieces.transcriptionId))
    .where(eq(transcriptions.episodeId, episode))
    .orderBy(asc(transcriptionPieces.number));
  return rows;
};

beforeEach(async () => {
  now = Date.now();
  await job().db.delete(outbox);
  await savedShow({ language: "en-AU", people: [] });
});

afterEach(() => vi.restoreAllMocks());

/** Starts and ends of the cues of a WebVTT, and all of its words. */
function readVtt(vtt: string) {
  const seconds = (clock: string) => clock.split(":").reduce((sum, part) => sum * 60 + Number(part), 0);
  const cues = [...vtt.matchAll(/^([\d:.]+) --> ([\d:.]+)\n(.*)$/gm)].map(([, start, end, text]) => ({
    start: seconds(start!),
    end: seconds(end!),
    text: text!,
  }));
  return { cues, words: cues.flatMap(({ text }) => text.split(" ")) };
}

describe("a recording of 60 minutes", () => {
  it("has each word once and within 50 ms of a run over the whole, also with two kills", async () => {
    const model = await set("ok");
    const episode = await recorded(3600);
    const before = (await readEpisodeForEdit(owner(), episode)).values.transcript;
    const { estimate } = await readTranscription(owner(), episode);
    await startTranscription(owner(), episode, {});
    expect(estimate!.minutes).toBeCloseTo(62.5, 5);
    expect(estimate!.cost).toBeCloseTo(62.5 * 0.0005, 8);
    const step = async () => {
      const { id } = await openRow();
      return (ctx: Context) => deliverOutbox(ctx, id, { [TRANSCRIPTION_TOPIC]: takeStep });
    };
    for (const statements of [5, 7]) {
      for (let pieces = 0; pieces < 4; pieces++) await (await step())(job());
      const claimed = await step();
      expect(await killedAfter(statements, job(), claimed)).toBe(true);
      // While the claim lasts, no other consumer takes the step.
      const state = () =>
        job()
          .db.select({ step: transcriptions.step })
          .from(transcriptions)
          .where(eq(transcriptions.episodeId, episode));
      const atKill = await state();
      await claimed(job());
      expect(await state()).toEqual(atKill);
      now += CLAIM_MS + MINUTE;
    }
    const done = await workThrough(episode);
    expect(done).toMatchObject({
      state: "ready",
      missing: [],
      problem: null,
      model,
      service: new URL(server).host,
    });
    // The piece that was interrupted behind its request was sent twice.
    const requests = await asked(model);
    const sent = requests.reduce((sum, { stretch: [start, end] }) => sum + end - start, 0) / 60;
    expect(done!.minutes).toBeCloseTo(sent, 1);
    expect(done!.cost).toBeCloseTo(sent * 0.0005, 5);

    const form = new FormData();
    form.set("file", new Blob([spokenRecording(3600)]));
    form.set("model", "whole");
    const whole = await fetch(`${server}/ok/v1/audio/transcriptions`, { method: "POST", body: form });
    const expected = readWhisper(await whole.json()).words;
    expect(expected.length).toBeGreaterThan(5000);
    const { transcript } = await readTranscriptionDraft(owner(), episode);
    const { cues, words } = readVtt(transcript);
    expect(words).toEqual(expected.map(({ text }) => text));
    let at = 0;
    for (const cue of cues) {
      const count = cue.text.split(" ").length;
      expect(Math.abs(cue.start - expected[at]!.start)).toBeLessThan(0.05);
      at += count;
      expect(Math.abs(cue.end - expected[at - 1]!.end)).toBeLessThan(0.05);
    }
    // The times of single words stay stored, too.
    const byText = new Map(expected.map((word) => [word.text, word]));
    for (const { words: packed } of await wordsOf(episode)) {
      for (const [start, end, text] of packed!) {
        const word = byText.get(text);
        // Edges cut words.
        if (!word || text === "cut") continue;
        expect(Math.abs(start - word.start)).toBeLessThan(0.05);
        expect(Math.abs(end - word.end)).toBeLessThan(0.05);
      }
    }
    expect((await readEpisodeForEdit(owner(), episode)).values.transcript).toBe(before);
  });
});

describe("a transcription", () => {
  it("takes smaller pieces on the free plan, one a message", async () => {
    const model = await set("cpp");
    const episode = await recorded(300);
    const free = (ctx: Context) => ({ ...ctx, config: { ...ctx.config, plan: "free" as const } });
    const { estimate } = await readTranscription(free(owner()), episode);
    await startTranscription(free(owner()), episode, {});
    expect(estimate!.minutes).toBeCloseTo(320 / 60, 5);
    for (let turns = 0; turns < 4; turns++) {
      const { id } = await openRow();
      await deliverOutbox(free(job()), id, { [TRANSCRIPTION_TOPIC]: takeStep });
    }
    expect(await asked(model)).toHaveLength(3);
    expect((await readTranscription(owner(), episode)).transcription).toMatchObject({
      state: "ready",
      missing: [],
    });
  });

  it("by Workers AI has its voices, and waits for capacity", async () => {
    vi.spyOn(console, "error").mockImplementation(() => {});
    const model = "@cf/deepgram/nova-3";
    await set("ok", { service: "workers-ai", url: "", model });
    const run = async (
      name: string,
      { audio }: { audio?: { body: ReadableStream; contentType: string } },
    ) => {
      expect(audio!.contentType).toBe("audio/mpeg");
      const form = new FormData();
      form.set("file", await new Response(audio!.body).blob());
      form.set("model", name);
      const answer = await fetch(`${server}/deepgram/v1/audio/transcriptions`, {
        method: "POST",
        body: form,
      });
      if (!answer.ok) throw new Error(await answer.text());
      return answer.json();
    };
    const bound = (ctx: Context) => ({ ...ctx, ai: { run: run as NonNullable<Context["ai"]>["run"] } });
    const episode = await recorded(600);
    await startTranscription(bound(owner()), episode, {});
    const start = now;
    expect(await workThrough(episode, bound)).toMatchObject({
      state: "ready",
      missing: [],
      service: "Workers AI",
      model,
    });
    expect(now - start).toBeGreaterThanOrEqual(MINUTE);
    const { cues } = readVtt((await readTranscriptionDraft(owner(), episode)).transcript);
    const said = cues.map(({ text }) => /^<v Speaker ([12])>(.*)<\/v>$/.exec(text)!.slice(1));
    const words = said.flatMap(([voice, text]) => text!.split(" ").map((word) => [voice, word]));
    expect(words).toEqual(
      words.map((_, n) => [String((Math.floor(n / 12) % 2) + 1), `word${n}${n % 12 === 11 ? "." : ""}`]),
    );
  });

  it("asks for the show’s language, or for none", async () => {
    const model = await set("ok");
    for (const [language, expected] of [
      ["show", "en"],
      ["detect", null],
    ] as const) {
      const episode = await recorded(20);
      await startTranscription(owner(), episode, { language });
      await workThrough(episode);
      expect((await asked(model)).at(-1)!.language).toBe(expected);
    }
  });

  it("names another language than the show’s, of an hour, and the transcript stays", async () => {
    await set("german");
    const episode = await recorded(3600, { transcript: "Ann: Hello." });
    await startTranscription(owner(), episode, {});
    expect(await workThrough(episode)).toMatchObject({
      state: "ready",
      heard: "german",
      isOtherLanguage: true,
    });
    expect((await readEpisodeForEdit(owner(), episode)).values.transcript).toBe("Ann: Hello.");
  });

  it.each([
    ["429", "busy", 30_000],
    ["503 without a time", "capacity", MINUTE],
  ])("waits while the service is busy: %s", async (_, mode, least) => {
    vi.spyOn(console, "error").mockImplementation(() => {});
    await set(mode);
    const episode = await recorded(400);
    await startTranscription(owner(), episode, {});
    const start = now;
    const done = await workThrough(episode);
    expect(done).toMatchObject({ state: "ready", missing: [], problem: null });
    expect(now - start).toBeGreaterThanOrEqual(least);
    // A refusal is not counted: 400 s, and what the two pieces overlap.
    expect(done!.minutes).toBeCloseTo(410 / 60, 1);
  });

  it("continues after a failed piece, names its minutes, and sends it again on request", async () => {
    vi.spyOn(console, "error").mockImplementation(() => {});
    const model = await set("patchy");
    const episode = await recorded(900);
    await startTranscription(owner(), episode, {});
    const done = await workThrough(episode);
    expect(done).toMatchObject({ state: "ready", problem: null });
    expect(done!.missing).toHaveLength(1);
    const [start, end] = done!.missing[0]!;
    expect([Math.round(start), Math.round(end)]).toEqual([240, 460]);
    const words = readVtt((await readTranscriptionDraft(owner(), episode)).transcript).words;
    await continueTranscription(owner(), episode);
    expect(await workThrough(episode)).toMatchObject({ state: "ready", missing: [] });
    // The recording ends within a word.
    const all = readVtt((await readTranscriptionDraft(owner(), episode)).transcript).words.slice(0, -1);
    expect(all.length).toBeGreaterThan(words.length);
    expect(all).toEqual(Array.from(all, (_, n) => `word${n}${n % 12 === 11 ? "." : ""}`));
    expect(await asked(model)).toHaveLength(7);
    await expect(continueTranscription(owner(), episode)).rejects.toMatchObject({ code: "conflict" });
  });

  it.each([
    ["an error", "broken", /error \(500\): CUDA out of memory/],
    ["a web page", "html", /web page instead of a transcript/],
    ["half an answer", "half", /only a part of a transcript/],
    ["impossible times", "nonsense", /times make no sense/],
  ])("stops with a message after %s, and the transcript stays", async (_, mode, message) => {
    vi.spyOn(console, "error").mockImplementation(() => {});
    const model = await set(mode);
    const transcript = "Ann: Hello.";
    const episode = await recorded(400, { transcript });
    await startTranscription(owner(), episode, {});
    const { id } = await openRow();
    await deliverOutbox(job(), id, { [TRANSCRIPTION_TOPIC]: takeStep });
    const waiting = (await readTranscription(owner(), episode)).transcription!;
    expect(waiting).toMatchObject({ state: "running", problem: expect.stringMatching(message) });
    expect(waiting.retryAt).toBe(now + MINUTE);
    expect(await workThrough(episode)).toMatchObject({
      state: "stopped",
      problem: expect.stringMatching(message),
    });
    expect(await asked(model)).toHaveLength(3);
    expect((await readEpisodeForEdit(owner(), episode)).values.transcript).toBe(transcript);
    await set("ok", { model });
    await continueTranscription(owner(), episode);
    expect(await workThrough(episode)).toMatchObject({ state: "ready", problem: null });
  });

  it("ends with a message when the server says nothing for 30 seconds, and the transcript stays", async () => {
    vi.spyOn(console, "error").mockImplementation(() => {});
    await set("hang", { waitSeconds: 30 });
    const timeout = AbortSignal.timeout.bind(AbortSignal);
    // A thousand times as fast.
    const wait = vi
      .spyOn(AbortSignal, "timeout")
      .mockImplementation((milliseconds) => timeout(milliseconds / 1000));
    const episode = await recorded(20, { transcript: "Ann: Hello." });
    await startTranscription(owner(), episode, {});
    expect(await workThrough(episode)).toMatchObject({
      state: "stopped",
      problem: "The model didn’t answer within 30 seconds.",
    });
    expect(wait).toHaveBeenCalledWith(30_000);
    expect((await readEpisodeForEdit(owner(), episode)).values.transcript).toBe("Ann: Hello.");
  });

  it.each([
    ["no times", "plain", /no times/],
    ["a refused key", "key", /refused the key \(401\)/],
    ["no such address", "nowhere", /no transcriptions at this address/],
  ])("stops at the first request that the settings spoil: %s", async (_, mode, message) => {
    await set(mode);
    const episode = await recorded(400);
    await startTranscription(owner(), episode, {});
    const stopped = await workThrough(episode);
    expect(stopped).toMatchObject({ state: "stopped", problem: expect.stringMatching(message) });
  });

  it.each(["silent", "music"])(
    "has no words of a recording that is %s, and the transcript stays",
    async (mode) => {
      await set(mode);
      const episode = await recorded(400, { transcript: "Ann: Hello." });
      await startTranscription(owner(), episode, {});
      expect(await workThrough(episode)).toMatchObject({
        state: "ready",
        hasWords: false,
        problem: "No words were heard. The recording may be silent, or music alone.",
      });
      await expect(readTranscriptionDraft(owner(), episode)).rejects.toMatchObject({ code: "not_found" });
      expect((await readEpisodeForEdit(owner(), episode)).values.transcript).toBe("Ann: Hello.");
    },
  );

  it("stops if the recording is replaced, cannot be cut or is no longer stored", async () => {
    await set("ok");
    const replaced = await recorded(20);
    await startTranscription(owner(), replaced, {});
    const other = await storedAudio({ bytes: spokenRecording(30), durationSeconds: 30 });
    await updateEpisode(owner(), replaced, { audioFileId: other.id });
    expect(await workThrough(replaced)).toMatchObject({ state: "stopped", isOfFormer: true });

    const audio = await storedAudio({ type: "audio/x-unknown", bytes: new Uint8Array(13_000_000) });
    const { id: uncut } = await createEpisode(owner(), anEpisode({ audioFileId: null }));
    await job().db.run(`update episodes set audio_file_id = '${audio.id}' where id = ${uncut}`);
    await startTranscription(owner(), uncut, {});
    expect(await workThrough(uncut)).toMatchObject({
      state: "stopped",
      problem: expect.stringMatching(/can’t be cut/),
    });

    const lost = await recorded(20);
    const [{ recording }] = (await startTranscription(owner(), lost, {}).then(() =>
      job().db.select().from(transcriptions).where(eq(transcriptions.episodeId, lost)),
    )) as [{ recording: string }];
    await job().db.run(`update files set status = 'uploading' where id = '${recording}'`);
    expect(await workThrough(lost)).toMatchObject({
      state: "stopped",
      problem: "The recording is no longer stored.",
    });
  });

  it("does nothing more once it is discarded, and ends with its episode", async () => {
    const model = await set("ok");
    const episode = await recorded(400);
    await startTranscription(owner(), episode, {});
    const { id } = await openRow();
    await deliverOutbox(job(), id, { [TRANSCRIPTION_TOPIC]: takeStep });
    await discardTranscription(owner(), episode);
    for (const row of await openRows())
      await deliverOutbox(job(), row.id, { [TRANSCRIPTION_TOPIC]: takeStep });
    expect(await asked(model)).toHaveLength(1);
    expect((await readTranscription(owner(), episode)).transcription).toBeNull();
    await expect(discardTranscription(owner(), episode)).rejects.toMatchObject({ code: "not_found" });

    await startTranscription(owner(), episode, {});
    await deleteEpisode(owner(), episode);
    for (const row of await openRows())
      await deliverOutbox(job(), row.id, { [TRANSCRIPTION_TOPIC]: takeStep });
    expect(await asked(model)).toHaveLength(1);
  });

  it("is sent by the sweep if the queue lost its message", async () => {
    await set("ok");
    const episode = await recorded(20);
    await startTranscription(owner(), episode, {});
    const sent: string[] = [];
    const sendBatch = async (messages: Iterable<{ body: { id: string } }>) => {
      for (const { body } of messages) sent.push(body.id);
      return {} as never;
    };
    now += MINUTE;
    await sweepOutbox({ ...job(), jobs: { ...jobs, sendBatch } }, {});
    expect(sent).toEqual((await openRows()).map(({ id }) => id));
  });

  it("is refused without a recording, twice, and while it is switched off", async () => {
    await set("ok");
    const { id } = await createEpisode(owner(), anEpisode());
    await expect(startTranscription(owner(), id, {})).rejects.toMatchObject({
      message: "Add a recording to the episode and save it first.",
    });
    const episode = await recorded(20);
    await startTranscription(owner(), episode, {});
    await expect(startTranscription(owner(), episode, {})).rejects.toMatchObject({
      message: "This recording is being transcribed already.",
    });
    await set("ok", { service: "off" });
    await expect(startTranscription(owner(), episode, {})).rejects.toMatchObject({
      message: "Transcripts are switched off in the settings.",
    });
    await set("ok", { service: "workers-ai" });
    await expect(startTranscription(owner(), episode, {})).rejects.toMatchObject({ message: /binding AI/ });
    await expect(startTranscription(owner(), 999_999, {})).rejects.toMatchObject({ code: "not_found" });
  });

  it("counts towards the 20 a day of an episode once it begins, not if it is refused", async () => {
    await set("ok");
    const episode = await recorded(20);
    for (let starts = 0; starts < 20; starts++) {
      await startTranscription(owner(), episode, {});
      await expect(startTranscription(owner(), episode, {})).rejects.toMatchObject({ code: "conflict" });
      await expect(continueTranscription(owner(), episode)).rejects.toMatchObject({ code: "conflict" });
      await discardTranscription(owner(), episode);
    }
    await expect(startTranscription(owner(), episode, {})).rejects.toMatchObject({ code: "too_many" });
  });
});

describe("each new recording", () => {
  it("is transcribed where the owner wants it, unless the episode has a transcript", async () => {
    await set("ok", { eachRecording: true });
    const state = async (id: number) => (await readTranscription(owner(), id)).transcription?.state;
    expect(await state(await recorded(20))).toBe("running");
    expect(await state(await recorded(20, { transcript: "Ann: Hello." }))).toBeUndefined();
    const { id } = await createEpisode(owner(), anEpisode());
    const audio = await storedAudio({ bytes: spokenRecording(20), durationSeconds: 20 });
    await updateEpisode(owner(), id, { audioFileId: audio.id });
    expect(await state(id)).toBe("running");
    // Not those of an import.
    const other = await storedAudio({ bytes: spokenRecording(20), durationSeconds: 20 });
    expect(
      await state((await createEpisode(job(), anEpisode({ audioFileId: other.id }))).id),
    ).toBeUndefined();
    await set("ok");
    expect(await state(await recorded(20))).toBeUndefined();
  });
});

describe("a proposal", () => {
  it("is accepted with the names of its voices, which are saved for the show", async () => {
    await set("ok");
    const people = [{ name: "Maren Oduya", role: "guest", group: "cast", href: null }];
    const episode = await recorded(20, { people });
    await startTranscription(owner(), episode, {});
    await expect(acceptTranscription(owner(), episode, {})).rejects.toMatchObject({ code: "not_found" });
    await workThrough(episode);
    expect(await readTranscriptionDraft(owner(), episode)).toMatchObject({
      names: expect.arrayContaining(["Maren Oduya"]),
    });
    await acceptTranscription(owner(), episode, {
      voices: ["Imogen Tarrant", "Maren Oduya"],
    });
    expect((await readTranscription(owner(), episode)).transcription).toMatchObject({
      state: "accepted",
      acceptedAt: expect.any(Number),
    });
    expect(await readTranscriptionDraft(owner(), episode)).toMatchObject({
      saved: ["Imogen Tarrant", "Maren Oduya"],
    });
    // Without names, the saved ones stay.
    await acceptTranscription(owner(), episode, {});
    const [show] = await job().db.select({ voices: shows.voices }).from(shows);
    expect(show!.voices).toEqual(["Imogen Tarrant", "Maren Oduya"]);
  });
});

describe("the server’s key", () => {
  it("is stored encrypted, sent to the server, and removed", async () => {
    await set("key");
    const keyed = (ctx: Context) => ({ ...ctx, config: { ...ctx.config, keySecrets: ["k".repeat(40)] } });
    expect(await changeTranscriptionKey(keyed(owner()), { key: "the-key" })).toEqual({ hasKey: true });
    const [row] = await job().db.select().from(transcriptionKeys);
    expect(row!.secret).toMatch(/^sealed:/);
    const episode = await recorded(20);
    await startTranscription(owner(), episode, {});
    const { id } = await openRow();
    await deliverOutbox(keyed(job()), id, { [TRANSCRIPTION_TOPIC]: takeStep });
    expect((await readTranscription(owner(), episode)).transcription!.problem).toBeNull();
    // Another KEY_SECRET cannot read it.
    const second = await recorded(20);
    await startTranscription(owner(), second, {});
    await workThrough(second);
    expect((await readTranscription(owner(), second)).transcription!.problem).toMatch(/Enter it again/);
    expect(await changeTranscriptionKey(owner(), { key: "" })).toEqual({ hasKey: false });
    expect(await job().db.select().from(transcriptionKeys)).toEqual([]);
  });

  it("is sent to no server but the one that it was entered for", async () => {
    await set("key");
    await changeTranscriptionKey(owner(), { key: "the-key" });
    const elsewhere = await set("ok", { url: `${server.replace("127.0.0.1", "localhost")}/ok` });
    const episode = await recorded(20);
    await startTranscription(owner(), episode, {});
    expect(await workThrough(episode)).toMatchObject({
      state: "stopped",
      problem: "The key was entered for another server. Enter this one’s in the settings, or remove it.",
    });
    expect(await asked(elsewhere)).toEqual([]);
    const own = await set("key");
    const second = await recorded(20);
    await startTranscription(owner(), second, {});
    expect(await workThrough(second)).toMatchObject({ state: "ready" });
    expect(await asked(own)).toHaveLength(1);
    await changeTranscriptionKey(owner(), { key: "" });
  });

  it("is not in the message about an answer that repeats it", async () => {
    await set("echo");
    await changeTranscriptionKey(owner(), { key: "the-secret-key" });
    const episode = await recorded(20);
    await startTranscription(owner(), episode, {});
    const { id } = await openRow();
    await deliverOutbox(job(), id, { [TRANSCRIPTION_TOPIC]: takeStep });
    expect((await readTranscription(owner(), episode)).transcription!.problem).toBe(
      "The service answered with an error (400): No account has Bearer ….",
    );
    await changeTranscriptionKey(owner(), { key: "" });
  });

  it("is refused as long as no server is named that it is for", async () => {
    await updateSite(owner(), { transcription: siteDefaults.transcription });
    await expect(changeTranscriptionKey(owner(), { key: "x" })).rejects.toMatchObject({
      field: "key",
      message: "Save the address of the server first: the key is for it alone.",
    });
  });

  it("and the server’s address need a recent proof, and are in the security log", async () => {
    const late = owner({ actor: { ...owner().actor, authenticatedAt: new Date(0) } as Context["actor"] });
    const refusal = { code: "reauthentication_required" };
    await expect(changeTranscriptionKey(late, { key: "x" })).rejects.toMatchObject(refusal);
    const transcription = {
      ...siteDefaults.transcription,
      service: "server" as const,
      url: `${server}/other`,
    };
    await expect(updateSite(late, { transcription })).rejects.toMatchObject(refusal);
    await updateSite(owner(), { transcription });
    await changeTranscriptionKey(owner(), { key: "x" });
    await changeTranscriptionKey(owner(), { key: "" });
    const events = await job().db.all<{ kind: string; detail: string }>(
      "select kind, detail from security_events where kind like 'transcription%' order by id desc limit 3",
    );
    expect(events).toMatchObject([
      { kind: "transcription_key_changed", detail: "removed" },
      { kind: "transcription_key_changed", detail: "changed" },
      { kind: "transcription_changed", detail: `${server}/other, @cf/openai/whisper-large-v3-turbo` },
    ]);
  });

  it.each([
    ["a private address", "https://10.0.0.1/", /private/],
    ["an unencrypted one", "http://models.example.org/", /https/],
    ["a password", "https://a:b@models.example.org/", /password/],
    ["none", "", /Enter the address/],
  ])("is sent to no other address: %s", async (_, url, message) => {
    const transcription = { ...siteDefaults.transcription, service: "server" as const, url };
    await expect(updateSite(ownerContext(), { transcription })).rejects.toMatchObject({
      field: "transcription.url",
      message: expect.stringMatching(message),
    });
  });
});
