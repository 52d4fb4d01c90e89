import { and, desc, eq, isNotNull, sql, type SQL, gt } from "drizzle-orm";
import { isAllowed, requireCapability } from "#worker/access/capabilities.ts";
import { isInBin } from "#worker/bin/is-in-bin.ts";
import { isListed, listMatch } from "#worker/discovery/list-search.ts";
import {
  kindOf,
  type FileListQuery,
  type FileUse,
  type LibraryFile,
  type OpenedFile,
  type UnfinishedFile,
} from "#worker/files/contract.ts";
import { TRANSFER } from "#worker/files/transfers.ts";
import { toPicture } from "#worker/files/pictures/picture.ts";
import { toUpload } from "#worker/files/queries.ts";
import type { FileReferences } from "#worker/files/library/references.ts";
import { artworks, toStoredFile } from "#worker/files/stored.ts";
import { fileParts, files, fileUses } from "#worker/files/table.ts";
import type { Context } from "#worker/platform/context.ts";
import { AppError } from "#worker/platform/errors.ts";
import { olderThanId, pageOf } from "#worker/platform/data/keyset.ts";
import { alias } from "drizzle-orm/sqlite-core";

const LIST_ROWS = 30;
const UNFINISHED_ROWS = 10;
/** Of a file's uses; a page names no more. */
const USE_ROWS = 50;

/**
 * Every complete file, newest first. `before` is the previous page's `next`.
 * @throws `unauthenticated`, `forbidden`; `not_found` for a malformed cursor
 */
export async function listFiles(ctx: Context, { before, q, kind, used }: FileListQuery = {}) {
  requireCapability("edit", ctx);
  const match = await listMatch(ctx, "file_search", {
    q,
    filters: [kind && `kind${kind}`, used && `use${used}`],
  });
  // A question without a word, such as "…", finds nothing.
  if (match === null) return pageOf<LibraryFile>([], LIST_ROWS, () => "");
  const isOlder = before === undefined ? undefined : olderThanId(before, files.number);
  const isFound = isListed("file_search", files.number, { match, before, rows: LIST_ROWS + 1 });
  const rows = await selectFiles(ctx, and(isNotNull(files.number), isFound, isOlder))
    .orderBy(desc(files.number))
    .limit(LIST_ROWS + 1);
  const { items, next } = pageOf(rows, LIST_ROWS, ({ file }) => String(file.number));
  return { items: items.map(toLibraryFile), next };
}

/**
 * The latest uploads that are not complete, but those that an import brings. The daily sweep ends those that have been idle for a day.
 * @throws `unauthenticated`, `forbidden`
 */
export async function listUnfinishedFiles(ctx: Context): Promise<UnfinishedFile[]> {
  requireCapability("edit", ctx);
  const rows = await ctx.db
    .select({ file: files, received: ctx.db.$count(fileParts, eq(fileParts.fileId, files.id)) })
    .from(files)
    .where(sql`${files.status} = 'uploading' and ${files.createdBy} != ${TRANSFER}`)
    .orderBy(desc(files.createdAt))
    .limit(UNFINISHED_ROWS);
  return rows.map((row) => ({ ...toUpload(row), createdAt: row.file.createdAt.getTime() }));
}

/**
 * A file, and where it is used.
 * @throws `unauthenticated`, `forbidden`; `not_found`
 */
export async function readFile(ctx: Context, id: string, references: FileReferences): Promise<OpenedFile> {
  requireCapability("edit", ctx);
  const [rows, uses] = await Promise.all([
    selectFiles(ctx, and(eq(files.id, id), eq(files.status, "complete"))),
    listUses(ctx, id, references),
  ]);
  const [row] = rows;
  if (!row) throw noSuchFile();
  return { file: toLibraryFile(row), ...uses };
}

export const noSuchFile = () => new AppError("not_found", "There is no such file.");

/**
 * What uses a file: items as they stand first, then those of which former versions do. What the actor may not open has no
 * title.
 */
export async function listUses(ctx: Context, id: string, { owners }: FileReferences) {
  const titles = owners.flatMap(({ kind, id: key, title }) =>
    title ? [sql`when ${kind} then (select ${title} from ${key.table} where ${key} = ${fileUses.item})`] : [],
  );
  const capabilityOf = ({ kind, item }: Pick<FileUse, "kind" | "item">) =>
    owners.find((owner) => owner.kind === kind)?.capabilityOf?.(item) ?? "edit";
  const isCurrent = sql<number>`min(${fileUses.version}) = 0`;
  const rows = await ctx.db
    .select({
      kind: fileUses.kind,
      item: fileUses.item,
      title: sql<string | null>`case ${fileUses.kind} ${sql.join(titles, sql` `)} end`,
      isCurrent,
      total: sql<number>`count(*) over ()`,
    })
    .from(fileUses)
    // The versions of an item in the bin are uses of the bin.
    .where(
      and(
        eq(fileUses.fileId, id),
        sql`(${fileUses.version} = 0 or not ${isInBin(fileUses.kind, fileUses.item)})`,
      ),
    )
    .groupBy(fileUses.kind, fileUses.item)
    .orderBy(sql`${isCurrent} desc`, fileUses.kind, fileUses.item)
    .limit(USE_ROWS);
  return {
    uses: rows.map(({ total: _total, ...row }): FileUse => {
      const mayOpen = isAllowed(capabilityOf(row), ctx);
      return { ...row, title: mayOpen ? row.title : null, isCurrent: row.isCurrent === 1, mayOpen };
    }),
    useCount: rows[0]?.total ?? 0,
  };
}

const selectFiles = ({ db }: Context, which: SQL | undefined) =>
  db
    .select({ file: files, artworkKey: artworks.key })
    .from(files)
    .leftJoin(artworks, eq(artworks.id, files.artworkFileId))
    .where(which);

type Row = Awaited<ReturnType<typeof selectFiles>>[number];

const toLibraryFile = (row: Row): LibraryFile => ({
  ...toStoredFile(row),
  kind: kindOf(row.file.type),
  isUsed: row.file.isUsed,
  isKept: row.file.keptAt !== null,
  srcset: toPicture(row.file, "")?.srcset ?? "",
  completedAt: row.file.completedAt?.getTime() ?? 0,
});

/**
 * The ids of the uploads of a recording, as a subquery; none if its length is unknown. Files have no checksum: two are
 * one recording where type, bytes and length are equal.
 */
export function selectCopies({ db }: Context, fileId: string) {
  const copies = alias(files, "copies");
  const isCopy = and(
    eq(copies.size, files.size),
    eq(copies.durationSeconds, files.durationSeconds),
    eq(copies.type, files.type),
  );
  return db
    .select({ id: copies.id })
    .from(files)
    .innerJoin(copies, isCopy)
    .where(and(eq(files.id, fileId), gt(files.size, 0)));
}
