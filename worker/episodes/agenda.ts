import { and, eq, exists, gt, sql } from "drizzle-orm";
import { episodes, shows } from "#worker/episodes/table.ts";
import { image } from "#worker/files/joins.ts";
import { agendaOf } from "#worker/platform/agenda.ts";
import type { Context } from "#worker/platform/context.ts";
import { demoLoadedAt } from "#worker/settings/queries.ts";

/** SQL: what is under way. */
export const episodesAgenda = (counted: number) => agendaOf(episodes, counted);

/** SQL: whether the podcast has artwork, and a published episode, that the demo did not bring. */
export const ownPodcast = ({ db }: Context) => ({
  artwork: exists(
    db
      .select({ one: sql`1` })
      .from(shows)
      .innerJoin(image, eq(image.id, shows.artworkFileId))
      .where(gt(image.createdAt, demoLoadedAt)),
  ),
  episode: exists(
    db
      .select({ one: sql`1` })
      .from(episodes)
      .where(and(eq(episodes.status, "published"), gt(episodes.createdAt, demoLoadedAt)))
      .limit(1),
  ),
});
