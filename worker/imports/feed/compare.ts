import type { Difference, FeedEpisode } from "#worker/imports/feed/contract.ts";
import { plainOf } from "#worker/imports/feed/notes.ts";

/** Characters of a value that a comparison shows. */
const SHOWN = 120;
/** Seconds: old hosts round durations, and some state that of another file. */
const TOLERANCE = 2;

type Compared = {
  field: string;
  of: (episode: FeedEpisode) => string;
  isAlike?: (before: FeedEpisode, after: FeedEpisode) => boolean;
};

const yesOrNo = (value: unknown) => (value ? "yes" : "no");
const wordsOf = (text: string) => plainOf(text).match(/[\p{L}\p{N}]+/gu) ?? [];

/** A feed near its limit shortens older texts, which end in an ellipsis then. */
function isSameText(before: string, after: string) {
  const [one, two] = [wordsOf(before), wordsOf(after)];
  const isShortened = after.trimEnd().endsWith("…") && two.length <= one.length;
  const compared = isShortened ? one.slice(0, two.length) : one;
  return compared.join(" ") === two.join(" ");
}

/** Every field that both feeds may have. */
const fields: Compared[] = [
  { field: "Title", of: ({ title }) => title },
  {
    field: "Date",
    of: ({ publishedAt }) => (publishedAt === null ? "" : new Date(publishedAt).toISOString()),
  },
  { field: "Audio", of: ({ audio }) => yesOrNo(audio) },
  {
    field: "Bytes of audio",
    of: ({ audio }) => String(audio?.size ?? ""),
    // A feed that does not say is not another one.
    isAlike: (before, after) => !before.audio?.size || before.audio.size === after.audio?.size,
  },
  {
    field: "Duration",
    of: ({ durationSeconds }) => `${durationSeconds} s`,
    isAlike: (before, after) =>
      before.durationSeconds === 0 || Math.abs(before.durationSeconds - after.durationSeconds) <= TOLERANCE,
  },
  { field: "Season", of: ({ seasonNumber }) => String(seasonNumber ?? "") },
  {
    field: "Episode number",
    of: ({ episodeNumber }) => String(episodeNumber ?? ""),
    isAlike: (before, after) =>
      before.episodeType === "trailer" || before.episodeNumber === after.episodeNumber,
  },
  { field: "Type", of: ({ episodeType }) => episodeType },
  { field: "Explicit", of: ({ explicit }) => yesOrNo(explicit) },
  { field: "Blocked", of: ({ blocked }) => yesOrNo(blocked) },
  {
    field: "Description",
    of: ({ summary }) => plainOf(summary),
    isAlike: (before, after) => isSameText(before.summary, after.summary),
  },
  {
    field: "Show notes",
    of: ({ notes }) => plainOf(notes),
    // A feed near its limit leaves those of older episodes out.
    isAlike: (before, after) => after.notes === after.summary || isSameText(before.notes, after.notes),
  },
  { field: "Picture", of: ({ imageUrl }) => yesOrNo(imageUrl) },
  { field: "Chapters", of: ({ chapters, chaptersFile }) => yesOrNo(chapters.length > 0 || chaptersFile) },
  { field: "Transcript", of: ({ transcripts }) => yesOrNo(transcripts.length > 0) },
  {
    field: "People",
    of: ({ people }) => people.map(({ name }) => name).join(", "),
    // They are details, as the show notes are.
    isAlike: (before, after) => after.people.length === 0 || namesOf(before) === namesOf(after),
  },
];

const namesOf = ({ people }: FeedEpisode) => people.map(({ name, role }) => `${name} ${role}`).join(", ");

/** The fields that an episode has differently in the two feeds. */
export const compareEpisodes = (before: FeedEpisode, after: FeedEpisode): Difference[] =>
  fields
    .filter(({ of, isAlike = () => of(before) === of(after) }) => !isAlike(before, after))
    .map(({ field, of }) => ({
      field,
      before: of(before).slice(0, SHOWN),
      after: of(after).slice(0, SHOWN),
    }));
