import { expect, test } from "vitest";
import { NewEpisode } from "#worker/episodes/contract.ts";
import { chaptersInFile } from "#worker/imports/feed/side-files.ts";
import { parseChapters } from "#site/admin/podcast/chapter-lines.ts";
import { chaptersInNotes } from "#site/admin/podcast/chapters-in-notes.ts";
import { renderMarkdown } from "#worker/platform/text/markdown.ts";
import { notesOf } from "#worker/imports/feed/notes.ts";

const chapter = (start: number, title: string, url: string | null = null, img?: string) => ({
  start,
  title,
  url,
  ...(img && { img }),
});

test("imported show notes give titles without Markdown characters", () => {
  const html =
    "<p>(00:00) Start<br>(02:10) Questions &amp; answers_now<br>04:00 - Then [on stage]<br/>" +
    '<b>05:00</b> 2 * 3<br><a href="https://example.com/watch?t=360">06:00</a> With a link</p>';
  const { markdown } = notesOf(html, 100_000);
  expect(markdown).toContain("\\");
  expect(chaptersInNotes(markdown)).toEqual([
    chapter(0, "Start"),
    chapter(130, "Questions & answers_now"),
    chapter(240, "Then [on stage]"),
    chapter(300, "2 * 3"),
    chapter(360, "With a link"),
  ]);
});

test("a plain address in imported notes becomes a link once", () => {
  const html =
    '<p>See https://example.com/a_b?c=1, or <a href="https://example.com/x">https://example.com/x</a> and <code>https://example.com/code</code></p>';
  const { html: rendered } = renderMarkdown(notesOf(html, 100_000).markdown);
  expect(rendered).toBe(
    '<p>See <a href="https://example.com/a_b?c=1">https://example.com/a_b?c=1</a>, or <a href="https://example.com/x">https://example.com/x</a> and <code translate="no">https://example.com/code</code></p>',
  );
});

test.each([
  ["See www.example.org/path, now.", "http://www.example.org/path", "www.example.org/path", ", now."],
  [
    "See https://example.com/Wharf_(Sydney)).",
    "https://example.com/Wharf_(Sydney)",
    "https://example.com/Wharf_(Sydney)",
    ").",
  ],
])("the address in “%s” becomes a whole link, in text and in HTML", (notes, url, words, after) => {
  for (const form of [notes, `<p>${notes}</p>`])
    expect(renderMarkdown(notesOf(form, 1000).markdown).html).toBe(
      `<p>See <a href="${url}">${words}</a>${after}</p>`,
    );
});

/** [format, documentation, text, chapters] */
test.each([
  [
    "a description for YouTube",
    "YouTube Help, Video chapters, https://support.google.com/youtube/answer/9884579",
    "0:00 Start\n2:10 - The market\n1:02:03 | The end",
    [chapter(0, "Start"), chapter(130, "The market"), chapter(3723, "The end")],
  ],
  [
    "a description for Spotify",
    "Spotify for Creators, Creating and managing chapters",
    "(00:00) Start\n02:10-The market\n(01:02:03): The end (live)",
    [chapter(0, "Start"), chapter(130, "The market"), chapter(3723, "The end (live)")],
  ],
  [
    "times in square brackets",
    "as people write them",
    "[00:00] Start\n[02:10] - The market",
    [chapter(0, "Start"), chapter(130, "The market")],
  ],
  [
    "a numbered list",
    "as people write them",
    "1. 0:00 Start\n2) 2:10 The market\n3. (3:00) 3 ways home",
    [chapter(0, "Start"), chapter(130, "The market"), chapter(180, "3 ways home")],
  ],
  [
    "what mp4chaps and Podlove write, with links",
    "https://hexdocs.pm/chapters/Chapters.html",
    "00:00:00.000 Start\n00:02:10.500 The market <https://example.com/market>\n00:03:00,250 The end",
    [
      chapter(0, "Start"),
      chapter(130.5, "The market", "https://example.com/market"),
      chapter(180.25, "The end"),
    ],
  ],
  [
    "titles before their times",
    "as people write them",
    "Start 0:00\nThe market - 2:10\nThe end (1:02:03)",
    [chapter(0, "Start"), chapter(130, "The market"), chapter(3723, "The end")],
  ],
  [
    "times that are bold or links",
    "as people write them",
    "**0:00** Start\n[2:10](https://example.com/v?t=130) The market\n- **(3:00)** The end",
    [chapter(0, "Start"), chapter(130, "The market"), chapter(180, "The end")],
  ],
  [
    "ranges",
    "as people write them",
    "0:00 - 2:10 Start\n2:10 – 3:00: The market",
    [chapter(0, "Start"), chapter(130, "The market")],
  ],
  [
    "milliseconds behind a comma, in brackets",
    "as people write them",
    "(00:00:00,000) Start\n[00:02:10,500] The market",
    [chapter(0, "Start"), chapter(130.5, "The market")],
  ],
])(
  "%s is read the same as pasted text, in a file, and in a feed's show notes (%s)",
  (_name, _source, text, chapters) => {
    expect(parseChapters(text)).toEqual({ chapters });
    expect(chaptersInNotes(text)).toEqual(chapters);
    expect(chaptersInFile(text, "https://example.com/chapters.txt")).toEqual({
      chapters,
      lost: 0,
      repeated: 0,
      hasMore: false,
    });
    if (!/[*\]]/.test(text)) expect(chaptersInNotes(notesOf(text, 100_000).markdown)).toEqual(chapters);
  },
);

