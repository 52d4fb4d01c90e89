import { env } from "cloudflare:workers";
import { and, eq, isNotNull } from "drizzle-orm";
import Papa from "papaparse";
import { beforeEach, describe, expect, test } from "vitest";
import { securityEvents } from "#worker/accounts/table.ts";
import { handlers } from "#worker/jobs.ts";
import { readAddress } from "#worker/newsletter/addresses.ts";
import { ASK_TOPIC, firstAskId } from "#worker/newsletter/asking.ts";
import { pruneUnconfirmed, verifySubscriber } from "#worker/newsletter/commands.ts";
import type { ImportInput, ImportRow } from "#worker/newsletter/contract.ts";
import { exportSubscribers } from "#worker/newsletter/export.ts";
import { askImported, importSubscribers } from "#worker/newsletter/import-commands.ts";
import { createSubscriber, deleteSubscriber, updateSubscriber } from "#worker/newsletter/owner-commands.ts";
import { listSubscribers } from "#worker/newsletter/owner-queries.ts";
import { subscribers } from "#worker/newsletter/table.ts";
import { deliverOutbox, readBody } from "#worker/platform/work/outbox.ts";
import { outbox } from "#worker/platform/table.ts";
import { MAIL_TOPIC, mailOf, type MailCopy } from "#worker/mail/message.ts";
import type { Context } from "#worker/platform/context.ts";
import { runImport, type ImportPlan } from "../src/admin/moving-in/subscribers/run.ts";
import { openList, survey } from "./support/subscriber-lists.ts";
import { fetchSite, jobContext, ownerContext, signedIn } from "./support/client.ts";
import { holdClock } from "./support/clock.ts";
import { forgetRates } from "./support/rates.ts";
import { sweepsAll } from "./support/sweeps.ts";
import {
  address,
  confirmed,
  DAY,
  db,
  deliver,
  jobs,
  mailsTo,
  metrics,
  post,
  request,
  rowOf,
  setStatus,
  tokenIn,
  visitorContext,
  waiting,
} from "./support/newsletter.ts";

beforeEach(forgetRates);

const owner = (now = new Date()) => ownerContext({ now, jobs });

let line = 0;
const aRow = (row: Partial<ImportRow> = {}): ImportRow => ({
  line: ++line,
  email: address(),
  source: null,
  status: "active",
  subscribedAt: null,
  confirmedAt: null,
  leftAt: null,
  pausedUntil: null,
  futureMember: null,
  topics: null,
  ...row,
});

const anImport = (rows: Partial<ImportRow>[], more: Partial<ImportInput> = {}): ImportInput => ({
  importId: crypto.randomUUID(),
  fileName: "list.csv",
  source: "import",
  consent: "They ticked a box at the fair",
  isConfirmed: true,
  rows: rows.map(aRow),
  ...more,
});

const outcomesOf = async (input: ImportInput, ctx = owner()) =>
  (await importSubscribers(ctx, input)).items.map(({ outcome }) => outcome);

