import { sql } from "drizzle-orm";
import { letters } from "#worker/letters/table.ts";

/** SQL: how many letters stopped and need the owner, up to a limit. */
export const countStopped = (limit: number) =>
  sql<number>`(select count(*) from (select 1 from ${letters}
    where ${letters.status} in ('draft', 'paused') and ${letters.pausedReason} is not null limit ${limit}))`;
