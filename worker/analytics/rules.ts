import { eq, lt, sql } from "drizzle-orm";
import { dayOf } from "#worker/analytics/days.ts";
import { analyticsSalts } from "#worker/analytics/table.ts";
import type { Client, Context } from "#worker/platform/context.ts";
import { randomToken, sha256 } from "#worker/platform/random.ts";
import { siteDefaults, type Site } from "#worker/settings/contract.ts";
import { analyticsSetting } from "#worker/settings/queries.ts";

/** What is needed to count a request: the salt of its day, and what the owner adds to the lists. */
export type Rules = { day: number; salt: string; own: Site["analytics"] };

/** Milliseconds after which another isolate's or the owner's changes are looked for. */
const FRESH_FOR = 5 * 60_000;

/** Data, which requests may share; each reads for itself until one has. */
let known: { rules: Rules; readAt: number } | undefined;

/** Asks D1 once in five minutes. The first of a day makes its salt, and deletes those of the days before. */
export async function readRules(ctx: Context): Promise<Rules> {
  const day = dayOf(ctx.now);
  const age = Math.abs(ctx.now.getTime() - (known?.readAt ?? 0));
  if (known?.rules.day === day && age < FRESH_FOR) return known.rules;
  const [, , [row]] = await ctx.db.batch([
    ctx.db.delete(analyticsSalts).where(lt(analyticsSalts.day, day)),
    ctx.db.insert(analyticsSalts).values({ day, salt: randomToken() }).onConflictDoNothing(),
    ctx.db
      .select({ salt: analyticsSalts.salt, setting: sql<string | null>`${analyticsSetting}` })
      .from(analyticsSalts)
      .where(eq(analyticsSalts.day, day)),
  ]);
  const own =
    row!.setting === null ? siteDefaults.analytics : (JSON.parse(row!.setting) as Site["analytics"]);
  const rules = { day, salt: row!.salt, own };
  known = { rules, readAt: ctx.now.getTime() };
  return rules;
}

/** The salts of days that are over. */
export const pruneSalts = async ({ db, now }: Context) => {
  await db.delete(analyticsSalts).where(lt(analyticsSalts.day, dayOf(now)));
};

/** The hashes of an address, and of an address with a user agent. */
export async function hashesOf({ salt }: Pick<Rules, "salt">, { address, userAgent }: Client) {
  const [network, visitor] = await Promise.all([
    sha256(`${salt}\n${address}`),
    sha256(`${salt}\n${address}\n${userAgent}`),
  ]);
  return { network: network.slice(0, LENGTH), visitor: visitor.slice(0, LENGTH) };
}

/** Characters; 132 bits. */
export const LENGTH = 22;
