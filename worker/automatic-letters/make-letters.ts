import { and, asc, eq, lte, ne, sql, type SQL, type SQLWrapper } from "drizzle-orm";
import { MOST_DIGEST_ITEMS, MOST_SENT_A_DAY, WAIT_MINUTES } from "#worker/automatic-letters/contract.ts";
import {
  areAsRead,
  allPublished,
  readItems,
  type ItemKey,
  type PublishedItem,
} from "#worker/automatic-letters/items.ts";
import { readRow } from "#worker/automatic-letters/owner-queries.ts";
import { heldRow } from "#worker/automatic-letters/held-notice.ts";
import { lastTime } from "#worker/automatic-letters/schedule.ts";
import { automaticLetterItems, automaticLetters } from "#worker/automatic-letters/table.ts";
import { fillTemplate, requireTemplate, showsText } from "#worker/automatic-letters/template.ts";
import { automaticDraft, countMadeSince, ownLetterOf } from "#worker/letters/automatic-draft.ts";
import { draftAutomaticLetters } from "#worker/letters/draft-scheduled.ts";
import type { Origin } from "#worker/letters/contract.ts";
import type { Context } from "#worker/platform/context.ts";
import { AppError } from "#worker/platform/errors.ts";
import { logError } from "#worker/platform/log.ts";
import { enqueue } from "#worker/platform/work/outbox.ts";
import { readSite } from "#worker/settings/queries.ts";

/** Letters that one tick makes: of several publications the others follow in the next minutes. */
const MOST_OF_A_TICK = { free: 1, paid: 10 };

const WAIT_MS = WAIT_MINUTES * 60_000;
const DAY_MS = 86_400_000;

type Row = typeof automaticLetters.$inferSelect;
type Waiting = ItemKey & { noticedAt: Date };

/**
 * Makes the letters that are due. Each is made in one batch with the rows of its items, or the period of its digest: a tick
 * that is interrupted has made it or not, and of two ticks one makes it. Those that are sent automatically are then scheduled
 * letters, which `sendDueLetters` sends.
 */
export async function makeAutomaticLetters(ctx: Context) {
  const [, publications, digests] = await ctx.db.batch([
    draftAutomaticLetters(ctx, WITHDRAWN, isOfWithdrawn),
    selectDue(ctx),
    selectDigests(ctx),
  ]);
  await each(publications, (due) => makeOfPublication(ctx, due));
  if (digests.length > 0) {
    const { timeZone } = await readSite(ctx);
    const timed = digests.map((digest) => ({
      ...digest,
      time: lastTime(digest, timeZone, ctx.now.getTime()),
    }));
    const due = timed.filter(({ time, doneUntil }) => time > doneUntil.getTime());
    await each(due.slice(0, MOST_OF_A_TICK[ctx.config.plan]), ({ id, time }) =>
      makeDigest(ctx, id, new Date(time)),
    );
  }
}

/** One that fails does not stop the others; the next tick tries it again. */
async function each<Due>(all: Due[], work: (due: Due) => Promise<void>) {
  const errors: unknown[] = [];
  for (const due of all) await work(due).catch((error: unknown) => errors.push(error));
  for (const error of errors.slice(1)) logError("automatic letters", error);
  if (errors.length > 0) throw errors[0];
}

const WITHDRAWN = "It wasn’t sent: what it is about is no longer published. Check it before you send it.";

/** SQL: a letter has an item that is no longer published. */
const isOfWithdrawn = (letterId: SQLWrapper) => sql`exists (
  select 1 from ${automaticLetterItems} as taken where taken.letter_id = ${letterId}
    and not exists (select 1 from (${allPublished}) as item where item.kind = taken.kind and item.id = taken.item_id))`;

const isWaiting = sql`${automaticLetterItems.status} = 'waiting'`;

const selectDue = ({ db, now, config }: Context) =>
  db
    .select({
      id: automaticLetters.id,
      kind: automaticLetterItems.kind,
      itemId: automaticLetterItems.itemId,
      noticedAt: automaticLetterItems.noticedAt,
    })
    .from(automaticLetters)
    .innerJoin(automaticLetterItems, eq(automaticLetterItems.automaticLetterId, automaticLetters.id))
    .where(
      and(
        eq(automaticLetters.isOn, true),
        eq(automaticLetters.frequency, "publication"),
        isWaiting,
        lte(automaticLetterItems.noticedAt, new Date(now.getTime() - WAIT_MS)),
      ),
    )
    .orderBy(asc(automaticLetterItems.noticedAt))
    .limit(MOST_OF_A_TICK[config.plan]);

