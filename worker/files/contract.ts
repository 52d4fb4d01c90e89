import { z } from "zod";
import { clockTime, Loudness } from "#worker/files/loudness/contract.ts";
import { line, ListQuery } from "#worker/platform/contract.ts";

const MB = 1024 * 1024;

/** Types that browsers, or a file's brand, give to an MP4, even if it has only sound. */
export const MP4_VIDEOS = ["video/mp4", "video/quicktime", "video/3gpp", "video/3gpp2", "video/x-m4v"];

/** The folder decides the accepted types and the limit. */
export const folders = {
  "podcast-audio": { accept: ["audio/*", ...MP4_VIDEOS], maxMB: 500 },
  "podcast-images": { accept: ["image/*"], maxMB: 10 },
  articles: { accept: ["image/*"], maxMB: 10 },
  ventures: { accept: ["image/*"], maxMB: 10 },
  uploads: { accept: ["*/*"], maxMB: 50 },
} as const;

export type FileFolder = keyof typeof folders;

export const tooLarge = (folder: FileFolder) => `File size must be less than ${folders[folder].maxMB}MB`;
export const INVALID_TYPE = "Invalid file type";

/** Bytes. "Less than": a file of exactly the limit is refused too. */
export const maxBytes = (folder: FileFolder) => folders[folder].maxMB * MB;

/** Types of browsers that do not know the type, or treat audio as video. */
const UNCLEAR = ["", "application/octet-stream", "application/ogg", "video/ogg"];
/** Types that could run in a page; refused in every folder. */
const ACTIVE =
  /^(image\/svg|text\/(html|xml|javascript|ecmascript)|application\/(xhtml|xml|(x-)?javascript|ecmascript))/;

/** Whether a claimed type may be uploaded to the folder. Refuses only what is clearly wrong: the bytes decide later. */
export function mayUpload(folder: FileFolder, claimed: string) {
  const type = claimed.split(";")[0]?.trim().toLowerCase() ?? "";
  if (UNCLEAR.includes(type)) return true;
  if (ACTIVE.test(type)) return false;
  return folders[folder].accept.some((accepted) => isOf(type, accepted));
}

const isOf = (type: string, accepted: string) =>
  accepted === "*/*" ||
  (accepted.endsWith("/*") ? type.startsWith(accepted.slice(0, -1)) : type === accepted);

export const NewFile = z.strictObject({
  name: z.string().trim().min(1, "The file needs a name.").max(255),
  /** The browser's claim; the bytes decide. */
  type: z.string().max(255).default(""),
  size: z.int().min(1, "The file is empty."),
  folder: z.enum(Object.keys(folders) as [FileFolder, ...FileFolder[]]),
  /** Uploaded into the library: not deleted when unused. */
  kept: z.boolean().default(false),
});
export type NewFile = z.input<typeof NewFile>;

/** R2 numbers parts from 1 to 10,000. */
export const PartNumber = z.strictObject({ number: z.int().min(1).max(10_000) });

/** Of a waveform, up to an hour. Longer files have fewer a second. */
export const PEAKS_A_SECOND = 10;
export const MAX_PEAKS = 36_000;

/** The waveform and the loudness of an audio file, which the browser measures during the upload. */
export const Peaks = z.strictObject({
  /** Base64 of one byte for each section of the file, all of the same length: 0 for silence, 255 for the loudest. */
  peaks: z
    .base64("Send the peaks as Base64.")
    .min(4, "There are no peaks.")
    .max(Math.ceil(MAX_PEAKS / 3) * 4, `A file has at most ${MAX_PEAKS} peaks.`),
  loudness: Loudness.optional(),
});
export type Peaks = z.input<typeof Peaks>;
/** `loudness` is null for files whose waveform was measured before loudness was. */
export type StoredPeaks = { peaks: string; loudness: Loudness | null };

/** The state of an upload, from which the browser starts or resumes. */
export type Upload = {
  id: string;
  name: string;
  size: number;
  partSize: number;
  /** Parts 1…received are stored; the next to send is received + 1. */
  received: number;
  parts: number;
  status: "uploading" | "complete";
};

