import { eq } from "drizzle-orm";
import { createLetter } from "#worker/letters/commands.ts";
import type { NewLetter } from "#worker/letters/contract.ts";
import { ANSWER_SLOT } from "#worker/letters/question-part.ts";
import { UNSUBSCRIBE_SLOT } from "#worker/letters/render.ts";
import { letters } from "#worker/letters/table.ts";
import { copyOf, type MailBody } from "#worker/mail/message.ts";
import { ownerContext } from "./client.ts";
import { unique } from "./factories.ts";

export const aLetter = (overrides: Partial<NewLetter> = {}): NewLetter => ({
  subject: `Letter ${unique()}`,
  preheader: "What it is about.",
  content: "Dear reader.\n\nWords.",
  ...overrides,
});

export const savedLetter = (overrides?: Partial<NewLetter>) =>
  createLetter(ownerContext(), aLetter(overrides));

export const setLetter = (id: number, columns: Partial<typeof letters.$inferInsert>) =>
  ownerContext().db.update(letters).set(columns).where(eq(letters.id, id));

/** The email as one subscriber gets it. */
export const copyTo = (mail: MailBody) =>
  copyOf(ownerContext(), mail, {
    to: "reader@example.com",
    values: { [UNSUBSCRIBE_SLOT]: "t.o-k_en", [ANSWER_SLOT]: "an.s-w_er" },
  });
