import { and, eq, notInArray, sql, type SQL } from "drizzle-orm";
import { securityEventNames, type SecurityEventKind } from "#worker/accounts/contract.ts";
import { readOwner, readOwnerAddress } from "#worker/accounts/notice-address.ts";
import { noticeRows } from "#worker/accounts/notices.ts";
import { eventCount } from "#worker/accounts/refusals.ts";
import { logAlerts, securityEvents } from "#worker/accounts/table.ts";
import { composeMail, MAIL_TOPIC } from "#worker/mail/message.ts";
import type { Context } from "#worker/platform/context.ts";
import { outbox } from "#worker/platform/table.ts";
import { enqueue, outboxRowIf } from "#worker/platform/work/outbox.ts";
import { readSite, senderOf } from "#worker/settings/queries.ts";

/** Milliseconds between two emails about entries of one kind. */
const HOUR = 3_600_000;

/** `through`: the last entry that an email was about; `last`: the newest. */
type Due = { kind: SecurityEventKind; through: number; count: number; last: number };

/**
 * Each minute: one email about the new entries of the kinds that the owner has chosen, each kind at most once an hour, with
 * their number. Entries from before a kind was chosen cause none.
 */
export async function sendLogAlerts(ctx: Context) {
  const site = await readSite(ctx);
  const { kinds } = site.alerts;
  if (kinds.length === 0) return;
  const due = await ctx.db.all<Due>(sql`
    select alert.kind as kind, alert.through_id as through, sum(${eventCount}) as count, max(event.id) as last
    from ${logAlerts} as alert join ${securityEvents} as event on event.kind = alert.kind and event.id > alert.through_id
    where alert.kind in (select value from json_each(${JSON.stringify(kinds)}))
      and (alert.sent_at is null or alert.sent_at <= ${ctx.now.getTime() - HOUR})
    group by alert.kind order by alert.kind`);
  if (due.length === 0) return;
  const mail = composeMail(ctx, {
    ...senderOf(ctx, site),
    to: await readOwnerAddress(ctx),
    subject: `${subjectOf(due)}: ${site.name}`,
    parts: [
      "The security log has new entries of kinds that you chose to be informed about:",
      due.map(({ kind, count }) => `${securityEventNames[kind]}: ${count}`).join("\n"),
      { label: "Open the log", href: `${ctx.config.siteUrl}/admin/settings/security/log` },
      "You get at most one email an hour about each kind. Choose the kinds in Settings ▸ Security.",
    ],
  });
  // Of two crons only one finds the state that it has read. Of the other, nothing is written.
  const isUnsent = sql`not exists (
    select 1 from json_each(${JSON.stringify(due)}) as given
      left join ${logAlerts} as alert on alert.kind = given.value ->> 'kind'
    where alert.through_id is not given.value ->> 'through')`;
  const row = outboxRowIf(ctx, MAIL_TOPIC, mail, isUnsent);
  const updates = due.map(({ kind, last }) =>
    ctx.db
      .update(logAlerts)
      .set({ throughId: last, sentAt: ctx.now })
      .where(and(eq(logAlerts.kind, kind), sql`exists (select 1 from ${outbox} where id = ${row.id})`)),
  );
  await ctx.db.batch([row.statement, ...updates]);
  enqueue(ctx, row.id);
}

const subjectOf = (due: Due[]) =>
  due.length === 1 ? securityEventNames[due[0]!.kind] : `${due.length} kinds of security events`;

/**
 * Each minute, before them: a kind that the owner has chosen since begins with the entry after that of the choice. That of the
 * last hour, since after a restore there are only older ones, of another site.
 */
export async function followAlertChoice(ctx: Context) {
  const { db } = ctx;
  const [{ alerts }, known] = await Promise.all([
    readSite(ctx),
    db.select({ kind: logAlerts.kind }).from(logAlerts),
  ]);
  const isSame =
    known.length === alerts.kinds.length && known.every(({ kind }) => alerts.kinds.includes(kind));
  if (isSame) return;
  await db.batch([
    db.delete(logAlerts).where(notInArray(logAlerts.kind, alerts.kinds)),
    db
      .insert(logAlerts)
      .select(
        sql`select value, coalesce(
            (select max(id) from ${securityEvents} where kind = 'alerts_changed' and at > ${ctx.now.getTime() - HOUR}),
            (select max(id) from ${securityEvents}), 0), null
          from json_each(${JSON.stringify(alerts.kinds)}) where true`,
      )
      .onConflictDoNothing(),
  ]);
}

/** Of an email about the kinds that the owner's choice no longer has: a thief may have taken them out. For the batch of the change. */
export async function fewerAlertsRows(ctx: Context, removed: SecurityEventKind[], isWritten: SQL) {
  const owner = await readOwner(ctx);
  if (!owner) return [];
  const { actor } = ctx;
  const other = actor.kind === "user" && actor.id !== owner.id ? actor.email : null;
  const notice = {
    name: `alerts-${removed.join("-")}`,
    subject: "Emails about security events were switched off",
    parts: [
      `You no longer get emails about these events${other === null ? "" : `, as ${other} has set`}:`,
      removed.map((kind) => securityEventNames[kind]).join("\n"),
      { label: "Choose the events", href: `${ctx.config.siteUrl}/admin/settings/security` },
    ],
    isWithoutLink: other !== null,
  };
  return noticeRows(ctx, owner, notice, isWritten);
}
