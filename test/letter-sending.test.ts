import { eq, type SQL } from "drizzle-orm";
import PostalMime from "postal-mime";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { readDesk } from "#worker/desk/queries.ts";
import { FILL_IN_BOTH, everybody } from "#worker/letters/contract.ts";
import { createLetter, updateLetter } from "#worker/letters/commands.ts";
import { storeOutcomes } from "#worker/letters/deliveries.ts";
import { readLetter, readRecipientCount } from "#worker/letters/queries.ts";
import { SLICE_TOPIC } from "#worker/letters/queue.ts";
import { listDeliveries, readProgress } from "#worker/letters/report-queries.ts";
import {
  cancelLetter,
  pauseLetter,
  resendUncertain,
  resumeLetter,
  sendDueLetters,
  sendLetter,
  unscheduleLetter,
} from "#worker/letters/sending-commands.ts";
import { sendSlice } from "#worker/letters/slices.ts";
import { watchLetters } from "#worker/letters/resume-interrupted.ts";
import { giveBack } from "#worker/letters/pace.ts";
import { deliveries, letters, sendingDays } from "#worker/letters/table.ts";
import { unsubscribe } from "#worker/newsletter/commands.ts";
import { subscribers } from "#worker/newsletter/table.ts";
import type { Context } from "#worker/platform/context.ts";
import { deliverOutbox } from "#worker/platform/work/outbox.ts";
import { outbox } from "#worker/platform/table.ts";
import { updateSite } from "#worker/settings/commands.ts";
import { siteDefaults, type Site } from "#worker/settings/contract.ts";
import { overtakenBy } from "./support/accounts.ts";
import { contextAs, jobContext, ownerContext, visitorContext } from "./support/client.ts";
import {
  aLetterTo,
  deliveriesOf,
  letGo,
  receivedBy,
  rowOf,
  sendingContext,
  sendSlices,
  startedLetter,
  subscribed,
  waitingSlices,
} from "./support/sending.ts";

const MINUTE = 60_000;
const people = (count: number) => Array.from({ length: count }, () => ({}));
const later = (milliseconds: number) => sendingContext({ now: new Date(Date.now() + milliseconds) });
const statesOf = async (id: number) => (await deliveriesOf(id)).map(({ status }) => status);

/** Leaves the first delivery as a claim does whose consumer was interrupted. */
async function cutOff(letterId: number) {
  const [first] = await deliveriesOf(letterId);
  await jobContext()
    .db.update(deliveries)
    .set({ status: "sending", claim: "cut", attempts: 1, notBefore: new Date(Date.now() + 5 * MINUTE) })
    .where(eq(deliveries.id, first!.id));
}

const withNewsletter = (newsletter: Partial<Site["newsletter"]>) =>
  updateSite(ownerContext(), { newsletter: { ...siteDefaults.newsletter, ...newsletter } });

beforeEach(() => void vi.spyOn(console, "error").mockImplementation(() => {}));
afterEach(async () => {
  vi.restoreAllMocks();
  await withNewsletter({});
});

