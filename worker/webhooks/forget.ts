import { sql, type SQL } from "drizzle-orm";
import type { Context } from "#worker/platform/context.ts";
import { outbox } from "#worker/platform/table.ts";
import { webhookTries } from "#worker/webhooks/table.ts";

/** The statement that deletes what receivers answered to the deliveries in these outbox rows. It runs before these are deleted. */
export const forgetTries = ({ db }: Pick<Context, "db">, which: SQL) =>
  db
    .delete(webhookTries)
    .where(sql`${webhookTries.deliveryId} in (select ${outbox.id} from ${outbox} where ${which})`);

/**
 * The statements that delete the deliveries about a person, for those who delete their own data. `email` is SQL. What informs
 * receivers of the deletion stays until it is sent.
 */
export function forgetEvents(ctx: Pick<Context, "db">, email: SQL) {
  const which = sql`${outbox.payload} ->> 'email' = ${email} and payload ->> 'webhook' is not null
    and coalesce(${outbox.payload} ->> 'isForgotten', 0) = 0`;
  return [forgetTries(ctx, which), ctx.db.delete(outbox).where(which)] as const;
}
