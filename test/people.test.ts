import { eq, sql } from "drizzle-orm";
import Papa from "papaparse";
import { beforeEach, describe, expect, it, test, vi } from "vitest";
import { deleteSubscriber } from "#worker/newsletter/owner-commands.ts";
import { securityEvents, users } from "#worker/accounts/table.ts";
import { comments } from "#worker/comments/table.ts";
import type { Sent } from "#worker/enquiries/contract.ts";
import { mailsOf } from "#worker/enquiries/mails.ts";
import { enquiryMails } from "#worker/enquiries/table.ts";
import { handlers } from "#worker/jobs.ts";
import { storeOutcomes } from "#worker/letters/deliveries.ts";
import { deliveries } from "#worker/letters/table.ts";
import { composeMail, MAIL_TOPIC } from "#worker/mail/message.ts";
import { forgetSubscriber } from "#worker/newsletter/commands.ts";
import { NEWSLETTER_TOPIC } from "#worker/newsletter/confirmation.ts";
import { subscribers } from "#worker/newsletter/table.ts";
import { signUnsubscribe } from "#worker/newsletter/unsubscribe-tokens.ts";
import { deletePerson } from "#worker/people/commands.ts";
import { heldKinds, type HeldCounts } from "#worker/people/contract.ts";
import { exportPerson } from "#worker/people/export.ts";
import { readPerson } from "#worker/people/queries.ts";
import { deliverOutbox, outboxRow } from "#worker/platform/work/outbox.ts";
import { outbox } from "#worker/platform/table.ts";
import { updateSite } from "#worker/settings/commands.ts";
import { siteDefaults } from "#worker/settings/contract.ts";
import { readSender, readSite } from "#worker/settings/queries.ts";
import { createEngagement } from "#worker/speaking/commands.ts";
import { engagements } from "#worker/speaking/table.ts";
import { addUser } from "./support/accounts.ts";
import { contextOf, jobContext, ownerContext, signedIn, visitorContext } from "./support/client.ts";
import { asPlainCell, hostileTexts } from "./support/hostile.ts";
import { aMember } from "./support/members.ts";
import { aComment, anAddress, anEnquiry } from "./support/people.ts";
import { plansOf } from "./support/plans.ts";
import { aLetterTo, sendingContext, sendSlices, subscribed } from "./support/sending.ts";
import { sendLetter } from "#worker/letters/sending-commands.ts";
import { jobs } from "./support/newsletter.ts";

const owner = () => ownerContext({ jobs });
const { db } = jobContext();
const NONE = Object.fromEntries(heldKinds.map((kind) => [kind, 0])) as HeldCounts;

beforeEach(() => void vi.spyOn(console, "error").mockImplementation(() => {}));

type Address = Parameters<typeof composeMail>[1];

async function aMail(mail: Partial<Address> & { to: string }) {
  const { id, statement } = outboxRow(
    owner(),
    MAIL_TOPIC,
    composeMail(owner(), { subject: "About you", parts: ["Dear Ada."], ...mail }),
  );
  await statement;
  return id;
}

/** A person with one record of each kind. */
async function somebody() {
  const email = anAddress();
  const application = await anEnquiry({
    kind: "application",
    status: "pending",
    email,
    title: "Rivers",
    fields: { topic: "Rivers", position: "They are long.", linkedinProfile: "https://example.com/ada" },
    notes: "Ask about the delta.",
  });
  await db.insert(enquiryMails).values({
    enquiryId: application,
    subject: "Your application",
    body: "Come by.",
    sentBy: "The Owner",
    sentAt: new Date("2026-05-01"),
    outboxId: "gone",
  });
  await anEnquiry({ email });
  await anEnquiry({ kind: "booking", email, isSpam: true, title: "Fair" });
  await aComment({ email });
  const { domain, subscribers: people } = await subscribed([{ email }]);
  await aMember({ email });
  const { id: letterId } = await aLetterTo(domain);
  const ctx = sendingContext();
  await sendLetter(ctx, letterId, {});
  await sendSlices(ctx, letterId);
  await db
    .update(deliveries)
    .set({ answer: `250 <${email}> is fine`, providerId: crypto.randomUUID() })
    .where(eq(deliveries.letterId, letterId));
  const mail = await aMail({ to: email });
  const engagement = await createEngagement(owner(), {
    title: "A talk",
    contactEmail: email.toUpperCase().replace("EXAMPLE.COM", "example.com"),
    contactPhone: "+61 8 5550 1234",
    notes: "Bring the slides.",
  });
  return { email, application, letterId, subscriberId: people[0]!.id, mail, engagement: engagement.id };
}

