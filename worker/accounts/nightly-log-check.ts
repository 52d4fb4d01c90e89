import { and, desc, eq, isNotNull, isNull, lt, sql } from "drizzle-orm";
import { requireCapability } from "#worker/access/capabilities.ts";
import {
  addLogChecks,
  logFaultWords,
  NOTHING_CHECKED,
  type LogCheckResult,
  type LogCheckSum,
  type LogFault,
  type LogHead,
} from "#worker/accounts/contract.ts";
import { checkLog } from "#worker/accounts/log-chain.ts";
import { readOwnerAddress } from "#worker/accounts/notice-address.ts";
import { logChecks } from "#worker/accounts/table.ts";
import { composeMail, MAIL_TOPIC } from "#worker/mail/message.ts";
import type { Context } from "#worker/platform/context.ts";
import { enqueue, outboxRow } from "#worker/platform/work/outbox.ts";
import { readSite, senderOf } from "#worker/settings/queries.ts";

/** The night's check of the audit log's chain: docs/decisions/0096-log-chain.md. Each step is a request of `checkLog`. */

/** Milliseconds. A night's check is not begun twice, and an hour's change of the clocks makes no difference. */
const NIGHT = 12 * 3_600_000;

/** Daily. Repeating it does nothing. */
export async function beginLogCheck({ db, now }: Context) {
  const time = now.getTime();
  // A row of the future would otherwise stop all checks until then.
  const isNew = sql`not exists (select 1 from ${logChecks}
    where ${logChecks.begunAt} > ${time - NIGHT} and ${logChecks.begunAt} <= ${time})`;
  await db
    .insert(logChecks)
    .select(sql`select null, ${time}, null, 0, 0, 0, null, '[]', 0, 0 where ${isNew}`);
}

const isRunning = isNull(logChecks.finishedAt);

export const hasLogCheck = async ({ db }: Context) => (await db.$count(logChecks, isRunning)) > 0;

/**
 * The next step of a check that was begun. Faults are believed once a second run from the beginning finds some: a restore may
 * have replaced the log during the first. Then the owner gets an email about those that the check before did not find. Returns
 * false without a check.
 */
export async function continueLogCheck(ctx: Context, readCopies: (ctx: Context) => Promise<LogHead[]>) {
  const [run] = await ctx.db.select().from(logChecks).where(isRunning).orderBy(logChecks.id).limit(1);
  if (!run) return false;
  const copies = await readCopies(ctx);
  const part = await checkLog(ctx, { ...(run.after !== null && { after: run.after }), copies });
  // Of two crons only one finds the step that it has read.
  const isIt = and(eq(logChecks.id, run.id), isRunning, sql`${logChecks.after} is ${run.after}`);
  const update = (set: Partial<typeof logChecks.$inferInsert>) =>
    ctx.db.update(logChecks).set(set).where(isIt);
  const sum = addLogChecks(run, part);
  const isOver = part.next === null && (sum.faults.length === 0 || run.isSecond);
  if (isOver) {
    const mail = await mailOfNew(ctx, run.id, sum);
    const ended = { ...sum, finishedAt: ctx.now };
    const earlier = ctx.db.delete(logChecks).where(lt(logChecks.id, run.id));
    await ctx.db.batch([update(ended), earlier, ...(mail ? [mail.statement] : [])]);
    if (mail) enqueue(ctx, mail.id);
    return true;
  }
  const isAgain = part.next === null;
  await update(isAgain ? { ...NOTHING_CHECKED, after: null, isSecond: true } : { ...sum, after: part.next });
  return true;
}

/** The row of the email about the faults that the check before did not find; null if there are none. */
async function mailOfNew(ctx: Context, runId: number, { faults, more }: LogCheckSum) {
  const before = await readLast(ctx);
  const isKnown = ({ id, is }: LogFault) =>
    before?.faults.some((known) => known.id === id && known.is === is);
  const found = faults.filter((fault) => !isKnown(fault));
  // Those beyond the list have only a number.
  const isMore = more > (before?.more ?? 0);
  if (found.length === 0 && !isMore) return null;
  const site = await readSite(ctx);
  const mail = composeMail(ctx, {
    ...senderOf(ctx, site),
    to: await readOwnerAddress(ctx),
    subject: `The security log isn’t whole: ${site.name}`,
    parts: [
      "Each night the site checks that no entry of its security log was changed or removed. This time it found:",
      ...found.map(({ id, is }) => logFaultWords[is](id)),
      ...(isMore ? [`${more.toLocaleString("en")} more entries don’t match.`] : []),
      "If the site was not restored, someone may have written to its database. Change the passwords and API tokens of your account at Cloudflare, and compare the log with the one in an older copy.",
      { label: "Open the log", href: `${ctx.config.siteUrl}/admin/settings/security/log` },
    ],
  });
  // Two crons may end the same check.
  const row = outboxRow(ctx, MAIL_TOPIC, mail, { id: `log-check-${runId}` });
  return { id: row.id, statement: row.statement.onConflictDoNothing() };
}

/**
 * The result of the last check that has ended; null before the first.
 * @throws `unauthenticated`, `forbidden`
 */
export async function readLogCheck(ctx: Context): Promise<LogCheckResult | null> {
  requireCapability("settings", ctx);
  const last = await readLast(ctx);
  if (!last) return null;
  const { finishedAt, checked, erased, faults, more, copies } = last;
  return { finishedAt: finishedAt!.getTime(), checked, erased, faults, more, copies };
}

async function readLast({ db }: Context) {
  const isOver = isNotNull(logChecks.finishedAt);
  const [last] = await db.select().from(logChecks).where(isOver).orderBy(desc(logChecks.id)).limit(1);
  return last;
}
