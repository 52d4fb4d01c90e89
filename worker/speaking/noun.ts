import { sql, type SQL } from "drizzle-orm";
import { noteErased } from "#worker/bin/note-erased.ts";
import { noun } from "#worker/nouns/noun.ts";
import { holdingOf, inWriting } from "#worker/people/held.ts";
import type { Context } from "#worker/platform/context.ts";
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

const forgetContact = ({ db, now }: Pick<Context, "db" | "now">, which: SQL) =>
  db
    .update(engagements)
    .set({
      contactEmail: "",
      contactPhone: "",
      // Newer than any version open in a form, which would restore them.
      updatedAt: sql`max(${now.getTime()}, ${engagements.updatedAt} + 1)`,
    })
    .where(which);

export const engagementNoun = noun({
  table: engagements,
  exported: { list: "speaking.json" },
  held: { engagements: heldContacts },
  /** Engagements stay, without the address and the phone. */
  forget: (ctx, email) => ({
    statements: [
      noteErased(
        ctx,
        "engagements",
        sql`select ${engagements.id} as item from ${engagements} where ${isContact(email)}`,
      ),
      forgetContact(ctx, isContact(email)),
    ],
  }),
  eraseAgain: (ctx, which) => [forgetContact(ctx, which)],
});
