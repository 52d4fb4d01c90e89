import { and, eq, sql, type SQL } from "drizzle-orm";
import { isbot } from "isbot";
import { letterLinks } from "#worker/letters/table.ts";
import type { Context } from "#worker/platform/context.ts";
import { AppError } from "#worker/platform/errors.ts";
import { isBurst } from "#worker/platform/http/rate.ts";

/** The statement that stores the targets of a letter's counted links, if the batch starts its sending. */
export const letterLinksOf = ({ db }: Context, letterId: number, links: string[], isStarted: SQL) =>
  db
    .insert(letterLinks)
    // As JSON in one parameter: D1 allows 100 parameters per statement.
    .select(
      sql`select ${letterId}, key + 1, value, 0 from json_each(${JSON.stringify(links)}) where ${isStarted}`,
    )
    .onConflictDoNothing();

type Link = { letterId: number; position: number };

/**
 * The target of a letter's link. Counts a person's click. A prefetch, or a burst from one address, is redirected but
 * not counted. Stores nothing else.
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
