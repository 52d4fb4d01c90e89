import { sql } from "drizzle-orm";
import { commentBoxCounts, comments } from "#worker/comments/table.ts";

/** SQL: how many comments wait for the owner's decision, up to a limit. */
export const countPending = (limit: number) =>
  sql<number>`(select count(*) from (select 1 from ${comments} where ${comments.status} = 'pending' limit ${limit}))`;

/** SQL: the total of pending comments, from the count that triggers maintain. */
export const allPending = sql<number>`coalesce(
  (select ${commentBoxCounts.count} from ${commentBoxCounts} where ${commentBoxCounts.status} = 'pending'), 0)`;
