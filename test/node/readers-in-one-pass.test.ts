import { expect, test } from "vitest";
import { chaptersIn } from "#worker/episodes/chapter-input/lines.ts";
import { readChapterFile } from "#worker/episodes/chapter-input/read-chapter-file.ts";
import { paragraphsOf } from "#worker/episodes/paragraphs.ts";
import { readTranscript } from "#worker/episodes/transcript.ts";
import { isSound } from "#worker/episodes/transcript-input/offered-voices.ts";
import { languageOf } from "#worker/imports/feed/language.ts";
import { playersLost } from "#worker/imports/feed/notes.ts";
import { withXhtmlAsHtml } from "#worker/imports/feed/xhtml.ts";
import { sweepsAll } from "../support/sweeps.ts";

/** Characters: an import reads so many of a transcript or a list of chapters, and no other text is longer. */
const LARGEST = 4 * 1024 * 1024;
/**
 * Each is four times longer than the one before, so that a reader that is not linear fails before it takes hours. The
 * largest takes four fifths of the time, and is tried by `npm run test:full`: a quarter of it takes minutes, too, in a
 * reader that is not linear, and exhausts the stack of one that calls itself.
 */
const SIZES = [LARGEST / 64, LARGEST / 16, LARGEST / 4, ...(sweepsAll ? [LARGEST] : [])];

/** Milliseconds of processor time, which is generous: most readers take a tenth of it. Not linear means minutes. */
const mostFor = (characters: number) => 1500 + characters / 200;

const threadTime = () => {
  const { user, system } = process.threadCpuUsage();
  return (user + system) / 1000;
};

const transcript = (text: string) => readTranscript(text, { isLenient: true });
const lines = (text: string) => chaptersIn(text.split("\n").map((line) => ({ text: line })));
const paragraphs = (text: string) =>
  paragraphsOf(text.split(" ").map((word, start) => ({ start, speaker: "", text: word })));

const ASS =
  "[Events]\nFormat: Layer, Start, End, Style, Name, MarginL, MarginR, MarginV, Effect, Text\nDialogue: 0,0:00:01.00,0:00:02.00,d,,0,0,0,,";
const TTML = '<tt xmlns="http://www.w3.org/ns/ttml"><body><p xml:space="preserve" begin="1s" end="2s">a';
const VTT = "WEBVTT\n\n00:01.000 --> 00:02.000\n";
const SHEET = "FILE a\nTRACK 01 AUDIO\nINDEX 01 00:00:00\n";

/** A text is the beginning, and then the other part again and again. */
test.each<[what: string, read: (text: string) => unknown, head: string, unit: string, end?: string]>([
  ["notes of music", isSound, "", "♪", " la"],
  ["sounds", isSound, "", "[a] (b) ", "la"],
  ["sounds without an end", isSound, "", "[(", "]"],
  ["voice tags without an end", transcript, VTT, "<v "],
  ["voice tags, of which the last has an end", transcript, VTT, "<v ", ">"],
  ["class tags without an end", transcript, VTT, "<c.a "],
  ["lines of two captions", transcript, VTT, "a\n", "\n\n00:02.000 --> 00:03.000\na\na\n"],
  ["captions", transcript, VTT, "\n\n00:01.000 --> 00:02.000\na\nb"],
  ["blank lines of SRT", transcript, "1\n00:00:01,000 --> 00:00:02,000\na\n\n", "\n \n1\n"],
  ["drawings in ASS", transcript, ASS, String.raw`{\p1`],
  ["drawings in ASS, one behind the other", transcript, ASS, String.raw`{\p1}m 0 0`],
  ["spaces in TTML", transcript, TTML, " ", "</p></body></tt>"],
  ["words in TTML", transcript, TTML, '<span unit="word">a</span>', "</p></body></tt>"],
  ["lines of LRC at one time", transcript, "", "[00:01.00]a\n"],
  ["times of a line of LRC", transcript, "", "[00:01.00]"],
  ["a word at many times of LRC", transcript, "[00:01.00]", "[00:02.00]", "many words ".repeat(3000)],
  ["the first line of a table", transcript, "start", " ", "(x"],
  ["cells of a table", transcript, "start,end,text\n", '1,2,"a""'],
  ["digits of CTM", transcript, "talk 1 ", "1", " 1 x\ntalk 1 1 1 x"],
  ["words in JSON of Google", transcript, '{"results":[{}', ',{"alternatives":[{"transcript":"a"}]}', "]}"],
  ["words without a length in JSON", transcript, '[{"start":1,"text":"a"}', ',{"start":1,"text":"a"}', "]"],
  ["lists in lists in JSON", transcript, '{"fragments":[{"begin":1,"lines":[', "[", "1"],
  ["names and times", transcript, "", "Ada (0:01)\nTea?\n"],
  ["spaces between a name and a time", transcript, "Ada", " ", "0:01x"],
  ["names with colons", transcript, VTT, "Ada Reed: ", "\n\n00:03.000 --> 00:04.000\nAda Reed: Tea?"],
  ["words without the end of a sentence", paragraphs, "", "word "],
  ["lines with a time", lines, "", "0:01 (https:0:01 (https:0:01\n"],
  ["a cue sheet’s spaces", readChapterFile, `${SHEET}TITLE`, " ", "\u2028x\u2028"],
  ["a cue sheet’s tracks", readChapterFile, "", SHEET],
  ["chapter elements without an end", readChapterFile, "<chapters>", `<chapter a="<chapter b='" c='" `],
  ["comments without an end", readChapterFile, "<chapters>", "<!--"],
  ["a line of FFmpeg’s", readChapterFile, ";FFMETADATA1\n", "a"],
  ["lines of FFmpeg’s that continue", readChapterFile, ";FFMETADATA1\na=", "b\\\n"],
  ["backslashes of FFmpeg’s", readChapterFile, ";FFMETADATA1\na=", "\\", "b"],
  ["a cell of a marker table", readChapterFile, '#,Name,Start,End\nM1,"', '""', ",1"],
  ["a player without an address", playersLost, "<iframe src=", " ", ">"],
  ["a player’s tags", playersLost, "", "<iframe "],
  ["spaces in an element of XHTML", withXhtmlAsHtml, '<content type="xhtml"><a', " ", "></a></content>"],
  ["comments as text in XHTML", withXhtmlAsHtml, '<content type="xhtml"><![CDATA[', "<!--", "]]></content>"],
  ["a language", languageOf, "en", " ", "x"],
])("%s: time grows with the length of the text, not faster", (_what, read, head, unit, end = "") => {
  for (const size of SIZES) {
    const text = head + unit.repeat(Math.ceil((size - head.length - end.length) / unit.length)) + end;
    const before = threadTime();
    try {
      read(text);
    } catch (error) {
      // Refused with a message; the stack is not exhausted.
      expect(error).toMatchObject({ code: "invalid" });
    }
    expect(threadTime() - before).toBeLessThan(mostFor(size));
  }
});
