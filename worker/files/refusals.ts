import { fileTypeFromBuffer } from "file-type";
import { INVALID_TYPE } from "#worker/files/contract.ts";

/** Messages for files that are not recordings: what the file is, why it is refused, and what to do instead. */

/** Sound that neither browsers nor podcast apps play, by its type, or by a file's first bytes if it has no type. */
const UNPLAYED: Record<string, string> = {
  "audio/amr": "AMR",
  "audio/ape": "Monkey’s Audio",
  "audio/midi": "MIDI",
  "audio/qcelp": "QCELP",
  "audio/vnd.dolby.dd-raw": "Dolby Digital",
  "audio/wavpack": "WavPack",
  "audio/x-caf": "CAF",
  "audio/x-dsf": "DSD",
  "audio/x-ms-asf": "Windows Media",
  "audio/x-musepack": "Musepack",
  "audio/x-voc": "VOC",
};
const BEGINNINGS: Record<string, string> = {
  "\x7F\xFE\x80\x01": "DTS",
  ".RMF": "RealAudio",
  ".snd": "Sun audio",
  FRM8: "DSD",
  TTA1: "True Audio",
  riff: "Wave64",
};

/** The name of sound that is not played; null for other files. */
export async function unplayedSound(bytes: Uint8Array) {
  const beginning = String.fromCharCode(...bytes.subarray(0, 4));
  // Chance may look like MPEG behind it.
  if (beginning in BEGINNINGS) return BEGINNINGS[beginning]!;
  const found = await fileTypeFromBuffer(bytes);
  if (found?.ext === "spx") return "Speex";
  return UNPLAYED[found?.mime ?? ""] ?? null;
}

/** For a file without sound. */
export async function whyNoRecording(bytes: Uint8Array) {
  const found = await fileTypeFromBuffer(bytes);
  if (found) return whyNot(found.mime) ?? INVALID_TYPE;
  const text = new TextDecoder("latin1").decode(bytes.subarray(0, 1024)).trimStart();
  if (/^<(?:!doctype html|html)\b/i.test(text))
    return "This is a web page, not a recording. Its download may have ended at a sign-in or an error: open the address in a browser, and download the recording again.";
  return INVALID_TYPE;
}

const ARCHIVES = /zip|rar|7z|tar|gzip|bzip|x-xz/;

function whyNot(mime: string) {
  if (/^video\/(?:matroska|x-matroska|webm)$/.test(mime) || mime === "audio/x-matroska")
    return "This is a Matroska or WebM file, which podcast apps don’t play. Export its audio as MP3 or M4A, and upload that.";
  if (mime.startsWith("video/"))
    return "This is a video. Export only its audio, as MP3 or M4A, and upload that.";
  if (mime.startsWith("image/")) return "This is a picture, not a recording. Choose the audio file.";
  if (ARCHIVES.test(mime)) return "This is an archive. Unpack it, and upload the recording that is in it.";
  if (mime === "application/pdf") return "This is a PDF, not a recording. Choose the audio file.";
  return null;
}
