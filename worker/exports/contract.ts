import { z } from "zod";

/** The archive that Settings → Export makes, and from which a site is restored. */

export const MANIFEST = "manifest.json";
/** Bytes. */
export const MOST_MANIFEST = 1_000_000;
/** Bytes of the JSON of a row. D1 stores two million bytes a row, and JSON escapes some of them. */
export const MOST_ROW = 4_000_000;
/** A different number is a different format: a reader refuses those that it does not know. */
export const ARCHIVE_VERSION = 1;

const count = z.int().min(0);
const sha256 = z.string().regex(/^[0-9a-f]{64}$/);
const tableName = z.string().regex(/^[a-z][a-z0-9_]{0,60}$/);

/** A file of rows, one a line as JSON. `bytes` and `sha256` are those of the file. */
const rowsFile = {
  file: z.string().regex(/^data\/[a-z][a-z0-9_]{0,60}\.ndjson$/),
  rows: count,
  bytes: count,
  sha256,
};

export const Manifest = z.strictObject({
  format: z.literal("rostrum"),
  version: z.literal(ARCHIVE_VERSION),
  /** The last migration of the database. */
  migration: z.string().min(1).max(200),
  /** Milliseconds UTC. */
  exportedAt: z.int().positive(),
  /** The site's address. */
  site: z.url().max(2000),
  name: z.string().max(1000),
  /** In an order in which each row comes after those that it refers to. */
  tables: z.array(z.strictObject({ table: tableName, ...rowsFile })).max(200),
  /** By table, the last id that was given: the ids of deleted rows are not given again. */
  counters: z.record(tableName, count),
  /** The list of the files in R2, and their bytes in all. */
  objects: z.strictObject({ ...rowsFile, total: count }),
});
export type Manifest = z.infer<typeof Manifest>;

/** Of pieces: the same number as that of the outline, or they are of another database or of texts with other addresses. */
type AtVersion = { contentVersion: string };

/** What an archive begins with: its manifest without the files, and their names. `permit`: for its pieces. */
export type ArchiveOutline = AtVersion & {
  permit: string;
  head: Omit<Manifest, "tables" | "objects">;
  tables: Pick<Manifest["tables"][number], "table" | "file">[];
  objects: string;
};

const permit = z.string().min(1).max(1000);

export const PieceQuery = z.strictObject({
  file: rowsFile.file,
  permit,
  after: z.string().min(1).max(1100).optional(),
});
export type PieceQuery = z.input<typeof PieceQuery>;
export type ArchivePiece = AtVersion & { text: string; next: string | null };

export const WHILE_RESTORING =
  "This site is being restored, so an export would lack what is not restored yet. Wait until the restore has ended, or cancel it in Settings ▸ Restore.";
export const FILES_CHANGED = "The files have changed. List them again.";

export const BEGIN_AGAIN =
  "An export’s parts can be downloaded for an hour after it was begun, in the same session. Begin it again in Settings ▸ Export.";

/** Both are those of the list with the part. */
export const FilesPartQuery = z.strictObject({ set: z.string().regex(/^[0-9a-f]{32}$/), permit });
export type FilesPartQuery = z.input<typeof FilesPartQuery>;

/** A stored file. */
export const ArchivedObject = z.strictObject({
  /** A path without `..`, which is also that in a zip. */
  key: z
    .string()
    .max(1024)
    .regex(/^[a-z][a-z-]*(?:\/[\w][\w.-]*)+$/),
  bytes: count,
  sha256,
  /** The object's metadata in R2. */
  http: z.record(z.string(), z.string()),
  custom: z.record(z.string(), z.string()),
});
export type ArchivedObject = z.infer<typeof ArchivedObject>;

/** The same in the list of an archive. Its hash is null if the site could not read the file: it is too large for the free plan. */
export const ListedObject = ArchivedObject.extend({ sha256: sha256.nullable() });
export type ListedObject = z.infer<typeof ListedObject>;

/** The manifest of a zip with stored files, one of several, and its folder with them. */
export const FILES_MANIFEST = "files.json";
export const FILES_FOLDER = "files/";
export const FilesManifest = z.strictObject({
  format: z.literal("rostrum-files"),
  version: z.literal(ARCHIVE_VERSION),
  site: z.url().max(2000),
  part: z.int().positive(),
  of: z.int().positive(),
  objects: z.array(ArchivedObject).max(100_000),
});
export type FilesManifest = z.infer<typeof FilesManifest>;

/** What a file is instead of an archive that can be read, and what to do. */
export class BadArchive extends Error {}

const NO_ARCHIVE =
  "This zip isn’t an archive of a Rostrum site. Choose the zip that Settings ▸ Export downloaded.";
const NEWER = "This archive was made by a newer version of Rostrum. Update this site first, then restore it.";
const BROKEN = "The archive’s list of its files can’t be read. Download the export again.";

/**
 * @param text That of manifest.json; null if the zip has none.
 * @param names The other names in the zip.
 * @throws {BadArchive}
 */
export function readManifest(text: string | null, names: readonly string[] = []): Manifest {
  if (text === null) throw new BadArchive(names.includes("media.txt") ? FORMER : NO_ARCHIVE);
  const given = parsed(text);
  if (given?.["format"] !== "rostrum") throw new BadArchive(NO_ARCHIVE);
  if (Number(given["version"]) > ARCHIVE_VERSION) throw new BadArchive(NEWER);
  const result = Manifest.safeParse(given);
  if (!result.success) throw new BadArchive(BROKEN);
  const { tables, objects } = result.data;
  const files = [...tables, objects].map(({ file }) => file);
  if (new Set(files).size < files.length) throw new BadArchive(BROKEN);
  return result.data;
}

/**
 * @param text That of files.json; null if the zip has none.
 * @throws {BadArchive}
 */
export function readFilesManifest(text: string | null): FilesManifest {
  const given = text === null ? null : parsed(text);
  if (given?.["format"] !== "rostrum-files") throw new BadArchive(NO_ARCHIVE);
  if (Number(given["version"]) > ARCHIVE_VERSION) throw new BadArchive(NEWER);
  const result = FilesManifest.safeParse(given);
  if (!result.success) throw new BadArchive(BROKEN);
  return result.data;
}

const FORMER =
  "This export was made by an older version of Rostrum, which can’t be restored. Articles ▸ Import reads its essays and subscribers.";

function parsed(text: string) {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === "object" && value !== null ? (value as Record<string, unknown>) : null;
  } catch {
    throw new BadArchive(BROKEN);
  }
}
