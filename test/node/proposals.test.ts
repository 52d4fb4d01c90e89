import { describe, expect, it } from "vitest";
import { completionsOf } from "#worker/proposals/openai-server.ts";
import { passagesIn } from "#worker/proposals/passages.ts";
import { addPart, composeProposals, nothingFound } from "#worker/proposals/read-answer.ts";
import { readCompletion } from "#worker/proposals/read-completion.ts";

const cue = (text: string, at: number) => ({ start: at * 10, end: at * 10 + 8, speaker: "", text });
const part = (...texts: string[]) => ({ from: 100, cues: texts.map(cue) });

describe("passagesIn", () => {
  const said = part(
    "Well — I never",
    "thought of it; not once!",
    "I never thought of it again.",
    "我们今天谈谈倾听的艺术。",
  );
  const known = passagesIn(said);

  it.each([
    ["across cues, without punctuation and case", "i NEVER thought, of it: not", 100, [0, 1]],
    ["nearest to the line", "I never thought of it", 102, [2, 2]],
    ["in a script without spaces", "谈谈倾听的艺术", 100, [3, 3]],
    ["in full-width letters", "Ｎｅｖｅｒ　ｔｈｏｕｇｈｔ ｏｆ", 100, [0, 1]],
  ] as const)("finds a quote %s", (_, quote, line, expected) => {
    expect(known.find(quote, line)).toEqual(expected);
  });

  it.each([
    ["nobody said", "I always thought of it"],
    ["is too short", "well"],
    ["has no letters", "… — !"],
    ["leaves out words", "I never thought not once"],
  ])("finds no quote that %s", (_, quote) => {
    expect(known.find(quote, 100)).toBeNull();
  });

  it("gives the times and words of the cues", () => {
    expect(known.passage(0, 1)).toEqual({
      start: 0,
      end: 18,
      text: "Well — I never thought of it; not once!",
    });
  });
});

describe("addPart", () => {
  it("reads at most 50 chapters of a part, and counts the others", () => {
    const chapters = Array.from({ length: 60_000 }, () => ({
      title: "One",
      line: 100,
      quote: "we spoke about",
    }));
    const found = addPart(nothingFound, { chapters }, part("we spoke about it"));
    expect(found.chapters).toHaveLength(50);
    expect(found).toMatchObject({ offered: 60_000, leftOut: { number: 59_950 } });
  });
});

it("readCompletion takes no count of tokens that a request cannot have", () => {
  const usage = { prompt_tokens: 9e15, completion_tokens: 20 };
  expect(readCompletion({ response: {}, usage })).toMatchObject({ inputTokens: null, outputTokens: 20 });
});

describe("composeProposals", () => {
  const words = "we spoke about shop.example/x and mail@plain.example on a bus";
  const found = addPart(
    nothingFound,
    { points: [{ text: "They spoke.", line: "100", quote: "we spoke about" }] },
    part(words),
  );
  const titlesOf = (...texts: unknown[]) =>
    composeProposals(found, { titles: texts.map((text) => ({ text, points: ["1"] })) }, 3600);

  it("takes a link only if it is said", () => {
    const { proposals, leftOut } = titlesOf(
      "On shop.example/x, and mail@plain.example.",
      "On https://shop.example/x",
      "On shop.example/y",
      "On evil.com",
      "On a bus at 9.30 a.m., e.g. with Node.js",
    );
    expect(proposals.map((one) => "text" in one && one.text)).toEqual([
      "On shop.example/x, and mail@plain.example.",
      "On a bus at 9.30 a.m., e.g. with Node.js",
    ]);
    expect(leftOut).toEqual({ passage: 0, link: 3, form: 0, number: 0 });
  });

  it.each([
    ["in a word of Markdown", "See _https://evil.page"],
    ["behind a digit", "See 1https://evil.page"],
    ["behind an underscore", "See _www.evil.page"],
    ["that is the end of one that is said", "On op.example/x"],
    ["that is the beginning of one that is said", "Write to mail@plain.exam"],
  ])("leaves out a link %s", (_, text) => {
    expect(titlesOf(text).leftOut.link).toBe(1);
  });

  it("has at most 20 passages for a text", () => {
    const points = Array.from({ length: 30 }, () => found.points[0]!);
    const numbers = points.map((_, at) => at + 1);
    const answer = { titles: [{ text: "All", points: numbers }] };
    expect(composeProposals({ ...found, points }, answer, 3600).proposals[0]!.passages).toHaveLength(20);
  });

  it("takes one line of text of what may be anything", () => {
    const { proposals, leftOut, offered } = titlesOf("  A\n\ttitle ", "", 7, null, { text: "x" });
    expect(proposals).toMatchObject([{ kind: "title", text: "A title" }]);
    expect(leftOut.form).toBe(4);
    expect(offered).toBe(5);
  });

  it.each([[[]], [null], ["titles"], [{ title: "x" }]])("refuses %j", (answer) => {
    if (answer === null) return expect(composeProposals(found, answer, 1).proposals).toEqual([]);
    expect(() => composeProposals(found, answer, 1)).toThrow(/something else than proposals/);
  });
});

it.each([
  ["http://127.0.0.1:11434", "http://127.0.0.1:11434/v1/chat/completions"],
  ["https://api.openai.com/v1/", "https://api.openai.com/v1/chat/completions"],
  ["https://example.com/llm/chat/completions", "https://example.com/llm/chat/completions"],
])("completionsOf %s is %s", (address, endpoint) => {
  expect(completionsOf(address).href).toBe(endpoint);
});
