import { and, eq } from "drizzle-orm";
import { createExecutionContext, createScheduledController, waitOnExecutionContext } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { afterAll, beforeEach, describe, expect, it } from "vitest";
import { tick } from "#worker/jobs.ts";
import { deleteAccount } from "#worker/members/account/commands.ts";
import { deleteMember, endMember, updateMember } from "#worker/members/owner-commands.ts";
import { members } from "#worker/members/table.ts";
import { subscribers } from "#worker/newsletter/table.ts";
import {
  comparePayments,
  createTierPrice,
  deletePaymentKeys,
  deleteTierPrice,
  savePaymentKeys,
  testPaymentKeys,
} from "#worker/payments/commands.ts";
import {
  beginPaymentComparison,
  continuePaymentComparison,
  hasPaymentComparison,
} from "#worker/payments/comparison.ts";
import { openPortal, startCheckout } from "#worker/payments/checkout-commands.ts";
import { listJoinOffers } from "#worker/payments/offer-queries.ts";
import { prunePaymentNotices, takeStripeNotice } from "#worker/payments/notices.ts";
import { readPaymentSetup } from "#worker/payments/queries.ts";
import { paymentKeys, paymentNotices, paymentSubscriptions, tierPrices } from "#worker/payments/table.ts";
import { createContext, type Context } from "#worker/platform/context.ts";
import { fetchSite, jobContext, ownerContext, SITE, visitorContext } from "./support/client.ts";
import { faultAt, faultyBindings } from "./support/faults.ts";
import { aMember, aSignedInMember, aTier, deleteUnusedTiers, setAccounts } from "./support/members.ts";
import { anAddress } from "./support/people.ts";
import {
  anEvent,
  aPrice,
  aSubscription,
  atStripe,
  notice,
  SECRET,
  secondsOf,
  stripeAccount,
  stripeVars,
} from "./support/stripe.ts";

const DAY = 86_400_000;
const { db } = jobContext();
const owner = () => atStripe(ownerContext());
const job = (now = new Date()) => atStripe(jobContext({ now }));

type Account = Awaited<ReturnType<typeof stripeAccount>>;
let account: Account;
let tierId = 0;
let price = aPrice();

async function tierWithPrice(fields: object = {}) {
  await deleteUnusedTiers();
  const [id, made] = [await aTier(), aPrice(fields)];
  await account.store(made);
  await createTierPrice(owner(), { tierId: id, price: made.id });
  return { tierId: id, price: made };
}

beforeEach(async () => {
  await db.delete(paymentNotices);
  await db.delete(paymentSubscriptions);
  await db.delete(tierPrices);
  await db.delete(members);
  account = await stripeAccount();
  ({ tierId, price } = await tierWithPrice());
});

type Subscription = ReturnType<typeof aSubscription>;

/** Stripe has the subscription so, and sends a notice of it. */
async function changed(
  subscription: Subscription,
  { type = "customer.subscription.updated", now = new Date() } = {},
) {
  await account.store(subscription);
  const { id } = subscription;
  const event = anEvent(type, type.startsWith("invoice.") ? { id: "in_1", subscription: id } : { id });
  await takeStripeNotice(job(now), await notice(event, { at: now.getTime() }));
  return event;
}

const memberOf = async (email: string) =>
  (await db.select().from(members).where(eq(members.email, email)))[0];
const noticesOf = async () => (await readPaymentSetup(owner())).notices.map(({ message }) => message);
const at = (seconds: number) => new Date(seconds * 1000);

