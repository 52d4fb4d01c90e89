import { sql, type AnyColumn } from "drizzle-orm";
import type { FileUseKind, StoredFile } from "#worker/files/contract.ts";
import { fileIdOf } from "#worker/files/object-keys.ts";
import type { FileReferences } from "#worker/files/library/references.ts";
import { fileUses } from "#worker/files/table.ts";
import type { Context } from "#worker/platform/context.ts";

/** A file that takes another's place. */
export type FileMove = { from: string; to: StoredFile };

type Statement = Parameters<Context["db"]["batch"]>[0][number];

export type Moved = {
  /** What has the items name the other file, and what follows for visitors. An item that changes meanwhile stays as it is. */
  statements: Statement[];
  /** Once they stand. */
  enqueue?: () => void;
};

/** What a kind of item does about the files that it names. */
export type FilePlace = {
  /**
   * Has items, by id or slug, name another file.
   * @throws `conflict` where a form of its own must do it; `forbidden`; `invalid` for a file that does not fit
   */
  move: (ctx: Context, items: string[], move: FileMove) => Promise<Moved>;
  /** The statements that expire the answers in which the file's own description stands. */
  described?: (ctx: Context, fileId: string) => Statement[];
  /** The statements that expire the answers in which the smaller copies of a picture stand, once they are made. */
  copied?: (ctx: Context, fileId: string) => Statement[];
};

/** Of each kind. The picture found inside an audio file stays what was found there. */
export type FilePlaces = Record<Exclude<FileUseKind, "file">, FilePlace>;

/** What is known of the nouns that use files. */
export type Nouns = { references: FileReferences; places: FilePlaces };

export const moveId = <Id extends string | null>(id: Id, { from, to }: FileMove) =>
  id === from ? to.id : id;

/** The addresses of a file in a text, its smaller copies' too, become the other's. */
export const moveText = (text: string, { from, to }: FileMove) =>
  text.replaceAll(/\/media\/([\w-]+\/[\w-]+\/(?:\d+\/)?[\w-]+\.\w+)/g, (address: string, key: string) =>
    fileIdOf(key) === from ? to.url : address,
  );

/** SQL: the ids of a kind of item that use a file as they stand. */
export const usedBy = (kind: FileUseKind, fileId: string) => sql`(
  select cast(${fileUses.item} as integer) from ${fileUses}
  where ${fileUses.fileId} = ${fileId} and ${fileUses.kind} = ${kind} and ${fileUses.version} = 0)`;

/** SQL: whether any item uses a file as it stands; a former version does not count. */
export const isInUse = (fileId: AnyColumn) => sql`exists (
  select 1 from ${fileUses} where ${fileUses.fileId} = ${fileId} and ${fileUses.version} = 0)`;
