import { sql, type SQL } from "drizzle-orm";
import type { z } from "zod";
import type { TopicChoice } from "#worker/topics/contract.ts";
import { topics } from "#worker/topics/table.ts";

// Which topics a subscriber chose is in `subscribers.topic_ids`: null for every letter, or the ids in their order. The
// column's table is written out: drizzle omits it in a select from one table.
const own = sql.raw("subscribers.topic_ids");

/** SQL: the ids that subscribers may choose, or chose before. */
const storable = (which: SQL) => sql`(select json_group_array(id) from (
  select topics.id from ${topics} where ${which}
    and (topics.is_offered = 1 or exists (select 1 from json_each(${own}) as had where had.value = topics.id))
  order by topics.id))`;

/**
 * SQL: the column's new value in an update of subscribers. Topics that were deleted since the form was shown, and hidden
 * ones that they had not chosen, are left out.
 */
export const chosenTopics = ({ choice, topics: ids }: z.output<typeof TopicChoice>): SQL =>
  choice === "all"
    ? sql`null`
    : sql`${storable(sql`topics.id in (select value from json_each(${JSON.stringify(ids)}))`)}`;

/** SQL: the same for a subscriber who leaves one topic, and keeps what they get. */
export const topicsWithout = (topicId: number): SQL =>
  sql`(select json_group_array(id) from (
    select topics.id from ${topics} where topics.id <> ${topicId}
      and (${own} is null or exists (select 1 from json_each(${own}) as had where had.value = topics.id))
    order by topics.id))`;

/** SQL: the same for names of topics, of which unknown ones are left out; null for null. `names` is SQL of a JSON array. */
export const topicsOfNames = (names: SQL) =>
  sql`iif(${names} is null, null, (select json_group_array(id) from (
    select topics.id from ${topics}
    where lower(topics.name) in (select lower(given_name.value) from json_each(${names}) as given_name)
    order by topics.id)))`;

/**
 * SQL: the subscriber of the row gets letters on a topic: they chose it, or every letter. With null, for letters to all, so
 * does everyone; on a topic that was deleted, no one.
 */
export const getsTopic = (topicId: SQL) => sql`(${topicId} is null or (
  exists (select 1 from ${topics} where topics.id = ${topicId})
  and (${own} is null or exists (select 1 from json_each(${own}) as had where had.value = ${topicId}))))`;

/** SQL: the names of the topics that the subscriber of the row chose, as JSON in the owner's order; null for every letter. */
export const topicNames = sql<string | null>`iif(${own} is null, null, (
  select json_group_array(name) from (
    select topics.name as name from ${topics}
    where exists (select 1 from json_each(${own}) as had where had.value = topics.id)
    order by topics.sort_order, topics.id)))`;

/** `topicNames` as a list. */
export const namesIn = (json: string | null) => (json === null ? null : (JSON.parse(json) as string[]));
