import { eq, sql } from "drizzle-orm";
import Papa from "papaparse";
import { beforeEach, describe, expect, it, test } from "vitest";
import { securityEvents } from "#worker/accounts/table.ts";
import { applyErased } from "#worker/bin/apply-erased.ts";
import { erased } from "#worker/bin/table.ts";
import {
  MOST_TIERS,
  memberSources,
  memberStates,
  type MemberListQuery,
  type NewMember,
} from "#worker/members/contract.ts";
import { exportMembers } from "#worker/members/export.ts";
import { stateOf } from "#worker/members/membership-state.ts";
import { createMember, deleteMember, endMember, updateMember } from "#worker/members/owner-commands.ts";
import { listMembers, readMember, stateIs } from "#worker/members/owner-queries.ts";
import { memberSessions, members, tiers } from "#worker/members/table.ts";
import { createTier, deleteTier, reorderTiers, updateTier } from "#worker/members/tier-commands.ts";
import { listTiers, readNewTier } from "#worker/members/tier-queries.ts";
import { forgetSubscriber } from "#worker/newsletter/commands.ts";
import { createSubscriber, deleteSubscriber } from "#worker/newsletter/owner-commands.ts";
import { subscribers } from "#worker/newsletter/table.ts";
import { signUnsubscribe } from "#worker/newsletter/unsubscribe-tokens.ts";
import { deletePerson } from "#worker/people/commands.ts";
import { outbox } from "#worker/platform/table.ts";
import { jobContext, ownerContext, signedIn, fetchSite, visitorContext } from "./support/client.ts";
import { aMember, aTier } from "./support/members.ts";
import { anAddress } from "./support/people.ts";

const { db } = jobContext();
const DAY = 86_400_000;
const owner = (at = Date.now()) => ownerContext({ now: new Date(at) });

beforeEach(async () => {
  await db.delete(members);
  await db.delete(tiers);
});

const at = (time: number | null) => (time === null ? null : new Date(time));

describe("the state of a membership", () => {
  const now = new Date(1000);
  test.each([
    ["by-hand", 0, null, "active"],
    ["free", 0, null, "free"],
    ["by-hand", 1000, null, "active"],
    ["by-hand", 1001, null, "upcoming"],
    ["free", 1001, 2000, "upcoming"],
    ["by-hand", 0, 1001, "active"],
    ["by-hand", 0, 1000, "ended"],
    ["free", 0, 999, "ended"],
    // Ended before it began.
    ["by-hand", 2000, 1000, "ended"],
  ] as const)("%s from %i to %s is %s at 1000", (source, since, until, state) => {
    expect(stateOf({ source, since: at(since)!, until: at(until) }, now)).toBe(state);
  });

  it("is the same in the filter of the list", async () => {
    const tierId = await aTier();
    const times = [0, 999, 1000, 1001, 2000];
    const rows = memberSources.flatMap((source) =>
      times.flatMap((since) =>
        [null, ...times].map((until) => ({ source, since: at(since)!, until: at(until) })),
      ),
    );
    for (const row of rows)
      await db
        .insert(members)
        .values({ ...row, tierId, email: anAddress(), stamp: "s", createdAt: now, updatedAt: now });
    for (const state of memberStates) {
      const found = await db.select().from(members).where(stateIs(now, state));
      expect(found.map((row) => stateOf(row, now))).toEqual(found.map(() => state));
      expect(found).toHaveLength(rows.filter((row) => stateOf(row, now) === state).length);
    }
  });
});

describe("a tier", () => {
  it("comes after the others, and is put into another order", async () => {
    const [first, second] = [await aTier("First"), await aTier("Second")];
    expect((await readNewTier(owner())).sortOrder).toBe(2);
    const { items } = await reorderTiers(owner(), { ids: [second, first] });
    expect(items.map(({ name }) => name)).toEqual(["Second", "First"]);
  });

  it("has a name of its own", async () => {
    const id = await aTier("Patron");
    const other = await aTier("Friend");
    const taken = { code: "conflict", field: "name", message: "There is a tier with this name." };
    await expect(createTier(owner(), { name: "Patron" })).rejects.toMatchObject(taken);
    await expect(updateTier(owner(), other, { name: "Patron" })).rejects.toMatchObject(taken);
    expect((await updateTier(owner(), id, { name: "Patron", price: "$50 a year" })).values.price).toBe(
      "$50 a year",
    );
  });

  it("is not deleted while it has members, also ended ones", async () => {
    const tierId = await aTier("Patron");
    const { id } = await aMember({ tierId, since: 1, until: 2 });
    expect((await listTiers(owner())).items).toMatchObject([{ name: "Patron", members: 1 }]);
    await expect(deleteTier(owner(), tierId)).rejects.toMatchObject({
      code: "conflict",
      message: "“Patron” has members. Give them another tier first.",
    });
    await deleteMember(owner(), id);
    await deleteTier(owner(), tierId);
    expect((await listTiers(owner())).items).toEqual([]);
  });

  it("is refused beyond the limit", async () => {
    for (let count = 0; count < MOST_TIERS; count++) await aTier();
    await expect(aTier()).rejects.toThrow("You already have 20 tiers. Delete one to make room.");
    expect(await db.$count(tiers)).toBe(MOST_TIERS);
  });
});

