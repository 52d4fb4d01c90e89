import { sql } from "drizzle-orm";
import { requireCapability } from "#worker/access/capabilities.ts";
import type { Context } from "#worker/platform/context.ts";
import { included, type Metered, type Plan } from "#worker/platform/plan-limits.ts";
import { readCloudflareReport } from "#worker/system/cloudflare-report.ts";
import type { Report, System, Use } from "#worker/system/contract.ts";
import { readState } from "#worker/system/state.ts";

const DAY_MS = 86_400_000;

/**
 * How the site is, the plan, and today's use of what it includes.
 * @throws `unauthenticated`, `forbidden`
 */
export async function readSystem(ctx: Context): Promise<System> {
  requireCapability("settings", ctx);
  const { plan } = ctx.config;
  const [state, bytes, report] = await Promise.all([readState(ctx), readDatabaseSize(ctx), readReport(ctx)]);
  return {
    state,
    plan,
    report,
    database: useOf(plan, "databaseBytes", bytes),
    endsAt: new Date((Math.floor(ctx.now.getTime() / DAY_MS) + 1) * DAY_MS),
  };
}

const useOf = (plan: Plan, of: Metered, used: number): Use => {
  const { amount, per } = included[of][plan];
  return { of, used, included: amount, per };
};

/** D1 says with each answer how large the database is. */
async function readDatabaseSize({ db }: Context) {
  const { meta } = await db.run(sql`select 1`);
  return meta.size_after;
}

async function readReport(ctx: Context): Promise<Report> {
  const { cloudflare, plan } = ctx.config;
  const { account, token, url } = cloudflare;
  if (!account || !token) {
    const missing = [!account && "CLOUDFLARE_ACCOUNT_ID", !token && "CLOUDFLARE_ANALYTICS_TOKEN"];
    return { state: "unset", missing: missing.filter((name) => name !== false) };
  }
  const answer = await readCloudflareReport(ctx, { account, token, url });
  if (!answer.ok) return { state: "failed", reason: answer.reason };
  const uses = Object.entries(answer.reported).map(([of, used]) => useOf(plan, of as Metered, used));
  return { state: "reported", uses };
}
