import { and, eq, sql, type SQL } from "drizzle-orm";
import { requireCapability } from "#worker/access/capabilities.ts";
import {
  AutomaticLetterChange,
  automaticLetterDefaults,
  MOST_AUTOMATIC_LETTERS,
  NewAutomaticLetter,
  type AutomaticLetterInput,
  type EditableAutomaticLetter,
} from "#worker/automatic-letters/contract.ts";
import { allPublished } from "#worker/automatic-letters/items.ts";
import { derivedColumns } from "#worker/automatic-letters/noun.ts";
import {
  automaticLetterNotFound,
  readRow,
  toEditable,
  toInput,
} from "#worker/automatic-letters/owner-queries.ts";
import { automaticLetterItems, automaticLetters } from "#worker/automatic-letters/table.ts";
import { requireTemplate } from "#worker/automatic-letters/template.ts";
import type { Context } from "#worker/platform/context.ts";
import { draftKeyOf, findByDraftKey, refusingTakenKey } from "#worker/platform/data/draft-key.ts";
import { parseInput } from "#worker/platform/data/input.ts";
import { laterThan } from "#worker/platform/data/publishing.ts";
import { requireRoom, takeBackIfFull } from "#worker/platform/data/row-limit.ts";
import { isRepeated } from "#worker/platform/data/versions.ts";
import { AppError } from "#worker/platform/errors.ts";

const room = { table: automaticLetters, most: MOST_AUTOMATIC_LETTERS, noun: "automatic letters" };

/**
 * Creates an automatic letter. What is public when it is switched on is never sent by it. Idempotent by `draftKey`: a repeated
 * request changes the same one.
 * @throws `unauthenticated`, `forbidden`; `invalid`, also for a template that does not show its items; `conflict` when there
 * are too many
 */
export async function createAutomaticLetter(
  ctx: Context,
  input: NewAutomaticLetter,
): Promise<EditableAutomaticLetter> {
  requireCapability("audience", ctx);
  const { draftKey: key, ...given } = parseInput(NewAutomaticLetter, input);
  const draftKey = draftKeyOf(ctx, key);
  const made = await findByDraftKey(ctx, automaticLetters, draftKey);
  if (made !== null) return updateAutomaticLetter(ctx, made, given);
  const values = { ...automaticLetterDefaults, ...given };
  requireTemplate(values);
  const insert = ctx.db
    .insert(automaticLetters)
    .values({
      ...values,
      ...derivedColumns(values),
      onSince: ctx.now,
      doneUntil: ctx.now,
      draftKey,
      createdAt: ctx.now,
      updatedAt: ctx.now,
    })
    .returning();
  const isCreated = sql`${automaticLetters.id} = (select max(id) from ${automaticLetters}) and ${automaticLetters.createdAt} = ${ctx.now.getTime()}`;
  const [[row], takenBack] = await refusingTakenKey(automaticLetters, () =>
    ctx.db.batch([insert, takeBackIfFull(ctx, room), passPublished(ctx, isCreated)]),
  );
  requireRoom(room, takenBack);
  return toEditable(row!);
}

/**
 * Changes the given fields. Switched off, or changed from letters for each publication to a digest or back, it drops the items
 * that wait; with another time, its next digest is the first after now.
 * @throws `unauthenticated`, `forbidden`; `not_found`; `invalid` as `createAutomaticLetter`; `conflict` when it was changed
 * elsewhere since `basedOn`
 */
export async function updateAutomaticLetter(
  ctx: Context,
  id: number,
  input: AutomaticLetterChange,
): Promise<EditableAutomaticLetter> {
  requireCapability("audience", ctx);
  const { basedOn, ...patch } = parseInput(AutomaticLetterChange, input);
  const row = await readRow(ctx, id);
  if (isRepeated({ basedOn, stored: row, given: () => patch, changedElsewhere })) return toEditable(row);
  const before = toInput(row);
  const after = { ...before, ...patch };
  requireTemplate(after);
  const isSwitchedOn = after.isOn && !before.isOn;
  const updatedAt = laterThan(row.updatedAt, ctx.now);
  const update = ctx.db
    .update(automaticLetters)
    .set({
      ...after,
      ...derivedColumns(after),
      ...(isSwitchedOn && { onSince: ctx.now }),
      ...((isSwitchedOn || hasOtherTime(before, after)) && { doneUntil: ctx.now }),
      updatedAt,
    })
    .where(and(eq(automaticLetters.id, id), eq(automaticLetters.updatedAt, row.updatedAt)))
    .returning();
  const isSaved = sql`${automaticLetters.id} = ${id} and ${automaticLetters.updatedAt} = ${updatedAt.getTime()}`;
  const [[updated]] = await ctx.db.batch([
    update,
    dropWaiting(
      ctx,
      id,
      sql`exists (select 1 from ${automaticLetters} where ${isSaved}) and ${droppedBy(before, after)}`,
    ),
    passPublished(ctx, sql`${isSaved} and ${Number(isSwitchedOn)}`),
  ]);
  if (!updated) throw changedElsewhere();
  return toEditable(updated);
}

/**
 * Deletes an automatic letter for good. Letters that it has made stay.
 * @throws `unauthenticated`, `forbidden`; `not_found`
 */
export async function deleteAutomaticLetter(ctx: Context, id: number) {
  requireCapability("audience", ctx);
  const [deleted] = await ctx.db
    .delete(automaticLetters)
    .where(eq(automaticLetters.id, id))
    .returning({ id: automaticLetters.id });
  if (!deleted) throw automaticLetterNotFound();
}

const changedElsewhere = () =>
  new AppError("conflict", "This automatic letter was changed elsewhere since you opened it.");

const isDigest = ({ frequency }: Pick<AutomaticLetterInput, "frequency">) => frequency !== "publication";

const hasOtherTime = (before: AutomaticLetterInput, after: AutomaticLetterInput) =>
  (["frequency", "weekday", "monthday", "hour"] as const).some((field) => before[field] !== after[field]);

/** SQL: which waiting items a change drops. */
function droppedBy(before: AutomaticLetterInput, after: AutomaticLetterInput): SQL {
  if (!before.isOn || !after.isOn || isDigest(before) !== isDigest(after)) return sql`true`;
  if (after.items === "both") return sql`false`;
  return sql`${automaticLetterItems.kind} <> ${after.items}`;
}

const dropWaiting = ({ db }: Context, id: number, which: SQL) =>
  db
    .update(automaticLetterItems)
    .set({ status: "past" })
    .where(
      and(
        eq(automaticLetterItems.automaticLetterId, id),
        // As in the partial index.
        sql`${automaticLetterItems.status} = 'waiting'`,
        which,
      ),
    );

/** The statement that notices everything that is public, for automatic letters that are switched on: it is never sent. */
const passPublished = ({ db, now }: Context, isSwitchedOn: SQL) =>
  db
    .insert(automaticLetterItems)
    .select(
      sql`select item.kind, item.id, ${automaticLetters.id}, 'past', ${now.getTime()}, null
        from (${allPublished}) as item, ${automaticLetters} where ${isSwitchedOn} and ${automaticLetters.isOn} = 1`,
    )
    .onConflictDoNothing();
