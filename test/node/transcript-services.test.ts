import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { isSound } from "#worker/episodes/transcript-input/offered-voices.ts";
import { readTranscript } from "#worker/episodes/transcript.ts";

/** In the form that each service documents, of invented words. */

const linesOf = (source: string) =>
  readTranscript(source).cues.map(
    ({ start, end, speaker, text }) => `${start}-${end} ${speaker ? `${speaker}: ` : ""}${text}`,
  );

const amazonWord = (content: string, start_time: string, end_time: string, speaker?: string) => ({
  type: "pronunciation",
  alternatives: [{ confidence: "0.99", content }],
  start_time,
  end_time,
  ...(speaker && { speaker_label: speaker }),
});
const amazonStop = (content: string) => ({
  type: "punctuation",
  alternatives: [{ confidence: "0.0", content }],
});
const word = (text: string, start: number, end: number) => ({ text, start, end, confidence: 0.9 });

describe("the JSON of a service is read", () => {
  test.each<[service: string, answer: unknown, cues: string[]]>([
    [
      "Adobe Premiere Pro",
      {
        language: "en-us",
        segments: [
          {
            start: 0.5,
            duration: 0.8,
            speaker: "6a5b0e",
            words: [
              { type: "word", text: "Welcome", start: 0.5, duration: 0.4, eos: false },
              { type: "word", text: "back", start: 0.9, duration: 0.4, eos: true },
              { type: "punctuation", text: ".", start: 1.3, duration: 0, eos: true },
            ],
          },
        ],
        speakers: [{ id: "6a5b0e", name: "Zoë" }],
      },
      ["0.5-1.3 Zoë: Welcome back."],
    ],
    [
      "Amazon Transcribe",
      {
        results: {
          items: [
            amazonWord("Hello", "0.5", "0.9", "spk_0"),
            amazonStop("."),
            amazonWord("So", "1.0", "1.2", "spk_1"),
            amazonStop("?"),
          ],
        },
      },
      ["0.5-0.9 spk_0: Hello.", "1-1.2 spk_1: So?"],
    ],
    [
      "Amazon Transcribe, with speakers in a list of their own",
      {
        results: {
          speaker_labels: {
            segments: [
              { speaker_label: "spk_0", items: [{ start_time: "0.5", speaker_label: "spk_0" }] },
              { speaker_label: "spk_1", items: [{ start_time: "1.0", speaker_label: "spk_1" }] },
            ],
          },
          items: [amazonWord("Hello", "0.5", "0.9"), amazonStop("."), amazonWord("So", "1.0", "1.2")],
        },
      },
      ["0.5-0.9 spk_0: Hello.", "1-1.2 spk_1: So"],
    ],
    [
      "Amazon Transcribe, with segments",
      {
        results: {
          items: [],
          audio_segments: [
            { id: 0, transcript: "Hello.", start_time: "0.5", end_time: "0.9", items: [0, 1] },
          ],
        },
      },
      ["0.5-0.9 Hello."],
    ],
    [
      "AssemblyAI",
      { utterances: [{ start: 250, end: 1910, speaker: "A", text: "Welcome back.", words: [] }] },
      ["0.25-1.91 Speaker A: Welcome back."],
    ],
    [
      "AssemblyAI, without speakers",
      { utterances: null, words: [word("Welcome", 250, 600), word("back.", 650, 900)] },
      ["0.25-0.9 Welcome back."],
    ],
    [
      "Azure, a batch",
      {
        combinedRecognizedPhrases: [{ display: "Hello world." }],
        recognizedPhrases: [
          {
            speaker: 1,
            offset: "PT0.76S",
            duration: "PT1.32S",
            offsetInTicks: 7_600_000,
            durationInTicks: 13_200_000,
            nBest: [{ display: "Hello world." }],
          },
        ],
      },
      ["0.76-2.08 Speaker 1: Hello world."],
    ],
    [
      "Azure, fast",
      { phrases: [{ offsetMilliseconds: 40, durationMilliseconds: 1200, text: "Hello world.", words: [] }] },
      ["0.04-1.24 Hello world."],
    ],
    [
      "Deepgram",
      {
        results: {
          channels: [
            {
              alternatives: [
                {
                  words: [
                    { word: "hello", punctuated_word: "Hello,", start: 0.5, end: 0.9, speaker: 0 },
                    { word: "all", punctuated_word: "all.", start: 0.9, end: 1.2, speaker: 0 },
                    { word: "hi", punctuated_word: "Hi.", start: 1.3, end: 1.5, speaker: 1 },
                  ],
                },
              ],
            },
          ],
        },
      },
      ["0.5-1.2 Speaker 0: Hello, all.", "1.3-1.5 Speaker 1: Hi."],
    ],
    [
      "Deepgram, with utterances",
      {
        results: {
          channels: [],
          utterances: [{ start: 0.5, end: 1.2, speaker: 0, transcript: "Hello, all." }],
        },
      },
      ["0.5-1.2 Speaker 0: Hello, all."],
    ],
    [
      "ElevenLabs",
      {
        words: [
          { ...word("Hello", 0.1, 0.3), type: "word", speaker_id: "speaker_0" },
          { ...word(" ", 0.3, 0.31), type: "spacing", speaker_id: "speaker_0" },
          { ...word("all.", 0.4, 0.6), type: "word", speaker_id: "speaker_0" },
        ],
      },
      ["0.1-0.6 speaker_0: Hello all."],
    ],
    [
      "Fireflies",
      [{ sentence: "Hello all.", startTime: "00:01", endTime: "00:03", speaker_name: "Ann" }],
      ["1-3 Ann: Hello all."],
    ],
    [
      "Gentle, which does not find each word",
      {
        words: [
          { word: "Hello", start: 0.1, end: 0.3, case: "success" },
          { word: "dear", case: "not-found-in-audio" },
          { word: "all", start: 0.8, end: 1, case: "success" },
        ],
      },
      ["0.1-1 Hello dear all"],
    ],
    [
      "Gladia",
      {
        result: { transcription: { utterances: [{ text: "Hello all.", start: 0.1, end: 0.9, speaker: 0 }] } },
      },
      ["0.1-0.9 Speaker 0: Hello all."],
    ],
    [
      "Google",
      {
        results: [
          {
            alternatives: [
              {
                transcript: "hello all",
                words: [
                  { word: "hello", startTime: "0.300s", endTime: "0.700s" },
                  { word: "all", startTime: { seconds: "0", nanos: 700_000_000 }, endTime: "1.200s" },
                ],
              },
            ],
          },
        ],
      },
      ["0.3-1.2 hello all"],
    ],
    [
      "Google, with speakers, where the last result has all words again",
      {
        results: [
          {
            alternatives: [
              { transcript: "hello hi", words: [{ word: "hello", startTime: "0.3s", endTime: "0.7s" }] },
            ],
          },
          {
            alternatives: [
              {
                words: [
                  { word: "hello", startTime: "0.3s", endTime: "0.7s", speakerTag: 1 },
                  { word: "hi", startTime: "0.8s", endTime: "1.1s", speakerTag: 2 },
                ],
              },
            ],
          },
        ],
      },
      ["0.3-0.7 Speaker 1: hello", "0.8-1.1 Speaker 2: hi"],
    ],
    [
      "Google, without words",
      {
        results: [
          { alternatives: [{ transcript: "hello all" }], resultEndTime: "1.500s" },
          { alternatives: [{ transcript: " so it goes" }], resultEndTime: "3s" },
        ],
      },
      ["0-1.5 hello all", "1.5-3 so it goes"],
    ],
    [
      "Happy Scribe",
      [
        {
          speaker: "Ann",
          words: [
            { text: "Hello", data_start: 0.1, data_end: 0.3 },
            { text: " " },
            { text: "all", data_start: 0.4, data_end: 0.6 },
            { text: "." },
          ],
        },
      ],
      ["0.1-0.6 Ann: Hello all."],
    ],
    [
      "Rev",
      {
        speakers: [{ id: 0, name: "Zoë Ash" }],
        monologues: [
          {
            speaker: 0,
            elements: [
              { type: "text", value: "Hello", timestamp: "00:00:00,270", end_timestamp: "00:00:00,480" },
              { type: "punct", value: ", " },
              { type: "text", value: "all", timestamp: "00:00:00,500", end_timestamp: "00:00:00,700" },
              { type: "punct", value: "." },
            ],
          },
        ],
      },
      ["0.27-0.7 Zoë Ash: Hello, all."],
    ],
    [
      "Rev AI",
      {
        monologues: [
          {
            speaker: 1,
            elements: [
              { type: "text", value: "Hello", ts: 0.27, end_ts: 0.48 },
              { type: "punct", value: "." },
            ],
          },
        ],
      },
      ["0.27-0.48 Speaker 1: Hello."],
    ],
    [
      "Soniox, in parts of words",
      {
        tokens: [
          { text: "Hel", start_ms: 100, end_ms: 300, speaker: "1" },
          { text: "lo", start_ms: 300, end_ms: 500, speaker: "1" },
          { text: " all", start_ms: 600, end_ms: 700, speaker: "1" },
          { text: ".", start_ms: 700, end_ms: 720, speaker: "1" },
        ],
      },
      ["0.1-0.72 Speaker 1: Hello all."],
    ],
    [
      "IBM",
      {
        results: [
          {
            final: true,
            alternatives: [
              {
                transcript: "hello all ",
                timestamps: [
                  ["hello", 0.1, 0.6],
                  ["all", 0.7, 0.9],
                ],
              },
            ],
          },
          { final: true, alternatives: [{ transcript: "so ", timestamps: [["so", 2.1, 2.4]] }] },
        ],
        speaker_labels: [
          { from: 0.1, to: 0.6, speaker: 0 },
          { from: 0.7, to: 0.9, speaker: 0 },
          { from: 2.1, to: 2.4, speaker: 1 },
        ],
      },
      ["0.1-0.9 Speaker 0: hello all", "2.1-2.4 Speaker 1: so"],
    ],
    [
      "Speechmatics",
      {
        results: [
          {
            type: "word",
            start_time: 2.04,
            end_time: 2.31,
            alternatives: [{ content: "Yes", speaker: "S1" }],
          },
          {
            type: "punctuation",
            attaches_to: "previous",
            start_time: 2.31,
            end_time: 2.31,
            alternatives: [{ content: ".", speaker: "S1" }],
          },
          { type: "word", start_time: 2.5, end_time: 2.8, alternatives: [{ content: "So", speaker: "UU" }] },
        ],
      },
      ["2.04-2.31 S1: Yes.", "2.5-2.8 So"],
    ],
    [
      "Vosk",
      {
        result: [
          { word: "hello", start: 0.1, end: 0.6, conf: 1 },
          { word: "all", start: 0.7, end: 0.9, conf: 1 },
        ],
      },
      ["0.1-0.9 hello all"],
    ],
    [
      "WhisperX",
      {
        segments: [{ start: 0.5, end: 1.9, text: " Welcome.", words: [], speaker: "SPEAKER_00" }],
        word_segments: [],
      },
      ["0.5-1.9 SPEAKER_00: Welcome."],
    ],
    [
      "Hugging Face’s Whisper, with speakers",
      {
        speakers: [{ speaker: "SPEAKER_00", timestamp: [0, 1.9], text: " Welcome." }],
        chunks: [{ timestamp: [0, 1.9], text: " Welcome." }],
      },
      ["0-1.9 SPEAKER_00: Welcome."],
    ],
    [
      "YouTube (json3)",
      {
        wireMagic: "pb3",
        events: [
          { tStartMs: 0, dDurationMs: 90_000, id: 1 },
          {
            tStartMs: 160,
            dDurationMs: 2000,
            segs: [{ utf8: "welcome" }, { utf8: " back", tOffsetMs: 400 }],
          },
          { tStartMs: 2160, dDurationMs: 100, aAppend: 1, segs: [{ utf8: "\n" }] },
          { tStartMs: 2400, dDurationMs: 4000, segs: [{ utf8: "to plain ground" }] },
        ],
      },
      ["0.16-2.16 welcome back", "2.4-6.4 to plain ground"],
    ],
    ["youtube-transcript-api", [{ text: "Hello all", start: 0, duration: 1.54 }], ["0-1.54 Hello all"]],
    [
      "aeneas",
      { fragments: [{ begin: "0.000", end: "2.640", lines: ["Welcome", "back."] }] },
      ["0-2.64 Welcome back."],
    ],
  ])("of %s", (_service, answer, cues) => {
    expect(linesOf(JSON.stringify(answer, null, 2))).toEqual(cues);
  });

  test("in whole seconds, however long a piece of music is", () => {
    const music = { segments: [{ startTime: 0, endTime: 600, body: "[Music]" }] };
    expect(linesOf(JSON.stringify(music))).toEqual(["0-600 [Music]"]);
  });

  test("only with times: an answer without is refused", () => {
    expect(() => readTranscript('{\n  "text": "Hello all."\n}')).toThrow(
      /^Line 1: there is no list of timed words in this JSON/,
    );
  });
});

