import { MAX_PEAKS, PEAKS_A_SECOND } from "#worker/files/contract.ts";

/** Collects how loud a file is while it is decoded from its beginning to its end: a byte for each stretch of it. */
export class PeakCollector {
  /** The loudest of each tenth of a second, 0 to 1. */
  readonly #loudest: number[] = [];

  /** Adds samples of one channel. `timestamp` is the first one's, in seconds. */
  add(samples: Float32Array, timestamp: number, sampleRate: number) {
    let at = 0;
    while (at < samples.length) {
      const place = Math.max(0, Math.floor((timestamp + at / sampleRate) * PEAKS_A_SECOND + 1e-9));
      const next = Math.ceil(((place + 1) / PEAKS_A_SECOND - timestamp) * sampleRate);
      const end = Math.min(samples.length, Math.max(at + 1, next));
      let loudest = this.#loudest[place] ?? 0;
      for (; at < end; at++) loudest = Math.max(loudest, Math.abs(samples[at]!));
      while (this.#loudest.length <= place) this.#loudest.push(0);
      this.#loudest[place] = loudest;
    }
  }

  /** At most `most` of them, each of an equally long stretch. */
  finish(most = MAX_PEAKS) {
    const count = Math.min(most, this.#loudest.length);
    const stretch = this.#loudest.length / count;
    return Uint8Array.from({ length: count }, (_, at) => {
      const from = Math.floor(at * stretch);
      const loudest = Math.max(
        ...this.#loudest.slice(from, Math.max(from + 1, Math.ceil((at + 1) * stretch))),
      );
      return Math.round(Math.min(1, loudest) * 255);
    });
  }
}

/** Written out, because some supported browsers lack `Uint8Array.fromBase64`. */
export const peaksToBase64 = (peaks: Uint8Array) =>
  btoa(Array.from(peaks, (byte) => String.fromCharCode(byte)).join(""));

export const peaksFromBase64 = (base64: string) =>
  Uint8Array.from(atob(base64), (char) => char.charCodeAt(0));
