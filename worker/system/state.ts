import { count, max, min, sql } from "drizzle-orm";
import { selectTotals } from "#worker/files/queries.ts";
import { MAIL_TOPIC } from "#worker/mail/message.ts";
import type { Context } from "#worker/platform/context.ts";
import { countUnreadableSecrets } from "#worker/nouns/sealed-secrets.ts";
import { outbox } from "#worker/platform/table.ts";
import { countFailed, countFailedOf } from "#worker/platform/work/dead-letters.ts";
import { isOpen } from "#worker/platform/work/outbox.ts";
import { COUNTED_FAILURES, type SiteState } from "#worker/system/contract.ts";
import { cronRuns } from "#worker/system/table.ts";

/** Milliseconds without the cron of each minute: Cloudflare may skip one. */
const LATE_MS = 5 * 60_000;

/** How the site itself is, in one batch. */
export async function readState(ctx: Context): Promise<SiteState> {
  const { db, config, now } = ctx;
  const [[stored], [waiting], [failed], [failedEmails], [lastRun], migrations, [keys]] = await db.batch([
    selectTotals(ctx),
    db
      .select({ count: count(), oldest: min(outbox.createdAt) })
      .from(outbox)
      .where(isOpen),
    db.select({ count: countFailed(COUNTED_FAILURES) }).from(sql`(select 1)`),
    db.select({ count: countFailedOf(MAIL_TOPIC, COUNTED_FAILURES) }).from(sql`(select 1)`),
    db.select({ at: max(cronRuns.at) }).from(cronRuns),
    // Wrangler's own table.
    db
      .select({ name: sql<string>`name` })
      .from(sql`d1_migrations`)
      .orderBy(sql`id desc`)
      .limit(1),
    db.select({ unreadable: await countUnreadableSecrets(ctx) }).from(sql`(select 1)`),
  ]);
  const at = lastRun?.at ?? null;
  return {
    version: config.version,
    migration: migrations[0]?.name.replace(/\.sql$/, "") ?? null,
    files: { count: stored!.count, bytes: stored!.bytes ?? 0 },
    waiting: { count: waiting!.count, oldest: waiting!.oldest },
    failed: { count: Math.min(failed!.count, COUNTED_FAILURES), emails: failedEmails!.count },
    lastRun: at,
    keys: {
      isEncrypted: config.keySecrets.length > 0,
      isTooShort: config.hasShortKeySecret,
      unreadable: keys!.unreadable,
    },
    isRunLate: at === null || now.getTime() - at.getTime() > LATE_MS,
  };
}
