import { readdirSync, readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { wholeTextOf } from "#site/admin/moving-in/file-text.ts";
import { readTranscript } from "#worker/episodes/transcript.ts";

const folder = new URL("../fixtures/made/", import.meta.url);
const textOf = (name: string) =>
  wholeTextOf(new Blob([readFileSync(new URL(`transcripts/${name}`, folder))]));

/** As the programs were given them: start, end and words. */
const GIVEN = [
  "1-3.5 Welcome to Plain Ground.",
  "3.5-6.25 Rents rose & wages did not, said Zoë.",
  "3726.25-3728 “That’s all,” he said.",
];
/** LRC has no ends. */
const STARTS = [GIVEN[0]!, GIVEN[1]!.replace("-6.25", "-3726.25"), GIVEN[2]!.replace("-3728", "-3728.25")];
const byName = (name: string) => GIVEN.map((cue) => cue.replace(" ", ` ${name}: `));

type Expected = { format: string; cues?: string[]; names?: string[]; encoding?: string };
const CONVERSATION = [
  "0.5-1.9 Speaker 0: Welcome to Plain Ground.",
  "2.1-2.9 Speaker 1: Thanks, Zoë.",
  "3-3.6 Speaker 0: So rents?",
  "4-4.5 Speaker 1: They rose.",
];

const srt: Expected = { format: "SRT" };
const vtt: Expected = { format: "WebVTT" };
const ass: Expected = { format: "ASS or SSA" };
const lrc: Expected = { format: "LRC", cues: STARTS };
const json: Expected = { format: "JSON" };

const read: Record<string, Expected> = {
  "source.srt": srt,
  "ffmpeg.srt": srt,
  "ffmpeg.vtt": vtt,
  "ffmpeg.ass": ass,
  "ffmpeg.ssa": ass,
  "ffmpeg.ttml": { format: "TTML" },
  "ffmpeg.lrc": lrc,
  "ffmpeg-from-ass.srt": srt,
  "mkvextract.srt": srt,
  "mkvextract.ass": ass,
  "mkvextract.vtt": vtt,
  "pysrt.srt": srt,
  "pysrt-windows-1252.srt": { ...srt, encoding: "windows-1252" },
  "pysrt-utf-16.srt": { ...srt, encoding: "utf-16le" },
  "srt-py.srt": srt,
  "srt-py-crlf.srt": srt,
  "webvtt-py.vtt": vtt,
  "webvtt-py.srt": srt,
  "aeidon.srt": srt,
  "aeidon.ass": ass,
  "aeidon.ssa": ass,
  // It writes whole seconds.
  "aeidon-tmplayer.txt": {
    format: "TMPlayer",
    cues: [
      GIVEN[0]!.replace("-3.5", "-4"),
      GIVEN[1]!.replace("3.5-6.25", "4-3726"),
      GIVEN[2]!.replace("3726.25", "3726"),
    ],
  },
  // It drops the hours.
  "aeidon.lrc": {
    format: "LRC",
    cues: STARTS.map((cue) => cue.replace("3726.25", "126.25").replace("3728.25", "128.25")),
  },
  "aeidon.vtt": vtt,
  "yt-dlp.srt": srt,
  "subsrt-ts.srt": srt,
  "subsrt-ts.vtt": vtt,
  // It writes “NTP” as everyone's name.
  "subsrt-ts.ass": { ...ass, cues: byName("NTP") },
  "subsrt-ts.ssa": { ...ass, cues: byName("NTP") },
  "subsrt-ts.sbv": { format: "SBV (YouTube)" },
  "subsrt-ts.lrc": lrc,
  "subsrt-ts.json": json,
  "subtitle.srt": srt,
  "subtitle.vtt": vtt,
  "subtitle.json": json,
  "subtitle-converter.vtt": vtt,
  "node-webvtt.vtt": vtt,
  "vtt-creator.vtt": vtt,
  "srt-parser-2.srt": srt,
  "ass-compiler.ass": ass,
  "ass-compiler-decompiled.ass": ass,
  "lrc-kit.lrc": {
    format: "LRC",
    cues: ["1-3.5 Again.", STARTS[1]!, "3726.25-3728.25 Again."],
  },
  // Half a second earlier.
  "lrc-kit-offset.lrc": {
    format: "LRC",
    cues: [
      "0.5-3 Welcome to Plain Ground.",
      "3-3725.75 Rents rose & wages did not, said Zoë.",
      "3725.75-3727.75 “That’s all,” he said.",
    ],
  },
  "paroles.lrc": lrc,
  "remotion.srt": srt,
  "remotion.json": json,
  "subvibe.srt": srt,
  "subvibe.vtt": vtt,
  "transcriptator.json": json,
  "deepgram-captions.srt": {
    ...srt,
    names: ["Speaker 0", "Speaker 1"],
    cues: CONVERSATION,
  },
  "deepgram-captions.vtt": { ...vtt, cues: CONVERSATION },
  "aws-transcription-to-srt.srt": {
    ...srt,
    cues: ["0.5-1.9 Welcome to Plain Ground.", "2.1-2.5 Thanks,", "2.5-2.9 Zoë."],
  },
  "aws-transcription-to-vtt.vtt": { ...vtt, cues: ["0.5-2.9 Welcome to Plain Ground. Thanks, Zoë."] },
};

const cannot = (what: string) =>
  `These are ${what} subtitles, which can’t be read here. Export them as SRT or WebVTT, and choose that file.`;
const MICRODVD =
  "These are MicroDVD subtitles, whose times depend on a video’s frames. Export them as SRT or WebVTT, and choose that file.";
const refused: Record<string, string> = {
  "subsrt-ts.smi": cannot("SAMI"),
  "subsrt-ts.sub": MICRODVD,
  "aeidon.sub": cannot("SubViewer"),
  "aeidon-microdvd.sub": MICRODVD,
  "aeidon-mpl2.txt": cannot("MPL2"),
};

describe("a transcript that a program wrote", () => {
  test.each(Object.entries(read))(
    "is read whole: %s",
    async (name, { format, cues = GIVEN, names = [], encoding = "utf-8" }) => {
      const file = await textOf(name);
      expect(file.encoding).toBe(encoding);
      const transcript = readTranscript(file.text, { voices: names });
      expect(transcript).toMatchObject({ format, names, notes: [] });
      expect(
        transcript.cues.map(
          ({ start, end, speaker, text }) => `${start}-${end} ${speaker ? `${speaker}: ` : ""}${text}`,
        ),
      ).toEqual(cues);
    },
  );

  test.each(Object.entries(refused))("is refused by the name of its format: %s", async (name, message) => {
    const { text } = await textOf(name);
    expect(() => readTranscript(text)).toThrow(message);
  });

  test("is in the table, and its program and recipe in the README", () => {
    const files = readdirSync(new URL("transcripts/", folder));
    expect(files.toSorted()).toEqual([...Object.keys(read), ...Object.keys(refused)].toSorted());
    const readme = readFileSync(new URL("README.md", folder), "utf8");
    const isNamed = (file: string) =>
      readme.includes(`\`${file}\``) || new RegExp(`\`${file.split(/[.-]/)[0]}[^|]*\\|`).test(readme);
    expect(files.filter((file) => !isNamed(file))).toEqual([]);
  });
});
