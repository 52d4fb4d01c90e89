import { and, eq, inArray, ne, sql } from "drizzle-orm";
import type { BatchItem } from "drizzle-orm/batch";
import type { SQLiteUpdateSetSource } from "drizzle-orm/sqlite-core";
import { requireCapability } from "#worker/access/capabilities.ts";
import { importKinds } from "#worker/imports/registry.ts";
import {
  MAX_PAYLOAD,
  NewImport,
  NewItems,
  RetryItems,
  StartImport,
  type ImportProgress,
  type ImportState,
} from "#worker/imports/contract.ts";
import { readImport, requireKind } from "#worker/imports/import-queries.ts";
import { insertImport, insertItems } from "#worker/imports/items.ts";
import { AT_ONCE, enqueueItems } from "#worker/imports/queue.ts";
import { progressColumns, toProgress } from "#worker/imports/progress.ts";
import { importItems, imports } from "#worker/imports/table.ts";
import { hasStartedIn } from "#worker/imports/unfinished.ts";
import type { Context } from "#worker/platform/context.ts";
import { AppError } from "#worker/platform/errors.ts";
import { parseInput } from "#worker/platform/data/input.ts";
import { afterWrite } from "#worker/platform/work/after-write.ts";

/**
 * Creates an import whose items a browser sends.
 * @throws `unauthenticated`, `forbidden`; `invalid`, also for a kind whose items a browser cannot send
 */
export async function createImport(ctx: Context, input: NewImport): Promise<ImportProgress> {
  requireCapability("edit", ctx);
  const { kind, source } = parseInput(NewImport, input);
  requirePayload(ctx, kind);
  const [created] = await insertImport(ctx, { kind, source });
  return toProgress(created!);
}

function requirePayload(ctx: Context, name: string) {
  const { payload } = requireKind(ctx, name);
  if (!payload) throw new AppError("invalid", "Items of this kind can’t be sent.", { field: "kind" });
  return payload;
}

/**
 * Adds items to an import that has not started. Sending an item again changes nothing.
 * @throws `unauthenticated`, `forbidden`; `not_found`; `invalid` with the item; `conflict` once it has started
 */
export async function addItems(ctx: Context, id: number, input: NewItems): Promise<ImportProgress> {
  requireCapability("edit", ctx);
  const { items } = parseInput(NewItems, input);
  const { kind, state } = await readImport(ctx, id);
  const schema = requirePayload(ctx, kind);
  const parsed = items.map(({ payload, ...item }, at) => {
    if (JSON.stringify(payload ?? null).length > MAX_PAYLOAD) throw tooLong(at);
    return { ...item, payload: parsePayload(schema, payload, at) };
  });
  const added = await insertItems(ctx, id, parsed);
  if (!added) throw notNow(kind, state);
  return added;
}

function parsePayload(schema: Parameters<typeof parseInput>[0], payload: unknown, at: number) {
  try {
    return parseInput(schema, payload);
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    throw new AppError("invalid", error.message, { field: `items.${at}.payload` });
  }
}

const tooLong = (at: number) =>
  new AppError("invalid", `An item has at most ${MAX_PAYLOAD.toLocaleString("en")} characters.`, {
    field: `items.${at}.payload`,
  });

/**
 * Starts an import. The options `asDrafts` and `joinsArticles` are stored in its details for its kind.
 * @throws `unauthenticated`, `forbidden`; `invalid`; `not_found`; `conflict` if it has already started, or has nothing
 * to do
 */
