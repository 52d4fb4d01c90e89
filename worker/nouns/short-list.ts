import { and, eq, sql, type SQL } from "drizzle-orm";
import type { SQLiteColumn, SQLiteTable } from "drizzle-orm/sqlite-core";
import type { z } from "zod";
import { requireCapability } from "#worker/access/capabilities.ts";
import type { Capability } from "#worker/access/contract.ts";
import { moveToBin } from "#worker/bin/move-to-bin.ts";
import type { ColumnOf, Noun, RowOf, Statement } from "#worker/nouns/noun.ts";
import { changed } from "#worker/platform/data/changes.ts";
import type { Context } from "#worker/platform/context.ts";
import { draftKeyOf, findByDraftKey, refusingTakenKey } from "#worker/platform/data/draft-key.ts";
import { AppError } from "#worker/platform/errors.ts";
import { parseInput } from "#worker/platform/data/input.ts";
import { laterThan } from "#worker/platform/data/publishing.ts";
import { requireRoom, takeBackIfFull } from "#worker/platform/data/row-limit.ts";
import { writeAndRead, type Alongside } from "#worker/platform/data/write-and-read.ts";
import { isRepeated } from "#worker/platform/data/versions.ts";

type OwnColumn = "id" | "draftKey" | "createdAt" | "updatedAt";
type ItemTable = SQLiteTable & Record<OwnColumn, SQLiteColumn>;

type NewSchema = z.ZodType<{ draftKey?: string }>;
type ChangeSchema = z.ZodType<{ basedOn?: number }>;

type ShortList<
  Table extends ItemTable,
  New extends NewSchema,
  Change extends ChangeSchema,
  Edited,
  Around,
> = {
  table: Table;
  /** An item, in the messages: "venture". */
  one: string;
  /** Who may list and change the items: "edit" by default. */
  capability?: Capability;
  /** The cache tag of the pages that show the items. */
  tag: string;
  /** The column that decides whether visitors see an item, and its value if they do; without it, they see all. */
  shown?: { column: ColumnOf<Table>; value: string | boolean };
  /** The statements that expire the answers which show these versions of an item, instead of that for `tag`. */
  changes?(ctx: Context, versions: object[]): readonly Statement[];
  /** Given if its items are deleted into the bin. */
  noun?: Noun;
  /** The row limit, and the items in its message: "ventures". */
  limit?: { most: number; noun: string };
  New: New;
  Change: Change;
  /** The fields that a new item may leave out. */
  defaults: object;
  /** Refuses fields that may not be stored. */
  requireGiven?(ctx: Context, given: Partial<z.output<New>>): Promise<void> | void;
  /** The columns of these fields, where they differ. */
  toColumns?(ctx: Context, fields: Partial<z.output<New>>): Promise<object> | object;
  /** A column besides the draft key whose value creates at most one item. */
  onceBy?: ColumnOf<Table>;
  /** What an item is shown with besides its columns, such as its files. Reads all of it together. */
  readAround?(ctx: Context, columns: Partial<Omit<RowOf<Table>, OwnColumn>>): Promise<Around>;
  /** What the owner edits. */
  toEdited(ctx: Context, columns: Omit<RowOf<Table>, OwnColumn>, around: Around): Edited;
};

export type ItemUseCases<New, Change, Editable> = {
  /**
   * Creates an item; `columns` are values that no field gives, `alongside` what another item needs of it. Idempotent by
   * `draftKey`: a repeated request changes the same item. Idempotent by `onceBy`: a repeated request returns the existing
   * item as it is now.
   * @throws `unauthenticated`, `forbidden`; `invalid`; `conflict` if the list is full, or a concurrent request is
   * creating the item
   */
  create(ctx: Context, input: New, columns?: object, alongside?: Alongside): Promise<Editable>;
  /**
   * An item as its owner edits it.
   * @throws `unauthenticated`, `forbidden`; `not_found`
   */
  readForEdit(ctx: Context, id: number): Promise<Editable>;
  /**
   * Changes the given fields. `basedOn` is the `updatedAt` that the change was made from.
   * @throws `unauthenticated`, `forbidden`; `not_found`; `invalid`; `conflict` when the item was changed elsewhere since
   * `basedOn`
   */
  update(ctx: Context, id: number, input: Change): Promise<Editable>;
  /** @throws `unauthenticated`, `forbidden`; `not_found` */
  remove(ctx: Context, id: number): Promise<void>;
};

/** The use cases of a noun whose items have one form and no former versions. Checks the definition against the table. */
export const shortList = <
  Table extends ItemTable,
  New extends NewSchema,
  Change extends ChangeSchema,
  Edited extends object,
  Around = undefined,
>(
  list: ShortList<Table, New, Change, Edited, Around>,
) =>
  useCasesOf(list as unknown as AnyList) as ItemUseCases<
    z.input<New>,
    z.input<Change>,
    { id: number; updatedAt: number } & Edited
  >;

type AnyTable = ItemTable & Record<string, SQLiteColumn>;
type Row = Record<string, unknown> & { id: number; updatedAt: Date };
type Fields = Record<string, unknown>;
type AnyList = ShortList<
  AnyTable,
  z.ZodType<Fields & { draftKey?: string }>,
  z.ZodType<Fields & { basedOn?: number }>,
  object,
  unknown
