import { eq } from "drizzle-orm";
import { parseText } from "media-captions";
import { describe, expect, test } from "vitest";
import { createEpisode, updateEpisode } from "#worker/episodes/commands.ts";
import { checkEpisode } from "#worker/episodes/publish-check.ts";
import { readEpisode } from "#worker/episodes/queries.ts";
import { episodes } from "#worker/episodes/table.ts";
import { readTranscript } from "#worker/episodes/transcript.ts";
import { fetchSite, ownerContext, signedIn, visitorContext } from "./support/client.ts";
import { anEpisode, publishedEpisode, savedShow, storedAudio } from "./support/factories.ts";

const { api } = await signedIn("editor");

const VTT = `WEBVTT

00:00:04.000 --> 00:00:06.500
<v Maren>I do. It was <i>winter</i>.

00:00:01.000 --> 00:00:03.000
<v Imogen>Do you remember
the first day?
`;
const PLAIN = "IMOGEN: Do you remember?\n\nMAREN: I do. It was 12:30 & raining <hard>.";

const problemOf = (source: string) => {
  try {
    return readTranscript(source);
  } catch (error) {
    return (error as Error).message;
  }
};

describe("a transcript", () => {
  test("is WebVTT or SRT, with its cues ordered by time", () => {
    const { transcript, cues } = readTranscript(VTT);
    expect(transcript).toBe(
      "WEBVTT\n\n00:00:01.000 --> 00:00:03.000\n<v Imogen>Do you remember\nthe first day?\n\n" +
        "00:00:04.000 --> 00:00:06.500\n<v Maren>I do. It was <i>winter</i>.\n",
    );
    expect(cues).toEqual([
      { start: 1, end: 3, speaker: "Imogen", text: "Do you remember the first day?" },
      { start: 4, end: 6.5, speaker: "Maren", text: "I do. It was winter." },
    ]);
    const srt =
      "2\r\n00:01:00,000 --> 00:01:01,000\r\nBye\r\n\r\n1\r\n00:00:01,000 --> 00:00:02,250\r\nHello\r\nthere\r\n";
    expect(readTranscript(srt).transcript).toBe(
      "WEBVTT\n\n00:00:01.000 --> 00:00:02.250\nHello\nthere\n\n00:01:00.000 --> 00:01:01.000\nBye\n",
    );
  });

  test("is unchanged when it is saved again", () => {
    const first = readTranscript(VTT);
    expect(readTranscript(first.transcript)).toEqual(first);
    const plain = readTranscript(PLAIN);
    expect(readTranscript(plain.transcript)).toEqual(plain);
  });

  test("may have any feature of WebVTT files, and common mistakes", () => {
    const source =
      "\uFEFF\nWEBVTT - Plain Ground\nKind: captions\n\nSTYLE\n::cue { color: red }\n\nNOTE a remark\nof two lines\n\n" +
      "intro\n1:02.5 --> 1:04,25 align:start position:0%\nHello\n\n00:01:05.000 --> 00:01:06.000\n\n";
    expect(readTranscript(source).cues).toEqual([{ start: 62.5, end: 64.25, speaker: "", text: "Hello" }]);
  });

  test("in SRT preserves its text, with or without markup", () => {
    const said = [
      "Rents < wages & A <3 B",
      "if x<y then z",
      "an arrow --> in the text",
      "<i>quietly</i> &amp; plainly",
    ];
    const srt = said.map((text, n) => `${n + 1}\n00:00:0${n},000 --> 00:00:0${n},900\n${text}\n`).join("\n");
    const texts = readTranscript(srt).cues.map(({ text }) => text);
    expect(texts).toEqual([...said.slice(0, 3), "quietly &amp; plainly"]);
  });

  const cue = "00:00:01.000 --> 00:00:02.000\nHello\n";
  const later = "00:00:03.000 --> 00:00:04.000\nBye\n";
  test.each([
    ["below the header of WebVTT", `WEBVTT\n${cue}\n${later}`],
    ["above a number below the header", `WEBVTT\n1\n${cue}\n2\n${later}`],
    ["between cues of WebVTT", `WEBVTT\n\n${cue}${later}`],
    ["between numbered cues of WebVTT", `WEBVTT\n\n1\n${cue}2\n${later}`],
    ["between cues of SRT", `1\n${cue}2\n${later}`],
  ])("may lack the empty line %s", (_place, source) => {
    expect(readTranscript(source).cues).toEqual([
      { start: 1, end: 2, speaker: "", text: "Hello" },
      { start: 3, end: 4, speaker: "", text: "Bye" },
    ]);
  });

  test.each([
    ["within what a cue of SRT says", `1\n${cue}\nagain\n\n2\n${later}`, "Hello again"],
    ["below each line of SRT", `1\n${cue}2\n${later}`.replaceAll("\n", "\r\r\n"), "Hello"],
  ])("may have empty lines %s", (_place, source, first) => {
    expect(readTranscript(source).cues).toMatchObject([{ text: first }, { start: 3, text: "Bye" }]);
  });

  test("has both voices of a cue in which the first is not closed", () => {
    const { cues } = readTranscript("WEBVTT\n\n00:01.000 --> 00:02.000\n<v Ann>Tea?\n<v Bo>Please.\n");
    expect(cues).toMatchObject([
      { speaker: "Ann", text: "Tea?" },
      { speaker: "Bo", text: "Please." },
    ]);
  });

  const readAs = (source: string) =>
    `It was read as ${source.startsWith("WEBVTT") ? "WebVTT" : "SRT"}. Correct it there, or export it as SRT or WebVTT, and try again.`;
  test.each([
    [
      `WEBVTT\n\n${cue}\n00:00:0x.000 --> 00:00:04.000\nBroken\n`,
      "Line 6: “00:00:0x.000” isn’t a time such as 00:01:02.500.",
    ],
    [`WEBVTT\n\n00:00:01.000 --> soon\nBroken\n`, "Line 3: “soon” isn’t a time such as 00:01:02.500."],
    [`WEBVTT\n\n00:00:01.000 -->\nBroken\n`, "Line 3: “” isn’t a time such as 00:01:02.500."],
    [
      `WEBVTT\n\n00:61:00.000 --> 00:62:00.000\nBroken\n`,
      "Line 3: “00:61:00.000” isn’t a time such as 00:01:02.500.",
    ],
    [
      `WEBVTT\n\nid\n00:00:05.000 --> 00:00:03.999\nBroken\n`,
      "Line 4: the end 00:00:03.999 isn’t after the start 00:00:05.000.",
    ],
    [`WEBVTT\n\n${cue}\nLost\nwords\n`, "Line 6: “Lost” has no time. A blank line ends each cue."],
    [`Title\n\n1\n${cue}`, "Line 1: “Title” has no time. A blank line ends each cue."],
    [
      `WEBVTT\n\n${cue}\nLost\n\nLost again\n`,
      "Line 6: “Lost” has no time. A blank line ends each cue. 1 more place can’t be read either.",
    ],
    [`WEBVTT\n\nNOTE nothing else\n`, "This transcript has no line with both a time and words."],
    [
      `WEBVTT\n\n00:00:01.000 --> 00:00:02.000\n<v Imogen>\n`,
      "This transcript has no line with both a time and words.",
    ],
  ])("with a broken cue is refused with its line: %j", (source, message) => {
    expect(problemOf(source)).toBe(`${message} ${readAs(source)}`);
  });

  test("that is broken is refused beside its field, and nothing is saved", async () => {
    const json = anEpisode({ transcript: `WEBVTT\n\n${cue}\nLost\n` });
    const answer = await api.episodes.$post({ json });
    expect(answer.status).toBe(422);
    expect(await answer.json()).toMatchObject({
      error: { field: "transcript", message: expect.stringMatching(/^Line 6: /) },
    });
  });

  test("from before strict parsing does not prevent saving other fields", async () => {
    const { id } = await createEpisode(ownerContext(), anEpisode({ transcript: VTT }));
    const loose = `${VTT}\n00:00:07.000 --> 00:00:08.000\nHello\n \nthere\n`;
    await ownerContext().db.update(episodes).set({ transcript: loose }).where(eq(episodes.id, id));
    const { values } = await updateEpisode(ownerContext(), id, { title: "Saved", transcript: loose });
    expect(values).toMatchObject({ title: "Saved", transcript: loose });
  });

  describe("a transcript of a longer recording", () => {
    const said = (start: string, end: string) =>
      `WEBVTT\n\n00:00:01.000 --> 00:00:02.000\nHello.\n\n${start} --> ${end}\nAnd that is the end.\n`;
    const audioOf = async (durationSeconds: number | null) => (await storedAudio({ durationSeconds })).id;
    const refusal = {
      code: "invalid",
      field: "transcript",
      message:
        "“And that is the end.” starts at 1:02:05, but the recording ends at 1:30. Is this transcript for another recording?",
    };
    const late = said("01:02:05.000", "01:02:06.000");

    test("is refused beside its field, by the save and by the publish check", async () => {
      const episode = anEpisode({ audioFileId: await audioOf(89.9), transcript: late });
      await expect(createEpisode(ownerContext(), episode)).rejects.toMatchObject(refusal);
      const answer = await api.episodes.$post({ json: episode });
      expect([answer.status, await answer.json()]).toMatchObject([422, { error: { field: "transcript" } }]);
      const { field, message } = refusal;
      expect(await checkEpisode(ownerContext(), { episode })).toContainEqual({
        level: "error",
        field,
        message,
      });
    });

    test("is refused when a shorter recording replaces its own", async () => {
      const { id } = await createEpisode(
        ownerContext(),
        anEpisode({ audioFileId: await audioOf(4000), transcript: late }),
      );
      const change = { audioFileId: await audioOf(89.9) };
      await expect(updateEpisode(ownerContext(), id, change)).rejects.toMatchObject(refusal);
      const { values } = await updateEpisode(ownerContext(), id, { ...change, transcript: "" });
      expect(values).toMatchObject({ ...change, transcript: "" });
    });

    test("is refused when the recording is added after it", async () => {
      const { id } = await createEpisode(ownerContext(), anEpisode({ transcript: late }));
      const change = { audioFileId: await audioOf(89.9) };
      await expect(updateEpisode(ownerContext(), id, change)).rejects.toMatchObject(refusal);
    });

    test.each([
      ["its last words end after the end", 89.9, said("00:01:29.000", "00:01:40.000")],
      ["its last words start within a second of the end", 89.9, said("00:01:30.800", "00:01:31.000")],
      ["the length is unknown", null, late],
      ["it has no times", 89.9, "And that is the end, at 1:02:05."],
    ])("is saved if %s", async (_what, seconds, transcript) => {
      const episode = anEpisode({ audioFileId: await audioOf(seconds), transcript });
      expect((await createEpisode(ownerContext(), episode)).values.transcript).not.toBe("");
    });

    test("from before this check does not prevent saving other fields", async () => {
      const { id } = await createEpisode(ownerContext(), anEpisode({ transcript: late }));
      await ownerContext().db.update(episodes).set({ durationSeconds: 60 }).where(eq(episodes.id, id));
      const chapters = [{ start: 5, title: "One", url: null }];
      const { values } = await updateEpisode(ownerContext(), id, { title: "Saved", chapters });
      expect(values).toMatchObject({ title: "Saved", chapters, transcript: late });
    });

    test("and an unreadable one are named by the publish check, with late chapters", async () => {
      const episode = anEpisode({
        audioFileId: await audioOf(89.9),
        transcript: `WEBVTT\n\n00:00:01.000 --> 00:00:02.000\nHello\n\nLost\n`,
        chapters: [{ start: 3725, title: "The end", url: null }],
      });
      const problems = await checkEpisode(ownerContext(), { episode });
      expect(problems.map(({ level, field }) => `${level} ${field}`)).toEqual(
        expect.arrayContaining(["error chapters.0.start", "error transcript"]),
      );
    });
  });

  // A reader that is not linear would take minutes.
  test("with many lines and odd characters is read", () => {
    for (const text of [
      "1:".repeat(300_000),
      " ".repeat(600_000) + "x",
      "\n".repeat(600_000),
      "-->".repeat(200_000),
    ]) {
      expect(() => problemOf(text)).not.toThrow();
      expect(() => problemOf(`WEBVTT\n\n${text}`)).not.toThrow();
    }
  });
});