export async function startImport(
  ctx: Context,
  id: number,
  input: StartImport = {},
): Promise<ImportProgress> {
  requireCapability("edit", ctx);
  const { as, articles } = parseInput(StartImport, input);
  const { kind, state } = await readImport(ctx, id);
  const { takesDrafts, joinsArticles, lastItem } = requireKind(ctx, kind);
  if (as === "draft" && !takesDrafts)
    throw new AppError("invalid", "These items come in the state that they were sent with.", { field: "as" });
  if (articles === "join" && !joinsArticles)
    throw new AppError("invalid", "These items aren’t joined with articles.", { field: "articles" });
  const of = (itemState: string) => sql`(select count(*) from ${importItems}
    where ${importItems.importId} = ${id} and ${importItems.state} = ${itemState})`;
  const isWhole = lastItem === undefined ? sql`true` : hasItem(id, lastItem);
  const size = sql`(select coalesce(sum(${importItems.size}), 0) from ${importItems}
    where ${importItems.importId} = ${id} and ${importItems.state} = 'waiting')`;
  const said = {
    ...(as === "draft" && { asDrafts: true }),
    ...(articles === "join" && { joinsArticles: true }),
  };
  const details = sql`json_patch(coalesce(${imports.details}, '{}'), ${JSON.stringify(said)})`;
  const counted = {
    skipped: of("skipped"),
    bytes: size,
    startedAt: ctx.now,
    ...(Object.keys(said).length > 0 && { details }),
  };
  const [started] = await move(
    ctx,
    id,
    ["open"],
    { state: "running", ...counted },
    sql`${of("waiting")} > 0 and ${isWhole}`,
  );
  if (!started) throw state === "open" ? notWhole(lastItem) : notNow(kind, state);
  enqueueItems(ctx, id, AT_ONCE);
  return toProgress(started);
}

const hasItem = (id: number, key: string) => sql`exists (select 1 from ${importItems}
  where ${importItems.importId} = ${id} and ${importItems.key} = ${key})`;

const notWhole = (lastItem: string | undefined) =>
  new AppError(
    "conflict",
    lastItem === undefined
      ? "There’s nothing to import."
      : "Not all of the archive has arrived. Continue on Settings → Restore.",
  );

/**
 * Pauses an import. Items in progress finish, or stop at the next step from which they can resume.
 * @throws `unauthenticated`, `forbidden`; `not_found`; `conflict` if it is not running
 */
export async function pauseImport(ctx: Context, id: number): Promise<ImportProgress> {
  requireCapability("edit", ctx);
  return moveOrRefuse(ctx, id, ["running"], { state: "paused", pausedReason: null });
}

/** @throws `unauthenticated`, `forbidden`; `not_found`; `conflict` for one that is not paused */
export async function resumeImport(ctx: Context, id: number): Promise<ImportProgress> {
  requireCapability("edit", ctx);
  const resumed = await moveOrRefuse(ctx, id, ["paused"], { state: "running", pausedReason: null });
  enqueueItems(ctx, id, AT_ONCE);
  return resumed;
}

/**
 * Ends an import for good. Imported items remain.
 * @throws `unauthenticated`, `forbidden`; `not_found`; `conflict` if it has ended
 */
export async function cancelImport(ctx: Context, id: number): Promise<ImportProgress> {
  requireCapability("edit", ctx);
  const { kind, state } = await readImport(ctx, id);
  const ended = { state: "cancelled", finishedAt: ctx.now, pausedReason: null } as const;
  const cancel = move(ctx, id, ["open", "running", "paused"], ended);
  const [row] = await endBy(ctx, { id, kind }, ["running", "paused"], cancel);
  if (!row) throw notNow(kind, state);
  const cancelled = toProgress(row);
  await afterWrite(END, atEnd(ctx, cancelled, true));
  return cancelled;
}

const END = "imports: what follows the end of an import";
const atEnd = async (ctx: Context, ended: ImportProgress, isCut: boolean) =>
  importKinds[ended.kind]?.onEnd?.(ctx, ended, isCut);

