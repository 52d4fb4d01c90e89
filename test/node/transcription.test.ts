import { describe, expect, it } from "vitest";
import { readTranscript } from "#worker/episodes/transcript.ts";
import { joinPieces, type HeardPiece } from "#worker/transcription/join-pieces.ts";
import { readJson } from "#worker/models/read-json.ts";
import { TRANSCRIPT, transcriptionsOf } from "#worker/transcription/openai-server.ts";
import { readDeepgram, readWhisper } from "#worker/transcription/read-answer.ts";
import { workersAi } from "#worker/transcription/workers-ai.ts";
import type { Word } from "#worker/transcription/words.ts";
import { writeCues } from "#worker/transcription/write-cues.ts";

/** A word each half second, without a pause between them. */
const spoken = (from: number, to: number, shift = 0): Word[] =>
  Array.from({ length: Math.round((to - from) * 2) }, (_, index) => {
    const start = from + index / 2;
    return { text: `word${Math.round(start * 2)}`, start: start + shift, end: start + 0.5 + shift };
  });

const piece = (start: number, end: number, words: Word[] | null = spoken(start, end)): HeardPiece => ({
  start,
  end,
  words,
});

describe("joinPieces", () => {
  it("takes each word once, also if the pieces have it at slightly different times", () => {
    const { words, missing } = joinPieces([piece(0, 20), piece(15, 35, spoken(15, 35, 0.08)), piece(30, 50)]);
    expect(words.map(({ text }) => text)).toEqual(spoken(0, 50).map(({ text }) => text));
    expect(missing).toEqual([]);
  });

  it("joins in the longest pause where the pieces have no word in common", () => {
    const said = (text: string, start: number): Word => ({ text, start, end: start + 0.5 });
    const { words } = joinPieces([
      piece(0, 20, [said("one", 16), said("two", 16.6), said("cut", 19.4)]),
      piece(15, 35, [said("rest", 15), said("won", 16.1), said("too", 16.6), said("three", 19.3)]),
    ]);
    expect(words.map(({ text }) => text)).toEqual(["one", "two", "three"]);
  });

  it("names the time that only a failed piece has", () => {
    const { words, missing } = joinPieces([piece(0, 20), piece(15, 35, null), piece(30, 50)]);
    expect(missing).toEqual([[20, 30]]);
    expect(words).toHaveLength(80);
    expect(joinPieces([piece(0, 20, null)])).toEqual({ words: [], missing: [[0, 20]] });
    expect(joinPieces([piece(0, 20), piece(15, 35, null)]).missing).toEqual([[20, 35]]);
  });

  it("recognises a voice of the piece before by the words of the overlap, and numbers another one", () => {
    const voiced = (words: Word[], voice: (word: Word) => number) =>
      words.map((word) => ({ ...word, voice: voice(word) }));
    const { words } = joinPieces([
      piece(
        0,
        20,
        voiced(spoken(0, 20), ({ start }) => (start < 10 ? 0 : 1)),
      ),
      piece(
        15,
        35,
        voiced(spoken(15, 35), ({ start }) => (start < 25 ? 0 : 1)),
      ),
    ]);
    const voiceAt = (time: number) => words.find(({ start }) => start === time)?.voice;
    expect([0, 12, 18, 24, 30].map(voiceAt)).toEqual([0, 1, 1, 1, 2]);
  });
});

