import type { EventsInput } from "#worker/analytics/contract.ts";
import { newAddress, pause } from "../test/load/client.ts";
import { percentile } from "../test/load/percentile.ts";
import { WITHOUT_FIGURES } from "../test/support/figures.ts";
import { startQueuedBench } from "./site.ts";

const MINUTE = 60_000;
const MINUTES = Number(process.env["INGEST_MINUTES"] ?? 10);
const EVENTS_A_MINUTE = 10_000;
/** A request is a visitor's only one: what they read, and that they read it. */
const EVENTS_OF_REQUEST = 5;
/** One of this many requests is repeated, as by a browser that got no response. */
const TWICE_EVERY = 50;
/** Milliseconds after the last response within which everything must be in the roll-ups. */
const STORED_WITHIN = 60_000;
const LOOK_MS = 250;
const PAGES = ["/", "/about", "/podcast", "/essays", "/media", "/speaking"];

/** Events through the API, the queue and the consumer, and whether each is in the table and in the roll-ups, once. */
export async function measureIngest() {
  const bench = await startQueuedBench();
  try {
    // Those of the demo.
    await bench.env.DB.batch(WITHOUT_FIGURES.map((statement) => bench.env.DB.prepare(statement)));
    const { requests, times, seconds } = await sendAll(`${bench.site}/api/analytics/events`);
    const events = requests * EVENTS_OF_REQUEST;
    const lag = await waitUntilStored(bench.env.DB, events);
    await check(bench.env.DB, requests);
    return {
      events,
      perMinute: Math.round((events / seconds) * 60),
      p50: percentile(times, 0.5),
      p99: percentile(times, 0.99),
      lag: Math.round(lag),
      lost: 0,
    };
  } finally {
    await bench.stop();
  }
}

async function sendAll(url: string) {
  const requests = Math.round((EVENTS_A_MINUTE * MINUTES) / EVENTS_OF_REQUEST);
  const times: number[] = [];
  const sent: Promise<unknown>[] = [];
  const start = performance.now();
  for (let n = 0; n < requests; n++) {
    const due = start + (n * MINUTES * MINUTE) / requests;
    await pause(Math.max(0, due - performance.now()));
    const beacon = aBeacon(n);
    sent.push(send(url, beacon, times));
    if (n % TWICE_EVERY === 0) sent.push(send(url, beacon, times));
  }
  await Promise.all(sent);
  return { requests, times, seconds: (performance.now() - start) / 1000 };
}

/** A page view, half the page, half a minute on it, a position in its reading, and a press of a button. */
function aBeacon(n: number) {
  const event = (eventType: string, metadata: object) => ({
    eventType,
    contentType: "page",
    contentId: PAGES[n % PAGES.length]!,
    userId: null,
    sessionId: `session-${n}`,
    metadata: { timestamp: Date.now(), ...metadata },
  });
  const events = [
    event("page_view", { referrer: "https://news.example/" }),
    event("scroll_depth", { scrollDepth: 50 }),
    event("time_on_page", { seconds: 30 }),
    event("reading_time", { readingTime: 40 }),
    event("engagement", { action: "share" }),
  ];
  return { body: JSON.stringify({ events } as EventsInput), address: newAddress() };
}

async function send(url: string, { body, address }: ReturnType<typeof aBeacon>, times: number[]) {
  const headers = {
    "Content-Type": "text/plain;charset=UTF-8",
    "CF-Connecting-IP": address,
    "User-Agent": BROWSER,
  };
  const start = performance.now();
  const answer = await fetch(url, { method: "POST", headers, body });
  await answer.arrayBuffer();
  times.push(performance.now() - start);
  if (answer.status !== 202) throw new Error(`${url} answered ${answer.status}.`);
}

const BROWSER =
  "Mozilla/5.0 (Macintosh; Intel Mac OS X 14_0) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/130.0.0.0 Safari/537.36";

/** Milliseconds until the last event was stored. */
async function waitUntilStored(DB: D1Database, events: number) {
  const start = performance.now();
  for (;;) {
    const stored = await DB.prepare("select count(*) as n from analytics_events").first<number>("n");
    if (stored === events) return performance.now() - start;
    if (performance.now() - start > STORED_WITHIN)
      throw new Error(`Of ${events} events ${stored} were stored.`);
    await pause(LOOK_MS);
  }
}

/** The expected figures: one visitor a request, without duplicates. */
async function check(DB: D1Database, requests: number) {
  const { results: totals } = await DB.prepare(
    `select views, visitors, visits, engaged, readings, reading_seconds as seconds
    from analytics_totals where span = 0 and kind = 'site'`,
  ).all();
  const { results: counts } = await DB.prepare(
    "select name, count from analytics_counts where span = 0 and kind = 'site' order by name",
  ).all();
  const { results: rejections } = await DB.prepare("select * from analytics_rejections").all();
  const expected = {
    totals: [
      {
        views: requests,
        visitors: requests,
        visits: requests,
        engaged: requests,
        readings: requests,
        seconds: requests * 40,
      },
    ],
    counts: ["engagement:share", "scroll_depth:50", "time_on_page:30"].map((name) => ({
      name,
      count: requests,
    })),
    rejections: [],
  };
  const actual = JSON.stringify({ totals, counts, rejections });
  if (actual !== JSON.stringify(expected))
    throw new Error(`The roll-ups are ${actual}, of ${requests} requests.`);
}
