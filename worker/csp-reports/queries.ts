import { desc, max, sum } from "drizzle-orm";
import { requireCapability } from "#worker/access/capabilities.ts";
import type { CspReport } from "#worker/csp-reports/contract.ts";
import { cspReports } from "#worker/csp-reports/table.ts";
import type { Context } from "#worker/platform/context.ts";

const LIST_ROWS = 20;

/**
 * What the content policy blocked in the last days, the most frequent first.
 * @throws `unauthenticated`, `forbidden`
 */
export async function listCspReports(ctx: Context): Promise<CspReport[]> {
  requireCapability("settings", ctx);
  const count = sum(cspReports.count).mapWith(Number);
  const lastDay = max(cspReports.day);
  const rows = await ctx.db
    .select({ directive: cspReports.directive, host: cspReports.host, count, lastDay })
    .from(cspReports)
    .groupBy(cspReports.directive, cspReports.host)
    .orderBy(desc(count), cspReports.directive, cspReports.host)
    .limit(LIST_ROWS);
  return rows.map((row) => ({ ...row, lastDay: row.lastDay! }));
}
