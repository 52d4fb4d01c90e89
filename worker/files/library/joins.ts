import { sql, type AnyColumn } from "drizzle-orm";
import { alias } from "drizzle-orm/sqlite-core";
import { files } from "#worker/files/table.ts";

/** The files table as other nouns join it: `.leftJoin(image, eq(image.id, episodes.imageFileId))`. */
export const image = alias(files, "image");
export const audio = alias(files, "audio");
export const replaced = alias(files, "replaced");

/**
 * SQL: the key of the file whose id is in a column; null if there is none. Names are written out: drizzle omits the table
 * of a column that it finds in the list of a select from one table.
 */
export const keyOfFile = ({ table, name }: AnyColumn) =>
  sql<
    string | null
  >`(select image.key from ${files} as image where image.id = ${table}.${sql.identifier(name)})`;
