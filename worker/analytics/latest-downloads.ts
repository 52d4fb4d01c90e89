import { sql } from "drizzle-orm";
import type { LatestDownloads } from "#worker/analytics/contract.ts";
import { downloadTotals } from "#worker/analytics/table.ts";

/**
 * SQL: the last three days with downloads of the show, as JSON. After a change of the time zone one may be tomorrow.
 */
export const latestDownloads = sql<string>`(select json_group_array(json_array(start, downloads)) from (
  select start, downloads from ${downloadTotals} where facet = 'show' and span = 1 order by start desc limit 3))`;

/** Downloads of yesterday and today; null before the first download. Yesterday is null if counting began today. */
export function latestDownloadsOf(json: string, today: number): LatestDownloads | null {
  const days = new Map(JSON.parse(json) as [day: number, downloads: number][]);
  if (days.size === 0) return null;
  const isBegun = Math.min(...days.keys()) < today;
  return { yesterday: days.get(today - 1) ?? (isBegun ? 0 : null), today: days.get(today) ?? 0 };
}
