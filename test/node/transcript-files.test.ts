import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { encodingOf } from "#site/admin/moving-in/file-text.ts";
import { readTranscript } from "#worker/episodes/transcript.ts";

const bytesOf = (name: string) =>
  new Uint8Array(readFileSync(new URL(`../fixtures/transcripts/${name}`, import.meta.url)));

async function textOf(name: string) {
  const bytes = bytesOf(name);
  const encoding = await encodingOf(new Blob([bytes]));
  return { encoding, text: new TextDecoder(encoding).decode(bytes) };
}

/** Start, end, speaker and words of each cue. */
const linesOf = (source: string, voices: string[] = []) =>
  readTranscript(source, { voices }).cues.map(
    ({ start, end, speaker, text }) => `${start}-${end} ${speaker ? `${speaker}: ` : ""}${text}`,
  );

const youtube = ["0.16-2.389 welcome to plain ground", "2.399-4.55 today we talk about rent"];

describe("a transcript file's format is detected from its content", () => {
  test.each<[name: string, format: string, cues: string[]]>([
    [
      "youtube.sbv",
      "SBV (YouTube)",
      ["0-3.24 Welcome to Plain Ground.", "3.24-5.7 Rents rose & wages did not."],
    ],
    ["youtube-automatic.vtt", "WebVTT", [...youtube, "4.56-7.19 [Music]", "9-10.5 and that's all"]],
    ["youtube-automatic.srt", "SRT", [...youtube, "4.56-7.19 and that's all"]],
    ["podcasting.json", "JSON", ["0.5-2.75 Zoë: Welcome to Plain Ground.", "3-4 Fred: Thanks & hello."]],
    [
      "podcasting-words.json",
      "JSON",
      ["0.5-1.1 Zoë: Welcome back.", "1.2-2.4 Zoë: Rents rose, quickly.", "2.5-2.8 Fred: Why?"],
    ],
    ["whisper.json", "JSON", ["0-2.5 Welcome to Plain Ground.", "2.5-4 Rents rose."]],
    ["whisper.tsv", "a table", ["0-2.5 Welcome to Plain Ground.", '2.5-4 "Rents," she said, rose.']],
    ["whisper-cpp.json", "JSON", ["0-2.5 Welcome to Plain Ground.", "2.5-9 [BLANK_AUDIO]"]],
    ["whisper-cpp.lrc", "LRC", ["0-2.5 Welcome to Plain Ground.", "2.5-4.5 (music)"]],
    ["whisper-cpp.csv", "a table", ["0-2.5 Welcome to Plain Ground.", '2.5-4 "Rents," she said, rose.']],
    // Of frames that end with 12, 24 a second are the lowest usual rate.
    ["premiere.csv", "a table", ["1.5-2 Speaker 1: Hello"]],
    ["hugging-face.json", "JSON", ["0-1.5 Welcome to Plain Ground.", "1.5-3.5 Rents rose."]],
    ["podlove.json", "JSON", ["1-2.5 Zoë: Welcome to Plain Ground."]],
    ["audacity.txt", "a table", ["0-2.5 Welcome to Plain Ground.", "2.5-4 Rents rose."]],
    ["apple.ttml", "TTML", ["0.86-2.1 SPEAKER_1: Welcome back.", "62.345-63.5 SPEAKER_2: Thanks, Zoë."]],
    ["agents.ttml", "TTML", ["11.5-12.5 Zoë Ash: Welcome to Plain Ground.", "13.2-14 Rents < wages"]],
    ["aegisub.ass", "ASS or SSA", ["1-2.5 Zoë: Welcome, to Plain Ground.", "2.5-3 Fred: Thanks."]],
    ["subtitle-edit.srt", "SRT", ["1-3 Hello", "3-4 Caps and white", "4-5 I <3 you & x<y"]],
    ["references.vtt", "WebVTT", ["1-3 Café ’tis 'so' … — “R&D” <3", "3-4 Zoë: I <3 you, a < b"]],
    ["windows-1252.srt", "SRT", ["1-3 Das größte Café"]],
    ["utf-16.srt", "SRT", ["1-3 Das größte Café"]],
    ["utf-16-be.vtt", "WebVTT", ["1-3 Das größte Café"]],
  ])("%s as %s", async (name, format, cues) => {
    const { text } = await textOf(name);
    const read = readTranscript(text);
    expect(read.format).toBe(format);
    expect(linesOf(text)).toEqual(cues);
    // The stored transcript is unchanged when it is read again.
    expect(readTranscript(read.transcript)).toMatchObject({
      transcript: read.transcript,
      cues: read.cues,
      notes: [],
    });
  });

  test("plain text with times in it remains plain text", () => {
    const text = "[00:01:02] Ann: Hello.\n[00:01:09] Bo: Hi.\n\n00:12 Ann: See there.";
    expect(readTranscript(text)).toMatchObject({ transcript: text, format: "plain text" });
  });

  test("a cue without words may have no blank line before the next number", () => {
    const srt = "1\n00:00:01,000 --> 00:00:02,000\n2\n00:00:02,000 --> 00:00:03,000\nSaid.\n";
    expect(linesOf(srt)).toEqual(["2-3 Said."]);
    expect(readTranscript(srt).notes).toEqual(["1 cue had no words, and is left out."]);
  });

  test("plain text remains plain text", async () => {
    const { text } = await textOf("plain.txt");
    expect(readTranscript(text)).toMatchObject({ transcript: text.trim(), cues: [], format: "plain text" });
  });
});