>;

function useCasesOf(list: AnyList): ItemUseCases<unknown, unknown, object> {
  const {
    table,
    one,
    capability = "edit",
    tag,
    shown,
    limit,
    onceBy,
    defaults,
    toColumns = (_ctx, fields) => fields,
  } = list;
  const room = limit && { table, ...limit };
  const notFound = () => new AppError("not_found", `There is no such ${one}.`);
  const changedElsewhere = () =>
    new AppError("conflict", `This ${one} was changed elsewhere since you opened it.`);

  /** The statement that expires the cached answers, if visitors see one of these versions of an item. */
  const changedIfShown = (ctx: Context, ...versions: object[]): readonly Statement[] =>
    list.changes?.(ctx, versions) ??
    (!shown || versions.some((version) => Reflect.get(version, shown.column) === shown.value)
      ? [changed(ctx, tag)]
      : []);

  async function readRow({ db }: Context, isIt: SQL) {
    const [row] = await db.select().from(table).where(isIt);
    if (!row) throw notFound();
    return row as Row;
  }

  const readAround = async (ctx: Context, row: object) => list.readAround?.(ctx, row);

  function editableOf(ctx: Context, row: Record<string, unknown>, around: unknown) {
    const { id, draftKey: _key, createdAt: _created, updatedAt, ...columns } = row as Row;
    return { id, updatedAt: updatedAt.getTime(), ...list.toEdited(ctx, columns, around) };
  }

  const toEditable = async (ctx: Context, row: Record<string, unknown>) =>
    editableOf(ctx, row, await readAround(ctx, row));

  async function create(
    ctx: Context,
    input: unknown,
    columns: Record<string, unknown> = {},
    alongside?: Alongside,
  ): Promise<object> {
    requireCapability(capability, ctx);
    const { draftKey: key, ...given } = parseInput(list.New, input);
    await list.requireGiven?.(ctx, given);
    const draftKey = draftKeyOf(ctx, key);
    const made = await findByDraftKey(ctx, table, draftKey);
    if (made !== null) return update(ctx, made, given);
    const values = { ...(await toColumns(ctx, { ...defaults, ...given })), ...columns };
    const insert = ctx.db
      .insert(table)
      .values({ ...values, draftKey, createdAt: ctx.now, updatedAt: ctx.now });
    const insertOnce = onceBy ? insert.onConflictDoNothing({ target: table[onceBy]! }) : insert;
    const takeBack = room ? [takeBackIfFull(ctx, room)] : [];
    const write = (db: Context["db"]) =>
      db.batch([
        insertOnce.returning(),
        ...takeBack,
        ...changedIfShown(ctx, values),
        ...(alongside?.statements(sql`true`) ?? []),
      ]);
    const [[[created], takenBack], [around]] = await refusingTakenKey(table, () =>
      writeAndRead(ctx, write, (batched) =>
        Promise.all([readAround(batched, values), alongside?.read(batched)]),
      ),
    );
    if (room) requireRoom(room, takenBack as unknown[]);
    if (created) return editableOf(ctx, created, around);
    return toEditable(ctx, await readRow(ctx, eq(table[onceBy!]!, columns[onceBy!])));
  }

  async function update(ctx: Context, id: number, input: unknown) {
    requireCapability(capability, ctx);
    const { basedOn, ...given } = parseInput(list.Change, input);
    const change = await toColumns(ctx, given);
    const row = await readRow(ctx, eq(table.id, id));
    if (isRepeated({ basedOn, stored: row, given: () => change, changedElsewhere }))
      return toEditable(ctx, row);
    await list.requireGiven?.(ctx, given);
    const write = ctx.db
      .update(table)
      .set({ ...change, updatedAt: laterThan(row.updatedAt, ctx.now) })
      .where(and(eq(table.id, id), eq(table.updatedAt, row.updatedAt)))
      .returning();
    const [[[updated]], around] = await writeAndRead(
      ctx,
      (db) => db.batch([write, ...changedIfShown(ctx, row, change)]),
      (batched) => readAround(batched, { ...row, ...change }),
    );
    if (!updated) throw changedElsewhere();
    return editableOf(ctx, updated, around);
  }

  return {
    create,
    update,
    async readForEdit(ctx, id) {
      requireCapability(capability, ctx);
      return toEditable(ctx, await readRow(ctx, eq(table.id, id)));
    },
    async remove(ctx, id) {
      requireCapability(capability, ctx);
      if (list.noun) {
        if (!(await moveToBin(ctx, list.noun, id))) throw notFound();
        return;
      }
      const isIt = eq(table.id, id);
      if (list.changes) {
        const changes = list.changes(ctx, [await readRow(ctx, isIt)]);
        await ctx.db.batch([ctx.db.delete(table).where(isIt), ...changes]);
        return;
      }
      const isShown = shown && eq(table[shown.column]!, shown.value);
      const seen = sql`select ${tag} as tag from ${table} where ${and(isIt, isShown)}`;
      const remove = ctx.db.delete(table).where(isIt).returning({ id: table.id });
      const [, [deleted]] = await ctx.db.batch([changed(ctx, seen), remove]);
      if (!deleted) throw notFound();
    },
  };
}
