import { eq, sql } from "drizzle-orm";
import { inject } from "vitest";
import { deliveries, letters } from "#worker/letters/table.ts";
import { letterDefaults, type LetterInput, type Question } from "#worker/letters/contract.ts";
import { createLetter } from "#worker/letters/commands.ts";
import { SLICE_TOPIC } from "#worker/letters/queue.ts";
import { sendLetter } from "#worker/letters/sending-commands.ts";
import { sendSlice } from "#worker/letters/slices.ts";
import { subscribers } from "#worker/newsletter/table.ts";
import type { Context } from "#worker/platform/context.ts";
import { deliverOutbox } from "#worker/platform/work/outbox.ts";
import { outbox } from "#worker/platform/table.ts";
import { contextOf, jobContext, ownerContext } from "./client.ts";
import { jobs } from "./newsletter.ts";
import type { Received } from "./smtp-server.ts";

const ports = inject("smtp");
export const SMTP = `smtp://owner:p%40ss%2Fword@localhost:${ports.plain}`;

/** Queues that drop messages: tests deliver the slices themselves. */
const still = { jobs, letters: jobs };

/** A context whose letters leave by the tests' mail server, by another one, or by none. */
export function sendingContext(options: Partial<Context> = {}, smtpUrl: string | null = SMTP): Context {
  const ctx = contextOf({ kind: "job", name: "test" }, { ...still, ...options });
  return { ...ctx, config: { ...ctx.config, smtpUrl: smtpUrl ?? undefined } };
}

type Row = Partial<typeof subscribers.$inferInsert>;

/** Subscribers who are confirmed, each at a domain of this call unless an address is given. */
export async function subscribed(rows: Row[]) {
  const { db } = jobContext();
  // The mail server's memory is the whole run's.
  const domain = `d${crypto.randomUUID().slice(0, 8)}.example.com`;
  const values = rows.map((row, index) => ({
    id: crypto.randomUUID(),
    email: `reader${index}@${domain}`,
    status: "active" as const,
    source: domain,
    subscribedAt: new Date("2026-05-01"),
    consent: "Yes.",
    verifiedAt: new Date("2026-05-02"),
    stamp: crypto.randomUUID(),
    ...row,
  }));
  for (let from = 0; from < values.length; from += 8)
    await db.insert(subscribers).values(values.slice(from, from + 8));
  return { domain, subscribers: values };
}

/** A draft to these subscribers alone. */
export const aLetterTo = (source: string, input: Partial<LetterInput> = {}) =>
  createLetter(ownerContext(), {
    subject: "What I learned",
    content: "Hello from **the desk**.",
    isPublic: true,
    ...input,
    segment: { ...letterDefaults.segment, sources: [source], ...input.segment },
  });

/** A letter whose sending has started, to new subscribers. */
export async function startedLetter(
  rows: Row[],
  { ctx = sendingContext(), input = {} as Partial<LetterInput> } = {},
) {
  const { domain, subscribers: people } = await subscribed(rows);
  const { id } = await aLetterTo(domain, input);
  await sendLetter(ctx, id, {});
  return { id, people };
}

export const aQuestion: Question = {
  text: "What next?",
  answers: ["Rent", "Buses & trains", "Water"],
  closesAt: null,
  showsResults: true,
};

/** A letter with a question whose sending has started, to new subscribers. */
export const askedLetter = (question: Partial<Question> = {}, rows: Row[] = [{}]) =>
  startedLetter(rows, { input: { question: { ...aQuestion, ...question } } });

export const rowOf = async (id: number) => {
  const [row] = await jobContext().db.select().from(letters).where(eq(letters.id, id));
  return row!;
};

/** The deliveries of a letter, in the order of its recipients. */
export const deliveriesOf = (id: number) =>
  jobContext().db.select().from(deliveries).where(eq(deliveries.letterId, id)).orderBy(deliveries.id);

export const waitingSlices = (letterId: number) =>
  jobContext()
    .db.select()
    .from(outbox)
    .where(
      sql`${outbox.topic} = ${SLICE_TOPIC} and ${outbox.payload} ->> 'letterId' = ${letterId}
        and ${outbox.doneAt} is null and ${outbox.failedAt} is null`,
    )
    .orderBy(outbox.notBefore);

/** Delivers the slices of a letter that are due, and those that follow from them, as the queue does. */
export async function sendSlices(ctx: Context, letterId: number) {
  for (let rounds = 0; rounds < 50; rounds++) {
    const due = (await waitingSlices(letterId)).filter(({ notBefore }) => notBefore <= ctx.clock());
    if (due.length === 0) return;
    for (const { id } of due) await deliverOutbox(ctx, id, { [SLICE_TOPIC]: sendSlice });
  }
}

const mailbox = (to: string) => `http://127.0.0.1:${ports.received}/${encodeURIComponent(to)}`;

/** What the tests' mail server got for an address. */
export async function receivedBy(to: string) {
  const response = await fetch(mailbox(to));
  return response.json<Received[]>();
}

/** Has the tests' mail server take an email that it holds. */
export const letGo = (to: string) => fetch(mailbox(to), { method: "POST" });
