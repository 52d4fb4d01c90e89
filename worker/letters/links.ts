import { and, eq, sql, type SQL } from "drizzle-orm";
import { isbot } from "isbot";
import { letterLinks } from "#worker/letters/table.ts";
import type { Context } from "#worker/platform/context.ts";
import { AppError } from "#worker/platform/errors.ts";
import { isBurst } from "#worker/platform/rate.ts";

/** The statement that stores where the counted links of a letter lead, for the batch that starts its sending if it does. */
export const letterLinksOf = ({ db }: Context, letterId: number, links: string[], isStarted: SQL) =>
  db
    .insert(letterLinks)
    // As JSON, which one parameter carries: D1 takes 100 parameters a statement.
    .select(
      sql`select ${letterId}, key + 1, value, 0 from json_each(${JSON.stringify(links)}) where ${isStarted}`,
    )
    .onConflictDoNothing();

type Link = { letterId: number; position: number };

/**
 * Where a link of a letter leads. A press of a person counts; one of a machine that says so, or in a burst from one address,
 * does not, and leads on all the same. Nothing else is noted.
 * @throws `not_found`
 */
export async function followLink(ctx: Context, link: Link, { isClick }: { isClick: boolean }) {
  const isIt = and(eq(letterLinks.letterId, link.letterId), eq(letterLinks.position, link.position));
  const columns = { url: letterLinks.url };
  const isCounted = isClick && !isbot(ctx.client.userAgent) && !(await isBurst(ctx, "letter-link"));
  const [found] = isCounted
    ? await ctx.db
        .update(letterLinks)
        .set({ presses: sql`${letterLinks.presses} + 1` })
        .where(isIt)
        .returning(columns)
    : await ctx.db.select(columns).from(letterLinks).where(isIt);
  if (!found) throw new AppError("not_found", "There is no such link.");
  return found.url;
}