test("a time of day in a sentence is not a chapter", () => {
  expect(chaptersInNotes("We met at 10:30.\n\nDoors open at 9:30")).toEqual([]);
  expect(chaptersInNotes("Doors open at 9:30")).toEqual([]);
});

test("a pasted title with Markdown characters, a full stop or a time is not changed", () => {
  for (const title of [".NET at 10:30", "2 * 3 * 4", "[live] Q&A", "snake_case_", "(again)"])
    expect(parseChapters(`1:15 ${title}`)).toEqual({ chapters: [chapter(75, title)] });
});

/** [program, documentation, text, chapters] */
test.each([
  [
    "labels of Audacity",
    "Audacity Manual, Importing and Exporting Labels",
    "0.000000\t0.000000\tStart\n\\\t120.000000\t4000.000000\n130.500000\t140.250000\tThe market: 10:30\n180.000000\t180.000000\t",
    [chapter(0, "Start"), chapter(130.5, "The market: 10:30"), chapter(180, "Chapter 3")],
  ],
  [
    "JSON of Podcasting 2.0",
    "podcast-namespace, JSON Chapters Format 1.2",
    JSON.stringify({
      version: "1.2.0",
      chapters: [
        { startTime: 0, title: "Start", img: "https://example.com/a.jpg" },
        { startTime: 60, toc: false, img: "https://example.com/b.jpg" },
        { startTime: 130.5, endTime: 180, title: "The market", url: "https://example.com/market" },
        { startTime: 180 },
      ],
    }),
    [
      chapter(0, "Start", null, "https://example.com/a.jpg"),
      { ...chapter(60, "Not in the list", null, "https://example.com/b.jpg"), toc: false },
      { ...chapter(130.5, "The market", "https://example.com/market"), end: 180 },
      chapter(180, "Chapter 3"),
    ],
  ],
  [
    "Podlove Simple Chapters",
    "https://podlove.org/simple-chapters",
    '<?xml version="1.0" encoding="utf-8"?>\n<psc:chapters version="1.2" xmlns:psc="http://podlove.org/simple-chapters">\n<psc:chapter start="0" title="Start"/>\n<!-- <psc:chapter start="1:00" title="Not yet"/> -->\n<psc:chapter start="00:02:10.500" title="The market &amp; I &#8211; Q & A" href="https://example.com/market" image="https://example.com/m.jpg"/>\n</psc:chapters>',
    [
      chapter(0, "Start"),
      chapter(130.5, "The market & I – Q & A", "https://example.com/market", "https://example.com/m.jpg"),
    ],
  ],
  [
    "chapters copied out of such a list",
    "https://podlove.org/simple-chapters",
    "<psc:chapter start='0:00' title='Start' />\n<psc:chapter start='2:10.5' title='The market' />",
    [chapter(0, "Start"), chapter(130.5, "The market")],
  ],
  [
    "JSON of Podlove",
    "https://hexdocs.pm/chapters/Chapters.html",
    '[{"start":"00:00:00.000","title":"Start"},{"start":"00:02:10.500","title":"The market","href":"https://example.com/market"}]',
    [chapter(0, "Start"), chapter(130.5, "The market", "https://example.com/market")],
  ],
  [
    "metadata of ffmpeg",
    "FFmpeg Formats Documentation, Metadata",
    ";FFMETADATA1\ntitle=A walk\n\n[CHAPTER]\nTIMEBASE=1/1000\nSTART=0\nEND=130500\ntitle=Start \\#1\\; a\\=b\n[STREAM]\ntitle=Sound\n[CHAPTER]\n#no base: nanoseconds\nSTART=130500000000\nEND=180000000000\ntitle=The \\\nmarket",
    [chapter(0, "Start #1; a=b"), chapter(130.5, "The market")],
  ],
  [
    "chapters of ffprobe",
    "ffprobe 5.1.9, -show_chapters -of json",
    '{"chapters":[{"id":0,"time_base":"1/1000","start":0,"start_time":"0.000000","end":130500,"end_time":"130.500000","tags":{"title":"Start"}},{"id":1,"time_base":"1/1000","start":130500,"start_time":"130.500000","end":180000,"end_time":"180.000000","tags":{"title":"The market"}}]}',
    [chapter(0, "Start"), chapter(130.5, "The market")],
  ],
  [
    "a cue sheet",
    "CDRWIN user’s guide, CUE-sheet commands: 75 frames a second",
    'FILE "walk.mp3" MP3\n  TRACK 01 AUDIO\n    TITLE "Start"\n    INDEX 01 00:00:00\n  TRACK 02 AUDIO\n    TITLE "The market"\n    INDEX 01 02:10:37\n  TRACK 03 AUDIO\n    INDEX 01 75:00:00',
    [chapter(0, "Start"), chapter(130.493, "The market"), chapter(4500, "Chapter 3")],
  ],
  [
    "chapters of Nero and OGM",
    "Subler wiki, Chapter Text Format",
    "CHAPTER01=00:00:00.000\nCHAPTER01NAME=Start\nCHAPTER02=00:02:10.500\nCHAPTER02NAME=The market",
    [chapter(0, "Start"), chapter(130.5, "The market")],
  ],
  [
    "comments of Vorbis",
    "Xiph wiki, Chapter Extension",
    "CHAPTER001=00:00:00.000\nCHAPTER001NAME=Start\nCHAPTER002=00:02:10.500\nCHAPTER002NAME=The market\nCHAPTER002URL=https://example.com/market",
    [chapter(0, "Start"), chapter(130.5, "The market", "https://example.com/market")],
  ],
  [
    "markers of Reaper",
    "REAPER, Region/Marker Manager, Export regions/markers",
    '#,Name,Start,End,Length,Color\nM1,Start,0:00.000,,,\nR2,"The market, ""early""",2:10.500,3:00.000,0:49.500,FF0000',
    [chapter(0, "Start"), chapter(130.5, 'The market, "early"')],
  ],
  [
    "markers of Audition",
    "Adobe Audition, Markers panel, Export Markers",
    "Name\tStart\tDuration\tTime Format\tType\tDescription\nStart\t0:00.000\t0:00.000\tdecimal\tCue\t\nThe market\t2:10.500\t0:00.000\tdecimal\tCue\tearly",
    [chapter(0, "Start"), chapter(130.5, "The market")],
  ],
  [
    "markers of Reaper with the frames of a film",
    "REAPER, ruler in hours:minutes:seconds:frames",
    "#,Name,Start,End,Length\nM1,Start,00:00:00:00,,\nM2,The market,00:02:10:12,,",
    [chapter(0, "Start"), chapter(130, "The market")],
  ],
  [
    "markers of Premiere Pro",
    "Adobe Premiere Pro, Export markers, with the frames of a film",
    "Marker Name\tDescription\tIn\tOut\tDuration\tMarker Type\nStart\t\t00:00:00:00\t00:00:00:00\t00:00:00:00\tChapter\nThe market\tearly\t00:02:10:12\t00:02:10:12\t00:00:00:00\tChapter",
    [chapter(0, "Start"), chapter(130, "The market")],
  ],
  [
    "a table with links",
    "as spreadsheets write it",
    'Start Time;Title;URL\n00:00:00;Start;\n00:02:10,5;"The market; early";https://example.com/market',
    [chapter(0, "Start"), chapter(130.5, "The market; early", "https://example.com/market")],
  ],
  [
    "chapters of Matroska",
    "mkvextract 74.0.0 (Debian), `mkvextract a.mka chapters` of the chapters of OGM above",
    '<?xml version="1.0"?>\n<!-- <!DOCTYPE Chapters SYSTEM "matroskachapters.dtd"> -->\n<Chapters>\n  <EditionEntry>\n    <EditionFlagHidden>0</EditionFlagHidden>\n    <EditionUID>7836075693588329399</EditionUID>\n    <ChapterAtom>\n      <ChapterUID>2299748643011104756</ChapterUID>\n      <ChapterTimeStart>00:00:00.000000000</ChapterTimeStart>\n      <ChapterFlagHidden>0</ChapterFlagHidden>\n      <ChapterDisplay>\n        <ChapterString>Start &amp; tea</ChapterString>\n        <ChapterLanguage>eng</ChapterLanguage>\n      </ChapterDisplay>\n    </ChapterAtom>\n    <ChapterAtom>\n      <ChapterUID>594781009884933846</ChapterUID>\n      <ChapterTimeStart>00:02:10.500000000</ChapterTimeStart>\n      <ChapterDisplay>\n        <ChapterString>The market</ChapterString>\n        <ChapterLanguage>eng</ChapterLanguage>\n      </ChapterDisplay>\n    </ChapterAtom>\n  </EditionEntry>\n</Chapters>',
    [chapter(0, "Start & tea"), chapter(130.5, "The market")],
  ],
  [
    "chapters as WebVTT",
    "W3C, WebVTT, 1.4, a chapters track",
    "WEBVTT - Chapters\n\nNOTE\nof a walk\n\nslide-1\n00:00:00.000 --> 00:02:10.500\nStart <i>here</i> &amp; now\n\n2\n02:10.500 --> 00:03:00.000\nThe\nmarket\n\n",
    [chapter(0, "Start here & now"), chapter(130.5, "The market")],
  ],
  [
    "chapters as SRT",
    "ffmpeg 5.1.9, `ffmpeg -i chapters.vtt chapters.srt`",
    "1\n00:00:00,000 --> 00:02:10,500\nStart\n\n2\n00:02:10,500 --> 00:03:00,000\nThe market\n\n",
    [chapter(0, "Start"), chapter(130.5, "The market")],
  ],
])("%s are read the same as pasted text and from a feed’s file (%s)", (_name, _source, text, chapters) => {
  expect(chaptersInFile(text, "https://example.com/chapters")).toEqual({
    chapters,
    lost: 0,
    repeated: 0,
    hasMore: false,
  });
  expect(parseChapters(text)).toEqual({ chapters });
  expect(parseChapters(`\uFEFF${text.replaceAll("\n", "\r\n")}`)).toEqual({ chapters });
});

