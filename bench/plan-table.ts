import { included } from "../worker/platform/plan-limits.ts";

/** Of one action, with what its queue messages cause. */
export type Costs = {
  rowsRead: number;
  rowsWritten: number;
  /** To D1. */
  roundTrips: number;
  /** Of the queues. */
  messages: number;
  kvWrites: number;
};

export type Measured = Record<
  "rendered" | "cached" | "beacon" | "tick" | "night" | "signUp" | "letter",
  Costs
>;

const TICKS = 24 * 60;
/** Writing, reading and deleting. */
const OPERATIONS = 3;
/** What a visitor does: pages, pictures on each, and other requests such as for audio and feeds. */
const VISIT = { pages: 2, pictures: 3, others: 0.5 };
/** The share of pages that are rendered, not cached. */
const RENDERED = 0.1;
/** The share of subscribers who are new on a day. */
const NEW = 0.01;

export const sizes = [100, 1000, 10_000];

type Day = Record<"requests" | "rowsRead" | "rowsWritten" | "queueOperations" | "kvWrites", number>;

const dayOf = (parts: [times: number, costs: Costs, requests: number][]): Day => {
  const sum = (value: (costs: Costs) => number) =>
    parts.reduce((total, [times, costs]) => total + times * value(costs), 0);
  return {
    // A message is handed to the Worker, which counts as a request.
    requests: parts.reduce((total, [times, { messages }, own]) => total + times * (own + messages), 0),
    rowsRead: sum(({ rowsRead }) => rowsRead),
    rowsWritten: sum(({ rowsWritten }) => rowsWritten),
    queueOperations: OPERATIONS * sum(({ messages }) => messages),
    kvWrites: sum(({ kvWrites }) => kvWrites),
  };
};

const base = ({ tick, night }: Measured) =>
  [
    [TICKS, tick, 1],
    [1, night, 1],
  ] as [number, Costs, number][];

/** A day with so many visitors. */
export const dayWithVisitors = (measured: Measured, visitors: number) =>
  dayOf([
    ...base(measured),
    [visitors * VISIT.pages * RENDERED, measured.rendered, 1],
    [visitors * VISIT.pages, measured.cached, 1 - RENDERED],
    [visitors * VISIT.pages, measured.beacon, 1],
    [visitors * VISIT.pages * (VISIT.pictures + VISIT.others), NOTHING, 1],
  ]);

const NOTHING: Costs = { rowsRead: 0, rowsWritten: 0, roundTrips: 0, messages: 0, kvWrites: 0 };

/** A day on which a letter goes to so many subscribers, of whom some are new. */
export const dayWithLetter = (measured: Measured, subscribers: number) =>
  dayOf([...base(measured), [subscribers, measured.letter, 0], [subscribers * NEW, measured.signUp, 2]]);

const names: Record<keyof Day, string> = {
  requests: "requests",
  rowsRead: "rows read",
  rowsWritten: "rows written",
  queueOperations: "queue operations",
  kvWrites: "KV writes",
};

const limits = Object.keys(names) as (keyof Day)[];

/** Which amount of the free plan is used up first, and its share on this day. */
export function firstLimit(day: Day) {
  const shares = limits.map((name) => ({ name, share: day[name] / included[name].free.amount }));
  return shares.toSorted((a, b) => b.share - a.share)[0]!;
}

const days: [name: string, of: (measured: Measured, size: number) => Day][] = [
  ["visitors", dayWithVisitors],
  ["subscribers, and a letter to them", dayWithLetter],
];

/** How many of them use up the first amount, to two digits. */
function most(measured: Measured, day: (measured: Measured, size: number) => Day) {
  let [low, high] = [1, 1e7];
  while (high - low > 1) {
    const middle = Math.floor((low + high) / 2);
    if (firstLimit(day(measured, middle)).share >= 1) high = middle;
    else low = middle;
  }
  return Number(low.toPrecision(2));
}

const percent = (share: number) => `${Math.max(1, Math.round(share * 100))} %`;
const grouped = (number: number) => Math.round(number).toLocaleString("en-AU");

/** For docs/deploy.md: each amount on such a day, and which one is used up first. */
export function planTable(measured: Measured) {
  const rows = days.flatMap(([name, of]) =>
    sizes.map((size) => {
      const day = of(measured, size);
      const { name: first, share } = firstLimit(day);
      const end =
        share >= 1 ? `**${names[first]}**: ${percent(share)}` : `${names[first]}: ${percent(share)}`;
      return [`${grouped(size)} ${name}`, ...limits.map((limit) => grouped(day[limit])), end];
    }),
  );
  const amounts = ["free plan", ...limits.map((limit) => grouped(included[limit].free.amount)), ""];
  const heads = ["a day", ...limits.map((limit) => names[limit]), "used up first"];
  const ends = days.map(
    ([name, of]) =>
      `${grouped(most(measured, of))} ${name.split(",")[0]} (${names[firstLimit(of(measured, most(measured, of))).name]})`,
  );
  return `${tableOf([heads, amounts, ...rows])}

The free plan is enough for about ${ends.join(", or ")}.`;
}

/** As oxfmt formats it. */
function tableOf(lines: string[][]) {
  const widths = lines[0]!.map((_, column) => Math.max(3, ...lines.map((line) => line[column]!.length)));
  const text = (cells: string[]) =>
    `| ${cells.map((cell, column) => cell.padEnd(widths[column]!)).join(" | ")} |`;
  const [head, ...rows] = lines;
  return [text(head!), text(widths.map((width) => "-".repeat(width))), ...rows.map(text)].join("\n");
}
