import { asc, sql } from "drizzle-orm";
import { noun } from "#worker/nouns/noun.ts";
import { changed } from "#worker/platform/data/changes.ts";
import { ventures } from "#worker/ventures/table.ts";

export const ventureNoun = noun({
  table: ventures,
  title: "name",
  files: { kind: "venture", columns: ["imageFileId"] },
  changed: (ctx, which) => [
    changed(ctx, sql`select 'ventures' as tag from ${ventures} where ${which} and ${ventures.active}`),
  ],
  exported: { list: "ventures.json", order: [asc(ventures.sortOrder), asc(ventures.id)] },
});