describe("a notice of Stripe", () => {
  it("makes a person who pays a member of the price's tier, and subscribes them to nothing", async () => {
    const email = anAddress();
    const subscription = aSubscription({ price, email });
    await changed(subscription, { type: "customer.subscription.created" });
    expect(await memberOf(email)).toMatchObject({
      tierId,
      source: "stripe",
      since: at(subscription.created),
      until: null,
    });
    expect(await db.$count(subscribers, eq(subscribers.email, email))).toBe(0);
  });

  it.each([
    ["trialing", {}, null],
    ["active", {}, null],
    ["past_due", {}, "start"],
    ["unpaid", {}, "start"],
    ["active", { cancel_at_period_end: true }, "end"],
  ] as const)("of a subscription that is %s %j ends the membership at %s", async (status, fields, until) => {
    const email = anAddress();
    const subscription = aSubscription({ price, email });
    await changed(subscription);
    await changed({ ...subscription, status, ...fields });
    const ends = { start: subscription.current_period_start, end: subscription.current_period_end };
    expect((await memberOf(email))!.until).toEqual(until && at(ends[until]));
  });

  it("of a payment after a past due one lets the membership continue", async () => {
    const email = anAddress();
    const subscription = aSubscription({ price, email });
    await changed({ ...subscription, status: "active" });
    await changed({ ...subscription, status: "past_due" }, { type: "invoice.payment_failed" });
    expect((await memberOf(email))!.until).not.toBeNull();
    await changed({ ...subscription, status: "active" });
    expect((await memberOf(email))!.until).toBeNull();
  });

  it("of a cancelled subscription ends the membership when it ended", async () => {
    const email = anAddress();
    const subscription = aSubscription({ price, email });
    await changed(subscription);
    const ended = subscription.created + 5;
    await changed({ ...subscription, status: "canceled", ended_at: ended } as unknown as Subscription);
    expect((await memberOf(email))!.until).toEqual(at(ended));
  });

  it("of a first payment that has not been made makes no member", async () => {
    const email = anAddress();
    await changed(aSubscription({ price, email, status: "incomplete" }));
    expect(await memberOf(email)).toBeUndefined();
  });

  it("of a refund ends the membership", async () => {
    const email = anAddress();
    const subscription = aSubscription({ price, email });
    await changed(subscription);
    const charge = { ...subscription.latest_invoice.charge, refunded: true };
    const invoice = { ...subscription.latest_invoice, charge };
    await account.store(
      { ...subscription, latest_invoice: invoice },
      { ...charge, invoice: { id: invoice.id, object: "invoice", subscription: subscription.id } },
    );
    await takeStripeNotice(job(), await notice(anEvent("charge.refunded", { id: charge.id })));
    expect((await memberOf(email))!.until).toEqual(at(subscription.current_period_start));
  });

  it.each([
    ["needs_response", "start"],
    ["lost", "start"],
    ["won", null],
  ] as const)("of a dispute that is %s ends the membership at %s", async (status, until) => {
    const email = anAddress();
    const subscription = aSubscription({ price, email }, { disputed: true });
    const { charge } = subscription.latest_invoice;
    const dispute = { id: `dp_${charge.id}`, object: "dispute", charge: charge.id, status, created: 1 };
    const invoice = { id: subscription.latest_invoice.id, subscription: subscription.id };
    await account.store({
      ...subscription,
      latest_invoice: { ...subscription.latest_invoice, charge: { ...charge, disputed: false } },
    });
    await takeStripeNotice(
      job(),
      await notice(anEvent("customer.subscription.created", { id: subscription.id })),
    );
    await account.store(subscription, dispute, { ...charge, invoice });
    const event = anEvent("charge.dispute.closed", { id: dispute.id, charge: charge.id });
    await takeStripeNotice(job(), await notice(event));
    expect((await memberOf(email))!.until).toEqual(until && at(subscription.current_period_start));
  });

  it("that arrives after a later one changes nothing: Stripe is asked for the state", async () => {
    const email = anAddress();
    const subscription = aSubscription({ price, email });
    await changed({ ...subscription, cancel_at_period_end: true });
    const until = (await memberOf(email))!.until;
    const earlier = anEvent("customer.subscription.created", { id: subscription.id, status: "active" });
    await takeStripeNotice(job(), await notice(earlier));
    expect((await memberOf(email))!.until).toEqual(until);
  });

  it("that is repeated is answered without asking Stripe", async () => {
    const subscription = aSubscription({ price, email: anAddress() });
    const event = await changed(subscription);
    const asked = await account.requests();
    await takeStripeNotice(job(), await notice(event));
    expect(await account.requests()).toEqual(asked);
    expect(await db.$count(paymentNotices)).toBe(1);
  });

  it("of an old subscription does not end the membership of a newer one", async () => {
    const email = anAddress();
    const old = aSubscription({ price, email });
    const { tierId: higher, price: other } = await tierWithPrice({ unit_amount: 1500 });
    await changed(old);
    await changed(aSubscription({ price: other, email }));
    await changed({ ...old, status: "canceled", ended_at: old.created + 5 } as unknown as Subscription);
    expect(await memberOf(email)).toMatchObject({ tierId: higher, until: null });
  });

  it("of an invoice names its subscription also in the form of later versions", async () => {
    const email = anAddress();
    const subscription = aSubscription({ price, email });
    await account.store(subscription);
    const invoice = { id: "in_1", parent: { subscription_details: { subscription: subscription.id } } };
    await takeStripeNotice(job(), await notice(anEvent("invoice.paid", invoice)));
    expect(await memberOf(email)).toMatchObject({ tierId, until: null });
  });

  it("leaves a membership by hand as it is, and reports it", async () => {
    const { email, tierId: given } = await aMember({ source: "free" });
    const subscription = aSubscription({ price, email });
    await changed(subscription);
    expect(await memberOf(email)).toMatchObject({ source: "free", tierId: given, until: null });
    expect(await noticesOf()).toEqual([
      `The subscription ${subscription.id} is of a member with a membership by hand, which stays as it is.`,
    ]);
  });

  it("continues a membership by hand that has ended", async () => {
    const { id, email } = await aMember();
    await endMember(ownerContext({ now: new Date(Date.now() - 1000) }), id);
    await changed(aSubscription({ price, email }));
    expect(await memberOf(email)).toMatchObject({ source: "stripe", tierId, until: null });
  });

  it("makes no member of one who was deleted, and reports that the subscription continues", async () => {
    const email = anAddress();
    const subscription = aSubscription({ price, email });
    await changed(subscription);
    await deleteMember(ownerContext(), (await memberOf(email))!.id);
    await changed(subscription);
    expect(await memberOf(email)).toBeUndefined();
    expect((await noticesOf())[0]).toContain("Cancel it at Stripe.");
  });

  it.each([
    ["a price that no tier has", { price: { id: "price_other" } }, "price_other in USD, which no tier has"],
    ["a currency that no tier has", { price: { id: "price_eur", currency: "eur" } }, "price_eur in EUR"],
    ["a customer without an address", { email: null }, "has no email address"],
    ["an invalid address", { email: "nobody" }, "isn’t an address"],
  ])("of %s is refused, and the owner sees why", async (_, fields, message) => {
    const subscription = aSubscription({ price, email: anAddress(), ...fields });
    await changed(subscription);
    expect(await db.$count(paymentSubscriptions)).toBe(0);
    expect((await noticesOf())[0]).toContain(message);
  });

  it.each([
    ["real payments", { livemode: true }, "of real payments, but the key is of Stripe’s test mode"],
    ["another account", { account: "acct_other" }, "of the connected account acct_other"],
  ])("of %s is refused, and the owner sees why", async (_, fields, message) => {
    const email = anAddress();
    const subscription = aSubscription({ price, email });
    await account.store(subscription);
    const event = anEvent("customer.subscription.created", { id: subscription.id }, fields);
    await takeStripeNotice(job(), await notice(event));
    expect(await memberOf(email)).toBeUndefined();
    expect((await noticesOf())[0]).toContain(message);
  });

  it("of a subscription that Stripe does not know is refused, and the owner sees why", async () => {
    await takeStripeNotice(job(), await notice(anEvent("customer.subscription.updated", { id: "sub_none" })));
    expect((await noticesOf())[0]).toContain("No such subscription: 'sub_none'");
  });

  it("is repeated by Stripe while the API is busy", async () => {
    const busy = `sk_test_busy${crypto.randomUUID().slice(0, 8)}`;
    await db.update(paymentKeys).set({ secret: JSON.stringify({ apiKey: busy, webhookSecret: SECRET }) });
    const sent = notice(anEvent("customer.subscription.updated", { id: "sub_any" }));
    await expect(takeStripeNotice(job(), await sent)).rejects.toMatchObject({ code: "unavailable" });
    expect(await db.$count(paymentNotices)).toBe(0);
  });
});

