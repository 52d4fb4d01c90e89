import { sql, type SQL } from "drizzle-orm";
import { subscribers } from "#worker/newsletter/table.ts";
import type { Context } from "#worker/platform/context.ts";

/** The statement that takes a topic out of the choices of subscribers, if `isGone`. */
export const forgetTopic = ({ db }: Context, id: number, isGone: SQL) =>
  db.update(subscribers).set({
    topicIds: sql`(select json_group_array(chosen.value) from json_each(subscribers.topic_ids) as chosen
        where chosen.value <> ${id})`,
  }).where(sql`${subscribers.topicIds} is not null
      and exists (select 1 from json_each(subscribers.topic_ids) as chosen where chosen.value = ${id})
      and ${isGone}`);
