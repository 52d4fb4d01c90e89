import { eq } from "drizzle-orm";
import { beforeEach, describe, expect, inject, it, vi } from "vitest";
import { isSliceOf, SLICE_TOPIC, sliceRowAt } from "#worker/letters/queue.ts";
import { sendSlice } from "#worker/letters/slices.ts";
import { watchLetters } from "#worker/letters/resume-interrupted.ts";
import { sendLetter } from "#worker/letters/sending-commands.ts";
import { deliveries, sendingDays } from "#worker/letters/table.ts";
import { subscribers } from "#worker/newsletter/table.ts";
import { updateSite } from "#worker/settings/commands.ts";
import { siteDefaults } from "#worker/settings/contract.ts";
import { deliverOutbox, sweepOutbox } from "#worker/platform/work/outbox.ts";
import { outbox } from "#worker/platform/table.ts";
import { jobContext, ownerContext } from "./support/client.ts";
import { jobs } from "./support/newsletter.ts";
import { RESEND_KEY, type Fault, type ResendRequest, type TakenMail } from "./support/resend-server.ts";
import {
  aLetterTo,
  deliveriesOf,
  rowOf,
  sendingContext,
  sendSlices,
  subscribed,
  waitingSlices,
} from "./support/sending.ts";

const port = inject("resend");
const MINUTE = 60_000;

beforeEach(() => void vi.spyOn(console, "error").mockImplementation(() => {}));

/** A letter to this many subscribers, by an account of its own with these faults. */
async function letterBy(faults: Fault[], count: number) {
  const url = `http://127.0.0.1:${port}/${crypto.randomUUID()}`;
  await fetch(`${url}/faults`, { method: "POST", body: JSON.stringify(faults) });
  const read = async <T>(what: string) => (await fetch(`${url}/${what}`)).json<T>();
  const at = (milliseconds: number) => {
    const ctx = sendingContext({ now: new Date(Date.now() + milliseconds) }, null);
    return { ...ctx, config: { ...ctx.config, resend: { key: RESEND_KEY, url } } };
  };
  const { domain } = await subscribed(Array.from({ length: count }, () => ({})));
  const { id } = await aLetterTo(domain);
  await sendLetter(at(0), id, {});
  return {
    id,
    at,
    taken: () => read<TakenMail[]>("taken"),
    requests: () => read<ResendRequest[]>("requests"),
  };
}

