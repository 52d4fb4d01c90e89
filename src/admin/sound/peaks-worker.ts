/**
 * Decodes an audio file piece by piece, so that three hours need no more memory than one minute: mediabunny reads the file
 * in stretches and the browser's AudioDecoder decodes a frame at a time.
 */
import {
  ADTS,
  AudioSampleSink,
  BlobSource,
  FLAC,
  Input,
  MP3,
  MP4,
  OGG,
  QTFF,
  WAVE,
  type AudioSample,
} from "mediabunny";
import type { Loudness } from "#worker/files/loudness/contract.ts";
import { LoudnessMeter } from "./loudness-meter.ts";
import { PeakCollector } from "./peaks.ts";

export type PeaksMessage =
  | { kind: "progress"; seconds: number }
  | { kind: "peaks"; peaks: Uint8Array; loudness: Loudness | null }
  | { kind: "unsupported" }
  | { kind: "failed" };

const formats = [MP3, MP4, QTFF, ADTS, WAVE, OGG, FLAC];

/** Seconds of the file between two messages. */
const PROGRESS_EVERY = 30;

addEventListener("message", ({ data }: MessageEvent<Blob>) => {
  measure(data).then(send, (error: unknown) => {
    console.warn("peaks:", error);
    send({ kind: "failed" });
  });
});

const send = (message: PeaksMessage) => postMessage(message);

async function measure(file: Blob): Promise<PeaksMessage> {
  const track = await new Input({ formats, source: new BlobSource(file) }).getPrimaryAudioTrack();
  if (!track || !(await track.canDecode())) return { kind: "unsupported" };
  const peaks = new PeakCollector();
  const meter = new LoudnessMeter();
  let reported = 0;
  for await (const sample of new AudioSampleSink(track).samples()) {
    collect(sample, peaks, meter);
    if (sample.timestamp >= reported + PROGRESS_EVERY) {
      reported = sample.timestamp;
      send({ kind: "progress", seconds: reported });
    }
  }
  const measured = peaks.finish();
  return measured.length > 0
    ? { kind: "peaks", peaks: measured, loudness: meter.finish() }
    : { kind: "failed" };
}

let planes: Float32Array[] = [];

function collect(sample: AudioSample, peaks: PeakCollector, meter: LoudnessMeter) {
  const { numberOfFrames: frames, numberOfChannels, timestamp, sampleRate } = sample;
  if (planes.length !== numberOfChannels || planes[0]!.length < frames)
    planes = Array.from({ length: numberOfChannels }, () => new Float32Array(frames));
  // What an encoder put before the sound is not played.
  const skipped = Math.min(frames, Math.max(0, Math.round(-timestamp * sampleRate)));
  const sound = planes.map((plane, planeIndex) => {
    sample.copyTo(plane, { planeIndex, format: "f32-planar" });
    return plane.subarray(skipped, frames);
  });
  sample.close();
  if (skipped === frames) return;
  for (const samples of sound) peaks.add(samples, Math.max(0, timestamp), sampleRate);
  meter.add(sound, sampleRate);
}
