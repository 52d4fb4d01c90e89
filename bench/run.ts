import { createHash } from "node:crypto";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { build } from "../scripts/local.ts";
import { root } from "../scripts/tools.ts";
import { AUDIO_BYTES, grow, seed, seedEssays, USUAL } from "./content.ts";
import { measureDoor } from "./door.ts";
import { compare, measure, median, once, type Figures } from "./load.ts";
import { measureSearch } from "./search.ts";
import { startBench, type Bench } from "./site.ts";
import { firstVisit, nextNavigation } from "./visit.ts";

/** Requests a second: of pages that are kept, and of such as must be rendered. */
const PACE_KEPT = 500;
const PACE_COLD = 100;

/** Of the site whose cost is compared as it grows. */
const FEW_ESSAYS = 100;
const MANY_ESSAYS = 10_000;
/** Of a podcast whose feed comes in pages. */
const LONG_FEED = 1000;
const PACE_FEED = 1000;
const WARM_UP = 200;
const TRIES = 9;

const parts = [
  "searches",
  "kept",
  "unchanged",
  "cold",
  "media",
  "visits",
  "navigations",
  "growth",
  "feed",
  "door",
] as const satisfies (keyof Results)[];
const asked = process.argv.slice(2);
const unknown = asked.filter((part) => !parts.some((known) => known === part));
if (unknown.length > 0) throw new Error(`No ${unknown.join(", ")}. There are ${parts.join(", ")}.`);
/** `npm run bench kept cold` measures these two, prints them, and leaves the file as it is. */
const isAsked = (part: keyof Results) => asked.length === 0 || asked.includes(part);

type Row = Figures & { bytes: number; bare: Figures; ratio: number };

function rowOf(bytes: number, { ours, theirs, ratio }: Awaited<ReturnType<typeof compare>>): Row {
  return { bytes, ...ours, bare: theirs, ratio };
}

/** Pages that are kept, beside as many bytes that a bare Worker gives from memory and from the Cache API. */
async function measureKept({ site, bare }: Bench, pages: Record<string, string>) {
  const rows: Record<string, Row> = {};
  for (const [name, path] of Object.entries(pages)) {
    for (const mode of ["on", "store"] as const) {
      const url = site(mode) + path;
      await fetch(url);
      const { bytes, headBytes, type, way } = await probe(url);
      if (way !== "hit") throw new Error(`${url} is not kept.`);
      const store = mode === "store" ? "/store" : "";
      // As many on the line: a page's head is some 2 kB.
      const size = bytes + headBytes;
      const theirs = { url: `${bare}${store}/${size}?type=${encodeURIComponent(type)}`, status: 200 };
      const figures = await compare({ url, status: 200 }, theirs, PACE_KEPT);
      rows[`${name}, ${mode === "on" ? "memory" : "store"}`] = rowOf(bytes, figures);
    }
  }
  return rows;
}

/** A 304, beside a bare Worker's hello. */
async function measureUnchanged({ site, bare }: Bench, pages: Record<string, string>) {
  const rows: Record<string, Row> = {};
  for (const name of ["essay", "podcast feed"]) {
    const url = site("on") + pages[name];
    const { etag } = await probe(url);
    const ours = { url, headers: { "If-None-Match": etag }, status: 304 };
    const figures = await compare(ours, { url: `${bare}/5`, status: 200 }, PACE_KEPT);
    rows[name] = rowOf(0, figures);
  }
  return rows;
}

/** What must be rendered: the same page each time where nothing is kept, and each essay once where all is. */
async function measureCold({ site }: Bench, pages: Record<string, string>) {
  const rows: Record<string, Partial<Figures> & { d1?: string; bytes?: number }> = {};
  for (const [name, path] of Object.entries(pages)) {
    const { timing, bytes } = await probe(site("off") + path);
    const d1 = /desc="([^"]+)"/.exec(timing)?.[1];
    rows[`${name}, bypass`] = {
      bytes,
      d1,
      ...(await measure({ url: site("off") + path, status: 200 }, PACE_COLD)),
    };
  }
  const essays = Array.from({ length: USUAL.essays - 1 }, (_, index) => `/essays/essay-${index + 1}`);
  // The first warm the isolate up, as the crowd does for the others.
  await once(site("on"), essays.slice(0, WARM_UP), PACE_COLD);
  rows["essays, each once"] = await once(site("on"), essays.slice(WARM_UP), PACE_COLD);
  return rows;
}

/**
 * What a page costs while there are so many essays: rows that D1 reads, and requests a second at one connection beside a
 * bare hello, since the machine is not the same at both times.
 */