const selectDigests = ({ db }: Context) =>
  db
    .select({
      id: automaticLetters.id,
      frequency: automaticLetters.frequency,
      weekday: automaticLetters.weekday,
      monthday: automaticLetters.monthday,
      hour: automaticLetters.hour,
      doneUntil: automaticLetters.doneUntil,
    })
    .from(automaticLetters)
    .where(and(eq(automaticLetters.isOn, true), ne(automaticLetters.frequency, "publication")))
    .orderBy(asc(automaticLetters.doneUntil));

/** A letter about one item. */
async function makeOfPublication(ctx: Context, { id, ...waiting }: Waiting & { id: number }) {
  const row = await readRow(ctx, id);
  const [item] = await readUnpast(ctx, row, [waiting]);
  if (!item) return;
  const origin = { kind: item.kind, id: item.id };
  // The owner has made a letter of it: a second one would say the same.
  const own = ownLetterOf(origin);
  const [settled] = await settle(
    ctx,
    row,
    [waiting],
    { status: "taken", letterId: own },
    sql`${own} is not null`,
  ).returning({ kind: automaticLetterItems.kind });
  if (settled) return;
  await make(ctx, row, { items: [item], waiting: [waiting], origin, key: `${item.kind} ${item.id}` });
}

/** A letter about what was published until shortly before a time; none if nothing was. The period is then done. */
async function makeDigest(ctx: Context, id: number, time: Date) {
  const row = await readRow(ctx, id);
  // Its schedule was changed just now.
  if (row.doneUntil >= time) return;
  const waiting = await ctx.db
    .select({
      kind: automaticLetterItems.kind,
      itemId: automaticLetterItems.itemId,
      noticedAt: automaticLetterItems.noticedAt,
    })
    .from(automaticLetterItems)
    .where(
      and(
        eq(automaticLetterItems.automaticLetterId, id),
        isWaiting,
        lte(automaticLetterItems.noticedAt, new Date(time.getTime() - WAIT_MS)),
      ),
    )
    .orderBy(asc(automaticLetterItems.noticedAt))
    .limit(MOST_DIGEST_ITEMS);
  const items = waiting.length > 0 ? await readUnpast(ctx, row, waiting) : [];
  if (items.length === 0) {
    await ctx.db.update(automaticLetters).set({ doneUntil: time }).where(isUnchanged(row));
    return;
  }
  await make(ctx, row, { items, waiting, origin: null, key: String(time.getTime()), doneUntil: time });
}

/**
 * The items that a letter may have. The others are settled: one that is not published is forgotten until it is published
 * again, and one that is dated before the automatic letter was switched on is past.
 */
async function readUnpast(ctx: Context, row: Row, waiting: Waiting[]) {
  const found = await readItems(ctx, waiting, { hasText: showsText(row) });
  const isIn = (items: PublishedItem[], { kind, itemId }: ItemKey) =>
    items.some((item) => item.kind === kind && item.id === itemId);
  const [past, items] = [
    found.filter(({ publishedAt }) => publishedAt < row.onSince),
    found.filter(({ publishedAt }) => publishedAt >= row.onSince),
  ];
  const withdrawn = waiting.filter((key) => !isIn(found, key));
  if (withdrawn.length > 0) {
    const isGone = sql`not exists (select 1 from (${allPublished}) as item
      where item.kind = ${automaticLetterItems.kind} and item.id = ${automaticLetterItems.itemId})`;
    await ctx.db.delete(automaticLetterItems).where(and(areThese(row, withdrawn), isGone));
  }
  const passed = waiting.filter((key) => isIn(past, key));
  if (passed.length > 0) await settle(ctx, row, passed, { status: "past" }, sql`true`);
  return items;
}

type Settled = { status: "taken" | "past"; letterId?: SQL };

/** The statement that settles these items if they wait as they did, and the condition is true. */
const settle = ({ db }: Context, row: Row, waiting: Waiting[], to: Settled, condition: SQL) =>
  db
    .update(automaticLetterItems)
    .set(to)
    .where(and(areThese(row, waiting), condition));