describe("starting to send", () => {
  it("freezes who is confirmed, has not left and is not paused, in at most five statements", async () => {
    const day = 86_400_000;
    const { domain, subscribers: rows } = await subscribed([
      {},
      { verifiedAt: null },
      { status: "unsubscribed" },
      { status: "bounced" },
      { status: "complained" },
      { pausedUntil: new Date(Date.now() + day) },
      { pausedUntil: new Date(Date.now() - day) },
    ]);
    const { id } = await aLetterTo(domain);
    const ctx = sendingContext();
    await sendLetter(ctx, id, {});
    // One expires the archive, and the last reads the letter for the response.
    expect(ctx.d1.statements - 2).toBeLessThanOrEqual(5);
    expect((await deliveriesOf(id)).map(({ subscriberId }) => subscriberId).toSorted()).toEqual(
      [rows[0]!.id, rows[6]!.id].toSorted(),
    );
    expect(await rowOf(id)).toMatchObject({ status: "sending", recipients: 2, sent: 0 });
    expect(await waitingSlices(id)).toHaveLength(1);
  });

  it("goes to a segment by source and by date of sign-up", async () => {
    const at = (date: string) => ({ subscribedAt: new Date(date) });
    const { domain } = await subscribed([at("2026-01-01"), at("2026-02-01"), at("2026-03-01")]);
    await subscribed([at("2026-02-01")]);
    const segment = {
      ...everybody,
      sources: [domain],
      since: Date.parse("2026-02-01"),
      until: Date.parse("2026-03-01"),
    };
    expect(await readRecipientCount(ownerContext(), segment)).toBe(1);
    const { id } = await aLetterTo(domain, { segment });
    await sendLetter(sendingContext(), id, {});
    expect(await deliveriesOf(id)).toHaveLength(1);
  });

  it("happens once when requested three times concurrently", async () => {
    const { domain } = await subscribed(people(3));
    const { id } = await aLetterTo(domain);
    const answers = await Promise.allSettled([1, 2, 3].map(() => sendLetter(sendingContext(), id, {})));
    expect(answers.filter(({ status }) => status === "fulfilled")).toHaveLength(1);
    expect(await deliveriesOf(id)).toHaveLength(3);
    expect(await waitingSlices(id)).toHaveLength(1);
    await expect(sendLetter(sendingContext(), id, {})).rejects.toMatchObject({ code: "conflict" });
  });

  it("is refused if the letter is changed at the same moment, and nothing is written", async () => {
    const { domain } = await subscribed(people(2));
    const { id } = await aLetterTo(domain);
    const ctx = overtakenBy(sendingContext(), () =>
      updateLetter(ownerContext(), id, { subject: "Corrected" }),
    );
    await expect(sendLetter(ctx, id, {})).rejects.toMatchObject({ code: "conflict" });
    expect(await rowOf(id)).toMatchObject({ status: "draft", subject: "Corrected", mail: null });
    expect(await deliveriesOf(id)).toEqual([]);
    expect(await waitingSlices(id)).toEqual([]);
  });

  it("is refused for another version than the reviewed one, and nothing is written", async () => {
    const { domain } = await subscribed(people(2));
    const { id, updatedAt } = await aLetterTo(domain);
    const corrected = await updateLetter(ownerContext(), id, { subject: "Half a" });
    await expect(sendLetter(sendingContext(), id, { basedOn: updatedAt })).rejects.toMatchObject({
      code: "conflict",
      message: expect.stringMatching(/has changed, and wasn’t sent/),
    });
    const plan = { scheduledFor: Date.now() + MINUTE, basedOn: updatedAt };
    await expect(sendLetter(sendingContext(), id, plan)).rejects.toMatchObject({
      code: "conflict",
      message: expect.stringMatching(/has changed, and wasn’t scheduled/),
    });
    expect(await rowOf(id)).toMatchObject({ status: "draft", mail: null });
    expect(await deliveriesOf(id)).toEqual([]);
    const sent = await sendLetter(sendingContext(), id, { basedOn: corrected.updatedAt });
    expect(sent).toMatchObject({ status: "sending", counts: { recipients: 2 } });
  });

  it("is refused for a letter without recipients, and nothing is written", async () => {
    const { domain } = await subscribed([{ verifiedAt: null }]);
    const { id } = await aLetterTo(domain);
    await expect(sendLetter(sendingContext(), id, {})).rejects.toMatchObject({
      code: "invalid",
      field: "segment",
    });
    expect(await rowOf(id)).toMatchObject({ status: "draft", startedAt: null, mail: null });
    expect(await waitingSlices(id)).toEqual([]);
  });

  it.each([
    ["subject", { subject: "" }],
    ["content", { content: "  \n" }],
  ])("is refused without %s, in the specification's words", async (field, input) => {
    const { domain } = await subscribed(people(1));
    const { id } = await aLetterTo(domain, input);
    await expect(sendLetter(sendingContext(), id, {})).rejects.toMatchObject({
      message: FILL_IN_BOTH,
      field,
    });
  });

  it("is refused if no email can be sent", async () => {
    const { domain } = await subscribed(people(1));
    const { id } = await aLetterTo(domain);
    const ctx = sendingContext({}, null);
    const deployed = { ...ctx, config: { ...ctx.config, siteUrl: "https://example.com" } };
    await expect(sendLetter(deployed, id, {})).rejects.toMatchObject({ code: "conflict" });
  });
});

