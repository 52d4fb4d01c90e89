import { and, eq, or, sql } from "drizzle-orm";
import { hasAccount } from "#worker/accounts/queries.ts";
import { noteErased } from "#worker/bin/note-erased.ts";
import { ACCOUNT_TOPIC } from "#worker/accounts/request-commands.ts";
import { MAIL_TOPIC, mailOf } from "#worker/mail/message.ts";
import { noun } from "#worker/nouns/noun.ts";
import { holdingOf, inWriting } from "#worker/people/held.ts";
import { forgetTries } from "#worker/webhooks/forget.ts";
import { outbox, outboxBodies } from "#worker/platform/table.ts";

const number = sql<number>`${outbox}.rowid`.mapWith(Number);

/** SQL: gives access to an account, or is a request for such an email. */
const isOfAccount = sql`(${outbox.topic} = ${ACCOUNT_TOPIC} or coalesce(${outbox.payload} ->> 'isKey', 0))`;

/** SQL: replies to the email go to the visitor whom it is about. The site's own Reply-To has no name (`senderOf`). */
const isAnsweredTo = (email: string) =>
  and(
    sql`${outbox.payload} ->> '$.replyTo.address' = ${email}`,
    sql`${outbox.payload} ->> '$.replyTo.name' is not null`,
  );

/**
 * SQL: an email to the person, one with their Reply-To, or their pending request. Each part has its index. Excludes emails
 * that belong to an account.
 */
const isAbout = (email: string) =>
  and(
    or(
      sql`${outbox.payload} ->> 'to' = ${email}`,
      isAnsweredTo(email),
      sql`${outbox.payload} ->> 'email' = ${email}`,
    ),
    sql`not (${isOfAccount} and ${hasAccount(email)})`,
    // The last email of a deletion, which deletes itself: a second press must not stop it.
    sql`coalesce(${outbox.payload} ->> 'isForgotten', 0) = 0`,
  )!;

/** Emails to or about a person in the outbox, sent or waiting, and events for webhooks, for a month. */
const heldMails = holdingOf({
  table: outbox,
  key: number,
  isAbout,
  select: ({ db }) =>
    db
      .select({ key: number, row: outbox, body: outboxBodies.content })
      .from(outbox)
      .leftJoin(outboxBodies, eq(outboxBodies.id, outbox.bodyId)),
  toHeld({ key, row, body }) {
    const { topic, createdAt, doneAt, failedAt, lastError } = row;
    const content = topic === MAIL_TOPIC ? wordsOf(row.payload, body) : (row.payload as object);
    return {
      key,
      id: row.id,
      at: createdAt.getTime(),
      title: "subject" in content ? String(content.subject) : topic,
      data: inWriting({ ...content, topic, createdAt, deliveredAt: doneAt, failedAt, lastError }),
    };
  },
});

/** The readable parts of an email, without the text if its link gives access to an account. */
function wordsOf(payload: unknown, body: unknown) {
  const { from, to, replyTo, subject, text, isKey } = mailOf(payload, body);
  return { from: from.address, to, replyTo: replyTo?.address ?? null, subject, ...(!isKey && { text }) };
}

export const mailNoun = noun({
  table: outbox,
  held: { mails: heldMails },
  /** Waiting ones are then never sent. */
  forget: (ctx, email) => ({
    statements: [
      noteErased(ctx, "outbox", sql`select ${outbox.id} as item from ${outbox} where ${isAbout(email)}`),
      forgetTries(ctx, isAbout(email)),
      ctx.db.delete(outbox).where(isAbout(email)),
    ],
  }),
});
