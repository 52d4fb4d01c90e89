import { sql, type SQL } from "drizzle-orm";
import type { Context } from "#worker/platform/context.ts";
import type { PublicationKind } from "#worker/publications/contract.ts";
import { publications } from "#worker/publications/table.ts";
import { pingHub } from "#worker/websub/ping.ts";

type Change = {
  kind: PublicationKind;
  /** Path of the feed that shows it. */
  feed: string;
  /** A select of the visibly changed ids, as `id`. */
  items: SQL;
};

/** The statements that ping the hub about items that a write changes; call `enqueue` once they are written. */
export const feedChanged = (ctx: Context, { feed, items }: Omit<Change, "kind">) =>
  pingHub(ctx, feed, sql`exists (${items})`);

/**
 * The same for items that this write publishes, by hand or by schedule; records the publication. Imported items were
 * published elsewhere.
 */
export function publish(
  ctx: Context,
  { kind, feed, items }: Change,
  { isPlanned, isImported = false }: { isPlanned: boolean; isImported?: boolean },
) {
  const { statements, pingId, enqueue } = feedChanged(ctx, { feed, items });
  const isNoted = isPlanned || (ctx.actor.kind === "user" && !isImported);
  const note = ctx.db
    .insert(publications)
    .select(
      sql`select ${kind}, id, ${ctx.now.getTime()}, ${Number(isPlanned)}, ${pingId} from (${items}) where ${Number(isNoted)}`,
    )
    .onConflictDoUpdate({
      target: [publications.kind, publications.itemId],
      set: {
        wentOutAt: sql`excluded.went_out_at`,
        isPlanned: sql`excluded.is_planned`,
        pingId: sql`excluded.ping_id`,
      },
    });
  return { statements: [...statements, note] as const, enqueue };
}

/** The statement that deletes the publications of items, for the batch that deletes these for good. `items` selects their ids. */
export const forgetPublications = ({ db }: Context, kind: string, items: SQL) =>
  db
    .delete(publications)
    .where(
      sql`${publications.kind} = ${kind} and ${publications.itemId} in (select cast(item as integer) from (${items}))`,
    );
