import { sql } from "drizzle-orm";
import { noun } from "#worker/nouns/noun.ts";
import { holdingOf, inWriting } from "#worker/people/held.ts";
import { engagements } from "#worker/speaking/table.ts";

const isContact = (email: string) => sql`lower(${engagements.contactEmail}) = ${email}`;

/** Engagements with the person as the contact. */
const heldContacts = holdingOf({
  table: engagements,
  key: engagements.id,
  isAbout: isContact,
  select({ db }) {
    const { id, title, date, contactEmail, contactPhone, notes, createdAt } = engagements;
    return db.select({ id, title, date, contactEmail, contactPhone, notes, createdAt }).from(engagements);
  },
  toHeld: ({ id, ...row }) => ({
    key: id,
    at: row.createdAt.getTime(),
    title: row.title,
    data: inWriting(row),
  }),
});

export const engagementNoun = noun({
  table: engagements,
  exported: { list: "speaking.json" },
  held: { engagements: heldContacts },
  /** Engagements stay, without the address and the phone. */
  forget: ({ db, now }, email) => ({
    statements: [
      db
        .update(engagements)
        .set({
          contactEmail: "",
          contactPhone: "",
          // Newer than any version open in a form, which would restore them.
          updatedAt: sql`max(${now.getTime()}, ${engagements.updatedAt} + 1)`,
        })
        .where(isContact(email)),
    ],
  }),
});