describe("readWhisper", () => {
  const words = [
    { word: "Good", start: 0, end: 0.4 },
    { word: "morning", start: 0.4, end: 0.9 },
    { word: "Ada", start: 1, end: 1.4 },
  ];

  it("adds the punctuation of the text to OpenAI’s words", () => {
    const answer = {
      task: "transcribe",
      language: "english",
      duration: 2,
      text: "“Good morning,” Ada.",
      words,
    };
    expect(readWhisper(answer)).toEqual({
      language: "english",
      words: [
        { text: "“Good", start: 0, end: 0.4 },
        { text: "morning,”", start: 0.4, end: 0.9 },
        { text: "Ada.", start: 1, end: 1.4 },
      ],
    });
  });

  it("joins whisper.cpp’s tokens into words", () => {
    const tokens = [
      { word: " Good", start: 0, end: 0.4, probability: 0.9 },
      { word: " mor", start: 0.4, end: 0.6 },
      { word: "ning", start: 0.6, end: 0.9 },
      { word: ".", start: 0.9, end: 0.9 },
    ];
    const segments = [{ id: 0, text: " Good morning.", start: 0, end: 0.9, words: tokens }];
    expect(readWhisper({ text: " Good morning.", language: "english", segments }).words).toEqual([
      { text: "Good", start: 0, end: 0.4 },
      { text: "morning.", start: 0.4, end: 0.9 },
    ]);
  });

  it("shares a segment’s time among its words if they have none", () => {
    const segments = [{ text: " One three", start: 2, end: 4 }];
    expect(readWhisper({ text: "One three", segments }).words).toEqual([
      { text: "One", start: 2, end: 2.75 },
      { text: "three", start: 2.75, end: 4 },
    ]);
  });

  it("reads the language that Workers AI detects", () => {
    const answer = {
      transcription_info: { language: "de" },
      text: "Ja",
      segments: [{ text: "Ja", start: 0, end: 1 }],
    };
    expect(readWhisper(answer).language).toBe("de");
  });

  it("keeps what an answer has in a line, and no name of a language that is a text", () => {
    const { words: heard, language } = readWhisper({
      text: "one two",
      language: "English\n".repeat(100),
      words: [
        { word: "one\n\n00:00:01.000", start: 0, end: 1 },
        { word: "\u202etwo\u0000", start: 1, end: 2 },
      ],
    });
    expect(heard.map(({ text }) => text)).toEqual(["one 00:00:01.000", "two"]);
    expect(language).toHaveLength(60);
    expect(language).not.toContain("\n");
  });

  it("refuses more words than anyone speaks, or longer ones", () => {
    const said = (length: number) =>
      Array.from({ length }, (_, n) => ({ word: `w${n}`, start: n / 1000, end: n / 1000 }));
    expect(readWhisper({ text: "w", words: said(10_000) }).words).toHaveLength(10_000);
    const long = { word: "x".repeat(200_001), start: 0, end: 1 };
    for (const given of [said(10_001), [long]])
      expect(() => readWhisper({ text: "w", words: given })).toThrow("more words than anyone speaks");
  });

  it("seeks the punctuation of a word only near the one before", () => {
    const letters = [..."ab"].map((word, n) => ({ word, start: n, end: n + 1 }));
    const far = readWhisper({ text: `a, ${"c ".repeat(100)}b!`, words: letters });
    expect(far.words.map(({ text }) => text)).toEqual(["a,", "b"]);
  });

  it("has no words of silence, music and repetitions", () => {
    const unsure = { text: "Thanks for watching!", start: 0, end: 5, no_speech_prob: 0.9, avg_logprob: -1.4 };
    const repeated = { text: "la la la la la la", start: 5, end: 9, compression_ratio: 4 };
    expect(readWhisper({ text: "…", segments: [unsure, repeated] }).words).toEqual([]);
    expect(readWhisper({ text: "", segments: [] }).words).toEqual([]);
  });

  it.each([
    ["a web page", "<!doctype html><title>Sign in</title>", /web page/],
    ["half an answer", '{"text":"Good mor', /only a part/],
    ["nothing", "", /nothing/],
    ["a plain text", "Good morning", /without times/],
    ["another JSON", '{"ok":true}', /not a transcript/],
    ["no times", '{"text":"Good morning"}', /no times/],
    [
      "times backwards",
      '{"text":"a b","words":[{"word":"a","start":9,"end":9},{"word":"b","start":1,"end":2}]}',
      /sense/,
    ],
  ])("names the fault of %s", (_, text, message) => {
    expect(() => readWhisper(readJson(text, TRANSCRIPT))).toThrow(message);
  });
});

