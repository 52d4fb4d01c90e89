import { createHash } from "node:crypto";
import { sql, type SQL } from "drizzle-orm";
import { setLogHead } from "#worker/accounts/log-head-sql.ts";
import { eventRowIf } from "#worker/accounts/audit-log.ts";
import { ListedObject, type Manifest } from "#worker/exports/contract.ts";
import { ROWS } from "#worker/exports/left-out.ts";
import { readTable } from "#worker/exports/tables.ts";
import { compareObject } from "#worker/files/hashes.ts";
import type { ImportItem, Outcome, WorkItem } from "#worker/imports/import-type.ts";
import { payloadAt, payloadsOf, sumOfItems } from "#worker/imports/items.ts";
import { runTogether } from "#worker/platform/data/raw-batch.ts";
import type { Context } from "#worker/platform/context.ts";
import type { Table } from "#worker/platform/data/schema.ts";
import { AppError } from "#worker/platform/errors.ts";
import { linesIn, parseRows } from "#worker/restores/check-rows.ts";
import {
  compareRows,
  describeComparison,
  nothingCompared,
  type Compared,
} from "#worker/restores/compare-rows.ts";
import type { ComparedFiles } from "#worker/restores/contract.ts";
import { expireAnswers, writeUnlessEnded } from "#worker/restores/end-restore.ts";
import { eraseSince, storeErased } from "#worker/restores/erased-since.ts";
import { insertRows } from "#worker/restores/insert-rows.ts";
import { whyNotEmpty, WRITTEN_BY_SETUP } from "#worker/restores/is-empty.ts";
import { deleteStaged, forgetStored, markHalfRestored, stagedKey } from "#worker/restores/staging.ts";

/** The steps of a restore, in the order of its items. Each can be repeated, since its message may be interrupted. */
export type Step = { step: "begin" } | Piece | { step: "compare"; table: string } | { step: "finish" };

/** The key of a piece's item. */
export const pieceKey = (number: number) => `piece-${number}`;

/** `of`: the name of the file. */
type Piece = { step: "piece"; of: string; number: number; rows: number; bytes: number; sha256: string };

/** The table of the keys of signed links. */
const KEYS = "signing_keys";
/** Beyond the ids of any archive's keys. */
const AFTER_ARCHIVED = 1_000_000_000;

const pausing = (message: string): Outcome => ({ is: "pause", message });

export const restorePiece: ImportItem = async (ctx, item) => {
  const step = item.payload as Step;
  const manifest = item.details as Manifest;
  try {
    switch (step.step) {
      case "begin":
        return await begin(ctx, item, manifest);
      case "piece":
        return await writePiece(ctx, item, step, manifest);
      case "compare":
        return await compare(ctx, item, manifest, step.table);
      case "finish":
        return await finish(ctx, item, manifest);
    }
  } catch (error) {
    // Nothing after it could be right.
    if (error instanceof AppError) return pausing(error.message);
    throw error;
  }
};

/** Replaces what the set-up wrote, so that each row of the archive keeps its id. */
async function begin(ctx: Context, { importId }: WorkItem, manifest: Manifest): Promise<Outcome> {
  const reason = await whyNotEmpty(ctx);
  if (reason !== null) return pausing(reason);
  await requireWhole(ctx, importId, manifest);
  const own = manifest.tables.map(({ table }) => table).filter((name) => WRITTEN_BY_SETUP.includes(name));
  const { security_events: events = 0 } = manifest.counters;
  const counters = JSON.stringify(manifest.counters);
  const keys = await insertKeys(ctx, importId, manifest);
  await storeErased(ctx);
  await markHalfRestored(ctx);
  await runTogether(ctx, [
    // The log of this site so far follows that of the archive, in its order. Twice is once: new ids are larger. All ids
    // become negative first, so that none is taken while they change.
    sql`update security_events set id = -id where (select min(id) from security_events) <= ${events}`,
    sql`update security_events set id = ${events} - id, salt = null, personal_hash = null, hash = null where id < 0`,
    // An email is about the entries after an id.
    sql`delete from log_alerts`,
    sql`delete from erased`,
    ...own.map((name) => sql.raw(`delete from "${name}" where ${ROWS[name] ?? "true"}`)),
    // This site's other keys stay, so that its owner stays signed in; the archive's may have their ids.
    sql`update ${sql.identifier(KEYS)} set id = id + ${AFTER_ARCHIVED} where id < ${AFTER_ARCHIVED}`,
    sql`insert into sqlite_sequence (name, seq) select key, 0 from json_each(${counters})
      where key not in (select name from sqlite_sequence)`,
    sql`update sqlite_sequence set seq = max(seq, value) from json_each(${counters}) where name = key`,
    ...keys,
  ]);
  return { is: "done" };
}

