import { newAddress } from "../test/load/client.ts";
import { api, documents, pages } from "#worker/addresses.ts";
import { root } from "../scripts/tools.ts";
import { grow } from "./content.ts";
import { median } from "./load.ts";
import { timeOf } from "./processor.ts";
import { profilePage } from "./profile.ts";
import { startMeasuredSite, type MeasuredSite } from "./site.ts";

/** Reads an object of R2 and answers with nothing: what R2's local stand-in costs in the site's process. */
const READ_OBJECT = `
  export default {
    async fetch(request, env) {
      const object = await env.MEDIA.get(decodeURIComponent(new URL(request.url).pathname.slice(1)));
      await object?.arrayBuffer();
      return new Response(null, { status: object ? 204 : 404 });
    },
  };`;

/** Requests before the first measured one, after which the isolate's compiler knows the code. */
const WARM_UP = 100;
/** The checkouts take turns in each round. */
const ROUNDS = 4;
const REQUESTS = 30;

/** Rows of the large site. */
const LARGE = { articles: 2000, episodes: 1000 } as const;

/**
 * Milliseconds of processor time of the site's own process for one request, and of that in the isolate: rendered, and at
 * the median read from R2, of which R2's local stand-in takes `standIn`. Addresses with a query are not in R2.
 */
export type Cost = {
  p50: number;
  p99: number;
  isolate: { p50: number; p99: number };
  bytes: number;
  fromBucket?: { p50: number; standIn: number };
};

/** By address; one cost for each checkout that knows it, in their order. */
type Costs = Record<string, Cost[]>;

/** Pages whose time is also given by part. */
const PROFILED = ["/", "/essays/write-the-last-page-first"];

type Measured = {
  /** By the site's content. */
  costs: Record<string, Costs>;
  /** By page: per cent of its time by part. */
  profiles: Record<string, Record<string, number>>;
};

/**
 * What each public address costs if nothing is cached, with the demo and with 2,000 essays and 1,000 episodes. Other
 * built checkouts take turns with this one; each has its own demo.
 */
export async function measurePageCosts(others: string[]): Promise<Measured> {
  const sites: MeasuredSite[] = [];
  try {
    for (const checkout of [root, ...others]) sites.push(await startMeasuredSite(checkout, READ_OBJECT));
    const demo = await measureAll(sites);
    const profiles: Measured["profiles"] = {};
    for (const path of PROFILED) profiles[path] = await profilePage(sites[0]!, path);
    for (const { env } of sites)
      for (const table of ["articles", "episodes"] as const) await grow(env, table, LARGE[table]);
    return { costs: { demo, large: await measureAll(sites) }, profiles };
  } finally {
    for (const site of sites) await site.stop();
  }
}

async function measureAll(sites: MeasuredSite[]) {
  const costs: Costs = {};
  for (const path of examplePaths) {
    const knowing = await findKnowing(sites, path);
    if (knowing[0] !== sites[0])
      throw new Error(`${path} answers 404: give EXAMPLES a value that the demo has.`);
    const measured = knowing.map((): Record<"process" | "isolate", number[]> => ({
      process: [],
      isolate: [],
    }));
    const bytes: number[] = [];
    for (const [index, { url }] of knowing.entries()) bytes[index] = await repeat(url + path, WARM_UP);
    for (let round = 0; round < ROUNDS; round++)
      for (const [index, { url, process, timer }] of knowing.entries()) {
        for (let n = 0; n < REQUESTS; n++) measured[index]!.process.push(await costOf(url + path, process));
        const requests = Array.from({ length: REQUESTS }, () => () => repeat(url + path, 1));
        measured[index]!.isolate.push(...(await timer.measure(requests)).map(({ ms }) => ms));
      }
    costs[path] = measured.map(({ process, isolate }, index) => ({
      ...percentilesOf(process),
      isolate: percentilesOf(isolate),
      bytes: bytes[index]!,
    }));
    // An older checkout knows no such place.
    const ours = await measureFromBucket(sites[0]!, path);
    if (ours) costs[path][0]!.fromBucket = ours;
  }
  return costs;
}

/** An older checkout may not know a path. */
async function findKnowing(sites: MeasuredSite[], path: string) {
  const knowing: MeasuredSite[] = [];
  for (const site of sites) if ((await fetch(site.url + path)).status !== 404) knowing.push(site);
  return knowing;
}

const percentilesOf = (times: number[]) => ({
  p50: rounded(median(times)),
  p99: rounded(times.toSorted((a, b) => a - b)[Math.floor(times.length * 0.99)]!),
});

async function measureFromBucket({ fromBucket, beside, process, env }: MeasuredSite, path: string) {
  await repeat(fromBucket + path, WARM_UP);
  const key = `rendered${path}`;
  if (!(await env.MEDIA.head(key))) return undefined;
  const object = `${beside}/${encodeURIComponent(key)}`;
  await repeat(object, WARM_UP);
  const [times, alone]: [number[], number[]] = [[], []];
  for (let n = 0; n < ROUNDS * REQUESTS; n++) {
    times.push(await costOf(fromBucket + path, process));
    alone.push(await costOf(object, process));
  }
  return { p50: rounded(median(times)), standIn: rounded(median(alone)) };
}

async function costOf(url: string, process: string) {
  const before = timeOf(process);
  await repeat(url, 1);
  return timeOf(process) - before;
}

/** Returns the bytes of the answer. */
async function repeat(url: string, times: number) {
  let bytes = 0;
  for (let n = 0; n < times; n++) {
    const answer = await fetch(url, { headers: { "CF-Connecting-IP": newAddress() } });
    bytes = (await answer.arrayBuffer()).byteLength;
    if (!answer.ok) throw new Error(`${url} answered ${answer.status}.`);
  }
  return bytes;
}

const rounded = (ms: number) => Number(ms.toFixed(2));

/** Values in the demo, of one address or of all. */
const EXAMPLES: Record<string, string> = {
  "/people/:slug": "farida-noonan",
  ":slug": "write-the-last-page-first",
  ":id": "5",
};
const QUERIES: Record<string, string> = {
  "/search": "?q=rent",
  "/api/search": "?q=rent",
};
/** A visitor's own pages, and those of which the demo has none. */
const SKIPPED =
  /^\/(?:verify-email|unsubscribe|comment|confirm-enquiry|preview|oembed|\.well-known\/security|letters|api\/comments|.*playlist)/;

const examplePaths = ["/api/health", ...Object.keys({ ...pages, ...documents, ...api })]
  .filter((path) => !SKIPPED.test(path))
  .map(
    (path) => path.replace(/:slug|:id/, (name) => EXAMPLES[path] ?? EXAMPLES[name]!) + (QUERIES[path] ?? ""),
  );

/** As rows of a table; the checkouts are numbered from 1. */
export const pageCostRows = (costs: Costs) =>
  Object.fromEntries(
    Object.entries(costs).map(([path, of]) => [
      path,
      Object.fromEntries(
        of.flatMap(({ p50, p99, isolate, bytes, fromBucket }, index) => {
          const name = of.length === 1 ? "" : ` ${index + 1}`;
          return [
            [`p50 ms${name}`, p50],
            [`p99 ms${name}`, p99],
            [`isolate p50${name}`, isolate.p50],
            [`isolate p99${name}`, isolate.p99],
            ...(fromBucket
              ? [
                  [`from R2 ms${name}`, fromBucket.p50],
                  [`of it R2${name}`, fromBucket.standIn],
                ]
              : []),
            [`kB${name}`, Number((bytes / 1000).toFixed(1))],
          ];
        }),
      ),
    ]),
  );
