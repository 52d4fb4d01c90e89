import { buffer } from "node:stream/consumers";
import type { ServerResponse } from "node:http";
import { setTimeout } from "node:timers/promises";
import type { TestProject } from "vitest/node";
import { startHttpServer } from "./http-server.ts";
import { spokenWords, stretchOf, type Spoken } from "./spoken-recording.ts";

declare module "vitest" {
  interface ProvidedContext {
    /** The port of the server that transcribes. */
    transcription: number;
  }
}

/** Longer than any recording. */
const WORDS = spokenWords(5000);
/** Seconds by which a model's times differ from one piece to another. */
const INACCURACY = 0.015;

type Asked = {
  model: string;
  language: string | null;
  authorization: string | null;
  stretch: [number, number];
};
type Mode = (
  asked: Asked,
  count: number,
) => {
  status?: number;
  headers?: Record<string, string>;
  body: unknown;
  /** Milliseconds until the answer. */
  wait?: number;
};

const round = (seconds: number) => Math.round(seconds * 100) / 100;

/** The words of a stretch as a model hears them: those that its edges cut are other words. */
function heardIn([from, to]: [number, number]): Spoken[] {
  const shift = Math.sin(from) * INACCURACY;
  return WORDS.filter(({ start, end }) => end > from && start < to).map(({ text, start, end, voice }) => ({
    text: start < from || end > to ? "cut" : text,
    start: Math.max(0, start - from + shift),
    end: Math.min(to - from, end - from + shift),
    voice,
  }));
}

const bare = (text: string) => text.replace(/\W/g, "");
const textOf = (words: Spoken[]) => words.map(({ text }) => text).join(" ");

/** As OpenAI's API answers, and faster-whisper's server: https://platform.openai.com/docs/api-reference/audio */
const openAi = ({ stretch }: Asked, language = "english") => {
  const words = heardIn(stretch);
  return {
    task: "transcribe",
    language,
    duration: stretch[1] - stretch[0],
    text: textOf(words),
    words: words.map(({ text, start, end }) => ({ word: bare(text), start: round(start), end: round(end) })),
  };
};

/** As whisper.cpp's server: segments with tokens. */
const whisperCpp = ({ stretch }: Asked) => {
  const words = heardIn(stretch);
  const tokens = words.flatMap(({ text, start, end }) => [
    { word: ` ${text.slice(0, 4)}`, start, end, t_dtw: -1, probability: 0.9 },
    ...(text.length > 4 ? [{ word: text.slice(4), start: end, end, t_dtw: -1, probability: 0.9 }] : []),
  ]);
  const segment = { id: 0, text: ` ${textOf(words)}`, start: 0, end: words.at(-1)?.end ?? 0, words: tokens };
  return {
    task: "transcribe",
    language: "english",
    duration: stretch[1],
    text: segment.text,
    segments: [segment],
  };
};

/** As Deepgram's models on Workers AI; each piece numbers its voices from 0. */
const deepgram = ({ stretch }: Asked) => {
  const words = heardIn(stretch);
  const first = words[0]?.voice ?? 0;
  const alternative = {
    transcript: textOf(words),
    confidence: 0.9,
    words: words.map(({ text, start, end, voice }) => ({
      word: bare(text).toLowerCase(),
      punctuated_word: text,
      start,
      end,
      confidence: 0.9,
      speaker: voice === first ? 0 : 1,
      speaker_confidence: 0.8,
    })),
  };
  return { results: { channels: [{ alternatives: [alternative] }] } };
};

const invented = { id: 0, start: 0, end: 5, text: "Thanks!", no_speech_prob: 0.95, avg_logprob: -1.5 };
const busy = { status: 429, headers: { "Retry-After": "30" }, body: { error: { message: "Slow down" } } };
const broken = { status: 500, body: { error: { message: "CUDA out of memory" } } };