/** Ends an import by this statement, in a batch with what its kind writes if it had started and was in one of these states. */
async function endBy<End extends BatchItem<"sqlite">>(
  ctx: Context,
  { id, kind }: Pick<ImportProgress, "id" | "kind">,
  states: ImportState[],
  end: End,
) {
  const before = importKinds[kind]?.endingWith?.(ctx, hasStartedIn(id, states)) ?? [];
  const statements: BatchItem<"sqlite">[] = [...before, end];
  const [first, ...others] = statements;
  const answers = await ctx.db.batch([first!, ...others]);
  return answers.at(-1) as Awaited<End>;
}

/**
 * Retries one failed item, or all of them.
 * @throws `unauthenticated`, `forbidden`; `not_found`; `invalid`; `conflict` if none failed, or it was cancelled
 */
export async function retryItems(ctx: Context, id: number, input: RetryItems): Promise<ImportProgress> {
  requireCapability("edit", ctx);
  const { item } = parseInput(RetryItems, input);
  const { kind, state } = await readImport(ctx, id);
  const isOpen = sql`exists (select 1 from ${imports} where ${imports.id} = ${id} and ${imports.state} != 'cancelled')`;
  const again = ctx.db
    .update(importItems)
    .set({ state: "waiting", attempts: 0, notBefore: ctx.now, message: null, settledAt: null })
    .where(
      and(
        eq(importItems.importId, id),
        eq(importItems.state, "failed"),
        item === undefined ? undefined : eq(importItems.id, item),
        isOpen,
      ),
    );
  const reopen = ctx.db
    .update(imports)
    .set({
      failed: sql`${imports.failed} - changes()`,
      state: sql`iif(${imports.state} = 'done', 'running', ${imports.state})`,
      finishedAt: null,
      updatedAt: ctx.now,
    })
    .where(and(eq(imports.id, id), ne(imports.state, "cancelled"), sql`changes() > 0`))
    .returning(progressColumns);
  const [, [reopened]] = await ctx.db.batch([again, reopen]);
  if (!reopened)
    throw state === "cancelled" ? notNow(kind, state) : new AppError("conflict", "Nothing failed here.");
  enqueueItems(ctx, id, AT_ONCE);
  return toProgress(reopened);
}

/**
 * Deletes an import and its list of items. Imported items remain.
 * @throws `unauthenticated`, `forbidden`; `not_found`; `conflict` if it is running
 */
export async function deleteImport(ctx: Context, id: number) {
  requireCapability("edit", ctx);
  const { kind, state } = await readImport(ctx, id);
  const remove = ctx.db
    .delete(imports)
    .where(and(eq(imports.id, id), ne(imports.state, "running")))
    .returning(progressColumns);
  const [row] = await endBy(ctx, { id, kind }, ["paused"], remove);
  if (!row) throw notNow(kind, state);
  const deleted = toProgress(row);
  await afterWrite(END, atEnd(ctx, deleted, deleted.state === "paused"));
}

type ImportChange = SQLiteUpdateSetSource<typeof imports>;

/** The statement that changes an import in one of these states; it returns the row if it did. */
const move = (ctx: Context, id: number, from: ImportState[], to: ImportChange, condition = sql`true`) =>
  ctx.db
    .update(imports)
    .set({ ...to, updatedAt: ctx.now })
    .where(and(eq(imports.id, id), inArray(imports.state, from), condition))
    .returning(progressColumns);

async function moveOrRefuse(ctx: Context, id: number, from: ImportState[], to: ImportChange) {
  const { kind, state } = await readImport(ctx, id);
  const [moved] = await move(ctx, id, from, to);
  if (!moved) throw notNow(kind, state);
  return toProgress(moved);
}

const WORDS: Record<ImportState, string> = {
  open: "hasn’t started",
  running: "is running",
  paused: "is paused",
  done: "has finished",
  cancelled: "was cancelled",
};

const notNow = (kind: string, state: ImportState) =>
  new AppError(
    "conflict",
    `You can’t do that now: this ${importKinds[kind]?.work ?? "import"} ${WORDS[state]}.`,
  );
