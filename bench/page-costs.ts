import { newAddress } from "../test/load/client.ts";
import { api, documents, pages } from "#worker/addresses.ts";
import { root } from "../scripts/tools.ts";
import { grow } from "./content.ts";
import { median } from "./load.ts";
import { timeOf } from "./processor.ts";
import { startMeasuredSite, type MeasuredSite } from "./site.ts";

/** Requests before the first measured one, after which the isolate's compiler knows the code. */
const WARM_UP = 100;
/** The checkouts take turns in each round. */
const ROUNDS = 4;
const REQUESTS = 30;

/** Rows of the large site. */
const LARGE = { articles: 2000, episodes: 1000 } as const;

/** Milliseconds of processor time of the site's own process for one request. */
export type Cost = { p50: number; p99: number; bytes: number };

/** By address; one cost for each checkout, in their order. */
type Costs = Record<string, Cost[]>;

/**
 * What each public address costs if nothing is cached, with the demo and with 2,000 essays and 1,000 episodes. Other
 * built checkouts take turns with this one; each has its own demo.
 */
export async function measurePageCosts(others: string[]): Promise<Record<string, Costs>> {
  const sites: MeasuredSite[] = [];
  try {
    for (const checkout of [root, ...others]) sites.push(await startMeasuredSite(checkout, sites.length));
    const demo = await measureAll(sites);
    for (const { env } of sites)
      for (const table of ["articles", "episodes"] as const) await grow(env, table, LARGE[table]);
    return { demo, large: await measureAll(sites) };
  } finally {
    for (const site of sites) await site.stop();
  }
}

async function measureAll(sites: MeasuredSite[]) {
  const costs: Costs = {};
  for (const path of examplePaths) {
    const samples = sites.map((): number[] => []);
    const bytes: number[] = [];
    for (const [index, { url }] of sites.entries()) bytes[index] = await repeat(url + path, WARM_UP);
    for (let round = 0; round < ROUNDS; round++)
      for (const [index, site] of sites.entries())
        for (let n = 0; n < REQUESTS; n++) samples[index]!.push(await costOf(site, path));
    costs[path] = samples.map((times, index) => ({
      p50: rounded(median(times)),
      p99: rounded(times.toSorted((a, b) => a - b)[Math.floor(times.length * 0.99)]!),
      bytes: bytes[index]!,
    }));
  }
  return costs;
}

async function costOf({ url, process }: MeasuredSite, path: string) {
  const before = timeOf(process);
  await repeat(url + path, 1);
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

/** Values in the demo. */
const EXAMPLES = { ":slug": "write-the-last-page-first", ":id": "5" };
const QUERIES: Record<string, string> = {
  "/search": "?q=rent",
  "/api/search": "?q=rent",
};
/** A visitor's own pages, and those of which the demo has none. */
const SKIPPED =
  /^\/(?:verify-email|unsubscribe|comment|confirm-enquiry|preview|oembed|letters|api\/comments|.*playlist)/;

const examplePaths = ["/api/health", ...Object.keys({ ...pages, ...documents, ...api })]
  .filter((path) => !SKIPPED.test(path))
  .map(
    (path) =>
      path.replace(/:slug|:id/, (name) => EXAMPLES[name as keyof typeof EXAMPLES]) + (QUERIES[path] ?? ""),
  );

/** As rows of a table; the checkouts are numbered from 1. */
export const pageCostRows = (costs: Costs) =>
  Object.fromEntries(
    Object.entries(costs).map(([path, of]) => [
      path,
      Object.fromEntries(
        of.flatMap(({ p50, p99, bytes }, index) => {
          const name = of.length === 1 ? "" : ` ${index + 1}`;
          return [
            [`p50 ms${name}`, p50],
            [`p99 ms${name}`, p99],
            [`kB${name}`, Number((bytes / 1000).toFixed(1))],
          ];
        }),
      ),
    ]),
  );
