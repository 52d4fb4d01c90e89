import { sql, type AnyColumn, type SQL, type SQLWrapper } from "drizzle-orm";

/** A table whose rows have a status and publication dates. */
type Publishable = Record<
  "id" | "title" | "status" | "publishedAt" | "scheduledFor" | "updatedAt",
  AnyColumn
>;

type Selection = { status: string; at: AnyColumn; order: SQL; limit: number };

/**
 * SQL, one value each: the drafts and scheduled rows of a table. Lists are JSON of `{ id, title, at }`. Only the newest
 * `counted` drafts are considered.
 */
export function agendaOf(table: Publishable & SQLWrapper, counted: number) {
  const rows = ({ status, at, order, limit }: Selection) => sql`
    select ${table.id} as id, ${table.title} as title, ${at} as at from ${table}
    where ${table.status} = ${status} order by ${order} limit ${limit}`;
  const list = (from: SQL) =>
    sql<string>`(select json_group_array(json_object('id', id, 'title', title, 'at', at)) from (${from}))`;
  const drafts = rows({
    status: "draft",
    at: table.updatedAt,
    order: sql`${table.publishedAt} desc, ${table.id} desc`,
    limit: counted,
  });
  return {
    draftCount: sql<number>`(select count(*) from (${drafts}))`,
    drafts: list(sql`select * from (${drafts}) order by at desc limit 2`),
    scheduled: list(
      rows({ status: "scheduled", at: table.scheduledFor, order: sql`${table.scheduledFor}`, limit: 3 }),
    ),
    latest: list(
      rows({
        status: "published",
        at: table.publishedAt,
        order: sql`${table.publishedAt} desc, ${table.id} desc`,
        limit: 1,
      }),
    ),
  };
}
