import { onTestFinished, vi } from "vitest";

/** Stops the clock until the test ends, so that a slow machine does not change results in seconds. */
export function holdClock() {
  vi.useFakeTimers({ toFake: ["Date"] });
  onTestFinished(() => void vi.useRealTimers());
}
