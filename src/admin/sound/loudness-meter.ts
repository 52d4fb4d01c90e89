import {
  curveByte,
  LONG_SILENCE,
  MAX_CURVE,
  MAX_SILENCES,
  type Loudness,
} from "#worker/files/loudness/contract.ts";
import { peaksToBase64 } from "./peaks.ts";
import { TruePeak } from "./true-peak.ts";

/**
 * Measures loudness by ITU-R BS.1770-4 (integrated, true peak) and EBU Tech 3342 (range), while a recording is decoded
 * from its beginning to its end. Memory is constant: of the blocks, only a histogram is stored.
 */

/** Biquad: b0, b1, b2, a1, a2. */
type Filter = readonly [number, number, number, number, number];

/**
 * The two filters of K-weighting, BS.1770-4, tables 1 and 2, which state their coefficients at 48 kHz. At other rates, the
 * same analogue filters by the bilinear transform; frequency, gain and Q are those of the tables.
 */
export function kWeighting(rate: number): [shelf: Filter, highPass: Filter] {
  const shelf = { hz: 1681.974450955533, gain: 3.999843853973347, q: 0.7071752369554196 };
  const highPass = { hz: 38.13547087602444, q: 0.5003270373238773 };
  const k = Math.tan((Math.PI * shelf.hz) / rate);
  const vh = 10 ** (shelf.gain / 20);
  const vb = vh ** 0.4996667741545416;
  const a0 = 1 + k / shelf.q + k * k;
  const l = Math.tan((Math.PI * highPass.hz) / rate);
  const c0 = 1 + l / highPass.q + l * l;
  return [
    [
      (vh + (vb * k) / shelf.q + k * k) / a0,
      (2 * (k * k - vh)) / a0,
      (vh - (vb * k) / shelf.q + k * k) / a0,
      (2 * (k * k - 1)) / a0,
      (1 - k / shelf.q + k * k) / a0,
    ],
    [1, -2, 1, (2 * (l * l - 1)) / c0, (1 - l / highPass.q + l * l) / c0],
  ];
}

/** BS.1770-4, table 3, by number of channels, in the order of WAV and of decoders. The fourth of six is for effects. */
const WEIGHTS: Record<number, number[]> = {
  4: [1, 1, 1.41, 1.41],
  5: [1, 1, 1, 1.41, 1.41],
  6: [1, 1, 1, 0, 1.41, 1.41],
};

/** A block of 0.4 s moves by a quarter of its length; short-term loudness is that of 3 s. In steps of 0.1 s. */
const BLOCK = 4;
const SHORT_TERM = 30;
const STEPS_A_SECOND = 10;
const ABSOLUTE_GATE = -70;

/** Samples that are looked at together. */
const CHUNK = 64;
/** −60 dBFS: below it is silence. */
const SILENCE = 10 ** (-60 / 20);
/** As many samples at full scale in a row are clipped; 16 bits have 32767 at most. */
const CLIPPED_RUN = 3;
const FULL_SCALE = 32_760 / 32_768;
/** The share of the loudest channel's energy below which a channel counts as missing: −40 dB. */
const MISSING = 1e-4;

/** −180 dBFS: a decoder's rounding. */
const NOTHING = 1e-9;

const toLufs = (energy: number) => -0.691 + 10 * Math.log10(energy);

class Channel {
  readonly truePeak: TruePeak;
  /** The states of both filters. */
  readonly state = new Float64Array(4);
  /** Since the last step, weighted. */
  energy = 0;
  /** Of all samples. */
  total = 0;
  run = 0;

  constructor(rate: number) {
    this.truePeak = new TruePeak(rate);
  }
}

export class LoudnessMeter {
  #rate = 0;
  #filters = kWeighting(48_000);
  #channels: Channel[] = [];
  #weights: number[] = [];
  #stepSamples = 0;
  /** Of the current step. */
  #filled = 0;
  #steps = 0;
  /** Energies of the newest steps, by their number modulo `SHORT_TERM`. */
  readonly #recent = new Float64Array(SHORT_TERM);
  readonly #blocks = new Histogram();
  readonly #shortTerms = new Histogram();
  readonly #curve = new Curve();
  /** Seconds before the current samples. */
  #time = 0;
  #silentSince = 0;
  readonly #silences: Loudness["silences"] = [];
  #clipped = 0;
  #firstClip: number | null = null;
  #clippedStep = -1;
  #peak = 0;