describe("a letter that is being sent", () => {
  it("reaches each of its recipients once, with an unsubscribe link of their own", async () => {
    const { id, people: readers } = await startedLetter(people(130));
    const ctx = sendingContext();
    await sendSlices(ctx, id);
    expect(new Set(await statesOf(id))).toEqual(new Set(["sent"]));
    expect(await rowOf(id)).toMatchObject({ status: "sent", recipients: 130, sent: 130, failed: 0 });
    expect((await readProgress(ownerContext(), id)).counts).toMatchObject({ queued: 0, sent: 130 });
    const all = await Promise.all(readers.map(({ email }) => receivedBy(email)));
    expect(all.map((received) => received.length)).toEqual(readers.map(() => 1));
    const mails = await Promise.all(
      all.slice(0, 3).map(([received]) => PostalMime.parse(new TextEncoder().encode(received!.raw))),
    );
    const [mail, other] = mails;
    expect(mail!.subject).toBe("What I learned");
    expect(mail!.html).toContain("<strong");
    expect(mail!.messageId).not.toBe(other!.messageId);
    const headers = Object.fromEntries(mail!.headers.map(({ key, value }) => [key, value]));
    expect(headers["list-unsubscribe-post"]).toBe("List-Unsubscribe=One-Click");
    const link = /<(.+)>/.exec(headers["list-unsubscribe"]!)![1]!;
    const token = new URL(link).searchParams.get("token")!;
    expect(mail!.text).toContain(token);
    await unsubscribe(visitorContext(), { token });
    const [left] = await ctx.db.select().from(subscribers).where(eq(subscribers.id, readers[0]!.id));
    expect(left!.status).toBe("unsubscribed");
  });

  it("costs at most 60 statements a thousand", async () => {
    // The clock is stopped, so that a slow machine needs no more slices.
    const ctx = sendingContext({ now: new Date() }, null);
    vi.spyOn(console, "log").mockImplementation(() => {});
    const { id } = await startedLetter(people(1000), { ctx });
    const before = ctx.d1.statements;
    await sendSlices(ctx, id);
    expect(await rowOf(id)).toMatchObject({ sent: 1000 });
    expect(ctx.d1.statements - before).toBeLessThanOrEqual(60);
  });

  it("is claimed by only one of several concurrent slices", async () => {
    await withNewsletter({ batchSize: 10 });
    const { id, people: readers } = await startedLetter(people(80));
    await Promise.all(
      [1, 2, 3, 4].map(() =>
        sendSlice(sendingContext(), { letterId: id }, { id: crypto.randomUUID() } as never),
      ),
    );
    await sendSlices(sendingContext(), id);
    const received = await Promise.all(readers.map(({ email }) => receivedBy(email)));
    expect(received.map(({ length }) => length)).toEqual(readers.map(() => 1));
    expect(await rowOf(id)).toMatchObject({ status: "sent", sent: 80 });
  });

  it("leaves out subscribers who left between the start and their turn", async () => {
    const { id, people: readers } = await startedLetter(people(4));
    const { db, now } = jobContext();
    await db.update(subscribers).set({ status: "unsubscribed" }).where(eq(subscribers.id, readers[0]!.id));
    await db.delete(subscribers).where(eq(subscribers.id, readers[1]!.id));
    await db
      .update(subscribers)
      .set({ pausedUntil: new Date(now.getTime() + 86_400_000) })
      .where(eq(subscribers.id, readers[2]!.id));
    await sendSlices(sendingContext(), id);
    expect((await statesOf(id)).toSorted()).toEqual(["sent", "skipped", "skipped", "skipped"]);
    expect(await rowOf(id)).toMatchObject({ status: "sent", recipients: 4, sent: 1, skipped: 3 });
    expect(await receivedBy(readers[0]!.email)).toEqual([]);
  });
});

