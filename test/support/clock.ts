import { onTestFinished, vi } from "vitest";

/** The clock stands still until the test ends: what is about seconds is not about the machine's. */
export function holdClock() {
  vi.useFakeTimers({ toFake: ["Date"] });
  onTestFinished(() => void vi.useRealTimers());
}
