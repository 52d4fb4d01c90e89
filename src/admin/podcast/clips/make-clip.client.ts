import {
  ADTS,
  AudioBufferSink,
  AudioBufferSource,
  type AudioSource,
  BufferTarget,
  canEncodeAudio,
  canEncodeVideo,
  CanvasSource,
  EncodedAudioPacketSource,
  FLAC,
  Input,
  type InputAudioTrack,
  MP3,
  MP4,
  Mp4OutputFormat,
  OGG,
  Output,
  QTFF,
  QUALITY_HIGH,
  QUALITY_MEDIUM,
  UrlSource,
  WAVE,
  WebMOutputFormat,
} from "mediabunny";
import { quoteShapes, type QuoteShape } from "#worker/sharing/quote-address.ts";
import { clipFonts, frameDrawer, type ClipPicture } from "./draw-frame.ts";
import { encodeAac } from "./encode-aac.ts";
import { silenceBefore } from "./silence-before.ts";

/** Its message is for the owner. */
export class ClipProblem extends Error {}

const NO_CODECS =
  "This browser can’t make clips, because it has no WebCodecs. Use a current Chrome, Edge, Firefox or Safari.";
const NO_ENCODER =
  "This browser can’t encode video of this size. Use a current Chrome, Edge, Firefox or Safari, or another computer.";
const NOT_DECODED =
  "This browser can’t decode the recording. Try another browser, or upload the recording as MP3 or M4A.";
const NOT_READ = "The recording couldn’t be read. Check your connection, then try again.";
const ENDS_BEFORE = "The recording ends before this passage. The transcript may belong to another recording.";

export type ClipOrder = Omit<ClipPicture, "peaks" | "cover"> & {
  /** The address of the recording, and of a picture. */
  url: string;
  coverUrl: string | null;
  signal: AbortSignal;
  /** 0 to 1. */
  onProgress: (part: number) => void;
};

export type Clip = { blob: Blob; extension: "mp4" | "webm" };

const FRAMES_A_SECOND = 25;
const SAMPLES_A_SECOND = 48_000;
const BARS = 90;
/** Bytes of the recording that are in memory at a time, however long it is. */
const MOST_CACHED = 8 * 1024 * 1024;
/** Of the progress: reading the sound. */
const SOUND_PART = 0.1;

/**
 * A video of a passage of a recording, of which only the passage is in memory.
 * @throws ClipProblem, or the signal's reason
 */
export async function makeClip({ url, coverUrl, signal, onProgress, ...clip }: ClipOrder): Promise<Clip> {
  if (
    typeof VideoEncoder === "undefined" ||
    typeof AudioEncoder === "undefined" ||
    typeof AudioDecoder === "undefined"
  )
    throw new ClipProblem(NO_CODECS);
  const format = await chooseFormat(clip.shape);
  const sound = await readSound(url, clip, signal);
  onProgress(SOUND_PART);
  const cover = coverUrl === null ? null : await readCover(coverUrl);
  await Promise.all(Object.values(clipFonts).map((font) => document.fonts.load(`500 40px ${font}`)));
  const { width, height } = quoteShapes[clip.shape];
  const canvas = new OffscreenCanvas(width, height);
  const context = canvas.getContext("2d", { alpha: false })!;
  const draw = frameDrawer(context, { ...clip, cover, peaks: peaksOf(sound) });
  const target = new BufferTarget();
  const output = new Output({ format: format.container, target });
  const video = new CanvasSource(canvas, { codec: format.video, quality: QUALITY_MEDIUM });
  const audio = format.isPolyfilled ? await polyfilled(sound, signal) : native(sound, format.audio);
  output.addVideoTrack(video, { frameRate: FRAMES_A_SECOND });
  output.addAudioTrack(audio.source);
  try {
    await output.start();
    const frames = Math.round(sound.duration * FRAMES_A_SECOND);
    for (let frame = 0; frame < frames; frame++) {
      signal.throwIfAborted();
      if (frame % FRAMES_A_SECOND === 0) await audio.addSecond(frame / FRAMES_A_SECOND);
      const at = frame / FRAMES_A_SECOND;
      draw(clip.from + at);
      await video.add(at, 1 / FRAMES_A_SECOND);
      onProgress(SOUND_PART + (1 - SOUND_PART) * (frame / frames));
    }
    await output.finalize();
  } catch (error) {
    await output.cancel().catch(() => {});
    throw error;
  } finally {
    cover?.close();
  }
  return { blob: new Blob([target.buffer!], { type: format.type }), extension: format.extension };
}

/** The sound of an output, which is added second by second beside the frames. */
type Sounding = { source: AudioSource; addSecond(second: number): Promise<void> };

function native(sound: AudioBuffer, codec: "aac" | "opus"): Sounding {
  const source = new AudioBufferSource({ codec, quality: QUALITY_HIGH });
  return { source, addSecond: (second) => source.add(secondOf(sound, second)) };
}

async function polyfilled(sound: AudioBuffer, signal: AbortSignal): Promise<Sounding> {
  const { packets, decoderConfig } = await encodeAac(sound, signal);
  const source = new EncodedAudioPacketSource("aac");
  let next = await packets.next();
  return {
    source,
    async addSecond(second) {
      const until = second + 1 >= sound.duration ? Infinity : second + 1;
      while (!next.done && next.value.timestamp < until) {
        await source.add(next.value, { decoderConfig });
        next = await packets.next();
      }
    },
  };
}

const tracks = { numberOfChannels: 2, sampleRate: SAMPLES_A_SECOND };