/**
 * What is wrong with the length of an audio file: `cut_off`, its end is missing; `joined`, it has more sound than it
 * states.
 */
export type FileFlaw = "cut_off" | "joined";

type Lengthy = Pick<StoredFile, "flaw" | "durationSeconds" | "statedSeconds">;

/** A message about a wrong length of an audio file; null if it is right. */
export function flawInWords({ flaw, durationSeconds, statedSeconds: stated }: Lengthy) {
  const there = durationSeconds ?? 0;
  switch (flaw) {
    case "cut_off":
      return stated === null
        ? `This file seems cut off after ${clock(there)}. Upload the original again.`
        : `This file seems cut off: it has ${clock(there)} of ${clock(Math.round(stated))}. Upload the original again.`;
    case "joined":
      return stated === null
        ? `This file seems to have several recordings joined together. Apps play only the first, ${clock(there)}. Export them as one.`
        : `This file seems to have several recordings joined together. It states a length of ${clock(stated)} but lasts ${clock(there)}, so some apps show the wrong length. Export them as one.`;
    default:
      return null;
  }
}

/** "45 s"; from two minutes on "2:05", and "1:02:05". */
const clock = (seconds: number) => (seconds < 120 ? `${Math.floor(seconds)} s` : clockTime(seconds));

/** Kinds of items that use files. `file`: the audio in which the picture was found. `bin`: a deleted item. */
export type FileUseKind =
  | "article"
  | "episode"
  | "show"
  | "press"
  | "page"
  | "venture"
  | "profile"
  | "letter"
  | "automatic-letter"
  | "file"
  | "bin";

/** A complete file, as forms and pages use it. */
export type StoredFile = {
  id: string;
  /** `/media/{key}` */
  url: string;
  name: string;
  type: string;
  size: number;
  durationSeconds: number | null;
  flaw: FileFlaw | null;
  /** The length that a flawed file states; null if it states none. */
  statedSeconds: number | null;
  width: number | null;
  height: number | null;
  /** The description of a picture, for people who cannot see it; empty until the owner writes one. */
  alt: string;
  /** A picture with an alpha channel, which Apple refuses as artwork. */
  hasAlpha: boolean | null;
  /** A JPEG in CMYK, which apps show wrongly. */
  isCmyk: boolean | null;
  /** The picture found inside an audio file. */
  artwork: { id: string; url: string } | null;
  chapters: EmbeddedChapter[];
  /** Null if an audio file has none. */
  tags: AudioTags | null;
};

/** A chapter inside an audio file; `start` in seconds. */
export type EmbeddedChapter = {
  start: number;
  title: string;
  url?: string;
  /** The address of a picture inside the file: `/media/…`. `refusedPicture` describes one that cannot be published. */
  img?: string;
  refusedPicture?: string;
};

/** The tags of an audio file. */
export type AudioTags = {
  /** Empty if it has none. */
  title: string;
  number: number | null;
  /** Describes a cover that cannot be published: "a BMP picture". */
  refusedCover?: string;
  /** Whether it has more chapters than an episode takes: the others are not read. */
  hasMoreChapters?: true;
};

/** A message about the faults of an audio file; null if it has none. */
export const faultsInWords = (file: StoredFile) =>
  [flawInWords(file), chaptersInWords(file), refusedPictures(file)]
    .filter((words) => words !== null)
    .join(" ") || null;

const chaptersInWords = ({ tags, chapters: { length } }: StoredFile) =>
  tags?.hasMoreChapters
    ? `The audio file has more than ${length} chapters: only the first ${length} are used.`
    : null;

