import autocannon from "autocannon";
import { processorTime } from "./processor.ts";

const SECONDS = 2;
const ROUNDS = 3;

export type Target = { url: string; headers?: Record<string, string>; status: number };

/**
 * Requests a second at one connection and at 32, and microseconds of workerd's processor that each of the latter took;
 * milliseconds while requests come in at a pace.
 */
export type Figures = { alone: number; crowd: number; processor: number; p50: number; p99: number };

/**
 * Two targets in turns, so that whatever else the machine does falls on both; the medians of the rounds. The ratios are
 * taken round by round at 32 connections: how many are answered, and how many a second of the processor answers.
 */
export async function compare(ours: Target, theirs: Target, pace: number) {
  const rounds = [];
  for (let round = 0; round < ROUNDS; round++) {
    rounds.push({ theirs: await measure(theirs, pace), ours: await measure(ours, pace) });
  }
  return {
    ours: medianOf(rounds.map((round) => round.ours)),
    theirs: medianOf(rounds.map((round) => round.theirs)),
    ratio: median(rounds.map((round) => round.ours.crowd / round.theirs.crowd)),
    byProcessor: median(rounds.map((round) => round.theirs.processor / round.ours.processor)),
  };
}

export async function measure(target: Target, pace: number): Promise<Figures> {
  const before = processorTime();
  const crowd = await load(target, { connections: 32, duration: SECONDS });
  const processor = processorTime() - before;
  const alone = await load(target, { connections: 1, duration: SECONDS });
  const paced = await load(target, { connections: 8, duration: SECONDS, overallRate: pace });
  return {
    alone: alone.requests.average,
    crowd: crowd.requests.average,
    processor: Math.round((processor * 1000) / crowd.requests.total),
    p50: paced.latency.p50,
    p99: paced.latency.p99,
  };
}

/** Each of these addresses once, at a pace. */
export async function once(origin: string, paths: string[], pace: number) {
  const next = paths.values();
  const { latency } = await load(
    { url: origin, status: 200 },
    {
      connections: 8,
      overallRate: pace,
      amount: paths.length,
      requests: [{ setupRequest: (request) => ({ ...request, path: next.next().value ?? paths[0] }) }],
    },
  );
  return { p50: latency.p50, p99: latency.p99 };
}

async function load({ url, headers, status }: Target, options: Omit<autocannon.Options, "url">) {
  const result = await autocannon({ url, headers, ...options });
  const others = Object.keys(result.statusCodeStats).filter((code) => Number(code) !== status);
  if (result.errors + result.timeouts > 0 || others.length > 0) {
    throw new Error(
      `${url}: ${result.errors} errors, ${result.timeouts} timeouts, status ${others.join(", ")}.`,
    );
  }
  return result;
}

export const median = (values: number[]) =>
  values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN;

function medianOf(rounds: Figures[]): Figures {
  const of = (key: keyof Figures) => median(rounds.map((round) => round[key]));
  return {
    alone: of("alone"),
    crowd: of("crowd"),
    processor: of("processor"),
    p50: of("p50"),
    p99: of("p99"),
  };
}
