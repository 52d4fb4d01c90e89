import { lt, and, eq, or, sql } from "drizzle-orm";
import { dayAt, DAY_MS, dayOf, firstQuarterOf, QUARTER_MS } from "#worker/analytics/days.ts";
import { analyticsSalts as salts } from "#worker/analytics/table.ts";
import type { Client, Context } from "#worker/platform/context.ts";
import { randomToken, sha256 } from "#worker/platform/data/random.ts";
import { siteDefaults, type Site } from "#worker/settings/contract.ts";
import { analyticsSetting, timeZoneSetting } from "#worker/settings/queries.ts";

/** What counting needs: the day's salts, and the owner's additions to the lists. */
export type Rules = Record<"events" | "downloads", Salt> & { own: Site["analytics"] };
type Salt = { day: number; salt: string };

/** Milliseconds after which the rules are read again, for changes by other isolates or the owner. */
const FRESH_FOR = 5 * 60_000;

/**
 * Cached data, which requests may share; until it is set each request reads for itself. Valid while both days stay the
 * same.
 */
let known: { rules: Rules; readAt: number; since: number; until: number } | undefined;

/** Reads D1 once in five minutes. The first read of a day creates its salt and deletes those of earlier days. */
export async function readRules(ctx: Context): Promise<Rules> {
  const now = ctx.now.getTime();
  if (known && Math.abs(now - known.readAt) < FRESH_FOR && now >= known.since && now < known.until)
    return known.rules;
  const [first] = await selectRules(ctx);
  const { timeZone } = first!;
  const days = { events: dayAt(ctx.now, timeZone), downloads: dayOf(ctx.now) };
  const row = saltsOf(first!, days) ? first! : await makeSalts(ctx, days);
  const { events, downloads } = saltsOf(row, days)!;
  const own = row.setting === null ? siteDefaults.analytics : (JSON.parse(row.setting) as Site["analytics"]);
  known = {
    rules: {
      events: { day: days.events, salt: events },
      downloads: { day: days.downloads, salt: downloads },
      own,
    },
    readAt: now,
    since: Math.max(days.downloads * DAY_MS, firstQuarterOf(days.events, timeZone) * QUARTER_MS),
    until: Math.min((days.downloads + 1) * DAY_MS, firstQuarterOf(days.events + 1, timeZone) * QUARTER_MS),
  };
  return known.rules;
}

type Days = Record<"events" | "downloads", number>;

const selectRules = ({ db }: Context) =>
  db
    .select({
      setting: sql<string | null>`${analyticsSetting}`,
      timeZone: timeZoneSetting,
      salts: sql<string>`(select json_group_object("of" || day, salt) from ${salts})`,
    })
    .from(sql`(select 1)`);

type Row = Awaited<ReturnType<typeof selectRules>>[number];

function saltsOf(row: Row, { events, downloads }: Days) {
  const stored = JSON.parse(row.salts) as Record<string, string>;
  const [ofEvents, ofDownloads] = [stored[`events${events}`], stored[`downloads${downloads}`]];
  return ofEvents === undefined || ofDownloads === undefined
    ? null
    : { events: ofEvents, downloads: ofDownloads };
}

async function makeSalts(ctx: Context, { events, downloads }: Days): Promise<Row> {
  const [, , [row]] = await ctx.db.batch([
    deleteSalts(ctx, { events, downloads }),
    ctx.db
      .insert(salts)
      .values([
        { of: "events", day: events, salt: randomToken() },
        { of: "downloads", day: downloads, salt: randomToken() },
      ])
      .onConflictDoNothing(),
    selectRules(ctx),
  ]);
  return row!;
}

/** The salts of days that are over. */
export const deleteSalts = ({ db }: Context, { events, downloads }: Days) =>
  db
    .delete(salts)
    .where(
      or(
        and(eq(salts.of, "events"), lt(salts.day, events)),
        and(eq(salts.of, "downloads"), lt(salts.day, downloads)),
      ),
    );

/** The hashes of an address, and of an address with a user agent. */
export async function hashesOf({ salt }: Salt, { address, userAgent }: Client) {
  const [network, visitor] = await Promise.all([
    sha256(`${salt}\n${address}`),
    sha256(`${salt}\n${address}\n${userAgent}`),
  ]);
  return { network: network.slice(0, LENGTH), visitor: visitor.slice(0, LENGTH) };
}

/** Characters; 132 bits. */
export const LENGTH = 22;