describe("a refused email of a letter", () => {
  it("fails for good with the server's message, and a nonexistent mailbox gets no other", async () => {
    const { id, people: readers } = await startedLetter([
      { email: "unknown@refused.example.com" },
      { email: "spam@refused.example.com" },
      {},
    ]);
    await sendSlices(sendingContext(), id);
    expect(await rowOf(id)).toMatchObject({ status: "sent", sent: 1, failed: 2 });
    const { items } = await listDeliveries(ownerContext(), id, { of: "failed" });
    expect(items.map(({ email, answer }) => [email, answer])).toEqual([
      ["unknown@refused.example.com", expect.stringContaining("5.1.1 No such mailbox")],
      ["spam@refused.example.com", expect.stringContaining("5.7.1 This looks like spam")],
    ]);
    const { db } = jobContext();
    const states = await Promise.all(
      readers.map(async ({ id: subscriberId }) => {
        const [row] = await db.select().from(subscribers).where(eq(subscribers.id, subscriberId));
        return row!.status;
      }),
    );
    expect(states).toEqual(["bounced", "active", "active"]);
  });

  it("that is refused temporarily is retried with a back-off, and fails after two hours", async () => {
    const { id } = await startedLetter([{ email: "busy@back-off.example.com" }, {}]);
    const start = Date.now();
    await sendSlices(sendingContext(), id);
    const ofBusy = async () => (await deliveriesOf(id)).find(({ status }) => status !== "sent")!;
    const first = await ofBusy();
    expect(first).toMatchObject({ status: "queued", attempts: 1, answer: expect.stringContaining("4.3.0") });
    expect(first.notBefore.getTime()).toBeGreaterThanOrEqual(start + MINUTE);
    expect((await retryForTwoHours(id)).map(({ attempts }) => attempts)).toContain(8);
    expect(await rowOf(id)).toMatchObject({ status: "sent", sent: 1, failed: 1 });
    expect(await ofBusy()).toMatchObject({
      status: "failed",
      answer: expect.stringContaining("Come back later"),
    });
  });

  it("waits a day for one more attempt if the server took no email of the letter", async () => {
    const emails = ["busy@one.outage.example.com", "busy@two.outage.example.com"];
    const { id } = await startedLetter(emails.map((email) => ({ email })));
    await sendSlices(sendingContext(), id);
    const waiting = await retryForTwoHours(id);
    expect(waiting.map(({ status }) => status)).toEqual(["queued", "queued"]);
    const { status, failed, pausedReason } = await rowOf(id);
    expect({ status, failed, pausedReason }).toEqual({
      status: "sending",
      failed: 0,
      pausedReason: expect.stringContaining("Come back later"),
    });
    await sendSlices(later(23 * 60 * MINUTE), id);
    expect((await deliveriesOf(id)).map(({ attempts }) => attempts)).toEqual([8, 8]);
    // A session with a refused email may leave the other to the next one.
    for (const minutes of [0, 2]) await sendSlices(later((27 * 60 + minutes) * MINUTE), id);
    expect(await rowOf(id)).toMatchObject({ status: "sent", failed: 2 });
  });
});

/** Sends the slices of a letter at the times of its seven further attempts; returns its deliveries. */
async function retryForTwoHours(id: number) {
  let at = 0;
  for (let attempt = 1; attempt < 8; attempt++) {
    at += MINUTE * 2 ** (attempt - 1) + MINUTE;
    await sendSlices(later(at), id);
  }
  return deliveriesOf(id);
}

describe("a lost connection", () => {
  it("within a message leaves it uncertain, and the others are sent", async () => {
    const { id, people: readers } = await startedLetter([{}, { email: "cut@lost.example.com" }, {}, {}]);
    await sendSlices(sendingContext(), id);
    await sendSlices(later(2 * MINUTE), id);
    expect(await rowOf(id)).toMatchObject({ status: "sent", sent: 3, uncertain: 1, failed: 0 });
    const received = await Promise.all([0, 2, 3].map((index) => receivedBy(readers[index]!.email)));
    expect(received.map(({ length }) => length)).toEqual([1, 1, 1]);
  });

  it("leaves an email that is sent again only if the owner asks for it, with the same Message-ID", async () => {
    const { id, people: readers } = await startedLetter(people(2));
    const ctx = sendingContext();
    // As a consumer leaves them that crashed after the server's response.
    await sendSlices(ctx, id);
    await ctx.db.update(deliveries).set({ status: "uncertain" }).where(eq(deliveries.letterId, id));
    await ctx.db.update(letters).set({ uncertain: 2, sent: 0 }).where(eq(letters.id, id));
    await resendUncertain(ctx, id);
    await sendSlices(ctx, id);
    expect(await rowOf(id)).toMatchObject({ status: "sent", sent: 2, uncertain: 0 });
    const [first, second] = await receivedBy(readers[0]!.email);
    const idIn = (raw: string) => /^Message-ID: (.+)$/im.exec(raw)![1];
    expect(idIn(first!.raw)).toBe(idIn(second!.raw));
    await expect(resendUncertain(ctx, id)).rejects.toMatchObject({ code: "conflict" });
  });

  it("leaves an email that cannot be sent again while the letter is being sent, or once it is cancelled", async () => {
    const { id } = await startedLetter(people(2));
    const ctx = sendingContext();
    const [first] = await deliveriesOf(id);
    await ctx.db.update(deliveries).set({ status: "uncertain" }).where(eq(deliveries.id, first!.id));
    await ctx.db.update(letters).set({ uncertain: 1 }).where(eq(letters.id, id));
    await expect(resendUncertain(ctx, id)).rejects.toMatchObject({ code: "conflict" });
    expect(await statesOf(id)).toEqual(["uncertain", "queued"]);
    await cancelLetter(ctx, id);
    await expect(resendUncertain(ctx, id)).rejects.toMatchObject({ code: "conflict" });
    expect(await statesOf(id)).toEqual(["uncertain", "skipped"]);
  });
});