const events = "[Script Info]\n\n[Events]\nFormat: Start, End, Name, Text\n";

describe("what programs make of a format is read", () => {
  test.each<[what: string, source: string, cues: string[]]>([
    ["arrows of a word processor", "1\n00:00:01,500 → 00:00:02,250\nHi\n", ["1.5-2.25 Hi"]],
    ["short arrows", "1\n00:00:01,500 -> 00:00:02,250\nHi\n", ["1.5-2.25 Hi"]],
    ["spaces of a translator", "1\n00: 00: 01, 500 --> 00: 00: 02, 250\nHi\n", ["1.5-2.25 Hi"]],
    ["an arrow in what is said", "1\n00:00:01,5 --> 00:00:02,2\n10 → 11\n", ["1.5-2.2 10 → 11"]],
    ["Audacity’s frequencies", "1.500\t2.500\tHi\n\\\t100.0\t200.0\n", ["1.5-2.5 Hi"]],
    ["decimal commas", "Start;End;Text\n0,5;1,5;Hi\n", ["0.5-1.5 Hi"]],
    ["units in a header", "Start (s),End (s),Text\n1.0,2.0,Hi\n", ["1-2 Hi"]],
    ["milliseconds by their name", "start_ms,end_ms,text\n1000,2500,Hi\n", ["1-2.5 Hi"]],
    ["Sonix’s table", '"Timecode","Speaker","Transcript"\n"00:00:01","Ann","Hi"\n', ["1-3 Ann: Hi"]],
    ["LRC with hours", "[01:02:03.45]Hi\n[01:02:05.00]So\n", ["3723.45-3725 Hi", "3725-3727 So"]],
    ["SBV with a space", "0:00:01.000, 0:00:02.000\nHi\n", ["1-2 Hi"]],
    ["SBV with an empty line", "0:00:01.000,0:00:02.000\nHi\n\nthere\n", ["1-2 Hi there"]],
    ["ASS below a comment", `; made by hand\n${events}Dialogue: 0:00:01.00,0:00:02.00,,Hi\n`, ["1-2 Hi"]],
    ["braces of ASS", `${events}Dialogue: 0:00:01.00,0:00:02.00,,Hi \\{there\\}\n`, ["1-2 Hi {there}"]],
    [
      "ASS with a shadow below each text",
      `${events}Dialogue: 0:00:01.00,0:00:02.00,,Hi\nDialogue: 0:00:01.00,0:00:02.00,,Hi\n`,
      ["1-2 Hi"],
    ],
    [
      "ASS whose text is not the last column",
      `${events.replace("Name, Text", "Text, Name")}Dialogue: 0:00:01.00,0:00:02.00,Hi,Ann\n`,
      ["1-2 Ann: Hi"],
    ],
    [
      "what Whisper shows while it works",
      "[00:00.000 --> 00:02.500]  Welcome.\n[00:02.500 --> 00:04.000]  Thanks.\n",
      ["0-2.5 Welcome.", "2.5-4 Thanks."],
    ],
  ])("reads a transcript with %s", (_what, source, cues) => expect(linesOf(source)).toEqual(cues));

  test.each<[program: string, prefix: (name: string) => string, names: string[]]>([
    ["WhisperX", (name) => `[SPEAKER_0${name}]: `, ["SPEAKER_00", "SPEAKER_01"]],
    ["Deepgram", (name) => `[Speaker ${name}] `, ["Speaker 0", "Speaker 1"]],
    ["Amazon", (name) => `spk_${name}: `, ["spk_0", "spk_1"]],
  ])("the names of %s", (_program, prefix, names) => {
    const source = ["0", "1", "0", "1"]
      .map((name, at) => `${at + 1}\n00:00:0${at},000 --> 00:00:0${at},900\n${prefix(name)}Hi\n`)
      .join("\n");
    expect(readTranscript(source).names).toEqual(names);
    expect(readTranscript(source, { voices: names }).cues[0]).toMatchObject({
      speaker: names[0],
      text: "Hi",
    });
  });
});

