import { sql, type SQL } from "drizzle-orm";
import { spansOf } from "#worker/analytics/days.ts";
import type { Days } from "#worker/analytics/period.ts";

/** A row of the roll-ups by its span and its first day. */
type Block = { span: number; start: number };

/** The fewest roll-ups that a period is made of. */
export const blocksOf = ({ from, to }: Days): Block[] =>
  spansOf(from, to).flatMap((part) =>
    Array.from({ length: (part.to - part.from) / part.span + 1 }, (_, at) => ({
      span: part.span,
      start: part.from + at * part.span,
    })),
  );

type Ranked = {
  /** What names one of those that are ranked. */
  keys: SQL;
  /** All of them. */
  all: SQL;
  /** How much one of them, `each`, had on each day with all before it: the rows of days behind `from`. */
  soFar: SQL;
  days: SQL;
};

/**
 * SQL: those that have most in a period, as `amount`: what each had at its end, without what it had before. So two rows of
 * each are read, however long the period is, and however alike they are.
 */
export function topOf({ from, to }: Days, limit: number, { keys, all, soFar, days }: Ranked) {
  const until = (day: number) =>
    sql`coalesce((select ${soFar} from ${days} and start <= ${day} order by start desc limit 1), 0)`;
  return sql`select ${keys}, ${until(to)} - ${until(from - 1)} as amount from (${all}) as each
    order by amount desc, ${keys} limit ${limit}`;
}