describe("workersAi", () => {
  const sound = { bytes: new Uint8Array([1, 2, 3]), type: "audio/mpeg", extension: "mp3" };
  const answering = (answer: unknown) => {
    const calls: [string, Record<string, unknown>][] = [];
    const ai = {
      run: async (model: string, input: Record<string, unknown>) => {
        calls.push([model, input]);
        if (answer instanceof Error) throw answer;
        return answer;
      },
    };
    return { ai, calls };
  };
  const options = { language: "en", waitMs: 1000 };

  it("sends Whisper base64, and Deepgram a stream", async () => {
    const whisper: Ai_Cf_Openai_Whisper_Large_V3_Turbo_Output = { text: "" };
    const first = answering(whisper);
    await workersAi(first.ai, "@cf/openai/whisper-large-v3-turbo").transcribe(sound, options);
    expect(first.calls[0]![1] satisfies Partial<Ai_Cf_Openai_Whisper_Large_V3_Turbo_Input>).toMatchObject({
      audio: "AQID",
      language: "en",
    });
    const nova: Ai_Cf_Deepgram_Nova_3_Output = {
      results: { channels: [{ alternatives: [{ words: [{ word: "yes", start: 0, end: 1 }] }] }] },
    };
    const second = answering(nova);
    const heard = await workersAi(second.ai, "@cf/deepgram/nova-3").transcribe(sound, options);
    expect(heard.words).toEqual([{ text: "yes", start: 0, end: 1 }]);
    const { audio } = second.calls[0]![1] as unknown as Ai_Cf_Deepgram_Nova_3_Input;
    expect(audio.contentType).toBe("audio/mpeg");
    expect(new Uint8Array(await new Response(audio.body as ReadableStream).arrayBuffer())).toEqual(
      sound.bytes,
    );
  });

  it.each([
    ["3040: Capacity temporarily exceeded, please try again.", "busy"],
    ["4006: you have used up your daily free allocation", "busy"],
    ["5007: No such model", "settings"],
    ["InferenceUpstreamError", "answer"],
  ])("takes %s for %s", async (message, failing) => {
    const { ai } = answering(new Error(message));
    await expect(workersAi(ai, "@cf/openai/whisper").transcribe(sound, options)).rejects.toMatchObject({
      failing,
    });
  });

  it("waits no longer than it is allowed to", async () => {
    const ai = { run: () => new Promise(() => {}) };
    await expect(
      workersAi(ai, "@cf/openai/whisper").transcribe(sound, { ...options, waitMs: 20 }),
    ).rejects.toThrow("didn’t answer within");
  });
});

it("reads Deepgram’s voices and punctuation", () => {
  const word = { word: "hello", punctuated_word: "Hello,", start: 0, end: 1, speaker: 1 };
  const channels = [{ detected_language: "en", alternatives: [{ words: [word] }] }];
  expect(readDeepgram({ results: { channels } })).toEqual({
    language: "en",
    words: [{ text: "Hello,", start: 0, end: 1, voice: 1 }],
  });
});

describe("writeCues", () => {
  const said = (text: string, start: number, voice?: number): Word => ({
    text,
    start,
    end: start + 0.4,
    ...(voice !== undefined && { voice }),
  });

  it("ends a cue with a sentence, at a pause and where another voice begins", () => {
    const words = [
      ...["It", "was", "a", "long", "day", "at", "the", "harbour."].map((text, at) => said(text, at / 2, 0)),
      said("Then", 4, 0),
      said("night", 8, 0),
      said("<Yes>", 8.5, 1),
    ];
    const { transcript, cues } = readTranscript(writeCues(words));
    expect(transcript).toBe(writeCues(words));
    expect(cues.map(({ speaker, text }) => [speaker, text])).toEqual([
      ["Speaker 1", "It was a long day at the harbour."],
      ["Speaker 1", "Then"],
      ["Speaker 1", "night"],
      ["Speaker 2", "<Yes>"],
    ]);
  });

  it("puts no spaces between the words of Chinese", () => {
    expect(writeCues([said("你", 0), said("好", 0.5)])).toContain("\n你好\n");
  });

  it("is empty without words", () => {
    expect(writeCues([])).toBe("");
  });
});

it.each([
  ["http://127.0.0.1:8080", "http://127.0.0.1:8080/v1/audio/transcriptions"],
  ["https://api.example.com/v1/", "https://api.example.com/v1/audio/transcriptions"],
  ["https://example.com/inference", "https://example.com/inference"],
  ["https://example.com/v1/audio/transcriptions", "https://example.com/v1/audio/transcriptions"],
])("completes %s", (given, endpoint) => {
  expect(transcriptionsOf(given).href).toBe(endpoint);
});