describe("a subscriber import", () => {
  test("adds people as confirmed if the owner states so, with dates, source and consent", async () => {
    const email = address();
    const subscribedAt = Date.UTC(2024, 4, 3);
    const confirmedAt = Date.UTC(2024, 4, 4);
    const now = new Date(Date.UTC(2026, 10, 25, 3));
    const input = anImport([
      { email: ` ${email.toUpperCase()} `, subscribedAt, confirmedAt, source: "fair" },
    ]);
    expect(await outcomesOf(input, owner(now))).toEqual([{ kind: "added", state: "confirmed" }]);
    expect(await rowOf(email)).toMatchObject({
      status: "active",
      source: "fair",
      subscribedAt: new Date(subscribedAt),
      verifiedAt: new Date(confirmedAt),
      consent: "Imported on 25 November 2026 from list.csv: They ticked a box at the fair",
    });
    expect(await mailsTo(email)).toEqual([]);
  });

  test("adds the others as pending, and deletes them no sooner than 30 days later", async () => {
    const [first, second] = [address(), address()];
    const subscribedAt = Date.UTC(2019, 4, 3, 12);
    const input = anImport(
      [
        { email: first, subscribedAt },
        { email: second, status: "pending", subscribedAt: null },
      ],
      { isConfirmed: false },
    );
    expect(await outcomesOf(input)).toEqual([
      { kind: "added", state: "pending" },
      { kind: "added", state: "pending" },
    ]);
    expect((await rowOf(first))?.consent).toMatch(/fair Subscribed there on 3 May 2019\.$/);
    await pruneUnconfirmed(jobContext({ now: new Date(Date.now() + 29 * DAY) }));
    expect(await rowOf(first)).toMatchObject({ status: "active", verifiedAt: null });
    expect(await rowOf(second)).toBeDefined();
    await pruneUnconfirmed(jobContext({ now: new Date(Date.now() + 31 * DAY) }));
    expect(await rowOf(first)).toBeUndefined();
  });

  test("does not confirm people who were pending at the former service", async () => {
    expect(await outcomesOf(anImport([{ status: "pending" }]))).toEqual([
      { kind: "added", state: "pending" },
    ]);
  });

  test("stores people who left or bounced at the former service with that status, and a later import does not change it", async () => {
    const rows = (["unsubscribed", "bounced", "complained"] as const).map((status) => ({
      status,
      email: address(),
    }));
    const outcomes = await outcomesOf(anImport(rows));
    expect(outcomes).toEqual(rows.map(({ status }) => ({ kind: "added", state: status })));
    for (const { email, status } of rows) {
      expect(await rowOf(email)).toMatchObject({ status, verifiedAt: null });
      expect(await outcomesOf(anImport([{ email }]))).toEqual([{ kind: "known", state: status }]);
    }
  });

  test("does not change existing subscribers listed as active", async () => {
    const { email: active } = await confirmed();
    const { email: pending } = await waiting();
    const states = ["unsubscribed", "bounced", "complained"] as const;
    const left = await Promise.all(
      states.map(async (status) => {
        const { email } = await confirmed();
        await setStatus(email, status);
        return email;
      }),
    );
    const all = [active, pending, ...left];
    const before = await Promise.all(all.map(rowOf));
    const outcomes = await outcomesOf(anImport(all.map((email) => ({ email }))));
    expect(outcomes).toEqual(["confirmed", "pending", ...states].map((state) => ({ kind: "known", state })));
    expect(await Promise.all(all.map(rowOf))).toEqual(before);
  });

  describe("of a person who left at the former service", () => {
    test.each(["unsubscribed", "bounced", "complained"] as const)(
      "unsubscribes them here: %s",
      async (status) => {
        const { email } = await confirmed();
        const leftAt = Date.now() + 2 * DAY;
        const now = new Date(leftAt + DAY);
        const input = anImport([{ email, status, leftAt }]);
        const removed = [{ kind: "removed", state: status }];
        expect(await outcomesOf(input, owner(now))).toEqual(removed);
        // As after a lost response.
        expect(await outcomesOf(input, owner(now))).toEqual(removed);
        const date = status === "unsubscribed" ? "unsubscribedAt" : "blockedAt";
        expect(await rowOf(email)).toMatchObject({ status, state: status, [date]: new Date(leftAt) });
        expect(await outcomesOf(anImport([{ email }]), owner(now))).toEqual([
          { kind: "known", state: status },
        ]);
      },
    );

    test("leaves them subscribed if they confirmed here later", async () => {
      const { email } = await confirmed();
      const before = await rowOf(email);
      const leftAt = Date.now() - 2 * DAY;
      const known = [{ kind: "known", state: "confirmed" }];
      expect(await outcomesOf(anImport([{ email, status: "unsubscribed", leftAt }]))).toEqual(known);
      // The date of the file is the latest time at which they may have left.
      const written = anImport([{ email, status: "unsubscribed" }], { writtenAt: leftAt });
      expect(await outcomesOf(written)).toEqual(known);
      expect(await rowOf(email)).toEqual(before);
    });

    test("unsubscribes them if the file has no date", async () => {
      const { email } = await confirmed();
      const later = owner(new Date(Date.now() + DAY));
      expect(await outcomesOf(anImport([{ email, status: "unsubscribed" }]), later)).toEqual([
        { kind: "removed", state: "unsubscribed" },
      ]);
    });

    test("does not treat an earlier import without a confirmation date as a confirmation", async () => {
      const leftAt = Date.UTC(2024, 1, 1);
      const [undated, signedUp, back] = [address(), address(), address()];
      const dates = { subscribedAt: Date.UTC(2023, 1, 1), confirmedAt: Date.UTC(2025, 1, 1) };
      await importSubscribers(
        owner(),
        anImport([
          { email: undated },
          { email: signedUp, subscribedAt: dates.subscribedAt },
          { email: back, ...dates },
        ]),
      );
      const left = [undated, signedUp, back].map((email) => ({
        email,
        status: "unsubscribed" as const,
        leftAt,
      }));
      expect(await outcomesOf(anImport(left))).toEqual([
        { kind: "removed", state: "unsubscribed" },
        { kind: "removed", state: "unsubscribed" },
        // They confirmed there later, according to the other file.
        { kind: "known", state: "confirmed" },
      ]);
    });

    test("unsubscribes a pending person, whose confirmation link still works", async () => {
      const { email } = await waiting();
      const [mail] = await mailsTo(email);
      await importSubscribers(owner(), anImport([{ email, status: "unsubscribed" }]));
      expect(await rowOf(email)).toMatchObject({ state: "unsubscribed" });
      await verifySubscriber(visitorContext(), { token: tokenIn(mail!.link) });
      expect(await rowOf(email)).toMatchObject({ state: "confirmed", unsubscribedAt: null });
    });

    test("overrides an earlier line of the same file", async () => {
      const email = address();
      await importSubscribers(owner(), anImport([{ email }, { email, status: "unsubscribed" }]));
      expect(await rowOf(email)).toMatchObject({ state: "unsubscribed" });
    });
  });

  test("marks people who paid at the former service, and lists them", async () => {
    const email = address();
    await importSubscribers(owner(), anImport([{ email, futureMember: "founding" }, {}]));
    expect(await rowOf(email)).toMatchObject({ state: "confirmed", futureMember: "founding" });
    const { items } = await listSubscribers(owner(), { state: "future-member" });
    expect(items.map((item) => [item.email, item.futureMember])).toEqual([[email, "founding"]]);
  });

  test("sent again after a lost response adds nothing, and returns the same", async () => {
    const email = address();
    const input = anImport([{ email }, { email }, {}]);
    const first = await importSubscribers(owner(), input);
    expect(first.items.map(({ outcome }) => outcome.kind)).toEqual(["added", "double", "added"]);
    expect(await importSubscribers(owner(), input)).toEqual(first);
    const next = anImport([{ email }], { importId: input.importId });
    expect(await outcomesOf(next)).toEqual([{ kind: "double" }]);
    expect(await outcomesOf(anImport([{ email }]))).toEqual([{ kind: "known", state: "confirmed" }]);
  });

  test("processes a full part of 500 in three statements, with each row's result by its line", async () => {
    const ctx = owner();
    const double = address();
    const rows = Array.from({ length: 500 }, (_, index) => ({
      email: index % 5 === 0 ? double : index % 5 === 1 ? `not an address ${index}` : address(),
    }));
    const { items } = await importSubscribers(ctx, anImport(rows));
    const counts = Object.groupBy(items, ({ outcome }) => outcome.kind);
    expect(items).toHaveLength(500);
    expect([counts.added?.length, counts.double?.length, counts.invalid?.length]).toEqual([301, 99, 100]);
    expect(ctx.d1.statements).toBe(3);
  });

  test("asks pending people to confirm, some in each minute, and each of them once", async () => {
    holdClock();
    const rows = Array.from({ length: 120 }, () => ({ email: address() }));
    const input = anImport(rows, { isConfirmed: false });
    await importSubscribers(owner(), input);
    const gone = rows[7]!.email;
    await db.update(subscribers).set({ status: "unsubscribed" }).where(eq(subscribers.email, gone));
    await askImported(owner(), { importId: input.importId });
    await askImported(owner(), { importId: input.importId });
    const { mails, slices } = await asked();
    expect([mails.length, slices.length]).toEqual([0, 1]);

    const first = firstAskId(input.importId);
    await deliverOutbox(jobContext({ jobs }), first, handlers);
    const after = await asked();
    expect(after.mails).toHaveLength(100);
    const [mail] = after.mails;
    expect(mail!.text).toContain("deleted after 30 days");
    await verifySubscriber(visitorContext(), { token: tokenIn(mail!.link) });
    expect(await rowOf(mail!.to)).toMatchObject({ status: "active", verifiedAt: expect.any(Date) as Date });
    const next = after.slices.find(({ doneAt }) => doneAt === null)!;
    expect(next.notBefore.getTime() - Date.now()).toBeGreaterThan(50_000);
    // As if the first consumer was interrupted after its batch, and the message arrived again after one person
    // confirmed.
    await db.update(outbox).set({ doneAt: null }).where(eq(outbox.id, first));
    await deliverOutbox(jobContext({ jobs }), first, handlers);
    const again = await asked();
    expect([again.mails.length, again.slices.length]).toEqual([100, 2]);

    const clock = () => new Date(Date.now() + 120_000);
    await deliverOutbox(jobContext({ jobs, clock }), next.id, handlers);
    const all = await asked();
    expect(all.mails).toHaveLength(119);
    expect(new Set(all.mails.map(({ to }) => to)).size).toBe(119);
    expect(all.mails.map(({ to }) => to)).not.toContain(gone);
  });

  test("sends at most two requests a second, and each mailbox can unsubscribe by one click", async () => {
    holdClock();
    const rows = Array.from({ length: 20 }, () => ({ email: address() }));
    const input = anImport(rows, { isConfirmed: false });
    await importSubscribers(owner(), input);
    await askImported(owner(), { importId: input.importId });
    const delays: number[] = [];
    const sendBatch = async (messages: Iterable<MessageSendRequest>) => {
      delays.push(...Array.from(messages, ({ delaySeconds = 0 }) => delaySeconds));
      return metrics;
    };
    const ctx = jobContext({ jobs: { ...jobs, sendBatch } as unknown as Context["jobs"] });
    await deliverOutbox(ctx, firstAskId(input.importId), handlers);

    const copies = await db
      .select({ notBefore: outbox.notBefore, payload: outbox.payload })
      .from(outbox)
      .where(and(eq(outbox.topic, MAIL_TOPIC), isNotNull(outbox.bodyId)));
    const due = copies
      .filter(({ payload }) => rows.some(({ email }) => email === (payload as MailCopy).to))
      .map(({ notBefore }) => notBefore.getTime())
      .toSorted((a, b) => a - b);
    expect(due).toHaveLength(20);
    for (let at = 2; at < due.length; at++) expect(due[at]! - due[at - 2]!).toBeGreaterThanOrEqual(1000);
    // And the message of the next slice.
    expect(delays).toHaveLength(21);
    const mostAtOnce = Math.max(
      ...Map.groupBy(delays, (delay) => delay)
        .values()
        .map((same) => same.length),
    );
    expect(mostAtOnce).toBeLessThanOrEqual(2);

    const mail = (await asked()).mails.find(({ to }) => to === rows[0]!.email)!;
    expect(mail.headers).toMatchObject({
      "List-Unsubscribe-Post": "List-Unsubscribe=One-Click",
      "List-Id": "<letters.localhost>",
    });
    const [, oneClick = ""] = /^<(.*)>$/.exec(mail.headers["List-Unsubscribe"] ?? "") ?? [];
    const leaving = await post(`unsubscribe?token=${tokenIn(oneClick)}`, "List-Unsubscribe=One-Click", {
      "Content-Type": "application/x-www-form-urlencoded",
    });
    expect(leaving.status).toBe(200);
    expect(await rowOf(mail.to)).toMatchObject({ state: "unsubscribed", verifiedAt: null });
    // The confirmation link in the same email does not subscribe them again.
    await expect(verifySubscriber(visitorContext(), { token: tokenIn(mail.link) })).rejects.toMatchObject({
      code: "invalid",
    });
  });

  test("resumes an interrupted run: each person in the file is asked once", async () => {
    holdClock();
    const rows = Array.from({ length: 6 }, () => aRow());
    const [gone, own, late, ...others] = rows.map(({ email }) => email) as [string, string, string];
    const [first, second, third] = [rows.slice(0, 4), rows, rows].map((part) =>
      anImport(part, { isConfirmed: false }),
    ) as [ImportInput, ImportInput, ImportInput];
    await importSubscribers(owner(), first);
    await setStatus(gone, "unsubscribed");
    await request(visitorContext(), own);

    const left = { kind: "known", state: "unsubscribed" };
    const known = { kind: "known", state: "pending" };
    const added = { kind: "added", state: "pending" };
    const ctx = owner();
    expect(await outcomesOf(second, ctx)).toEqual([left, known, added, added, added, added]);
    expect(ctx.d1.statements).toBe(3);
    // As after a lost response.
    expect(await outcomesOf(second)).toEqual([left, known, added, added, added, added]);
    // Gets an email for this sign-up, before the imported people are asked.
    await request(visitorContext(), late);
    await ask(first);
    expect(await askedOf(rows)).toEqual([]);
    await ask(second);
    await ask(second);
    expect(await askedOf(rows)).toEqual(others.toSorted());

    expect(await outcomesOf(third)).toEqual([left, known, known, known, known, known]);
    await ask(third);
    expect(await askedOf(rows)).toEqual(others.toSorted());
  });

  test("leaves people to an earlier import whose requests were started", async () => {
    holdClock();
    const rows = Array.from({ length: 3 }, () => aRow());
    const [first, second] = [anImport(rows, { isConfirmed: false }), anImport(rows, { isConfirmed: false })];
    await importSubscribers(owner(), first);
    await askImported(owner(), { importId: first.importId });
    const known = { kind: "known", state: "pending" };
    expect(await outcomesOf(second)).toEqual([known, known, known]);
    await ask(second);
    expect(await askedOf(rows)).toEqual([]);
    await ask(first);
    expect(await askedOf(rows)).toEqual(rows.map(({ email }) => email).toSorted());
  });

  test("restarts the 30 days for people of an earlier import, and does not change their consent", async () => {
    const rows = [aRow()];
    const { email } = rows[0]!;
    const anew = () => anImport(rows, { isConfirmed: false });
    await importSubscribers(owner(new Date(Date.now() - 29 * DAY)), anew());
    const before = await rowOf(email);
    await importSubscribers(owner(), { ...anew(), consent: "Other words", source: "other" });
    await pruneUnconfirmed(jobContext({ now: new Date(Date.now() + 29 * DAY) }));
    const { consent, source, stamp } = before!;
    expect(await rowOf(email)).toMatchObject({ state: "pending", consent, source, stamp });
    await pruneUnconfirmed(jobContext({ now: new Date(Date.now() + 31 * DAY) }));
    expect(await rowOf(email)).toBeUndefined();
  });

  test("does not change pending people of an earlier import whom a new file lists as confirmed", async () => {
    const row = aRow();
    await importSubscribers(owner(), anImport([row], { isConfirmed: false }));
    const before = await rowOf(row.email);
    const outcomes = await outcomesOf(anImport([row]));
    expect(outcomes).toEqual([{ kind: "known", state: "pending" }]);
    expect(await rowOf(row.email)).toEqual(before);
  });

  test("unsubscribes pending people of an earlier import whom a new file lists as unsubscribed, and never asks them", async () => {
    holdClock();
    const row = aRow();
    const first = anImport([row], { isConfirmed: false });
    await importSubscribers(owner(), first);
    expect(await outcomesOf(anImport([{ ...row, status: "unsubscribed" }]))).toEqual([
      { kind: "removed", state: "unsubscribed" },
    ]);
    await ask(first);
    expect(await askedOf([row])).toEqual([]);
  });

  /** Starts the confirmation requests of an import, and delivers the first slice. */
  async function ask({ importId }: ImportInput) {
    await askImported(owner(), { importId });
    await deliverOutbox(jobContext({ jobs }), firstAskId(importId), handlers);
  }

  /** The names of the people whom the emails ask, one for each email. */
  async function askedOf(rows: ImportRow[]) {
    const emails = new Set(rows.map(({ email }) => email));
    return (await asked()).mails
      .map(({ to }) => to)
      .filter((to) => emails.has(to))
      .toSorted();
  }

  /** The confirmation emails, and their outbox rows. */
  async function asked() {
    const rows = await db.select().from(outbox);
    const ctx = jobContext();
    const copies = rows.filter(({ bodyId, topic }) => bodyId !== null && topic === "mail");
    const sharing = [...new Map(copies.map((row) => [row.bodyId, row])).values()];
    const read = sharing.map(async (row) => [row.bodyId, await readBody(ctx, row)] as const);
    const bodies = new Map(await Promise.all(read));
    const mails = copies.map(({ payload, bodyId }) => mailOf(payload, bodies.get(bodyId)));
    return { mails, slices: rows.filter(({ topic }) => topic === ASK_TOPIC) };
  }
});

