import { describe, expect, test } from "vitest";
import { placeOfLines } from "#site/admin/podcast/clips/quote-place.ts";
import { captionsOf } from "#site/admin/podcast/clips/words.ts";
import { readCues } from "#site/admin/podcast/transcript-cues.ts";
import { paragraphsOf } from "#worker/episodes/paragraphs.ts";
import { readTranscript } from "#worker/episodes/transcript.ts";

const cue = (times: string, payload: string) => readCues(`WEBVTT\n\n${times}\n${payload}\n`)!;
const TEN = "00:00:10.000 --> 00:00:14.000";

const wordsOf = (payload: string) =>
  captionsOf(cue(TEN, payload))
    .flatMap(({ words }) => words)
    .map(({ text, start, end }) => [text, Number(start.toFixed(3)), Number(end.toFixed(3))]);

describe("the words of a cue", () => {
  test("have the times that are in the cue", () => {
    expect(wordsOf("<v Ada>One <00:00:12.500>two <00:00:13.250>three</v>")).toEqual([
      ["One", 10, 12.5],
      ["two", 12.5, 13.25],
      ["three", 13.25, 14],
    ]);
  });

  test("share a cue without times by their lengths", () => {
    expect(wordsOf("I am four")).toEqual([
      ["I", 10, 10.571],
      ["am", 10.571, 11.714],
      ["four", 11.714, 14],
    ]);
  });

  test("share the time between two words that have one", () => {
    expect(wordsOf("ab cd <00:00:12.000>ef")).toEqual([
      ["ab", 10, 11],
      ["cd", 11, 12],
      ["ef", 12, 14],
    ]);
  });

  test("never begin before the word before them, or after the cue", () => {
    const words = wordsOf("one <00:00:13.000>two <00:00:11.000>three <00:00:59.000>four");
    const starts = words.map(([, start]) => Number(start));
    expect(starts).toEqual(starts.toSorted((a, b) => a - b));
    for (const start of starts) expect(start).toBeLessThanOrEqual(14);
  });

  test("have no tags and no entities", () => {
    expect(wordsOf("<v Ada><i>Rent</i> &amp; <c.loud>repair</c> &lt;3</v>").map(([text]) => text)).toEqual([
      "Rent",
      "&",
      "repair",
      "<3",
    ]);
  });

  test("are those of a script without spaces, with their punctuation", () => {
    const words = captionsOf(cue(TEN, "等候室是政策。")).flatMap((caption) => caption.words);
    expect(words.map(({ text }) => text).join("")).toBe("等候室是政策。");
    expect(words.length).toBeGreaterThan(2);
    expect(words.at(-1)!.text).toMatch(/。$/);
    expect(words.slice(1).some(({ isSpaced }) => isSpaced)).toBe(false);
  });
});

describe("captions", () => {
  test("name the voice, also where the cue has times", () => {
    expect(captionsOf(cue(TEN, "<v Ada Moss>One <00:00:12.500>two"))[0]!.speaker).toBe("Ada Moss");
    expect(captionsOf(cue(TEN, "<v Ada Moss>One"))[0]!.speaker).toBe("Ada Moss");
    expect(captionsOf(cue(TEN, "One"))[0]!.speaker).toBe("");
  });

  test("divide a long cue, one after another and without losing a word", () => {
    const text = Array.from({ length: 60 }, (_, at) => `word${at}`).join(" ");
    const captions = captionsOf(cue(TEN, text));
    expect(captions.length).toBeGreaterThan(3);
    expect(captions.flatMap(({ words }) => words.map((word) => word.text)).join(" ")).toBe(text);
    for (const [at, caption] of captions.entries()) {
      expect(caption.words.map((word) => word.text).join(" ").length).toBeLessThanOrEqual(72);
      expect(caption.start).toBeCloseTo(captions[at - 1]?.end ?? 10, 9);
    }
    expect(captions.at(-1)!.end).toBeCloseTo(14, 9);
  });

  test("are none of a cue that has only tags", () => {
    expect(captionsOf(cue(TEN, "<v Ada><i></i>"))).toEqual([]);
  });
});

describe("the place of lines in a transcript's paragraphs", () => {
  const transcript = `WEBVTT

00:00:01.000 --> 00:00:04.000
<v Ada>The waiting room is
a policy,

00:00:04.000 --> 00:00:07.000
<v Ada>and <00:00:05.000>nobody <i>voted</i>.</v>

00:00:07.000 --> 00:00:08.000
<v Ada><i></i>

00:00:08.000 --> 00:00:09.000
<v Noor>So who wrote it down?
`;
  const cues = readCues(transcript)!;
  /** As the server reads it, and the page shows it. */
  const paragraphs = paragraphsOf(readTranscript(transcript).cues);
  const wordsAt = (first: number, last: number) => {
    const place = placeOfLines(cues, first, last);
    return place && paragraphs[place.paragraph]!.text.slice(place.from, place.to);
  };

  test("is that of their words", () => {
    expect(wordsAt(0, 0)).toBe("The waiting room is a policy,");
    expect(wordsAt(1, 1)).toBe("and nobody voted.");
    expect(wordsAt(0, 1)).toBe("The waiting room is a policy, and nobody voted.");
    expect(wordsAt(3, 3)).toBe("So who wrote it down?");
  });

  test("is missing for lines of several speakers, and for a line without words", () => {
    expect(wordsAt(1, 3)).toBeNull();
    expect(wordsAt(2, 2)).toBeNull();
  });
});
