import { and, desc, eq, sql } from "drizzle-orm";
import type { MailState } from "#worker/mail/contract.ts";
import { calendarFileOf, MAIL_TOPIC, mailOf, type Mail } from "#worker/mail/message.ts";
import { hasRecentProof, requireCapability } from "#worker/access/capabilities.ts";
import type { Context } from "#worker/platform/context.ts";
import { AppError } from "#worker/platform/errors.ts";
import { cursorOf, olderThan, pageOf } from "#worker/platform/data/keyset.ts";
import { outbox, outboxBodies } from "#worker/platform/table.ts";

const PAGE = 50;

/** SQLite's rowid, which orders emails of the same millisecond. */
const number = sql<number>`${outbox}.rowid`;

export type MailSummary = {
  id: string;
  to: string;
  subject: string;
  state: MailState;
  attempts: number;
  lastError: string | null;
  /** Milliseconds UTC. */
  createdAt: number;
};

export type StoredMail = MailSummary & {
  /** Null without a recent proof, if its link gives access to an account. */
  content: MailContent | null;
};

export type MailContent = Pick<Mail, "text" | "html" | "invitation"> & {
  /** The file name of the invitation or its cancellation. */
  invitationFile?: string;
};

type Fate = Pick<
  typeof outbox.$inferSelect,
  "doneAt" | "failedAt" | "attempts" | "lastError" | "createdAt" | "id"
>;

export const fate = {
  id: outbox.id,
  createdAt: outbox.createdAt,
  attempts: outbox.attempts,
  doneAt: outbox.doneAt,
  failedAt: outbox.failedAt,
  lastError: outbox.lastError,
};

/**
 * Outgoing emails, newest first. `before` is the previous page's `next`.
 * @throws `unauthenticated`, `forbidden`; `not_found` for a malformed cursor
 */
export async function listMails(ctx: Context, { before }: { before?: string } = {}) {
  requireCapability("settings", ctx);
  const rows = await ctx.db
    .select({
      ...fate,
      number,
      to: sql<string>`json_extract(${outbox.payload}, '$.to')`,
      subject: sql<string>`json_extract(coalesce(${outboxBodies.content}, ${outbox.payload}), '$.subject')`,
    })
    .from(outbox)
    .leftJoin(outboxBodies, eq(outboxBodies.id, outbox.bodyId))
    .where(
      and(
        eq(outbox.topic, MAIL_TOPIC),
        before === undefined ? undefined : olderThan(before, outbox.createdAt, number),
      ),
    )
    .orderBy(desc(outbox.createdAt), desc(number))
    .limit(PAGE + 1);
  const { items, next } = pageOf(rows, PAGE, (last) => cursorOf(last.createdAt.getTime(), last.number));
  return {
    items: items.map((row): MailSummary => ({ ...summary(row), to: row.to, subject: row.subject })),
    next,
  };
}

/** @throws `unauthenticated`, `forbidden`; `not_found` */
export async function readMail(ctx: Context, id: string): Promise<StoredMail> {
  requireCapability("settings", ctx);
  const [row] = await ctx.db
    .select({ ...fate, payload: outbox.payload, body: outboxBodies.content })
    .from(outbox)
    .leftJoin(outboxBodies, eq(outboxBodies.id, outbox.bodyId))
    .where(and(eq(outbox.topic, MAIL_TOPIC), eq(outbox.id, id)));
  if (!row) throw new AppError("not_found", "There is no such email.");
  const { to, subject, text, html, isKey, invitation } = mailOf(row.payload, row.body);
  const mail = { ...summary(row), to, subject };
  if (isKey) {
    requireOwner(ctx);
    // With a stolen session, a thief could request a reset and read its link here.
    if (!hasRecentProof(ctx)) return { ...mail, content: null };
  }
  const invitationFile = invitation === undefined ? undefined : calendarFileOf(invitation).name;
  return { ...mail, content: { text, html, invitation, invitationFile } };
}

/** The delivery state of an email; `lastError` is in the mail server's words. */
type MailFate = Pick<MailSummary, "state" | "lastError">;

export const fateOf = (row: Fate): MailFate => ({ state: stateOf(row), lastError: row.lastError });

/** Otherwise an admin could request a super admin's reset and read the link here. */
function requireOwner({ actor }: Context) {
  if (actor.kind === "user" && actor.role !== "super_admin") {
    throw new AppError("forbidden", "This email gives access to an account. Only a super admin can open it.");
  }
}

const summary = ({ id, createdAt, attempts, lastError, ...row }: Fate) => ({
  id,
  createdAt: createdAt.getTime(),
  attempts,
  lastError,
  state: stateOf(row),
});

function stateOf({ doneAt, failedAt }: Pick<Fate, "doneAt" | "failedAt">): MailState {
  if (doneAt) return "sent";
  return failedAt ? "failed" : "waiting";
}
