import { env } from "cloudflare:workers";
import { eq } from "drizzle-orm";
import { Webhook } from "standardwebhooks";
import { beforeEach, describe, expect, it } from "vitest";
import { pruneMailEvents } from "#worker/bounces/commands.ts";
import { mailEvents } from "#worker/bounces/table.ts";
import { storeOutcomes } from "#worker/letters/deliveries.ts";
import { deliveries } from "#worker/letters/table.ts";
import { blockBadAddresses } from "#worker/newsletter/bounce-commands.ts";
import { subscribers } from "#worker/newsletter/table.ts";
import { fetchSite, jobContext } from "./support/client.ts";
import { letterTo, subscriber } from "./support/sent-letters.ts";

const SECRET = (env as unknown as { RESEND_WEBHOOK_SECRET: string }).RESEND_WEBHOOK_SECRET;
const DAY = 86_400_000;
const ctx = jobContext();
const { db } = ctx;

const bounced = (type: string, message = "550 5.1.1 No such mailbox") => ({
  type: "email.bounced",
  bounce: { type, subType: "General", message },
});
const complained = { type: "email.complained" };
const delivered = { type: "email.delivered" };

type Event = { type: string; [field: string]: unknown };

const bodyOf = ({ type, ...data }: Event, to: string, providerId = "unknown") =>
  JSON.stringify({
    type,
    created_at: new Date().toISOString(),
    data: { email_id: providerId, from: "Site <site@example.com>", to: [to], subject: "A letter", ...data },
  });

type Sent = { id?: string; at?: number; secret?: string; signature?: string; prefix?: string };

function report(
  body: string,
  { id = crypto.randomUUID(), at = Date.now(), prefix = "svix", ...sent }: Sent = {},
) {
  const timestamp = String(Math.floor(at / 1000));
  const webhook = new Webhook(sent.secret ?? SECRET);
  return fetchSite("/api/webhooks/mail", {
    method: "POST",
    headers: {
      "Content-Type": "application/json",
      // As of a machine that calls itself a browser on another site.
      Origin: "https://resend.com",
      "Sec-Fetch-Site": "cross-site",
      [`${prefix}-id`]: id,
      [`${prefix}-timestamp`]: timestamp,
      [`${prefix}-signature`]: sent.signature ?? webhook.sign(id, new Date(at), body),
    },
    body,
  });
}

const statusOf = async (answer: Promise<Response>) => (await answer).status;

beforeEach(() => db.delete(mailEvents));

