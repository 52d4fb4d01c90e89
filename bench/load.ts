import autocannon from "autocannon";
import { processorTime } from "./processor.ts";

const SECONDS = 2;
const ROUNDS = 3;
const CROWD = 32;
/** Of a round's crowds: what the machine does for a part of a second should fall on both. */
const TURNS = 8;
/** Milliseconds between autocannon's checks whether it has finished; its default is a second. */
const OFTEN = 5;

export type Target = {
  url: string;
  headers?: Record<string, string>;
  /** The headers of each request, where they are not the same for all. */
  vary?: () => Record<string, string>;
  status: number;
};

/**
 * Requests a second at one connection and at 32 (a crowd), and microseconds of workerd's processor that each of the
 * latter took; milliseconds while requests come in at a pace.
 */
export type Figures = { alone: number; crowd: number; processor: number; p50: number; p99: number };

/**
 * Two targets in turns, so that whatever else the machine does falls on both; the medians of the rounds. The ratios are
 * taken at 32 connections: how many are answered, turn by turn, and how many a second of the processor answers, round by
 * round.
 */
export async function compare(ours: Target, theirs: Target, pace: number) {
  const rounds = [];
  for (let round = 0; round < ROUNDS; round++) {
    const [theirFigures, ourFigures] = await takeTurns([theirs, ours], pace);
    rounds.push({ theirs: theirFigures!, ours: ourFigures! });
  }
  return {
    ours: medianOf(rounds.map((round) => round.ours)),
    theirs: medianOf(rounds.map((round) => round.theirs)),
    ratio: median(
      rounds.flatMap((round) => round.ours.turns.map((crowd, turn) => crowd / round.theirs.turns[turn]!)),
    ),
    byProcessor: median(rounds.map((round) => round.theirs.processor / round.ours.processor)),
  };
}

export async function measure(target: Target, pace: number): Promise<Figures> {
  const [round] = await takeTurns([target], pace);
  return medianOf([round!]);
}

/** And how many requests a second each turn answered. */
type Round = Figures & { turns: number[] };

async function takeTurns(targets: Target[], pace: number): Promise<Round[]> {
  const quiet = [];
  for (const target of targets) quiet.push({ target, ...(await measureQuiet(target, pace)) });
  const crowds = await measureCrowds(quiet);
  return quiet.map(({ alone, p50, p99 }, index) => ({ alone, ...crowds[index]!, p50, p99 }));
}

async function measureQuiet(target: Target, pace: number) {
  const alone = await load(target, { connections: 1, duration: SECONDS });
  const { latency } = await load(target, { connections: 8, duration: SECONDS, overallRate: pace });
  return { alone: alone.requests.average, p50: latency.p50, p99: latency.p99 };
}

/**
 * Each target's crowd, a turn of one after a turn of the other. A turn is as many requests as one connection gets
 * answered in its share of the seconds, and is not cut off by the clock: work begun would count for whoever is next.
 */
async function measureCrowds(targets: { target: Target; alone: number }[]) {
  const sums = targets.map(({ target, alone }) => ({
    target,
    amount: CROWD * Math.ceil((alone * SECONDS) / TURNS / CROWD),
    requests: 0,
    seconds: 0,
    processor: 0,
    turns: [] as number[],
  }));
  for (let turn = 0; turn < TURNS; turn++) {
    for (const sum of sums) {
      const before = processorTime();
      const { requests, duration } = await load(sum.target, {
        connections: CROWD,
        amount: sum.amount,
        sampleInt: OFTEN,
      });
      sum.processor += processorTime() - before;
      sum.requests += requests.total;
      sum.seconds += duration;
      sum.turns.push(requests.total / duration);
    }
  }
  return sums.map(({ requests, seconds, processor, turns }) => ({
    turns,
    crowd: requests / seconds,
    processor: Math.round((processor * 1000) / requests),
  }));
}

/** Pairs of turns, and requests of a turn, by which two targets are weighed that hardly differ. */
const PAIRS = 16;
const WEIGHED = 320;

/**
 * Microseconds of processor time a request, of two targets in turns: as many requests of one as of the other, who goes
 * first in turns, too. How much more one takes is the median of the pairs: what else the machine does falls on few of them.
 */
export async function weigh(ours: Target, theirs: Target) {
  const pairs: { ours: number; theirs: number }[] = [];
  for (let pair = -1; pair < PAIRS; pair++) {
    const isFirst = pair % 2 === 0;
    const first = await processorOf(isFirst ? ours : theirs);
    const second = await processorOf(isFirst ? theirs : ours);
    // The first pair warms both up.
    if (pair >= 0) pairs.push(isFirst ? { ours: first, theirs: second } : { ours: second, theirs: first });
  }
  return {
    ours: median(pairs.map((pair) => pair.ours)),
    theirs: median(pairs.map((pair) => pair.theirs)),
    more: median(pairs.map((pair) => pair.ours / pair.theirs)) - 1,
  };
}

async function processorOf(target: Target) {
  const before = processorTime();
  await load(target, { connections: CROWD, amount: WEIGHED, sampleInt: OFTEN });
  return ((processorTime() - before) * 1000) / WEIGHED;
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

async function load({ url, headers, vary, status }: Target, options: Omit<autocannon.Options, "url">) {
  const requests = vary && [{ setupRequest: (request: object) => ({ ...request, headers: vary() }) }];
  const result = await autocannon({ url, headers, ...(requests && { requests }), ...options });
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
