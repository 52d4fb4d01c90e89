import { and, eq, inArray, sql, type SQL } from "drizzle-orm";
import { alias, type SQLiteColumn } from "drizzle-orm/sqlite-core";
import type { StoredFile } from "#worker/files/contract.ts";
import { files } from "#worker/files/table.ts";
import { isAudio, isPicture } from "#worker/files/types.ts";
import type { Context } from "#worker/platform/context.ts";
import { AppError } from "#worker/platform/errors.ts";

/** D1 takes 100 parameters a statement. */
const IDS_A_STATEMENT = 90;

export const artworks = alias(files, "artworks");

const kinds = {
  audio: { is: isAudio, wanted: "Choose an audio file." },
  image: { is: isPicture, wanted: "Choose a picture." },
};

const MEDIA = "/media/";

export const mediaUrl = (key: string) => MEDIA + key;

/** The key in R2 of the file at a path; null for another address. */
export const keyOfMedia = (path: string | null | undefined) =>
  path?.startsWith(MEDIA) ? decodeURIComponent(path.slice(MEDIA.length)) : null;

/** The complete files among these ids. */
export async function findStoredFiles(ctx: Context, ids: string[]): Promise<Map<string, StoredFile>> {
  const found: StoredFile[] = [];
  for (let at = 0; at < ids.length; at += IDS_A_STATEMENT) {
    found.push(...(await selectComplete(ctx, inArray(files.id, ids.slice(at, at + IDS_A_STATEMENT)))));
  }
  return byId(found);
}

/** The complete files that these columns of a row name: read together with the row, not after it. */
export async function findFilesOf(ctx: Context, row: SQL, columns: SQLiteColumn[]) {
  const named = columns.map((column) => sql`select ${column} from ${column.table} where ${row}`);
  return byId(await selectComplete(ctx, sql`${files.id} in (${sql.join(named, sql` union all `)})`));
}

async function selectComplete({ db }: Context, which: SQL) {
  const rows = await db
    .select({ file: files, artworkKey: artworks.key })
    .from(files)
    .leftJoin(artworks, eq(artworks.id, files.artworkFileId))
    .where(and(which, eq(files.status, "complete")));
  return rows.map(toStoredFile);
}

const byId = (found: StoredFile[]) => new Map(found.map((file) => [file.id, file]));

/** The file that a form named; refuses, beside its field, what is missing, unfinished or of another kind. */
export async function requireStoredFile(ctx: Context, id: string, kind: keyof typeof kinds, field: string) {
  const file = (await findStoredFiles(ctx, [id])).get(id);
  if (!file) throw new AppError("invalid", "Upload the file again.", { field });
  if (!kinds[kind].is(file.type)) throw new AppError("invalid", kinds[kind].wanted, { field });
  return file;
}

type Row = { file: typeof files.$inferSelect; artworkKey: string | null };

export function toStoredFile({ file, artworkKey }: Row): StoredFile {
  const { id, key, name, type, size, width, height, artworkFileId, chapters } = file;
  return {
    id,
    url: mediaUrl(key),
    name,
    type,
    size,
    durationSeconds: file.durationSeconds,
    flaw: file.flaw,
    statedSeconds: file.statedSeconds,
    width,
    height,
    alt: file.alt,
    hasAlpha: file.hasAlpha,
    isCmyk: file.isCmyk,
    artwork: artworkFileId && artworkKey ? { id: artworkFileId, url: mediaUrl(artworkKey) } : null,
    chapters: chapters ?? [],
    tags: file.tags,
  };
}
