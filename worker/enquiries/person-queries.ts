import { and, desc, eq, lt, sql } from "drizzle-orm";
import { answersOf, toAnswers } from "#worker/enquiries/answers.ts";
import type { EnquiryKind } from "#worker/enquiries/contract.ts";
import { enquiries } from "#worker/enquiries/table.ts";
import type { Context } from "#worker/platform/context.ts";
import { inWriting, type Holding } from "#worker/people/held.ts";

const isOf = (kind: EnquiryKind, email: string) => and(eq(enquiries.kind, kind), eq(enquiries.email, email));

/** A person's enquiries of a kind, with the owner's notes and answers. */
export const heldEnquiries = (kind: EnquiryKind): Holding => ({
  count: (email) => sql<number>`(select count(*) from ${enquiries} where ${isOf(kind, email)})`,
  async read({ db }, email, { before, limit }) {
    const rows = await db
      .select({ row: enquiries, answers: answersOf })
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
          answers: toAnswers(json),
        },
      }),
    );
  },
});

/** SQL: the enquiry is from this address. */
export const isSentBy = (email: string) => eq(enquiries.email, email);

/** The statement that deletes all enquiries of a person, with the answers. */
export const forgetEnquiries = ({ db }: Pick<Context, "db">, email: string) =>
  db.delete(enquiries).where(isSentBy(email));
