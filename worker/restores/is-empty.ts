import { sql } from "drizzle-orm";
import { readTables } from "#worker/exports/tables.ts";
import type { Context } from "#worker/platform/context.ts";
import { AppError } from "#worker/platform/errors.ts";

/** Tables that a site writes before anyone has added anything. A restore replaces what is in them. */
export const WRITTEN_BY_SETUP = [
  "analytics_counts",
  "analytics_rejections",
  "analytics_sources",
  "analytics_totals",
  "analytics_zones",
  "desk_ticks",
  "download_totals",
  "downloads",
  "listeners",
  "log_chain",
  "mail_events",
  "sending_days",
  "settings",
  "shows",
  "signing_keys",
];

/**
 * The account of the owner, and the log of how it was set up, stay. What was erased is applied to the restored site if it is
 * the same one (`erased-since.ts`).
 */
const KEPT = ["users", "security_events", "erased"];

/** Why this site cannot be restored into; null if it can. */
export async function whyNotEmpty(ctx: Context): Promise<string | null> {
  const tables = (await readTables(ctx))
    .map(({ name }) => name)
    .filter((name) => !WRITTEN_BY_SETUP.includes(name) && !KEPT.includes(name));
  // What is in the bin has reserved its addresses.
  const binned = sql`(select 'items in the bin' from bin limit 1)`;
  const exists = tables.map((name) => sql.raw(`(select '${name}' from "${name}" limit 1)`));
  const users = sql`(select iif(count(*) > 1, 'users', null) from users)`;
  const [found = []] = await ctx.db.values<(string | null)[]>(
    sql`select ${sql.join([users, binned, ...exists], sql`, `)}`,
  );
  const full = found.filter((name) => name !== null);
  if (full.length === 0) return null;
  const named = full.slice(0, 3).map((name) => name.replaceAll("_", " "));
  const more = full.length > 3 ? ` and ${full.length - 3} more` : "";
  return `This site isn’t empty: it has ${named.join(", ")}${more}. Restore into a new site, with nothing but your account.`;
}

/** @throws `conflict` */
export async function requireEmpty(ctx: Context) {
  const reason = await whyNotEmpty(ctx);
  if (reason !== null) throw new AppError("conflict", reason);
}
