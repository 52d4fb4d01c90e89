import { z } from "zod";
import { NewEpisode } from "#worker/episodes/contract.ts";
import { checkbox, dateTime, numberOrNull, rows, text, textOrNull, textToChange } from "../form/read.ts";
import { readCredit } from "./credits.ts";
import { alternateRows, discussionRows, fundingRows, placeRows } from "./feed-rows.ts";
import { readMarks } from "./generated-marks.ts";
import { DETAILED, detailsOf, parseChapters, parseTime, withDetails } from "./chapter-lines.ts";

const chapters = NewEpisode.shape.chapters.unwrap();
const soundbites = NewEpisode.shape.soundbites.unwrap();

const START = "Enter a time such as 1:15.";

const ChapterRow = z.object({
  start: z.string(),
  title: z.string(),
  url: z.string(),
  img: z.string(),
  end: z.string(),
  toc: z.string(),
});

/** Chapters as lines of text, together with rows for what does not fit into lines; or only as rows. */
const Chapters = z
  .union([
    z.object({ lines: z.string(), detailed: z.array(ChapterRow.omit({ url: true })) }),
    z.array(ChapterRow),
  ])
  .default([])
  .transform((given, { addIssue }): z.input<typeof chapters> => {
    if (Array.isArray(given)) return given.map((row, at) => readChapterRow(row, at, addIssue));
    const read = parseChapters(given.lines);
    if ("chapters" in read) return withDetails(read.chapters, given.detailed);
    addIssue(read.error);
    return z.NEVER;
  })
  .pipe(chapters);

type AddIssue = (issue: { code: "custom"; path: PropertyKey[]; message: string }) => void;

function readChapterRow(
  { start, title, url, ...details }: z.infer<typeof ChapterRow>,
  at: number,
  addIssue: AddIssue,
) {
  const from = parseTime(start);
  if (details.end !== "" && parseTime(details.end) === null) {
    addIssue({ code: "custom", path: [at, "end"], message: START });
    return z.NEVER;
  }
  if (from !== null) return { start: from, title, url, ...detailsOf(details) };
  addIssue({ code: "custom", path: [at, "start"], message: START });
  return z.NEVER;
}

const SoundbiteRow = z
  .object({ start: z.string(), duration: z.string(), title: z.string() })
  .transform(({ start, duration, title }, { addIssue }): z.input<typeof soundbites>[number] => {
    const from = parseTime(start);
    const seconds = parseTime(duration);
    if (from !== null && seconds !== null) return { start: from, duration: seconds, title };
    if (from === null) addIssue({ code: "custom", path: ["start"], message: START });
    else addIssue({ code: "custom", path: ["duration"], message: "Enter a number of seconds." });
    return z.NEVER;
  });

/** The API's episode in the form's units: times as text, the length in minutes. */
const EpisodeForm = NewEpisode.omit({ durationSeconds: true })
  .extend({
    durationMinutes: z.number("Enter a length in minutes.").min(0).max(2880),
    chapters: Chapters,
    soundbites: z.array(SoundbiteRow).pipe(soundbites),
  })
  .refine(({ status, scheduledFor }) => status !== "scheduled" || scheduledFor !== null, {
    path: ["scheduledFor"],
    error: "Choose a time in the future.",
    // Also said when something else is wrong.
    when: () => true,
  })
  .transform(({ durationMinutes, ...episode }) => ({
    ...episode,
    durationSeconds: Math.round(durationMinutes * 60),
  }));

const creditRows = rows(["name", "credit", "href"], ["name", "href"]);

export const peopleRows = (form: FormData, name: string) =>
  creditRows(form, name).map(({ credit, ...person }) => ({ ...person, ...readCredit(credit) }));

const chapterRows = rows(["start", "title", "url", "img", "end", "toc"], ["start", "title", "url"]);

const detailedRows = rows(["start", "title", "img", "end", "toc"], ["img", "end", "toc"]);

/** Errors of the text view, if that is open. */
const chapterLinesOrRows = (form: FormData, name: string) => {
  const lines = text(form, name);
  return lines === undefined ? chapterRows(form, name) : { lines, detailed: detailedRows(form, DETAILED) };
};

/** Undefined in a form without the panel. */
const generatedLines = (form: FormData, name: string) => {
  const written = text(form, name);
  return written === undefined ? undefined : readMarks(written);
};

/** Zero when empty. */
const minutes = (form: FormData, name: string) => Number(text(form, name));

export const episodeForm = {
  schema: EpisodeForm,
  fields: {
    draftKey: textToChange,
    title: text,
    slug: text,
    description: text,
    showNotes: text,
    status: text,
    publishedAt: dateTime,
    scheduledFor: dateTime,
    seasonNumber: numberOrNull,
    episodeNumber: numberOrNull,
    episodeType: text,
    explicit: checkbox,
    blocked: checkbox,
    durationMinutes: minutes,
    audioFileId: textOrNull,
    imageFileId: textOrNull,
    imageAlt: text,
    videoUrl: text,
    youtubeUrl: text,
    spotifyUrl: text,
    appleUrl: text,
    transcript: text,
    chapters: chapterLinesOrRows,
    people: peopleRows,
    soundbites: rows(["start", "duration", "title"], ["start", "duration", "title"]),
    funding: fundingRows,
    places: placeRows,
    alternates: alternateRows,
    discussions: discussionRows,
    generated: generatedLines,
  },
};
