import { and, eq, inArray } from "drizzle-orm";
import type { Picture } from "#worker/files/contract.ts";
import { pictureColumns, toPicture } from "#worker/files/pictures/picture.ts";
import { fileIdOf } from "#worker/files/object-keys.ts";
import { files } from "#worker/files/table.ts";
import type { Context } from "#worker/platform/context.ts";
import type { Pictures } from "#worker/platform/text/markdown.ts";

/** D1 accepts 100 parameters a statement; further pictures of a text are shown as uploaded. */
const MOST = 90;

/** The stored pictures in a Markdown text, by their addresses, with their sizes there. */
export const findEmbedded = (ctx: Context, markdown: string) =>
  findPictures(ctx, keysIn(markdown).slice(0, MOST));

/** The same of several texts that are rendered together. */
export const findEmbeddedIn = (ctx: Context, texts: string[]) =>
  findPictures(ctx, [...new Set(texts.flatMap((text) => keysIn(text).slice(0, MOST)))]);

async function findPictures({ db }: Context, keys: string[]): Promise<Pictures> {
  const found = new Map<string, Picture>();
  for (let at = 0; at < keys.length; at += MOST) {
    const rows = await db
      .select({ picture: pictureColumns(files) })
      .from(files)
      .where(and(inArray(files.key, keys.slice(at, at + MOST)), eq(files.status, "complete")));
    const pictures = rows.flatMap(({ picture }) => toPicture(picture, "") ?? []);
    for (const picture of pictures) found.set(picture.src, picture);
  }
  return found;
}

/** The ids of our files that a text links to or shows. They are stored with it and count as used. */
export const embeddedFileIdsOf = (markdown: string) => [...new Set(keysIn(markdown).map(fileIdOf))];

/** The keys of our files that a text links to or shows, each once. */
export const keysIn = (markdown: string) => [
  ...new Set([...markdown.matchAll(/\/media\/([\w./-]+)/g)].map(([, key = ""]) => key)),
];
