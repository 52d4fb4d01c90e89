import { env } from "cloudflare:workers";
import { and, eq } from "drizzle-orm";
import { beforeEach, describe, expect, inject, test, vi } from "vitest";
import { requestReset } from "#worker/accounts/request-commands.ts";
import { users } from "#worker/accounts/table.ts";
import { handlers } from "#worker/jobs.ts";
import { letterWork } from "#worker/letters/deliveries.ts";
import { sendLetter } from "#worker/letters/sending-commands.ts";
import { sendSlice } from "#worker/letters/slices.ts";
import { deliveries } from "#worker/letters/table.ts";
import { MAIL_TOPIC, mailRow } from "#worker/mail/message.ts";
import { NEWSLETTER_TOPIC } from "#worker/newsletter/confirmation.ts";
import { subscribe } from "#worker/newsletter/commands.ts";
import { createContext, type Context } from "#worker/platform/context.ts";
import { outbox } from "#worker/platform/table.ts";
import { deliverOutbox } from "#worker/platform/work/outbox.ts";
import { addUser } from "./support/accounts.ts";
import { jobContext, visitorContext } from "./support/client.ts";
import { faultyBindings, type Fault } from "./support/faults.ts";
import { address, jobs } from "./support/newsletter.ts";
import { forgetRates } from "./support/rates.ts";
import { RESEND_KEY, type TakenMail } from "./support/resend-server.ts";
import {
  aLetterTo,
  deliveriesOf,
  rowOf,
  sendingContext,
  sendSlices,
  SMTP,
  startedLetter,
  subscribed,
  waitingSlices,
} from "./support/sending.ts";

const MINUTE = 60_000;
const port = inject("resend");
const { db } = jobContext();

beforeEach(async () => {
  vi.spyOn(console, "error").mockImplementation(() => {});
  await forgetRates();
});

/** A mail account of its own. */
function account() {
  const url = `http://127.0.0.1:${port}/${crypto.randomUUID()}`;
  const taken = async () => (await fetch(`${url}/taken`)).json<TakenMail[]>();
  return { resend: { key: RESEND_KEY, url }, taken };
}

/** A job's context of which the first calls of D1 with this SQL fail. */
function failing(sql: RegExp, faults: Fault[], options: Partial<Context> = {}) {
  const left = [...faults];
  const { env: faulty } = faultyBindings(env, ({ queries }) =>
    queries.some((query) => sql.test(query)) ? left.shift() : undefined,
  );
  const ctx = createContext(faulty, { actor: { kind: "job", name: "test" } });
  return { ...ctx, jobs, letters: jobs, ...options };
}

const DONE = /update "outbox" set "claimed_until" = \?, "done_at"|update "outbox" set .*"done_at" = \?/;
const ofTopic = (topic: string) => db.select().from(outbox).where(eq(outbox.topic, topic));

describe("an email that was sent", () => {
  test.each<Fault>(["before", "after"])(
    "is not sent a second time if marking it as done fails %s the write",
    async (fault) => {
      const { resend, taken } = account();
      const to = address();
      const { id, statement } = mailRow(jobContext(), { to, subject: "Once", parts: ["Once."] });
      await statement;
      const ctx = failing(DONE, [fault, fault]);
      await deliverOutbox({ ...ctx, config: { ...ctx.config, resend } }, id, handlers);
      const [row] = await db.select().from(outbox).where(eq(outbox.id, id));
      expect(row).toMatchObject({ doneAt: expect.any(Date), attempts: 1 });
      const later = jobContext({ now: new Date(Date.now() + 10 * MINUTE), jobs });
      await deliverOutbox({ ...later, config: { ...later.config, resend } }, id, handlers);
      expect(await taken()).toHaveLength(1);
    },
  );

  test("has a Message-ID that is made of its row's id", async () => {
    const { id, statement } = mailRow(jobContext(), { to: address(), subject: "Once", parts: ["Once."] });
    await statement;
    const [row] = await db.select().from(outbox).where(eq(outbox.id, id));
    expect(row!.payload).toMatchObject({ messageId: `<${id}@localhost>` });
  });
});

