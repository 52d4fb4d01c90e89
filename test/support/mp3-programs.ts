import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

/** What other programs read in an MP3. */

const runs = (program: string, ...args: string[]) => spawnSync(program, args).status === 0;

/** Debian's has mutagen, also where another one comes first. */
const python = ["python3", "/usr/bin/python3"].find((path) => runs(path, "-c", "import mutagen"));
export const hasMutagen = python !== undefined;
export const hasFfmpeg = runs("ffmpeg", "-version") && runs("ffprobe", "-version");
export const hasMp3gain = runs("mp3gain", "-v");

export function run(program: string, ...args: string[]) {
  const { status, stdout, stderr } = spawnSync(program, args, { maxBuffer: 1_000_000_000 });
  if (status !== 0) throw new Error(`${program} ended with ${status}: ${stderr.toString()}`);
  return { stdout, stderr: stderr.toString() };
}

/** Passes the path of a temporary file with these bytes. */
export function withFile<T>(bytes: Uint8Array, use: (path: string) => T): T {
  const folder = mkdtempSync(join(tmpdir(), "rostrum-mp3-"));
  const path = join(folder, "sound.mp3");
  writeFileSync(path, bytes);
  try {
    return use(path);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

const READ_TAG = `
import json, sys
from mutagen.id3 import ID3
tag = ID3(sys.argv[1], translate=False)
def plain(frame):
    kind = frame.FrameID
    if kind == "APIC": return {"mime": frame.mime, "type": int(frame.type), "bytes": len(frame.data)}
    if kind == "CHAP": return {"id": frame.element_id, "start": frame.start_time, "end": frame.end_time,
        "title": str(frame.sub_frames["TIT2"]),
        "url": next((f.url for f in frame.sub_frames.values() if f.FrameID == "WXXX"), None),
        "picture": next((len(f.data) for f in frame.sub_frames.values() if f.FrameID == "APIC"), None)}
    if kind == "CTOC": return {"id": frame.element_id, "flags": int(frame.flags), "children": frame.child_element_ids}
    return frame.url if kind.startswith("W") else str(frame)
frames = {}
for frame in tag.values(): frames.setdefault(frame.FrameID, []).append(plain(frame))
print(json.dumps({"version": list(tag.version), "frames": frames}))
`;

type Chapter = {
  id: string;
  start: number;
  end: number;
  title: string;
  url: string | null;
  picture: number | null;
};

type Tag = {
  version: number[];
  frames: Record<string, string[]> & {
    CHAP?: Chapter[];
    CTOC?: { id: string; flags: number; children: string[] }[];
    APIC?: { mime: string; type: number; bytes: number }[];
  };
};

/** The tag as mutagen reads it. Times are in milliseconds. */
export const readTag = (bytes: Uint8Array) =>
  withFile(bytes, (path) => JSON.parse(run(python!, "-c", READ_TAG, path).stdout.toString()) as Tag);

const STRIP = `
import hashlib, sys
from mutagen.apev2 import delete as delete_ape
from mutagen.id3 import delete as delete_id3
for at in range(3):
    delete_id3(sys.argv[1])
    delete_ape(sys.argv[1])
print(hashlib.sha256(open(sys.argv[1], "rb").read()).hexdigest())
`;

/** SHA-256 of what is left when mutagen has deleted all tags. */
export const hashWithoutTags = (bytes: Uint8Array) =>
  withFile(bytes, (path) => run(python!, "-c", STRIP, path).stdout.toString().trim());

/** SHA-256 of the packets as ffmpeg finds them, not decoded. */
export const hashOfPackets = (bytes: Uint8Array) =>
  withFile(bytes, (path) =>
    run(
      "ffmpeg",
      "-v",
      "error",
      "-i",
      path,
      "-map",
      "0:a",
      "-c",
      "copy",
      "-f",
      "hash",
      "-hash",
      "sha256",
      "-",
    )
      .stdout.toString()
      .trim(),
  );

/** 16-bit samples. */
export const decodeMp3 = (bytes: Uint8Array) =>
  withFile(
    bytes,
    (path) => run("ffmpeg", "-v", "error", "-i", path, "-map", "0:a", "-f", "s16le", "-").stdout,
  );

/** What ffmpeg complains about when it checks the checksums of frames. */
export const checksumErrors = (bytes: Uint8Array) =>
  withFile(
    bytes,
    (path) =>
      run(
        "ffmpeg",
        "-v",
        "error",
        "-err_detect",
        "crccheck+bitstream",
        "-i",
        path,
        "-map",
        "0:a",
        "-f",
        "null",
        "-",
      ).stderr,
  );

type Probe = {
  chapters: { start_time: string; end_time: string; tags: { title: string } }[];
  streams: { codec_type: string; codec_name: string; width?: number }[];
  format: { tags: Record<string, string> };
};

export const probe = (bytes: Uint8Array) =>
  withFile(bytes, (path) => {
    const args = ["-v", "error", "-show_chapters", "-show_streams", "-show_format", "-of", "json", path];
    return JSON.parse(run("ffprobe", ...args).stdout.toString()) as Probe;
  });

/** The file as `mp3gain -g` makes it, without its own tag. */
export const mp3gain = (bytes: Uint8Array, steps: number, read: (path: string) => Uint8Array) =>
  withFile(bytes, (path) => {
    run("mp3gain", "-q", "-s", "s", "-g", String(steps), path);
    return read(path);
  });
