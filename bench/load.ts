import autocannon from "autocannon";
import { processorTime } from "./processor.ts";

const SECONDS = 2;
const ROUNDS = 3;
const CROWD = 32;
/**
 * Turns in which each round's 32-connection load runs, so that a short disturbance of the machine affects both targets.
 */
const TURNS = 8;
/** Milliseconds between autocannon's checks whether it has finished; its default is a second. */
const OFTEN = 5;

export type Target = {
  url: string;
  headers?: Record<string, string>;
  /** The headers of each request, if they differ. */
  vary?: () => Record<string, string>;
  status: number;
};

/**
 * `alone`: requests a second at one connection. `crowd`: the same at 32. `processor`: microseconds of workerd's
 * processor time for each request at 32. `p50`, `p99`: milliseconds at a fixed rate.
 */
export type Figures = { alone: number; crowd: number; processor: number; p50: number; p99: number };

/**
 * Measures two targets in turns, so that other load on the machine affects both, and takes the medians of the rounds.
 * The ratios are measured at 32 connections: requests answered by each turn, and requests for each second of processor
 * time by each round.
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

/** With the requests a second of each turn. */
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
 * The 32-connection load of each target, one turn after the other. A turn sends as many requests as one connection gets
 * answered in its share of the seconds. It is not stopped by time: the requests in flight would count for the next
 * target.
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

/** Pairs of turns, and requests of a turn, for the comparison of two targets that hardly differ. */
const PAIRS = 16;
const WEIGHED = 320;

/**
 * Microseconds of processor time a request for two targets: in each pair of turns both get the same number of requests,
 * in alternating order. The difference is the median of the pairs, which ignores the few that other load disturbs.
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

/** Requests each of these addresses once, at a fixed rate. */
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
