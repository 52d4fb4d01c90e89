import { grow } from "./content.ts";
import { measureSignIn } from "./sign-in-timing.ts";
import type { Language } from "./language.ts";
import { measureIngest } from "./ingest.ts";
import { measureLetters } from "./letters.ts";
import {
  measureArchive,
  measureCold,
  measureFeed,
  measureGrowth,
  measureCached,
  measureCounting,
  measureMedia,
  measureUnchanged,
  PACE_COLD,
  PACE_FEED,
  PACE_CACHED,
  type Pages,
  type Row,
} from "./measure.ts";
import { measurePanel } from "./panel.ts";
import { measureSearch } from "./search.ts";
import type { Bench } from "./site.ts";
import { firstVisit, nextNavigation, untouchedVisit } from "./visit.ts";

/** Of the site whose cost is compared as it grows. */
export const FEW_ESSAYS = 100;
const MANY_ESSAYS = 10_000;
/** Episodes: as many as one page of the feed has. */
const LONG_FEED = 1000;

/** Of the demo: made-up words compress worse than a language does. */
const REAL_ESSAY = "/essays/write-the-last-page-first";

type Given = {
  bench: Bench;
  pages: Pages;
  essayPath: string;
  episodePath: string;
  audioPath: string;
  uncountedPath: string;
  language: Language;
};

/** What is measured, what is printed above it, and which of it. */
const part = <Found>(
  title: string,
  measure: (given: Given) => Promise<Found>,
  rowsOf: (found: Found) => object = (found) => found as object,
) => ({
  title,
  async take(given: Given) {
    const found = await measure(given);
    return { found, rows: rowsOf(found) };
  },
});

