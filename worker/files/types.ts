import { fileTypeFromBuffer } from "file-type";
import { MP4_VIDEOS, type FileFolder } from "#worker/files/contract.ts";

export type FileType = { mime: string; extension: string };

/** What every browser shows. SVG is a program and not among them. */
const PICTURES = ["image/png", "image/jpeg", "image/webp", "image/avif", "image/gif"];
const DOCUMENTS = ["application/pdf", "application/zip", "text/plain", "text/vtt"];

export const isPicture = (mime: string) => PICTURES.includes(mime);
export const isAudio = (mime: string) => mime.startsWith("audio/");
export const isMp4Audio = (mime: string) => mime === "audio/mp4" || mime === "audio/x-m4a";

const takes: Record<FileFolder, (mime: string) => boolean> = {
  "podcast-audio": isAudio,
  "podcast-images": isPicture,
  articles: isPicture,
  ventures: isPicture,
  uploads: (mime) =>
    isPicture(mime) || isAudio(mime) || mime.startsWith("video/") || DOCUMENTS.includes(mime),
};

/** Whether a file of the folder may be served as this, the value of a Content-Type: a list would count as its last. */
export function isServedAs(type: string, folder: FileFolder) {
  const mime = type.replace(/^(text\/[a-z]+); charset=utf-8$/, "$1");
  return /^[a-z]+\/[a-z0-9.+-]+$/.test(mime) && takes[folder](mime);
}

/** Bytes that may precede the first frame of an MP3 without tags. Elsewhere chance would find MP3s in anything. */
const MP3_TOLERANCE = 1024;

/** What a file's first bytes say that it is, or null when the folder does not take that. */
export async function readType(bytes: Uint8Array, folder: FileFolder): Promise<FileType | null> {
  const type = (await readSignature(bytes, folder)) ?? readText(bytes);
  return type && takes[folder](type.mime) ? type : null;
}

/**
 * Whether the beginning of a recording says as much of its type as all of it. A tag that is longer may precede another
 * format, and the tracks of an MP4 may be anywhere.
 */
export async function decides(head: Uint8Array, folder: FileFolder) {
  const type = folder === "podcast-audio" ? await readType(head, folder) : null;
  return type !== null && !isMp4Audio(type.mime) && endOfTag(head) < head.length;
}

/** Of an ID3v2 tag, whose length has seven bits in each of four bytes; 0 without one. */
function endOfTag(head: Uint8Array) {
  const isTagged = new TextDecoder("latin1").decode(head.subarray(0, 3)) === "ID3";
  return isTagged ? head.subarray(6, 10).reduce((size, byte) => size * 128 + (byte & 127), 0) + 10 : 0;
}

async function readSignature(bytes: Uint8Array, folder: FileFolder) {
  if (isLongWave(bytes)) return { mime: "audio/wav", extension: "wav" };
  const mpegOffsetTolerance = folder === "podcast-audio" ? MP3_TOLERANCE : 0;
  const found = await fileTypeFromBuffer(bytes, { mpegOffsetTolerance });
  if (!found) return null;
  const [mime = ""] = found.mime.split(";");
  // Audio and video share these brands. The tracks decide, and they may be at the end of the file.
  if (folder === "podcast-audio" && MP4_VIDEOS.includes(mime)) return { mime: "audio/mp4", extension: "m4a" };
  // The layer is read later, where the sound begins; an earlier match may be chance.
  if (mime === "audio/mpeg") return { mime, extension: "mp3" };
  // Animated, and a PNG to whatever shows it.
  if (mime === "image/apng") return { mime: "image/png", extension: "png" };
  return { mime, extension: found.ext };
}

/** A WAV with sizes of 64 bits, EBU Tech 3306 and ITU-R BS.2088. Its first size is a sync word to who looks for MPEG. */
function isLongWave(bytes: Uint8Array) {
  const text = new TextDecoder("latin1").decode(bytes.subarray(0, 12));
  return /^(?:RF64|BW64)[^]{4}WAVE$/.test(text);
}

/** UTF-8 without control characters that is not markup. */
function readText(bytes: Uint8Array): FileType | null {
  if (bytes.some((byte) => byte < 0x20 && (byte < 0x09 || byte > 0x0d))) return null;
  const text = decode(bytes);
  return text === null || text.trimStart().startsWith("<") ? null : { mime: "text/plain", extension: "txt" };
}

function decode(bytes: Uint8Array) {
  try {
    // A stream, because the first part of a long text may end within a character.
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes, { stream: true });
  } catch {
    return null;
  }
}
