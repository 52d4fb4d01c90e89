import Papa from "papaparse";
import { requireCapability } from "#worker/access/capabilities.ts";
import { ExportQuery } from "#worker/analytics/contract.ts";
import { isoDay } from "#worker/analytics/days.ts";
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
import { parseInput } from "#worker/platform/input.ts";

/** Rows of contents; the ones with the most views. */
const MAX_CONTENT = 5000;

/**
 * A period as CSV, UTF-8 with its mark: a row for each day, or for each content.
 * @throws `unauthenticated`, `forbidden`; `invalid`
 */
export async function exportAnalytics(ctx: Context, query: ExportQuery) {
  requireCapability("analytics", ctx);
  const { of = "days", ...asked } = parseInput(ExportQuery, query);
  const { period } = daysOf(asked, ctx.now);
  const rows = of === "days" ? await daysAsCells(ctx, period) : await contentAsCells(ctx, period);
  // What a spreadsheet would take for a formula begins with an apostrophe.
  return `\ufeff${Papa.unparse(rows, { escapeFormulae: true })}\r\n`;
}

async function daysAsCells(ctx: Context, { from, to }: Days) {
  const [site, show] = await ctx.db.batch([
    selectSiteDays(ctx, { from, to }),
    selectShowDays(ctx, { from, to }),
  ]);
  const seen = new Map(site.map((row) => [row.day, row]));
  const heard = new Map(show.map((row) => [row.day, row.downloads]));
  const header = ["day", "views", "visitors", "reading_seconds", "engagement_percent", "downloads"];
  const rows = Array.from({ length: to - from + 1 }, (_, at) => {
    const row = seen.get(from + at);
    const shown = row
      ? [row.views, row.visitors, readingSecondsOf(row), engagementOf(row)]
      : [0, 0, null, null];
    return [isoDay(from + at), ...shown, heard.get(from + at) ?? 0];
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