describe("a report of an email", () => {
  it("that bounced permanently unsubscribes the address, and counts once for its letter", async () => {
    const reader = await subscriber();
    const letter = await letterTo(reader);
    const body = bodyOf(bounced("Permanent"), reader.email, letter.providerId);
    expect(await statusOf(report(body, { id: "msg_1" }))).toBe(200);
    expect(await reader.read()).toMatchObject({
      status: "bounced",
      blockedReason: "550 5.1.1 No such mailbox",
    });
    expect((await reader.read()).blockedAt).not.toBeNull();
    expect(await letter.read()).toEqual({ bounced: 1, complained: 0, feedback: "bounced" });
    // Sent again, as providers do until it is answered; and another report of the same email.
    expect(await statusOf(report(body, { id: "msg_1" }))).toBe(200);
    expect(await statusOf(report(body, { id: "msg_2" }))).toBe(200);
    expect(await letter.read()).toEqual({ bounced: 1, complained: 0, feedback: "bounced" });
    expect(await db.select().from(mailEvents)).toHaveLength(2);
  });

  it("that arrives before the provider's id of the email is stored counts for the letter that is being submitted", async () => {
    const reader = await subscriber();
    const letter = await letterTo(reader);
    const isThis = eq(deliveries.providerId, letter.providerId);
    const [delivery] = await db
      .update(deliveries)
      .set({ status: "sending", providerId: null, claim: "batch" })
      .where(isThis)
      .returning();
    const early = bodyOf(bounced("Permanent"), `Reader <${reader.email.toUpperCase()}>`, letter.providerId);
    expect(await statusOf(report(early))).toBe(200);
    expect((await reader.read()).status).toBe("bounced");
    await storeOutcomes(ctx, delivery!.letterId, "batch", [
      {
        id: delivery!.id,
        attempts: 1,
        outcome: { state: "sent", answer: "", providerId: letter.providerId },
      },
    ]);
    expect(await letter.read()).toEqual({ bounced: 1, complained: 0, feedback: "bounced" });
    expect(await statusOf(report(bodyOf(complained, reader.email, letter.providerId)))).toBe(200);
    expect(await letter.read()).toEqual({ bounced: 1, complained: 0, feedback: "bounced" });
  });

  it("that arrives before the provider's id is stored counts for the latest of two letters being submitted", async () => {
    const reader = await subscriber();
    const sent = [await letterTo(reader), await letterTo(reader)];
    const unanswered = { status: "sending", providerId: null, claim: "batch" } as const;
    const rows = await db
      .update(deliveries)
      .set(unanswered)
      .where(eq(deliveries.subscriberId, reader.id))
      .returning();
    expect(await statusOf(report(bodyOf(bounced("Permanent"), reader.email)))).toBe(200);
    for (const [at, { id }] of rows.toSorted((a, b) => a.id - b.id).entries()) {
      const { providerId } = sent[at]!;
      await db.update(deliveries).set({ providerId }).where(eq(deliveries.id, id));
    }
    expect((await Promise.all(sent.map((letter) => letter.read()))).map((read) => read.bounced)).toEqual([
      0, 1,
    ]);
  });

  it("of another email does not count at a letter that is sent", async () => {
    const reader = await subscriber();
    const letter = await letterTo(reader);
    expect(await statusOf(report(bodyOf(bounced("Permanent"), reader.email, crypto.randomUUID())))).toBe(200);
    expect(await letter.read()).toEqual({ bounced: 0, complained: 0, feedback: null });
  });

  it("that was marked as spam removes the address in any state", async () => {
    for (const status of ["active", "unsubscribed", "bounced"] as const) {
      const reader = await subscriber(status);
      const letter = await letterTo(reader);
      await report(bodyOf(complained, reader.email, letter.providerId));
      expect((await reader.read()).status, status).toBe("complained");
      expect(await letter.read()).toEqual({ bounced: 0, complained: 1, feedback: "complained" });
    }
  });

  it("that bounced does not change a subscriber who left or complained", async () => {
    for (const status of ["unsubscribed", "complained"] as const) {
      const reader = await subscriber(status);
      await report(bodyOf(bounced("Permanent"), reader.email));
      expect((await reader.read()).status).toBe(status);
    }
  });

  it("that the provider suppressed removes the address", async () => {
    const reader = await subscriber();
    const suppressed = { message: "It bounced before.", type: "OnAccountSuppressionList" };
    await report(bodyOf({ type: "email.suppressed", suppressed }, reader.email));
    expect(await reader.read()).toMatchObject({ status: "bounced", blockedReason: "It bounced before." });
  });

  it.each(["Transient", "Undetermined"])(
    "that bounced temporarily removes the address at the third in a row: %s",
    async (type) => {
      const reader = await subscriber();
      const soft = () => report(bodyOf(bounced(type, "452 4.2.2 Mailbox full"), reader.email));
      await soft();
      await soft();
      expect(await reader.read()).toMatchObject({ status: "active", softBounces: 2, blockedAt: null });
      await report(bodyOf(delivered, reader.email));
      expect(await reader.read()).toMatchObject({ status: "active", softBounces: 0 });
      await soft();
      await soft();
      await soft();
      expect(await reader.read()).toMatchObject({
        status: "bounced",
        softBounces: 0,
        blockedReason: "Three letters in a row bounced. 452 4.2.2 Mailbox full",
      });
      expect((await reader.read()).blockedAt).not.toBeNull();
    },
  );

  it("counts a soft bounce once, even if it is reported repeatedly and concurrently", async () => {
    const reader = await subscriber();
    const body = bodyOf(bounced("Transient"), reader.email);
    const answers = await Promise.all([1, 2, 3].map(() => statusOf(report(body, { id: "msg_same" }))));
    expect(answers.filter((status) => status !== 200 && status !== 409)).toEqual([]);
    expect(answers).toContain(200);
    await report(body, { id: "msg_same" });
    expect((await reader.read()).softBounces).toBe(1);
  });

  it("without a letter is matched by address, ignoring name and case", async () => {
    const reader = await subscriber();
    await report(bodyOf(bounced("Permanent"), `The Reader <${reader.email.toUpperCase()}>`));
    expect((await reader.read()).status).toBe("bounced");
  });

  it("of a letter counts for its recipient, also if they deleted their data", async () => {
    const reader = await subscriber();
    const letter = await letterTo(reader);
    await db.delete(subscribers).where(eq(subscribers.id, reader.id));
    expect(await statusOf(report(bodyOf(complained, reader.email, letter.providerId)))).toBe(200);
    expect(await letter.read()).toEqual({ bounced: 0, complained: 0, feedback: null });
  });

  it("may carry the names of Standard Webhooks", async () => {
    const reader = await subscriber();
    await report(bodyOf(complained, reader.email), { prefix: "webhook" });
    expect((await reader.read()).status).toBe("complained");
  });

  it("may be signed by an old and a new secret at a time", async () => {
    const reader = await subscriber();
    const body = bodyOf(complained, reader.email);
    const at = new Date();
    const valid = new Webhook(SECRET).sign("msg_rotated", at, body);
    const answer = report(body, {
      id: "msg_rotated",
      at: at.getTime(),
      signature: `v1,AAAA v2,BBBB ${valid}`,
    });
    expect(await statusOf(answer)).toBe(200);
    expect((await reader.read()).status).toBe("complained");
  });
});