describe("the check of a transcript", () => {
  const checked = async (json: { transcript: string; lasts?: number; voices?: string[] }) =>
    (await api.episodes["check-transcript"].$post({ json })).json();
  const srt = ["Ann: Hello.", "Bo: Hi.", "Ann: So?", "Bo: So."]
    .map((said, at) => `${at + 1}\n00:00:0${at},000 --> 00:00:0${at},000\n${said}\n`)
    .join("\n");

  test("names what is said after the recording’s end, and reads a text with such times as plain text", async () => {
    const late = "1\n00:00:01,000 --> 00:00:02,000\nHi.\n\n2\n00:18:00,000 --> 00:18:01,000\nBye.\n";
    expect(await checked({ transcript: late, lasts: 900.25 })).toMatchObject({
      cues: 2,
      notes: [
        "“Bye.” starts at 18:00, but the recording ends at 15:00. Is this transcript for another recording?",
      ],
    });
    expect(await checked({ transcript: late, lasts: 0 })).toMatchObject({ cues: 2, notes: [] });
    const clocks = "Zoë (10:15)\nWe left.\nBo (12:30)\nWe ate.\nZoë (18:00)\nWe came back.";
    expect(await checked({ transcript: clocks, lasts: 900 })).toMatchObject({
      format: "plain text",
      transcript: clocks,
      notes: [],
    });
    expect(await checked({ transcript: clocks, lasts: 1200 })).toMatchObject({ cues: 3 });
  });

  test("names the format, the changes, and names that may be voices", async () => {
    expect(await checked({ transcript: srt })).toMatchObject({
      format: "SRT",
      cues: 4,
      names: ["Ann", "Bo"],
      notes: [
        "3 cues ended when or before they began, and now end where the next begins.",
        "1 cue at the end ended when or before it began, and now lasts 2 seconds.",
      ],
    });
    const { transcript } = (await checked({ transcript: srt, voices: ["Ann", "Bo"] })) as {
      transcript: string;
    };
    expect(transcript).toMatch(/^WEBVTT\n\n00:00:00\.000 --> 00:00:01\.000\n<v Ann>Hello\.\n/);
  });

  test("accepts a file that is longer than its text", async () => {
    const tokens = Array.from({ length: 200_000 }, () => 50364);
    const transcript = JSON.stringify({ segments: [{ start: 0, end: 1, text: " Hello.", tokens }] });
    expect(transcript.length).toBeGreaterThan(600_000);
    expect(await checked({ transcript })).toMatchObject({ format: "JSON", cues: 1 });
  });

  test("refuses what the save would refuse", async () => {
    const json = anEpisode({ transcript: '{"results":{}}' });
    const answer = await api.episodes.$post({ json });
    expect(answer.status).toBe(422);
    expect(await answer.json()).toMatchObject({ error: { field: "transcript" } });
  });
});

