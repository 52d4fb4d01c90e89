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
import { PeakCollector } from "./peaks.ts";

export type PeaksMessage =
  | { kind: "progress"; seconds: number }
  | { kind: "peaks"; peaks: Uint8Array }
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
  let reported = 0;
  for await (const sample of new AudioSampleSink(track).samples()) {
    collect(sample, peaks);
    if (sample.timestamp >= reported + PROGRESS_EVERY) {
      reported = sample.timestamp;
      send({ kind: "progress", seconds: reported });
    }
  }
  const measured = peaks.finish();
  return measured.length > 0 ? { kind: "peaks", peaks: measured } : { kind: "failed" };
}

let plane = new Float32Array(0);

function collect(sample: AudioSample, peaks: PeakCollector) {
  const { numberOfFrames: frames, numberOfChannels, timestamp, sampleRate } = sample;
  if (plane.length < frames) plane = new Float32Array(frames);
  for (let planeIndex = 0; planeIndex < numberOfChannels; planeIndex++) {
    sample.copyTo(plane, { planeIndex, format: "f32-planar" });
    peaks.add(plane.subarray(0, frames), timestamp, sampleRate);
  }
  sample.close();
}
