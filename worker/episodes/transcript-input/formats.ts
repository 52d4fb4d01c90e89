import { looksTimed, readSrt, readWebVtt } from "#worker/episodes/transcript-input/blocks.ts";
import { readJson } from "#worker/episodes/transcript-input/json.ts";
import {
  isAss,
  isLrc,
  isSbvTiming,
  isTmPlayer,
  isWhisperLog,
  readAss,
  readLrc,
  readSbv,
  readTmPlayer,
  readWhisperLog,
} from "#worker/episodes/transcript-input/lines.ts";
import { isTable, readTable } from "#worker/episodes/transcript-input/tables.ts";
import { everyLine, type Problem, type TimedText } from "#worker/episodes/transcript-input/texts.ts";
import { isTurns, notesOnTurns, readTurns } from "#worker/episodes/transcript-input/turns.ts";
import { isTtml, readTtml } from "#worker/episodes/transcript-input/ttml.ts";

export type InputFormat = {
  name: string;
  /** Decides by the file's content, not its name. `text` begins with its first non-space character. */
  fits: (text: string) => boolean;
  /** People write such texts, too: where its times cannot be meant, it is plain text. */
  isGuess?: boolean;
} & (
  | {
      read: (source: string) => (TimedText | Problem)[];
      /** Sentences about what is not read. */
      notesOn?: (source: string) => string[];
    }
  /** What the file is, and what to do instead. */
  | { refusal: string }
);

/** The first that fits is it; a text that none fits is plain text. */
export const inputFormats: InputFormat[] = [
  { name: "WebVTT", fits: (text) => /^WEBVTT(?=\s|$)/.test(text), read: readWebVtt },
  {
    name: "RTF",
    fits: (text) => text.startsWith(String.raw`{\rtf`),
    refusal:
      "This is a text with formatting (RTF). Save it as plain text in the program that wrote it, and choose that file.",
  },
  {
    name: "PDF",
    fits: (text) => text.startsWith("%PDF-"),
    refusal:
      "This is a PDF. Open it, copy the words and paste them here, or export the transcript as SRT or WebVTT.",
  },
  {
    name: "MicroDVD",
    fits: (text) => /^\{\d+\}\{\d*\}/.test(text),
    refusal:
      "These are MicroDVD subtitles, whose times depend on a video’s frames. Export them as SRT or WebVTT, and choose that file.",
  },
  { name: "JSON", fits: (text) => /^(?:\{|\[\s*[{\]])/.test(text), read: readJson },
  { name: "ASS or SSA", fits: isAss, read: readAss },
  {
    name: "HTML",
    // Podcasting 2.0's transcripts in HTML have no more around them.
    fits: (text) =>
      /^<(?:!doctype html|(?:html|head|body|main|article|section|div|p|cite|time|h[1-6])[\s>])/i.test(text),
    refusal: "This is a web page (HTML). Open it in a browser, copy the words and paste them here.",
  },
  otherSubtitles("SAMI", (text) => /^<sami[\s>]/i.test(text)),
  { name: "TTML", fits: (text) => /^<(?:[?!]|[\w-]+:tt\b|tt\b)/.test(text) && isTtml(text), read: readTtml },
  {
    name: "XML",
    fits: (text) => /^<(?:\?xml|!doctype|!--|transcript[\s>]|timedtext[\s>])/i.test(text),
    refusal:
      "This is XML, but not TTML, the subtitles that can be read here. Export the transcript as SRT or WebVTT, and choose that file.",
  },
  otherSubtitles("SubViewer", (text) => /^\[INFORMATION\]/i.test(text)),
  otherSubtitles("SCC", (text) => /^Scenarist_SCC\b/i.test(text)),
  otherSubtitles("MPL2", (text) => /^\[\d+\]\[\d+\]/.test(text)),
  { name: "TMPlayer", fits: isTmPlayer, read: readTmPlayer },
  wordsWithTimes("CTM", /^\S+\s+\S+(?:\s+\d+(?:\.\d*)?){2}\s+\S+(?:\s+[\d.]+)?\s*$/),
  wordsWithTimes("STM", /^\S+\s+\S+\s+\S+(?:\s+\d+\.\d+){2}(?:\s|$)/),
  wordsWithTimes("RTTM", /^[A-Z-]+\s+\S+\s+\S+(?:\s+(?:\d+(?:\.\d*)?|<NA>)){2}(?:\s+\S+){4,5}\s*$/),
  {
    name: "a TextGrid",
    fits: (text) => text.startsWith('File type = "ooTextFile'),
    refusal:
      "This is a TextGrid of Praat, which can’t be read here. Export the transcript as SRT or WebVTT, and choose that file.",
  },
  otherSubtitles("Spruce STL", (text) => /^(?:\/\/[^\n]*\n\s*)*\$FontName\b/i.test(text)),
  {
    name: "a text with speakers and times",
    fits: isTurns,
    isGuess: true,
    read: readTurns,
    notesOn: notesOnTurns,
  },
  { name: "Whisper’s output", fits: isWhisperLog, read: readWhisperLog },
  { name: "LRC", fits: isLrc, read: readLrc },
  { name: "SBV (YouTube)", fits: (text) => hasLine(text, isSbvTiming), read: readSbv },
  { name: "a table", fits: isTable, read: readTable },
  { name: "SRT", fits: (text) => hasLine(text, looksTimed), read: readSrt },
];

function otherSubtitles(name: string, fits: (text: string) => boolean): InputFormat {
  const refusal = `These are ${name} subtitles, which can’t be read here. Export them as SRT or WebVTT, and choose that file.`;
  return { name, fits, refusal };
}

/** Characters in which a line of such a list shows its kind: STM’s end with all that is said. */
const LINE_START = 500;

/** What programs for speech research exchange; it has a line for each word or segment. A single line may be a sentence. */
function wordsWithTimes(name: string, line: RegExp): InputFormat {
  return {
    name,
    fits: (text) => {
      let count = 0;
      const isList = everyLine(text, (each) => {
        if (each.startsWith(";;")) return true;
        count++;
        return line.test(each.slice(0, LINE_START));
      });
      return isList && count > 1;
    },
    refusal: `This is a list of times for speech research (${name}), which can’t be read here. Export the transcript as SRT or WebVTT, and choose that file.`,
  };
}

const hasLine = (text: string, test: (line: string) => boolean) => text.split("\n").some(test);
