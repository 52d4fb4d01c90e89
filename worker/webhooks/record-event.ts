import { sql, type SQL } from "drizzle-orm";
import type { Context } from "#worker/platform/context.ts";
import { outbox } from "#worker/platform/table.ts";
import type { EventData, EventType, WebhookEvent } from "#worker/webhooks/contract.ts";
import { webhooks } from "#worker/webhooks/table.ts";

export const WEBHOOK_TOPIC = "webhook";

/** The payload of an outbox row. */
export type Message = {
  webhook: number;
  /** The header `webhook-id`. */
  event: string;
  /** The address of the person whom the event is about. Their data is found by it (people/noun.ts). */
  email?: string | null;
  /** The row is deleted once it is delivered or has failed: the person's data was deleted. */
  isForgotten?: true;
  body: WebhookEvent;
};

type Value = SQL | string | number | null;

type Rows<Type extends EventType> = {
  /** SQL: `from … where …`, a row for each event. */
  from: SQL;
  /** The id of what the event is about. */
  item: SQL;
  /** Distinguishes it from an earlier event about the same item; by default the time of the write. */
  version?: SQL;
  data: Record<keyof EventData[Type], Value>;
  email?: SQL;
  isForgotten?: boolean;
};

/**
 * The statement that writes an outbox row for each webhook that subscribes to the event, for the batch of its cause. Without
 * a webhook it reads nothing. The id is derived, so that the same batch written twice causes one event. No queue message
 * follows: the sweep finds the rows within a minute.
 */
export function eventRows<Type extends EventType>(
  { db, now }: Context,
  type: Type,
  { from, item, version = sql`${String(now.getTime())}`, data, email = sql`null`, isForgotten }: Rows<Type>,
) {
  const time = now.getTime();
  const pairs = Object.entries<Value>(data).map(([name, value]) => sql`${name}, ${value}`);
  const event = sql`select ${`msg_${type.replace(".", "_")}_`} || ${item} || '_' || ${version} as event,
    json_object(${sql.join(pairs, sql`, `)}) as data, ${email} as email ${from}`;
  const forgotten = isForgotten ? sql`, 'isForgotten', json('true')` : sql``;
  const payload = sql`json_object('webhook', hook.id, 'event', event, 'email', email${forgotten}, 'body',
    json_object('type', ${type}, 'timestamp', ${now.toISOString()}, 'data', json(data)))`;
  return db
    .insert(outbox)
    .select(
      sql`select hook.id || ' ' || event, ${WEBHOOK_TOPIC}, ${payload}, ${time}, 0, ${time}, null, null, null, null, null, null
        from ${webhooks} as hook cross join (${event})
        where hook.paused is null and exists (select 1 from json_each(hook.events) where value = ${type})`,
    )
    .onConflictDoNothing();
}