describe("a member added by hand", () => {
  it("gets no letters and no email, since a membership is no consent", async () => {
    const mails = await db.$count(outbox);
    const email = anAddress();
    await aMember({ email });
    expect(await db.$count(subscribers, eq(subscribers.email, email))).toBe(0);
    expect(await db.$count(outbox)).toBe(mails);
  });

  it("leaves a subscription with the same address as it is", async () => {
    const email = anAddress();
    await createSubscriber(owner(), { email, consent: "On paper.", ask: false });
    const before = await db.select().from(subscribers).where(eq(subscribers.email, email));
    const { id } = await aMember({ email });
    await endMember(owner(), id);
    await deleteMember(owner(), id);
    expect(await db.select().from(subscribers).where(eq(subscribers.email, email))).toEqual(before);
  });

  it("is stored in lower case, begins now and has no end", async () => {
    const now = Date.parse("2026-06-10T00:00:00Z");
    const tierId = await aTier("Patron");
    const email = anAddress();
    const input: NewMember = { email: ` ${email.toUpperCase()} `, tierId, source: "free" };
    const member = await createMember(owner(now), input);
    expect(member).toMatchObject({ email, tierId, tier: "Patron", source: "free", since: now, until: null });
    expect(member.state).toBe("free");
  });

  it("is refused twice, and for a tier that was deleted", async () => {
    const { email, tierId } = await aMember();
    await expect(createMember(owner(), { email, tierId, source: "free" })).rejects.toMatchObject({
      code: "conflict",
      field: "email",
      message: "This address already has a membership.",
    });
    const gone = { code: "invalid", field: "tierId", message: "This tier was deleted. Choose another one." };
    const other = { email: anAddress(), tierId: tierId + 1, source: "free" } as const;
    await expect(createMember(owner(), other)).rejects.toMatchObject(gone);
    const [{ id }] = (await db.select({ id: members.id }).from(members)) as [{ id: number }];
    await expect(updateMember(owner(), id, { tierId: tierId + 1 })).rejects.toMatchObject(gone);
    expect(await db.$count(members)).toBe(1);
  });

  it("is changed from the version that was opened only", async () => {
    const { id, updatedAt } = await aMember();
    const changed = await updateMember(owner(), id, { source: "free", basedOn: updatedAt });
    expect(changed.state).toBe("free");
    // The answer was lost, and the request is sent again.
    expect(await updateMember(owner(), id, { source: "free", basedOn: updatedAt })).toEqual(changed);
    await expect(updateMember(owner(), id, { source: "by-hand", basedOn: updatedAt })).rejects.toMatchObject({
      code: "conflict",
      message: "This membership was changed elsewhere since you opened it.",
    });
  });

  it("cannot end before it begins, also with only one of the two changed", async () => {
    const { id } = await aMember({ since: 5000 });
    await expect(updateMember(owner(), id, { until: 5000 })).rejects.toMatchObject({ field: "until" });
    await updateMember(owner(), id, { until: 6000 });
    await expect(updateMember(owner(), id, { since: 6000 })).rejects.toMatchObject({ field: "until" });
    expect((await updateMember(owner(), id, { until: null })).until).toBeNull();
  });

  it("is ended once", async () => {
    const now = Date.now();
    const { id } = await aMember();
    expect(await endMember(owner(now + DAY), id)).toMatchObject({ until: now + DAY, state: "ended" });
    expect((await endMember(owner(now + 2 * DAY), id)).until).toBe(now + DAY);
    const kinds = await db
      .select({ kind: securityEvents.kind, detail: securityEvents.detail })
      .from(securityEvents)
      .where(eq(securityEvents.detail, `member ${id}`));
    expect(kinds.map(({ kind }) => kind)).toEqual(["member_ended"]);
  });

  it("is in the security log without the address", async () => {
    const { id, email } = await aMember();
    await updateMember(owner(), id, { source: "free" });
    await deleteMember(owner(), id);
    const logged = await db
      .select({ kind: securityEvents.kind })
      .from(securityEvents)
      .where(sql`detail like 'member %' or kind = 'member_added'`);
    expect(logged.map(({ kind }) => kind)).toEqual(
      expect.arrayContaining(["member_added", "member_changed", "member_deleted"]),
    );
    const named = sql`instr(coalesce(detail, '') || email || coalesce("by", ''), ${email}) > 0`;
    expect(await db.$count(securityEvents, named)).toBe(0);
  });
});

