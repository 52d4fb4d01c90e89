import { describe, expect, test } from "vitest";
import { PeakCollector, peaksFromBase64, peaksToBase64 } from "#site/admin/sound/peaks.ts";

const RATE = 1000;

/** Adds a sound in pieces of this many samples, as a decoder hands them out. */
function collect(samples: number[], piece = 64) {
  const peaks = new PeakCollector();
  for (let at = 0; at < samples.length; at += piece) {
    peaks.add(Float32Array.from(samples.slice(at, at + piece)), at / RATE, RATE);
  }
  return peaks;
}

describe("the peaks of a sound", () => {
  test("are the loudest of each tenth of a second, above or below zero", () => {
    const second = Array.from({ length: RATE }, () => 0);
    second[150] = -1;
    second[160] = 0.5;
    second[999] = 0.2;
    expect([...collect(second).finish()]).toEqual([0, 255, 0, 0, 0, 0, 0, 0, 0, 51]);
  });

  test("do not depend on how the decoder cuts the sound", () => {
    const sound = Array.from({ length: 5 * RATE }, (_, at) => Math.sin(at) * (at / (5 * RATE)));
    const whole = collect(sound, 5 * RATE).finish();
    for (const piece of [1, 7, 26, 100, 1153]) expect(collect(sound, piece).finish()).toEqual(whole);
  });

  test("are fewer for a long sound, and none of it is lost", () => {
    const sound = Array.from({ length: 7 * RATE }, () => 0);
    sound[3450] = 1;
    const peaks = collect(sound).finish(10);
    expect(peaks).toHaveLength(10);
    expect([...peaks].filter((peak) => peak === 255)).toHaveLength(1);
    expect(peaks[4]).toBe(255);
  });

  test("are silence in gaps of the decoder", () => {
    const peaks = new PeakCollector();
    peaks.add(Float32Array.of(1), 0.35, RATE);
    expect([...peaks.finish()]).toEqual([0, 0, 0, 255]);
  });

  test("are clipped, and none at all without a sound", () => {
    expect([...collect([3]).finish()]).toEqual([255]);
    expect(new PeakCollector().finish()).toHaveLength(0);
  });

  test("are unchanged after a round trip to the server", () => {
    const peaks = Uint8Array.from({ length: 36_000 }, (_, at) => at % 256);
    expect(peaksFromBase64(peaksToBase64(peaks))).toEqual(peaks);
  });
});
