import { lt, sql } from "drizzle-orm";
import { MOST_REPORTS_A_DAY, OTHER, REPORTS_KEPT_DAYS } from "#worker/csp-reports/contract.ts";
import { readViolations } from "#worker/csp-reports/read-report.ts";
import { cspReports } from "#worker/csp-reports/table.ts";
import type { Context } from "#worker/platform/context.ts";
import { isBurst } from "#worker/platform/http/rate.ts";

/** Different directives and hosts of a day that have a row of their own. Anyone may send a report, and must not fill the database. */
export const MOST_ROWS_A_DAY = 100;

const DAY = 86_400_000;
const dayOf = (time: number) => new Date(time).toISOString().slice(0, 10);

/**
 * Counts what a browser reports as blocked, in one statement. Beyond a day's reports, those of a new directive and host still get
 * their row, so that one sender cannot hide them. Ignores bursts, and anything that is no report.
 */
export async function recordCspReport(ctx: Context, text: string) {
  if (await isBurst(ctx, "csp-reports")) return;
  const violations = readViolations(text);
  if (violations.length === 0) return;
  const day = dayOf(ctx.now.getTime());
  const given = JSON.stringify(violations.map(({ directive, host }) => [directive, host]));
  await ctx.db.run(sql`
    insert into ${cspReports} (day, directive, host, count)
    with today as materialized (select directive, host, count from ${cspReports} where day = ${day}),
    given as (
      select value ->> 0 as directive, value ->> 1 as host, count(*) as count from json_each(${given}) group by 1, 2
    ),
    compared as (
      select *, (directive, host) in (select directive, host from today) as is_known from given
    ),
    placed as (
      select *, is_known or row_number() over (partition by is_known)
        + (select count(*) from today where directive <> ${OTHER}) <= ${MOST_ROWS_A_DAY} as has_row
      from compared
    )
    select ${day}, iif(has_row, directive, ${OTHER}), iif(has_row, host, ''), sum(count) from placed
    where (has_row and not is_known) or (select coalesce(sum(count), 0) from today) < ${MOST_REPORTS_A_DAY}
    group by 2, 3
    on conflict (day, directive, host) do update set count = count + excluded.count`);
}

export async function pruneCspReports({ db, now }: Context) {
  await db.delete(cspReports).where(lt(cspReports.day, dayOf(now.getTime() - REPORTS_KEPT_DAYS * DAY)));
}
