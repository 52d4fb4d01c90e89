/** The true peak of one channel, ITU-R BS.1770-4, annex 2: the peak of four times as many samples. */

/** The four phases of the interpolating filter in annex 2. */
const PHASES = [
  [
    0.001708984375, 0.010986328125, -0.0196533203125, 0.033203125, -0.0594482421875, 0.1373291015625,
    0.97216796875, -0.102294921875, 0.047607421875, -0.026611328125, 0.014892578125, -0.00830078125,
  ],
  [
    -0.0291748046875, 0.029296875, -0.0517578125, 0.089111328125, -0.16650390625, 0.465087890625,
    0.77978515625, -0.2003173828125, 0.1015625, -0.0582275390625, 0.0330810546875, -0.0189208984375,
  ],
];
/** The other two are these backwards. */
const FILTERS = [...PHASES, ...PHASES.map((phase) => phase.toReversed())].map((phase) =>
  Float64Array.from(phase),
);
const TAPS = 12;
/** The most by which a phase exceeds its loudest sample. */
const BOUND = Math.max(...FILTERS.map((phase) => phase.reduce((sum, tap) => sum + Math.abs(tap), 0)));
/** Hz from which samples are close enough. */
const CLOSE = 192_000;

export class TruePeak {
  readonly #isInterpolated: boolean;
  /** The last samples before, twice in a row, so that a window is never split. */
  readonly #window = new Float64Array(2 * TAPS);
  #at = 0;
  /** The loudest of the samples that are still in the window. */
  #before = 0;
  #peak = 0;

  constructor(rate: number) {
    this.#isInterpolated = rate < CLOSE;
  }

  /** Adds samples `from` to `to`, at least one, of which the loudest is `peak`. */
  add(samples: Float32Array, from: number, to: number, peak: number) {
    if (peak > this.#peak) this.#peak = peak;
    if (!this.#isInterpolated) return;
    const loudest = Math.max(peak, this.#before);
    const mayExceed = loudest * BOUND > this.#peak;
    for (let at = mayExceed ? from : Math.max(from, to - TAPS); at < to; at++) {
      this.#window[this.#at] = this.#window[this.#at + TAPS] = samples[at]!;
      this.#at = (this.#at + 1) % TAPS;
      if (mayExceed) this.#interpolate();
    }
    this.#before = to - from >= TAPS ? peak : loudest;
  }

  #interpolate() {
    for (const filter of FILTERS) {
      let sum = 0;
      for (let tap = 0; tap < TAPS; tap++) sum += filter[tap]! * this.#window[this.#at + tap]!;
      const level = Math.abs(sum);
      if (level > this.#peak) this.#peak = level;
    }
  }

  /** The highest level, 1 at full scale. */
  finish() {
    return this.#peak;
  }
}