describe("the signature of a notice", () => {
  const event = () => anEvent("customer.subscription.updated", { id: "sub_none" });
  const refusal = { code: "unauthenticated" };

  it("may be by one of several secrets, while the secret is replaced", async () => {
    const sent = await notice(event(), { secrets: ["whsec_former", SECRET] });
    await takeStripeNotice(job(), sent);
    expect(await db.$count(paymentNotices)).toBe(1);
  });

  it("by another secret is refused, and the owner sees it once", async () => {
    for (const _ of [1, 2]) {
      const sent = await notice(event(), { secrets: ["whsec_other"] });
      await expect(takeStripeNotice(job(), sent)).rejects.toMatchObject(refusal);
    }
    expect(await noticesOf()).toEqual([
      "A notice had an invalid signature, or was too old. If it came from Stripe, the signing secret is another one.",
    ]);
  });

  it("is refused for another body", async () => {
    const { header } = await notice(event());
    const body = JSON.stringify(event());
    await expect(takeStripeNotice(job(), { header, body })).rejects.toMatchObject(refusal);
  });

  it.each([
    [299, true],
    [-299, true],
    [302, false],
    [-302, false],
  ])("that is %i seconds old is accepted: %s", async (age, isAccepted) => {
    const sent = await notice(event(), { at: Date.now() - age * 1000 });
    const taken = takeStripeNotice(job(), sent);
    await (isAccepted ? taken : expect(taken).rejects.toMatchObject(refusal));
    expect(await db.$count(paymentNotices, eq(paymentNotices.type, event().type))).toBe(isAccepted ? 1 : 0);
  });

  it.each(["", "t=1", "v1=00", "t=x,v1=00", "nonsense"])("%j is no signature", async (header) => {
    const sent = takeStripeNotice(job(), { header, body: "{}" });
    await expect(sent).rejects.toMatchObject({ code: "bad_request" });
  });

  it("is asked for at the address", async () => {
    const sent = () =>
      fetchSite("/api/webhooks/stripe", {
        method: "POST",
        headers: {
          "Content-Type": "application/json",
          Origin: "https://stripe.com",
          "Sec-Fetch-Site": "cross-site",
        },
        body: "{}",
      });
    expect((await sent()).status).toBe(400);
    await deletePaymentKeys(ownerContext());
    expect((await sent()).status).toBe(404);
  });
});

