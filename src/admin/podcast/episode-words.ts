import { formatDateTime, formatDuration, formatTime } from "#site/ui/format.ts";
import type { Locale } from "#site/ui/locale.ts";
import type {
  Alternate,
  Chapter,
  Discussion,
  EpisodeStatus,
  Funding,
  Generated,
  Person,
  Place,
  Soundbite,
} from "#worker/episodes/contract.ts";
import type { FieldWords } from "../form/compare/fields.tsx";
import { statusNames } from "../publishing/statuses.ts";

const labels = {
  title: "Title",
  description: "Description",
  showNotes: "Show notes",
  seasonNumber: "Season",
  episodeNumber: "Episode",
  episodeType: "Type",
  explicit: "Explicit",
  blocked: "Hidden from podcast apps",
  audioFileId: "Audio",
  durationSeconds: "Length",
  imageFileId: "Picture",
  imageAlt: "Description of the picture",
  chapters: "Chapters",
  soundbites: "Soundbites",
  transcript: "Transcript",
  people: "People",
  places: "Places",
  alternates: "Further files",
  discussions: "Discussions",
  funding: "Support links",
  generated: "Written by a model",
  youtubeUrl: "YouTube URL",
  videoUrl: "Video URL",
  spotifyUrl: "Spotify URL",
  appleUrl: "Apple URL",
  status: "Status",
  publishedAt: "Publication date",
  scheduledFor: "Publish at",
  slug: "Address",
};

const lines = <T>(rows: unknown, lineOf: (row: T) => string) => (rows as T[]).map(lineOf).join("\n");

/** An episode's values in the words of its form, for comparing versions. */
export const episodeWords = (locale: Locale): FieldWords => ({
  labels,
  inWords(field, value) {
    if (value === null || value === undefined) return undefined;
    switch (field) {
      case "status":
        return statusNames[value as EpisodeStatus];
      case "explicit":
      case "blocked":
        return value ? "Yes" : "No";
      case "seasonNumber":
      case "episodeNumber":
        return String(value);
      case "durationSeconds":
        return formatDuration(value as number);
      case "audioFileId":
        return "An audio file";
      case "imageFileId":
        return "A picture";
      case "publishedAt":
      case "scheduledFor":
        return formatDateTime(value as number, locale);
      case "chapters":
        return lines<Chapter>(value, ({ start, title }) => `${formatTime(start)} ${title}`);
      case "soundbites":
        return lines<Soundbite>(
          value,
          ({ start, duration, title }) => `${formatTime(start)}, ${duration} s ${title}`,
        );
      case "people":
        return lines<Person>(value, ({ name, role }) => `${name}, ${role}`);
      case "places":
        return lines<Place>(value, ({ name }) => name);
      case "alternates":
        return lines<Alternate>(value, ({ url, title }) => `${title} ${url.split("/").at(-1)}`.trim());
      case "discussions":
        return lines<Discussion>(value, ({ url }) => url);
      case "funding":
        return lines<Funding>(value, ({ url, text }) => `${text} ${url}`.trim());
      case "generated":
        return lines<Generated>(
          value,
          (mark) => `${mark.field === "unnamed" ? "Something unnamed" : labels[mark.field]}: ${mark.model}`,
        );
      default:
        return undefined;
    }
  },
});
