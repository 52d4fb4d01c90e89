import { and, asc, desc, eq, gt, sql, type Placeholder, type SQL, type SQLWrapper } from "drizzle-orm";
import { withQuestion } from "#worker/letters/question-part.ts";
import { letters } from "#worker/letters/table.ts";
import type { Context } from "#worker/platform/context.ts";
import { AppError } from "#worker/platform/errors.ts";
import { cursorOf, olderThan, pageOf } from "#worker/platform/data/keyset.ts";
import { prepared } from "#worker/platform/data/prepared.ts";
import type { Site } from "#worker/settings/contract.ts";
import { archiveSetting } from "#worker/settings/queries.ts";

const LIST_ROWS = 20;

/**
 * SQL: the letter is public, and its sending has begun. Literals as in the partial index: with parameters, or with a
 * list of allowed statuses, SQLite would not use that index and would sort all letters.
 */
export const isReadable = sql`${letters.isPublic} = 1 and ${letters.startedAt} is not null
  and ${letters.status} not in ('draft', 'scheduled', 'cancelled')`;

/** SQL: whether the letter with this id is a draft. */
export const isDraftLetter = (id: SQLWrapper) =>
  sql`exists (select 1 from ${letters} where ${letters.id} = ${id} and ${letters.status} = 'draft')`;

const summaryColumns = {
  id: letters.id,
  subject: letters.subject,
  preheader: letters.preheader,
  startedAt: letters.startedAt,
};

type Dated = { startedAt: Date | null };
const withTime = <Row extends Dated>({ startedAt, ...row }: Row) => ({
  ...row,
  // Never null here: `isReadable` requires it.
  startedAt: startedAt?.getTime() ?? 0,
});

const selectLetters = (db: Context["db"], which: SQL | undefined, limit: number | Placeholder) =>
  db
    .select(summaryColumns)
    .from(letters)
    .where(and(isReadable, which))
    .orderBy(desc(letters.startedAt), desc(letters.id))
    .limit(limit);

const newest = prepared(["limit"], (db, { limit }) => selectLetters(db, undefined, limit));

/** The settings, which the caller reads anyway, in the same round trip. */
type Given = { site: Promise<Pick<Site, "newsletter">> };

/**
 * The letters of the archive, newest first. `before` is the previous page's `next`.
 * @throws `not_found` while the archive is switched off, and for a malformed cursor
 */
export async function listPublicLetters(ctx: Context, { site, before }: Given & { before?: string }) {
  ctx.dependsOn("letters");
  const limit = LIST_ROWS + 1;
  const rows =
    before === undefined
      ? newest(ctx, { limit })
      : selectLetters(ctx.db, olderThan(before, letters.startedAt, letters.id), limit);
  const found = (await whileOpen(site, rows)).map(withTime);
  return pageOf(found, LIST_ROWS, ({ startedAt, id }) => cursorOf(startedAt, id));
}

const selectLetter = prepared(["id"], (db, { id }) =>
  db
    .select({ ...summaryColumns, contentHtml: letters.contentHtml, question: letters.question })
    .from(letters)
    .where(and(eq(letters.id, id), isReadable)),
);

/**
 * A letter of the archive.
 * @throws `not_found`, also while the archive is switched off
 */
export async function readPublicLetter(ctx: Context, id: number, { site }: Given) {
  ctx.dependsOn(`letter:${id}`);
  const [letter] = await whileOpen(site, selectLetter(ctx, { id }));
  if (!letter) throw nothingHere();
  const { question, contentHtml, ...summary } = withTime(letter);
  return { ...summary, contentHtml: withQuestion(contentHtml, question) };
}

async function whileOpen<Rows>(site: Given["site"], reading: PromiseLike<Rows>) {
  const [{ newsletter }, rows] = await Promise.all([site, reading]);
  if (!newsletter.archive) throw nothingHere();
  return rows;
}

export const nothingHere = () => new AppError("not_found", "There is no such letter.");

/** The letters of the archive in the order of their ids, from the one after `after`; none while it is switched off. */
export async function listPublicLetterDates(
  { db }: Context,
  { after, limit }: { after: number; limit: number },
) {
  const rows = await db
    .select({ id: letters.id, startedAt: letters.startedAt })
    .from(letters)
    .where(and(isReadable, gt(letters.id, after), sql`${archiveSetting} = 1`))
    .orderBy(asc(letters.id))
    .limit(limit);
  // A letter does not change after its sending starts.
  return rows.map(({ id, startedAt }) => ({ id, updatedAt: startedAt!.getTime() }));
}
