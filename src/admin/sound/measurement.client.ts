import type { Loudness } from "#worker/files/loudness/contract.ts";
import type { PeaksMessage } from "./peaks-worker.ts";

export class Unsupported extends Error {}

export type Measured = { peaks: Uint8Array; loudness: Loudness | null };

/** Measures the waveform and the loudness of a file in a web worker. */
export class Measurement {
  readonly #stopped = new AbortController();
  /** Rejects with `Unsupported` if this browser cannot decode the file. */
  readonly result: Promise<Measured>;
  /** Called with the number of seconds measured so far. */
  onProgress: (seconds: number) => void = () => {};

  /** `source`: a local file, or the address of a stored one. */
  constructor(source: File | string) {
    this.result = this.#measure(source);
    // A caller that stopped waiting must not cause an unhandled rejection.
    this.result.catch(() => {});
  }

  async #measure(source: File | string) {
    if (typeof AudioDecoder === "undefined") throw new Unsupported();
    // The browser keeps a large file on disk. The worker's own content policy forbids any fetch.
    const file = typeof source === "string" ? await download(source, this.#stopped.signal) : source;
    this.#stopped.signal.throwIfAborted();
    const worker = startWorker();
    this.#stopped.signal.addEventListener("abort", () => worker.terminate());
    try {
      return await this.#ask(worker, file);
    } finally {
      worker.terminate();
    }
  }

  #ask(worker: Worker, file: Blob) {
    const { promise, resolve, reject } = Promise.withResolvers<Measured>();
    worker.addEventListener("message", ({ data }: MessageEvent<PeaksMessage>) => {
      if (data.kind === "progress") this.onProgress(data.seconds);
      else if (data.kind === "peaks") resolve({ peaks: data.peaks, loudness: data.loudness });
      else reject(data.kind === "unsupported" ? new Unsupported() : new Error("The file was not decoded."));
    });
    worker.addEventListener("error", ({ message }) =>
      reject(new Error(message || "The thread did not start.")),
    );
    // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a window has one, and a worker does not
    worker.postMessage(file);
    return promise;
  }

  /** Ends the measurement; `result` may stay pending. */
  stop() {
    this.#stopped.abort();
  }
}

async function download(url: string, signal: AbortSignal) {
  const response = await fetch(url, { signal });
  if (!response.ok) throw new Error(`${url} answered ${response.status}.`);
  return response.blob();
}

const startWorker = () => new Worker(new URL("./peaks-worker.ts", import.meta.url), { type: "module" });