/** The keys come before any other row: by them, `eraseSince` knows the site that a restore which has not finished is of. */
async function insertKeys(ctx: Context, importId: number, manifest: Manifest) {
  const { file } = manifest.tables.find(({ table }) => table === KEYS)!;
  const statements: SQL[] = [];
  for (const payload of await payloadsOf(ctx, importId, file))
    statements.push(...(await insertPiece(ctx, importId, payload as Piece, manifest)));
  return statements;
}

/** @throws `invalid` if pieces are missing */
async function requireWhole(ctx: Context, importId: number, { tables, objects }: Manifest) {
  const sums = await sumOfItems(ctx, importId);
  for (const { file, rows, bytes } of [...tables, objects]) {
    const sum = sums.get(file) ?? { rows: 0, bytes: 0 };
    if (sum.rows !== rows || sum.bytes !== bytes)
      throw new AppError(
        "invalid",
        `Only a part of the archive has arrived: “${file}” isn’t whole. Start again.`,
      );
  }
}

async function writePiece(ctx: Context, item: WorkItem, piece: Piece, manifest: Manifest): Promise<Outcome> {
  const { importId } = item;
  if (piece.of === manifest.objects.file)
    return compareObjects(ctx, item, await readPiece(ctx, importId, piece));
  await writeUnlessEnded(ctx, importId, await insertPiece(ctx, importId, piece, manifest));
  return { is: "done" };
}

async function insertPiece(ctx: Context, importId: number, piece: Piece, manifest: Manifest) {
  const text = await readPiece(ctx, importId, piece);
  const table = await requireTable(ctx, manifest, piece.of);
  return insertRows(ctx, importId, table, parseRows(table, text));
}

/** @throws `not_found`; `invalid` */
async function readPiece({ media }: Context, importId: number, { number, sha256 }: Piece) {
  const object = await media.get(stagedKey(importId, number));
  if (!object)
    throw new AppError("not_found", "A part of the archive is no longer stored. Restore into a new site.");
  const text = await object.text();
  if (hashText(text) !== sha256)
    throw new AppError("invalid", "A part of the archive has changed. Restore into a new site.");
  return text;
}

export const hashText = (text: string) => createHash("sha256").update(text).digest("hex");

/** @throws `invalid` for a file that is no table of this site */
export async function requireTable(ctx: Context, { tables }: Manifest, file: string): Promise<Table> {
  const name = tables.find((table) => table.file === file)?.table;
  const table = name === undefined ? undefined : await readTable(ctx, name);
  if (!table) throw new AppError("invalid", `The archive has no table “${file}” that this site knows.`);
  return table;
}

/** Files that a step compares: each is a request to R2 and a statement, and two more if it is read. */
const OBJECTS_A_STEP = 100;
const FEW_OBJECTS = 5;
/** Bytes that a step reads; on the free plan one file. */
const BYTES_A_STEP = 200_000_000;

/** The keys of files that are not the archive's. `unread`: only their size was compared. */
type ComparedObjects = { at: number; missing: string[]; different: string[]; unread: string[] };