/** MP4, which every network takes, if the browser encodes H.264; otherwise WebM. */
async function chooseFormat(shape: QuoteShape) {
  const size = { ...quoteShapes[shape], quality: QUALITY_MEDIUM, frameRate: FRAMES_A_SECOND };
  if (await canEncodeVideo("avc", size))
    return {
      container: new Mp4OutputFormat({ fastStart: "in-memory" }),
      type: "video/mp4",
      extension: "mp4",
      video: "avc",
      audio: "aac",
      isPolyfilled: !(await canEncodeAudio("aac", { ...tracks, quality: QUALITY_HIGH })),
    } as const;
  const video = (await canEncodeVideo("vp9", size))
    ? "vp9"
    : (await canEncodeVideo("av1", size))
      ? "av1"
      : null;
  const hasOpus = await canEncodeAudio("opus", { ...tracks, quality: QUALITY_HIGH });
  if (video === null || !hasOpus) throw new ClipProblem(NO_ENCODER);
  const container = new WebMOutputFormat();
  return {
    container,
    type: "video/webm",
    extension: "webm",
    video,
    audio: "opus",
    isPolyfilled: false,
  } as const;
}

type Passage = { from: number; to: number };

/** The passage's sound. */
async function readSound(url: string, passage: Passage, signal: AbortSignal) {
  let isUnread = false;
  const fetchFn: typeof fetch = async (...request) => {
    isUnread = true;
    const answer = await fetch(...request);
    isUnread = !answer.ok;
    return answer;
  };
  const source = new UrlSource(url, {
    maxCacheSize: MOST_CACHED,
    getRetryDelay: (attempts) => (attempts < 2 ? 1 : null),
    fetchFn,
  });
  const input = new Input({ formats: [MP3, MP4, QTFF, ADTS, WAVE, OGG, FLAC], source });
  try {
    const track = await input.getPrimaryAudioTrack();
    if (!track || !(await track.canDecode())) throw new ClipProblem(NOT_DECODED);
    const silence = (await input.getFormat()) === MP3 ? await silenceBefore(url, fetchFn) : 0;
    return await decode(track, { from: passage.from + silence, to: passage.to + silence }, signal);
  } catch (error) {
    if (signal.aborted || error instanceof ClipProblem) throw error;
    console.warn("clip:", error);
    throw new ClipProblem(isUnread ? NOT_READ : NOT_DECODED);
  } finally {
    input.dispose();
  }
}

async function decode(track: InputAudioTrack, { from, to }: Passage, signal: AbortSignal) {
  let passage: AudioBuffer | undefined;
  for await (const { buffer, timestamp } of new AudioBufferSink(track).buffers(from, to)) {
    signal.throwIfAborted();
    const at = Math.round((timestamp - from) * buffer.sampleRate);
    if (at + buffer.length <= 0) continue;
    passage ??= new AudioBuffer({
      numberOfChannels: Math.min(2, buffer.numberOfChannels),
      length: Math.ceil((to - from) * buffer.sampleRate),
      sampleRate: buffer.sampleRate,
    });
    for (let channel = 0; channel < passage.numberOfChannels; channel++) {
      const samples = buffer.getChannelData(channel).subarray(Math.max(0, -at));
      passage.copyToChannel(samples, channel, Math.max(0, at));
    }
  }
  if (!passage) throw new ClipProblem(ENDS_BEFORE);
  return resampled(passage, to - from);
}

function resampled(passage: AudioBuffer, seconds: number) {
  const length = Math.round(seconds * SAMPLES_A_SECOND);
  const context = new OfflineAudioContext(2, length, SAMPLES_A_SECOND);
  const source = new AudioBufferSourceNode(context, { buffer: passage });
  source.connect(context.destination);
  source.start();
  return context.startRendering();
}

function secondOf(sound: AudioBuffer, second: number) {
  const from = Math.round(second * sound.sampleRate);
  const length = Math.min(sound.sampleRate, sound.length - from);
  const { numberOfChannels, sampleRate } = sound;
  const part = new AudioBuffer({ numberOfChannels, length, sampleRate });
  for (let channel = 0; channel < numberOfChannels; channel++)
    part.copyToChannel(sound.getChannelData(channel).subarray(from, from + length), channel);
  return part;
}

/** The loudest sample of each bar, as a part of the loudest of all. */
function peaksOf(sound: AudioBuffer) {
  const samples = sound.getChannelData(0);
  const size = Math.ceil(samples.length / BARS);
  const peaks = Array.from({ length: BARS }, (_, bar) =>
    samples.subarray(bar * size, (bar + 1) * size).reduce((most, each) => Math.max(most, Math.abs(each)), 0),
  );
  const loudest = Math.max(...peaks, 0.001);
  return peaks.map((peak) => peak / loudest);
}

/** A clip without its cover is a clip, too. */
async function readCover(url: string) {
  try {
    const answer = await fetch(url);
    if (!answer.ok) throw new Error(`${url} answered ${answer.status}.`);
    const picture = await createImageBitmap(await answer.blob());
    const side = Math.min(picture.width, picture.height);
    const square = await createImageBitmap(
      picture,
      Math.floor((picture.width - side) / 2),
      Math.floor((picture.height - side) / 2),
      side,
      side,
      { resizeWidth: 400, resizeHeight: 400, resizeQuality: "high" },
    );
    picture.close();
    return square;
  } catch (error) {
    console.warn("clip: the cover", error);
    return null;
  }
}
