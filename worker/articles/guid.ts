import { sql, type Placeholder } from "drizzle-orm";
import { articles } from "#worker/articles/table.ts";

/** SQL: the GUID of an essay from before it was stored with the essay. */
export const firstGuid = (siteUrl: string | Placeholder) =>
  sql<string>`${siteUrl} || '/articles/' || ${articles.id}`;
