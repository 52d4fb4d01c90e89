import { execFile } from "node:child_process";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { and, asc, eq, isNotNull, isNull } from "drizzle-orm";
import { createEpisode } from "#worker/episodes/commands.ts";
import { files } from "#worker/files/table.ts";
import { createContext } from "#worker/platform/context.ts";
import { outbox } from "#worker/platform/table.ts";
import { updateSite } from "#worker/settings/commands.ts";
import { siteDefaults } from "#worker/settings/contract.ts";
import type { TranscriptionDraft, TranscriptionPanel } from "#worker/transcription/contract.ts";
import { transcriptionPieces, transcriptions } from "#worker/transcription/table.ts";
import { MINUTE } from "../../scripts/local.ts";
import { startBuiltSite } from "../support/built-site.ts";
import { startSphinxServer } from "../support/sphinx-server.ts";
import { numberSamples, spokenRecording, spokenWords } from "../support/spoken-recording.ts";
import { startTranscriptionServer } from "../support/transcription-server.ts";
import { pause } from "./client.ts";
import { readHeap } from "./memory.ts";
import { signInOwner } from "./site.ts";

/**
 * `npm run transcribe`, outside CI (Debian: `espeak-ng`, `ffmpeg`, `pocketsphinx`, `pocketsphinx-en-us`):
 *
 * 1. PocketSphinx recognises sentences of espeak-ng, of which one is where two pieces overlap. Each word has to be there once, at
 *    its time: that of the sentence, and nine of ten within 50 ms of what PocketSphinx hears in the whole recording.
 * 2. A recording of MINUTES (60) in an MP3 of 320 kbit/s, and in an M4A, by a server that knows what is said, while workerd is
 *    killed KILLS (2) times. Each word has to be there once, within 50 ms, in an isolate of less than 128 MB.
 */
const MINUTES = Number(process.env["MINUTES"] ?? 60);
const KILLS = Number(process.env["KILLS"] ?? 2);
const MOST_OFF = 0.05;
/** Seconds between the beginning of a sentence and that of its first word, as PocketSphinx hears it. */
const MOST_AFTER = 0.25;
const MOST_ISOLATE_MB = 128;
const STEP_MS = 300;
/** The local R2 takes no more in a request than some ten megabytes. */
const PART = 8 * 1024 * 1024;
const SAID = [
  "good morning and welcome to the show",
  "today we talk about water in the winter",
  "the doctor lived in a yellow house",
  "many people in the town remember the old bridge",
  "a storm destroyed the lighthouse",
  "they walked along the river every morning",
  "the train arrived late on monday evening",
  "we found a letter under the floor",
];
const NOT_SAID = [
  "the children learned to swim behind the school",
  "nobody knew who had built the tower",
  "in the summer the market opened at seven",
  "his brother repaired clocks and radios",
  "the garden was full of apples and roses",
  "her uncle sold bread to the soldiers",
  "they painted the windows green",
  "the teacher wrote a book about birds",
];
/** Seconds from one sentence to the next. The seventh is in the ten seconds that pieces of four minutes share. */
const SLOT = 38.5;

setTimeout(
  () => {
    console.error("Transcribe: it did not end.");
    process.exit(1);
  },
  600_000 + MINUTES * 60_000,
).unref();

const run = promisify(execFile);
const faults: string[] = [];
let site = await openSite();

const sphinx = await startSphinxServer([...SAID, ...NOT_SAID]);
const spoken = await recogniseSentences();
sphinx.stop();
const known = await startTranscriptionServer();
const mp3 = await transcribeLong("MP3", {
  bytes: spokenRecording(MINUTES * 60, 320),
  type: "audio/mpeg",
  name: "recording.mp3",
});
const m4a = await transcribeLong("M4A", {
  bytes: await spokenM4a(MINUTES * 60),
  type: "audio/mp4",
  name: "recording.m4a",
});
known.stop();
console.table(spoken);
console.table({ "MP3, 320 kbit/s": mp3, M4A: m4a });
for (const fault of faults) console.error(fault);
console.log(faults.length === 0 ? "Transcribe: no failure." : `Transcribe: ${faults.length} failures.`);
await Promise.race([site.stop(), pause(5000)]);
process.exit(faults.length === 0 ? 0 : 1);