describe("a letter by Resend", () => {
  it("is sent in batches, and each delivery has the provider's id", async () => {
    const { id, at, taken, requests } = await letterBy([], 100);
    await sendSlices(at(0), id);
    expect(await rowOf(id)).toMatchObject({ status: "sent", sent: 100 });
    expect((await requests()).map(({ mails }) => mails)).toEqual([80, 20]);
    const ids = (await taken()).map((mail) => mail.id);
    expect((await deliveriesOf(id)).map(({ providerId }) => providerId).toSorted()).toEqual(ids.toSorted());
  });

  it("whose response was lost is sent once: the same batch is submitted again with its key", async () => {
    const { id, at, taken, requests } = await letterBy(["cut-after"], 30);
    await sendSlices(at(0), id);
    expect(await rowOf(id)).toMatchObject({ status: "sending", sent: 0 });
    expect(await taken()).toHaveLength(30);
    await sendSlices(at(2 * MINUTE), id);
    const later = at(10 * MINUTE);
    await watchLetters(later);
    await sendSlices(later, id);
    expect(await rowOf(id)).toMatchObject({ status: "sent", sent: 30, uncertain: 0 });
    expect(await taken()).toHaveLength(30);
    const [first, second] = await requests();
    expect(second!.key).toBe(first!.key);
  });

  it("whose response was lost is not queued again if the provider is busy at the second submission", async () => {
    const { id, at, taken, requests } = await letterBy(["cut-after", "busy"], 5);
    await sendSlices(at(0), id);
    await sendSlices(at(10 * MINUTE), id);
    expect((await deliveriesOf(id)).map(({ status }) => status)).toEqual(Array(5).fill("sending"));
    for (const minutes of [12, 20]) {
      await watchLetters(at(minutes * MINUTE));
      await sendSlices(at(minutes * MINUTE), id);
    }
    expect((await requests()).map(({ answer }) => answer)).toEqual(["cut", 429, 200]);
    expect(new Set((await requests()).map(({ key }) => key)).size).toBe(1);
    expect(await taken()).toHaveLength(5);
    expect(await rowOf(id)).toMatchObject({ status: "sent", sent: 5, uncertain: 0 });
  });

  it("is uncertain if the key of a lost batch is a day old", async () => {
    const { id, at, taken } = await letterBy(["cut-after"], 5);
    await sendSlices(at(0), id);
    const later = at(25 * 60 * MINUTE);
    await watchLetters(later);
    await sendSlices(later, id);
    expect(await rowOf(id)).toMatchObject({ status: "sent", sent: 0, uncertain: 5 });
    expect(await taken()).toHaveLength(5);
  });

  it("is uncertain a day after the first submission, despite a repeated submission in between", async () => {
    const { id, at, requests } = await letterBy(["cut-after", "down"], 5);
    await sendSlices(at(0), id);
    await sendSlices(at(22 * 60 * MINUTE), id);
    await sendSlices(at((24 * 60 + 10) * MINUTE), id);
    expect((await requests()).map(({ answer }) => answer)).toEqual(["cut", 500]);
    expect(await rowOf(id)).toMatchObject({ status: "sent", sent: 0, uncertain: 5 });
  });

  it("is uncertain once a lost batch was submitted eight times without an answer", async () => {
    const faults: Fault[] = ["cut-after", ...Array<Fault>(8).fill("down")];
    const { id, at, taken, requests } = await letterBy(faults, 5);
    for (let turn = 0; turn < 12; turn++) {
      await watchLetters(at(turn * 10 * MINUTE));
      await sendSlices(at(turn * 10 * MINUTE), id);
      // The retry of a slice that failed finds the batch claimed, and ends: only a new slice submits it again.
      await sendSlices(at((turn * 10 + 2) * MINUTE), id);
    }
    expect((await requests()).map(({ answer }) => answer)).toEqual(["cut", ...Array<number>(7).fill(500)]);
    expect(await taken()).toHaveLength(5);
    expect(await rowOf(id)).toMatchObject({ status: "sent", sent: 0, uncertain: 5 });
  });

  it("is uncertain if a subscriber in a lost batch has left since, so that it would be another batch", async () => {
    const { id, at, requests } = await letterBy(["cut-after"], 5);
    await sendSlices(at(0), id);
    const [first] = await deliveriesOf(id);
    await jobContext()
      .db.update(subscribers)
      .set({ status: "unsubscribed" })
      .where(eq(subscribers.id, first!.subscriberId!));
    const later = at(10 * MINUTE);
    await watchLetters(later);
    await sendSlices(later, id);
    expect(await requests()).toHaveLength(1);
    expect(await rowOf(id)).toMatchObject({ status: "sent", sent: 0, uncertain: 5 });
  });

  it("is uncertain if the key of a lost batch has no age", async () => {
    const { id, at, requests } = await letterBy(["cut-after"], 5);
    await sendSlices(at(0), id);
    await jobContext()
      .db.update(deliveries)
      .set({ claim: crypto.randomUUID() })
      .where(eq(deliveries.letterId, id));
    await sendSlices(at(10 * MINUTE), id);
    expect(await requests()).toHaveLength(1);
    expect(await rowOf(id)).toMatchObject({ status: "sent", sent: 0, uncertain: 5 });
  });

  it("that the provider refuses temporarily counts towards the day's limit only once it is accepted", async () => {
    await updateSite(ownerContext(), { newsletter: { ...siteDefaults.newsletter, perDay: 50 } });
    const { id, at, taken } = await letterBy(["busy", "busy"], 10);
    for (let minute = 0; minute < 3; minute++) await sendSlices(at(minute * MINUTE), id);
    expect(await taken()).toHaveLength(10);
    const { db } = jobContext();
    // Midnight may have passed between the attempts.
    const days = (await db.select().from(sendingDays)).map(({ letters }) => letters);
    expect(days.filter((letters) => letters > 0)).toEqual([10]);
    await updateSite(ownerContext(), { newsletter: siteDefaults.newsletter });
  });

  it.each([
    ["to the second", 4000],
    ["and its messages come late", MINUTE],
  ])("waits as long as the provider asks, repeatedly, and loses nothing: %s", async (_, step) => {
    const { id, at, taken } = await letterBy(["busy", "busy", "busy"], 10);
    for (let tries = 0; tries < 4; tries++) {
      await sendSlices(at(tries * step), id);
      if ((await rowOf(id)).status === "sent") break;
      expect((await rowOf(id)).pausedReason).toContain("Too many requests");
      expect(
        (await deliveriesOf(id)).every(({ status, attempts }) => status === "queued" && attempts === 0),
      ).toBe(true);
      expect(await waitingSlices(id)).toHaveLength(1);
    }
    expect(await rowOf(id)).toMatchObject({ status: "sent", sent: 10, pausedReason: null });
    expect(await taken()).toHaveLength(10);
  });
});

it("slices that wait for about the same time are one", async () => {
  const ctx = sendingContext({ now: new Date() }, null);
  const letterId = 9_999_999;
  const ask = (seconds: number) =>
    sliceRowAt(ctx, { letterId, isFirst: true }, new Date(ctx.now.getTime() + seconds * 1000)).statement;
  await Promise.all([50, 30, 70, 50].map(ask));
  expect(await waitingSlices(letterId)).toHaveLength(1);
  // The running slice is not counted as waiting.
  await jobContext().db.update(outbox).set({ claimedUntil: new Date() }).where(isSliceOf(letterId));
  await ask(60);
  await ask(62);
  expect((await waitingSlices(letterId)).map(({ claimedUntil }) => claimedUntil)).toContain(null);
  expect(await waitingSlices(letterId)).toHaveLength(2);
});

it("the sweep queues a slice to the letters' queue, and no other row", async () => {
  const { id } = await letterBy([], 1);
  const [slice] = await waitingSlices(id);
  const sent: unknown[] = [];
  const letters = {
    ...jobs,
    sendBatch: async (messages: Iterable<{ body: unknown }>) => {
      sent.push(...Array.from(messages, ({ body }) => (body as { id: string }).id));
      return jobs.sendBatch();
    },
  };
  const ctx = jobContext({ now: new Date(Date.now() + MINUTE), jobs });
  await sweepOutbox({ ...ctx, letters }, { [SLICE_TOPIC]: letters });
  expect(sent).toContain(slice!.id);
  await deliverOutbox(sendingContext({}, null), slice!.id, { [SLICE_TOPIC]: sendSlice });
  expect(await deliveriesOf(id)).toMatchObject([{ status: "sent" }]);
});
