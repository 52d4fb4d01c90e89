import { sql } from "drizzle-orm";
import { appSecrets } from "#worker/accounts/factor-secrets.ts";
import type { Context } from "#worker/platform/context.ts";
import { paymentKeysColumn } from "#worker/payments/keys.ts";
import { countUnreadable, resealColumn, type SealedColumn } from "#worker/platform/data/sealed-columns.ts";
import { keySecretsColumn } from "#worker/platform/http/signing-keys.ts";
import { proposalKey } from "#worker/proposals/open-model.ts";
import { transcriptionKey } from "#worker/transcription/open-transcriber.ts";
import { webhookSecretsColumn } from "#worker/webhooks/queries.ts";

/** All secrets of the database that the site must read again. */
const columns: SealedColumn[] = [
  keySecretsColumn,
  appSecrets,
  webhookSecretsColumn,
  transcriptionKey.column,
  proposalKey.column,
  paymentKeysColumn,
];

/** Each night: encrypts by the present KEY_SECRET what is plain, or encrypted by a former one. */
export async function resealSecrets(ctx: Context) {
  for (const column of columns) await resealColumn(ctx, column);
}

/** SQL: the number of secrets that cannot be read, because KEY_SECRET is missing or another one. */
export async function countUnreadableSecrets(ctx: Context) {
  const counts = await Promise.all(columns.map((column) => countUnreadable(ctx, column)));
  return sql<number>`(${sql.join(counts, sql` + `)})`;
}