async function measureGrowth({ site, bare }: Bench) {
  const rows: Record<string, { rowsRead: number; alone: number; bare: number }> = {};
  for (const [name, path] of Object.entries({ home: "/", essay: "/essays/essay-50", essays: "/essays" })) {
    const url = site("off") + path;
    const { timing } = await probe(url);
    const figures = await compare({ url, status: 200 }, { url: `${bare}/5`, status: 200 }, PACE_COLD);
    const rowsRead = Number(/(\d+) rows/.exec(timing)?.[1]);
    rows[name] = { rowsRead, alone: figures.ours.alone, bare: figures.theirs.alone };
  }
  return rows;
}
type Grown = Awaited<ReturnType<typeof measureGrowth>>;

/** How much more a request takes, in hellos of the same time: 0.1 is a tenth more. */
function growthOf(few: Grown, many: Grown) {
  return Object.fromEntries(
    Object.entries(many).map(([name, now]) => {
      const before = few[name] ?? now;
      return [name, { before, now, growth: now.bare / now.alone / (before.bare / before.alone) - 1 }];
    }),
  );
}

/** Pages of the feed of a thousand episodes: their size, what it takes to build one, and how they are given when kept. */
async function measureFeed({ site }: Bench) {
  const rows: Record<string, Figures & { bytes: number; built: number }> = {};
  for (const page of ["", "?page=5", "?page=10"]) {
    const path = `/rss/podcast.xml${page}`;
    const { bytes } = await probe(site("off") + path);
    const built = await medianTime(site("off") + path);
    await probe(site("on") + path);
    rows[path] = { bytes, built, ...(await measure({ url: site("on") + path, status: 200 }, PACE_FEED)) };
  }
  return rows;
}

/** Milliseconds from request to last byte, the median of some in turn. */
async function medianTime(url: string) {
  const times: number[] = [];
  for (let n = 0; n < TRIES; n++) {
    const start = performance.now();
    await probe(url);
    times.push(performance.now() - start);
  }
  return median(times);
}

/** A megabyte out of fifty, beside a bare Worker that hands out the same object; and the whole, by ranges. */
async function measureMedia({ site, bare }: Bench, path: string) {
  const headers = { Range: "bytes=1048576-2097151" };
  const ours = { url: site("on") + path, headers, status: 206 };
  const figures = await compare(ours, { url: bare + path, headers, status: 206 }, PACE_COLD);
  const hash = createHash("sha256");
  const step = 7 * 1024 * 1024;
  for (let from = 0; from < AUDIO_BYTES; from += step) {
    const range = `bytes=${from}-${Math.min(from + step, AUDIO_BYTES) - 1}`;
    hash.update(new Uint8Array(await (await fetch(ours.url, { headers: { Range: range } })).arrayBuffer()));
  }
  const whole = createHash("sha256").update(new Uint8Array(await (await fetch(ours.url)).arrayBuffer()));
  const isEqual = hash.digest("hex") === whole.digest("hex");
  if (!isEqual) throw new Error("The audio in ranges is not the audio whole.");
  return { "1 MiB range": rowOf(1024 * 1024, figures) };
}

async function probe(url: string) {
  const answer = await fetch(url);
  const bytes = (await answer.arrayBuffer()).byteLength;
  if (answer.status !== 200) throw new Error(`${url} answered ${answer.status}.`);
  const timing = answer.headers.get("server-timing") ?? "";
  return {
    bytes,
    headBytes: [...answer.headers].reduce((sum, [name, value]) => sum + name.length + value.length + 4, 0),
    timing,
    way: /cache;desc="(\w+)"/.exec(timing)?.[1],
    type: answer.headers.get("content-type") ?? "text/plain",
    etag: answer.headers.get("etag") ?? "",
  };
}

type Results = {
  kept: Record<string, Row>;
  unchanged: Record<string, Row>;
  cold: Awaited<ReturnType<typeof measureCold>>;
  media: Record<string, Row>;
  searches: Awaited<ReturnType<typeof measureSearch>>;
  visits: Record<string, Awaited<ReturnType<typeof firstVisit>>>;
  navigations: Record<string, Awaited<ReturnType<typeof nextNavigation>>>;
  growth: ReturnType<typeof growthOf>;
  feed: Awaited<ReturnType<typeof measureFeed>>;
  door: Awaited<ReturnType<typeof measureDoor>>;
};