test.each([
  [
    "an empty start_time before a start",
    '[{"start_time":null,"start":0,"title":"Start"},{"start_time":"","startTime":130.5,"title":"The market"}]',
  ],
  [
    "units of a time base, and tags in capitals",
    '{"chapters":[{"start_time":null,"start":0,"time_base":"1/1000","tags":{"TITLE":"Start"}},{"start":130500,"time_base":"1/1000","tags":{"TITLE":"The market"}}]}',
  ],
  [
    "words of a cue sheet in a title",
    '[{"start":0,"title":"Start"},{"start":130.5,"title":"The market",\n"note":"\nTRACK 01 AUDIO\nINDEX 01 00:00:00"}]'.replaceAll(
      /(?<!,)\n/g,
      "\\n",
    ),
  ],
])("chapters in JSON with %s are read", (_what, text) => {
  expect(parseChapters(text)).toEqual({ chapters: [chapter(0, "Start"), chapter(130.5, "The market")] });
});

test("a JSON list of transcript segments is not read as chapters", () => {
  expect(parseChapters('[{"start_time":1,"text":"hi"}]')).toEqual({
    error: expect.stringContaining("Line 1"),
  });
});

const track = (number: number, title: string, time: string) =>
  `TRACK 0${number} AUDIO\nTITLE "${title}"\nINDEX 01 ${time}\n`;

