import { afterAll, vi } from "vitest";

/** What a file replaced is itself again for the next one, which may run in the same isolate. */
afterAll(() => {
  vi.useRealTimers();
  vi.restoreAllMocks();
  vi.unstubAllGlobals();
  vi.unstubAllEnvs();
});
