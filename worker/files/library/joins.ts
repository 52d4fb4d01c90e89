import { alias } from "drizzle-orm/sqlite-core";
import { files } from "#worker/files/table.ts";

/** The files table as other nouns join it: `.leftJoin(image, eq(image.id, episodes.imageFileId))`. */
export const image = alias(files, "image");
export const audio = alias(files, "audio");
