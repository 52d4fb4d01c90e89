import { beforeEach, expect, test, vi } from "vitest";
import { ask, bytesOf } from "#worker/imports/feed/download.ts";
import type { Context } from "#worker/platform/context.ts";

/** A host that sends a byte every 20 seconds, without end. */
function drip() {
  vi.stubGlobal("fetch", async (_url: URL, { signal }: { signal: AbortSignal }) => {
    const body = new ReadableStream<Uint8Array>({
      start(controller) {
        const timer = setInterval(() => controller.enqueue(new Uint8Array(1)), 20_000);
        signal.addEventListener("abort", () => {
          clearInterval(timer);
          controller.error(signal.reason);
        });
      },
    });
    return new Response(body);
  });
}

beforeEach(() => {
  vi.useFakeTimers();
  return () => {
    vi.useRealTimers();
    vi.unstubAllGlobals();
  };
});

const ctx = { config: { loopback: false } } as Context;

test("a document that never ends is given up", async () => {
  drip();
  const answer = await ask(ctx, "https://a.example/feed.xml");
  const outcome = bytesOf(answer, 1_000_000).catch((error: unknown) => error);
  await vi.advanceTimersByTimeAsync(10 * 60_000);
  expect(await Promise.race([outcome, "It goes on."])).toMatchObject({
    message: "The connection to the host was lost.",
    isTemporary: true,
  });
});
