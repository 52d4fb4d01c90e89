import { and, eq, inArray } from "drizzle-orm";
import { pictureColumns, toPicture } from "#worker/files/picture.ts";
import { fileIdOf } from "#worker/files/names.ts";
import { files } from "#worker/files/table.ts";
import type { Context } from "#worker/platform/context.ts";
import type { Pictures } from "#worker/platform/markdown.ts";

/** D1 takes 100 parameters a statement; a text with more pictures shows the others as they were uploaded. */
const MOST = 90;

/** The pictures of ours that a Markdown text shows, by their addresses, with the sizes that they are there in. */
export async function findEmbedded({ db }: Context, markdown: string): Promise<Pictures> {
  const keys = keysIn(markdown);
  if (keys.length === 0) return new Map();
  const rows = await db
    .select({ picture: pictureColumns(files) })
    .from(files)
    .where(and(inArray(files.key, keys.slice(0, MOST)), eq(files.status, "complete")));
  const pictures = rows.flatMap(({ picture }) => toPicture(picture, "") ?? []);
  return new Map(pictures.map((picture) => [picture.src, picture]));
}

/** The ids of our files that a text links to or shows. They are stored with it and count as used. */
export const embeddedFileIdsOf = (markdown: string) => [...new Set(keysIn(markdown).map(fileIdOf))];

const keysIn = (markdown: string) => [
  ...new Set([...markdown.matchAll(/\/media\/([\w./-]+)/g)].map(([, key = ""]) => key)),
];