describe("an interrupted notice", () => {
  /** Kills at each call of D1, with and without its effect; then Stripe repeats the notice. */
  it.each(["before", "after", "crash"] as const)("takes effect once, killed %s any call", async (fault) => {
    for (let index = 0; ; index++) {
      const email = anAddress();
      const subscription = aSubscription({ price, email });
      await account.store(subscription);
      const sent = await notice(anEvent("customer.subscription.created", { id: subscription.id }));
      const { env: faulty, calls } = faultyBindings(env as unknown as Env, faultAt(index, fault));
      const ctx = atStripe(createContext(faulty, { actor: { kind: "job", name: "test" } }));
      const isAnswered = await takeStripeNotice(ctx, sent).then(
        () => true,
        () => false,
      );
      if (isAnswered) {
        expect(index).toBeGreaterThan(3);
        expect(calls).toHaveLength(index);
        return;
      }
      const before = await memberOf(email);
      await takeStripeNotice(job(), sent);
      expect(await memberOf(email)).toMatchObject({ tierId, until: null });
      if (before) expect(await memberOf(email)).toEqual(before);
      const ofIt = and(eq(paymentSubscriptions.id, subscription.id), eq(paymentSubscriptions.version, 1));
      expect(await db.$count(paymentSubscriptions, ofIt)).toBe(1);
    }
  });

  it("is not stored if another one of its subscription was processed since Stripe was asked", async () => {
    const email = anAddress();
    const subscription = aSubscription({ price, email });
    await account.store(subscription);
    const events = [1, 2].map(() => anEvent("customer.subscription.updated", { id: subscription.id }));
    const sent = await Promise.all(events.map((event) => notice(event)));
    const results = await Promise.allSettled(sent.map((one) => takeStripeNotice(job(), one)));
    for (const result of results)
      if (result.status === "rejected") expect(result.reason).toMatchObject({ code: "conflict" });
    for (const one of sent) await takeStripeNotice(job(), one);
    expect(await db.select().from(paymentSubscriptions)).toMatchObject([{ id: subscription.id, version: 2 }]);
  });
});