async function recogniseSentences() {
  const seconds = SAID.length * SLOT;
  const bytes = await speak(SAID);
  const server = `http://127.0.0.1:${sphinx.port}`;
  const job = await transcribe({ bytes, type: "audio/mpeg", name: "spoken.mp3", seconds }, server, 0);
  const heard = readCues(job.draft.transcript).flatMap(({ text }) => text.split(" "));
  const said = SAID.join(" ").split(" ");
  if (heard.join(" ") !== said.join(" ")) faults.push(`PocketSphinx heard: ${heard.join(" ")}`);
  const form = new FormData();
  form.set("file", new Blob([bytes]));
  const answer = await fetch(`${server}/v1/audio/transcriptions`, { method: "POST", body: form });
  const { words: whole } = (await answer.json()) as { words: { word: string; start: number; end: number }[] };
  const stored = (await piecesOf(job.episode)).flatMap(({ words }) => words ?? []);
  for (const [start, end, text] of stored) console.log(`${start.toFixed(2)} ${end.toFixed(2)} ${text}`);
  // Of some words: the recogniser adapts to what it heard before.
  const offs = stored
    .map(([start, , text]) =>
      Math.min(...whole.filter(({ word }) => word === text).map((word) => Math.abs(word.start - start))),
    )
    .toSorted((a, b) => a - b);
  const off = offs[Math.floor(offs.length * 0.9)] ?? Infinity;
  if (off > MOST_OFF)
    faults.push(`Words are ${off} s off those that PocketSphinx hears in the whole recording.`);
  const first = SAID.map((sentence, at) => {
    const begins = stored.find(
      ([start, , text]) => text === sentence.split(" ")[0] && start >= at * SLOT && start < (at + 1) * SLOT,
    );
    return (begins?.[0] ?? Infinity) - at * SLOT;
  });
  if (Math.max(...first) > MOST_AFTER) faults.push(`A sentence is heard ${Math.max(...first)} s late.`);
  return {
    "words said": said.length,
    "words of PocketSphinx": heard.length,
    pieces: job.pieces,
    "milliseconds off the whole recording, nine words of ten": Math.round(off * 1000),
    "most milliseconds after a sentence’s beginning": Math.round(Math.max(...first) * 1000),
  };
}

/** An MP3 of sentences, one a slot. */
async function speak(sentences: string[]) {
  const folder = await mkdtemp(join(tmpdir(), "rostrum-speech-"));
  const paths: string[] = [];
  for (const sentence of sentences) {
    const [wav, path] = [join(folder, "a.wav"), join(folder, `${paths.length}.wav`)];
    await run("espeak-ng", ["-v", "en-us", "-s", "130", "-w", wav, sentence]);
    await run("ffmpeg", ["-v", "error", "-i", wav, "-af", `apad=whole_dur=${SLOT}`, path]);
    paths.push(path);
  }
  const [list, mp3File] = [join(folder, "list"), join(folder, "a.mp3")];
  await writeFile(list, paths.map((path) => `file ${path}`).join("\n"));
  await run("ffmpeg", ["-v", "error", "-f", "concat", "-safe", "0", "-i", list, "-b:a", "64k", mp3File]);
  const bytes = new Uint8Array(await readFile(mp3File));
  await rm(folder, { recursive: true });
  return bytes;
}

type Recording = { bytes: Uint8Array<ArrayBuffer>; type: string; name: string };

async function transcribeLong(format: string, recording: Recording) {
  const seconds = MINUTES * 60;
  const began = performance.now();
  const job = await transcribe({ ...recording, seconds }, `http://127.0.0.1:${known.port}/slow`, KILLS);
  const cues = readCues(job.draft.transcript);
  const found = cues.flatMap(({ text }) => text.split(" "));
  // The end cuts the last word, whose other half no model hears.
  const expected = spokenWords(seconds - 1);
  if (found.slice(0, expected.length).join(" ") !== expected.map(({ text }) => text).join(" "))
    faults.push(`${format}: ${found.length} words, but ${expected.length} were said.`);
  if (found.length > expected.length + 5) faults.push(`${format}: ${found.length} words are too many.`);
  const all = spokenWords(seconds + 5);
  let off = 0;
  let at = 0;
  for (const { start, text } of cues) {
    off = Math.max(off, Math.abs(start - all[at]!.start));
    at += text.split(" ").length;
  }
  if (off > MOST_OFF) faults.push(`${format}: a time is ${off} s off.`);
  if (job.kills < KILLS) faults.push(`${format}: it was killed ${job.kills} times.`);
  const { heap } = job;
  if (heap.found === 0 || heap.found >= MOST_ISOLATE_MB)
    faults.push(`${format}: the isolate took ${heap.found} MB.`);
  return {
    minutes: MINUTES,
    "MB of the recording": Math.round(recording.bytes.length / 1024 / 1024),
    pieces: job.pieces,
    "minutes sent": Math.round((job.panel.transcription?.minutes ?? 0) * 10) / 10,
    words: found.length,
    "most milliseconds off": Math.round(off * 1000),
    kills: job.kills,
    "looks at the isolate": heap.looks,
    "isolate MB at most": Math.round(heap.found),
    "after a collection": Math.round(heap.collected),
    seconds: Math.round((performance.now() - began) / 1000),
  };
}

/** Noise, because a sample of silence is six bytes. */
async function spokenM4a(seconds: number) {
  const folder = await mkdtemp(join(tmpdir(), "rostrum-noise-"));
  const path = join(folder, "a.m4a");
  const noise = `anoisesrc=r=44100:a=0.3:d=${seconds}`;
  const encoding = "-c:a aac -aac_coder fast -b:a 256k -ac 1".split(" ");
  await run("ffmpeg", ["-v", "error", "-f", "lavfi", "-i", noise, ...encoding, path]);
  const bytes = new Uint8Array(await readFile(path));
  numberSamples(bytes);
  await rm(folder, { recursive: true });
  return bytes;
}

