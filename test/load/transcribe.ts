import { execFile } from "node:child_process";
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { and, eq, isNotNull, isNull } from "drizzle-orm";
import { createEpisode } from "#worker/episodes/commands.ts";
import { files } from "#worker/files/table.ts";
import { createContext } from "#worker/platform/context.ts";
import { outbox } from "#worker/platform/table.ts";
import { updateSite } from "#worker/settings/commands.ts";
import { siteDefaults } from "#worker/settings/contract.ts";
import type { TranscriptionDraft, TranscriptionPanel } from "#worker/transcription/contract.ts";
import { transcriptionPieces } from "#worker/transcription/table.ts";
import { startBuiltSite } from "../support/built-site.ts";
import { startSphinxServer } from "../support/sphinx-server.ts";
import { spokenRecording, spokenWords } from "../support/spoken-recording.ts";
import { startTranscriptionServer } from "../support/transcription-server.ts";
import { pause } from "./client.ts";
import { readMemory } from "./memory.ts";
import { signInOwner } from "./site.ts";

/**
 * `npm run transcribe`: the built site has a recording of espeak-ng transcribed by PocketSphinx (Debian: `espeak-ng`, `ffmpeg`,
 * `pocketsphinx`), and prints the words with their times; then one of MINUTES (60) by a server that knows what is said, while
 * workerd is killed KILLS (2) times. Exits with 1 unless each of its words is there once, within 50 ms, in an isolate of less than
 * 128 MB.
 */
const MINUTES = Number(process.env["MINUTES"] ?? 60);
const KILLS = Number(process.env["KILLS"] ?? 2);
const MOST_OFF = 0.05;
const MOST_ISOLATE_MB = 128;
const STEP_MS = 300;
const SAID =
  "Good morning and welcome to the show. Today we talk about water in the winter. " +
  "Many people in the town remember the old bridge. They walked along the river every morning.";

setTimeout(
  () => {
    console.error("Transcribe: it did not end.");
    process.exit(1);
  },
  600_000 + MINUTES * 20_000,
).unref();

const run = promisify(execFile);
const faults: string[] = [];
let site = await openSite();
let isolateMB = 0;
let kills = 0;

const sphinx = await startSphinxServer();
const speech = await speak(SAID);
const spoken = await transcribe(speech, `http://127.0.0.1:${sphinx.port}`, 0);
sphinx.stop();
console.log(spoken.draft.transcript);
const heard = await wordsOf(spoken.panel.episode);
for (const [start, end, text] of heard) console.log(`${start.toFixed(2)} ${end.toFixed(2)} ${text}`);
if (heard.length < 10) faults.push(`PocketSphinx heard ${heard.length} words.`);

const known = await startTranscriptionServer();
const long = { bytes: spokenRecording(MINUTES * 60), seconds: MINUTES * 60 };
const hour = await transcribe(long, `http://127.0.0.1:${known.port}/ok`, KILLS);
known.stop();
const expected = spokenWords(5000).filter(({ end }) => end < long.seconds - 0.2);
const cues = readCues(hour.draft.transcript);
const found = cues.flatMap(({ text }) => text.split(" "));
if (found.join(" ") !== expected.map(({ text }) => text).join(" "))
  faults.push(`${found.length} words, but ${expected.length} were said.`);
let most = 0;
let at = 0;
for (const cue of cues) {
  most = Math.max(most, Math.abs(cue.start - (expected[at]?.start ?? Infinity)));
  at += cue.text.split(" ").length;
}
if (most > MOST_OFF) faults.push(`A time is ${most} s off.`);
if (kills < KILLS) faults.push(`It was killed ${kills} times.`);
if (isolateMB === 0 || isolateMB >= MOST_ISOLATE_MB) faults.push(`The isolate took ${isolateMB} MB.`);
console.table({
  "words of PocketSphinx": heard.length,
  minutes: MINUTES,
  words: found.length,
  "most milliseconds off": Math.round(most * 1000),
  "minutes sent": Math.round((hour.panel.transcription?.minutes ?? 0) * 10) / 10,
  kills,
  "isolate MB at most": Math.round(isolateMB),
});
for (const fault of faults) console.error(fault);
console.log(faults.length === 0 ? "Transcribe: no failure." : `Transcribe: ${faults.length} failures.`);
await Promise.race([site.stop(), pause(5000)]);
process.exit(faults.length === 0 ? 0 : 1);