describe("a sound in a transcript", () => {
  test.each([
    [
      "with times",
      "WEBVTT\n\n00:01.000 --> 00:02.000\n[QUOLL_AUDIO]\n\n00:02.000 --> 00:03.000\nOf wombats.\n",
    ],
    ["without times", "(quoll_audio music)\n\nOf wombats."],
  ])("is served and not searchable, %s", async (_what, transcript) => {
    const { id, title } = await publishedEpisode({ transcript });
    expect(await (await fetchSite(`/episode/${id}/transcript.txt`)).text()).toMatch(/quoll_audio/i);
    expect(await (await fetchSite("/api/search?q=quoll_audio")).text()).not.toContain(title);
    expect(await (await fetchSite("/api/search?q=wombats")).text()).toContain(title);
  });
});

describe("a transcript without times", () => {
  test("is stored unchanged, with at most one blank line in a row, and has no cues", () => {
    expect(readTranscript(`\n${PLAIN}  \r\n\r\n\r\n\r\nThe\0 end\n`)).toMatchObject({
      transcript: `${PLAIN}\n\nThe end`,
      cues: [],
    });
    expect(readTranscript(" \n")).toMatchObject({ transcript: "", cues: [] });
  });

  test("is on the episode's page, in the API and in the search", async () => {
    const { id, title } = await publishedEpisode({ transcript: `${PLAIN}\n\nOf xylophones.` });
    const page = await (await fetchSite(`/episode/${id}`)).text();
    expect(page).toContain("MAREN: I do. It was 12:30 &amp; raining &lt;hard&gt;.");
    expect(await readEpisode(visitorContext(), id)).toMatchObject({
      transcript: [],
      plainTranscript: `${PLAIN}\n\nOf xylophones.`,
      showNotesHtml: "",
    });
    expect(await (await fetchSite("/api/search?q=xylophones")).text()).toContain(title);
  });

  test("is served as plain text only, and the feed says so", async () => {
    await savedShow();
    const { id } = await publishedEpisode({ transcript: PLAIN });
    const response = await fetchSite(`/episode/${id}/transcript.txt`);
    expect(response.headers.get("Content-Type")).toBe("text/plain; charset=utf-8");
    expect(await response.text()).toBe(`${PLAIN}\n`);
    for (const format of ["vtt", "srt", "json"]) {
      expect((await fetchSite(`/episode/${id}/transcript.${format}`)).status, format).toBe(404);
    }
    const feed = await (await fetchSite("/rss/podcast.xml")).text();
    const item = feed.split("<item>").find((one) => one.includes(`/episode/${id}<`));
    expect(item?.match(/<podcast:transcript.*?>/g)).toEqual([
      expect.stringMatching(/\/transcript\.txt" type="text\/plain" language="en-AU"\/>/),
    ]);
  });
});

describe("a transcript with times is served", () => {
  const read = async (format: string, transcript = VTT) => {
    await savedShow();
    const { id } = await publishedEpisode({ transcript });
    const path = `/episode/${id}/transcript.${format}`;
    const response = await fetchSite(path);
    expect(response.status).toBe(200);
    return Object.assign(response, { path });
  };

  test.each([
    ["vtt", "text/vtt; charset=utf-8"],
    ["srt", "application/x-subrip; charset=utf-8"],
    ["json", "application/json"],
    ["txt", "text/plain; charset=utf-8"],
  ])("as %s, to players on any site, with its language", async (format, type) => {
    const { headers, path } = await read(format);
    expect(headers.get("Content-Type")).toBe(type);
    expect(headers.get("Content-Language")).toBe("en-AU");
    expect(headers.get("Access-Control-Allow-Origin")).toBe("*");
    expect(headers.get("Cache-Control")).toBe("public, max-age=60, stale-while-revalidate=60");
    const again = await fetchSite(path, { headers: { "If-None-Match": headers.get("ETag")! } });
    expect(again.status).toBe(304);
  });

  test("as WebVTT", async () =>
    expect(await (await read("vtt")).text()).toBe(readTranscript(VTT).transcript));

  test("as SRT with the same text", async () => {
    const srt = await (
      await read("srt", `${VTT}\n00:01:00.000 --> 00:01:01.000\nA --&gt; B <b>&amp; &lt;c&gt;\n`)
    ).text();
    expect(srt).toBe(
      "1\n00:00:01,000 --> 00:00:03,000\nImogen: Do you remember the first day?\n\n" +
        "2\n00:00:04,000 --> 00:00:06,500\nMaren: I do. It was winter.\n\n" +
        "3\n00:01:00,000 --> 00:01:01,000\nA → B & <c>\n",
    );
    const { cues } = await parseText(srt, { type: "srt" });
    expect(cues.map(({ startTime, text }) => ({ startTime, text }))).toMatchObject([
      { startTime: 1, text: "Imogen: Do you remember the first day?" },
      { startTime: 4 },
      { startTime: 60 },
    ]);
  });

  test("as Podcasting 2.0 JSON", async () => {
    const json = await (await read("json", `${VTT}\n00:01:00.000 --> 00:01:01.000\nMusic\n`)).json();
    expect(json).toEqual({
      version: "1.0.0",
      segments: [
        { speaker: "Imogen", startTime: 1, endTime: 3, body: "Do you remember the first day?" },
        { speaker: "Maren", startTime: 4, endTime: 6.5, body: "I do. It was winter." },
        { startTime: 60, endTime: 61, body: "Music" },
      ],
    });
  });

  test("as plain text, one paragraph for each speaker", async () => {
    const more = `${VTT}\n00:00:07.000 --> 00:00:08.000\n<v Maren>And cold.\n`;
    expect(await (await read("txt", more)).text()).toBe(
      "Imogen: Do you remember the first day?\n\nMaren: I do. It was winter. And cold.\n",
    );
  });

  test("in no other format, and not while it is a draft", async () => {
    const { id } = await publishedEpisode({ transcript: VTT });
    for (const file of [
      "transcript.html",
      "transcript.",
      "transcript",
      "transcript.vtt.txt",
      "transcriptxvtt",
    ]) {
      expect((await fetchSite(`/episode/${id}/${file}`)).status, file).toBe(404);
    }
    const draft = await createEpisode(ownerContext(), anEpisode({ transcript: VTT }));
    expect((await fetchSite(`/episode/${draft.id}/transcript.srt`)).status).toBe(404);
  });
});
