import { and, eq, exists, gt, sql, type SQL } from "drizzle-orm";
import { episodes, shows } from "#worker/episodes/table.ts";
import { image } from "#worker/files/library/joins.ts";
import { agendaOf } from "#worker/platform/data/agenda.ts";
import type { Context } from "#worker/platform/context.ts";
import { demoLoadedAt } from "#worker/settings/queries.ts";

/** SQL: what is under way. */
export const episodesAgenda = (counted: number) => agendaOf(episodes, counted);

/** SQL: whether the podcast has artwork, and a published episode, created after a time in milliseconds UTC. */
const podcastSince = ({ db }: Context, since: SQL) => ({
  artwork: exists(
    db
      .select({ one: sql`1` })
      .from(shows)
      .innerJoin(image, eq(image.id, shows.artworkFileId))
      .where(gt(image.createdAt, since)),
  ),
  episode: exists(
    db
      .select({ one: sql`1` })
      .from(episodes)
      .where(and(eq(episodes.status, "published"), gt(episodes.createdAt, since)))
      .limit(1),
  ),
});

/** Those that the demo did not bring. */
export const ownPodcast = (ctx: Context) => podcastSince(ctx, demoLoadedAt);

/** Those of the demo included. */
export const anyPodcast = (ctx: Context) => podcastSince(ctx, sql`0`);
