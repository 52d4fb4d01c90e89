import { eq, sql } from "drizzle-orm";
import { beforeEach, describe, expect, it } from "vitest";
import { createAutomaticLetter } from "#worker/automatic-letters/commands.ts";
import { makeAutomaticLetters } from "#worker/automatic-letters/make-letters.ts";
import { duplicateLetter, updateLetter } from "#worker/letters/commands.ts";
import { everybody, type Segment } from "#worker/letters/contract.ts";
import { readLetter, readRecipientCount } from "#worker/letters/queries.ts";
import { cancelLetter, sendLetter } from "#worker/letters/sending-commands.ts";
import { letters } from "#worker/letters/table.ts";
import { chooseTopics } from "#worker/members/account/commands.ts";
import { readAccount } from "#worker/members/account/queries.ts";
import { choosePreferences, joinLetters, unsubscribe } from "#worker/newsletter/commands.ts";
import { exportSubscribers } from "#worker/newsletter/export.ts";
import { importSubscribers } from "#worker/newsletter/import-commands.ts";
import { recipientIds } from "#worker/newsletter/recipient-queries.ts";
import { readSubscriber } from "#worker/newsletter/owner-queries.ts";
import { readUnsubscription, readVerification } from "#worker/newsletter/queries.ts";
import { subscribers } from "#worker/newsletter/table.ts";
import { signUnsubscribe, signUnsubscribes } from "#worker/newsletter/unsubscribe-tokens.ts";
import { readPerson } from "#worker/people/queries.ts";
import { createTopic, deleteTopic, reorderTopics, updateTopic } from "#worker/topics/commands.ts";
import { listTopics } from "#worker/topics/owner-queries.ts";
import { fetchSite, jobContext, ownerContext } from "./support/client.ts";
import { aMember, aSignedInMember, aTier, setAccounts } from "./support/members.ts";
import {
  confirmed,
  DAY,
  jobs,
  post,
  postForm,
  rowOf,
  visitorContext,
  waiting,
} from "./support/newsletter.ts";
import { forgetRates } from "./support/rates.ts";
import {
  aLetterTo,
  deliveriesOf,
  receivedBy,
  rowOf as letterOf,
  sendingContext,
  sendSlices,
  subscribed,
} from "./support/sending.ts";
import { aTopic, deleteTopics } from "./support/topics.ts";

const owner = () => ownerContext({ jobs });
const { db } = jobContext();

beforeEach(async () => {
  await forgetRates();
  await db.update(subscribers).set({ topicIds: null });
  await db.run(sql`delete from automatic_letters`);
  await db.run(
    sql`update letters set status = 'cancelled' where status in ('scheduled', 'sending', 'paused')`,
  );
  await deleteTopics();
});

const tokenFor = (id: string) => signUnsubscribe(visitorContext(), { id });
const topicsOf = async (email: string) => (await rowOf(email))!.topicIds;
const html = async (path: string) => await (await fetchSite(path)).text();

describe("the owner's topics", () => {
  it("are ordered, and listed with how many confirmed subscribers chose each", async () => {
    const [first, second] = [await aTopic(), await aTopic()];
    await subscribed([
      { topicIds: [first] },
      { topicIds: [first, second] },
      { topicIds: [second], verifiedAt: null },
      {},
    ]);
    const { items } = await reorderTopics(owner(), { ids: [second, first] });
    expect(items.map(({ id, chosenBy }) => [id, chosenBy])).toEqual([
      [second, 1],
      [first, 2],
    ]);
  });

  it("have different names", async () => {
    await aTopic({ name: "Cities" });
    const other = await aTopic();
    const taken = { code: "conflict", message: "There is a topic with this name." };
    await expect(createTopic(owner(), { name: "Cities" })).rejects.toMatchObject(taken);
    await expect(updateTopic(owner(), other, { name: "Cities" })).rejects.toMatchObject(taken);
  });

  it("are at most 20", async () => {
    for (let count = 0; count < 20; count++) await aTopic();
    await expect(aTopic()).rejects.toMatchObject({ code: "conflict" });
    expect((await listTopics(owner())).items).toHaveLength(20);
  });

  it("leave the choices of subscribers when they are deleted, so that no later one with their number is theirs", async () => {
    const [gone, stays] = [await aTopic(), await aTopic()];
    const { subscribers: people } = await subscribed([
      { topicIds: [gone] },
      { topicIds: [gone, stays] },
      { topicIds: [stays] },
      {},
    ]);
    await deleteTopic(owner(), gone);
    const choices = await Promise.all(people.map(({ email }) => topicsOf(email)));
    expect(choices).toEqual([[], [stays], [stays], null]);
  });

  it("can't be deleted while a letter on them is scheduled or being sent, nor while an automatic letter has them", async () => {
    const topic = await aTopic({ name: "Cities" });
    const { domain } = await subscribed([{}]);
    const { id } = await aLetterTo(domain, { segment: { ...everybody, topic } });
    await sendLetter(sendingContext(), id, {});
    await expect(deleteTopic(owner(), topic)).rejects.toMatchObject({
      code: "conflict",
      message:
        "“Cities” can’t be deleted. A letter on this topic is scheduled or being sent. Wait until it is sent, or cancel it.",
    });
    await cancelLetter(owner(), id);
    const automatic = await createAutomaticLetter(owner(), {
      name: "Each essay",
      segment: { ...everybody, topic },
    });
    await expect(deleteTopic(owner(), topic)).rejects.toMatchObject({
      code: "conflict",
      message: "“Cities” can’t be deleted. An automatic letter has this topic. Give it another one first.",
    });
    await db.run(sql`delete from automatic_letters where id = ${automatic.id}`);
    await deleteTopic(owner(), topic);
    expect((await listTopics(owner())).items).toEqual([]);
  });
});

