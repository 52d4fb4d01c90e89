import { sql, type SQL } from "drizzle-orm";
import { spansOf } from "#worker/analytics/days.ts";
import type { Days } from "#worker/analytics/period.ts";

/** A row of the roll-ups by its span and its first day. */
type Block = { span: number; start: number };

/** The fewest roll-ups that cover a period. */
export const blocksOf = ({ from, to }: Days): Block[] =>
  spansOf(from, to).flatMap((part) =>
    Array.from({ length: (part.to - part.from) / part.span + 1 }, (_, at) => ({
      span: part.span,
      start: part.from + at * part.span,
    })),
  );

type Ranked = {
  /** The key columns of a ranked item. */
  keys: SQL;
  /** All ranked items. */
  all: SQL;
  /** The cumulative amount of an item, `each`, up to each day: the rows of days after `from`. */
  soFar: SQL;
  days: SQL;
};

/**
 * SQL: the items with the highest `amount` in a period: the cumulative amount at its end minus that before its start.
 * Reads two rows per item, regardless of the period's length.
 */
export function topOf({ from, to }: Days, limit: number, { keys, all, soFar, days }: Ranked) {
  const until = (day: number) =>
    sql`coalesce((select ${soFar} from ${days} and start <= ${day} order by start desc limit 1), 0)`;
  return sql`select ${keys}, ${until(to)} - ${until(from - 1)} as amount from (${all}) as each
    order by amount desc, ${keys} limit ${limit}`;
}
