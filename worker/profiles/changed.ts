import { sql, type SQL } from "drizzle-orm";
import { touchFeed } from "#worker/episodes/feed-date.ts";
import { isPublished } from "#worker/episodes/summary.ts";
import { episodes, shows } from "#worker/episodes/table.ts";
import { changed } from "#worker/platform/data/changes.ts";
import type { Context } from "#worker/platform/context.ts";

/**
 * The statements that expire the answers which show people of these names and addresses: their pages, their episodes, and
 * the feeds.
 */
export function changedCredits(ctx: Context, people: { name?: string; slug?: string }[]) {
  const names = people.flatMap(({ name }) => name ?? []);
  const slugs = people.flatMap(({ slug }) => slug ?? []);
  return changedPeople(
    ctx,
    sql`select value from json_each(${JSON.stringify(names)})`,
    sql`select value from json_each(${JSON.stringify(slugs)})`,
  );
}

/** The same of names and addresses that are selected. */
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