const ONE: HeldCounts = {
  applications: 1,
  messages: 1,
  bookings: 1,
  comments: 1,
  subscription: 1,
  membership: 1,
  letters: 1,
  mails: 1,
  engagements: 1,
};

const textOf = async (format: "json" | "csv", email: string) =>
  new Response((await exportPerson(owner(), { email, format })).body).text();

type Exported = { email: string; records: { kind: string; [field: string]: unknown }[] };

describe("a person", () => {
  it("is shown with the answers to each of their enquiries only", async () => {
    const { email, application } = await somebody();
    const other = await anEnquiry({ kind: "application", status: "pending", email });
    const { latest } = await readPerson(owner(), { email });
    const answersOf = (id: number) =>
      latest[0]!.items.find((item) => item.id === String(id))!.data["answers"] as { subject: string }[];
    expect(answersOf(application).map(({ subject }) => subject)).toEqual(["Your application"]);
    expect(answersOf(other)).toEqual([]);
  });

  it("is found by the whole address, in any case, with all stored data", async () => {
    const { email, application } = await somebody();
    await anEnquiry({ email: `x${email}` });
    const person = await readPerson(owner(), { email: ` ${email.toUpperCase()} ` });
    expect(person).toMatchObject({ email, counts: ONE, hasAccount: false });
    expect(person.latest.map(({ kind }) => kind)).toEqual(heldKinds);
    expect(person.latest[0]!.items).toEqual([
      {
        id: String(application),
        at: expect.any(Number),
        title: "Rivers",
        data: expect.objectContaining({
          position: "They are long.",
          notes: "Ask about the delta.",
          answers: [
            {
              subject: "Your application",
              body: "Come by.",
              sentBy: "The Owner",
              sentAt: "2026-05-01T00:00:00.000Z",
            },
          ],
        }),
      },
    ]);
  });

  it("without data has an empty response, and cannot be deleted", async () => {
    const email = anAddress();
    expect(await readPerson(owner(), { email })).toEqual({
      email,
      counts: NONE,
      latest: [],
      hasAccount: false,
    });
    await expect(deletePerson(owner(), { email })).rejects.toMatchObject({ code: "not_found" });
  });

  it("with very many records is shown the latest, in the same number of statements", async () => {
    const email = anAddress();
    await db.run(sql`with recursive n(i) as (select 1 union all select i + 1 from n where i < 500)
      insert into comments (content_type, content_id, name, email, text, status, created_at, updated_at)
      select 'article', 1, 'A', ${email}, i, 'approved', 1, 1 from n`);
    const ctx = owner();
    const { counts, latest } = await readPerson(ctx, { email });
    expect(counts.comments).toBe(500);
    expect(latest).toHaveLength(1);
    expect(latest[0]!.items).toHaveLength(20);
    expect(latest[0]!.items[0]!.title).toMatch(/^500/);
    expect(ctx.d1.statements).toBe(3);
    await deletePerson(owner(), { email });
  });

  it("is found by indexes, whatever the number of rows", async () => {
    const { email } = await somebody();
    const plans = await plansOf((ctx) => readPerson(ctx, { email }));
    const scans = plans.filter((plan) => /^SCAN (?!\(subquery|CONSTANT)/.test(plan));
    // A site has few users and 20 topics at most; engagements are entered by the owner, and `had` is a list in a row.
    expect(scans.filter((plan) => !/^SCAN (users|engagements|topics|had)/.test(plan))).toEqual([]);
  });

  it("does not include emails to others that only have the address as their reply address, now or before", async () => {
    const [before, now] = [anAddress(), anAddress()];
    for (const replyTo of [before, now]) {
      await updateSite(owner(), { email: { ...siteDefaults.email, replyTo } });
      const { sender } = await readSender(owner());
      expect(sender.replyTo).toEqual({ address: replyTo });
      await aMail({ ...sender, to: anAddress() });
    }
    for (const email of [before, now]) expect((await readPerson(owner(), { email })).counts).toEqual(NONE);
    // A notice about a message from the address is part of its data.
    const fields = { type: "general", subject: "A question", message: "Will you speak in Perth?" } as const;
    const sent: Sent = { kind: "message", name: "Ada", email: now, title: "A question", fields };
    const { notice } = mailsOf(owner(), await readSite(owner()), sent, { to: "owner@example.com", id: "1" });
    await outboxRow(owner(), MAIL_TOPIC, notice).statement;
    expect(await deletePerson(owner(), { email: now })).toEqual({ ...NONE, mails: 1 });
    await updateSite(owner(), siteDefaults);
  });

  it("needs the audience capability", async () => {
    const email = anAddress();
    const editor = contextOf({ ...owner().actor, role: "editor" } as never);
    for (const call of [readPerson, exportPerson, deletePerson]) {
      await expect(call(visitorContext(), { email })).rejects.toMatchObject({ code: "unauthenticated" });
      await expect(call(editor, { email })).rejects.toMatchObject({ code: "forbidden" });
      await expect(call(owner(), { email: "nobody" })).rejects.toMatchObject({
        code: "invalid",
        field: "email",
      });
    }
  });
});

describe("the export", () => {
  it("is complete and machine-readable", async () => {
    const { email } = await somebody();
    await db.run(sql`with recursive n(i) as (select 1 union all select i + 1 from n where i < 450)
      insert into comments (content_type, content_id, name, email, text, status, created_at, updated_at)
      select 'episode', 1, 'A', ${email}, 'Number ' || i, 'approved', 1, 1 from n`);
    const { records, ...head } = JSON.parse(await textOf("json", email)) as Exported;
    expect(head).toEqual({ email, exportedAt: expect.any(String) });
    const kinds = Map.groupBy(records, ({ kind }) => kind);
    expect(new Set(kinds.keys())).toEqual(new Set(heldKinds));
    expect(kinds.get("comments")).toHaveLength(451);
    expect(new Set(kinds.get("comments")!.map(({ id }) => id)).size).toBe(451);
    expect(kinds.get("subscription")![0]).toMatchObject({ email, consent: "Yes.", state: "confirmed" });
    expect(kinds.get("letters")![0]).toMatchObject({ subject: "What I learned", status: "sent" });
    expect(kinds.get("mails")![0]).toMatchObject({ to: email, subject: "About you" });
    expect(kinds.get("mails")![0]!["text"]).toContain("Dear Ada.");
    expect(JSON.stringify(records)).not.toContain('"stamp"');
    await deletePerson(owner(), { email });
  });

  it("as CSV has no cell that a spreadsheet treats as a formula", async () => {
    const email = anAddress();
    for (const title of ["=HYPERLINK(1)", "+1", "-1", "@SUM", "\t=1", " =1", "＝1", "=\u202e\u0000"])
      await anEnquiry({ email, name: title });
    const csv = await textOf("csv", email);
    expect(csv.startsWith("kind,id,time,field,value\r\n")).toBe(true);
    const names = csv.split("\r\n").filter((line) => line.includes(",name,"));
    expect(names).toHaveLength(8);
    for (const line of names) expect(line.split(",name,")[1]).toMatch(/^"?'/);
    expect(csv).not.toMatch(/\u202e|(?![\r\n\t])\p{Cc}/u);
  });

  it("as CSV contains each hostile text of a comment in one cell of its row, and not as a formula", async () => {
    const email = anAddress();
    const texts = hostileTexts("alert");
    for (const text of texts) await aComment({ email, name: text, text });
    const csv = await textOf("csv", email);
    expect(csv).not.toMatch(/[\u202a-\u202e\u2066-\u2069\0]/);
    const { data } = Papa.parse<Record<string, string>>(csv, { header: true, skipEmptyLines: true });
    const found = data.filter(({ field }) => field === "text").map(({ value }) => value);
    const expected = texts.map(asPlainCell);
    expect(found.toSorted()).toEqual(expected.toSorted());
    await deletePerson(owner(), { email });
  });

  it("is a security event without the address", async () => {
    const email = anAddress();
    const [before] = await db.select({ n: sql<number>`max(id)` }).from(securityEvents);
    await textOf("json", email);
    const events = await db
      .select()
      .from(securityEvents)
      .where(sql`id > ${before?.n ?? 0}`);
    expect(events).toMatchObject([{ kind: "person_exported", email: "owner@example.com", detail: null }]);
    expect(JSON.stringify(events)).not.toContain(email);
  });

  it("is a download whose name does not contain the address", async () => {
    const { email } = await somebody();
    const { api, cookie: _ } = await signedIn("admin");
    const answer = await api.people.export.$get({ query: { email, format: "csv" } });
    expect(answer.status).toBe(200);
    expect(answer.headers.get("Content-Disposition")).toMatch(
      /^attachment; filename="person-[\d-]{10}\.csv"$/,
    );
    expect(answer.headers.get("Cache-Control")).toBe("no-store");
    expect(await answer.text()).toContain(email);
  });
});

describe("the deletion", () => {
  it("deletes everything, and returns the counts", async () => {
    const { email, letterId, subscriberId, engagement } = await somebody();
    expect(await deletePerson(owner(), { email })).toEqual(ONE);
    expect((await readPerson(owner(), { email })).counts).toEqual(NONE);
    expect(await db.select().from(subscribers).where(eq(subscribers.id, subscriberId))).toEqual([]);
    const sent = await db.select().from(deliveries).where(eq(deliveries.letterId, letterId));
    expect(sent).toMatchObject([{ subscriberId: null, status: "sent", answer: null, providerId: null }]);
    const [talk] = await db.select().from(engagements).where(eq(engagements.id, engagement));
    expect(talk).toMatchObject({
      title: "A talk",
      contactEmail: "",
      contactPhone: "",
      notes: "Bring the slides.",
    });
    // In every table that may contain the address.
    const tables = await db.all<{ name: string }>(
      sql`select name from sqlite_master where type = 'table' and name not like 'sqlite_%' and name not like '%search%'
        and name not like '\\_cf%' escape '\\'`,
    );
    for (const { name } of tables) {
      const rows = await db.all(sql`select * from ${sql.identifier(name)}`);
      expect(JSON.stringify(rows).toLowerCase(), name).not.toContain(email);
    }
  });

  it("leaves other people's data, including the answers to a comment", async () => {
    const { email } = await somebody();
    const other = await somebody();
    const parent = await aComment({ email });
    const answer = await aComment({ parentId: parent });
    await deletePerson(owner(), { email });
    expect((await readPerson(owner(), { email: other.email })).counts).toEqual(ONE);
    const left = await db.select().from(comments).where(eq(comments.id, answer));
    expect(left).toMatchObject([{ parentId: parent, name: "Ada" }]);
    expect(await db.select().from(comments).where(eq(comments.id, parent))).toEqual([]);
  });

  it("cancels waiting emails, and a later request does not store the address again", async () => {
    const email = anAddress();
    const waiting = await aMail({ to: email });
    const toOwner = await aMail({ to: "owner@example.com", replyTo: { address: email, name: "Ada" } });
    const { id: request, statement } = outboxRow(owner(), NEWSLETTER_TOPIC, {
      email,
      source: "footer",
      consent: "Yes.",
    });
    await statement;
    const delivered = await aMail({ to: email });
    await db.update(outbox).set({ doneAt: new Date() }).where(eq(outbox.id, delivered));
    expect(await deletePerson(owner(), { email })).toEqual({ ...NONE, mails: 4 });
    for (const id of [waiting, toOwner, request]) await deliverOutbox(jobContext({ jobs }), id, handlers);
    expect(await db.select().from(outbox).where(eq(outbox.id, delivered))).toEqual([]);
    expect((await readPerson(owner(), { email })).counts).toEqual(NONE);
  });

  it("skips them in a letter that is being sent", async () => {
    const email = anAddress();
    const { domain } = await subscribed([{ email }, {}]);
    const { id } = await aLetterTo(domain);
    const ctx = sendingContext();
    await sendLetter(ctx, id, {});
    await deletePerson(owner(), { email });
    await sendSlices(ctx, id);
    const states = (await db.select().from(deliveries).where(eq(deliveries.letterId, id))).map(
      ({ status }) => status,
    );
    expect(states.toSorted()).toEqual(["sent", "skipped"]);
  });

  it("stores no provider message that arrives after it", async () => {
    const { email, letterId } = await somebody();
    const [delivery] = await db
      .update(deliveries)
      .set({ status: "sending", claim: "batch" })
      .where(eq(deliveries.letterId, letterId))
      .returning();
    await deletePerson(owner(), { email });
    const outcome = { state: "failed" as const, answer: `550 <${email}> unknown`, isBadAddress: true };
    await storeOutcomes(jobContext(), letterId, "batch", [{ id: delivery!.id, attempts: 1, outcome }]);
    const [settled] = await db.select().from(deliveries).where(eq(deliveries.letterId, letterId));
    expect(settled).toMatchObject({ subscriberId: null, status: "failed", answer: null });
  });

  it("leaves a user account and its emails, and mentions it", async () => {
    const user = await addUser();
    const key = await aMail({ to: user.email, subject: "Reset", isKey: true });
    await anEnquiry({ email: user.email });
    const person = await readPerson(owner(), { email: user.email });
    expect(person).toMatchObject({ hasAccount: true, counts: { messages: 1, mails: 0 } });
    await deletePerson(owner(), { email: user.email });
    expect(await db.select().from(users).where(eq(users.id, user.id))).toHaveLength(1);
    expect(await db.select().from(outbox).where(eq(outbox.id, key))).toHaveLength(1);
    // Without an account it is only an email, whose link must not be shown here.
    await db.delete(users).where(eq(users.id, user.id));
    const { latest } = await readPerson(owner(), { email: user.email });
    expect(latest[0]!.items[0]!.data).not.toHaveProperty("text");
    expect(await deletePerson(owner(), { email: user.email })).toEqual({ ...NONE, mails: 1 });
  });

  it("is a security event, without the address", async () => {
    const { email } = await somebody();
    const [before] = await db.select({ n: sql<number>`max(id)` }).from(securityEvents);
    await deletePerson(owner(), { email });
    const events = await db
      .select()
      .from(securityEvents)
      .where(sql`id > ${before?.n ?? 0}`);
    expect(events).toMatchObject([{ kind: "person_deleted", email: "owner@example.com", by: null }]);
    expect(JSON.stringify(events)).not.toContain(email);
  });

  it("happens completely or not at all", async () => {
    const { email } = await somebody();
    await db.run(sql`create trigger no_contact before update of contact_email on engagements
      begin select raise(abort, 'no'); end`);
    await expect(deletePerson(owner(), { email })).rejects.toThrow();
    await db.run(sql`drop trigger no_contact`);
    expect((await readPerson(owner(), { email })).counts).toEqual(ONE);
  });

  it("requested twice concurrently runs once", async () => {
    const { email } = await somebody();
    const answers = await Promise.allSettled([1, 2].map(() => deletePerson(owner(), { email })));
    expect(answers.map(({ status }) => status).toSorted()).toEqual(["fulfilled", "rejected"]);
  });

  it("through the API returns the deleted counts, and 404 when no data is left", async () => {
    const { email } = await somebody();
    const { api } = await signedIn("admin");
    const answer = await api.people.$delete({ query: { email } });
    expect(await answer.json()).toEqual(ONE);
    expect((await api.people.$delete({ query: { email } })).status).toBe(404);
    expect(await (await api.people.$get({ query: { email } })).json()).toMatchObject({ counts: NONE });
  });
});

test("a deleted subscriber leaves nothing identifying in the deliveries", async () => {
  for (const remove of [
    async (id: string) =>
      forgetSubscriber(visitorContext(), { token: await signUnsubscribe(owner(), { id }) }),
    (id: string) => deleteSubscriber(owner(), id),
  ]) {
    const { subscriberId, letterId } = await somebody();
    await remove(subscriberId);
    const [sent] = await db.select().from(deliveries).where(eq(deliveries.letterId, letterId));
    expect(sent).toMatchObject({ subscriberId: null, status: "sent", answer: null, providerId: null });
  }
});