describe("the comparison with Stripe", () => {
  const lost = async (email: string, days: number) => {
    const subscription = aSubscription({ price, email });
    await account.store(subscription);
    const created = secondsOf(Date.now() - days * DAY);
    await account.happened(anEvent("customer.subscription.created", { id: subscription.id }, { created }));
    return subscription;
  };
  const compare = async (ctx: Context) => {
    await beginPaymentComparison(ctx);
    while (await hasPaymentComparison(ctx)) await continuePaymentComparison(ctx);
  };

  it("recovers a notice that was lost for three days", async () => {
    const email = anAddress();
    await compare(job());
    await lost(email, 3);
    await compare(job(new Date(Date.now() + DAY)));
    expect(await memberOf(email)).toMatchObject({ source: "stripe", tierId, until: null });
    expect(await readPaymentSetup(owner())).toMatchObject({ isComparing: false, problem: null, notices: [] });
  });

  it("continues in the cron of each tenth minute", async () => {
    const email = anAddress();
    await lost(email, 1);
    await beginPaymentComparison(job());
    const minute = async (minutes: number) => {
      const execution = createExecutionContext();
      const scheduledTime = new Date(Math.ceil(Date.now() / 3_600_000) * 3_600_000 + minutes * 60_000);
      const site = { ...env, ...stripeVars } as unknown as Env;
      await tick(createScheduledController({ cron: "* * * * *", scheduledTime }), site, execution);
      await waitOnExecutionContext(execution);
    };
    await minute(9);
    expect(await memberOf(email)).toBeUndefined();
    await minute(10);
    expect(await memberOf(email)).toBeDefined();
    expect(await hasPaymentComparison(job())).toBe(false);
  });

  it("continues in steps on the free plan", async () => {
    const emails = Array.from({ length: 7 }, anAddress);
    for (const email of emails) await lost(email, 1);
    const free = job();
    free.config = { ...free.config, plan: "free" };
    await beginPaymentComparison(free);
    await continuePaymentComparison(free);
    expect(await db.$count(paymentNotices)).toBe(3);
    while (await hasPaymentComparison(free)) await continuePaymentComparison(free);
    expect(await db.$count(paymentNotices)).toBe(7);
    for (const email of emails) expect(await memberOf(email)).toBeDefined();
  });

  it("tries a refused notice again, after its price was added to a tier", async () => {
    const email = anAddress();
    const added = aPrice();
    const subscription = aSubscription({ price: added, email });
    await account.store(added);
    const event = await changed(subscription);
    await account.happened(event);
    expect(await noticesOf()).toHaveLength(1);
    await createTierPrice(owner(), { tierId, price: added.id });
    await comparePayments(owner());
    expect(await memberOf(email)).toMatchObject({ tierId });
    expect(await noticesOf()).toEqual([]);
  });

  it("reports why Stripe refused it, and is tried again", async () => {
    const refused = { apiKey: "sk_test_refused", webhookSecret: SECRET };
    await db.update(paymentKeys).set({ secret: JSON.stringify(refused) });
    await comparePayments(owner());
    expect(await readPaymentSetup(owner())).toMatchObject({
      isComparing: true,
      problem: "Stripe refused the key. Enter another one.",
    });
  });
});

