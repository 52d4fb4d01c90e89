import { env } from "cloudflare:workers";
import { beforeEach, expect, it } from "vitest";
import { dayOf, isoDay } from "#worker/analytics/days.ts";
import { readAnalytics } from "#worker/analytics/queries.ts";
import { createContext } from "#worker/platform/context.ts";
import { DAY, fillSoFar } from "./support/analytics.ts";
import { someOf } from "./support/sweeps.ts";

/** The first contents and episodes of a period, which are found without adding up their days (`worker/analytics/ranking.ts`). */

const NOW = new Date("2026-11-24T12:00:00Z");
const LAST = dayOf(NOW);
const FIRST = LAST - 209;

beforeEach(() =>
  env.DB.batch(
    ["analytics_totals", "download_totals"].map((table) => env.DB.prepare(`delete from ${table}`)),
  ),
);

/** Views of each content and downloads of each episode on each day; `amount` is SQL over the number `i` and the `day`. */
async function store(contents: number, episodes: number, amount: string) {
  const counted = (count: number) =>
    `with recursive n(i) as (select 1 union all select i + 1 from n where i < ${count}),
      d(day) as (select ${FIRST} union all select day + 1 from d where day < ${LAST}),
      s(span) as (values (0), (1), (5), (30)),
      counted as (select i, span, iif(span = 0, 0, day - day % span) as start, sum(${amount}) as amount
        from n, d, s group by 1, 2, 3)`;
  await env.DB.batch(
    [
      `insert into analytics_totals ${counted(contents)}
        select span, start, iif(i % 2, 'article', 'episode'), i, amount, 0, 0, 0, 0, 0, 0 from counted where amount > 0`,
      `insert into download_totals ${counted(episodes)}
        select 'episode', span, start, i, '', amount, 0 from counted where amount > 0`,
    ].map((statement) => env.DB.prepare(statement)),
  );
  await fillSoFar();
}

const amountsOf = async (table: string, amount: string, [from, to]: [number, number], limit: number) => {
  const { results } = await env.DB.prepare(
    `select sum(${amount}) as amount from ${table} where span = 1 and start between ? and ?
    group by ${table === "download_totals" ? "episode_id" : "kind, content"} order by 1 desc limit ?`,
  )
    .bind(from, to, limit)
    .all<{ amount: number }>();
  return results.map((row) => row.amount);
};

async function read(days: number, ago: number) {
  const ctx = createContext(env, {
    actor: { kind: "job", name: "test" },
    now: new Date(NOW.getTime() - ago * DAY),
  });
  const period: [number, number] = [LAST - ago - days + 1, LAST - ago];
  const report = await readAnalytics(ctx, { from: isoDay(period[0]), to: isoDay(period[1]) });
  return { report, period, rowsRead: ctx.d1.rowsRead };
}

it.each([
  ["few have most", "3000 / i + (i * 31 + day * 7) % 3"],
  ["all have nearly the same", "50 + (i * 7919 + day * 104729 + i * day * 31) % 41"],
  ["each has its time", `max(0, 40 - abs(day - ${FIRST} - i * 3) * 2)`],
  ["most have nothing", `iif(i % 9 = 0 and day % 30 = 0, i % 2, 0)`],
])("has the first of each period if %s", async (_shape, amount) => {
  await store(80, 70, amount);
  for (const [days, ago] of [
    [90, 0],
    [90, 13],
    [30, 5],
    [7, 29],
    [200, 3],
    [365, 0],
  ] as const) {
    const { report, period } = await read(days, ago);
    expect(report.content.map(({ views }) => views)).toEqual(
      await amountsOf("analytics_totals", "views", period, 10),
    );
    expect(report.downloads.episodes.map(({ downloads }) => downloads)).toEqual(
      await amountsOf("download_totals", "downloads", period, 20),
    );
  }
});

const large = [
  ["all have nearly the same", "50 + (i * 7919 + day * 104729 + i * day * 31) % 41"],
  ["few have most", "9000 / i + (i * 31 + day * 7) % 3"],
];

it.each(someOf(large, 1))("reads two rows of each content and episode if %s", async (_shape, amount) => {
  await store(1320, 300, amount);
  for (const ago of [0, 7, 15, 22]) {
    const { rowsRead, report, period } = await read(90, ago);
    expect(rowsRead).toBeLessThan(7500);
    expect(report.content.map(({ views }) => views)).toEqual(
      await amountsOf("analytics_totals", "views", period, 10),
    );
  }
});