describe("a request that is handled again, since marking it as done failed for minutes,", () => {
  /** Handles a row three times, each time as if nothing had marked it as done. */
  async function handleThrice(id: string) {
    for (const minutes of [0, 10, 20]) {
      await deliverOutbox(jobContext({ now: new Date(Date.now() + minutes * MINUTE), jobs }), id, handlers);
      await db.update(outbox).set({ doneAt: null, claimedUntil: null }).where(eq(outbox.id, id));
    }
    await db.delete(outbox).where(eq(outbox.id, id));
  }

  test("causes one email: a sign-up", async () => {
    const email = address();
    await subscribe(visitorContext({ jobs }), { email, source: "footer" });
    const row = (await ofTopic(NEWSLETTER_TOPIC)).find(
      ({ payload }) => (payload as { email: string }).email === email,
    );
    await handleThrice(row!.id);
    const mails = (await ofTopic(MAIL_TOPIC)).filter(
      ({ payload }) => (payload as { to: string }).to === email,
    );
    expect(mails).toHaveLength(1);
    expect(mails[0]!.payload).toMatchObject({ messageId: `<${row!.id}-mail@localhost>` });
  });

  test("causes one email, and counts once: a password reset", async () => {
    const user = await addUser();
    await requestReset(visitorContext({ jobs }), { email: user.email });
    const row = (await ofTopic("account-request")).find(
      ({ payload }) => (payload as { email: string }).email === user.email,
    );
    await handleThrice(row!.id);
    const mails = (await ofTopic(MAIL_TOPIC)).filter(
      ({ payload }) => (payload as { to: string }).to === user.email,
    );
    expect(mails).toHaveLength(1);
    const [stored] = await db.select().from(users).where(eq(users.id, user.id));
    expect(stored).toMatchObject({ passwordResetAttempts: 1 });
  });
});

describe("the outcomes of a batch of letters", () => {
  test.each<Fault>(["before", "after"])(
    "are stored and counted once if storing them fails %s the write",
    async (fault) => {
      const { resend, taken } = account();
      const { domain } = await subscribed(Array.from({ length: 5 }, () => ({})));
      const { id } = await aLetterTo(domain);
      await sendLetter(sendingContext({}, null), id, {});
      const ctx = failing(/update "letter_deliveries" set[^]*given\.value/, [fault, fault]);
      await sendSlices({ ...ctx, config: { ...ctx.config, resend, smtpUrl: undefined } }, id);
      expect(await rowOf(id)).toMatchObject({ status: "sent", sent: 5, uncertain: 0 });
      expect((await deliveriesOf(id)).map(({ status }) => status)).toEqual(Array(5).fill("sent"));
      expect(await taken()).toHaveLength(5);
    },
  );

  test("are stored if the question whether the server is out of order fails at first", async () => {
    const { id, people } = await startedLetter([{ email: `busy@${crypto.randomUUID()}.example.com` }, {}]);
    const isBusy = eq(deliveries.subscriberId, people[0]!.id);
    await db
      .update(deliveries)
      .set({ attempts: letterWork.maxAttempts - 1 })
      .where(and(eq(deliveries.letterId, id), isBusy));
    const errors = vi.spyOn(console, "error").mockImplementation(() => {});
    const ctx = failing(/select "id" from "letter_deliveries"[^]*"settled_at" >= /, ["before"]);
    await sendSlices({ ...ctx, config: { ...ctx.config, smtpUrl: SMTP } }, id);
    // It waits a day, since the server has taken no email before.
    expect((await deliveriesOf(id)).map(({ status }) => status)).toEqual(["queued", "sent"]);
    expect(errors).toHaveBeenCalledWith(expect.stringContaining("an outcome was not stored"));
  });
});

test("a slice that is handled again starts the same further slices", async () => {
  const { id } = await startedLetter(Array.from({ length: 1700 }, () => ({})));
  const [first] = await waitingSlices(id);
  const ctx = sendingContext({}, "smtp://127.0.0.1:1");
  for (const _ of [1, 2]) await expect(sendSlice(ctx, first!.payload, first!)).rejects.toThrow();
  expect(await waitingSlices(id)).toHaveLength(3);
});
