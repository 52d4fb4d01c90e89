import { readdirSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { kWeighting, LoudnessMeter } from "#site/admin/sound/loudness-meter.ts";
import { peaksFromBase64 } from "#site/admin/sound/peaks.ts";
import { curveLoudness, findingsOf, Loudness, MAX_CURVE } from "#worker/files/loudness/contract.ts";
import {
  decode,
  ffmpegLoudness,
  hasRecorders,
  makeRecordings,
  recordings,
} from "../support/loudness-recordings.ts";
import { someOf } from "../support/sweeps.ts";

const RATE = 48_000;

type Sound = { channels: number; rate: number; samples: Float32Array };

/** Adds a sound in pieces, as a decoder hands them out. */
function measure({ channels, rate, samples }: Sound, piece = 1152) {
  const meter = new LoudnessMeter();
  const planes = Array.from({ length: channels }, () => new Float32Array(samples.length / channels));
  for (let at = 0; at < samples.length; at++) planes[at % channels]![(at / channels) | 0] = samples[at]!;
  for (let at = 0; at < planes[0]!.length; at += piece)
    meter.add(
      planes.map((plane) => plane.subarray(at, at + piece)),
      rate,
    );
  return Loudness.parse(meter.finish());
}

type Part = { seconds: number; dBFS: number };

/** A sine of 1 kHz in each channel, part after part. */
function sine(parts: Part[], { channels = 2, hz = 1000, rate = RATE, degrees = 0 } = {}): Sound {
  const lengths = parts.map(({ seconds }) => Math.round(seconds * rate));
  const samples = new Float32Array(lengths.reduce((sum, length) => sum + length, 0) * channels);
  let at = 0;
  for (const [index, length] of lengths.entries()) {
    const amplitude = 10 ** (parts[index]!.dBFS / 20);
    for (const end = at + length; at < end; at++)
      samples.fill(
        amplitude * Math.sin((2 * Math.PI * hz * at) / rate + (degrees * Math.PI) / 180),
        at * channels,
        (at + 1) * channels,
      );
  }
  return { channels, rate, samples };
}

const part = (seconds: number, dBFS: number): Part => ({ seconds, dBFS });

describe("the loudness of a recording", () => {
  it("is weighted by the coefficients of BS.1770-4 at 48 kHz", () => {
    const [shelf, highPass] = kWeighting(48_000);
    const tables = [
      [1.53512485958697, -2.69169618940638, 1.19839281085285, -1.69065929318241, 0.73248077421585],
      [1, -2, 1, -1.99004745483398, 0.99007225036621],
    ];
    shelf.forEach((value, at) => expect(value).toBeCloseTo(tables[0]![at]!, 10));
    highPass.forEach((value, at) => expect(value).toBeCloseTo(tables[1]![at]!, 10));
  });

  /** EBU Tech 3341, table 1: the tests of an EBU Mode meter. */
  it.each([
    ["1: −23 dBFS", [part(20, -23)], -23],
    ["2: −33 dBFS", [part(20, -33)], -33],
    ["3: quiet, loud, quiet", [part(10, -36), part(60, -23), part(10, -36)], -23],
    [
      "4: quieter, quiet, loud",
      [part(10, -72), part(10, -36), part(60, -23), part(10, -36), part(10, -72)],
      -23,
    ],
    ["5: a part that is louder", [part(20, -26), part(20.1, -20), part(20, -26)], -23],
  ])("is that of case %s of EBU Tech 3341", (_, parts, lufs) => {
    expect(Math.abs(measure(sine(parts)).integrated! - lufs)).toBeLessThanOrEqual(0.1);
  });

  it.each(someOf([44_100, 32_000, 22_050, 11_025, 8000, 96_000, 192_000], 3))(
    "is the same at %i Hz",
    (rate) => {
      expect(Math.abs(measure(sine([part(10, -23)], { rate })).integrated! + 23)).toBeLessThanOrEqual(0.1);
    },
  );

  it("is 3 LU less in one channel than in two", () => {
    const one = measure(sine([part(10, -20)], { channels: 1 }));
    expect(one.channels).toBe(1);
    expect(one.integrated).toBeCloseTo(-23, 1);
  });

  /** EBU Tech 3342, table 1. */
  it.each([
    ["1", [part(20, -20), part(20, -30)], 10],
    ["2", [part(20, -20), part(20, -15)], 5],
    ["3", [part(20, -40), part(20, -20)], 20],
    ["4", [part(20, -50), part(20, -35), part(20, -20), part(20, -35), part(20, -50)], 15],
  ])("ranges as case %s of EBU Tech 3342", (_, parts, range) => {
    expect(Math.abs(measure(sine(parts)).range! - range)).toBeLessThanOrEqual(1);
  });

  /** EBU Tech 3341, table 1, cases 15 to 19: +0.2 and −0.4 dB are allowed. */
  it.each([
    [15, 4, 0, -6.02, -6],
    [16, 4, 45, -6.02, -6],
    [17, 6, 60, -6.02, -6],
    [18, 8, 67.5, -6.02, -6],
    [19, 4, 45, 2.98, 3],
  ])("peaks as case %i of EBU Tech 3341", (_, divisor, degrees, dBFS, peak) => {
    const sound = sine([part(1, dBFS)], { hz: RATE / divisor, degrees });
    // Faded in: a wave that begins above zero has a higher peak there.
    for (let at = 0; at < 4800; at++) sound.samples[at]! *= at / 4800;
    const { truePeak } = measure(sound);
    expect(truePeak!).toBeLessThanOrEqual(peak + 0.2);
    expect(truePeak!).toBeGreaterThanOrEqual(peak - 0.4);
  });

  it("does not depend on how the decoder cuts the sound", () => {
    const sound = sine([part(4, -20), part(6, -90), part(3, 6)], { rate: 44_100 });
    const whole = measure(sound, 1_000_000);
    for (const piece of [26, 1000, 1153, 44_100]) {
      const { truePeak, silences, ...rest } = measure(sound, piece);
      const { truePeak: peak, silences: quiet, ...others } = whole;
      expect(rest).toEqual(others);
      expect(truePeak).toBeCloseTo(peak!, 1);
      expect(silences[0]!.start).toBeCloseTo(quiet[0]!.start, 1);
    }
  });

  it("finds silences, a channel without sound, and clipping", () => {
    const { samples } = sine([part(3, -20), part(6, -90), part(2, -20), part(4, -90), part(1, 6)]);
    const clipped = samples.map((sample, at) => (at % 2 === 1 ? 0 : Math.max(-1, Math.min(1, sample))));
    const loudness = measure({ channels: 2, rate: RATE, samples: clipped });
    expect(loudness.missing).toEqual([1]);
    expect(loudness.silences).toEqual([{ start: expect.closeTo(3, 1), end: expect.closeTo(9, 1) }]);
    expect(loudness.clipped).toBe(10);
    expect(loudness.firstClip).toBeCloseTo(15, 1);
    expect(findingsOf(loudness).map(({ about }) => about)).toEqual(
      expect.arrayContaining(["peak", "channels", "silence", "clipping"]),
    );
  });

  it("is unknown for silence and for a sound shorter than a block", () => {
    const silent = measure({ channels: 2, rate: RATE, samples: new Float32Array(RATE * 12) });
    expect(silent).toMatchObject({ integrated: null, range: null, truePeak: null, clipped: 0, missing: [] });
    expect(silent.silences).toEqual([{ start: 0, end: 6 }]);
    expect(findingsOf(silent)).toEqual([{ about: "loudness", message: "The recording is silent." }]);
    expect(measure(sine([part(0.3, -20)])).integrated).toBeNull();
    expect(new LoudnessMeter().finish()).toBeNull();
  });

  it("has a curve with a point for each second, and at most 3600 of a recording of hours", () => {
    const curve = ({ curve: base64 }: Loudness) => Array.from(peaksFromBase64(base64), curveLoudness);
    const points = curve(measure(sine([part(10, -20), part(10, -40)])));
    expect(points).toHaveLength(20);
    expect(points[5]).toBeCloseTo(-20, 0);
    expect(points[18]).toBeCloseTo(-40, 0);
    const meter = new LoudnessMeter();
    const second = [new Float32Array(100).fill(0.1)];
    for (let at = 0; at < 3 * 3600; at++) meter.add(second, 100);
    const long = Loudness.parse(meter.finish());
    expect(peaksFromBase64(long.curve).length).toBeLessThanOrEqual(MAX_CURVE);
    expect(peaksFromBase64(long.curve).length).toBeGreaterThan(MAX_CURVE / 2);
  });

  it("needs no more memory for an hour than for a minute", () => {
    const meter = new LoudnessMeter();
    const minute = [sine([part(60, -20)], { channels: 1, rate: 8000 }).samples];
    const used = () => process.memoryUsage().heapUsed + process.memoryUsage().arrayBuffers;
    meter.add(minute, 8000);
    const before = used();
    for (let at = 1; at < 60; at++) meter.add(minute, 8000);
    expect(used() - before).toBeLessThan(8 * 1024 * 1024);
    expect(meter.finish()!.integrated).toBeCloseTo(-23, 1);
  });
});

describe("what the owner reads about a recording", () => {
  const good: Loudness = {
    integrated: -16.4,
    range: 5,
    truePeak: -1.2,
    channels: 2,
    missing: [],
    clipped: 0,
    firstClip: null,
    silences: [],
    curve: "",
  };
  const messages = (change: Partial<Loudness>) =>
    findingsOf({ ...good, ...change }).map(({ message }) => message);

  it("is nothing within the tolerances", () => {
    expect(messages({})).toEqual([]);
    expect(messages({ integrated: -17.04, truePeak: -0.96 })).toEqual([]);
    expect(messages({ integrated: -19.9, channels: 1 })).toEqual([]);
  });

  it("names the loudness and the aim, by the number of channels", () => {
    expect(messages({ integrated: -20 })).toEqual([
      "The recording is too quiet: −20.0 LUFS instead of −16.0 for stereo.",
    ]);
    expect(messages({ integrated: -16, channels: 1 })).toEqual([
      "The recording is too loud: −16.0 LUFS instead of −19.0 for one channel.",
    ]);
  });

  it("names peaks, channels, silences and clipping with their times", () => {
    expect(
      messages({
        truePeak: 0.3,
        missing: [1],
        clipped: 3,
        firstClip: 62.3,
        silences: [
          { start: 10, end: 16 },
          { start: 3700, end: 3712 },
        ],
      }),
    ).toEqual([
      "The peaks reach 0.3 dBTP. Above −1 dBTP, they may be distorted when played.",
      "The right channel has no sound.",
      "There are 2 silences of over 5 seconds. The longest one is 12 seconds, at 1:01:40.",
      "The sound is clipped in 3 places, first at 1:02: it was recorded or amplified too loud.",
    ]);
    expect(messages({ silences: [{ start: 125, end: 131 }] })).toEqual([
      "There’s a silence of 6 seconds at 2:05.",
    ]);
    expect(messages({ channels: 6, missing: [0, 4] })).toEqual(["These channels have no sound: 1, 5."]);
    expect(messages({ clipped: 1, firstClip: 2 })[0]).toContain("in one place");
  });
});

describe.skipIf(!hasRecorders)("a recording of the demo", () => {
  it.each(readdirSync("demo/audio"))("%s is as loud as one channel should be, without a finding", (name) => {
    const path = join("demo/audio", name);
    expect(Math.abs(ffmpegLoudness(path).integrated + 19)).toBeLessThanOrEqual(0.5);
    expect(findingsOf(measure(decode(path)))).toEqual([]);
  });
});

describe.skipIf(!hasRecorders)("recordings of Debian’s programs", () => {
  let made: ReturnType<typeof makeRecordings>;
  beforeAll(() => void (made = makeRecordings()));
  afterAll(() => made.remove());

  it.each(someOf(recordings, 6))("%s is as loud as ffmpeg’s ebur128 says, within 0.2", (name) => {
    const path = made.pathOf(name);
    const [ours, theirs] = [measure(decode(path)), ffmpegLoudness(path)];
    if (name.startsWith("clipped")) expect(ours.clipped).toBeGreaterThan(50);
    else expect(ours.clipped).toBe(0);
    expect(Math.abs((ours.integrated ?? -70) - theirs.integrated)).toBeLessThanOrEqual(0.2);
    // EBU's reference counts percentiles from the other end than ffmpeg, which shows in a short recording.
    expect(Math.abs((ours.range ?? 0) - theirs.range)).toBeLessThanOrEqual(name === "pauses.wav" ? 0.3 : 0.2);
    // The filter of ffmpeg is longer than that of the standard, which shows where a wave was clipped.
    const tolerance = name === "clipped.wav" ? 0.6 : 0.2;
    if (name === "silence.wav") expect([ours.truePeak, theirs.truePeak]).toEqual([null, -Infinity]);
    else expect(Math.abs(ours.truePeak! - theirs.truePeak)).toBeLessThanOrEqual(tolerance);
  });

  it("the one with pauses has them where they were put", () => {
    const { silences } = measure(decode(made.pathOf("pauses.wav")));
    expect(silences).toHaveLength(2);
    expect(silences[0]!.start).toBeCloseTo(3, 0);
    expect(silences[0]!.end).toBeCloseTo(9, 0);
    expect(silences[1]!.end).toBeCloseTo(21, 0);
  });

  it("the one with a left channel alone lacks the right one", () => {
    expect(measure(decode(made.pathOf("left-only.wav"))).missing).toEqual([1]);
  });
});
