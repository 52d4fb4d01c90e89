import { and, desc, eq, lt, sql } from "drizzle-orm";
import type { EnquiryKind } from "#worker/enquiries/contract.ts";
import { enquiries, enquiryMails } from "#worker/enquiries/table.ts";
import type { Context } from "#worker/platform/context.ts";
import { inWriting, type Holding } from "#worker/people/held.ts";

const isOf = (kind: EnquiryKind, email: string) => and(eq(enquiries.kind, kind), eq(enquiries.email, email));

/** As JSON, oldest first. */
const answers = sql<string>`(select json_group_array(json_object(
    'subject', mail.subject, 'body', mail.body, 'sentBy', mail.sent_by, 'sentAt', mail.sent_at) order by mail.id)
  from ${enquiryMails} as mail where mail.enquiry_id = ${enquiries}.id)`;

type Answer = { subject: string; body: string; sentBy: string; sentAt: number };

/** What somebody sent of a kind, with the owner's notes and what was answered. */
export const heldEnquiries = (kind: EnquiryKind): Holding => ({
  count: (email) => sql<number>`(select count(*) from ${enquiries} where ${isOf(kind, email)})`,
  async read({ db }, email, { before, limit }) {
    const rows = await db
      .select({ row: enquiries, answers })
      .from(enquiries)
      .where(and(isOf(kind, email), before === null ? undefined : lt(enquiries.id, before)))
      .orderBy(desc(enquiries.id))
      .limit(limit);
    return rows.map(
      ({
        row: { id, title, fields, kind: _kind, box: _box, digest: _digest, name, email: sender, ...row },
        answers: json,
      }) => ({
        key: id,
        id: String(id),
        at: row.createdAt.getTime(),
        title,
        data: {
          ...inWriting({ name, email: sender, ...fields, ...row }),
          answers: (JSON.parse(json) as Answer[]).map(answerOf),
        },
      }),
    );
  },
});

const answerOf = ({ sentAt, ...answer }: Answer) => ({ ...answer, sentAt: new Date(sentAt).toISOString() });

/** The statement that deletes all that somebody sent, with the answers to it. */
export const forgetEnquiries = ({ db }: Pick<Context, "db">, email: string) =>
  db.delete(enquiries).where(eq(enquiries.email, email));
