import { countedPages } from "#worker/analytics/contract.ts";
import { dayOf, DAY_MS, SPAN_DAYS, spansOf } from "#worker/analytics/days.ts";
import { readAnalytics } from "#worker/analytics/queries.ts";
import { createContext } from "#worker/platform/context.ts";
import { WITHOUT_FIGURES } from "../test/support/figures.ts";
import { randomFrom } from "../demo/random.ts";
import { median } from "./load.ts";

const DAYS = 90;
const EVENTS = 5_000_000;
/** What a reader sends of one page: the events of a visit. */
const VISIT = [
  ["page_view", "", 0, 0],
  ["scroll_depth", "50", 0, 1],
  ["time_on_page", "30", 0, 1],
  ["reading_time", "", 40, 0],
  ["engagement", "share", 0, 1],
] as const;
const VISITS_OF_DAY = Math.ceil(EVENTS / DAYS / VISIT.length);
/** Of each day. */
const HOSTS = 60;
const FACETS = { app: 60, device: 7, country: 40 };
const TRIES = 5;

type Content = { kind: "article" | "episode" | "page"; id: string };

/**
 * The panel for 90 days, with five million events in the table. The consumer would take hours to sum them, so one plain
 * statement a day groups what it has just inserted; the figures are compared with a count over the events. The 90 days
 * end where they consist of the most spans.
 */
export async function measurePanel(env: Pick<Env, "DB">) {
  const last = worstDay(dayOf(Date.now()));
  const first = last - DAYS + 1;
  const contents = await readContents(env.DB);
  const random = randomFrom(1);
  // Those of the demo.
  await env.DB.batch(WITHOUT_FIGURES.map((statement) => env.DB.prepare(statement)));
  const mark = await lastEvent(env.DB);
  for (let day = first; day <= last; day++) await addDay(env.DB, day, contents, random);
  await addDownloads(env.DB, { first, last }, contents);
  await env.DB.batch(SO_FAR.map((statement) => env.DB.prepare(statement)));
  const report = await measureReport(env, last);
  const plain = await countPlainly(env.DB, mark);
  const actual = { views: report.views, top: report.top };
  if (JSON.stringify(actual) !== JSON.stringify({ views: plain.views, top: plain.top }))
    throw new Error(`The panel shows ${JSON.stringify(actual)}, the events ${JSON.stringify(plain)}.`);
  const { statements, rowsRead, ms } = report;
  return {
    events: plain.events,
    contents: contents.length,
    statements,
    rowsRead,
    ms,
    plain: { rowsRead: plain.rowsRead, ms: plain.ms },
  };
}

/** The day from which a period reaches back over the most spans. */
function worstDay(today: number) {
  const longest = Math.max(...SPAN_DAYS);
  const days = Array.from({ length: longest }, (_, at) => today + at);
  const rowsOf = (day: number) =>
    spansOf(day - DAYS + 1, day).reduce((sum, { span, from, to }) => sum + (to - from) / span + 1, 0);
  return days.toSorted((a, b) => rowsOf(b) - rowsOf(a))[0]!;
}

async function readContents(DB: D1Database): Promise<Content[]> {
  const { results } = await DB.prepare(
    `select 'article' as kind, cast(id as text) as id from articles where status = 'published'
    union all select 'episode', cast(id as text) from episodes where status = 'published'`,
  ).all<Content>();
  return [...countedPages.map((id) => ({ kind: "page" as const, id })), ...results];
}

const lastEvent = async (DB: D1Database) =>
  (await DB.prepare("select coalesce(max(id), 0) as id from analytics_events").first<number>("id"))!;

/** Few contents have most of the visits, as on any site; each visit is of a visitor of its own. */
async function addDay(DB: D1Database, day: number, contents: Content[], random: () => number) {
  const visits = Array.from({ length: VISITS_OF_DAY }, () => {
    const { kind, id } = contents[Math.floor(contents.length ** random()) - 1] ?? contents[0]!;
    return [kind, id, `host-${Math.floor(random() * HOSTS)}.example`];
  });
  const mark = await lastEvent(DB);
  const given = `json_each(?1) as visit cross join json_each(?2) as event`;
  await DB.batch([
    DB.prepare(
      `insert into analytics_events (key, day, network, visitor, kind, content, type, detail, seconds, is_attentive, sent_at, source)
      select printf('%d-%d-%016d', ?3, event.key, visit.key), ?3, printf('n-%d-%015d', ?3, visit.key),
        printf('v-%d-%015d', ?3, visit.key), visit.value ->> 0, visit.value ->> 1, event.value ->> 0,
        event.value ->> 1, event.value ->> 2, event.value ->> 3, ?3 * ${DAY_MS} + visit.key,
        iif(event.key = 0, visit.value ->> 2, null) from ${given}`,
    ).bind(JSON.stringify(visits), JSON.stringify(VISIT), day),
    ...ROLL_UPS.map((statement) => DB.prepare(statement).bind(mark)),
  ]);
}

