import { gzipSync } from "node:zlib";
import { describe, expect, test } from "vitest";
import { bundleTracker } from "../../scripts/tracker-file.ts";
import { eventsOf } from "../../src/analytics/tracker/link-events.ts";
import { createListening } from "../../src/analytics/tracker/listening.ts";
import { bodiesOf } from "../../src/analytics/tracker/outbox.ts";
import { createReading, depthOf } from "../../src/analytics/tracker/reading.ts";
import {
  EventsInput,
  MAX_EVENTS,
  MAX_EVENTS_BYTES,
  type AnalyticsEvent,
} from "../../worker/analytics/contract.ts";

/** Bytes. */
const MAX_SIZE = 3000;

test("the tracker is one file of at most 3 kB gzipped, which imports nothing", async () => {
  const script = await bundleTracker();
  expect(gzipSync(script).byteLength).toBeLessThanOrEqual(MAX_SIZE);
  expect(script).not.toMatch(/\bimport\b/);
});

const view = (title: string): AnalyticsEvent => ({
  eventType: "page_view",
  contentType: "page",
  contentId: "/about",
  userId: null,
  sessionId: "a-session-of-a-test",
  metadata: { timestamp: 1, title, url: "https://example.com/about", path: "/about", referrer: "" },
});

describe("requests", () => {
  test("have at most 40 events, in their order", () => {
    const events = Array.from({ length: 95 }, (_, at) => view(String(at)));
    const batches = bodiesOf(events).map((body) => EventsInput.parse(JSON.parse(body)).events);
    expect(batches.map(({ length }) => length)).toEqual([MAX_EVENTS, MAX_EVENTS, 15]);
    expect(batches.flat()).toEqual(events);
  });

  test("have at most 32 kB, in bytes of UTF-8", () => {
    const events = Array.from({ length: 80 }, () => view("語".repeat(300)));
    const bodies = bodiesOf(events);
    for (const body of bodies) expect(Buffer.byteLength(body)).toBeLessThanOrEqual(MAX_EVENTS_BYTES);
    expect(bodies.flatMap((body) => EventsInput.parse(JSON.parse(body)).events)).toHaveLength(80);
  });

  test("are not sent without events", () => expect(bodiesOf([])).toEqual([]));
});

describe("reading", () => {
  function begin() {
    let now = 0;
    const reading = createReading(() => now);
    reading.start();
    return { reading, pass: (seconds: number) => (now += seconds * 1000) };
  }

  test("is reported only above five seconds, and once", () => {
    const { reading, pass } = begin();
    pass(5);
    expect(reading.takeSeconds()).toEqual([]);
    pass(0.5);
    expect(reading.takeSeconds()).toEqual([5]);
    expect(reading.takeSeconds()).toEqual([]);
    pass(2);
    expect(reading.takeSeconds()).toEqual([2]);
  });

  test("counts the time that the page is visible", () => {
    const { reading, pass } = begin();
    pass(4);
    reading.stop();
    pass(600);
    expect(reading.takeSeconds()).toEqual([]);
    reading.start();
    pass(4);
    reading.stop();
    expect(reading.takeSeconds()).toEqual([8]);
  });

  test("is reported in unique parts of half an hour at most", () => {
    const { reading, pass } = begin();
    pass(7200);
    expect(reading.takeSeconds()).toEqual([1800, 1799, 1798, 1797, 6]);
  });

  test("reaches 30 seconds, a minute and five minutes once each", () => {
    const { reading, pass } = begin();
    expect(reading.untilTime()).toBe(30_000);
    pass(29);
    expect(reading.takeTimes()).toEqual([]);
    expect(reading.untilTime()).toBe(1000);
    pass(1);
    expect(reading.takeTimes()).toEqual([30]);
    pass(300);
    expect(reading.takeTimes()).toEqual([60, 300]);
    expect(reading.untilTime()).toBeUndefined();
    expect(reading.takeTimes()).toEqual([]);
  });

  test("reaches each depth once, and remembers the deepest", () => {
    const { reading } = begin();
    expect(reading.takeDepths(24)).toEqual([]);
    expect(reading.takeDepths(76)).toEqual([25, 50, 75]);
    expect(reading.takeDepths(10)).toEqual([]);
    expect(reading.depth).toBe(76);
    expect(reading.takeDepths(100)).toEqual([90]);
  });

  test("is how far a page is scrolled; a page that fits the window has none", () => {
    expect(depthOf({ top: 500, height: 2000, window: 1000 })).toBe(50);
    expect(depthOf({ top: 1000, height: 2000, window: 1000 })).toBe(100);
    // Safari's window bounces beyond the end.
    expect(depthOf({ top: 1100, height: 2000, window: 1000 })).toBe(100);
    expect(depthOf({ top: -20, height: 2000, window: 1000 })).toBe(0);
    expect(depthOf({ top: 0, height: 800, window: 1000 })).toBe(0);
  });
});