// https://github.com/openai/whisper, whisper/utils.py, `highlight_words`
test("captions that Whisper shows again for each word are written once", () => {
  const shown = ["Tea?", "<u>Please,</u> Bo.", "Please, Bo.", "Please, <u>Bo.</u>", "<u>Good.</u>", "Good."];
  const srt = shown.map((text, at) => `${at + 1}\n00:00:0${at},000 --> 00:00:0${at + 1},000\n${text}\n`);
  expect(linesOf(srt.join("\n"))).toEqual(["0-1 Tea?", "1-4 Please, Bo.", "4-6 Good."]);
  expect(readTranscript(srt.join("\n")).notes).toEqual([
    "Each caption that is shown again for each of its words is written once.",
  ]);
  const twice = "1\n00:00:00,000 --> 00:00:01,000\nGo!\n\n2\n00:00:01,000 --> 00:00:02,000\n<u>Go!</u>\n";
  expect(linesOf(twice)).toEqual(["0-1 Go!", "1-2 Go!"]);
});

test("a caption that Whisper heard twice, with each of its words shown again, is written twice", () => {
  const shown = ["<u>Thank</u> you.", "Thank <u>you.</u>", "<u>Thank</u> you.", "Thank <u>you.</u>"];
  const srt = shown.map((text, at) => `${at + 1}\n00:00:0${at},000 --> 00:00:0${at + 1},000\n${text}\n`);
  expect(linesOf(srt.join("\n"))).toEqual(["0-2 Thank you.", "2-4 Thank you."]);
});