describe("an interrupted consumer", () => {
  it("leaves its batch uncertain once its claim has lapsed, and the rest is sent", async () => {
    await withNewsletter({ batchSize: 10 });
    const { id } = await startedLetter(people(25));
    await cutOff(id);
    await sendSlices(sendingContext(), id);
    expect(await rowOf(id)).toMatchObject({ status: "sending", sent: 24 });
    expect(await waitingSlices(id)).toEqual([]);
    await watchLetters(sendingContext());
    expect(await waitingSlices(id)).toEqual([]);
    const lapsed = later(6 * MINUTE);
    await watchLetters(lapsed);
    await sendSlices(lapsed, id);
    expect(await rowOf(id)).toMatchObject({ status: "sent", sent: 24, uncertain: 1 });
  });

  it("leaves its batch uncertain also if the letter has been cancelled", async () => {
    const { id } = await startedLetter(people(2));
    await cutOff(id);
    await cancelLetter(ownerContext(), id);
    await watchLetters(sendingContext());
    expect(await statesOf(id)).toEqual(["sending", "skipped"]);
    await watchLetters(later(6 * MINUTE));
    expect(await statesOf(id)).toEqual(["uncertain", "skipped"]);
    const { status, counts } = await readProgress(ownerContext(), id);
    expect({ status, ...counts }).toMatchObject({ status: "cancelled", queued: 0, skipped: 1, uncertain: 1 });
  });

  it("writes nothing once its claim was taken over", async () => {
    const { id } = await startedLetter(people(1));
    const ctx = sendingContext();
    const [one] = await deliveriesOf(id);
    await ctx.db
      .update(deliveries)
      .set({ status: "uncertain", claim: "other" })
      .where(eq(deliveries.id, one!.id));
    const outcome = { state: "failed", answer: "late", isBadAddress: false } as const;
    await storeOutcomes(ctx, id, "mine", [{ id: one!.id, attempts: 1, outcome }]);
    expect((await deliveriesOf(id))[0]).toMatchObject({ status: "uncertain" });
  });
});