describe("listening", () => {
  function listen() {
    const reported: string[] = [];
    const listening = createListening((episode, { type, metadata }) =>
      reported.push(`${episode} ${type} ${"seconds" in metadata ? metadata.seconds : ""}`),
    );
    const played = { length: 1, start: () => 2, end: () => 3 };
    const audio = { currentTime: 0, duration: 100, paused: false, played };
    return { reported, audio, ...listening };
  }

  test("reports playing and pausing in whole seconds, and 90 % once", () => {
    const { reported, audio, moves, stops } = listen();
    moves(audio, "7");
    audio.currentTime = 12.6;
    moves(audio, "7");
    stops(audio);
    audio.currentTime = 89.9;
    moves(audio, "7");
    audio.currentTime = 90;
    moves(audio, "7");
    audio.currentTime = 100;
    moves(audio, "7");
    stops(audio);
    stops(audio);
    expect(reported).toEqual([
      "7 podcast_play 0",
      "7 podcast_pause 13",
      "7 podcast_play 90",
      "7 podcast_complete 90",
      "7 podcast_pause 100",
    ]);
  });

  test("ends at its last position when the element loads another episode", () => {
    const { reported, audio, moves, empties } = listen();
    audio.currentTime = 40;
    moves(audio, "7");
    audio.currentTime = 0;
    empties(audio);
    moves(audio, "8");
    expect(reported).toEqual(["7 podcast_play 40", "7 podcast_pause 40", "8 podcast_play 0"]);
  });

  test("resumed beyond 90 % of a newly loaded recording does not complete it again", () => {
    const { reported, audio, moves, stops, empties } = listen();
    audio.currentTime = 95;
    moves(audio, "7");
    audio.currentTime = 97;
    moves(audio, "7");
    stops(audio);
    empties(audio);
    moves(audio, "7");
    expect(reported).toEqual(["7 podcast_play 95", "7 podcast_pause 97", "7 podcast_play 97"]);
  });

  test("is complete if a listener moved to the end while it was paused", () => {
    const { reported, audio, moves, stops } = listen();
    moves(audio, "7");
    stops(audio);
    audio.currentTime = 95;
    moves(audio, "7");
    expect(reported.at(-1)).toBe("7 podcast_complete 95");
  });

  test("begins when the episode is known, and not while it is paused", () => {
    const { reported, audio, moves } = listen();
    moves(audio, undefined);
    moves({ ...audio, paused: true }, "7");
    expect(reported).toEqual([]);
    moves(audio, "7");
    expect(reported).toEqual(["7 podcast_play 0"]);
  });

  test("that ended before the tracker loaded is reported from its start", () => {
    const { reported, audio, missed } = listen();
    missed(audio, "7");
    missed({ ...audio, paused: true }, undefined);
    missed({ ...audio, paused: true, played: { ...audio.played, length: 0 } }, "7");
    expect(reported).toEqual([]);
    missed({ ...audio, paused: true, currentTime: 8 }, "7");
    missed({ ...audio, paused: true, currentTime: 95 }, "8");
    expect(reported).toEqual([
      "7 podcast_play 2",
      "7 podcast_pause 8",
      "8 podcast_play 2",
      "8 podcast_complete 95",
      "8 podcast_pause 95",
    ]);
  });

  test("of unknown length is never complete", () => {
    const { reported, audio, moves } = listen();
    moves({ ...audio, duration: Number.NaN, currentTime: 900 }, "7");
    expect(reported).toEqual(["7 podcast_play 900"]);
  });

  test("ends when the page is left, and begins again when the page is restored", () => {
    const { reported, audio, moves, show } = listen();
    moves(audio, "7");
    audio.currentTime = 3;
    show(false);
    moves(audio, "7");
    show(false);
    expect(reported).toEqual(["7 podcast_play 0", "7 podcast_pause 3"]);
    show(true);
    moves(audio, "7");
    expect(reported.at(-1)).toBe("7 podcast_play 3");
  });
});

describe("a link", () => {
  const follow = (href: string, isShare = false) =>
    eventsOf(new URL(href), { origin: "https://example.com", isShare }).map(
      ({ metadata }) => Object.values(metadata)[0] as string,
    );

  test.each([
    ["https://x.com/imogen", ["x"]],
    ["https://www.youtube.com/@plain", ["youtube"]],
    ["https://music.amazon.com.au/podcasts/1", ["amazon"]],
    ["https://open.spotify.com/show/1", ["spotify"]],
    ["https://podcasts.apple.com/au/podcast/1", ["apple"]],
    ["https://example.com/rss/podcast.xml", ["rss"]],
    ["https://example.com/media/episodes/1/audio.mp3", ["download"]],
    ["https://example.com/about", []],
    ["https://notx.com/imogen", []],
    ["https://elsewhere.example/rss/podcast.xml", []],
    ["mailto:imogen@example.com", []],
  ])("to %s counts as %j", (href, events) => expect(follow(href)).toEqual(events));

  test("that shares the page counts as a share, and by its target", () => {
    expect(follow("https://twitter.com/intent/tweet?url=1", true)).toEqual(["share", "x"]);
    expect(follow("mailto:?subject=1", true)).toEqual(["share", "email"]);
  });
});