// https://github.com/openai/whisper, whisper/transcribe.py; it also names the language after the first words.
test("what Whisper shows before the words is no part of them", () => {
  const remarks =
    "Detecting language using up to the first 30 seconds. Use `--language` to specify the language\nDetected language: English\n";
  const source = `${remarks}[00:00.000 --> 00:02.500]  Welcome.\n[00:02.500 --> 00:04.000]  Thanks.\n`;
  expect(linesOf(source)).toEqual(["0-2.5 Welcome.", "2.5-4 Thanks."]);
});

test.each([
  ["Number,Start time in milliseconds,End time in milliseconds,Text\n1,3000,5000,Tea?\n", "3-5 Tea?"],
  ["Start (s),End (s),Text\n3,5,Tea?\n", "3-5 Tea?"],
  ["start_seconds,end_seconds,text\n3,5,Tea?\n", "3-5 Tea?"],
  ["start_ms,end_ms,text\n3000,5000,Tea?\n", "3-5 Tea?"],
])("a table whose first row names the unit of its times is read: %s", (source, line) => {
  expect(linesOf(source)).toEqual([line]);
});

// Adobe Premiere Pro, Export transcript as CSV. A film of 25 frames a second has none above 24.
test("times in frames in a table of Premiere Pro are read", () => {
  const rows = [
    "Speaker Name,Start Time,End Time,Text",
    'Zoë,00:00:00:00,00:00:02:20,"Tea, Bo?"',
    "Bo,00:00:02:24,00:00:04:05,Please.",
  ];
  expect(linesOf(rows.join("\n"))).toEqual(["0-2.8 Zoë: Tea, Bo?", "2.96-4.2 Bo: Please."]);
});