describe("the owner", () => {
  it("pauses a letter between two batches, and resumes it", async () => {
    await withNewsletter({ batchSize: 10 });
    const { id } = await startedLetter(people(30));
    const ctx = sendingContext();
    await pauseLetter(ownerContext(), id);
    await sendSlices(ctx, id);
    expect(await rowOf(id)).toMatchObject({ status: "paused", sent: 0 });
    await expect(pauseLetter(ownerContext(), id)).rejects.toMatchObject({ code: "conflict" });
    await resumeLetter(ctx, id);
    await sendSlices(ctx, id);
    expect(await rowOf(id)).toMatchObject({ status: "sent", sent: 30 });
  });

  it("cancels a letter in the middle of a slice: the submitted batch is sent, the rest is not", async () => {
    await withNewsletter({ batchSize: 10 });
    const held = "held@cancel.example.com";
    const { id, people: readers } = await startedLetter([{ email: held }, ...people(20)]);
    const sending = sendSlice(sendingContext(), { letterId: id }, { id: crypto.randomUUID() } as never);
    const isSending = async () => expect(await statesOf(id)).toContain("sending");
    await vi.waitFor(isSending, { timeout: 60_000 });
    const letter = await cancelLetter(ownerContext(), id);
    expect(letter.status).toBe("cancelled");
    await letGo(held);
    await sending;
    await sendSlices(sendingContext(), id);
    const row = await rowOf(id);
    expect(row).toMatchObject({ status: "cancelled", sent: 10, skipped: 11 });
    const received = await Promise.all(readers.map(({ email }) => receivedBy(email)));
    expect(received.flat()).toHaveLength(10);
    await expect(resumeLetter(sendingContext(), id)).rejects.toMatchObject({ code: "conflict" });
  });

  it("cancels a letter: emails of a batch that were refused temporarily are not retried", async () => {
    const held = "held@cancel-busy.example.com";
    const { id } = await startedLetter([{ email: held }, { email: "busy@cancel-busy.example.com" }]);
    const sending = sendSlice(sendingContext(), { letterId: id }, { id: crypto.randomUUID() } as never);
    const isSending = async () => expect(await statesOf(id)).toContain("sending");
    await vi.waitFor(isSending, { timeout: 60_000 });
    await cancelLetter(ownerContext(), id);
    await letGo(held);
    await sending;
    const all = await deliveriesOf(id);
    expect(all.map(({ status }) => status).toSorted()).toEqual(["sent", "skipped"]);
    expect(all.every(({ settledAt }) => settledAt !== null)).toBe(true);
    const { counts } = await readProgress(ownerContext(), id);
    expect(counts).toMatchObject({ recipients: 2, queued: 0, sent: 1, skipped: 1 });
  });

  it("schedules a letter; it is sent once, although crons overlap or were missed", async () => {
    const { domain } = await subscribed(people(2));
    const { id } = await aLetterTo(domain);
    const at = Date.now() + 60 * MINUTE;
    expect(await sendLetter(sendingContext(), id, { scheduledFor: at })).toMatchObject({
      status: "scheduled",
      scheduledFor: at,
    });
    await sendDueLetters(sendingContext());
    expect(await rowOf(id)).toMatchObject({ status: "scheduled" });
    const tick = () => sendDueLetters(later(3 * 60 * MINUTE));
    await Promise.all([tick(), tick(), tick()]);
    expect(await rowOf(id)).toMatchObject({ status: "sending", recipients: 2 });
    expect(await deliveriesOf(id)).toHaveLength(2);
  });

  it("edits a scheduled letter at the moment that it is due: the new version is sent a minute later", async () => {
    const { domain } = await subscribed(people(2));
    const { id } = await aLetterTo(domain);
    await sendLetter(sendingContext(), id, { scheduledFor: Date.now() + MINUTE });
    const correct = () => updateLetter(ownerContext(), id, { subject: "Corrected" });
    await sendDueLetters(overtakenBy(later(2 * MINUTE), correct));
    expect(await rowOf(id)).toMatchObject({ status: "scheduled", pausedReason: null });
    await sendDueLetters(later(3 * MINUTE));
    expect(await rowOf(id)).toMatchObject({ status: "sending", mail: { subject: "Corrected" } });
  });

  it("cannot schedule a letter in the past, and can cancel a schedule", async () => {
    const { domain } = await subscribed(people(1));
    const { id } = await aLetterTo(domain);
    await expect(
      sendLetter(sendingContext(), id, { scheduledFor: Date.now() - MINUTE }),
    ).rejects.toMatchObject({ code: "invalid", field: "scheduledFor" });
    await sendLetter(sendingContext(), id, { scheduledFor: Date.now() + MINUTE });
    expect(await unscheduleLetter(ownerContext(), id)).toMatchObject({ status: "draft", scheduledFor: null });
  });

  it("cannot schedule a letter whose sending starts at the same moment", async () => {
    const { domain } = await subscribed(people(1));
    const { id } = await aLetterTo(domain);
    const ctx = sendingContext();
    const update = (table: typeof letters) => ({
      set: (values: object) => ({
        where: (which: SQL) => ({
          async returning(columns: { id: typeof letters.id }) {
            await sendLetter(sendingContext(), id, {});
            return ctx.db.update(table).set(values).where(which).returning(columns);
          },
        }),
      }),
    });
    const behind: Context = { ...ctx, db: Object.assign(Object.create(ctx.db), { update }) };
    await expect(sendLetter(behind, id, { scheduledFor: Date.now() + MINUTE })).rejects.toMatchObject({
      code: "conflict",
      message: "You can’t do that now: this letter is being sent.",
    });
    expect(await rowOf(id)).toMatchObject({ status: "sending", scheduledFor: null });
  });

  it("finds a scheduled letter that could not be sent as a draft, with the reason", async () => {
    const { domain } = await subscribed([{ verifiedAt: null }]);
    const { id } = await aLetterTo(domain);
    await sendLetter(sendingContext(), id, { scheduledFor: Date.now() + MINUTE });
    await sendDueLetters(later(2 * MINUTE));
    expect(await readLetter(ownerContext(), id)).toMatchObject({
      status: "draft",
      pausedReason: expect.stringMatching(/^It wasn’t sent as planned: No one/),
    });
  });

  it("sees stopped letters on the desk, until they are saved or scheduled again", async () => {
    const { db } = jobContext();
    const stopped = async () => (await readDesk(ownerContext())).stoppedLetters!;
    const before = await stopped();
    const { domain } = await subscribed([{ verifiedAt: null }]);
    const drafts = await Promise.all([1, 2].map(() => aLetterTo(domain)));
    for (const { id } of drafts)
      await sendLetter(sendingContext(), id, { scheduledFor: Date.now() + MINUTE });
    await sendDueLetters(later(2 * MINUTE));
    expect(await stopped()).toBe(before + 2);
    const [first, second] = drafts.map(({ id }) => id);
    await updateLetter(ownerContext(), first!, { subject: "Again", automatic: true });
    expect(await stopped()).toBe(before + 2);
    await updateLetter(ownerContext(), first!, { subject: "Once more" });
    expect(await stopped()).toBe(before + 1);
    await sendLetter(sendingContext(), second!, { scheduledFor: Date.now() + MINUTE });
    expect(await stopped()).toBe(before);
    // A letter paused by the owner is not reported as stopped.
    const { id } = await startedLetter(people(1));
    await pauseLetter(ownerContext(), id);
    expect(await stopped()).toBe(before);
    await db.update(letters).set({ pausedReason: "The server cannot be reached." }).where(eq(letters.id, id));
    expect(await stopped()).toBe(before + 1);
  });
});

