import { expect, test } from "vitest";
import { readForm } from "#site/admin/form/read.ts";
import { episodeForm } from "#site/admin/podcast/episode-input.ts";
import { parseChapters, parseTime, writeChapters, writeTime } from "#site/admin/podcast/chapter-lines.ts";
import { chaptersInNotes } from "#site/admin/podcast/chapters-in-notes.ts";

test.each([
  ["75", 75],
  ["1:15", 75],
  ["01:02:03", 3723],
  ["1:15.5", 75.5],
  [" 0:00 ", 0],
])("%j is a time", (text, seconds) => expect(parseTime(text)).toBe(seconds));

test.each(["", "soon", "1:", ":15", "-5", "1:2:3:4", "1h5"])("%j is not a time", (text) =>
  expect(parseTime(text)).toBeNull(),
);

test("a time is unchanged after a round trip", () => {
  for (const seconds of [0, 9, 75, 75.5, 3600, 3723.125, 86_399]) {
    expect(parseTime(writeTime(seconds))).toBe(seconds);
  }
});

test("a time is rounded to the millisecond, across the second", () => {
  expect(writeTime(59.9996)).toBe("1:00");
});

test("chapters are pasted one a line, with an optional link at the end", () => {
  const text =
    "0:00 Welcome\n\n  1:15   The second appointment  \n1:02:03 Further reading https://example.com/a";
  const chapters = [
    { start: 0, title: "Welcome", url: null },
    { start: 75, title: "The second appointment", url: null },
    { start: 3723, title: "Further reading", url: "https://example.com/a" },
  ];
  expect(parseChapters(text)).toEqual({ chapters });
  expect(parseChapters(writeChapters(chapters))).toEqual({ chapters });
});

test("a line that is not a chapter is named", () => {
  expect(parseChapters("0:00 Welcome\nThe end")).toEqual({ error: expect.stringContaining("Line 2") });
  expect(parseChapters("0:00")).toEqual({ error: expect.stringContaining("Line 1") });
});

test("the lines of show notes that begin with a time are chapters", () => {
  const notes = [
    "We talk at 9:30 about trams.",
    "0:00 Welcome",
    "- 2:05 – The **turn**",
    "* **[2:06]** | Bold",
    "3. (1:02:03): Numbered",
    "| 4:05 | A table |",
    "5:00 [A report](https://example.com/a_b 'Title') and [more](/about)",
    "6:00",
    "7:00am is early",
    "[8:00](https://example.com) Elsewhere",
  ].join("\r\n");
  expect(writeChapters(chaptersInNotes(notes)).split("\n")).toEqual([
    "0:00 Welcome",
    "2:05 The turn",
    "2:06 Bold",
    "1:02:03 Numbered",
    "4:05 A table",
    "5:00 A report and more https://example.com/a_b",
    "8:00 Elsewhere",
  ]);
});

function aForm(changes: Record<string, string | string[]> = {}) {
  const form = new FormData();
  const fields = {
    title: "A title",
    status: "draft",
    episodeType: "full",
    seasonNumber: "1",
    episodeNumber: "2",
    durationMinutes: "1.5",
    ...changes,
  };
  for (const [name, value] of Object.entries(fields)) {
    for (const one of [value].flat()) form.append(name, one);
  }
  return form;
}

const readEpisode = (changes: Parameters<typeof aForm>[0]) => readForm(aForm(changes), episodeForm);

test("the form's rows become people and soundbites; empty rows are left out", () => {
  const read = readEpisode({
    "people.name": ["Imogen", "", "Farida"],
    "people.credit": ["cast/host", "cast/guest", "video post-production/editor"],
    "people.href": ["", "", "https://example.com"],
    "soundbites.start": ["1:15", ""],
    "soundbites.duration": ["30", ""],
    "soundbites.title": ["The point", ""],
  });
  expect(read).toMatchObject({
    input: {
      durationSeconds: 90,
      people: [
        { name: "Imogen", role: "host", group: "cast", href: null },
        { name: "Farida", role: "editor", group: "video post-production", href: "https://example.com" },
      ],
      soundbites: [{ start: 75, duration: 30, title: "The point" }],
    },
  });
});

