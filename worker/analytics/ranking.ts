import { sql, type SQL, type SQLWrapper } from "drizzle-orm";
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

/** How many times as many as are asked for are taken of each month, before it is known who else may be among them. */
const LEADERS = 3;

type Ranked = {
  /** What names one of those that are ranked. */
  keys: SQL;
  /** All of them. */
  all: SQL;
  /** What one of them, `each`, has in a block; null for none. */
  amountIn: (block: Block) => SQL;
  /** The roll-ups, the column that they are ranked by, and which of them are of months: an index has these by that column. */
  table: SQLWrapper;
  by: SQL;
  ofMonths: SQL;
};

/**
 * SQL: a common table `top` of those that have most in a period, as `amount`. The first of each month around it are added
 * up. Whoever is not among them has at most what the last of them have, month by month: where the tenth has as much, no
 * other row is read. Where all have nearly the same, this tells nothing, and all that may be among the first ten are added
 * up. Of those that have as much as the last one, any may be it.
 */
export function topOf(period: Days, limit: number, { keys, all, amountIn, table, by, ofMonths }: Ranked) {
  const amount = (blocks: Block[]) =>
    sql.join(
      blocks.map((block) => sql`coalesce((${amountIn(block)}), 0)`),
      sql` + `,
    );
  const exact = amount(blocksOf(period));
  const months = monthsAround(period);
  const taken = limit * LEADERS;
  const starts = JSON.stringify(months.map(({ start }) => start));
  const least = sql`(select min(amount) from leaders)`;
  return sql`firsts as materialized (
      select month.value as start, ${keys}, ${by} as amount from json_each(${starts}) as month
      cross join json_each((
        select json_group_array(place) from (
          select rowid as place from ${table} where ${ofMonths} and start = month.value
          order by ${by} desc limit ${taken}
        )
      )) as first
      cross join ${table} as ranked on ranked.rowid = first.value
    ),
    leaders as materialized (
      select ${keys}, ${exact} as amount from (select distinct ${keys} from firsts) as each
      order by amount desc, ${keys} limit ${limit}
    ),
    rest as materialized (
      select sum(amount) as most
      from (select iif(count(*) < ${taken}, 0, min(amount)) as amount from firsts group by start)
    ),
    others as materialized (
      select ${keys}, ${amount(months)} as most from rest cross join (${all}) as each where rest.most > ${least}
    ),
    top as (
      select * from (
        select * from leaders union select ${keys}, ${exact} from others as each where most > ${least}
      )
      order by amount desc, ${keys} limit ${limit}
    )`;
}
