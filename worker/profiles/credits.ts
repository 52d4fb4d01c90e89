import { sql, type AnyColumn } from "drizzle-orm";
import type { Person } from "#worker/episodes/contract.ts";
import { personPath } from "#worker/profiles/slug.ts";
import { profiles } from "#worker/profiles/table.ts";

/** A person of an episode, with the key of the picture in their profile; null if there is none. */
export type Pictured = Person & { picture: string | null };

/** The same with the path of their page. */
export type Credited = Pictured & { page: string | null };

/** SQL: the people in a column of episodes or the show, each with the picture of their profile. */
export const creditedPeople = (people: AnyColumn) =>
  sql`(select json_group_array(json_set(person.value, '$.picture', portrait.key))
    from json_each(${people}) as person
    left join ${profiles} on ${profiles.name} = person.value ->> 'name'
    left join files as portrait on portrait.id = ${profiles.imageFileId})`.mapWith(
    (list: string) => JSON.parse(list) as Pictured[],
  );

type WithPages<Row> = Omit<Row, "people"> & { people: Credited[] };

/** Rows of episodes, or the show, with the pages of their people. */
export async function withPages<Row extends { people: Pictured[] }>(rows: Row[]): Promise<WithPages<Row>[]> {
  const names = new Set(rows.flatMap(({ people }) => people.map(({ name }) => name)));
  const paths = new Map(
    await Promise.all([...names].map(async (name) => [name, await personPath(name)] as const)),
  );
  const creditedIn = ({ people }: Row): Credited[] =>
    people.map((person) => ({ ...person, page: paths.get(person.name) ?? null }));
  return rows.map((row) => ({ ...row, people: creditedIn(row) }));
}