describe("who gets a letter", () => {
  const receivers = async (segment: Partial<Segment>, domain: string) => {
    const { id } = await aLetterTo(domain, { segment: { ...everybody, ...segment, sources: [domain] } });
    const ctx = sendingContext();
    await sendLetter(ctx, id, {});
    await sendSlices(ctx, id);
    return id;
  };
  const got = async (people: { email: string }[]) =>
    Promise.all(people.map(async ({ email }) => (await receivedBy(email)).length));

  it("on a topic: those who chose it, and those who never chose", async () => {
    const [cities, rivers] = [await aTopic(), await aTopic()];
    const { domain, subscribers: people } = await subscribed([
      {},
      { topicIds: [cities] },
      { topicIds: [rivers] },
      { topicIds: [] },
      { topicIds: [rivers, cities] },
    ]);
    await receivers({ topic: cities }, domain);
    expect(await got(people)).toEqual([1, 1, 0, 0, 1]);
  });

  it("to all: everyone, whatever they chose", async () => {
    const cities = await aTopic();
    const { domain, subscribers: people } = await subscribed([{}, { topicIds: [cities] }, { topicIds: [] }]);
    await receivers({}, domain);
    expect(await got(people)).toEqual([1, 1, 1]);
  });

  it("on a new topic: not those who chose before it existed", async () => {
    const cities = await aTopic();
    const { domain, subscribers: people } = await subscribed([{}, { topicIds: [cities] }]);
    const later = await aTopic();
    await receivers({ topic: later }, domain);
    expect(await got(people)).toEqual([1, 0]);
  });

  it("on a hidden topic: as on any other", async () => {
    const hidden = await aTopic({ isOffered: false });
    const { domain, subscribers: people } = await subscribed([{ topicIds: [hidden] }, { topicIds: [] }]);
    await receivers({ topic: hidden }, domain);
    expect(await got(people)).toEqual([1, 0]);
  });

  it("on a deleted topic: no one, and the letter isn't sent", async () => {
    const topic = await aTopic();
    const { domain } = await subscribed([{}, {}]);
    const { id } = await aLetterTo(domain, { segment: { ...everybody, topic, sources: [domain] } });
    await deleteTopic(owner(), topic);
    expect(await readRecipientCount(owner(), { ...everybody, topic })).toBe(0);
    await expect(sendLetter(sendingContext(), id, {})).rejects.toMatchObject({
      code: "invalid",
      message: /No one would get this letter/,
    });
    expect((await letterOf(id)).status).toBe("draft");
  });

  it("leaves out a person who left the topic after the sending had started", async () => {
    const [cities, rivers] = [await aTopic(), await aTopic()];
    const { domain, subscribers: people } = await subscribed([{}, { topicIds: [cities, rivers] }]);
    const { id } = await aLetterTo(domain, { segment: { ...everybody, topic: cities, sources: [domain] } });
    const ctx = sendingContext();
    await sendLetter(ctx, id, {});
    const token = await tokenFor(people[1]!.id);
    await choosePreferences(visitorContext(), { token, leave: cities });
    await sendSlices(ctx, id);
    expect(await got(people)).toEqual([1, 0]);
    expect((await deliveriesOf(id)).map(({ status }) => status)).toEqual(["sent", "skipped"]);
  });

  it("by any or all of the conditions on tier, source and dates; the topic always holds", async () => {
    const [topic, tierId, otherTier] = [await aTopic(), await aTier(), await aTier()];
    const early = new Date("2020-01-01");
    const { domain, subscribers: people } = await subscribed([
      {},
      { subscribedAt: early },
      { subscribedAt: early, topicIds: [] },
      {},
      {},
    ]);
    await aMember({ email: people[0]!.email, tierId });
    await aMember({ email: people[3]!.email, tierId, since: 1000, until: 2000 });
    await aMember({ email: people[4]!.email, tierId: otherTier });
    const conditions = { ...everybody, topic, tiers: [tierId], until: early.getTime() + DAY };
    const of = async (segment: Partial<Segment>) => {
      const ids = recipientIds(owner(), { ...conditions, ...segment });
      const rows = await db.all<{ id: string }>(sql`select id from (${ids}) where id in
        (select id from subscribers where source = ${domain})`);
      return rows.map(({ id }) => people.findIndex((person) => person.id === id)).toSorted();
    };
    expect(await of({ match: "all" })).toEqual([]);
    expect(await of({ match: "any" })).toEqual([0, 1]);
    expect(await of({ match: "any", topic: null })).toEqual([0, 1, 2]);
    expect(await of({ match: "all", until: null })).toEqual([0]);
    expect(await of({ match: "any", until: null, sources: [domain], topic: null })).toEqual([0, 1, 2, 3, 4]);
    expect(await of({ match: "all", sources: [domain], until: null })).toEqual([0]);
  });

  it("of a letter from before topics: as then", async () => {
    const { domain, subscribers: people } = await subscribed([{ topicIds: [] }]);
    const { id } = await aLetterTo(domain);
    const old = JSON.stringify({ sources: [domain], since: null, until: null });
    await db.run(sql`update letters set segment = ${old} where id = ${id}`);
    const { values, updatedAt } = await readLetter(owner(), id);
    expect(values.segment).toEqual({ ...everybody, sources: [domain] });
    await updateLetter(owner(), id, { subject: "Changed", basedOn: updatedAt });
    await duplicateLetter(owner(), id);
    const ctx = sendingContext();
    await sendLetter(ctx, id, {});
    await sendSlices(ctx, id);
    expect(await got(people)).toEqual([1]);
  });

  it("takes its topic from the automatic letter that makes it", async () => {
    const topic = await aTopic();
    await createAutomaticLetter(owner(), { name: "On cities", isOn: true, segment: { ...everybody, topic } });
    const [row] = await db.all<{ topic: number }>(
      sql`select segment ->> 'topic' as topic from automatic_letters`,
    );
    expect(row).toEqual({ topic });
    await makeAutomaticLetters(jobContext({ jobs }));
  });
});