describe("limits of the provider", () => {
  it("a daily limit holds the rest back until the next day, to the letter", async () => {
    await withNewsletter({ perDay: 55, batchSize: 10 });
    const now = new Date("2027-03-04T10:00:00Z");
    const ctx = sendingContext({ now });
    const { id } = await startedLetter(people(60), { ctx });
    await sendSlices(ctx, id);
    expect(await rowOf(id)).toMatchObject({
      status: "sending",
      sent: 55,
      pausedReason: "You’ve reached the daily limit of 55 letters.",
    });
    const [waiting] = await waitingSlices(id);
    expect(waiting!.notBefore.toISOString()).toBe("2027-03-05T00:00:00.000Z");
    const [day] = await ctx.db.select().from(sendingDays).where(eq(sendingDays.day, "2027-03-04"));
    expect(day!.letters).toBe(55);
    await sendSlices(sendingContext({ now: new Date("2027-03-05T00:00:30Z") }), id);
    expect(await rowOf(id)).toMatchObject({ status: "sent", sent: 60, pausedReason: null });
  });

  it("a daily limit does not count a deferred email, whose share goes back to the day that it was taken from", async () => {
    await withNewsletter({ perDay: 50 });
    const now = new Date("2027-04-04T10:00:00Z");
    const ctx = sendingContext({ now });
    const { id } = await startedLetter([{}, { email: "busy@limit.example.com" }], { ctx });
    await sendSlices(ctx, id);
    expect(await rowOf(id)).toMatchObject({ status: "sending", sent: 1 });
    const dayOf = async (day: string) =>
      (await ctx.db.select().from(sendingDays).where(eq(sendingDays.day, day)))[0]?.letters;
    expect(await dayOf("2027-04-04")).toBe(1);
    await giveBack(ctx, { perDay: 50, perSecond: null, batchSize: 1 }, 9, new Date("2027-04-03T23:59:59Z"));
    expect(await dayOf("2027-04-04")).toBe(1);
    await giveBack(ctx, { perDay: 50, perSecond: null, batchSize: 1 }, 9, now);
    expect(await dayOf("2027-04-04")).toBe(0);
  });

  it("a limited rate is obeyed by one slice, in small batches", async () => {
    await withNewsletter({ perSecond: 1, batchSize: 80 });
    const { id } = await startedLetter(people(12));
    const { setTimeout: original } = globalThis;
    const waits: number[] = [];
    vi.spyOn(globalThis, "setTimeout").mockImplementation(((run: () => void, ms = 0) => {
      if (ms > 5000 && ms <= 10_000) waits.push(ms);
      return original(run, ms > 5000 && ms <= 10_000 ? 0 : ms);
    }) as typeof setTimeout);
    // The clock is stopped.
    await sendSlices(sendingContext({ now: new Date() }), id);
    expect(await rowOf(id)).toMatchObject({ status: "sent", sent: 12 });
    expect(waits).toEqual([10_000]);
    expect(await waitingSlices(id)).toEqual([]);
  });
});