describe("a report that is refused changes nothing", () => {
  const MINUTES = 60_000;
  it.each<[string, number, () => Sent, ((body: string) => string)?]>([
    ["another secret", 401, () => ({ secret: `whsec_${btoa("somebody else's secret")}` })],
    ["no signature at all", 400, () => ({ signature: "" })],
    ["a signature of another version", 401, () => ({ signature: "v2,abc" })],
    ["a signature that is none", 401, () => ({ signature: "v1" })],
    ["from six minutes ago", 401, () => ({ at: Date.now() - 6 * MINUTES })],
    ["from six minutes ahead", 401, () => ({ at: Date.now() + 6 * MINUTES })],
    ["no JSON", 400, () => ({}), () => "{"],
    ["more than a report holds", 413, () => ({}), (body) => body.padEnd(65 * 1024, " ")],
  ])("a report is refused for %s", async (_what, status, sent, change = (body) => body) => {
    const reader = await subscriber();
    expect(await statusOf(report(change(bodyOf(complained, reader.email)), sent()))).toBe(status);
    expect((await reader.read()).status).toBe("active");
    expect(await db.select().from(mailEvents)).toEqual([]);
  });

  it("a body that was changed on the way", async () => {
    const reader = await subscriber();
    const other = await subscriber();
    const at = Date.now();
    const signature = new Webhook(SECRET).sign("msg_x", new Date(at), bodyOf(complained, other.email));
    expect(await statusOf(report(bodyOf(complained, reader.email), { id: "msg_x", at, signature }))).toBe(
      401,
    );
    expect((await reader.read()).status).toBe("active");
  });
});

it.each<Event>([
  { type: "email.opened" },
  { type: "contact.created", email: "a@example.com" },
  { type: "email.bounced" },
  { type: "" },
])("a report of something else is answered, and changes nothing: $type", async (event) => {
  const reader = await subscriber();
  expect(await statusOf(report(bodyOf(event, reader.email)))).toBe(200);
  expect((await reader.read()).status).toBe("active");
  expect(await db.select().from(mailEvents)).toEqual([]);
});

it("a report is forgotten after two weeks", async () => {
  const reader = await subscriber();
  await report(bodyOf(complained, reader.email));
  await pruneMailEvents(jobContext({ now: new Date(Date.now() + 13 * DAY) }));
  expect(await db.select().from(mailEvents)).toHaveLength(1);
  await pruneMailEvents(jobContext({ now: new Date(Date.now() + 15 * DAY) }));
  expect(await db.select().from(mailEvents)).toEqual([]);
});

it("addresses that a server does not know are blocked together, each with its reason", async () => {
  const [one, two, gone] = [await subscriber(), await subscriber(), await subscriber("unsubscribed")];
  const refused = [one, two, gone].map(({ id, email }) => ({
    id,
    reason: `550 5.1.1 ${email} ${"x".repeat(400)}`,
  }));
  await blockBadAddresses(ctx, refused);
  for (const reader of [one, two]) {
    const { status, blockedReason } = await reader.read();
    expect(status).toBe("bounced");
    expect(blockedReason).toMatch(new RegExp(`^550 5\\.1\\.1 ${reader.email}`));
    expect(blockedReason).toHaveLength(300);
  }
  expect(await gone.read()).toMatchObject({ status: "unsubscribed", blockedAt: null });
});