/** SQL: the row is one of these items of an automatic letter, and has waited since. */
const areThese = ({ id }: Pick<Row, "id">, waiting: Waiting[]) => {
  const given = JSON.stringify(
    waiting.map(({ kind, itemId, noticedAt }) => [kind, itemId, noticedAt.getTime()]),
  );
  return and(
    eq(automaticLetterItems.automaticLetterId, id),
    isWaiting,
    sql`exists (select 1 from json_each(${given}) as given where given.value ->> 0 = ${automaticLetterItems.kind}
      and given.value ->> 1 = ${automaticLetterItems.itemId} and given.value ->> 2 = ${automaticLetterItems.noticedAt})`,
  )!;
};

/** SQL: an automatic letter is on, as it was read, and no other tick has done its period. */
const isUnchanged = ({ id, updatedAt, doneUntil }: Row) =>
  and(
    eq(automaticLetters.id, id),
    eq(automaticLetters.isOn, true),
    eq(automaticLetters.updatedAt, updatedAt),
    eq(automaticLetters.doneUntil, doneUntil),
  )!;

type Making = {
  items: PublishedItem[];
  waiting: Waiting[];
  origin: Origin | null;
  /** With the automatic letter's id, that of the letter: it is made at most once. */
  key: string;
  /** Of a digest. */
  doneUntil?: Date;
};

async function make(ctx: Context, row: Row, { items, waiting, origin, key, doneUntil }: Making) {
  const written = await wordsOf(ctx, row, items);
  const dayAgo = new Date(ctx.now.getTime() - DAY_MS);
  const madeToday = doneUntil ? 0 : await countMadeSince(ctx, row.id, dayAgo);
  const problem = written.problem ?? (row.mode === "send" && madeToday >= MOST_SENT_A_DAY ? TOO_MANY : null);
  const taken = waiting.filter(({ kind, itemId }) =>
    items.some((item) => item.kind === kind && item.id === itemId),
  );
  const areWaiting = sql`(select count(*) from ${automaticLetterItems} where ${areThese(row, taken)}) = ${taken.length}`;
  const isNew = origin === null ? sql`true` : sql`${ownLetterOf(origin)} is null`;
  const isDue = sql`exists (select 1 from ${automaticLetters} where ${isUnchanged(row)})
    and ${areWaiting} and ${areAsRead(items)} and ${isNew}`;
  const isSent = row.mode === "send" && problem === null;
  const letter = await automaticDraft(
    ctx,
    {
      values: { ...written.words, segment: row.segment, isPublic: row.isPublic, question: null },
      automaticLetterId: row.id,
      key: `automatic ${row.id} ${key}`,
      origin,
      isSent,
      pausedReason: problem && `It wasn’t sent automatically: ${problem}`,
    },
    isDue,
  );
  const isMade = sql`${letter.id} is not null`;
  // It follows the statement that takes the items, which changes none when another tick has made the letter.
  // Of many letters in a day, the last notice is about the first that is too many.
  const isNoticed = !isSent && madeToday <= MOST_SENT_A_DAY;
  const notice = heldRow(ctx, letter.id, sql`changes() > 0 and ${Number(isNoticed)}`);
  await ctx.db.batch([
    letter.statement,
    settle(ctx, row, taken, { status: "taken", letterId: letter.id }, isMade),
    notice.statement,
    ctx.db
      .update(automaticLetters)
      .set({ doneUntil, lastLetterId: letter.id, lastMadeAt: ctx.now })
      .where(and(isUnchanged(row), isMade)),
  ]);
  if (isNoticed) enqueue(ctx, notice.id);
}

const TOO_MANY = `${MOST_SENT_A_DAY} letters were made within a day. Send it yourself, or make a digest of them.`;

/** The letter's words. A template that can no longer be filled in is shown to the owner as it is, with the reason. */
async function wordsOf(ctx: Context, row: Row, items: PublishedItem[]) {
  const { name, timeZone } = await readSite(ctx);
  const date = new Intl.DateTimeFormat("en", { dateStyle: "long", timeZone }).format(ctx.now);
  const { subject, preheader, content } = row;
  try {
    requireTemplate(row);
    return { words: fillTemplate(row, items, { site: name, date }), problem: null };
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    return { words: { subject, preheader, content }, problem: error.message };
  }
}