describe("an address in an imported list", () => {
  test.each([
    ["Reader@Example.COM", "reader@example.com"],
    [" reader+tag@mail.example.com\t", "reader+tag@mail.example.com"],
    ["reader@bücher.example", "reader@xn--bcher-kva.example"],
    ["o'neil@example.com", "o'neil@example.com"],
    // As our own export writes it.
    ["'+reader@example.com", "+reader@example.com"],
  ])("%j is stored as %s", (typed, email) => {
    expect(readAddress(typed)).toEqual({ email });
  });

  test.each([
    ["", "There’s no address."],
    ['=HYPERLINK("https://evil.example")', "is a formula"],
    ["=cmd|' /C calc'!A0", "is a formula"],
    ["@SUM(1+1)*cmd|' /C calc'!A0", "is a formula"],
    ["nobody", "isn’t an address"],
    ['"a reader"@example.com', "quotation marks before the @"],
    ["jürgen@example.com", "letters other than a to z"],
    ["用户@例え.jp", "letters other than a to z"],
    ["Reader <reader@example.com>", "more than one address"],
    ["a@example.com, b@example.com", "more than one address"],
    ["reader@example", "can’t receive email"],
    ["reader@b/c.example", "can’t receive email"],
    ["reader@bü.example/x", "can’t receive email"],
    ["reader@exa\u0000mple.com", "can’t receive email"],
    [`${"x".repeat(250)}@example.com`, "too long for an address"],
  ])("%j is refused: %s", (typed, why) => {
    expect(readAddress(typed)).toEqual({ why: expect.stringContaining(why) as string });
  });
});

