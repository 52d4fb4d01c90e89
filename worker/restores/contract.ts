import { z } from "zod";
import { ArchivedObject, Manifest, MOST_ROW } from "#worker/exports/contract.ts";

/** The kind of import that restores a site. */
export const RESTORE = "restore";
/** The key of its last item, which is added when it starts. */
export const LAST_STEP = "finish";

export const DURING_RESTORE =
  "This site is being restored. Wait until the restore has ended, cancel it in Settings ▸ Restore, or ask a super admin to.";

/** Before the name of the table in the title of a comparison. */
export const COMPARED = "Compare: ";

/** Bytes of a piece: whole lines of a file of rows, or a single longer one. */
export const PIECE_BYTES = 200_000;
/** Characters of a piece: a row that is longer than a piece is one. */
export const MOST_PIECE = MOST_ROW + 1;
/** Files of a piece of their list: each is read to compare its hash. */
export const OBJECTS_A_PIECE = 20;

export const NewRestore = z.strictObject({
  /** The name of the file. */
  source: z.string().min(1).max(300),
  manifest: Manifest,
});
export type NewRestore = z.input<typeof NewRestore>;

/** `text` is whole lines of the file; `number` counts the pieces of all files from 1. */
export const NewPiece = z.strictObject({
  file: z.string().max(100),
  number: z.int().positive().max(1_000_000),
  text: z.string().min(1).max(MOST_PIECE, "A piece is too long."),
});
export type NewPiece = z.input<typeof NewPiece>;

/** Bytes of each part of a file but the last. */
export const OBJECT_PART = 8 * 1024 * 1024;

export const PartOfObject = z.strictObject({
  key: ArchivedObject.shape.key,
  /** As `beginObject` returned it. */
  upload: z.string().min(1).max(2000),
  number: z.coerce.number().int().positive().max(10_000),
});
export type PartOfObject = z.input<typeof PartOfObject>;

/** `etags`: of the parts, in their order. */
export const EndOfObject = z.strictObject({
  object: ArchivedObject,
  upload: PartOfObject.shape.upload,
  etags: z.array(z.string().max(200)).min(1).max(10_000),
});
export type EndOfObject = z.input<typeof EndOfObject>;

/** Whether a site can be restored into this one; otherwise the reason. */
export type RestoreState = { isEmpty: boolean; reason: string | null };

/** Whether a table is the archive's; `expected`: but for what a restore changes on purpose. */
export type Comparison = "same" | "expected" | "different";

/** How many files are missing or different, and how many have the archive's size and were not read. */
export type ComparedFiles = { other: number; unread: number };

/** How many tables were compared, those that are not the archive's, and the files. */
export type RestoreReport = {
  tables: number;
  expected: ComparedTable[];
  different: ComparedTable[];
  files: ComparedFiles;
};
export type ComparedTable = { table: string; message: string };
