import { and, desc, eq, lt, or, sql } from "drizzle-orm";
import { hasAccount } from "#worker/accounts/person-queries.ts";
import { ACCOUNT_TOPIC } from "#worker/accounts/request-commands.ts";
import { MAIL_TOPIC, mailOf } from "#worker/mail/message.ts";
import type { Context } from "#worker/platform/context.ts";
import { inWriting, type Holding } from "#worker/people/held.ts";
import { outbox, outboxBodies } from "#worker/platform/table.ts";

const number = sql<number>`${outbox}.rowid`.mapWith(Number);

/** SQL: lets its reader into an account, or was asked for by whoever wants to be let in. */
const isOfAccount = sql`(${outbox.topic} = ${ACCOUNT_TOPIC} or coalesce(${outbox.payload} ->> 'isKey', 0))`;

/** SQL: the answers to a mail go to the visitor whom it tells of. The site's own Reply-To has no name (`senderOf`). */
const isAnsweredTo = (email: string) =>
  and(
    sql`${outbox.payload} ->> '$.replyTo.address' = ${email}`,
    sql`${outbox.payload} ->> '$.replyTo.name' is not null`,
  );

/**
 * SQL: a mail to somebody, one that is answered to them, or a request of theirs that has not been dealt with. Each part has
 * its index. What belongs to an account stays with it.
 */
const isAbout = (email: string) =>
  and(
    or(
      sql`${outbox.payload} ->> 'to' = ${email}`,
      isAnsweredTo(email),
      sql`${outbox.payload} ->> 'email' = ${email}`,
    ),
    sql`not (${isOfAccount} and ${hasAccount(email)})`,
    // The last mail of a deletion, which leaves nothing behind: a second press must not stop it.
    sql`coalesce(${outbox.payload} ->> 'isForgotten', 0) = 0`,
  );

/** What is in the outbox for somebody or about them: mails that left or wait, for a month. */
export const heldMails: Holding = {
  count: (email) => sql<number>`(select count(*) from ${outbox} where ${isAbout(email)})`,
  async read({ db }, email, { before, limit }) {
    const rows = await db
      .select({ key: number, row: outbox, body: outboxBodies.content })
      .from(outbox)
      .leftJoin(outboxBodies, eq(outboxBodies.id, outbox.bodyId))
      .where(and(isAbout(email), before === null ? undefined : lt(number, before)))
      .orderBy(desc(number))
      .limit(limit);
    return rows.map(({ key, row, body }) => {
      const { topic, createdAt, doneAt, failedAt, lastError } = row;
      const content = topic === MAIL_TOPIC ? wordsOf(row.payload, body) : (row.payload as object);
      return {
        key,
        id: row.id,
        at: createdAt.getTime(),
        title: "subject" in content ? String(content.subject) : topic,
        data: inWriting({ ...content, topic, createdAt, deliveredAt: doneAt, failedAt, lastError }),
      };
    });
  },
};

/** What somebody reads of a mail; nothing of one whose link lets its reader into an account. */
function wordsOf(payload: unknown, body: unknown) {
  const { from, to, replyTo, subject, text, isKey } = mailOf(payload, body);
  return { from: from.address, to, replyTo: replyTo?.address ?? null, subject, ...(!isKey && { text }) };
}

/** The statement that deletes them: what has not left leaves no more. */
export const forgetMails = ({ db }: Pick<Context, "db">, email: string) =>
  db.delete(outbox).where(isAbout(email));
