import { createHash } from "node:crypto";
import { newAddress } from "../test/load/client.ts";
import { AUDIO_BYTES, USUAL } from "./content.ts";
import { compare, measure, median, once, weigh, type Figures } from "./load.ts";
import type { Bench } from "./site.ts";

/** Requests a second: of cached pages, and of rendered ones. */
export const PACE_CACHED = 500;
export const PACE_COLD = 100;
export const PACE_FEED = 1000;
const WARM_UP = 200;
const MiB = 1024 * 1024;
const TRIES = 9;

/** By the names that the tables give them. */
export type Pages = Record<string, string>;

type Compared = Awaited<ReturnType<typeof compare>>;
export type Row = Figures & Pick<Compared, "ratio" | "byProcessor"> & { bytes: number; bare: Figures };

function rowOf(bytes: number, { ours, theirs, ...ratios }: Compared): Row {
  return { bytes, ...ours, bare: theirs, ...ratios };
}

/** Cached pages, beside the same bytes, head and all, that a bare Worker gives from memory and from the Cache API. */
export async function measureCached({ site, bare }: Bench, pages: Pages) {
  const rows: Record<string, Row> = {};
  for (const [name, path] of Object.entries(pages)) {
    for (const mode of ["on", "store"] as const) {
      const url = site(mode) + path;
      await probe(url);
      const { bytes, way } = await probe(url);
      if (way !== "hit") throw new Error(`${url} is not cached.`);
      const same = await teach(bare, path, url);
      const theirs = mode === "store" ? `${bare}/store${same}` : bare + same;
      const figures = await compare({ url, status: 200 }, { url: theirs, status: 200 }, PACE_CACHED);
      rows[`${name}, ${mode === "on" ? "memory" : "store"}`] = rowOf(bytes, figures);
    }
  }
  return rows;
}

/** A 304, beside a bare Worker's hello. */
export async function measureUnchanged({ site, bare }: Bench, pages: Pages) {
  const rows: Record<string, Row> = {};
  for (const name of ["essay", "podcast feed"]) {
    const url = site("on") + pages[name];
    const { etag } = await probe(url);
    const ours = { url, headers: { "If-None-Match": etag }, status: 304 };
    const figures = await compare(ours, { url: `${bare}/hello`, status: 200 }, PACE_CACHED);
    rows[name] = rowOf(0, figures);
  }
  return rows;
}

/**
 * Rendered pages compared with a bare Worker that returns the same bytes from memory: the same page each time, with
 * nothing cached. The site limits the searches of one address, so each of those is a new visitor's.
 */
export async function measureCold({ site, bare }: Bench, pages: Pages) {
  const rows: Record<string, Row & { d1: string }> = {};
  for (const [name, path] of Object.entries(pages)) {
    const url = site("off") + path;
    const { timing, bytes } = await probe(url);
    const d1 = /desc="([^"]+)"/.exec(timing)?.[1] ?? "";
    const theirs = bare + (await teach(bare, path, url));
    const vary = name === "search" ? () => ({ "CF-Connecting-IP": newAddress() }) : undefined;
    const target = { vary, status: 200 };
    const figures = await compare({ url, ...target }, { url: theirs, ...target }, PACE_COLD);
    rows[name] = { d1, ...rowOf(bytes, figures) };
  }
  return rows;
}

/** Many visitors who read the archive: each essay once, with a full cache. */
export async function measureArchive({ site }: Bench) {
  const essays = Array.from({ length: USUAL.essays - 1 }, (_, index) => `/essays/essay-${index + 1}`);
  // The first warm the isolate up.
  await once(site("on"), essays.slice(0, WARM_UP), PACE_COLD);
  return once(site("on"), essays.slice(WARM_UP), PACE_COLD);
}

/** What a page costs beside the same one of a site that has stayed small: rows that D1 reads, and processor time. */
export async function measureGrowth({ site }: Bench) {
  const rows: Record<string, { rowsBefore: number; rowsNow: number; growth: number }> = {};
  for (const [name, path] of Object.entries({ home: "/", essay: "/essays/essay-50", essays: "/essays" })) {
    const [before, now] = [site("few") + path, site("off") + path];
    const { byProcessor } = await compare({ url: now, status: 200 }, { url: before, status: 200 }, PACE_COLD);
    rows[name] = {
      rowsBefore: await rowsRead(before),
      rowsNow: await rowsRead(now),
      growth: 1 / byProcessor - 1,
    };
  }
  return rows;
}

const rowsRead = async (url: string) => Number(/(\d+) rows/.exec((await probe(url)).timing)?.[1]);

/** The feed of a thousand episodes, which is one page: its size, the time to build it, and the rate of cached responses. */
export async function measureFeed({ site }: Bench) {
  const path = "/rss/podcast.xml";
  const { bytes } = await probe(site("off") + path);
  const built = await medianTime(site("off") + path);
  await probe(site("on") + path);
  const figures = await measure({ url: site("on") + path, status: 200 }, PACE_FEED);
  return { [path]: { bytes, built, ...figures } };
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
export async function measureMedia({ site, bare }: Bench, path: string) {
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

/**
 * A range of audio, which is counted, beside the same bytes as no audio, which are not, by the same Worker in turns; each
 * request is a new listener's. The consumer does not run beside it, as it does not on the platform.
 */
export async function measureCounting({ site }: Bench, audioPath: string, uncountedPath: string) {
  const rows: Record<string, Awaited<ReturnType<typeof weigh>>> = {};
  for (const [name, bytes] of Object.entries({ "1 MiB range": MiB, "64 KiB range": MiB / 16 })) {
    const target = (path: string) => ({
      url: site("on") + path,
      vary: () => ({ Range: `bytes=${MiB}-${MiB + bytes - 1}`, "CF-Connecting-IP": newAddress() }),
      status: 206,
    });
    rows[name] = await weigh(target(audioPath), target(uncountedPath));
  }
  return rows;
}

/** Has the bare Worker answer as this address does; returns the path under which it then does. */
async function teach(bare: string, path: string, url: string) {
  const answer = await fetch(url);
  const same = new URL(path, bare).pathname;
  const headers = { "Answer-Headers": JSON.stringify([...answer.headers]) };
  const taken = await fetch(bare + same, { method: "PUT", headers, body: await answer.arrayBuffer() });
  if (!taken.ok) throw new Error(`${bare}${same} was not taken: ${taken.status}.`);
  return same;
}

async function probe(url: string) {
  const answer = await fetch(url);
  const bytes = (await answer.arrayBuffer()).byteLength;
  if (answer.status !== 200) throw new Error(`${url} answered ${answer.status}.`);
  const timing = answer.headers.get("server-timing") ?? "";
  return {
    bytes,
    timing,
    way: /cache;desc="(\w+)"/.exec(timing)?.[1],
    etag: answer.headers.get("etag") ?? "",
  };
}