test("tracks of a second recording in a cue sheet are named in the form, and left out of an import", () => {
  const text = `FILE "a.wav" WAVE\n${track(1, "Start", "00:00:00")}FILE "b.wav" WAVE\n${track(2, "The market", "00:00:00")}`;
  expect(parseChapters(text)).toEqual({
    error: "Line 6 (“The market”) is in a second recording, from whose beginning its time counts. Remove it.",
  });
  expect(chaptersInFile(text, "https://example.com/a.cue")).toEqual({
    chapters: [chapter(0, "Start")],
    lost: 1,
    repeated: 0,
    hasMore: false,
  });
});

test("chapters at the time of another, or whose title is invisible, are counted", () => {
  const text = JSON.stringify([
    { startTime: 0, title: "Start" },
    { startTime: 0, title: "Again" },
    { startTime: 5, title: "\u202e" },
    { startTime: 9, title: "End" },
  ]);
  expect(chaptersInFile(text, "https://example.com/a.json")).toEqual({
    chapters: [chapter(0, "Start"), chapter(9, "End")],
    lost: 0,
    repeated: 2,
    hasMore: false,
  });
});

test("lines of a cue sheet below other words are no cue sheet", () => {
  expect(parseChapters(`My notes\n${track(1, "Start", "00:00:00")}`)).toEqual({
    error: expect.stringContaining("Line 1"),
  });
});