const shown: { [Part in keyof Results]: (found: Results[Part]) => { title: string; rows: object } } = {
  searches: (searches) => ({
    title: "What a search costs D1 by its own account, at 2,000 documents and 8,000 passages of transcripts",
    rows: Object.fromEntries(
      searches.map(({ name, ms, documents, moments }) => [
        name,
        { ms, "rows read": documents.rowsRead + moments.rowsRead },
      ]),
    ),
  }),
  kept: (rows) => ({
    title: `Kept, beside a bare Worker; latency at ${PACE_KEPT} requests a second`,
    rows: beside(rows),
  }),
  unchanged: (rows) => ({ title: "Answered 304, beside hello", rows: beside(rows) }),
  cold: (rows) => ({ title: `Rendered; latency at ${PACE_COLD} requests a second`, rows }),
  media: (rows) => ({ title: "Audio, beside a bare Worker with the same object", rows: beside(rows) }),
  visits: (rows) => ({
    title: "Bytes that Chromium loads on a first visit, gzipped where the edge compresses",
    rows,
  }),
  navigations: (rows) => ({ title: "Bytes of the next navigation, by a click within the site", rows }),
  growth: (growth) => ({
    title: `What a page costs as the site grows from ${FEW_ESSAYS} to ${MANY_ESSAYS} essays`,
    rows: Object.fromEntries(
      Object.entries(growth).map(([name, { before, now, growth: more }]) => [
        name,
        { "rows before": before.rowsRead, "rows now": now.rowsRead, growth: `${(more * 100).toFixed(1)} %` },
      ]),
    ),
  }),
  feed: (rows) => ({
    title: `The feed of ${LONG_FEED} episodes; latency of kept pages at ${PACE_FEED} requests a second`,
    rows,
  }),
  door: (rows) => ({
    title:
      "What the time of an answer tells of whether there is such an account: nothing, within 0.5 ± noise",
    rows,
  }),
};

const beside = (rows: Record<string, Row>) =>
  Object.fromEntries(
    Object.entries(rows).map(([name, { bytes, alone, crowd, p50, p99, bare, ratio }]) => [
      name,
      {
        bytes,
        "req/s, 1": Math.round(alone),
        "req/s, 32": Math.round(crowd),
        "bare, 32": Math.round(bare.crowd),
        ratio: Number(ratio.toFixed(2)),
        "p50 ms": p50,
        "p99 ms": p99,
        "bare p99 ms": bare.p99,
      },
    ]),
  );

const results: Partial<Results> = {};
async function take<Part extends keyof Results>(part: Part, measurement: () => Promise<Results[Part]>) {
  if (!isAsked(part)) return;
  const found = await measurement();
  results[part] = found;
  const { title, rows } = shown[part](found);
  console.log(`\n${title}`);
  console.table(rows);
}

await build();
const bench = await startBench();
try {
  const content = await seed(bench.env, { ...USUAL, essays: FEW_ESSAYS });
  const few = isAsked("growth") ? await measureGrowth(bench) : {};
  await seedEssays(bench.env, content.language, FEW_ESSAYS + 1, USUAL.essays);
  const { essayPath, episodePath, audioPath, language } = content;
  const pages: Record<string, string> = {
    home: "/",
    episode: episodePath,
    essay: essayPath,
    search: `/search?q=${language.word(1000)}`,
    "podcast feed": "/rss/podcast.xml",
    "essays feed": "/rss/essays.xml",
  };
  const whole = bench.site("whole");
  await take("searches", () => measureSearch(bench.env, language));
  await take("kept", () => measureKept(bench, pages));
  await take("unchanged", () => measureUnchanged(bench, pages));
  await take("cold", () => measureCold(bench, pages));
  await take("media", () => measureMedia(bench, audioPath));
  await take("visits", async () => ({
    home: await firstVisit(whole, "/"),
    episode: await firstVisit(whole, episodePath),
    essay: await firstVisit(whole, essayPath),
  }));
  await take("navigations", async () => ({
    "essay to essay": await nextNavigation(whole, essayPath, /^(Next|Previous) essay/),
    "home to podcast": await nextNavigation(whole, "/", "Podcast"),
  }));
  await take("growth", async () => {
    await grow(bench.env, "articles", MANY_ESSAYS);
    return growthOf(few, await measureGrowth(bench));
  });
  await take("feed", async () => {
    await grow(bench.env, "episodes", LONG_FEED);
    return measureFeed(bench);
  });
  await take("door", () => measureDoor(bench.site("off"), bench.env.DB));
  if (asked.length === 0) {
    writeFileSync(join(root, "bench", "results.json"), `${JSON.stringify(results, null, 2)}\n`);
  }
} finally {
  await bench.stop();
}