test("all errors are shown together, each beside its field", () => {
  const read = readEpisode({
    title: " ",
    episodeNumber: "five",
    status: "scheduled",
    scheduledFor: "",
    chapters: "nonsense",
    youtubeUrl: "youtube",
    "people.name": "",
    "people.credit": "cast/host",
    "people.href": "https://example.com",
    "soundbites.start": "soon",
    "soundbites.duration": "30",
    "soundbites.title": "",
  });
  expect(read).toEqual({
    errors: {
      fields: {
        title: "Title is required",
        episodeNumber: "Episode number must be a whole number.",
        scheduledFor: "Choose a time in the future.",
        chapters: expect.stringContaining("Line 1"),
        youtubeUrl: expect.stringContaining("full address"),
        "people.0.name": "Give the person a name.",
        "soundbites.0.start": "Enter a time such as 1:15.",
      },
    },
  });
});

test("a chapter that is not valid is an error of the field in which chapters are typed", () => {
  const read = readEpisode({ chapters: `0:00 ${"a".repeat(201)}` });
  expect(read).toMatchObject({ errors: { fields: { chapters: expect.any(String) } } });
});

test("chapters are parsed from rows, too, each with its own error", () => {
  const filled = {
    "chapters.start": ["0:00", "", "1:15.5"],
    "chapters.title": ["Welcome", "", "The turn"],
    "chapters.url": ["", "", "https://example.com/turn"],
  };
  expect(readEpisode(filled)).toMatchObject({
    input: {
      chapters: [
        { start: 0, title: "Welcome", url: null },
        { start: 75.5, title: "The turn", url: "https://example.com/turn" },
      ],
    },
  });
  expect(readEpisode({ ...filled, "chapters.start": ["0:00", "", "soon"] })).toEqual({
    errors: { fields: { "chapters.2.start": "Enter a time such as 1:15." } },
  });
  expect(readEpisode({ ...filled, "chapters.title": ["Welcome", "", " "] })).toEqual({
    errors: { fields: { "chapters.2.title": "Give the chapter a title." } },
  });
});

test("a chapter keeps its picture, which has no field, as a row and as a line", () => {
  const img = "https://example.com/turn.jpg";
  const rows = {
    "chapters.start": ["0:00", "1:15.5"],
    "chapters.title": ["Welcome", "The turn"],
    "chapters.url": ["", ""],
    "chapters.img": ["", img],
  };
  const pictures = (filled: Record<string, string | string[]>) => {
    const read = readEpisode(filled);
    return "input" in read ? read.input.chapters?.map((chapter) => chapter.img ?? null) : read;
  };
  expect(pictures(rows)).toEqual([null, img]);
  const pictured = {
    "detailedChapters.start": "1:15.5",
    "detailedChapters.title": "The turn",
    "detailedChapters.img": img,
    "detailedChapters.end": "",
    "detailedChapters.toc": "",
  };
  expect(pictures({ ...pictured, chapters: "0:00 Welcome\n1:15.5 A better turn" })).toEqual([null, img]);
  expect(pictures({ ...pictured, chapters: "0:00 Hello\n1:20 The turn\n2:00 The end" })).toEqual([
    null,
    img,
    null,
  ]);
});

test("a season or episode number may be empty", () => {
  const read = readEpisode({ seasonNumber: "", episodeNumber: " " });
  expect(read).toMatchObject({ input: { seasonNumber: null, episodeNumber: null } });
});

test("emptied and unchecked fields are sent, so that a PATCH changes them", () => {
  const read = readEpisode({
    description: "",
    explicit: "",
    youtubeUrl: "",
    audioFileId: "",
    publishedAt: "",
  });
  expect(read).toMatchObject({
    input: { description: "", explicit: false, youtubeUrl: null, audioFileId: null, publishedAt: null },
  });
  expect(readEpisode({ explicit: ["", "on"] })).toMatchObject({ input: { explicit: true } });
});