describe("a subscriber added by the owner", () => {
  const entered = { consent: "Asked me at the fair", source: "fair" };

  test("is asked to confirm, or is confirmed with the owner's statement", async () => {
    const [asked, sure] = [address(), address()];
    expect(await createSubscriber(owner(), { ...entered, email: asked, ask: true })).toMatchObject({
      state: "pending",
    });
    const [mail, ...others] = await mailsTo(asked);
    expect(others).toEqual([]);
    await verifySubscriber(visitorContext(), { token: tokenIn(mail!.link) });
    await createSubscriber(owner(), { ...entered, email: sure, ask: false });
    expect(await rowOf(sure)).toMatchObject({
      source: "fair",
      verifiedAt: expect.any(Date) as Date,
      consent: expect.stringMatching(/^Entered by hand on .*: Asked me at the fair$/) as string,
    });
    expect(await mailsTo(sure)).toEqual([]);
  });

  test.each([
    ["confirmed", "This address is already subscribed."],
    ["unsubscribed", "This address unsubscribed. Only its owner can subscribe it again"],
    ["bounced", "Letters to this address bounced."],
    ["complained", "This address marked a letter as spam."],
  ] as const)("is refused if the address is %s, and gets no email", async (status, message) => {
    const { email } = await confirmed();
    if (status !== "confirmed") await setStatus(email, status);
    const [before, mails] = [await rowOf(email), await mailsTo(email)];
    await expect(createSubscriber(owner(), { ...entered, email, ask: true })).rejects.toMatchObject({
      code: "conflict",
      field: "email",
      message: expect.stringContaining(message) as string,
    });
    expect(await rowOf(email)).toEqual(before);
    expect(await mailsTo(email)).toEqual(mails);
  });

  test("can be unsubscribed by the owner, never subscribed again, and deleted", async () => {
    const { email, id } = await confirmed();
    expect(await updateSubscriber(owner(), id, { status: "unsubscribed" })).toMatchObject({
      state: "unsubscribed",
    });
    expect(await rowOf(email)).toMatchObject({
      status: "unsubscribed",
      unsubscribedAt: expect.any(Date) as Date,
    });
    await setStatus(email, "complained");
    await updateSubscriber(owner(), id, { status: "unsubscribed" });
    expect(await rowOf(email)).toMatchObject({ status: "complained" });
    for (const status of ["active", "bounced"]) {
      await expect(updateSubscriber(owner(), id, { status } as never)).rejects.toMatchObject({
        code: "invalid",
      });
    }
    await deleteSubscriber(owner(), id);
    expect(await rowOf(email)).toBeUndefined();
  });
});