/** In this order: the last ones make the site larger. */
export const parts = {
  letters: part(
    "A letter by SMTP, beside a bare client in Node with one connection to the same server; at most 60 statements a thousand",
    () => measureLetters(),
    ({ letters, perMinute, barePerMinute, statementsPerThousand, megabytes }) => [
      {
        letters,
        "a minute": perMinute,
        "bare, a minute": barePerMinute,
        ratio: Number((perMinute / barePerMinute).toFixed(2)),
        "statements a 1,000": statementsPerThousand,
        "workerd MB at most": megabytes,
      },
    ],
  ),
  searches: part(
    "What a search costs D1 by its own account, at 2,000 documents and 8,000 passages of transcripts",
    ({ bench, language }) => measureSearch(bench.env, language),
    (searches) =>
      Object.fromEntries(
        searches.map(({ name, ms, documents, moments }) => [
          name,
          { ms, "rows read": documents.rowsRead + moments.rowsRead },
        ]),
      ),
  ),
  cached: part(
    `Cached, beside a bare Worker; latency at ${PACE_CACHED} requests a second`,
    ({ bench, pages }) => measureCached(bench, pages),
    beside,
  ),
  unchanged: part("Answered 304, beside hello", ({ bench, pages }) => measureUnchanged(bench, pages), beside),
  cold: part(
    `Rendered, beside a bare Worker; latency at ${PACE_COLD} requests a second`,
    ({ bench, pages }) => measureCold(bench, pages),
    (rows) =>
      Object.fromEntries(
        Object.entries(beside(rows)).map(([name, row]) => [name, { d1: rows[name]?.d1, ...row }]),
      ),
  ),
  archive: part(`Each essay once; latency at ${PACE_COLD} requests a second`, ({ bench }) =>
    measureArchive(bench),
  ),
  media: part(
    "Audio, beside a bare Worker with the same object",
    ({ bench, audioPath }) => measureMedia(bench, audioPath),
    beside,
  ),
  counting: part(
    "Audio that is counted, beside the same bytes that are no audio; at most 5 % more processor time",
    ({ bench, audioPath, uncountedPath }) => measureCounting(bench, audioPath, uncountedPath),
    (rows) =>
      Object.fromEntries(
        Object.entries(rows).map(([name, { ours, theirs, more }]) => [
          name,
          { µs: Math.round(ours), "uncounted µs": Math.round(theirs), more: `${(more * 100).toFixed(1)} %` },
        ]),
      ),
  ),
  visits: part(
    "Bytes that Chromium loads on a first visit, gzipped where the edge compresses",
    async ({ bench, essayPath, episodePath }) => {
      const site = bench.site("whole");
      return {
        home: await firstVisit(site, "/"),
        episode: await firstVisit(site, episodePath),
        essay: await firstVisit(site, essayPath),
        "essay, 1,147 words of English": await firstVisit(site, REAL_ESSAY),
        "home, on a phone, untouched": await untouchedVisit(site, "/"),
        "essay, on a phone, untouched": await untouchedVisit(site, essayPath),
      };
    },
  ),
  navigations: part(
    "Bytes of the next navigation, by a click within the site",
    async ({ bench, essayPath }) => {
      const site = bench.site("whole");
      return {
        "essay to essay": await nextNavigation(site, essayPath, /^(Next|Previous) essay/),
        "home to podcast": await nextNavigation(site, "/", "Podcast"),
      };
    },
  ),
  growth: part(
    `What a page costs as the site grows from ${FEW_ESSAYS} to ${MANY_ESSAYS} essays`,
    async ({ bench }) => {
      await grow(bench.env, "articles", MANY_ESSAYS);
      return measureGrowth(bench);
    },
    (pages) =>
      Object.fromEntries(
        Object.entries(pages).map(([name, { rowsBefore, rowsNow, growth }]) => [
          name,
          { "rows before": rowsBefore, "rows now": rowsNow, growth: `${(growth * 100).toFixed(1)} %` },
        ]),
      ),
  ),
  feed: part(
    `The feed of ${LONG_FEED} episodes; latency of cached pages at ${PACE_FEED} requests a second`,
    async ({ bench }) => {
      await grow(bench.env, "episodes", LONG_FEED);
      return measureFeed(bench);
    },
  ),
  panel: part(
    "The panel for 90 days with five million events behind it, and a plain count of the same; at most 20,000 rows and 8 statements",
    ({ bench }) => measurePanel(bench.env),
    ({ events, contents, statements, rowsRead, ms, plain }) => [
      {
        events,
        contents,
        statements,
        "rows read": rowsRead,
        ms: Math.round(ms),
        "plain rows": plain.rowsRead,
        "plain ms": Math.round(plain.ms),
      },
    ],
  ),
  ingest: part(
    "Events through the API, the queue and the consumer, each found again in the table and the roll-ups",
    () => measureIngest(),
    ({ events, perMinute, p50, p99, lag, lost }) => [
      {
        events,
        "a minute": perMinute,
        "p50 ms": Number(p50.toFixed(1)),
        "p99 ms": Number(p99.toFixed(1)),
        "stored after ms": lag,
        lost,
      },
    ],
  ),
  "sign-in": part(
    "What the time of an answer tells of whether there is such an account or subscriber: nothing, within 0.5 ± noise",
    ({ bench }) => measureSignIn(bench.site("off"), bench.env.DB),
  ),
};

function beside(rows: Record<string, Row>) {
  return Object.fromEntries(
    Object.entries(rows).map(([name, { bytes, alone, crowd, processor, p50, p99, bare, ...ratios }]) => [
      name,
      {
        bytes,
        "req/s, 1": Math.round(alone),
        "req/s, 32": Math.round(crowd),
        "bare, 32": Math.round(bare.crowd),
        ratio: Number(ratios.ratio.toFixed(2)),
        "µs, 32": processor,
        "bare µs": bare.processor,
        "by µs": Number(ratios.byProcessor.toFixed(2)),
        "p50 ms": p50,
        "p99 ms": p99,
        "bare p99 ms": bare.p99,
      },
    ]),
  );
}
