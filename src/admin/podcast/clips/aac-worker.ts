/**
 * Encodes sound as AAC in an MP4, for browsers whose WebCodecs have no AAC encoder. A worker of its own, because the encoder
 * is WebAssembly in a further worker, which the pages' content policy forbids (public/_headers).
 */
import { registerAacEncoder } from "@mediabunny/aac-encoder";
import {
  AudioSample,
  AudioSampleSource,
  BufferTarget,
  Mp4OutputFormat,
  Output,
  QUALITY_HIGH,
} from "mediabunny";

export type AacOrder = { channels: Float32Array[]; sampleRate: number };
export type AacAnswer = { bytes: ArrayBuffer } | { problem: string };

/** Samples before the sound that the encoder adds, and that no player without edit lists skips. */
const PRIMING = 1024;

registerAacEncoder();

addEventListener("message", ({ data }: MessageEvent<AacOrder>) => {
  encode(data).then(
    (bytes) => postMessage({ bytes } satisfies AacAnswer, { transfer: [bytes] }),
    (error: unknown) => postMessage({ problem: String(error) } satisfies AacAnswer),
  );
});

async function encode({ channels, sampleRate }: AacOrder) {
  const target = new BufferTarget();
  const output = new Output({ format: new Mp4OutputFormat(), target });
  const source = new AudioSampleSource({ codec: "aac", quality: QUALITY_HIGH });
  output.addAudioTrack(source);
  await output.start();
  // A second at a time. What the priming takes the place of is not encoded, so that the rest is in time.
  for (let from = PRIMING; from < channels[0]!.length; from += sampleRate) {
    const planes = channels.map((channel) => channel.subarray(from, from + sampleRate));
    const data = new Float32Array(planes.length * planes[0]!.length);
    for (const [at, plane] of planes.entries()) data.set(plane, at * plane.length);
    const timestamp = (from - PRIMING) / sampleRate;
    const sample = new AudioSample({
      data,
      format: "f32-planar",
      numberOfChannels: planes.length,
      sampleRate,
      timestamp,
    });
    await source.add(sample);
    sample.close();
  }
  await output.finalize();
  return target.buffer!;
}
