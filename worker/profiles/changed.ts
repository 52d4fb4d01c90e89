import { sql } from "drizzle-orm";
import { changedPeople } from "#worker/episodes/credits.ts";
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
