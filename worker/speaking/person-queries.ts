import { and, desc, lt, sql } from "drizzle-orm";
import type { Context } from "#worker/platform/context.ts";
import { inWriting, type Holding } from "#worker/people/held.ts";
import { engagements } from "#worker/speaking/table.ts";

const isContact = (email: string) => sql`lower(${engagements.contactEmail}) = ${email}`;

/** Engagements with the person as the contact. */
export const heldContacts: Holding = {
  count: (email) => sql<number>`(select count(*) from ${engagements} where ${isContact(email)})`,
  async read({ db }, email, { before, limit }) {
    const { id, title, date, contactEmail, contactPhone, notes, createdAt } = engagements;
    const rows = await db
      .select({ id, title, date, contactEmail, contactPhone, notes, createdAt })
      .from(engagements)
      .where(and(isContact(email), before === null ? undefined : lt(id, before)))
      .orderBy(desc(id))
      .limit(limit);
    return rows.map(({ id: key, ...row }) => ({
      key,
      id: String(key),
      at: row.createdAt.getTime(),
      title: row.title,
      data: inWriting(row),
    }));
  },
};

/** The statement that removes a person's address and phone from engagements, which stay. */
export const forgetContact = ({ db, now }: Pick<Context, "db" | "now">, email: string) =>
  db
    .update(engagements)
    .set({
      contactEmail: "",
      contactPhone: "",
      // Newer than any version open in a form, which would restore them.
      updatedAt: sql`max(${now.getTime()}, ${engagements.updatedAt} + 1)`,
    })
    .where(isContact(email));
