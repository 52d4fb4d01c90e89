import { and, desc, eq, lt, or, sql } from "drizzle-orm";
import { MAIL_TOPIC, mailOf, type Mail } from "#worker/mail/message.ts";
import { placeOfMails } from "#worker/mail/transports.ts";
import { requireCapability } from "#worker/access/capabilities.ts";
import type { Context } from "#worker/platform/context.ts";
import { AppError } from "#worker/platform/errors.ts";
import { outbox, outboxBodies } from "#worker/platform/table.ts";

const PAGE = 50;

/** Waiting: not tried yet, or to be tried again after a failure. Failed: given up. */
export type MailState = "sent" | "waiting" | "failed";

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

export type StoredMail = MailSummary & Pick<Mail, "text" | "html">;

type Fate = Pick<
  typeof outbox.$inferSelect,
  "doneAt" | "failedAt" | "attempts" | "lastError" | "createdAt" | "id"
>;

const fate = {
  id: outbox.id,
  createdAt: outbox.createdAt,
  attempts: outbox.attempts,
  doneAt: outbox.doneAt,
  failedAt: outbox.failedAt,
  lastError: outbox.lastError,
};

/** Outgoing mails, newest first. `after` is the id of the last mail of the page before. */
export async function listMails(ctx: Context, { after }: { after?: string } = {}) {
  requireCapability("settings", ctx);
  const rows = await ctx.db
    .select({
      ...fate,
      to: sql<string>`json_extract(${outbox.payload}, '$.to')`,
      subject: sql<string>`json_extract(coalesce(${outboxBodies.content}, ${outbox.payload}), '$.subject')`,
    })
    .from(outbox)
    .leftJoin(outboxBodies, eq(outboxBodies.id, outbox.bodyId))
    .where(and(eq(outbox.topic, MAIL_TOPIC), after ? await olderThan(ctx, after) : undefined))
    .orderBy(desc(outbox.createdAt), desc(outbox.id))
    .limit(PAGE + 1);
  const page = rows.slice(0, PAGE);
  return {
    mails: page.map((row): MailSummary => ({ ...summary(row), to: row.to, subject: row.subject })),
    next: rows.length > PAGE ? (page.at(-1)?.id ?? null) : null,
    transport: ctx.config.mailTransport,
    place: placeOfMails(ctx),
  };
}

export async function readMail(ctx: Context, id: string): Promise<StoredMail> {
  requireCapability("settings", ctx);
  const [row] = await ctx.db
    .select({ ...fate, payload: outbox.payload, body: outboxBodies.content })
    .from(outbox)
    .leftJoin(outboxBodies, eq(outboxBodies.id, outbox.bodyId))
    .where(and(eq(outbox.topic, MAIL_TOPIC), eq(outbox.id, id)));
  if (!row) throw new AppError("not_found", "There is no such mail.");
  const { to, subject, text, html, isKey } = mailOf(row.payload, row.body);
  if (isKey) requireOwner(ctx);
  return { ...summary(row), to, subject, text, html };
}

/** Otherwise an admin could ask for a super admin's reset and read the link here. */
function requireOwner({ actor }: Context) {
  if (actor.kind === "user" && actor.role !== "super_admin") {
    throw new AppError(
      "forbidden",
      "This mail lets its reader into an account: only a super admin may open it.",
    );
  }
}

/** A mark that has been pruned in the meantime leaves nothing to page from: the list starts anew. */
async function olderThan({ db }: Context, id: string) {
  const [mark] = await db.select({ createdAt: outbox.createdAt }).from(outbox).where(eq(outbox.id, id));
  if (!mark) return undefined;
  const { createdAt } = mark;
  return or(lt(outbox.createdAt, createdAt), and(eq(outbox.createdAt, createdAt), lt(outbox.id, id)));
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
