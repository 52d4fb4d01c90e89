import { and, desc, gte, isNotNull, lt } from "drizzle-orm";
import { countColumns, countsOf } from "#worker/letters/queries.ts";
import { letters } from "#worker/letters/table.ts";
import type { Context } from "#worker/platform/context.ts";

const LIST = 20;

/** The statement of the letters whose sending began between two times, the newest first. */
export const selectLettersStarted = ({ db }: Context, { from, to }: { from: Date; to: Date }) =>
  db
    .select({ id: letters.id, subject: letters.subject, startedAt: letters.startedAt, ...countColumns })
    .from(letters)
    .where(and(isNotNull(letters.startedAt), gte(letters.startedAt, from), lt(letters.startedAt, to)))
    .orderBy(desc(letters.startedAt))
    .limit(LIST);

type Row = Awaited<ReturnType<typeof selectLettersStarted>>[number];

export const toFigures = ({ id, subject, startedAt, ...row }: Row) => ({
  id,
  subject,
  startedAt: startedAt!.getTime(),
  counts: countsOf(row),
});