/** The page's import plan of a list, if the owner states that its people confirmed. */
async function planOf(csv: string): Promise<ImportPlan> {
  const list = await openList(csv, "subscribers.csv");
  const answers = { everyone: null, words: {} };
  const about = {
    importId: crypto.randomUUID(),
    fileName: "subscribers.csv",
    source: "import",
    consent: "They agreed at the old site",
    isConfirmed: true,
  };
  return { list, answers, survey: await survey(list, answers), about };
}

describe("the subscriber export", () => {
  const read = async (ctx = owner()) =>
    Papa.parse<Record<string, string>>(
      (await new Response(await exportSubscribers(ctx)).text()).replace(/^\ufeff/, ""),
      { header: true, skipEmptyLines: true },
    ).data;

  test("has every subscriber with state, dates, source and consent, and can be imported", async () => {
    const { email } = await confirmed();
    await request(visitorContext(), "+formula@example.com");
    await deliver();
    await importSubscribers(owner(), anImport([{ status: "bounced" }], { consent: '=1+1, "quoted"' }));
    const rows = await read();
    const all = await db.select().from(subscribers);
    expect(rows).toHaveLength(all.length);
    const row = all.find((one) => one.email === email)!;
    expect(rows.find((one) => one["email"] === email)).toEqual({
      email,
      status: "confirmed",
      subscribed_at: row.subscribedAt.toISOString(),
      confirmed_at: row.verifiedAt!.toISOString(),
      unsubscribed_at: "",
      paused_until: "",
      blocked_at: "",
      blocked_reason: "",
      source: row.source,
      consent: row.consent,
      future_member: "",
      topics: "",
    });
    const formula = rows.find((one) => one["email"]?.includes("formula"))!;
    expect(formula["email"]).toBe("'+formula@example.com");
    const again = anImport(rows.map((one) => ({ email: one["email"]! })));
    const kinds = (await outcomesOf(again)).map(({ kind }) => kind);
    expect(new Set(kinds)).toEqual(new Set(["known"]));
  });

  test("imported at another site gives each person the same state, including paused ones", async () => {
    const paused = new Date(Math.floor(Date.now() / 1000) * 1000 + 5 * DAY);
    const people = await Promise.all([confirmed(), confirmed(), confirmed(), confirmed()]);
    const [, stops, asks, bounces] = people.map(({ email }) => email);
    await db.update(subscribers).set({ pausedUntil: paused }).where(eq(subscribers.email, asks!));
    await updateSubscriber(owner(), (await rowOf(stops!))!.id, { status: "unsubscribed" });
    await setStatus(bounces!, "bounced");
    const emails = people.map(({ email }) => email);
    const before = await Promise.all(emails.map(rowOf));
    const csv = await new Response(await exportSubscribers(owner())).text();
    await db.delete(subscribers);
    const rows: Partial<ImportRow>[] = [];
    await runImport(await planOf(csv), {
      signal: new AbortController().signal,
      onProgress: () => {},
      async send(input) {
        rows.push(...input.rows);
        return importSubscribers(owner(), input);
      },
    });
    const kept = (row: (typeof before)[number]) => ({
      state: row?.state,
      pausedUntil: row?.pausedUntil,
      verifiedAt: row?.state === "confirmed" ? row.verifiedAt : null,
      subscribedAt: row?.subscribedAt,
      source: row?.source,
    });
    const after = await Promise.all(emails.map(rowOf));
    expect(after.map(kept)).toEqual(before.map(kept));
    expect(after[2]!.pausedUntil).toEqual(paused);
  });

  test("imported with a pause date has a pause no longer than the limit here", async () => {
    const [soon, over, far, asked] = [address(), address(), address(), address()];
    const now = Date.now();
    await importSubscribers(
      owner(),
      anImport([
        { email: soon, pausedUntil: now + DAY },
        { email: over, pausedUntil: now - DAY },
        { email: far, pausedUntil: now + 4000 * DAY },
        { email: asked, pausedUntil: now + DAY, status: "pending" },
      ]),
    );
    const [one, two, three, four] = await Promise.all([soon, over, far, asked].map(rowOf));
    expect(one!.pausedUntil?.getTime()).toBe(now + DAY);
    expect([two!.pausedUntil, four!.pausedUntil]).toEqual([null, null]);
    expect(three!.pausedUntil!.getTime() - now).toBeLessThan(31 * DAY);
  });

  test("is an uncached download with a dated name, and a security event", async () => {
    const { cookie } = await signedIn("admin");
    const events = async () =>
      (await db.select().from(securityEvents).where(eq(securityEvents.kind, "subscribers_exported"))).length;
    const before = await events();
    const response = await fetchSite("/api/admin/subscribers/export", { headers: { Cookie: cookie } });
    expect(response.status).toBe(200);
    expect(response.headers.get("Cache-Control")).toBe("no-store");
    expect(response.headers.get("Content-Disposition")).toMatch(
      /^attachment; filename="subscribers-\d{4}-\d\d-\d\d\.csv"$/,
    );
    await response.text();
    expect(await events()).toBe(before + 1);
  });

  test("reads many thousands in slices, at the pace of the download", async () => {
    const count = sweepsAll ? 100_000 : 20_000;
    await env.DB.prepare(
      `with recursive n(i) as (select 1 union all select i + 1 from n where i < ${count})
      insert into subscribers (id, email, status, source, subscribed_at, consent, verified_at, stamp)
      select 'many-' || i, 'many' || i || '@example.com', 'active', 'footer', i, 'Words', i, '' from n`,
    ).run();
    const ctx = owner();
    const reader = (await exportSubscribers(ctx)).getReader();
    await reader.read();
    await reader.read();
    // The event, the notice, and at most one slice ahead.
    expect(ctx.d1.statements).toBeLessThanOrEqual(6);
    let rows = 0;
    let largest = 0;
    for (let part = await reader.read(); !part.done; part = await reader.read()) {
      rows += part.value.filter((byte) => byte === 10).length;
      largest = Math.max(largest, part.value.byteLength);
    }
    expect(rows).toBeGreaterThan(count - 1000);
    expect(largest).toBeLessThan(1_000_000);
  });
});