/** The row in the report of some stored files. */
async function compareObjects(ctx: Context, { saved, save }: WorkItem, text: string): Promise<Outcome> {
  const objects = linesIn(text).map((line) => ListedObject.parse(JSON.parse(line)));
  const found: ComparedObjects = {
    at: 0,
    missing: [],
    different: [],
    unread: [],
    ...(saved as object | null),
  };
  const isFree = ctx.config.plan === "free";
  const end = found.at + (isFree ? FEW_OBJECTS : OBJECTS_A_STEP);
  const mostRead = isFree ? 0 : BYTES_A_STEP;
  let read = 0;
  while (found.at < objects.length) {
    const object = objects[found.at++]!;
    const compared = await compareObject(ctx, object);
    if (compared.is === "missing") found.missing.push(object.key);
    if (compared.is === "different") found.different.push(object.key);
    if (compared.is === "sameSize") found.unread.push(object.key);
    read += compared.read;
    const isOver = found.at >= end || read > mostRead;
    // What was read is not read again after an interruption.
    if ((compared.read > 0 || isOver) && found.at < objects.length && (!(await save(found)) || isOver))
      return { is: "more" };
  }
  return { is: "done", ...describeObjects(objects.length, found) };
}

function describeObjects(count: number, { missing, different, unread }: ComparedObjects) {
  const notes = [
    missing.length > 0 && `Missing: ${missing.join(", ")}.`,
    different.length > 0 && `Different from the archive’s: ${different.join(", ")}.`,
    unread.length > 0 && `Not compared, but of the archive’s size: ${unread.join(", ")}.`,
  ];
  const message = notes.filter(Boolean).join(" ");
  const result: ComparedFiles = { other: missing.length + different.length, unread: unread.length };
  return {
    result: JSON.stringify(result),
    message:
      message ||
      (count === 1 ? "1 file has the archive’s hash." : `${count} files have the archive’s hashes.`),
  };
}

/** The number of the first piece of a file, whose others follow it; 0 for an empty file. */
async function firstPieceOf(ctx: Context, importId: number, file: string) {
  const [first] = await payloadsOf(ctx, importId, file, 1);
  return first ? (first as Piece).number : 0;
}

/** Milliseconds and pieces after which the rest of a table is left to the next message. Each piece is some four statements. */
const COMPARE_MS = 20_000;
const COMPARED_PIECES = 100;

/** `number`: of the next piece. */
type ComparedPieces = { number: number; compared: Compared };

/** The row in the report of a table, which is compared piece by piece, on the free plan one in each message. */
async function compare(ctx: Context, item: WorkItem, manifest: Manifest, name: string): Promise<Outcome> {
  const { importId, saved, save } = item;
  const { file, rows } = manifest.tables.find(({ table }) => table === name)!;
  const table = await requireTable(ctx, manifest, file);
  let { number, compared } = (saved as ComparedPieces | null) ?? {
    number: await firstPieceOf(ctx, importId, file),
    compared: nothingCompared,
  };
  const end = number + (ctx.config.plan === "free" ? 1 : COMPARED_PIECES);
  const isOver = () => number >= end || ctx.clock().getTime() > ctx.now.getTime() + COMPARE_MS;
  for (;;) {
    const piece = (await payloadAt(ctx, importId, pieceKey(number))) as Piece | undefined;
    if (piece?.of !== file) break;
    compared = await compareRows(ctx, importId, table, await readPiece(ctx, importId, piece), compared);
    number++;
    if (!isOver()) continue;
    await save({ number, compared });
    return { is: "more" };
  }
  return { is: "done", ...(await describeComparison(ctx, table, rows, compared)) };
}

/** In two messages: the free plan has too few statements for both in one. */
async function finish(
  ctx: Context,
  { importId, saved, save }: WorkItem,
  { site }: Manifest,
): Promise<Outcome> {
  if (!saved) {
    await eraseSince(ctx);
    await save({ hasErased: true });
    return { is: "more" };
  }
  const event = { kind: "site_restored", email: ctx.config.adminEmail, detail: site } as const;
  // Once, also if this step is repeated.
  const isLogged = sql`exists (select 1 from security_events where kind = 'site_restored'
    and at >= (select started_at from imports where id = ${importId}))`;
  await ctx.db.batch([expireAnswers(ctx), eventRowIf(ctx, event, sql`not ${isLogged}`)]);
  await runTogether(
    ctx,
    setLogHead.map((statement) => sql.raw(statement)),
  );
  await deleteStaged(ctx, importId);
  await forgetStored(ctx);
  return { is: "done" };
}
