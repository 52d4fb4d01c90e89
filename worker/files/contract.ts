import { z } from "zod";
import { line, ListQuery } from "#worker/platform/contract.ts";

const MB = 1024 * 1024;

/** What a browser, or the brand of a file, calls an MP4, also where sound is all that it has. */
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

/** Sent by browsers that do not know the type, or that take audio for video. */
const UNCLEAR = ["", "application/octet-stream", "application/ogg", "video/ogg"];
/** Could run in a page; refused in every folder. */
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
  /** As the browser claims it; the bytes decide. */
  type: z.string().max(255).default(""),
  size: z.int().min(1, "The file is empty."),
  folder: z.enum(Object.keys(folders) as [FileFolder, ...FileFolder[]]),
  /** Uploaded into the library: kept although nothing uses it. */
  kept: z.boolean().default(false),
});
export type NewFile = z.input<typeof NewFile>;

/** R2 numbers parts from 1 to 10,000. */
export const PartNumber = z.strictObject({ number: z.int().min(1).max(10_000) });

/** Of a waveform: an hour of them. Longer files have fewer a second. */
export const PEAKS_A_SECOND = 10;
export const MAX_PEAKS = 36_000;

/** How loud an audio file is, which the browser finds out as it is uploaded. */
export const Peaks = z.strictObject({
  /** Base64 of a byte for each stretch of the file, all of one length: 0 for silence, 255 for the loudest. */
  peaks: z
    .base64("Send the peaks as Base64.")
    .min(4, "There are no peaks.")
    .max(Math.ceil(MAX_PEAKS / 3) * 4, `A file has at most ${MAX_PEAKS} peaks.`),
});
export type Peaks = z.input<typeof Peaks>;

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
 * What is wrong with the length of an audio file: `cut_off`, its end is missing; `joined`, there is more in it than it
 * says.
 */
export type FileFlaw = "cut_off" | "joined";

type Lengthy = Pick<StoredFile, "flaw" | "durationSeconds" | "statedSeconds">;

/** What is wrong with the length of an audio file, in words; null when nothing is. */
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
function clock(seconds: number) {
  const whole = Math.floor(seconds);
  if (whole < 120) return `${whole} s`;
  const two = (value: number) => String(value % 60).padStart(2, "0");
  const [hours, minutes] = [Math.floor(whole / 3600), Math.floor(whole / 60)];
  return hours > 0 ? `${hours}:${two(minutes)}:${two(whole)}` : `${minutes}:${two(whole)}`;
}

/** What may name a file. Of a `file`, the audio in which the picture was found. */
export type FileUseKind = "article" | "episode" | "show" | "press" | "page" | "venture" | "letter" | "file";

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
  /** What a flawed file says that it lasts; null where it does not say. */
  statedSeconds: number | null;
  width: number | null;
  height: number | null;
  /** What a picture shows, for people who cannot see it; empty where nobody has said that yet. */
  alt: string;
  /** A picture with an alpha channel, which Apple refuses as artwork. */
  hasAlpha: boolean | null;
  /** A JPEG with the colours of print, which apps show wrongly. */
  isCmyk: boolean | null;
  /** The picture found inside an audio file. */
  artwork: { id: string; url: string } | null;
  chapters: EmbeddedChapter[];
  /** Null where an audio file bears none. */
  tags: AudioTags | null;
};

/** A chapter inside an audio file; `start` in seconds. */
export type EmbeddedChapter = {
  start: number;
  title: string;
  url?: string;
  /** An address: `/media/…` of a picture inside the file, whose `refusedPicture` says what it is where it has no place here. */
  img?: string;
  refusedPicture?: string;
};

/** What an audio file says of what is heard in it. */
export type AudioTags = {
  /** Empty where it says none. */
  title: string;
  number: number | null;
  /** What its cover is, where that has no place here: "a BMP picture". */
  refusedCover?: string;
};

/** What is wrong with an audio file, in words; null when nothing is. */
export const faultsInWords = (file: StoredFile) =>
  [flawInWords(file), refusedPictures(file)].filter((words) => words !== null).join(" ") || null;

/** The pictures inside an audio file that have no place here. */
function refusedPictures({ tags, chapters }: StoredFile) {
  const cover = tags?.refusedCover;
  const refused = chapters.flatMap(({ refusedPicture }) => refusedPicture ?? []);
  const those =
    refused.length === 1 ? "The picture of a chapter was" : `The pictures of ${refused.length} chapters were`;
  const sentences = [
    ...(cover ? [`The cover in the audio file can’t be used: it is ${cover}.`] : []),
    ...(refused.length > 0 ? [`${those} left out: ${[...new Set(refused)].join(", ")}.`] : []),
  ];
  return sentences.length > 0 ? `${sentences.join(" ")} Podcast apps show JPEG and PNG.` : null;
}

/** As the library sorts files; `other` are documents and videos. */
const fileKinds = ["picture", "audio", "other"] as const;
export type FileKind = (typeof fileKinds)[number];

export const kindOf = (type: string): FileKind =>
  type.startsWith("image/") ? "picture" : type.startsWith("audio/") ? "audio" : "other";

/** Characters of the description of a picture. */
export const MAX_ALT = 300;

export const FileListQuery = ListQuery.extend({
  /** Words of the name and the description, each as far as it was typed. */
  q: z.string().max(1000).optional(),
  kind: z.enum(fileKinds).optional(),
  /** Whether something uses it. */
  used: z.enum(["yes", "no"]).optional(),
});
export type FileListQuery = z.output<typeof FileListQuery>;

export const FileChange = z
  .strictObject({
    alt: line(MAX_ALT, `At most ${MAX_ALT} characters.`),
    /** Kept although nothing uses it. */
    kept: z.boolean(),
  })
  .partial();
export type FileChange = z.input<typeof FileChange>;

/** The file, complete, that takes another's place. */
export const Replacement = z.strictObject({ by: z.string().min(1, "Choose the new file first.") });
export type Replacement = z.input<typeof Replacement>;

/** A file in the library. */
export type LibraryFile = StoredFile & {
  kind: FileKind;
  isUsed: boolean;
  isKept: boolean;
  /** Smaller copies of a picture, for `srcset`; empty where there are none. */
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
  /** Null where its kind or its slug says what it is, and for who may not open it. */
  title: string | null;
  /** As it stands; otherwise a former version alone. */
  isCurrent: boolean;
  /** Whether who asks may. */
  mayOpen: boolean;
};

const placeNames: Record<FileUseKind, string> = {
  article: "the article",
  episode: "the episode",
  show: "the show",
  press: "the media item",
  page: "the page",
  venture: "the venture",
  letter: "the letter",
  file: "the audio file",
};

/** "the article “On housing”"; "a letter" for who may not know which. */
export function placeInWords({ kind, item, title, isCurrent }: FileUse) {
  const place = kind === "letter" && title === null ? "a letter" : `${placeNames[kind]} “${title ?? item}”`;
  return isCurrent ? place : `an earlier version of ${place}`;
}

export type OpenedFile = {
  file: LibraryFile;
  /** The first ones, and how many there are. */
  uses: FileUse[];
  useCount: number;
};

/** What every mail program shows. */
export type MailFormat = "jpeg" | "png" | "gif";

/** A picture as a page shows it. */
export type Picture = {
  /** `/media/…`, the original. */
  src: string;
  /** Smaller WebP copies for `srcset`; empty where there are none yet. */
  srcset: string;
  /** Still smaller AVIF copies for phones; likewise. */
  avif: string;
  width: number | null;
  height: number | null;
  alt: string;
};
