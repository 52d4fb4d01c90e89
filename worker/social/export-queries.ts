import { asc, getTableColumns } from "drizzle-orm";
import { isNextSlice, jsonList, rowsOf, type Exporter } from "#worker/exports/exported.ts";
import { socialPosts } from "#worker/social/table.ts";

/** Posts from elsewhere. */
export const socialPostsForExport: Exporter = ({ db }) => {
  const { draftKey: _key, ...columns } = getTableColumns(socialPosts);
  const rows = rowsOf((after) =>
    db
      .select(columns)
      .from(socialPosts)
      .where(isNextSlice(socialPosts.id, after))
      .orderBy(asc(socialPosts.id)),
  );
  return [jsonList("social-posts.json", rows)];
};
