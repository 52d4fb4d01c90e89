import { BufferSource, EncodedPacketSink, Input, MP4 } from "mediabunny";
import type { AacAnswer, AacOrder } from "./aac-worker.ts";

const startWorker = () => new Worker(new URL("./aac-worker.ts", import.meta.url), { type: "module" });

/** The packets of a sound as AAC, and what a decoder needs to know of them. Rejects with the signal's reason. */
export async function encodeAac(sound: AudioBuffer, signal: AbortSignal) {
  const bytes = await encodedBy(startWorker(), sound, signal);
  const input = new Input({ formats: [MP4], source: new BufferSource(bytes) });
  const track = (await input.getPrimaryAudioTrack())!;
  const decoderConfig = (await track.getDecoderConfig())!;
  return { packets: new EncodedPacketSink(track).packets(), decoderConfig };
}

async function encodedBy(worker: Worker, sound: AudioBuffer, signal: AbortSignal) {
  const { promise, resolve, reject } = Promise.withResolvers<ArrayBuffer>();
  const stop = () => reject(signal.reason as Error);
  signal.addEventListener("abort", stop);
  worker.addEventListener("message", ({ data }: MessageEvent<AacAnswer>) =>
    "bytes" in data ? resolve(data.bytes) : reject(new Error(data.problem)),
  );
  worker.addEventListener("error", ({ message }) =>
    reject(new Error(message || "The thread did not start.")),
  );
  const channels = Array.from({ length: sound.numberOfChannels }, (_, at) => sound.getChannelData(at));
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a window has one, and a worker does not
  worker.postMessage({ channels, sampleRate: sound.sampleRate } satisfies AacOrder);
  try {
    return await promise;
  } finally {
    signal.removeEventListener("abort", stop);
    worker.terminate();
  }
}
