import { and, desc, eq, sql, type SQL } from "drizzle-orm";
import { isPublished } from "#worker/episodes/summary.ts";
import { episodes } from "#worker/episodes/table.ts";
import { image } from "#worker/files/library/joins.ts";
import { altOf } from "#worker/files/pictures/picture.ts";
import { mediaUrl } from "#worker/files/stored.ts";
import type { Context } from "#worker/platform/context.ts";

/** Characters of a text: more than an email has. */
const LONGEST_TEXT = 60_000;

type Wanted = { limit: number; hasText: boolean };

/** The statement of the published episodes among these, the newest first. Their texts only if `hasText`. */
export const selectEpisodesForLetter = (
  { db }: Context,
  which: SQL | undefined,
  { limit, hasText }: Wanted,
) =>
  db
    .select({
      id: episodes.id,
      title: episodes.title,
      description: episodes.description,
      text: hasText ? sql<string>`substr(${episodes.showNotes}, 1, ${LONGEST_TEXT})` : sql<string>`''`,
      publishedAt: episodes.publishedAt,
      updatedAt: episodes.updatedAt,
      imageAlt: episodes.imageAlt,
      image: { key: image.key, alt: image.alt },
    })
    .from(episodes)
    .leftJoin(image, and(eq(image.id, episodes.imageFileId), eq(image.status, "complete")))
    .where(and(isPublished, which))
    .orderBy(desc(episodes.publishedAt), desc(episodes.id))
    .limit(limit);

type Row = Awaited<ReturnType<typeof selectEpisodesForLetter>>[number];

export const episodeForLetter = ({ config }: Context, row: Row) => ({
  kind: "episode" as const,
  id: row.id,
  title: row.title,
  summary: row.description,
  text: row.text,
  picture: row.image && { url: mediaUrl(row.image.key), alt: altOf(row.image, row.imageAlt) },
  link: `${config.siteUrl}/episode/${row.id}`,
  publishedAt: row.publishedAt ?? new Date(0),
  updatedAt: row.updatedAt,
});

/** SQL: the episodes among these ids, a JSON list. */
export const isEpisodeIn = (ids: number[]) =>
  sql`${episodes.id} in (select value from json_each(${JSON.stringify(ids)}))`;

/** SQL: the ids of the published episodes, as `id`. */
export const publishedEpisodeIds = sql`select ${episodes.id} as id from ${episodes} where ${episodes.status} = 'published'`;

/** SQL: how many of these episodes are published, in the version that was read. */
export const countEpisodesAsRead = (read: { id: number; updatedAt: Date }[]) => sql`(
  select count(*) from json_each(${JSON.stringify(read.map(({ id, updatedAt }) => [id, updatedAt.getTime()]))}) as given
  inner join ${episodes} on ${episodes.id} = given.value ->> 0
  where ${episodes.updatedAt} = given.value ->> 1 and ${episodes.status} = 'published')`;