  /** Adds the same number of samples of each channel. */
  add(planes: Float32Array[], rate: number) {
    if (rate !== this.#rate || planes.length !== this.#channels.length) this.#begin(rate, planes.length);
    const samples = planes[0]!.length;
    for (let at = 0; at < samples;) {
      const end = Math.min(samples, at + CHUNK, at + this.#stepSamples - this.#filled);
      this.#addChunk(planes, at, end);
      at = end;
    }
  }

  /** Of another part of the file, or the first. */
  #begin(rate: number, channels: number) {
    this.#peak = this.#peakSoFar();
    this.#rate = rate;
    this.#filters = kWeighting(rate);
    this.#channels = Array.from({ length: channels }, () => new Channel(rate));
    this.#weights = WEIGHTS[channels] ?? Array.from({ length: channels }, () => 1);
    this.#stepSamples = Math.round(rate / STEPS_A_SECOND);
    this.#filled = 0;
  }

  #addChunk(planes: Float32Array[], from: number, to: number) {
    let loudest = 0;
    for (let index = 0; index < planes.length; index++) {
      const channel = this.#channels[index]!;
      const plane = planes[index]!;
      const peak = peakIn(plane, from, to);
      loudest = Math.max(loudest, peak);
      channel.truePeak.add(plane, from, to, peak);
      this.#findClipping(channel, plane, from, to, peak);
      weigh(channel, this.#filters, plane, from, to);
    }
    this.#findSilence(loudest, (to - from) / this.#rate);
    this.#filled += to - from;
    if (this.#filled === this.#stepSamples) this.#endStep();
  }

  #findClipping(channel: Channel, plane: Float32Array, from: number, to: number, peak: number) {
    if (peak < FULL_SCALE) {
      channel.run = 0;
      return;
    }
    for (let at = from; at < to; at++) {
      channel.run = Math.abs(plane[at]!) >= FULL_SCALE ? channel.run + 1 : 0;
      if (channel.run < CLIPPED_RUN || this.#clippedStep === this.#steps) continue;
      this.#clippedStep = this.#steps;
      this.#clipped += 1;
      this.#firstClip ??= this.#time + (at - from) / this.#rate;
    }
  }

  #findSilence(loudest: number, lasts: number) {
    if (loudest >= SILENCE) {
      this.#endSilence();
      this.#silentSince = this.#time + lasts;
    }
    this.#time += lasts;
  }

  #endSilence() {
    const silence = { start: this.#silentSince, end: this.#time };
    if (silence.end - silence.start >= LONG_SILENCE && this.#silences.length < MAX_SILENCES)
      this.#silences.push(silence);
  }

  #endStep() {
    let energy = 0;
    for (const [index, channel] of this.#channels.entries()) {
      energy += (this.#weights[index]! * channel.energy) / this.#stepSamples;
      channel.energy = 0;
    }
    this.#recent[this.#steps % SHORT_TERM] = energy;
    this.#steps += 1;
    this.#filled = 0;
    if (this.#steps >= BLOCK) this.#blocks.add(this.#meanOf(BLOCK));
    const shortTerm = this.#meanOf(Math.min(SHORT_TERM, this.#steps));
    if (this.#steps >= SHORT_TERM) this.#shortTerms.add(shortTerm);
    if (this.#steps % STEPS_A_SECOND === 0) this.#curve.add(curveByte(toLufs(shortTerm)));
  }

  #meanOf(steps: number) {
    let sum = 0;
    for (let back = 1; back <= steps; back++) sum += this.#recent[(this.#steps - back) % SHORT_TERM]!;
    return sum / steps;
  }

  /** Null without any sample. */
  finish(): Loudness | null {
    if (this.#channels.length === 0) return null;
    this.#endSilence();
    const peak = this.#peakSoFar();
    return {
      integrated: rounded(this.#blocks.gatedMean(-10)),
      range: rounded(this.#shortTerms.range()),
      truePeak: peak < NOTHING ? null : rounded(20 * Math.log10(peak)),
      channels: this.#channels.length,
      missing: this.#missing(),
      clipped: this.#clipped,
      firstClip: rounded(this.#firstClip),
      silences: this.#silences.map(({ start, end }) => ({ start: rounded(start)!, end: rounded(end)! })),
      curve: peaksToBase64(this.#curve.finish()),
    };
  }

  #missing() {
    const loudest = Math.max(...this.#channels.map(({ total }) => total));
    return this.#channels.flatMap(({ total }, index) =>
      total < loudest * MISSING && this.#weights[index] !== 0 ? index : [],
    );
  }

  #peakSoFar() {
    return Math.max(this.#peak, ...this.#channels.map(({ truePeak }) => truePeak.finish()));
  }
}

const rounded = (value: number | null) => (value === null ? null : Math.round(value * 100) / 100);

function peakIn(samples: Float32Array, from: number, to: number) {
  let peak = 0;
  for (let at = from; at < to; at++) {
    const level = Math.abs(samples[at]!);
    if (level > peak) peak = level;
  }
  return peak;
}

/** Both filters, one after the other, in transposed form. */
function weigh(channel: Channel, filters: [Filter, Filter], samples: Float32Array, from: number, to: number) {
  const [[b0, b1, b2, a1, a2], [c0, c1, c2, d1, d2]] = filters;
  const { state } = channel;
  let s1 = state[0]!;
  let s2 = state[1]!;
  let t1 = state[2]!;
  let t2 = state[3]!;
  let energy = 0;
  let total = 0;
  for (let at = from; at < to; at++) {
    const x = samples[at]!;
    const y = b0 * x + s1;
    s1 = b1 * x - a1 * y + s2;
    s2 = b2 * x - a2 * y;
    const z = c0 * y + t1;
    t1 = c1 * y - d1 * z + t2;
    t2 = c2 * y - d2 * z;
    energy += z * z;
    total += x * x;
  }
  // Denormal numbers slow the processor down.
  state[0] = normal(s1);
  state[1] = normal(s2);
  state[2] = normal(t1);
  state[3] = normal(t2);
  channel.energy += energy;
  channel.total += total;
}

const normal = (value: number) => (Math.abs(value) < 1e-30 ? 0 : value);

const BINS_A_LU = 100;
const BINS = (40 - ABSOLUTE_GATE) * BINS_A_LU;

/** Energies above the absolute gate, by their loudness. */
class Histogram {
  readonly #counts = new Uint32Array(BINS);
  readonly #energies = new Float64Array(BINS);

  add(energy: number) {
    const lufs = toLufs(energy);
    if (!(lufs >= ABSOLUTE_GATE)) return;
    const bin = Math.min(BINS - 1, Math.floor((lufs - ABSOLUTE_GATE) * BINS_A_LU));
    this.#counts[bin]! += 1;
    this.#energies[bin]! += energy;
  }

  /** LUFS of the blocks that are louder than a gate so many LU below the mean; null without any. BS.1770-4, equations 3 to 7 */
  gatedMean(relative: number) {
    const mean = this.#meanFrom(0);
    return mean === null ? null : this.#meanFrom(this.#gate(mean, relative));
  }

  /** LU between the 10th and the 95th percentile of the blocks above a relative gate of −20 LU. EBU Tech 3342, 3 */
  range() {
    const mean = this.#meanFrom(0);
    if (mean === null) return null;
    const gate = this.#gate(mean, -20);
    return this.#percentile(95, gate) - this.#percentile(10, gate);
  }

  #gate(mean: number, relative: number) {
    return Math.max(0, Math.floor((mean + relative - ABSOLUTE_GATE) * BINS_A_LU));
  }

  #meanFrom(bin: number) {
    let [count, energy] = [0, 0];
    for (let at = bin; at < BINS; at++) {
      count += this.#counts[at]!;
      energy += this.#energies[at]!;
    }
    return count === 0 ? null : toLufs(energy / count);
  }

  #percentile(percent: number, gate: number) {
    let total = 0;
    for (let at = gate; at < BINS; at++) total += this.#counts[at]!;
    let left = Math.round(((total - 1) * percent) / 100);
    for (let at = gate; at < BINS; at++) {
      left -= this.#counts[at]!;
      if (left < 0) return ABSOLUTE_GATE + (at + 0.5) / BINS_A_LU;
    }
    return ABSOLUTE_GATE;
  }
}

/** A byte for each second, or for each so many seconds of a long recording. */
class Curve {
  #bytes: number[] = [];
  #each = 1;
  #pending: number[] = [];

  add(byte: number) {
    this.#pending.push(byte);
    if (this.#pending.length < this.#each) return;
    this.#bytes.push(Math.max(...this.#pending));
    this.#pending = [];
    if (this.#bytes.length < 2 * MAX_CURVE) return;
    this.#bytes = halved(this.#bytes);
    this.#each *= 2;
  }

  finish() {
    const bytes = this.#bytes.length > MAX_CURVE ? halved(this.#bytes) : this.#bytes;
    return Uint8Array.from(bytes);
  }
}

const halved = (bytes: number[]) =>
  Array.from({ length: Math.ceil(bytes.length / 2) }, (_, at) =>
    Math.max(bytes[2 * at]!, bytes[2 * at + 1] ?? 0),
  );