describe("subtitles of other kinds are refused by their names", () => {
  test.each([
    ["SCC", "Scenarist_SCC V1.0\n\n00:00:01:12\t9420 9420\n"],
    ["MPL2", "[10][35]Hi|there\n[35][62]So\n"],
    ["Spruce STL", "//Font select\n$FontName = Arial\n00:00:01:00 , 00:00:02:00 , Hi\n"],
  ])("refuses %s subtitles by their name", (name, source) => {
    expect(() => readTranscript(source)).toThrow(`These are ${name} subtitles, which can’t be read here.`);
  });

  test.each([
    ["CTM", ";; a remark\ntalk 1 0.5 0.31 welcome 0.98\ntalk 1 0.81 0.2 back 0.97\n"],
    ["STM", "talk 1 zoe 0.5 2.25 <o,f0> welcome back\ntalk 1 bo 2.25 3.0 <o> thanks\n"],
    [
      "RTTM",
      "SPEAKER talk 1 0.5 1.75 <NA> <NA> zoe <NA> <NA>\nSPEAKER talk 1 2.25 1 <NA> <NA> bo <NA> <NA>\n",
    ],
  ])("refuses %s, a list of times for speech research", (name, source) => {
    expect(() => readTranscript(source)).toThrow(`This is a list of times for speech research (${name})`);
  });

  test.each(["We had 3 4 children.", ";; A remark\n;; and another"])("but not the text “%s”", (source) => {
    expect(readTranscript(source)).toMatchObject({ format: "plain text", transcript: source });
  });

  test("and TTML whose times follow each other", () => {
    const source =
      '<tt xmlns="http://www.w3.org/ns/ttml">\n<body timeContainer="seq"><p dur="1s">Hi</p></body></tt>';
    expect(() => readTranscript(source)).toThrow(/^Line 2: times one after the other/);
  });
});