/** A message about the pictures inside an audio file that cannot be published. */
function refusedPictures({ tags, chapters }: StoredFile) {
  const cover = tags?.refusedCover;
  const refused = chapters.flatMap(({ refusedPicture }) => refusedPicture ?? []);
  const those =
    refused.length === 1 ? "The picture of a chapter was" : `The pictures of ${refused.length} chapters were`;
  const sentences = [
    ...(cover ? [`The cover in the audio file can’t be used: it is ${cover}.`] : []),
    ...(refused.length > 0 ? [`${those} left out: ${[...new Set(refused)].join(", ")}.`] : []),
  ];
  if ([cover, ...refused].some((reason) => reason && OTHER_FORMAT.test(reason)))
    sentences.push("Podcast apps show JPEG and PNG.");
  return sentences.length > 0 ? sentences.join(" ") : null;
}

/** "a BMP picture". */
const OTHER_FORMAT = /^an? [A-Z0-9]+ picture$/;

/** The library's groups of files; `other` are documents and videos. */
const fileKinds = ["picture", "audio", "other"] as const;
export type FileKind = (typeof fileKinds)[number];

export const kindOf = (type: string): FileKind =>
  type.startsWith("image/") ? "picture" : type.startsWith("audio/") ? "audio" : "other";

/** Characters of a picture's description. */
export const MAX_ALT = 300;

export const FileListQuery = ListQuery.extend({
  /** Words of the name and the description; each may be incomplete. */
  q: z.string().max(1000).optional(),
  kind: z.enum(fileKinds).optional(),
  /** Whether an item uses it. */
  used: z.enum(["yes", "no"]).optional(),
});
export type FileListQuery = z.output<typeof FileListQuery>;

export const FileChange = z
  .strictObject({
    alt: line(MAX_ALT, `At most ${MAX_ALT} characters.`),
    /** Whether it is kept when unused. */
    kept: z.boolean(),
  })
  .partial();
export type FileChange = z.input<typeof FileChange>;

/** The complete file that replaces another. */
export const Replacement = z.strictObject({ by: z.string().min(1, "Choose the new file first.") });
export type Replacement = z.input<typeof Replacement>;

/** A file in the library. */
export type LibraryFile = StoredFile & {
  kind: FileKind;
  isUsed: boolean;
  isKept: boolean;
  /** Smaller copies of a picture, for `srcset`; empty if there are none. */
  srcset: string;
  /** Milliseconds UTC. */
  completedAt: number;
};

/** An upload that was begun and is not complete. */
export type UnfinishedFile = Upload & {
  /** Milliseconds UTC. */
  createdAt: number;
};

/** An item that uses a file. */
export type FileUse = {
  kind: FileUseKind;
  /** Its id or slug. */
  item: string;
  /** Null if the kind or slug is enough, and for users who may not open the item. */
  title: string | null;
  /** True for the current version of the item; false if only a former version uses the file. */
  isCurrent: boolean;
  /** Whether the current user may open it. */
  mayOpen: boolean;
};

const placeNames: Record<Exclude<FileUseKind, "bin">, string> = {
  article: "the article",
  episode: "the episode",
  show: "the show",
  press: "the media item",
  page: "the page",
  venture: "the venture",
  profile: "the person",
  letter: "the letter",
  "automatic-letter": "the automatic letter",
  file: "the audio file",
};

/** "the article “On housing”"; "a letter" for users who may not know which. */
export function placeInWords({ kind, item, title, isCurrent }: FileUse) {
  if (kind === "bin") return title === null ? "a deleted letter" : `“${title}” in the bin`;
  const isLetter = kind === "letter" || kind === "automatic-letter";
  const place = isLetter && title === null ? "a letter" : `${placeNames[kind]} “${title ?? item}”`;
  return isCurrent ? place : `an earlier version of ${place}`;
}

export type OpenedFile = {
  file: LibraryFile;
  /** The first ones, and the total. */
  uses: FileUse[];
  useCount: number;
};

/** Formats that every email program shows. */
export type MailFormat = "jpeg" | "png" | "gif";

/** A picture as a page shows it. */
export type Picture = {
  /** `/media/…`, the original. */
  src: string;
  /** Smaller WebP copies for `srcset`; empty until they are made. */
  srcset: string;
  /** Even smaller AVIF copies for phones; empty until they are made. */
  avif: string;
  width: number | null;
  height: number | null;
  alt: string;
};
