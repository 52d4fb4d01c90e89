import { and, eq, sql, type SQL } from "drizzle-orm";
import { isbot } from "isbot";
import { letterLinks } from "#worker/letters/table.ts";
import type { Context } from "#worker/platform/context.ts";
import { randomToken } from "#worker/platform/data/random.ts";
import { AppError } from "#worker/platform/errors.ts";
import { isBurst } from "#worker/platform/http/rate.ts";

/** Characters of a mark, each of six random bits. */
const MARK = 16;

/** What makes the links of a letter unguessable: it may be in no archive. */
export const newMark = () => randomToken().slice(0, MARK);

/** The path of a counted link. `position`: from 1, in the order of the text. */
export const countedPath = (letterId: number, position: number, mark: string) =>
  `/l/${letterId}/${position}-${mark}`;

/** The targets of a letter's counted links, in their order, and the mark in their addresses. */
export type CountedLinks = { links: string[]; mark: string };

/** The statement that stores a letter's counted links, if the batch starts its sending. */
export const letterLinksOf = (
  { db }: Context,
  letterId: number,
  { links, mark }: CountedLinks,
  isStarted: SQL,
) =>
  db
    .insert(letterLinks)
    // As JSON in one parameter: D1 allows 100 parameters per statement.
    .select(
      sql`select ${letterId}, key + 1, value, 0, ${mark} from json_each(${JSON.stringify(links)}) where ${isStarted}`,
    )
    .onConflictDoNothing();

/** `mark`: null for an address without one, as letters had until 30 November 2026. */
type Link = { letterId: number; position: number; mark: string | null };

/**
 * The target of a letter's link. Counts a person's click. A prefetch, or a burst from one address, is redirected but
 * not counted. Stores nothing else.
 * @throws `not_found`
 */
export async function followLink(ctx: Context, link: Link, { isClick }: { isClick: boolean }) {
  const isIt = and(
    eq(letterLinks.letterId, link.letterId),
    eq(letterLinks.position, link.position),
    sql`${letterLinks.mark} is ${link.mark}`,
  );
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