describe("an email", () => {
  const sentTo = async (segment: Partial<Segment>) => {
    const { domain, subscribers: people } = await subscribed([{}]);
    const { id } = await aLetterTo(domain, { segment: { ...everybody, ...segment, sources: [domain] } });
    const ctx = sendingContext();
    await sendLetter(ctx, id, {});
    await sendSlices(ctx, id);
    return (await letterOf(id)).mail!.html + (await receivedBy(people[0]!.email)).length;
  };

  it("names its topic, and its link offers to choose topics", async () => {
    const topic = await aTopic({ name: "Cities & rivers" });
    const mail = await sentTo({ topic });
    expect(mail).toContain("topic “Cities &#38; rivers”");
    expect(mail).toContain("Choose topics or unsubscribe");
    expect(await sentTo({})).toContain("Choose topics or unsubscribe");
  });

  it("offers only to unsubscribe where the site has no topics", async () => {
    const mail = await sentTo({});
    expect(mail).toContain(">Unsubscribe<");
    expect(mail).not.toContain("topic");
  });
});

describe("the choice at sign-up", () => {
  it("is offered with the confirmation, and stored by it", async () => {
    const [cities, rivers] = [await aTopic({ name: "Cities" }), await aTopic({ name: "Rivers" })];
    await aTopic({ name: "Hidden one", isOffered: false });
    const { email, token } = await waiting();
    expect(await readVerification(visitorContext(), token)).toMatchObject({
      offer: { topics: [{ id: cities }, { id: rivers }], chosen: null },
    });
    const page = await html(`/verify-email?token=${token}`);
    expect(page).toContain("Which letters do you want?");
    expect(page).not.toContain("Hidden one");
    const answer = await post("verify", { token, choice: "some", topics: [String(rivers)] });
    expect(answer.status).toBe(200);
    expect(await topicsOf(email)).toEqual([rivers]);
  });

  it("works without scripts", async () => {
    const [cities, rivers] = [await aTopic(), await aTopic()];
    const { email, token } = await waiting();
    const fields = new URLSearchParams({ token, form: "link", choice: "some" });
    for (const id of [cities, rivers]) fields.append("topics[]", String(id));
    const answer = await post("verify", fields.toString(), {
      "Content-Type": "application/x-www-form-urlencoded",
      "Sec-Fetch-Site": "same-origin",
    });
    expect(answer.headers.get("Location")).toBe("/verify-email?confirmed=1");
    expect(await topicsOf(email)).toEqual([cities, rivers]);
  });

  it("is every letter without one; an earlier choice stays after another sign-up", async () => {
    const cities = await aTopic();
    const { email, id } = await confirmed();
    expect(await topicsOf(email)).toBeNull();
    const token = await tokenFor(id);
    await choosePreferences(visitorContext(), { token, choice: "some", topics: [cities] });
    await unsubscribe(visitorContext(), { token });
    await joinLetters(visitorContext(), email);
    expect(await rowOf(email)).toMatchObject({ state: "confirmed", topicIds: [cities] });
  });

  it("leaves out topics that do not exist, and hidden ones", async () => {
    const [cities, hidden] = [await aTopic(), await aTopic({ isOffered: false })];
    const { email, token } = await waiting();
    await post("verify", { token, choice: "some", topics: [cities, hidden, 999_999] });
    expect(await topicsOf(email)).toEqual([cities]);
  });

  it("refuses an invalid choice", async () => {
    const { email, token } = await waiting();
    for (const fields of [
      { choice: "none" },
      { choice: "some", topics: ["x"] },
      { choice: "some", topics: 1 },
    ]) {
      expect((await post("verify", { token, ...fields })).status).toBe(422);
    }
    expect((await rowOf(email))!.state).toBe("pending");
  });
});

