import { sql, type SQL } from "drizzle-orm";
import { automaticLetterItems, automaticLetters } from "#worker/automatic-letters/table.ts";
import type { Context } from "#worker/platform/context.ts";
import type { PublicationKind } from "#worker/publications/contract.ts";

type Published = {
  kind: PublicationKind;
  /** A select of their `id`. */
  items: SQL;
  /** SQL of `item.id`: when the item was published before this time; null for the first time. */
  lastTime: SQL;
  /** Whether they were published here; imported ones were published elsewhere. */
  isHere: boolean;
};

/**
 * The statement that shows items which a write publishes to each automatic letter that is on. Before the write that records
 * the publication. An item that was public before is noticed, and not sent.
 */
export const noticePublications = ({ db, now }: Context, { kind, items, lastTime, isHere }: Published) => {
  const { isOn, onSince, id } = automaticLetters;
  const isNew = sql`${Number(isHere)} and ${automaticLetters.items} in ('both', ${kind}) and coalesce(${lastTime}, ${onSince}) >= ${onSince}`;
  return db
    .insert(automaticLetterItems)
    .select(
      sql`select ${kind}, item.id, ${id}, iif(${isNew}, 'waiting', 'past'), ${now.getTime()}, null
        from (${items}) as item, ${automaticLetters} where ${isOn} = 1`,
    )
    .onConflictDoUpdate({
      target: [
        automaticLetterItems.kind,
        automaticLetterItems.itemId,
        automaticLetterItems.automaticLetterId,
      ],
      set: { noticedAt: sql`excluded.noticed_at` },
      // Published again while it waits.
      setWhere: sql`${automaticLetterItems.status} = 'waiting'`,
    });
};

/** The statement that forgets items, for the batch that deletes these for good. `items` selects their ids. */
export const forgetNoticed = ({ db }: Context, kind: string, items: SQL) =>
  db
    .delete(automaticLetterItems)
    .where(
      sql`${automaticLetterItems.kind} = ${kind} and ${automaticLetterItems.itemId} in (select cast(item as integer) from (${items}))`,
    );
