import { asc, getTableColumns } from "drizzle-orm";
import { comments } from "#worker/comments/table.ts";
import { isNextSlice, jsonList, rowsOf, type Exporter } from "#worker/exports/exported.ts";

/** Comments of every status. */
export const commentsForExport: Exporter = ({ db }) => {
  // Omitted: the key allows confirming and deleting the comment.
  const { key: _key, thread: _thread, ...columns } = getTableColumns(comments);
  const rows = rowsOf((after) =>
    db
      .select(columns)
      .from(comments)
      .where(isNextSlice(comments.id, after, comments.text))
      .orderBy(asc(comments.id)),
  );
  return [jsonList("comments.json", rows)];
};
