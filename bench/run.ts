import { writeFileSync } from "node:fs";
import { join } from "node:path";
import autocannon from "autocannon";
import { build } from "../scripts/local.ts";
import { root } from "../scripts/tools.ts";
import { seed, USUAL } from "./content.ts";
import { measureSearch } from "./search.ts";
import { startBench } from "./site.ts";
import { firstVisit } from "./visit.ts";

const ROUNDS = 3;
const SECONDS = 3;
const CONNECTIONS = 32;
/** Requests a second of the paced load, under which p99 means something. */
const RATE = 50;

type Target = { name: string; path: string; headers?: Record<string, string>; status: number };
type Figures = { rate: number; p50: number; p99: number };

await build();
const { site, bare, env, stop } = await startBench();
try {
  const { episodePath, essayPath, audioPath, language } = await seed(env, USUAL);
  const searches = await measureSearch(env, language);
  const etag = (await fetch(`${site}/rss/podcast.xml`)).headers.get("etag") ?? "";
  const targets: Target[] = [
    { name: "home", path: "/", status: 200 },
    { name: "episode", path: episodePath, status: 200 },
    { name: "essay", path: essayPath, status: 200 },
    { name: "search", path: `/search?q=${language.word(1000)}`, status: 200 },
    { name: "feed", path: "/rss/podcast.xml", status: 200 },
    { name: "feed, 304", path: "/rss/podcast.xml", headers: { "If-None-Match": etag }, status: 304 },
    { name: "essays feed", path: "/rss/essays.xml", status: 200 },
    { name: "audio, 1 MiB range", path: audioPath, headers: { Range: "bytes=1048576-2097151" }, status: 206 },
  ];
  const rows = [];
  for (const target of targets) rows.push(await measure(target));
  const visits = {
    home: await firstVisit(site, "/"),
    episode: await firstVisit(site, episodePath),
    essay: await firstVisit(site, essayPath),
  };
  print(rows, searches, visits);
  const results = JSON.stringify({ rows, searches, visits }, null, 2);
  writeFileSync(join(root, "bench", "results.json"), `${results}\n`);
} finally {
  await stop();
}

/** Site and bare Worker in turns, so that whatever else the machine does falls on both; the median of the rounds. */
async function measure({ name, path, headers, status }: Target) {
  const probe = await fetch(`${site}${path}`, { headers });
  const bytes = (await probe.arrayBuffer()).byteLength;
  if (probe.status !== status) throw new Error(`${name}: ${path} answered ${probe.status}, not ${status}.`);
  const type = encodeURIComponent(probe.headers.get("content-type") ?? "text/plain");
  const bareUrl = `${bare}/${bytes}?type=${type}&status=${status === 206 ? 200 : status}`;
  const rounds: { ours: Figures; theirs: Figures }[] = [];
  for (let round = 0; round < ROUNDS; round++) {
    const theirs = await load(bareUrl);
    const ours = await load(`${site}${path}`, headers);
    rounds.push({ ours, theirs });
  }
  const ours = medianOf(rounds.map((round) => round.ours));
  const theirs = medianOf(rounds.map((round) => round.theirs));
  const statements = /(\d+) statements/.exec(probe.headers.get("server-timing") ?? "")?.[1];
  return {
    name,
    bytes,
    statements: Number(statements ?? Number.NaN),
    ours,
    theirs,
    ratio: ours.rate / theirs.rate,
    // autocannon counts whole milliseconds.
    p99Ratio: ours.p99 / Math.max(theirs.p99, 1),
  };
}

async function load(url: string, headers?: Record<string, string>): Promise<Figures> {
  const full = await autocannon({ url, headers, connections: CONNECTIONS, duration: SECONDS });
  const paced = await autocannon({ url, headers, connections: 4, duration: SECONDS, overallRate: RATE });
  for (const { errors, timeouts, statusCodeStats } of [full, paced]) {
    const failed = Object.keys(statusCodeStats).filter((code) => Number(code) >= 400);
    if (errors + timeouts > 0 || failed.length > 0) {
      throw new Error(`${url}: ${errors} errors, ${timeouts} timeouts, status ${failed.join(", ")}.`);
    }
  }
  return { rate: full.requests.average, p50: paced.latency.p50, p99: paced.latency.p99 };
}

function medianOf(figures: Figures[]): Figures {
  const median = (key: keyof Figures) =>
    figures.map((figure) => figure[key]).toSorted((a, b) => a - b)[Math.floor(figures.length / 2)] ??
    Number.NaN;
  return { rate: median("rate"), p50: median("p50"), p99: median("p99") };
}

type Row = Awaited<ReturnType<typeof measure>>;
type Searches = Awaited<ReturnType<typeof measureSearch>>;
type Visit = Awaited<ReturnType<typeof firstVisit>>;

function print(rows: Row[], searches: Searches, visits: Record<string, Visit>) {
  console.log(
    `\nRequests a second at ${CONNECTIONS} connections, milliseconds at ${RATE} requests a second, median of ${ROUNDS}`,
  );
  console.table(
    Object.fromEntries(
      rows.map(({ name, bytes, statements, ours, theirs, ratio, p99Ratio }) => [
        name,
        {
          "req/s": Math.round(ours.rate),
          "bare req/s": Math.round(theirs.rate),
          ratio: Number(ratio.toFixed(3)),
          "p50 ms": ours.p50,
          "p99 ms": ours.p99,
          "bare p99 ms": theirs.p99,
          "p99 ratio": Number(p99Ratio.toFixed(1)),
          "D1 statements": statements,
          "bytes raw": bytes,
        },
      ]),
    ),
  );
  console.log(
    "What a search costs D1 by its own account, at 2,000 documents and 8,000 passages of transcripts",
  );
  console.table(
    Object.fromEntries(
      searches.map(({ name, ms, documents, moments }) => [
        name,
        { ms, "rows read": documents.rowsRead + moments.rowsRead },
      ]),
    ),
  );
  console.log("Bytes that Chromium loads on a first visit, gzipped where the edge compresses");
  console.table(visits);
}