describe("a sending letter without any slice left", () => {
  it("is resumed by the cron", async () => {
    const { id } = await startedLetter(people(2));
    const { db } = jobContext();
    await db.delete(outbox).where(eq(outbox.topic, SLICE_TOPIC));
    await watchLetters(sendingContext());
    await watchLetters(sendingContext());
    expect(await waitingSlices(id)).toHaveLength(1);
    await sendSlices(sendingContext(), id);
    expect(await rowOf(id)).toMatchObject({ status: "sent", sent: 2 });
  });

  it("is paused with the reason if the server was unreachable for two hours", async () => {
    const { id } = await startedLetter(people(2));
    const [slice] = await waitingSlices(id);
    for (let attempt = 0, at = 0; attempt < 8; attempt++, at += MINUTE * 2 ** attempt) {
      const ctx = sendingContext({ now: new Date(Date.now() + at) }, "smtp://localhost:9");
      await deliverOutbox(ctx, slice!.id, { [SLICE_TOPIC]: sendSlice });
    }
    const ctx = later(5 * 60 * MINUTE);
    const { db } = ctx;
    for (const { id: other } of await waitingSlices(id)) await db.delete(outbox).where(eq(outbox.id, other));
    await watchLetters(ctx);
    expect(await rowOf(id)).toMatchObject({
      status: "paused",
      pausedReason: expect.stringContaining("cannot be reached"),
    });
    expect(new Set(await statesOf(id))).toEqual(new Set(["queued"]));
    await resumeLetter(ctx, id);
    await sendSlices(ctx, id);
    expect(await rowOf(id)).toMatchObject({ status: "sent", sent: 2 });
  });

  it("is not paused again by a failure from before the owner resumed it", async () => {
    const { id } = await startedLetter(people(2));
    const { db } = jobContext();
    const [slice] = await waitingSlices(id);
    const failed = { failedAt: new Date(Date.now() + MINUTE), lastError: "The server cannot be reached." };
    await db.update(outbox).set(failed).where(eq(outbox.id, slice!.id));
    await watchLetters(later(2 * MINUTE));
    expect(await rowOf(id)).toMatchObject({ status: "paused", pausedReason: failed.lastError });
    await resumeLetter(later(3 * MINUTE), id);
    const [lost] = await waitingSlices(id);
    await db.delete(outbox).where(eq(outbox.id, lost!.id));
    await watchLetters(later(4 * MINUTE));
    await sendSlices(later(4 * MINUTE), id);
    expect(await rowOf(id)).toMatchObject({ status: "sent", sent: 2 });
  });
});

describe("the report", () => {
  it("is paged by key", async () => {
    const { id } = await startedLetter(people(120));
    await jobContext().db.update(deliveries).set({ status: "uncertain" }).where(eq(deliveries.letterId, id));
    const seen: number[] = [];
    let before: string | undefined;
    do {
      const { items, next } = await listDeliveries(ownerContext(), id, { of: "uncertain", before });
      seen.push(...items.map((item) => item.id));
      before = next ?? undefined;
    } while (before);
    expect(new Set(seen).size).toBe(120);
    expect(seen).toHaveLength(120);
  });
});

describe("roles", () => {
  it("an editor cannot send letters", async () => {
    const editor = contextAs("editor");
    await expect(createLetter(editor, {})).rejects.toMatchObject({ code: "forbidden" });
    await expect(sendLetter(editor, 1, {})).rejects.toMatchObject({ code: "forbidden" });
  });
});