/** By the first part of the path. `count`: requests with this model so far, this one included. */
const modes: Record<string, Mode> = {
  ok: (asked) => ({ body: openAi(asked) }),
  slow: (asked) => ({ body: openAi(asked), wait: 700 }),
  cpp: (asked) => ({ body: whisperCpp(asked) }),
  german: (asked) => ({ body: openAi(asked, "german") }),
  plain: (asked) => ({ body: { text: textOf(heardIn(asked.stretch)) } }),
  /** Workers AI has no capacity for the second request. */
  deepgram: (asked, count) =>
    count === 2 ? { status: 429, body: "3040: Capacity temporarily exceeded" } : { body: deepgram(asked) },
  silent: () => ({ body: { text: "", language: "english", segments: [], words: [] } }),
  music: () => ({ body: { text: "Thanks!", language: "english", segments: [invented] } }),
  busy: (asked, count) => (count === 2 ? busy : { body: openAi(asked) }),
  capacity: (asked, count) => (count <= 2 ? { status: 503, body: "Loading model" } : { body: openAi(asked) }),
  broken: () => broken,
  /** The second piece fails three times. */
  patchy: (asked, count) => (count >= 2 && count <= 4 ? broken : { body: openAi(asked) }),
  html: () => ({ headers: { "Content-Type": "text/html" }, body: "<!doctype html><title>Sign in</title>" }),
  half: (asked) => ({ body: JSON.stringify(openAi(asked)).slice(0, 500) }),
  nonsense: () => ({ body: { text: "la", words: [{ word: "la", start: 9e6, end: 9e6 }] } }),
  echo: ({ authorization }) => ({
    status: 400,
    body: { error: { message: `No account has\n\n${authorization}.` } },
  }),
  key: (asked) =>
    asked.authorization === "Bearer the-key"
      ? { body: openAi(asked) }
      : { status: 401, body: { error: { message: "Incorrect API key" } } },
};

/**
 * OpenAI's transcriptions, of recordings that `spokenRecording` made. Below `/hang` no answer ever comes, and `/asked` lists what
 * was asked of a model.
 */
export const startTranscriptionServer = (port?: number) => {
  const asked = new Map<string, Asked[]>();
  return startHttpServer((request, response) => {
    const url = new URL(request.url ?? "", "http://localhost");
    const [, mode = "", path = ""] = /^\/(\w+)(.*)$/.exec(url.pathname) ?? [];
    if (mode === "asked")
      return void answer(response, { body: asked.get(url.searchParams.get("model")!) ?? [] });
    if (mode === "hang") return;
    if (!modes[mode] || path !== "/v1/audio/transcriptions" || request.method !== "POST")
      return void response.writeHead(404).end();
    void (async () => {
      const body = new Request("http://localhost", {
        method: "POST",
        headers: { "Content-Type": request.headers["content-type"]! },
        body: new Uint8Array(await buffer(request)),
      });
      const form = await body.formData();
      const model = String(form.get("model"));
      const one: Asked = {
        model,
        language: form.get("language") as string | null,
        authorization: request.headers.authorization ?? null,
        stretch: stretchOf(new Uint8Array(await (form.get("file") as File).arrayBuffer())),
      };
      const all = [...(asked.get(model) ?? []), one];
      asked.set(model, all);
      const given = modes[mode]!(one, all.length);
      if (given.wait) await setTimeout(given.wait);
      answer(response, given);
    })().catch((error: NodeJS.ErrnoException) => {
      // The Worker was killed while it sent.
      if (error.code !== "ECONNRESET") throw error;
    });
  }, port);
};

function answer(response: ServerResponse, { status = 200, headers, body }: ReturnType<Mode>) {
  response.writeHead(status, { "Content-Type": "application/json", ...headers });
  response.end(typeof body === "string" ? body : JSON.stringify(body));
}

export default async function serve(project: TestProject) {
  const { port, stop } = await startTranscriptionServer();
  project.provide("transcription", port);
  return stop;
}
