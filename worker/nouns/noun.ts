import type { SQL } from "drizzle-orm";
import type { SQLiteTable } from "drizzle-orm/sqlite-core";
import type { Capability } from "#worker/access/contract.ts";
import type { BinFacet } from "#worker/bin/facet.ts";
import type { DeskValue } from "#worker/desk/contract.ts";
import type { ExportFacet } from "#worker/exports/noun-export.ts";
import type { FileUseKind, StoredFile } from "#worker/files/contract.ts";
import type { FileMove } from "#worker/files/library/replace-references.ts";
import type { Holding } from "#worker/people/held.ts";
import type { HeldKind } from "#worker/people/contract.ts";
import type { Context } from "#worker/platform/context.ts";
import type { Change as PublishedChange } from "#worker/publications/record-publication.ts";
import type { Pictures } from "#worker/platform/text/markdown.ts";
import type { StoredHtml } from "#worker/rendering/render-slice.ts";
import type { RevisionKind } from "#worker/revisions/contract.ts";

export type Statement = Parameters<Context["db"]["batch"]>[0][number];

export type RowOf<Table extends SQLiteTable> = Table["$inferSelect"];
/** The name of a column in the table's type, such as `imageFileId`. */
export type ColumnOf<Table extends SQLiteTable> = keyof RowOf<Table> & string;

/** What follows a write: statements of its batch, and a call once they are written. */
export type FollowUp = { statements: readonly Statement[]; enqueue?: () => void };

/**
 * One kind of item, for everything that treats all kinds alike: where files are used and replaced, stored HTML, the site
 * export, a person's data, the desk. Each of these is one module that walks `nouns/list.ts`.
 */
export interface Noun<Table extends SQLiteTable = SQLiteTable> {
  table: Table;
  /** The column with an item's name. */
  title?: ColumnOf<Table>;
  /** Only if items have files, in their columns or their text. */
  files?: FileFacet<Table>;
  text?: TextFacet<Table>;
  /** More sources than `text` that are stored in a readable form, too, by the name of their pass. */
  otherTexts?: Record<string, StoredHtml>;
  /** The statements that expire the cached answers which show these items; `which` is SQL. */
  changed?(ctx: Context, which: SQL): readonly Statement[];
  /** The statements that, with `changed`, expire the answers which list the smaller copies of pictures, once they are made. */
  copied?(ctx: Context, which: SQL): readonly Statement[];
  /** The feed that shows the published items among `which`, and these. */
  inFeed?(which: SQL): PublishedChange;
  /** Only if former versions of items are stored. */
  versions?: VersionFacet<Table>;
  /** Only if items are deleted into the bin. */
  bin?: BinFacet;
  exported?: ExportFacet<Table>;
  /** The personal data in it. */
  held?: Partial<Record<HeldKind, Holding>>;
  /** What deletes the data of the person with an address. */
  forget?(ctx: Context, email: string): FollowUp | Promise<FollowUp>;
  /**
   * The statements for items in a restored copy that were erased since (bin/apply-erased.ts). Without them the items are
   * deleted.
   */
  eraseAgain?(ctx: Context, which: SQL): readonly Statement[];
  /** SQL of single values for the desk. */
  desk?(ctx: Context): Partial<Record<DeskValue, SQL>>;
}

interface FileFacet<Table extends SQLiteTable> {
  kind: FileUseKind;
  /** What an item is known by, if not its id. */
  key?: ColumnOf<Table>;
  /** The columns with the id of a file. The files of the text are in `embeddedFileIds`. */
  columns?: readonly ColumnOf<Table>[];
  /** The columns with a JSON list of files that are in no text. */
  lists?: readonly ColumnOf<Table>[];
  /** Further columns with addresses of files: their values after `replace` on each address. Their files are in `embeddedFileIds`. */
  replaceAddresses?(row: RowOf<Table>, replace: (text: string) => string): Partial<RowOf<Table>>;
  /** By such a column, the one with the item's own description of the picture. */
  descriptions?: Partial<Record<ColumnOf<Table>, ColumnOf<Table>>>;
  /** What it takes to open an item, if `edit` is not enough. */
  capabilityOf?(item: string): Capability;
  /** @throws `invalid` for a file that may not replace the present one */
  requireFit?(file: StoredFile): void;
  /** @throws `conflict` for an item whose file is not replaced in this way */
  requireReplaceable?(row: RowOf<Table>, move: FileMove): void;
  /** Further columns that change with a file, in a noun without a text. */
  alsoSet?(ctx: Context): Record<string, SQL>;
}

/** Markdown, and the columns derived from it. */
export interface TextFacet<Table extends SQLiteTable = SQLiteTable> {
  /** The column of the Markdown. */
  column: ColumnOf<Table>;
  /** Further columns that the derived ones depend on. */
  alsoFrom?: ColumnOf<Table>[];
  /** Of an item with this Markdown: `embeddedFileIds`, its HTML and so on. */
  derive(row: RowOf<Table>, pictures: Pictures): Partial<RowOf<Table>>;
  /** For a column with more than Markdown: all its texts as one, and the column from that. */
  read?(row: RowOf<Table>): string;
  write?(text: string): Partial<RowOf<Table>>;
}

interface VersionFacet<Table extends SQLiteTable> {
  kind: RevisionKind;
  /** The fields of a version. */
  valuesOf(row: RowOf<Table>): object;
}

/** Checks the facets against the columns of the table. What walks the nouns knows no table. */
export const noun = <Table extends SQLiteTable>(definition: Noun<Table>) => definition as unknown as Noun;
