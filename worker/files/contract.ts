import { z } from "zod";

const MB = 1024 * 1024;

/** The folder decides the accepted types and the limit. */
export const folders = {
  "podcast-audio": { accept: "audio/*", maxMB: 500 },
  "podcast-images": { accept: "image/*", maxMB: 10 },
  articles: { accept: "image/*", maxMB: 10 },
  ventures: { accept: "image/*", maxMB: 10 },
  uploads: { accept: "*/*", maxMB: 50 },
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
  const { accept } = folders[folder];
  return accept === "*/*" || type.startsWith(accept.slice(0, -1));
}

export const NewFile = z.strictObject({
  name: z.string().trim().min(1, "The file needs a name.").max(255),
  /** As the browser claims it; the bytes decide. */
  type: z.string().max(255).default(""),
  size: z.int().min(1, "The file is empty."),
  folder: z.enum(Object.keys(folders) as [FileFolder, ...FileFolder[]]),
});
export type NewFile = z.input<typeof NewFile>;

/** R2 numbers parts from 1 to 10,000. */
export const PartNumber = z.strictObject({ number: z.int().min(1).max(10_000) });

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

/** A complete file, as forms and pages use it. */
export type StoredFile = {
  id: string;
  /** `/media/{key}` */
  url: string;
  name: string;
  type: string;
  size: number;
  durationSeconds: number | null;
  width: number | null;
  height: number | null;
  /** A picture with an alpha channel, which Apple refuses as artwork. */
  hasAlpha: boolean | null;
  /** The picture found inside an audio file. */
  artwork: { id: string; url: string } | null;
  chapters: { start: number; title: string }[];
};

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