const SPANS = `(${[0, ...SPAN_DAYS].map((span) => `select ${span} as span`).join(" union all ")}) as spans`;
const START = "iif(span = 0, 0, day - day % span)";
const FIGURES = `count(*) filter (where type = 'page_view') as views, count(distinct visitor) as visitors,
  count(distinct visitor) as visits, count(distinct iif(is_attentive, visitor, null)) as engaged,
  count(*) filter (where type = 'reading_time') as readings, sum(iif(type = 'reading_time', seconds, 0)) as seconds`;
const OF_DAY = "from analytics_events where id > ?1";
const NAME = "type || iif(detail = '', '', ':' || detail)";

const ROLL_UPS = [
  `insert into analytics_totals select span, ${START}, kind, content, views, visitors, visits, engaged, readings, seconds, 0
    from (
      select day, kind, content, ${FIGURES} ${OF_DAY} group by day, kind, content
      union all select day, 'site', '', ${FIGURES} ${OF_DAY} group by day
    ) cross join ${SPANS} where true
    on conflict do update set views = views + excluded.views, visitors = visitors + excluded.visitors,
      visits = visits + excluded.visits, engaged = engaged + excluded.engaged,
      readings = readings + excluded.readings, reading_seconds = reading_seconds + excluded.reading_seconds`,
  `insert into analytics_counts select span, ${START}, kind, content, name, sum(amount)
    from (
      select day, kind, content, ${NAME} as name, count(*) as amount ${OF_DAY}
        and type not in ('page_view', 'reading_time') group by day, kind, content, name
      union all select day, 'site', '', ${NAME} as name, count(*) ${OF_DAY}
        and type not in ('page_view', 'reading_time') group by day, name
    ) cross join ${SPANS} where true group by 1, 2, 3, 4, 5
    on conflict do update set count = count + excluded.count`,
  `insert into analytics_sources select span, ${START}, source, count(*) ${OF_DAY.replace("where", `cross join ${SPANS} where source is not null and`)}
    group by 1, 2, 3 on conflict do update set views = views + excluded.views`,
];

/** For each day, the running totals up to its end. */
const SO_FAR = [
  ["analytics_totals", "views", "kind, content", "span = 1"],
  ["download_totals", "downloads", "episode_id", "span = 1 and facet = 'episode'"],
].map(
  ([table, amount, of, days]) => `update ${table} set ${amount}_so_far = so_far from (
    select rowid as place, sum(${amount}) over (partition by ${of} order by start) as so_far
    from ${table} where ${days}
  ) as filled where ${table}.rowid = filled.place`,
);

/** Each episode, app, device and country on each day. */
async function addDownloads(DB: D1Database, days: { first: number; last: number }, contents: Content[]) {
  const episodes = contents.flatMap(({ kind, id }) =>
    kind === "episode" ? [["episode", Number(id), ""]] : [],
  );
  const facets = Object.entries(FACETS).flatMap(([facet, count]) =>
    Array.from({ length: count }, (_, at) => [facet, 0, `${facet}-${at}`]),
  );
  await DB.prepare(
    `insert into download_totals
    with recursive days(day) as (select ?2 union all select day + 1 from days where day < ?3)
    select value ->> 0, span, ${START}, value ->> 1, value ->> 2, sum(9), 0
    from json_each(?1) cross join days cross join ${SPANS} group by 1, 2, 3, 4, 5`,
  )
    .bind(JSON.stringify([["show", 0, ""], ...episodes, ...facets]), days.first, days.last)
    .run();
}

async function measureReport(env: Pick<Env, "DB">, day: number) {
  const times: number[] = [];
  const tries = [];
  for (let n = 0; n < TRIES; n++) {
    const now = new Date(day * DAY_MS);
    const ctx = createContext(env as Env, { actor: { kind: "job", name: "bench" }, now });
    const start = performance.now();
    const report = await readAnalytics(ctx, { days: String(DAYS) as "90" });
    times.push(performance.now() - start);
    tries.push({ report, usage: ctx.d1 });
  }
  const [{ report, usage }] = tries as [(typeof tries)[number]];
  return {
    views: report.cards.views.value,
    top: report.content.map(({ contentType, contentId, views }) => [contentType, contentId, views]),
    statements: usage.statements,
    rowsRead: usage.rowsRead,
    ms: median(times),
  };
}

/** The same figures without roll-ups. */
async function countPlainly(DB: D1Database, mark: number) {
  const all = await DB.prepare(
    "select count(*) as events, count(*) filter (where type = 'page_view') as views from analytics_events where id > ?",
  )
    .bind(mark)
    .all<{ events: number; views: number }>();
  const top = await DB.prepare(
    `select kind, content, count(*) as views from analytics_events where type = 'page_view' and id > ?
    group by kind, content order by views desc, kind, content limit 10`,
  )
    .bind(mark)
    .all<{ kind: string; content: string; views: number }>();
  return {
    ...all.results[0]!,
    top: top.results.map(({ kind, content, views }) => [kind, content, views]),
    rowsRead: all.meta.rows_read + top.meta.rows_read,
    ms: all.meta.duration + top.meta.duration,
  };
}