async function openSite(state?: string) {
  const built = await startBuiltSite({
    vars: { IMPORT_LOOPBACK: "on", PLAN: process.env["PLAN"] ?? "paid" },
    ...(state && { state }),
    log: ({ level, message }) => level === "error" && console.error(message.slice(0, 300)),
  });
  const ctx = createContext(built.env, { actor: { kind: "job", name: "load" } });
  return { ...built, ctx, cookie: await signInOwner(ctx) };
}

async function transcribe(recording: Recording & { seconds: number }, url: string, mostKills: number) {
  const { seconds } = recording;
  const local = { ...site.ctx, config: { ...site.ctx.config, loopback: true } };
  const transcription = { ...siteDefaults.transcription, service: "server" as const, url, waitSeconds: 300 };
  await updateSite(local, { transcription });
  const audioFileId = await store(recording);
  const { id } = await createEpisode(site.ctx, { title: "A recording", audioFileId });
  await ask(`/${id}/transcription`, "POST", {});
  const heap = { found: 0, collected: 0, looks: 0 };
  let kills = 0;
  for (;;) {
    const { transcription: job } = await ask<TranscriptionPanel>(`/${id}/transcription`);
    if (job?.state === "ready") break;
    if (job?.state !== "running") throw new Error(`It ended as ${job?.state}: ${job?.problem}`);
    if (kills < mostKills && job.doneSeconds >= (seconds * (kills + 1)) / (mostKills + 1)) {
      await die();
      kills++;
    } else await Promise.all([site.tick([MINUTE]).catch(() => undefined), look(heap), pause(STEP_MS)]);
  }
  const panel = await ask<TranscriptionPanel>(`/${id}/transcription`);
  const draft = await ask<TranscriptionDraft>(`/${id}/transcription/draft`);
  return { episode: id, panel, draft, heap, kills, pieces: (await piecesOf(id)).length };
}

/** Also while a piece is cut and sent. */
async function look(heap: { found: number; collected: number; looks: number }) {
  const now = await readHeap(site).catch(() => null);
  if (!now) return;
  heap.looks++;
  heap.found = Math.max(heap.found, now.found);
  heap.collected = Math.max(heap.collected, now.collected);
}

/** Kills workerd, and lets the claims of its work lapse as after five minutes. */
async function die() {
  await site.stop({ keepState: true });
  site = await openSite(site.state);
  await site.ctx.db
    .update(outbox)
    .set({ claimedUntil: new Date(0) })
    .where(and(isNotNull(outbox.claimedUntil), isNull(outbox.doneAt)));
}

async function store({ bytes, type, name, seconds }: Recording & { seconds: number }) {
  const id = crypto.randomUUID();
  const key = `podcast-audio/${id}/${name}`;
  const upload = await site.env.MEDIA.createMultipartUpload(key, { httpMetadata: { contentType: type } });
  const parts: R2UploadedPart[] = [];
  for (let at = 0; at < bytes.length; at += PART)
    parts.push(await upload.uploadPart(parts.length + 1, bytes.slice(at, at + PART)));
  await upload.complete(parts);
  const now = new Date();
  await site.ctx.db.insert(files).values({
    id,
    key,
    folder: "podcast-audio",
    name,
    type,
    size: bytes.length,
    partSize: PART,
    status: "complete",
    durationSeconds: seconds,
    audioStart: 0,
    createdBy: "load",
    createdAt: now,
    completedAt: now,
  });
  return id;
}

async function ask<T>(path: string, method = "GET", body?: object) {
  const answer = await fetch(`${site.url}/api/admin/episodes${path}`, {
    method,
    headers: { Cookie: site.cookie, Origin: site.url, ...(body && { "Content-Type": "application/json" }) },
    ...(body && { body: JSON.stringify(body) }),
  });
  if (!answer.ok) throw new Error(`${method} ${path}: ${answer.status} ${await answer.text()}`);
  return (await answer.json()) as T;
}

async function piecesOf(episode: number) {
  return site.ctx.db
    .select({ words: transcriptionPieces.words })
    .from(transcriptionPieces)
    .innerJoin(transcriptions, eq(transcriptions.id, transcriptionPieces.transcriptionId))
    .where(eq(transcriptions.episodeId, episode))
    .orderBy(asc(transcriptionPieces.number));
}

function readCues(vtt: string) {
  const seconds = (clock: string) => clock.split(":").reduce((sum, part) => sum * 60 + Number(part), 0);
  return [...vtt.matchAll(/^([\d:.]+) --> [\d:.]+\n(.*)$/gm)].map(([, start, text]) => ({
    start: seconds(start!),
    text: text!,
  }));
}
