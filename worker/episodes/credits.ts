import { sql, type SQL } from "drizzle-orm";
import { touchFeed } from "#worker/episodes/feed-date.ts";
import { isPublished } from "#worker/episodes/summary.ts";
import { episodes, shows } from "#worker/episodes/table.ts";
import { changed } from "#worker/platform/data/changes.ts";
import type { Context } from "#worker/platform/context.ts";

export type Credit = {
  name: string;
  role: string;
  /** Published episodes. */
  episodes: number;
  /** The last address that an episode gives for the person. */
  href: string | null;
};

/** The names and roles in published episodes and in the podcast, each once. */
export const listCredits = ({ db }: Context) =>
  db.all<Credit>(sql`
    select name, role, sum(episode) as episodes, max(href) as href from (
      select person.value ->> 'name' as name, person.value ->> 'role' as role, person.value ->> 'href' as href,
        1 as episode
      from ${episodes}, json_each(${episodes.people}) as person where ${isPublished}
      union all
      select person.value ->> 'name', person.value ->> 'role', person.value ->> 'href', 0
      from ${shows}, json_each(${shows.people}) as person
    ) group by name, role order by name, role`);

/** SQL: whether an episode names one of these people. */
export const namesOneOf = (
  names: string[],
) => sql`exists (select 1 from json_each(${episodes.people}) as person
  where person.value ->> 'name' in (select value from json_each(${JSON.stringify(names)})))`;

/**
 * The statements that expire the answers which show people of these names and addresses, which are selected: their pages, their
 * episodes, and the feeds.
 */
export function changedPeople(ctx: Context, names: SQL, slugs: SQL) {
  const isOneOf = (people: SQL) =>
    sql`exists (select 1 from json_each(${people}) as person where person.value ->> 'name' in (${names}))`;
  const inEpisodes = sql`from ${episodes} where ${isPublished} and ${isOneOf(sql`${episodes.people}`)}`;
  const inShow = sql`exists (select 1 from ${shows} where ${isOneOf(sql`${shows.people}`)})`;
  return [
    changed(
      ctx,
      sql`select 'people:' || value as tag from (${slugs}) union select 'people' where ${inShow}
        union select 'people' ${inEpisodes} union select 'episode:' || ${episodes.id} ${inEpisodes}`,
    ),
    touchFeed(ctx, sql`${inShow} or exists (select 1 ${inEpisodes})`),
  ] as const;
}
