import { describe, expect, it } from "vitest";
import { correctionsIn, voicesIn, withNames } from "../../src/admin/podcast/transcription/names.ts";
import { readTranscript } from "#worker/episodes/transcript.ts";

const vtt = (...texts: string[]) =>
  `WEBVTT\n\n${texts.map((text, at) => `00:00:0${at}.000 --> 00:00:0${at}.900\n${text}`).join("\n\n")}\n`;
const listed = (names: string[], ...texts: string[]) =>
  correctionsIn(vtt(...texts), names).map(({ from, to, count }) => `${from} > ${to} ${count}`);

describe("voicesIn", () => {
  it("lists the model’s voices in their order, with the first words of each", () => {
    const transcript = vtt(
      "<v Speaker 2>Yes.</v>",
      "<v Speaker 1>Hello &amp;\nwelcome.</v>",
      "<v Speaker 2>No.</v>",
    );
    expect(voicesIn(transcript)).toEqual([
      { voice: "Speaker 1", says: "Hello & welcome." },
      { voice: "Speaker 2", says: "Yes." },
    ]);
  });

  it("has none of a transcript without voices, or with names", () => {
    expect(voicesIn(vtt("Hello."))).toEqual([]);
    expect(voicesIn(vtt("<v Ann>Hello.</v>"))).toEqual([]);
  });
});

describe("correctionsIn", () => {
  it("offers a name that the model misspelt, whole or in part, with how often", () => {
    expect(
      listed(["Imogen Tarrant"], "I am Imogen Tarant.", "Imogen Tarant said so.", "Tarrent did."),
    ).toEqual(["Imogen Tarant > Imogen Tarrant 2", "Tarrent > Tarrant 1"]);
  });

  it("offers nothing for what is right, small, another known name, or too different", () => {
    expect(listed(["Maren Oduya"], "Maren Oduya and her marrow.", "The mare ran.", "Maria came.")).toEqual(
      [],
    );
    expect(listed(["Karin Berg", "Karen Bergh"], "Karin and Karen met.")).toEqual([]);
    expect(listed(["Al"], "El came.")).toEqual([]);
  });

  it("compares without accents, and in scripts without capitals", () => {
    expect(listed(["Zoë Müller"], "Zoe Muller spoke.")).toEqual([]);
    expect(listed(["Zoë Müller"], "Zoë Mueler spoke.")).toEqual(["Zoë Mueler > Zoë Müller 1"]);
    expect(listed(["محمود درويش"], "قال محمود درويس")).toEqual(["محمود درويس > محمود درويش 1"]);
  });
});

describe("withNames", () => {
  it("names the voices and corrects whole words only, in what the site reads", () => {
    const transcript = vtt("<v Speaker 1>Tarant, not Tarants &lt;3.</v>", "<v Speaker 2>Yes.</v>");
    const named = withNames(transcript, {
      voices: { "Speaker 1": "Imogen <T>", "Speaker 2": " " },
      corrections: [{ from: "Tarant", to: "Tarrant $&" }],
    });
    expect(readTranscript(named).cues).toMatchObject([
      { speaker: "Imogen <T>", text: "Tarrant $&, not Tarants <3." },
      { speaker: "Speaker 2", text: "Yes." },
    ]);
  });

  it("treats signs in a name as themselves", () => {
    const one = vtt("I met A.J. (Jay) there.");
    const changed = withNames(one, { voices: {}, corrections: [{ from: "A.J. (Jay", to: "AJ (Jay" }] });
    expect(changed).toBe(vtt("I met AJ (Jay) there."));
  });
});
