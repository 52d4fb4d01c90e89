import { and, asc, eq, sql } from "drizzle-orm";
import { isAllowed, requireCapability } from "#worker/access/capabilities.ts";
import {
  MOST_DIGEST_ITEMS,
  type AutomaticLetterInput,
  type AutomaticLetterRow,
  type EditableAutomaticLetter,
} from "#worker/automatic-letters/contract.ts";
import { allPublished } from "#worker/automatic-letters/items.ts";
import { nextTime } from "#worker/automatic-letters/schedule.ts";
import { segmentOf } from "#worker/letters/contract.ts";
import { automaticLetterItems, automaticLetters } from "#worker/automatic-letters/table.ts";
import type { Context } from "#worker/platform/context.ts";
import { wholeList } from "#worker/platform/data/keyset.ts";
import { AppError } from "#worker/platform/errors.ts";
import type { PublicationKind } from "#worker/publications/contract.ts";
import { readSite } from "#worker/settings/queries.ts";

/**
 * SQL: the published items that wait for the row's next letter, up to a limit. Names are written out: drizzle omits the table
 * of a column that it finds in the list of a select from one table.
 */
const waiting = sql<number>`(select count(*) from (
  select 1 from ${automaticLetterItems} as noticed
  where noticed.automatic_letter_id = automatic_letters.id and noticed.status = 'waiting'
    and exists (select 1 from (${allPublished}) as item where item.kind = noticed.kind and item.id = noticed.item_id)
  limit ${MOST_DIGEST_ITEMS}))`;

/**
 * Every automatic letter, in the order in which they were created. There are at most `MOST_AUTOMATIC_LETTERS`, so there is
 * one page.
 * @throws `unauthenticated`, `forbidden`
 */
export async function listAutomaticLetters(ctx: Context) {
  requireCapability("audience", ctx);
  const [{ timeZone }, rows] = await Promise.all([
    readSite(ctx),
    ctx.db
      .select({
        id: automaticLetters.id,
        updatedAt: automaticLetters.updatedAt,
        name: automaticLetters.name,
        isOn: automaticLetters.isOn,
        frequency: automaticLetters.frequency,
        weekday: automaticLetters.weekday,
        monthday: automaticLetters.monthday,
        hour: automaticLetters.hour,
        items: automaticLetters.items,
        mode: automaticLetters.mode,
        lastLetterId: automaticLetters.lastLetterId,
        lastMadeAt: automaticLetters.lastMadeAt,
        waiting,
      })
      .from(automaticLetters)
      .orderBy(asc(automaticLetters.id)),
  ]);
  return wholeList(
    rows.map(({ lastLetterId, lastMadeAt, updatedAt, ...row }): AutomaticLetterRow => ({
      ...row,
      updatedAt: updatedAt.getTime(),
      nextAt: row.isOn && row.frequency !== "publication" ? nextTime(row, timeZone, ctx.now.getTime()) : null,
      last: lastLetterId && lastMadeAt ? { letterId: lastLetterId, at: lastMadeAt.getTime() } : null,
    })),
  );
}

/**
 * An automatic letter as its owner edits it.
 * @throws `unauthenticated`, `forbidden`; `not_found`
 */
export async function readAutomaticLetterForEdit(ctx: Context, id: number): Promise<EditableAutomaticLetter> {
  requireCapability("audience", ctx);
  return toEditable(await readRow(ctx, id));
}

/** The name of an automatic letter for which an item waits; null for none, and for users who may not write letters. */
export async function findWaitingFor(ctx: Context, kind: PublicationKind, itemId: number) {
  if (!isAllowed("audience", ctx)) return null;
  const [row] = await ctx.db
    .select({ name: automaticLetters.name })
    .from(automaticLetterItems)
    .innerJoin(automaticLetters, eq(automaticLetters.id, automaticLetterItems.automaticLetterId))
    .where(
      and(
        eq(automaticLetterItems.kind, kind),
        eq(automaticLetterItems.itemId, itemId),
        eq(automaticLetterItems.status, "waiting"),
      ),
    )
    .limit(1);
  return row?.name ?? null;
}

type Row = typeof automaticLetters.$inferSelect;

/** @throws `not_found` */
export async function readRow({ db }: Context, id: number): Promise<Row> {
  const [row] = await db.select().from(automaticLetters).where(eq(automaticLetters.id, id));
  if (!row) throw automaticLetterNotFound();
  return row;
}

export const automaticLetterNotFound = () => new AppError("not_found", "There is no such automatic letter.");

/** The columns that the owner edits. */
export const toInput = (row: Row): AutomaticLetterInput => ({
  name: row.name,
  isOn: row.isOn,
  frequency: row.frequency,
  weekday: row.weekday,
  monthday: row.monthday,
  hour: row.hour,
  items: row.items,
  mode: row.mode,
  subject: row.subject,
  preheader: row.preheader,
  content: row.content,
  segment: segmentOf(row.segment),
  isPublic: row.isPublic,
});

export const toEditable = (row: Row): EditableAutomaticLetter => ({
  id: row.id,
  updatedAt: row.updatedAt.getTime(),
  values: toInput(row),
});
