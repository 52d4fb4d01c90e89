import { integer, primaryKey, sqliteTable, text } from "drizzle-orm/sqlite-core";

/** What browsers report as blocked by the content policy, counted. */
export const cspReports = sqliteTable(
  "csp_reports",
  {
    /** When the report arrived, in UTC: yyyy-mm-dd. */
    day: text("day").notNull(),
    /** Such as `script-src-elem`; `other` for all beyond the day's limit of rows. */
    directive: text("directive").notNull(),
    /** Of the blocked address, or a keyword such as `inline` or `data`; empty for `other`. */
    host: text("host").notNull(),
    count: integer("count").notNull(),
  },
  (table) => [primaryKey({ columns: [table.day, table.directive, table.host] })],
);