describe("the page of a letter's link", () => {
  it("offers topics with the choice so far, hidden ones only to those who chose them", async () => {
    const [cities, hidden] = [await aTopic(), await aTopic({ isOffered: false })];
    const one = await confirmed();
    const token = await tokenFor(one.id);
    expect(await readUnsubscription(visitorContext(), token)).toMatchObject({
      offer: { topics: [{ id: cities }], chosen: null },
      topic: null,
    });
    await db
      .update(subscribers)
      .set({ topicIds: [hidden] })
      .where(eq(subscribers.id, one.id));
    expect(await readUnsubscription(visitorContext(), token)).toMatchObject({
      offer: { topics: [{ id: cities }, { id: hidden }], chosen: [hidden] },
    });
    // A hidden topic that they have stays choosable, and is left for good once they leave it.
    await post("topics", { token, choice: "some", topics: [cities, hidden] });
    expect(await topicsOf(one.email)).toEqual([cities, hidden]);
    await post("topics", { token, choice: "some", topics: [cities] });
    await post("topics", { token, choice: "some", topics: [cities, hidden] });
    expect(await topicsOf(one.email)).toEqual([cities]);
    await post("topics", { token, choice: "all" });
    expect(await topicsOf(one.email)).toBeNull();
  });

  it("offers to stop the topic of its letter, and keeps every other one", async () => {
    const [cities, rivers, hidden] = [
      await aTopic({ name: "Cities" }),
      await aTopic(),
      await aTopic({ isOffered: false }),
    ];
    const { domain, subscribers: people } = await subscribed([{}]);
    const { id } = await aLetterTo(domain, { segment: { ...everybody, topic: cities } });
    const [token] = await signUnsubscribes(visitorContext(), [people[0]!.id], id);
    const { email } = people[0]!;
    expect(await readUnsubscription(visitorContext(), token!)).toMatchObject({
      topic: { id: cities, name: "Cities" },
    });
    const answer = await postForm("topics", { token: token!, form: "stop", leave: String(cities) });
    expect(answer.headers.get("Location")).toBe(`/unsubscribe?token=${token}#stop-sent`);
    expect(await topicsOf(email)).toEqual([rivers, hidden]);
    expect(await readUnsubscription(visitorContext(), token!)).toMatchObject({ topic: null });
    // Pressed twice.
    await post("topics", { token, leave: cities });
    expect(await topicsOf(email)).toEqual([rivers, hidden]);
    const [row] = await db.select().from(letters).where(eq(letters.id, id));
    expect(row!.unsubscribed).toBe(0);
  });

  it("changes no one by a forged token, nor by one for another purpose", async () => {
    const cities = await aTopic();
    const victim = await confirmed();
    const pending = await waiting();
    const mine = await tokenFor((await confirmed()).id);
    const [payload, signature] = mine.split(".");
    const forged = `${btoa(atob(payload!.replaceAll("-", "+").replaceAll("_", "/")).replace(/"[0-9a-f-]{36}"/, `"${victim.id}"`)).replaceAll("=", "")}.${signature}`;
    for (const token of [forged, pending.token, "", "a.b"]) {
      const answer = await post("topics", { token, choice: "some", topics: [cities] });
      expect(answer.status).toBe(422);
    }
    expect(await topicsOf(victim.email)).toBeNull();
  });

  it("refuses a choice for an address that gets no letters", async () => {
    const { id, email } = await confirmed();
    const token = await tokenFor(id);
    await unsubscribe(visitorContext(), { token });
    const answer = await post("topics", { token, choice: "all" });
    expect(answer.status).toBe(422);
    expect((await rowOf(email))!.status).toBe("unsubscribed");
  });

  it("leaves one-click unsubscribe as it is: it ends every letter", async () => {
    const cities = await aTopic();
    const { id, email } = await confirmed();
    const token = await tokenFor(id);
    await choosePreferences(visitorContext(), { token, choice: "some", topics: [cities] });
    const answer = await fetchSite(`/api/newsletter/unsubscribe?token=${token}`, {
      method: "POST",
      headers: { "Content-Type": "application/x-www-form-urlencoded" },
      body: "List-Unsubscribe=One-Click",
    });
    expect(answer.status).toBe(200);
    expect(await rowOf(email)).toMatchObject({ status: "unsubscribed" });
  });
});

