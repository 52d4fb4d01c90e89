import { and, eq, notInArray, sql } from "drizzle-orm";
import { requireCapability } from "#worker/access/capabilities.ts";
import {
  FileChange,
  kindOf,
  Replacement,
  type FileKind,
  type FileUseKind,
  type LibraryFile,
  type StoredFile,
} from "#worker/files/contract.ts";
import { noSuchFile, readFile } from "#worker/files/library/queries.ts";
import type { FilePlaces, Moved, Nouns } from "#worker/files/library/replace-references.ts";
import { findStoredFiles } from "#worker/files/stored.ts";
import { leadToSuccessor } from "#worker/files/library/successors.ts";
import { files, fileUses } from "#worker/files/table.ts";
import type { Context } from "#worker/platform/context.ts";
import { AppError } from "#worker/platform/errors.ts";
import { parseInput } from "#worker/platform/data/input.ts";
import { writeAndRead } from "#worker/platform/data/write-and-read.ts";

/** Items that one batch updates, each by two or three statements. */
export const MOST_PLACES = 40;
/** An editor may save an item while its file is replaced. */
const TRIES = 3;

/**
 * Changes a file's description. Items without a description of their own show the new one immediately.
 * @throws `unauthenticated`, `forbidden`; `invalid`; `not_found` unless it is a complete file
 */
export async function updateFile(
  ctx: Context,
  id: string,
  input: FileChange,
  { references, places }: Nouns,
): Promise<LibraryFile> {
  requireCapability("edit", ctx);
  const { alt, kept } = parseInput(FileChange, input);
  const update = ctx.db
    .update(files)
    .set({
      ...(alt !== undefined && { alt }),
      ...(kept !== undefined && { keptAt: kept ? ctx.now : null }),
      id,
    })
    .where(and(eq(files.id, id), eq(files.status, "complete")))
    .returning({ id: files.id });
  const described =
    alt === undefined ? [] : Object.values(places).flatMap((place) => place.described?.(ctx, id) ?? []);
  const [[[updated]], { file }] = await writeAndRead(
    ctx,
    (db) => db.batch([update, ...described]),
    (one) => readFile(one, id, references),
  );
  if (!updated) throw noSuchFile();
  return file;
}

/**
 * Replaces a file by another in all items that use it. The new file gets the description, unless it has one. Former
 * versions of the items are not changed. Returns the number of updated items.
 * @throws `unauthenticated`, `forbidden`; `not_found`; `invalid` for a file of another type, or one that an item does
 * not accept; `conflict` for the recording of an episode, for more than `MOST_PLACES`, and if an editor keeps saving
 * one
 */
export async function replaceFile(ctx: Context, id: string, input: Replacement, places: FilePlaces) {
  requireCapability("edit", ctx);
  const { by } = parseInput(Replacement, input);
  const stored = await findStoredFiles(ctx, [id, by]);
  const [former, next] = [stored.get(id), stored.get(by)];
  if (!former) throw noSuchFile();
  refuseUnfit(former, next);
  let moved = 0;
  for (let left = TRIES; ; left--) {
    const items = await findItems(ctx, id);
    if (items.length > MOST_PLACES) throw tooMany();
    if (items.length > 0 && left === 0) throw savedMeanwhile();
    await moveItems(ctx, items, { former, next }, places);
    moved = Math.max(moved, items.length);
    if (items.length === 0) return { moved };
  }
}

function refuseUnfit(former: StoredFile, next: StoredFile | undefined): asserts next is StoredFile {
  const refuse = (message: string) => new AppError("invalid", message, { field: "by" });
  if (!next) throw refuse("Upload the file again.");
  if (next.id === former.id) throw refuse("This is the same file.");
  const kind = kindOf(former.type);
  if (kindOf(next.type) !== kind) throw refuse(wanted[kind]);
}

const wanted: Record<FileKind, string> = {
  picture: "Choose a picture.",
  audio: "Choose an audio file.",
  other: "Choose a document or a video.",
};

type Item = { kind: FileUseKind; item: string };

/** The items whose current version uses a file: at most one more than the limit. */
const findItems = ({ db }: Context, id: string): Promise<Item[]> =>
  db
    .select({ kind: fileUses.kind, item: fileUses.item })
    .from(fileUses)
    .where(and(eq(fileUses.fileId, id), eq(fileUses.version, 0), notInArray(fileUses.kind, ["file", "bin"])))
    .limit(MOST_PLACES + 1);

type Pair = { former: StoredFile; next: StoredFile };

/** One batch: readers see all of it, or nothing. */
async function moveItems(ctx: Context, items: Item[], { former, next }: Pair, places: FilePlaces) {
  const move = { from: former.id, to: next };
  const byKind = Object.entries(places).map(([kind, place]): Promise<Moved> => {
    const named = items.filter((item) => item.kind === kind).map(({ item }) => item);
    return named.length > 0 ? place.move(ctx, named, move) : Promise.resolve({ statements: [] });
  });
  const moves = await Promise.all(byKind);
  await ctx.db.batch([...takePlace(ctx, former, next), ...moves.flatMap(({ statements }) => statements)]);
  for (const { enqueue } of moves) enqueue?.();
}

/**
 * The new file takes over the description and `keptAt` of the former one, which the daily sweep deletes a day after its
 * last use.
 */
function takePlace(ctx: Context, former: StoredFile, next: StoredFile) {
  const { db } = ctx;
  const ofFormer = (column: "alt" | "kept_at") =>
    sql`(select former.${sql.raw(column)} from ${files} as former where former.id = ${former.id})`;
  const take = db
    .update(files)
    .set({
      alt: sql`case ${files.alt} when '' then ${ofFormer("alt")} else ${files.alt} end`,
      keptAt: sql`coalesce(${files.keptAt}, ${ofFormer("kept_at")})`,
    })
    .where(eq(files.id, next.id));
  const leave = db.update(files).set({ keptAt: null }).where(eq(files.id, former.id));
  return [take, leave, ...leadToSuccessor(ctx, former.id, next.id)] as const;
}

const tooMany = () =>
  new AppError(
    "conflict",
    `More than ${MOST_PLACES} places use this file, too many to change in one step. Change some of them first.`,
  );

const savedMeanwhile = () =>
  new AppError(
    "conflict",
    "Someone is saving a place that uses this file. Wait a moment, then replace it again.",
  );
