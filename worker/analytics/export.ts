import { requireCapability } from "#worker/access/capabilities.ts";
import { ExportQuery } from "#worker/analytics/contract.ts";
import { dayAt, isoDay } from "#worker/analytics/days.ts";
import { daysOf, type Days } from "#worker/analytics/period.ts";
import {
  engagementOf,
  labelOf,
  readingSecondsOf,
  selectContent,
  selectShowDays,
  selectSiteDays,
} from "#worker/analytics/queries.ts";
import type { Context } from "#worker/platform/context.ts";
import { CSV_MARK, csvLines } from "#worker/platform/http/csv.ts";
import { parseInput } from "#worker/platform/data/input.ts";
import { readSite } from "#worker/settings/queries.ts";

/** Maximum rows of contents, those with the most views. */
const MAX_CONTENT = 5000;

/**
 * A period as CSV, UTF-8 with a byte order mark: a row per day or per content.
 * @throws `unauthenticated`, `forbidden`; `invalid`
 */
export async function exportAnalytics(ctx: Context, query: ExportQuery) {
  requireCapability("analytics", ctx);
  const { of = "days", ...asked } = parseInput(ExportQuery, query);
  const { timeZone } = await readSite(ctx);
  const { period, before } = daysOf(asked, dayAt(ctx.now, timeZone));
  const rows = of === "days" ? await daysAsCells(ctx, period, before) : await contentAsCells(ctx, period);
  return CSV_MARK + csvLines(rows.map((cells) => cells.map((cell) => String(cell ?? ""))));
}

/** Days before counting began are empty, as n/a in the panel; counting may have begun in the previous period. */
async function daysAsCells(ctx: Context, { from, to }: Days, before: Days) {
  const both = { from: before.from, to };
  const [site, show] = await ctx.db.batch([selectSiteDays(ctx, both), selectShowDays(ctx, both)]);
  const seen = new Map(site.map((row) => [row.day, row]));
  const heard = new Map(show.map((row) => [row.day, row.downloads]));
  const zeroIn = (days: Map<number, unknown>) => {
    const first = Math.min(...days.keys());
    return (day: number) => (day < first ? null : 0);
  };
  const [unseen, unheard] = [zeroIn(seen), zeroIn(heard)];
  const header = ["day", "views", "visitors", "reading_seconds", "engagement_percent", "downloads"];
  const rows = Array.from({ length: to - from + 1 }, (_, at) => {
    const day = from + at;
    const row = seen.get(day);
    const shown = row
      ? [row.views, row.visitors, readingSecondsOf(row), engagementOf(row)]
      : [unseen(day), unseen(day), null, null];
    return [isoDay(day), ...shown, heard.get(day) ?? unheard(day)];
  });
  return [header, ...rows];
}

async function contentAsCells(ctx: Context, period: Days) {
  const rows = await selectContent(ctx, period, MAX_CONTENT);
  const header = [
    "type",
    "id",
    "title",
    "path",
    "views",
    "visitors",
    "reading_seconds",
    "engagement_percent",
  ];
  const cells = rows.map((row) => {
    const { title, path } = labelOf(row);
    return [
      row.kind,
      row.content,
      title,
      path,
      row.views,
      row.visitors,
      readingSecondsOf(row),
      engagementOf(row),
    ];
  });
  return [header, ...cells];
}
