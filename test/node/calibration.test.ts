import assert from "node:assert/strict";
import { describe, it } from "vitest";
import { multiplierOf } from "../../bench/lighthouse/calibration.ts";

describe("how much slower than the machine the phone is", () => {
  it("comes of the machine's index, evenly between what is known", () => {
    const known = [150, 475, 800, 1300, 1533, 2000].map((index) => Number(multiplierOf(index).toFixed(1)));
    assert.deepEqual(known, [1, 1.5, 2, 3, 4, 6]);
  });

  it("goes on rising on a faster machine", () => {
    assert.ok(multiplierOf(2700) > 6);
  });

  it("is not told of a machine that is slower than the phone", () => {
    assert.throws(() => multiplierOf(149), /too slow/);
  });
});
