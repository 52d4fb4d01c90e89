import { sql, type SQL } from "drizzle-orm";
import { noticePublications } from "#worker/automatic-letters/notice-publications.ts";
import type { Context } from "#worker/platform/context.ts";
import type { PublicationKind } from "#worker/publications/contract.ts";
import { publications } from "#worker/publications/table.ts";
import { eventRows } from "#worker/webhooks/record-event.ts";
import { notifyPodping } from "#worker/websub/podping.ts";
import { pingHub } from "#worker/websub/ping.ts";

export type Change = {
  kind: PublicationKind;
  /** Path of the feed that shows it. */
  feed: string;
  /** A select of the visibly changed items: `id`, `title`, `path` and, changing with each write, `version`. */
  items: SQL;
};

/**
 * The statements that ping the hub and inform webhooks about items that a write changes; call `enqueue` once they are
 * written.
 */
export function feedChanged(ctx: Context, change: Change) {
  const { statements, enqueue } = pingAll(ctx, change);
  return { statements: [...statements, webhookRows(ctx, change, "changed")] as const, enqueue };
}

/** The hub, and for the podcast Podping. */
function pingAll(ctx: Context, { kind, feed, items }: Change) {
  const isDue = sql`exists (${items})`;
  const hub = pingHub(ctx, feed, isDue);
  const podping = kind === "episode" ? notifyPodping(ctx, feed, isDue) : undefined;
  return {
    statements: [...hub.statements, ...(podping?.statements ?? [])] as const,
    pingId: hub.pingId,
    enqueue() {
      hub.enqueue();
      podping?.enqueue();
    },
  };
}

const nounOf = { article: "essay", episode: "episode" } as const;

const webhookRows = (
  ctx: Context,
  { kind, items }: Change,
  what: "published" | "changed",
  condition: SQL = sql`true`,
) =>
  eventRows(ctx, `${nounOf[kind]}.${what}`, {
    from: sql`from (${items}) where ${condition}`,
    item: sql`id`,
    version: sql`version || '-' || ${String(ctx.now.getTime())}`,
    data: { id: sql`id`, title: sql`title`, url: sql`${ctx.config.siteUrl} || path` },
  });

/**
 * The same for items that this write publishes, by hand or by schedule; records the publication. Imported items were
 * published elsewhere.
 */
export function publish(
  ctx: Context,
  change: Change,
  { isPlanned, isImported = false }: { isPlanned: boolean; isImported?: boolean },
) {
  const { kind, items } = change;
  const { statements, pingId, enqueue } = pingAll(ctx, change);
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
  const lastTime = sql`(select ${publications.wentOutAt} from ${publications}
    where ${publications.kind} = ${kind} and ${publications.itemId} = item.id)`;
  const notice = noticePublications(ctx, { kind, items, lastTime, isHere: isNoted });
  const events = webhookRows(ctx, change, "published", sql`${Number(isNoted)}`);
  return { statements: [...statements, notice, note, events] as const, enqueue };
}

/** The statement that deletes the publications of items, for the batch that deletes these for good. `items` selects their ids. */
export const forgetPublications = ({ db }: Context, kind: string, items: SQL) =>
  db
    .delete(publications)
    .where(
      sql`${publications.kind} = ${kind} and ${publications.itemId} in (select cast(item as integer) from (${items}))`,
    );