describe("the owner's settings", () => {
  const keys = { apiKey: "sk_test_abc", webhookSecret: SECRET };

  it("store keys that Stripe accepts, and show the account", async () => {
    await savePaymentKeys(owner(), keys);
    expect(await testPaymentKeys(owner())).toEqual({ account: "acct_abc" });
    const setup = await readPaymentSetup(owner());
    expect(setup).toMatchObject({ account: { id: "acct_abc", isLive: false } });
    expect(JSON.stringify(setup)).not.toContain("sk_test_abc");
  });

  it("compare the events of all days after the keys of another account", async () => {
    await savePaymentKeys(owner(), keys);
    await comparePayments(owner());
    await savePaymentKeys(owner(), keys);
    expect((await readPaymentSetup(owner())).comparedAt).not.toBeNull();
    await savePaymentKeys(owner(), { ...keys, apiKey: "sk_live_abc" });
    expect((await readPaymentSetup(owner())).comparedAt).toBeNull();
  });

  it("store no key that Stripe refuses", async () => {
    await expect(savePaymentKeys(owner(), { ...keys, apiKey: "sk_test_refused" })).rejects.toMatchObject({
      code: "conflict",
      message: "Stripe refused the key. Enter another one.",
    });
  });

  it.each([
    ["is archived", { active: false }, "archived"],
    ["has no fixed amount", { unit_amount: null }, "no fixed amount"],
    ["is paid once", { recurring: null, type: "one_time" }, "neither"],
    ["renews each quarter", { recurring: { interval: "month", interval_count: 3 } }, "neither"],
  ])("refuse a price that %s", async (_, fields, message) => {
    const other = aPrice(fields);
    await account.store(other);
    await expect(createTierPrice(owner(), { tierId, price: other.id })).rejects.toMatchObject({
      code: "invalid",
      message: expect.stringContaining(message) as string,
    });
  });

  it("have a price's amount, currency and interval from Stripe", async () => {
    const yearly = aPrice({
      currency: "eur",
      unit_amount: 5000,
      recurring: { interval: "year", interval_count: 1 },
    });
    await account.store(yearly);
    const { id } = await createTierPrice(owner(), { tierId, price: yearly.id });
    const find = async () => (await readPaymentSetup(owner())).prices.find((row) => row.id === id);
    expect(await find()).toMatchObject({ currency: "EUR", amount: 5000, interval: "year", tierId });
    await expect(createTierPrice(owner(), { tierId, price: yearly.id })).rejects.toMatchObject({
      code: "conflict",
    });
    await deleteTierPrice(owner(), id);
    expect(await find()).toBeUndefined();
  });

  it("need keys before a price is added", async () => {
    await deletePaymentKeys(owner());
    const adding = createTierPrice(owner(), { tierId, price: price.id });
    await expect(adding).rejects.toMatchObject({
      code: "conflict",
      message: "Enter the keys of Stripe first.",
    });
  });
});

describe("the owner of a membership that is paid by card", () => {
  const paidMember = async () => {
    const email = anAddress();
    await changed(aSubscription({ price, email }));
    return (await memberOf(email))!;
  };

  it("ends it at Stripe, since the next notice would undo another end", async () => {
    const { id, email } = await paidMember();
    await expect(endMember(ownerContext(), id)).rejects.toMatchObject({
      code: "conflict",
      message: "This membership is paid by card. Cancel its subscription at Stripe, and it ends here, too.",
    });
    expect((await memberOf(email))!.until).toBeNull();
  });

  it.each([{ until: Date.now() + DAY }, { since: 1 }])("does not change its dates: %j", async (change) => {
    const { id } = await paidMember();
    await expect(updateMember(ownerContext(), id, change)).rejects.toMatchObject({
      code: "invalid",
      message: "Tier and dates follow the payments at Stripe. To set them yourself, choose another payment.",
    });
  });

  it("may make it one by hand, which payments then leave as it is", async () => {
    const { id, email } = await paidMember();
    const until = Date.now() + DAY;
    await updateMember(ownerContext(), id, { source: "by-hand", until });
    await changed(aSubscription({ price, email }));
    expect(await memberOf(email)).toMatchObject({ source: "by-hand", until: new Date(until) });
  });

  it("cannot make one by hand a paid one", async () => {
    const { id } = await aMember();
    await expect(updateMember(ownerContext(), id, { source: "stripe" })).rejects.toMatchObject({
      code: "invalid",
      message: "Only a payment at Stripe makes a membership paid by card.",
    });
  });
});

