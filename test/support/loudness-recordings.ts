import { execFileSync, spawnSync } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

/** Recordings of one text by Debian's programs in every kind that a podcaster uploads, and what ffmpeg measures of them. */

const has = (program: string) => spawnSync(program, ["-version"]).error === undefined;

export const hasRecorders = ["espeak-ng", "ffmpeg", "ffprobe", "sox", "lame", "opusenc", "flac"].every(has);

const TEXT =
  "The waiting room is a policy. How many chairs there are was decided, and how long you sit in them. " +
  "This is a recording of speech with pauses, made by a machine, and it lasts for some time, so that loudness " +
  "can be measured over many blocks.";

/** Two voices over quiet noise. */
const MIX =
  "[0]aresample=44100,volume=0.9[a];[1]aresample=44100,volume=0.4,adelay=700[b];[2]aresample=44100[n];" +
  "[a][b]amix=2:normalize=0:duration=longest[v];[v][n]amix=2:normalize=0:duration=first,asplit[l][r0];" +
  "[r0]volume=0.8[r];[l][r]join=inputs=2:channel_layout=stereo";
const NOISE = "anoisesrc=color=pink:amplitude=0.05:duration=15:seed=3";

const commands: [program: string, ...args: string[]][] = [
  ["espeak-ng", "-v", "en", "-w", "one.wav", TEXT],
  ["espeak-ng", "-v", "en+f3", "-s", "140", "-p", "60", "-w", "two.wav", TEXT],
  [
    ...(["ffmpeg", "-v", "error", "-i", "one.wav", "-i", "two.wav", "-f", "lavfi", "-i", NOISE] as const),
    ...(["-filter_complex", MIX, "-ar", "44100", "-c:a", "pcm_s16le", "wav-44.wav"] as const),
  ],
  ["sox", "-V1", "wav-44.wav", "-r", "48000", "-b", "24", "wav-48.wav"],
  ["sox", "-V1", "wav-44.wav", "-r", "96000", "-b", "24", "wav-96.wav"],
  ["lame", "--quiet", "-b", "128", "wav-44.wav", "cbr.mp3"],
  ["lame", "--quiet", "-V4", "wav-44.wav", "vbr.mp3"],
  ["lame", "--quiet", "-m", "m", "-b", "64", "wav-44.wav", "mono.mp3"],
  ["lame", "--quiet", "-m", "j", "-b", "96", "-p", "wav-44.wav", "joint-checked.mp3"],
  ["lame", "--quiet", "-m", "m", "-b", "32", "--resample", "22.05", "wav-44.wav", "mono-22.mp3"],
  ["ffmpeg", "-v", "error", "-i", "wav-44.wav", "-c:a", "aac", "-b:a", "96k", "aac.m4a"],
  ["opusenc", "--quiet", "wav-48.wav", "music.opus"],
  ["opusenc", "--quiet", "--downmix-mono", "--bitrate", "24", "one.wav", "speech.opus"],
  ["ffmpeg", "-v", "error", "-i", "wav-44.wav", "-c:a", "libvorbis", "-q:a", "4", "vorbis.ogg"],
  ["flac", "-s", "-o", "lossless.flac", "wav-44.wav"],
  ["sox", "-V1", "-D", "-n", "-r", "44100", "-c", "2", "-b", "16", "silence.wav", "trim", "0", "12"],
  ["sox", "-V1", "wav-44.wav", "-b", "16", "left-only.wav", "remix", "1", "0"],
  ["sox", "-V1", "wav-44.wav", "-b", "16", "clipped.wav", "gain", "24"],
  ["lame", "--quiet", "-b", "128", "clipped.wav", "clipped.mp3"],
  ["sox", "-V1", "wav-44.wav", "-b", "16", "pauses.wav", "pad", "6@3", "7@8"],
  ["sox", "-V1", "wav-44.wav", "-b", "16", "quiet.wav", "gain", "-14"],
  ["lame", "--quiet", "-V5", "quiet.wav", "quiet.mp3"],
];

export const recordings = [
  "wav-44.wav",
  "wav-48.wav",
  "wav-96.wav",
  "cbr.mp3",
  "vbr.mp3",
  "mono.mp3",
  "joint-checked.mp3",
  "mono-22.mp3",
  "aac.m4a",
  "music.opus",
  "speech.opus",
  "vorbis.ogg",
  "lossless.flac",
  "silence.wav",
  "left-only.wav",
  "clipped.wav",
  "clipped.mp3",
  "pauses.wav",
  "quiet.mp3",
];

/** The path of each recording by its name. */
export function makeRecordings() {
  const folder = mkdtempSync(join(tmpdir(), "rostrum-loudness-"));
  for (const [program, ...args] of commands) execFileSync(program, args, { cwd: folder, stdio: "pipe" });
  return {
    pathOf: (name: string) => join(folder, name),
    remove: () => rmSync(folder, { recursive: true, force: true }),
  };
}

/** `ffmpeg -af ebur128=peak=true`: LUFS, LU and dBTP. It writes −70 LUFS for silence. */
export function ffmpegLoudness(path: string) {
  const args = ["-hide_banner", "-nostats", "-i", path, "-map", "0:a", "-af", "ebur128=peak=true"];
  const { stderr } = spawnSync("ffmpeg", [...args, "-f", "null", "-"], { encoding: "utf8" });
  const summary = stderr.slice(stderr.lastIndexOf("Summary"));
  const figure = (pattern: RegExp) => Number(pattern.exec(summary)?.[1]?.replace("inf", "Infinity"));
  return {
    integrated: figure(/I:\s+(\S+) LUFS/),
    range: figure(/LRA:\s+(\S+) LU/),
    truePeak: figure(/Peak:\s+(\S+) dBFS/),
  };
}

/** What ffmpeg decodes, at the recording's own rate: the samples of all channels in turn. */
export function decode(path: string) {
  const streams = ["-v", "error", "-select_streams", "a:0", "-show_entries", "stream=channels,sample_rate"];
  const facts = execFileSync("ffprobe", [...streams, "-of", "json", path], { encoding: "utf8" });
  const [stream] = (JSON.parse(facts) as { streams: [{ channels: number; sample_rate: string }] }).streams;
  const raw = execFileSync("ffmpeg", ["-v", "error", "-i", path, "-map", "0:a", "-f", "f32le", "-"], {
    maxBuffer: 1_000_000_000,
  });
  return {
    channels: stream.channels,
    rate: Number(stream.sample_rate),
    samples: new Float32Array(raw.buffer, raw.byteOffset, raw.length / 4),
  };
}
