import { expect, test } from "vitest";
import {
  countMatches,
  cueAt,
  readCues,
  replaceMatches,
  writeCues,
} from "#site/admin/podcast/transcript-cues.ts";
import { readTranscript } from "#worker/episodes/transcript.ts";

const vtt = `WEBVTT

00:00:00.120 --> 00:00:02.480
<v Ann>Tea &amp; toast.

00:00:02.480 --> 00:00:05.001
Nobody says
two lines.

00:00:06.000 --> 01:00:07.000
<v Ann>Yes.</v> <v Bo><i>No</i>.
`;

test("a transcript without edits is unchanged", () => {
  expect(writeCues(readCues(vtt)!)).toBe(vtt);
  expect(readTranscript(writeCues(readCues(vtt)!))).toEqual(readTranscript(vtt));
});

test("a cue has its speaker and text without simple tags, and with other tags unchanged", () => {
  expect(readCues(vtt)).toMatchObject([
    { start: 0.12, end: 2.48, speaker: "Ann", text: "Tea & toast." },
    { speaker: "", text: "Nobody says\ntwo lines." },
    { end: 3607, speaker: null, text: "<v Ann>Yes.</v> <v Bo><i>No</i>." },
  ]);
});

test("an edited cue keeps its times, with the typed text", () => {
  const [first, ...rest] = readCues(vtt)!;
  const typed = "a < b --> c & d\n\n\nNew line";
  const written = writeCues([{ ...first!, speaker: "Ann <b>\n& Bo", text: typed }, ...rest]);
  const { cues } = readTranscript(written);
  expect(cues[0]).toEqual({
    start: 0.12,
    end: 2.48,
    speaker: "Ann <b> & Bo",
    text: "a < b --> c & d New line",
  });
  expect(cues).toHaveLength(4);
  expect(written.split("\n").filter((line) => line.includes(" --> "))).toEqual(
    vtt.split("\n").filter((line) => line.includes(" --> ")),
  );
});

test("an emptied cue is left out when it is saved", () => {
  const [first, ...rest] = readCues(vtt)!;
  expect(readTranscript(writeCues([{ ...first!, speaker: "", text: " " }, ...rest])).cues).toHaveLength(3);
});

test("other texts are for the API to read", () => {
  for (const text of ["", "Hello", "WEBVTT", "1\n00:00:01,000 --> 00:00:02,000\nHello", "WEBVTT\n\nNOTE\n"]) {
    expect(readCues(text)).toBeNull();
  }
});

test("the current cue is the last that has started", () => {
  const cues = readCues(vtt)!;
  expect([0, 0.12, 2.47, 2.48, 5.5, 9999].map((time) => cueAt(cues, time))).toEqual([-1, 0, 0, 1, 1, 2]);
});

test("a text is found and replaced as written, and marks are left alone", () => {
  const [first, , last] = readCues(vtt)!;
  expect(countMatches(first!, { find: "t", matchCase: false })).toBe(3);
  expect(countMatches(first!, { find: "t", matchCase: true })).toBe(2);
  expect(replaceMatches(first!, { find: ".", matchCase: false }, "$&!").text).toBe("Tea & toast$&!");
  expect(countMatches(last!, { find: "v", matchCase: false })).toBe(0);
  expect(replaceMatches(last!, { find: "No", matchCase: true }, "Never").text).toContain("<i>Never</i>");
  expect(countMatches(first!, { find: "", matchCase: false })).toBe(0);
});