describe("joining by card", () => {
  beforeEach(() => setAccounts(true));
  afterAll(() => setAccounts(false));
  const visitor = () => atStripe(visitorContext());
  const shown = ({ url }: { url: string }) => Object.fromEntries(new URL(url).searchParams);

  it("opens Stripe's page for the offer's price", async () => {
    const [offer] = await listJoinOffers(visitor());
    expect(offer).toMatchObject({ currency: "USD", amount: 500, interval: "month" });
    expect(shown(await startCheckout(visitor(), undefined, { price: offer!.id }))).toEqual({
      mode: "subscription",
      "line_items[0][price]": price.id,
      "line_items[0][quantity]": "1",
      success_url: `${SITE}/account#joined`,
      cancel_url: `${SITE}/account`,
    });
  });

  it("is for the member's address, if one is signed in whose membership has ended", async () => {
    const { id, email, token } = await aSignedInMember();
    const [offer] = await listJoinOffers(visitor());
    const joining = () => startCheckout(visitor(), token, { price: offer!.id });
    await expect(joining()).rejects.toMatchObject({ code: "conflict" });
    await endMember(ownerContext({ now: new Date(Date.now() - 1000) }), id);
    expect(shown(await joining())).toMatchObject({ customer_email: email });
  });

  it.each(["checkout", "portal"])("is not begun by another site: %s", async (path) => {
    const answer = await fetchSite(`/api/member/${path}`, {
      method: "POST",
      headers: {
        "Content-Type": "application/json",
        Origin: "https://other.example",
        "Sec-Fetch-Site": "cross-site",
      },
      body: JSON.stringify({ price: 1 }),
    });
    expect(answer.status).toBe(403);
  });

  it("is offered with keys only, and for prices only that there are", async () => {
    const missing = startCheckout(visitor(), undefined, { price: 999_999 });
    await expect(missing).rejects.toMatchObject({ code: "not_found" });
    await deletePaymentKeys(owner());
    expect(await listJoinOffers(visitor())).toEqual([]);
  });

  it("lets a member who pays change the payments, and delete the account once they have ended", async () => {
    const { id, email, token } = await aSignedInMember();
    const [offer] = await listJoinOffers(visitor());
    await expect(openPortal(visitor(), token)).rejects.toMatchObject({ code: "conflict" });
    await endMember(ownerContext({ now: new Date(Date.now() - 1000) }), id);
    const subscription = aSubscription({ price, email });
    await changed(subscription);
    expect(shown(await openPortal(visitor(), token))).toEqual({
      customer: subscription.customer.id,
      return_url: `${SITE}/account`,
    });
    const again = startCheckout(visitor(), token, { price: offer!.id });
    await expect(again).rejects.toMatchObject({ code: "conflict" });
    await expect(deleteAccount(visitor(), token)).rejects.toMatchObject({ code: "conflict" });
    await changed({ ...subscription, status: "past_due" });
    await expect(startCheckout(visitor(), token, { price: offer!.id })).rejects.toMatchObject({
      code: "conflict",
      message: "You pay by card already. Change it under Manage payments.",
    });
    await expect(deleteAccount(visitor(), token)).rejects.toMatchObject({ code: "conflict" });
    await changed({ ...subscription, cancel_at_period_end: true });
    await deleteAccount(visitor(), token);
    expect(await memberOf(email)).toBeUndefined();
  });
});

it("notices are deleted once Stripe no longer lists them", async () => {
  await changed(aSubscription({ price, email: anAddress() }));
  await prunePaymentNotices(job(new Date(Date.now() + 39 * DAY)));
  expect(await db.$count(paymentNotices)).toBe(1);
  await prunePaymentNotices(job(new Date(Date.now() + 41 * DAY)));
  expect(await db.$count(paymentNotices)).toBe(0);
});