describe("the list of members", () => {
  it("has the latest first, page by page", async () => {
    const tierId = await aTier();
    for (let count = 0; count < 31; count++) await aMember({ tierId });
    const first = await listMembers(owner());
    expect(first.items).toHaveLength(30);
    const second = await listMembers(owner(), { before: first.next! });
    expect(second).toMatchObject({ items: [{ id: first.items.at(-1)!.id - 1 }], next: null });
    await expect(listMembers(owner(), { before: "x" })).rejects.toMatchObject({ code: "not_found" });
  });

  it("is filtered by tier, state and a part of the address", async () => {
    const [patron, friend] = [await aTier("Patron"), await aTier("Friend")];
    const now = Date.now();
    const ids = {
      active: (await aMember({ tierId: patron, email: "ada@one.example" })).id,
      free: (await aMember({ tierId: patron, source: "free" })).id,
      upcoming: (await aMember({ tierId: friend, since: now + DAY })).id,
      ended: (await aMember({ tierId: friend, since: 1, until: now - DAY })).id,
    };
    const found = async (query: MemberListQuery) =>
      (await listMembers(owner(), query)).items.map(({ id }) => id);
    for (const state of memberStates) expect(await found({ state })).toEqual([ids[state]]);
    expect(await found({ tier: friend })).toEqual([ids.ended, ids.upcoming]);
    expect(await found({ tier: friend, state: "ended" })).toEqual([ids.ended]);
    expect(await found({ tier: friend, state: "free" })).toEqual([]);
    expect(await found({ q: "@one.ex" })).toEqual([ids.active]);
    expect(await found({ q: "%" })).toEqual([]);
  });

  it("is exported as CSV, which the log records", async () => {
    const tierId = await aTier("=HYPERLINK(1)");
    await aMember({ tierId, email: "ada@one.example", since: 0, until: 1000 });
    await aMember({ tierId, email: "bo@one.example", source: "free", since: 0 });
    const csv = await new Response(await exportMembers(owner())).text();
    const { data } = Papa.parse<Record<string, string>>(csv, { header: true, skipEmptyLines: true });
    const times = { since: "1970-01-01T00:00:00.000Z" };
    expect(data).toEqual([
      {
        ...times,
        email: "ada@one.example",
        tier: "'=HYPERLINK(1)",
        state: "ended",
        source: "by-hand",
        until: "1970-01-01T00:00:01.000Z",
      },
      { ...times, email: "bo@one.example", tier: "'=HYPERLINK(1)", state: "free", source: "free", until: "" },
    ]);
    expect(await db.$count(securityEvents, eq(securityEvents.kind, "members_exported"))).toBeGreaterThan(0);
    const { cookie } = await signedIn("admin");
    const answer = await fetchSite("/api/admin/members/export", { headers: { Cookie: cookie } });
    expect(answer.headers.get("Cache-Control")).toBe("no-store");
    expect(answer.headers.get("Content-Disposition")).toMatch(
      /^attachment; filename="members-\d{4}-\d\d-\d\d\.csv"$/,
    );
    await answer.text();
  });

  it("does not show its members to visitors", async () => {
    const { id } = await aMember();
    for (const read of [() => listMembers(visitorContext()), () => readMember(visitorContext(), id)])
      await expect(read()).rejects.toMatchObject({ code: "unauthenticated" });
  });
});

describe("a membership ends with the person's data", () => {
  const subscribed = async () => {
    const email = anAddress();
    const { id } = await createSubscriber(owner(), { email, consent: "On paper.", ask: false });
    const member = await aMember({ email });
    await aMember();
    return { email, id, member: member.id };
  };
  const left = async (email: string) => db.$count(members, eq(members.email, email));

  test("when the owner deletes everything about the person", async () => {
    const { email } = await subscribed();
    expect((await deletePerson(owner(), { email })).membership).toBe(1);
    expect([await left(email), await db.$count(members)]).toEqual([0, 1]);
  });

  test("when the owner deletes the subscriber", async () => {
    const { email, id } = await subscribed();
    await deleteSubscriber(owner(), id);
    expect([await left(email), await db.$count(members)]).toEqual([0, 1]);
  });

  test("but not by the link in a letter, which others may have: it deletes the subscription only", async () => {
    const { email, id, member } = await subscribed();
    const session = {
      id: "hash",
      memberId: member,
      userAgent: "",
      createdAt: new Date(),
      seenAt: new Date(),
    };
    await db.insert(memberSessions).values(session);
    const token = await signUnsubscribe(jobContext(), { id });
    await forgetSubscriber(visitorContext(), { token });
    expect(await db.$count(subscribers, eq(subscribers.email, email))).toBe(0);
    expect(await left(email)).toBe(1);
    expect(await db.$count(memberSessions, eq(memberSessions.memberId, member))).toBe(1);
  });

  test("and is not brought back by an older copy", async () => {
    const { email, member } = await subscribed();
    const [row] = await db.select().from(members).where(eq(members.id, member));
    await deletePerson(owner(), { email });
    const noted = await db
      .select()
      .from(erased)
      .where(sql`kind = 'members' and item = ${String(member)}`);
    expect(noted).toHaveLength(1);
    await db.insert(members).values(row!);
    await applyErased(jobContext(), [{ kind: "members", item: String(member), erasedAt: Date.now() }]);
    expect(await left(email)).toBe(0);
  });
});
