import { sql } from "drizzle-orm";
import type { Context } from "#worker/platform/context.ts";
import { enforceLimits, perAddress } from "#worker/platform/http/rate.ts";
import { requireListener } from "#worker/playlists/listener.ts";
import { listeners } from "#worker/playlists/table.ts";

/** Listeners without data before, from one address, which may be a whole mobile network's. */
const NEW_LISTENERS_AN_HOUR = 300;

/** SQL: the listener has data. */
export const isKnown = (ctx: Context) =>
  sql`exists (select 1 from ${listeners} where ${listeners.id} = ${requireListener(ctx)})`;

/**
 * Counts a listener without data, exactly, because any visitor can make up ids.
 * @throws `too_many`
 */
export const countNewListener = (ctx: Context) =>
  enforceLimits(ctx, perAddress(ctx, "listeners", NEW_LISTENERS_AN_HOUR));

/**
 * The same, for one that may have data.
 * @throws `too_many`
 */
export async function countIfNew(ctx: Context) {
  const [known] = await ctx.db.all(sql`select 1 where ${isKnown(ctx)}`);
  if (!known) await countNewListener(ctx);
}