test("times that a captioning program rounds lose no words, and are noted", async () => {
  const { text } = await textOf("times.srt");
  expect(linesOf(text)).toEqual([
    "1-3 One.",
    "3-4 Two.",
    "4-5 Three.",
    "5-6 Four.",
    "6-8 Five.",
    "9-11 Last.",
  ]);
  expect(readTranscript(text).notes).toEqual([
    "2 cues ended when or before they began, and now end where the next begins.",
    "1 cue at the end ended when or before it began, and now lasts 2 seconds.",
    "1 cue overlapped the next, and now ends where that begins.",
    "1 cue had no words, and is left out.",
  ]);
});

test("a cue that ends far before it begins is refused with its line, and an import keeps its words", () => {
  const srt = "1\n00:00:03,000 --> 00:00:01,000\nOne.\n\n2\n00:00:04,000 --> 00:00:05,000\nTwo.\n";
  expect(() => readTranscript(srt)).toThrow(/^Line 2: the end 00:00:01\.000 isn’t after the start/);
  const { cues, notes } = readTranscript(srt, { isLenient: true });
  expect(cues).toEqual([
    { start: 3, end: 4, speaker: "", text: "One." },
    { start: 4, end: 5, speaker: "", text: "Two." },
  ]);
  expect(notes).toEqual(["1 cue ended when or before it began, and now ends where the next begins."]);
});

describe("names before what they say", () => {
  test("are offered, and become voices once they are accepted", async () => {
    const { text } = await textOf("descript.srt");
    const { names, cues } = readTranscript(text);
    expect(names).toEqual(["Zoë Ash", "Fred"]);
    expect(cues[0]).toMatchObject({ speaker: "", text: "Zoë Ash: Welcome to Plain Ground." });
    expect(linesOf(text, names)).toEqual([
      "0-2 Zoë Ash: Welcome to Plain Ground.",
      "2-3 Zoë Ash: Today: rent.",
      "3-4 Fred: Thanks.",
      "4-5 [BLANK_AUDIO]",
      "5-6 Zoë Ash: So?",
      "6-7 Fred: So.",
    ]);
    expect(linesOf(text, ["Fred", "Nobody"])[0]).toBe("0-2 Zoë Ash: Welcome to Plain Ground.");
  });

  test("may be in a script without capitals, with its own colon", () => {
    const srt = [
      "李明: 你好",
      "王芳：早上好",
      "李明: 再见",
      "王芳：再见",
      "At 10:30 we met",
      "At 10:30 again",
    ]
      .map((text, at) => `${at + 1}\n00:00:0${at},000 --> 00:00:0${at},900\n${text}\n`)
      .join("\n");
    expect(readTranscript(srt).names).toEqual(["李明", "王芳"]);
    expect(linesOf(srt, ["李明", "王芳"]).slice(0, 2)).toEqual(["0-0.9 李明: 你好", "1-1.9 王芳: 早上好"]);
  });

  test("are not offered for a word that occurs once, or if there are voices", () => {
    const cue = (at: number, text: string) => `00:0${at}.000 --> 00:0${at}.900\n${text}`;
    const vtt = (...texts: string[]) => `WEBVTT\n\n${texts.map((text, at) => cue(at, text)).join("\n\n")}\n`;
    expect(readTranscript(vtt("Remember: rent.", "and this: too", "and this: three")).names).toEqual([]);
    expect(readTranscript(vtt("<v Zoë>Ann: so", "<v Zoë>Ann: no")).names).toEqual([]);
  });
});

describe("a file that cannot be read is refused with its line, or with what to do", () => {
  test.each([
    ["broken.json", /^Line 4: segment 2 has no start in seconds\. It was read as JSON\./],
    ["cut.json", /^Line 3: the JSON is broken here\./],
    ["broken.ttml", /^Line 4: the XML is broken here\./],
    ["broken.ass", /^Line 5: “0:00:xx\.00” isn’t a time/],
    ["other.json", /^Line 1: there is no list of timed words in this JSON/],
    ["rich.rtf", /^This is a text with formatting \(RTF\)\. Save it as plain text/],
    ["page.html", /^This is a web page \(HTML\)\./],
    ["timedtext.xml", /^This is XML, but not TTML/],
  ])("%s is refused with a reason", async (name, message) => {
    const { text } = await textOf(name);
    expect(() => readTranscript(text)).toThrow(message);
  });

  test.each(["<cite>Ann:</cite>\n<time>0:03</time>\n<p>So.</p>", '<p class="a">So.</p>'])(
    "HTML without a head: %s",
    (text) => expect(() => readTranscript(text)).toThrow(/^This is a web page \(HTML\)\./),
  );

  test("a TextGrid", () => {
    const source = 'File type = "ooTextFile"\nObject class = "TextGrid"\n\nxmin = 0\nxmax = 5\n';
    expect(() => readTranscript(source)).toThrow(/^This is a TextGrid of Praat/);
  });

  test("a PDF, which has text at its beginning", () => {
    expect(() => readTranscript("%PDF-1.4\n1 0 obj\n")).toThrow(/^This is a PDF\. /);
  });
});
