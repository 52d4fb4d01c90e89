import { NewEpisode, type Person, type Soundbite } from "#worker/episodes/contract.ts";
import { parseChapters, parseTime } from "./lines.ts";

/** Messages by the name of the field that they belong beside. */
export type FieldErrors = Record<string, string>;

type Read = { input: NewEpisode } | { errors: FieldErrors };

/** The episode form's fields as the API takes them, or what is wrong with them. */
export function readEpisodeForm(form: FormData): Read {
  const text = (name: string) => String(form.get(name) ?? "");
  const chapters = parseChapters(text("chapters"));
  const soundbites = readSoundbites(form);
  const errors: FieldErrors = {
    ...("error" in chapters && { chapters: chapters.error }),
    ...("error" in soundbites && { soundbites: soundbites.error }),
  };
  const parsed = NewEpisode.safeParse({
    ...Object.fromEntries(textFields.map((name) => [name, text(name)])),
    status: text("status"),
    episodeType: text("episodeType"),
    explicit: form.has("explicit"),
    publishedAt: moment(text("publishedAt")),
    scheduledFor: moment(text("scheduledFor")),
    seasonNumber: number(text("seasonNumber")),
    episodeNumber: number(text("episodeNumber")),
    durationSeconds: Math.round(Number(text("durationMinutes")) * 60),
    audioFileId: text("audioFileId") || null,
    imageFileId: text("imageFileId") || null,
    chapters: "error" in chapters ? [] : chapters.chapters,
    soundbites: "error" in soundbites ? [] : soundbites.soundbites,
    people: readPeople(form),
  });
  if (text("status") === "scheduled" && text("scheduledFor") === "")
    errors["scheduledFor"] = "Choose a time in the future.";
  for (const issue of parsed.error?.issues ?? []) errors[String(issue.path[0])] ??= issue.message;
  return parsed.success && Object.keys(errors).length === 0 ? { input: parsed.data } : { errors };
}

const textFields = [
  "title",
  "slug",
  "description",
  "showNotes",
  "imageAlt",
  "videoUrl",
  "youtubeUrl",
  "spotifyUrl",
  "appleUrl",
  "transcript",
] as const;

const moment = (text: string) => (text === "" ? null : Number(text));
/** NaN, and so refused by the contract, where a number is missing. */
const number = (text: string) => (text.trim() === "" ? Number.NaN : Number(text));

/** Rows of a repeated group arrive as lists of the same length, in order. */
function rows<Name extends string>(form: FormData, group: string, names: readonly Name[]) {
  const columns = names.map((name) => form.getAll(`${group}.${name}`).map(String));
  return (columns[0] ?? []).map(
    (_, row) =>
      Object.fromEntries(names.map((name, column) => [name, columns[column]?.[row] ?? ""])) as Record<
        Name,
        string
      >,
  );
}

export function readPeople(form: FormData): Person[] {
  return rows(form, "people", ["name", "role", "group", "href"])
    .filter(({ name, href }) => name.trim() !== "" || href.trim() !== "")
    .map(({ name, role, group, href }) => ({ name, role, group, href }));
}

function readSoundbites(form: FormData): { soundbites: Soundbite[] } | { error: string } {
  const soundbites: Soundbite[] = [];
  for (const { start, duration, title } of rows(form, "soundbites", ["start", "duration", "title"])) {
    if (`${start}${duration}${title}`.trim() === "") continue;
    const from = parseTime(start);
    const seconds = parseTime(duration);
    if (from === null || seconds === null)
      return { error: "Enter times such as 1:15, and lengths in seconds." };
    soundbites.push({ start: from, duration: seconds, title });
  }
  return { soundbites };
}