describe("the account of a member", () => {
  it("offers topics while they get letters, and stores their choice", async () => {
    await setAccounts(true);
    const cities = await aTopic({ name: "Cities", description: "Once a month." });
    const { token, email } = await aSignedInMember();
    const lettersOf = async () => (await readAccount(visitorContext(), token))!.letters;
    expect((await lettersOf()).offer).toBeNull();
    await chooseTopics(visitorContext(), token, { choice: "some", topics: [cities] });
    await joinLetters(visitorContext(), email);
    const topics = [{ id: cities, name: "Cities", description: "Once a month." }];
    expect((await lettersOf()).offer).toEqual({ topics, chosen: null });
    await chooseTopics(visitorContext(), token, { choice: "some", topics: [cities] });
    expect((await lettersOf()).offer).toEqual({ topics, chosen: [cities] });
  });
});

describe("a list of subscribers", () => {
  it("carries topics by name, and gives each person the same choice where it is imported", async () => {
    const [cities, rivers] = [await aTopic({ name: "Cities" }), await aTopic({ name: "Rivers" })];
    const { subscribers: people } = await subscribed([{ topicIds: [cities, rivers] }, { topicIds: [] }, {}]);
    const text = await new Response(await exportSubscribers(owner())).text();
    const cells = people.map(({ email }) =>
      text
        .split("\r\n")
        .find((line) => line.includes(email))!
        .split(",")
        .at(-1),
    );
    expect(cells).toEqual(["Cities; Rivers", ";", ""]);
    await db.run(
      sql`delete from subscribers where id in (select value from json_each(${JSON.stringify(people.map(({ id }) => id))}))`,
    );
    const given = [["rivers", "CITIES", "Unknown"], [], null];
    await importSubscribers(owner(), {
      importId: crypto.randomUUID(),
      fileName: "subscribers.csv",
      source: "moved",
      consent: "By the form there.",
      isConfirmed: true,
      rows: people.map(({ email }, index) => ({
        line: index + 2,
        email,
        source: null,
        status: "active" as const,
        subscribedAt: null,
        confirmedAt: null,
        topics: given[index]!,
      })),
    });
    expect(await Promise.all(people.map(({ email }) => topicsOf(email)))).toEqual([
      [cities, rivers],
      [],
      null,
    ]);
  });
});

describe("a person's data", () => {
  it("has the topics that they chose", async () => {
    const cities = await aTopic({ name: "Cities" });
    const { id, email } = await confirmed();
    const topicsHeld = async () =>
      JSON.stringify((await readPerson(owner(), { email })).latest).match(/"topics":"([^"]*)"/)?.[1];
    expect(await topicsHeld()).toBe("every letter");
    await choosePreferences(visitorContext(), {
      token: await tokenFor(id),
      choice: "some",
      topics: [cities],
    });
    expect(await topicsHeld()).toBe("Cities");
    expect((await readSubscriber(owner(), id)).topics).toEqual(["Cities"]);
  });
});
