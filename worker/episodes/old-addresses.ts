import { and, desc, eq, inArray, sql, type SQL } from "drizzle-orm";
import { oldAddressOf } from "#worker/articles/contract.ts";
import { isPublished } from "#worker/episodes/summary.ts";
import { episodes, formerEpisodeSlugs, oldEpisodeAddresses } from "#worker/episodes/table.ts";
import type { Context } from "#worker/platform/context.ts";

/**
 * The statements that redirect these addresses of another site to an episode. An address that already redirects to
 * another one is not changed.
 */
export function keepEpisodeAddresses({ db }: Context, episodeId: SQL | number, addresses: string[]) {
  const old = addresses.flatMap((address) => oldAddressOf(address) ?? []);
  if (old.length === 0) return [];
  return [
    db
      .insert(oldEpisodeAddresses)
      .select(sql`select value, ${episodeId} from json_each(${JSON.stringify(old)}) where true`)
      .onConflictDoNothing(),
  ];
}

/** The query for the paths of published episodes by these addresses, in the form of `oldAddressOf`. */
export const selectMovedEpisodes = ({ db }: Context, addresses: string[]) =>
  db
    .select({
      address: oldEpisodeAddresses.address,
      path: sql<string>`'/episode/' || ${episodes.id}`.as("path"),
    })
    .from(oldEpisodeAddresses)
    .innerJoin(episodes, eq(episodes.id, oldEpisodeAddresses.episodeId))
    .where(and(inArray(oldEpisodeAddresses.address, addresses), isPublished));

/**
 * All paths that redirect to published episodes: their slugs, former slugs, and those of their former sites. The current
 * slugs first, then the former ones, of which the latest counts.
 */
export async function listEpisodeAddresses({ db }: Context) {
  const to = sql<string>`'/episode/' || ${episodes.id}`.as("to");
  const [current, former, old] = await db.batch([
    db
      .select({ from: sql<string>`'/podcast/' || ${episodes.slug}`.as("from"), to })
      .from(episodes)
      .where(isPublished)
      .orderBy(episodes.id),
    db
      .select({ from: sql<string>`'/podcast/' || ${formerEpisodeSlugs.slug}`.as("from"), to })
      .from(formerEpisodeSlugs)
      .innerJoin(episodes, eq(episodes.id, formerEpisodeSlugs.episodeId))
      .where(isPublished)
      .orderBy(desc(formerEpisodeSlugs.leftAt)),
    db
      .select({ from: oldEpisodeAddresses.address, to })
      .from(oldEpisodeAddresses)
      .innerJoin(episodes, eq(episodes.id, oldEpisodeAddresses.episodeId))
      .where(isPublished)
      .orderBy(oldEpisodeAddresses.address),
  ]);
  return [...current, ...former, ...old];
}