async function openSite(state?: string) {
  const built = await startBuiltSite({
    vars: { IMPORT_LOOPBACK: "on", PLAN: process.env["PLAN"] ?? "paid" },
    ...(state && { state }),
    log: ({ level, message }) => level === "error" && console.error(message.slice(0, 300)),
  });
  const ctx = createContext(built.env, { actor: { kind: "job", name: "load" } });
  return { ...built, ctx, cookie: await signInOwner(ctx) };
}

/** Whose MP3 has the silence of the encoder before it. */
async function speak(text: string) {
  const folder = await mkdtemp(join(tmpdir(), "rostrum-speech-"));
  const [wav, mp3] = [join(folder, "a.wav"), join(folder, "a.mp3")];
  await run("espeak-ng", ["-v", "en-us", "-s", "130", "-w", wav, text]);
  await run("ffmpeg", ["-v", "error", "-i", wav, "-b:a", "64k", mp3]);
  const { stdout } = await run("ffprobe", [
    "-v",
    "error",
    "-show_entries",
    "format=duration",
    "-of",
    "csv=p=0",
    wav,
  ]);
  const bytes = new Uint8Array(await readFile(mp3));
  await rm(folder, { recursive: true });
  return { bytes, seconds: Number(stdout) };
}

async function transcribe(
  { bytes, seconds }: { bytes: Uint8Array; seconds: number },
  url: string,
  mostKills: number,
) {
  const local = { ...site.ctx, config: { ...site.ctx.config, loopback: true } };
  const transcription = { ...siteDefaults.transcription, service: "server" as const, url, waitSeconds: 300 };
  await updateSite(local, { transcription });
  const audioFileId = await store(bytes, seconds);
  const { id } = await createEpisode(site.ctx, { title: "A recording", audioFileId });
  await ask(`/${id}/transcription`, "POST", {});
  for (let step = 0; ; step++) {
    await pause(STEP_MS);
    const panel = await ask<TranscriptionPanel>(`/${id}/transcription`);
    const { transcription: job } = panel;
    if (job?.state === "ready") break;
    if (job?.state !== "running") throw new Error(`It ended as ${job?.state}: ${job?.problem}`);
    if (step % 5 === 0 && mostKills > 0)
      isolateMB = Math.max(
        isolateMB,
        (await readMemory({ ...site, ownerCookie: site.cookie, tick: async () => {} })).isolate,
      );
    if (kills < mostKills && job.doneSeconds >= (seconds * (kills + 1)) / (mostKills + 1)) await die();
    else await site.tick(["* * * * *"]).catch(() => undefined);
  }
  const panel = await ask<TranscriptionPanel>(`/${id}/transcription`);
  return {
    panel: { ...panel, episode: id },
    draft: await ask<TranscriptionDraft>(`/${id}/transcription/draft`),
  };
}

/** Kills workerd, and lets the claims of its work lapse as after five minutes. */
async function die() {
  kills++;
  await site.stop({ keepState: true });
  site = await openSite(site.state);
  await site.ctx.db
    .update(outbox)
    .set({ claimedUntil: new Date(0) })
    .where(and(isNotNull(outbox.claimedUntil), isNull(outbox.doneAt)));
}

async function store(bytes: Uint8Array, seconds: number) {
  const id = crypto.randomUUID();
  const key = `podcast-audio/${id}/recording.mp3`;
  await site.env.MEDIA.put(key, bytes, { httpMetadata: { contentType: "audio/mpeg" } });
  const now = new Date();
  await site.ctx.db.insert(files).values({
    id,
    key,
    folder: "podcast-audio",
    name: "recording.mp3",
    type: "audio/mpeg",
    size: bytes.length,
    partSize: 8 * 1024 * 1024,
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

async function wordsOf(episode: number) {
  const panel = await ask<TranscriptionPanel>(`/${episode}/transcription`);
  if (!panel.transcription) return [];
  const pieces = await site.ctx.db
    .select({ words: transcriptionPieces.words })
    .from(transcriptionPieces)
    .where(eq(transcriptionPieces.state, "heard"));
  return pieces.flatMap(({ words }) => words ?? []);
}

function readCues(vtt: string) {
  const seconds = (clock: string) => clock.split(":").reduce((sum, part) => sum * 60 + Number(part), 0);
  return [...vtt.matchAll(/^([\d:.]+) --> [\d:.]+\n(.*)$/gm)].map(([, start, text]) => ({
    start: seconds(start!),
    text: text!,
  }));
}