describe("a text with speakers and times is read", () => {
  const CUES = ["3.25-65.5 Zoë Ash: Tea? It is hot.", "65.5-3723 Bo: Please.", "3723-3725 Zoë Ash: Good."];
  const WHOLE = CUES.map((cue) => cue.replace("3.25", "3").replaceAll("65.5", "65"));
  test.each<[service: string, source: string, cues: string[]]>([
    [
      "Otter",
      "Zoë Ash  0:03  \nTea?\nIt is hot.\n\nBo  1:05  \nPlease.\n\nZoë Ash  1:02:03  \nGood.\n\nTranscribed by https://otter.ai\n",
      WHOLE,
    ],
    [
      "Otter, with what it found out",
      "Tea at ten\nMon, Nov 02, 2026 10:00AM • 1:02:05\n\nSUMMARY KEYWORDS\ntea, heat\n\nSPEAKERS\nBo, Zoë Ash\n\nZoë Ash  00:03\nTea? It is hot.\n\nBo  01:05\nPlease.\n\nZoë Ash  1:02:03\nGood.\n",
      WHOLE,
    ],
    [
      "Rev",
      "Zoë Ash (00:03):\nTea? It is hot.\n\nBo (01:05):\nPlease.\n\nZoë Ash (01:02:03):\nGood.\n",
      WHOLE,
    ],
    [
      "Riverside",
      "Zoë Ash (00:03.25)\nTea? It is hot.\n\nBo (01:05.5)\nPlease.\n\nZoë Ash (01:02:03.000)\nGood.\n",
      CUES,
    ],
    [
      "Happy Scribe",
      "[00:00:03.25] - Zoë Ash\nTea? It is hot.\n\n[00:01:05.50] - Bo\nPlease.\n\n[01:02:03.00] - Zoë Ash\nGood.\n",
      CUES,
    ],
    [
      "Trint",
      "Zoë Ash [00:00:03]\nTea? It is hot.\n\nBo [00:01:05]\nPlease.\n\nZoë Ash [01:02:03]\nGood.\n",
      WHOLE,
    ],
    [
      "Sonix",
      "Zoë Ash: [00:00:03] Tea? It is hot.\n\nBo: [00:01:05] Please.\n\nZoë Ash: [01:02:03] Good.\n",
      WHOLE,
    ],
    [
      "Descript",
      "[00:00:03] Zoë Ash: Tea? It is hot.\n\n[00:01:05] Bo: Please.\n\n[01:02:03] Zoë Ash: Good.\n",
      WHOLE,
    ],
  ])("reads speakers and times of %s", (_service, source, cues) => {
    expect(linesOf(source)).toEqual(cues);
    expect(linesOf(source.replaceAll("\n", "\r\n"))).toEqual(cues);
  });

  test.each([
    ["below words that are not of the service", "My talk\n\nZoë (00:03):\nTea?\n\nBo (00:05):\nPlease.\n"],
    ["with a single time", "Zoë (00:03):\nTea?\n"],
    ["with falling times", "Zoë (10:30):\nTea?\n\nBo (09:15):\nPlease.\n"],
    ["with nothing said", "Zoë  10:30\nBo  11:15\n"],
    ["with times of day", "We left the house (8:15)\nand drove.\nWe came back (12:30)\nand had tea.\n"],
    ["with headings", "Introduction (00:00)\nZOË: Hi.\nBO: Hi.\nThe early years (03:20)\nZOË: I was born.\n"],
    ["with chapters", "[00:00] - Introduction\nBo and tea.\n[03:20] - Tea\nWhy it matters.\n"],
    ["with chapters in two parts", "[00:00:00] Introduction: Bo\nand tea.\n[00:03:20] Part two: tea\n"],
    ["with verses", "Mark (4:35)\nEvening came.\nLuke (8:22)\nThey sailed.\n"],
    [
      "with a schedule",
      "Doors  9:30\nCome.\nBreak  10:30\nTea.\nTalk  11:00\nBo.\nBreak  12:00\nTea.\nEnd  1:00\n",
    ],
    [
      "below an introduction and a heading",
      "Corrected by hand.\nA long preface.\nSPEAKERS\nZoë, Bo\n\nZoë  0:03\nTea?\n\nBo  0:05\nPlease.\n\nZoë  0:09\nGood.\n",
    ],
    ["with a time that is none", "Zoë (0:01)\nTea?\nBo (75:10)\nPlease.\nZoë (0:09)\nGood.\n"],
  ])("unless it is plain text: %s", (_what, source) => {
    expect(readTranscript(source)).toMatchObject({ format: "plain text", transcript: source.trim() });
  });

  test("unless its times are beyond the recording", () => {
    const source = "Zoë (10:15)\nWe left.\nBo (12:30)\nWe ate.\nZoë (18:00)\nWe came back.";
    expect(readTranscript(source, { guessedWithin: 900 })).toMatchObject({
      format: "plain text",
      transcript: source,
      cues: [],
    });
    expect(readTranscript(source, { guessedWithin: 1200 }).cues).toHaveLength(3);
    // As stored plain texts are read again.
    expect(readTranscript(source, { guessedWithin: 0 }).transcript).toBe(source);
  });

  test("and keeps each word, or it is plain text", () => {
    const names = fc.constantFrom("Zoë", "Bo", "Opening music", "Dr. Ash & Co", "SPEAKERS");
    const clocks = fc.integer({ min: 0, max: 4000 }).map((second) => {
      const two = (value: number) => String(value).padStart(2, "0");
      return `${two(Math.floor(second / 60))}:${two(second % 60)}`;
    });
    const forms = [
      (name: string, time: string) => `${name}  ${time}`,
      (name: string, time: string) => `${name} (${time}):`,
      (name: string, time: string) => `[00:${time}.50] - ${name}`,
      (name: string, time: string) => `${name} [${time}]`,
      (name: string, time: string) => `${name}: [00:${time}] tea`,
      (name: string, time: string) => `[00:${time}] ${name}: tea`,
    ];
    const words = fc.constantFrom(
      "tea",
      "hot <b>water</b>",
      "a < b",
      "",
      "",
      "SPEAKERS",
      "scones & jam",
      "12:30 noon",
    );
    const turn = fc.record({ name: names, time: clocks, said: fc.array(words, { maxLength: 3 }) });
    const texts = fc.record({
      form: fc.constantFrom(...forms),
      above: fc.array(words, { maxLength: 2 }),
      turns: fc.array(turn, { minLength: 1, maxLength: 6 }),
      isSorted: fc.boolean(),
    });
    let read = 0;
    fc.assert(
      fc.property(texts, ({ form, above, turns, isSorted }) => {
        const ordered = isSorted ? turns.toSorted((a, b) => (a.time < b.time ? -1 : 1)) : turns;
        const source = [...above, ...ordered.flatMap(({ name, time, said }) => [form(name, time), ...said])];
        const { cues, format } = readTranscript(source.join("\n"));
        if (format === "plain text") return;
        read++;
        const found = new Set(
          cues.flatMap(({ speaker, text }) => `${speaker} ${text}`.match(/\p{L}+/gu) ?? []),
        );
        // Otter's heading, and the line below it, is not said.
        const head = above.find((line) => line !== "") === "SPEAKERS" ? above : [];
        const given = source
          .slice(head.length)
          .join(" ")
          .replace(/<\/?b>/g, "");
        for (const each of given.match(/\p{L}+/gu) ?? []) expect(found).toContain(each);
      }),
      { numRuns: 500, seed: 8 },
    );
    expect(read).toBeGreaterThan(20);
  });

  test("and what Otter writes above it is named in a note, because it is not said", () => {
    const head = "Plain Ground\nMon, Nov 02, 2026 10:00AM • 12:05\n\nSUMMARY KEYWORDS\nrent, house\n\n";
    const source = `${head}SPEAKERS\nZoë, Bo\n\nZoë  00:00\nTea?\n\nBo  00:04\nPlease.\n\nZoë  00:09\nGood.\n`;
    expect(linesOf(source)).toEqual(["0-4 Zoë: Tea?", "4-9 Bo: Please.", "9-11 Zoë: Good."]);
    expect(readTranscript(source).notes).toEqual([
      "The text above the first speaker is left out: “Plain Ground Mon, Nov 02, 2026 10:00AM •…”.",
    ]);
  });

  test("as Happy Scribe writes it, also with a single turn or falling times", () => {
    expect(linesOf("[00:00:01.10] - Zoë Ash\nTea?\n")).toEqual(["1.1-3.1 Zoë Ash: Tea?"]);
    const falling = "[00:00:05.10] - Zoë Ash\nTea?\n\n[00:00:03.00] - Bo\nPlease.\n";
    expect(linesOf(falling)).toEqual(["3-5.1 Bo: Please.", "5.1-7.1 Zoë Ash: Tea?"]);
  });

  test("with a turn without words, which is left out with a note if its speaker says something", () => {
    const music = "Zoë (00:01):\nTea?\n\nOpening music (00:02)\n\nZoë (00:03):\nGood.\n";
    expect(linesOf(music)).toEqual(["1-2 Zoë: Tea?", "2-3 Opening music", "3-5 Zoë: Good."]);
    const source = "Zoë (00:01):\nTea?\n\nZoë (00:02):\n\nZoë (00:03):\nGood.\n";
    expect(linesOf(source)).toEqual(["1-3 Zoë: Tea?", "3-5 Zoë: Good."]);
    expect(readTranscript(source).notes).toEqual(["1 cue had no words, and is left out."]);
  });

  test("and LRC of which only some lines have a name stays LRC", () => {
    const source = "[00:01.00] Zoë: Tea?\n[00:03.00] It is hot.\n[00:05.00] Bo: Please.\n";
    expect(linesOf(source)).toEqual(["1-3 Zoë: Tea?", "3-5 It is hot.", "5-7 Bo: Please."]);
  });
});

test("sounds are text in brackets, and notes of music", () => {
  expect(["♪♪ (music) ♪", " [a]\n(b) ", "♫"].map(isSound)).toEqual([true, true, true]);
  expect(["♪ la ♪", "(a", "[a] b", " ", ""].map(isSound)).toEqual([false, false, false, false, false]);
});

test("a text with more tags than are read is refused in every format", () => {
  const tags = `${"<i>".repeat(50_000)}x`;
  for (const source of [
    `[00:01.00]${tags}\n`,
    `0:00:01.000,0:00:02.000\n${tags}\n`,
    JSON.stringify({ segments: [{ start: 1, end: 2, text: tags }] }),
    `start\tend\ttext\n1\t2\t${tags}\n`,
    `${events}Dialogue: 0:00:01.00,0:00:02.00,,${tags}\n`,
  ]) {
    expect(() => readTranscript(source)).toThrow(/^Line \d: there are more than 200 tags\./);
  }
});