/** It would take minutes if a pattern began again at each space. */
test("a long line of spaces in a cue sheet is read in one pass", () => {
  const text = `${track(1, "Start", "00:00:00")}TITLE${" ".repeat(100_000)}\u2028x\u2028`;
  expect(parseChapters(text)).toEqual({ chapters: [chapter(0, "Start")] });
});

test.each([
  ["labels of Audacity", "0.0\t0.0\tStart\nlater\tThe market\n180.0\t180.0\tEnd", "Line 2 (“The market”)"],
  [
    "markers of Reaper",
    "#,Name,Start,End,Length\nM1,Start,0:00.000,,\nM2,End,3:00.000,,\nM3,The market,144.2.00,,",
    "Line 4 (“The market”)",
  ],
  [
    "markers of Audition",
    "Name\tStart\tDuration\tTime Format\nStart\t0:00.000\t0:00.000\tdecimal\nThe market\t00:02:10\t00:00:00\t75 fps\nEnd\t3:00.000\t0\tdecimal",
    "Line 3 (“The market”)",
  ],
  [
    "JSON",
    '{"chapters":[{"startTime":0,"title":"Start"},{"title":"The market"},{"startTime":180,"title":"End"}]}',
    "“The market”",
  ],
  [
    "Podlove Simple Chapters",
    '<psc:chapter start="0" title="Start"/><psc:chapter start="soon" title="The market"/><psc:chapter start="180" title="End"/>',
    "“The market”",
  ],
  [
    "metadata of ffmpeg",
    ";FFMETADATA1\n[CHAPTER]\nSTART=0\ntitle=Start\n[CHAPTER]\ntitle=The market\n[CHAPTER]\nSTART=180000000000\ntitle=End",
    "“The market”",
  ],
  [
    "chapters of Nero",
    "CHAPTER01=00:00:00.000\nCHAPTER01NAME=Start\nCHAPTER02NAME=The market\nCHAPTER03=00:03:00.000\nCHAPTER03NAME=End",
    "“The market”",
  ],
])(
  "a chapter without a time among %s is named in the form, and left out of an import",
  (_name, text, which) => {
    expect(parseChapters(text)).toEqual({
      error: `${which} has no time that can be read. Give it one such as 0:02:05, or remove it.`,
    });
    expect(chaptersInFile(text, "https://example.com/chapters")).toEqual({
      chapters: [chapter(0, "Start"), chapter(180, "End")],
      lost: 1,
      repeated: 0,
      hasMore: false,
    });
  },
);

test.each([
  [
    "markers of Reaper in bars and beats",
    "#,Name,Start,End,Length\nM1,Start,1.1.00,,\nM2,The market,144.2.00,,",
  ],
  [
    "markers of Audition in frames",
    "Name\tStart\tDuration\tTime Format\tType\tDescription\nStart\t00:02:10\t00:00:00\t75 fps\tCue\t",
  ],
  ["a list in XML without times", '<psc:chapters version="1.2"><psc:chapter title="Start"/></psc:chapters>'],
])("%s are refused", (_name, text) => {
  expect(parseChapters(text)).toEqual({ error: expect.stringContaining("none has a time that can be read") });
  expect(() => chaptersInFile(text, "https://example.com/chapters")).toThrow("They can’t be read.");
});

test("more than 500 chapters are refused by the form, and an import takes the first", () => {
  const text = Array.from({ length: 501 }, (_, minute) => `${minute}:00 Part ${minute}`).join("\n");
  const read = parseChapters(text) as { chapters: unknown[] };
  expect(NewEpisode.shape.chapters.safeParse(read.chapters).error?.issues[0]?.message).toBe(
    "An episode has at most 500 chapters.",
  );
  const { chapters, hasMore } = chaptersInFile(text, "https://example.com/chapters");
  expect([chapters.length, chapters.at(-1), hasMore]).toEqual([500, chapter(499 * 60, "Part 499"), true]);
  const first = chaptersInFile(text.slice(0, text.lastIndexOf("\n")), "https://example.com/chapters");
  expect([first.chapters.length, first.hasMore]).toEqual([500, false]);
});

test("an address in angle brackets in plain notes is a link of the notes and of the chapter", () => {
  const { markdown } = notesOf(
    "00:00 Start <https://example.com/a>\n02:10 The market <https://example.com/b>",
    1000,
  );
  expect(chaptersInNotes(markdown)).toEqual([
    chapter(0, "Start", "https://example.com/a"),
    chapter(130, "The market", "https://example.com/b"),
  ]);
});
