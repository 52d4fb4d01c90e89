import assert from "node:assert/strict";
import { describe, it } from "vitest";
import { multiplierOf } from "../../bench/lighthouse/calibration.ts";

describe("how much slower than the machine the phone is", () => {
  it("is interpolated from the machine's index between known values", () => {
    const known = [150, 475, 800, 1300, 1533, 2000].map((index) => Number(multiplierOf(index).toFixed(1)));
    assert.deepEqual(known, [1, 1.5, 2, 3, 4, 6]);
  });

  it("is extrapolated for a faster machine", () => {
    assert.ok(multiplierOf(2700) > 6);
  });

  it("is undefined for a machine slower than the phone", () => {
    assert.throws(() => multiplierOf(149), /too slow/);
  });
});
