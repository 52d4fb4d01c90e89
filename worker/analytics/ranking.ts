import { sql, type SQL } from "drizzle-orm";
import { MONTH, spansOf } from "#worker/analytics/days.ts";
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

/** The months of thirty days that a period has a part in: nobody has more in the period than in these. */
const monthsAround = ({ from, to }: Days): Block[] => {
  const first = Math.floor(from / MONTH) * MONTH;
  const count = Math.floor((to - first) / MONTH) + 1;
  return Array.from({ length: count }, (_, at) => ({ span: MONTH, start: first + at * MONTH }));
};

/** How many times as many as are asked for are added up before it is known who else may be among them. */
const LEADERS = 5;

type Ranked = {
  /** What names one of those that are ranked. */
  keys: SQL;
  /** All of them. */
  all: SQL;
  /** What one of them, `each`, has in a block; null for none. */
  amountIn: (block: Block) => SQL;
};

/**
 * SQL: a common table `top` of those that have most in a period, as `amount`. Of thousands few can be among the first ten:
 * who has less in the months around the period than the tenth has in it, is not. So the others' days are never read.
 */
export function topOf(period: Days, limit: number, { keys, all, amountIn }: Ranked) {
  const amount = (blocks: Block[]) =>
    sql.join(
      blocks.map((block) => sql`coalesce((${amountIn(block)}), 0)`),
      sql` + `,
    );
  const exact = amount(blocksOf(period));
  return sql`bound as materialized (
      select ${keys}, ${amount(monthsAround(period))} as most from (${all}) as each
    ),
    leaders as (
      select ${exact} as amount from (select * from bound order by most desc limit ${limit * LEADERS}) as each
      order by amount desc limit ${limit}
    ),
    top as (
      select ${keys}, ${exact} as amount from bound as each
      where most >= (select min(amount) from leaders) order by amount desc, ${keys} limit ${limit}
    )`;
}
