import { eq, sql } from "drizzle-orm";
import { beforeAll, beforeEach, describe, expect, it, test } from "vitest";
import { memberCookieOf, sessionCookieOf } from "#worker/accounts/cookie.ts";
import { adminApi } from "#worker/api.ts";
import { handlers } from "#worker/jobs.ts";
import {
  chooseLetters,
  deleteAccount,
  exportAccount,
  requestSignIn,
  signInMember,
  signOutEverywhere,
} from "#worker/members/account/commands.ts";
import { memberApi } from "#worker/members/account/api.ts";
import { readAccount, readSignIn } from "#worker/members/account/queries.ts";
import { EXPIRED_SIGN_IN, INVALID_SIGN_IN, SIGN_IN_SENT } from "#worker/members/contract.ts";
import { MOST_DEVICES, pruneMemberSessions } from "#worker/members/sessions.ts";
import { memberSessions, members } from "#worker/members/table.ts";
import { deleteMember, endMember } from "#worker/members/owner-commands.ts";
import type { Mail } from "#worker/mail/message.ts";
import { subscribe } from "#worker/newsletter/commands.ts";
import { ACCOUNT_CONSENT, JOINED_TOO_OFTEN } from "#worker/newsletter/contract.ts";
import { createSubscriber } from "#worker/newsletter/owner-commands.ts";
import { subscribers } from "#worker/newsletter/table.ts";
import { deletePerson } from "#worker/people/commands.ts";
import { deliverOutbox } from "#worker/platform/work/outbox.ts";
import { outbox } from "#worker/platform/table.ts";
import { signLink } from "#worker/platform/http/signed.ts";
import { updateSite } from "#worker/settings/commands.ts";
import { siteDefaults } from "#worker/settings/contract.ts";
import { fetchSite, jobContext, ownerContext, signedIn, SITE } from "./support/client.ts";
import { aMember, aSignedInMember, linkFor, setAccounts } from "./support/members.ts";
import { household, jobs, setStatus, visitorContext } from "./support/newsletter.ts";
import { aComment, anAddress, anEnquiry } from "./support/people.ts";
import { forgetRates } from "./support/rates.ts";

const { db } = jobContext();
const MINUTE = 60_000;
const DAY = 86_400_000;
const later = (milliseconds: number) => visitorContext({ now: new Date(Date.now() + milliseconds) });
const cookieName = memberCookieOf(SITE).name;

beforeAll(() => setAccounts(true));
beforeEach(forgetRates);

const send = (
  path: string,
  { method = "GET", cookie = "", body }: { method?: string; cookie?: string; body?: unknown } = {},
) =>
  fetchSite(`/api/member${path}`, {
    method,
    headers: {
      ...(cookie && { Cookie: cookie }),
      ...(body !== undefined && { "Content-Type": "application/json" }),
      "CF-Connecting-IP": household(),
    },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  });

const accountOf = async (cookie: string) =>
  ((await (await send("", { cookie })).json()) as { account: { email: string } | null }).account;

describe("the link that signs a member in", () => {
  it("is mailed to members, also former ones, and to no other address", async () => {
    const { email, id } = await aMember();
    await endMember(ownerContext(), id);
    const stranger = anAddress();
    const token = await linkFor(email);
    expect(await readSignIn(visitorContext(), token)).toEqual({ state: "ready", email });
    await expect(linkFor(stranger)).rejects.toThrow();
    expect(await db.$count(outbox, sql`${outbox.payload} ->> '$.to' = ${stranger}`)).toBe(0);
  });

  it("is asked for with the same answer and the same work, whether the address is a member's or not", async () => {
    const { email } = await aMember();
    const answers: { status: number; headers: Record<string, string>; body: unknown }[] = [];
    for (const address of [email, anAddress()]) {
      const answer = await send("/sign-in", { method: "POST", body: { email: address } });
      const { date: _, ...headers } = Object.fromEntries(answer.headers);
      answers.push({ status: answer.status, headers, body: await answer.json() });
    }
    const ids = ({ headers, ...answer }: (typeof answers)[number]) => ({
      ...answer,
      headers: Object.keys(headers),
    });
    expect(ids(answers[0]!)).toEqual(ids(answers[1]!));
    expect(answers[0]!.body).toEqual({ success: true, message: SIGN_IN_SENT });
    const work: unknown[] = [];
    for (const address of [email, anAddress()]) {
      const ctx = visitorContext();
      await requestSignIn(ctx, { email: address });
      work.push([ctx.d1.statements, ctx.d1.roundTrips, ctx.d1.rowsRead]);
    }
    expect(work[0]).toEqual(work[1]);
  });

  it("signs in once", async () => {
    const { email } = await aMember();
    const token = await linkFor(email);
    const session = await signInMember(visitorContext(), { token });
    expect((await readAccount(visitorContext(), session))?.email).toBe(email);
    await expect(signInMember(visitorContext(), { token })).rejects.toMatchObject({
      code: "invalid",
      message: INVALID_SIGN_IN,
    });
    expect(await readSignIn(visitorContext(), token)).toEqual({ state: "invalid", message: INVALID_SIGN_IN });
  });

  it("signs in once of two concurrent requests", async () => {
    const { email } = await aMember();
    const token = await linkFor(email);
    const both = await Promise.allSettled([1, 2].map(() => signInMember(visitorContext(), { token })));
    expect(both.map(({ status }) => status).toSorted()).toEqual(["fulfilled", "rejected"]);
  });

  it("works for 15 minutes", async () => {
    const { email } = await aMember();
    const token = await linkFor(email);
    const soon = later(14 * MINUTE);
    expect(await readSignIn(soon, token)).toMatchObject({ state: "ready" });
    const late = later(16 * MINUTE);
    expect(await readSignIn(late, token)).toEqual({ state: "invalid", message: EXPIRED_SIGN_IN });
    await expect(signInMember(late, { token })).rejects.toMatchObject({ message: EXPIRED_SIGN_IN });
  });

  it("is not used up by opening it, which mail scanners do", async () => {
    const { email } = await aMember();
    const token = await linkFor(email);
    for (let opened = 0; opened < 3; opened++) {
      const page = await fetchSite(`/account/sign-in?token=${token}`);
      expect(page.status).toBe(200);
      expect(page.headers.get("Cache-Control")).toBe("no-store");
      expect(page.headers.get("Set-Cookie")).toBeNull();
      expect(await page.text()).toContain(email);
    }
    await signInMember(visitorContext(), { token });
  });

  it("cannot be made of another link, nor be used as one", async () => {
    const { id, email } = await aMember();
    const [row] = await db.select().from(members).where(eq(members.id, id));
    const other = await signLink(
      jobContext(),
      { purpose: "verify-subscriber", subject: String(id), stamp: row!.stamp },
      600,
    );
    await expect(signInMember(visitorContext(), { token: other })).rejects.toMatchObject({ code: "invalid" });
    const token = await linkFor(email);
    const verify = await fetchSite("/api/newsletter/verify", {
      method: "POST",
      headers: { "Content-Type": "application/json", "CF-Connecting-IP": household() },
      body: JSON.stringify({ token }),
    });
    expect(verify.status).toBe(422);
  });

  it("is limited for each mailbox and each network address", async () => {
    const { email } = await aMember();
    const from = (address: string) =>
      visitorContext({ client: { address, userAgent: "", country: undefined } });
    for (let network = 1; network <= 6; network++)
      for (let count = 0; count < 5; count++) await requestSignIn(from(`198.51.100.${network}`), { email });
    await expect(requestSignIn(from("198.51.100.7"), { email })).rejects.toMatchObject({ code: "too_many" });
    await forgetRates();
    const one = from("192.0.2.7");
    for (let count = 0; count < 30; count++) await requestSignIn(one, { email: anAddress() });
    await expect(requestSignIn(one, { email: anAddress() })).rejects.toMatchObject({ code: "too_many" });
  });

  it("cannot be kept from a member by a stranger who uses up the limit of their own address", async () => {
    const { email } = await aMember();
    const from = (address: string) =>
      visitorContext({ client: { address, userAgent: "", country: undefined } });
    const stranger = from("192.0.2.7");
    for (let count = 0; count < 5; count++) await requestSignIn(stranger, { email });
    for (let count = 0; count < 40; count++)
      await expect(requestSignIn(stranger, { email })).rejects.toMatchObject({ code: "too_many" });
    await requestSignIn(from("198.51.100.9"), { email });
  });

  it("is mailed once if the handler runs again, and is not shown in the owner's list of emails", async () => {
    const { email } = await aMember();
    const ctx = visitorContext();
    await requestSignIn(ctx, { email });
    const [request] = await db
      .select({ id: outbox.id })
      .from(outbox)
      .where(sql`topic = 'member-sign-in' and payload ->> 'email' = ${email}`);
    for (let run = 0; run < 2; run++) {
      await db.update(outbox).set({ doneAt: null, claimedUntil: null }).where(eq(outbox.id, request!.id));
      await deliverOutbox(jobContext({ jobs }), request!.id, handlers);
    }
    const mails = await db
      .select({ payload: outbox.payload })
      .from(outbox)
      .where(sql`${outbox.payload} ->> '$.to' = ${email}`);
    expect(mails).toHaveLength(1);
    expect(mails[0]!.payload as Mail).toMatchObject({
      isKey: true,
      subject: expect.stringMatching(/^Sign in to /),
    });
  });
});

describe("a member's session", () => {
  it("is a cookie of its own, which the form sets", async () => {
    const { email } = await aMember();
    const answer = await send("/session", { method: "POST", body: { token: await linkFor(email) } });
    expect(answer.status).toBe(200);
    const [cookie] = answer.headers.getSetCookie();
    expect(cookie).toMatch(
      new RegExp(`^${cookieName}=[\\w-]{43}; Max-Age=15552000; Path=/; HttpOnly; SameSite=Lax$`),
    );
    expect((await accountOf(cookie!.split(";")[0]!))?.email).toBe(email);
  });

  it("is set for a browser whose form was sent before its scripts had loaded, which is led to the account", async () => {
    const { email } = await aMember();
    const fields = { form: "link", token: await linkFor(email) };
    const answer = await fetchSite("/api/member/session", {
      method: "POST",
      headers: {
        "Content-Type": "application/x-www-form-urlencoded",
        "Sec-Fetch-Site": "same-origin",
        "CF-Connecting-IP": household(),
      },
      body: new URLSearchParams(fields).toString(),
    });
    expect([answer.status, answer.headers.get("Location")]).toEqual([303, "/account"]);
    expect((await accountOf(answer.headers.getSetCookie()[0]!.split(";")[0]!))?.email).toBe(email);
  });

  it("is stored as a hash", async () => {
    const { token } = await aSignedInMember();
    expect(JSON.stringify(await db.select().from(memberSessions))).not.toContain(token);
  });

  it("is one for each browser: signing in again ends the former one", async () => {
    const { email, token, id } = await aSignedInMember();
    const next = await signInMember(visitorContext(), { token: await linkFor(email) }, token);
    expect(await readAccount(visitorContext(), token)).toBeNull();
    expect(await readAccount(visitorContext(), next)).not.toBeNull();
    const other = await signInMember(visitorContext(), { token: await linkFor(email) });
    expect(await readAccount(visitorContext(), other)).toMatchObject({ devices: [{ isCurrent: true }, {}] });
    expect(await db.$count(memberSessions, eq(memberSessions.memberId, id))).toBe(2);
  });

  it("of a failed sign-in does not end the former one", async () => {
    const { token } = await aSignedInMember();
    const { email } = await aMember();
    const used = await linkFor(email);
    await signInMember(visitorContext(), { token: used });
    await expect(signInMember(visitorContext(), { token: used }, token)).rejects.toThrow();
    expect(await readAccount(visitorContext(), token)).not.toBeNull();
  });

  it("ends in one browser, in another one, and everywhere", async () => {
    const { email, cookie } = await aSignedInMember();
    const second = await signInMember(visitorContext(), { token: await linkFor(email) });
    const third = await signInMember(visitorContext(), { token: await linkFor(email) });
    const account = await readAccount(visitorContext(), third);
    const [other] = account!.devices.filter(({ isCurrent }) => !isCurrent);
    const inThird = `${cookieName}=${third}`;
    expect((await send(`/sessions/${other!.id}`, { method: "DELETE", cookie: inThird })).status).toBe(204);
    expect((await send(`/sessions/${other!.id}`, { method: "DELETE", cookie: inThird })).status).toBe(404);
    expect((await readAccount(visitorContext(), third))!.devices).toHaveLength(2);
    const out = await send("/session", { method: "DELETE", cookie: inThird });
    expect([out.status, out.headers.getSetCookie()[0]]).toEqual([204, expect.stringContaining("Max-Age=0")]);
    expect(await readAccount(visitorContext(), third)).toBeNull();
    const left = (await accountOf(cookie)) ? cookie : `${cookieName}=${second}`;
    const fourth = await signInMember(visitorContext(), { token: await linkFor(email) });
    expect((await send("/sessions", { method: "DELETE", cookie: left })).status).toBe(204);
    for (const each of [left, `${cookieName}=${fourth}`]) expect(await accountOf(each)).toBeNull();
  });

  it("does not begin by a link that was mailed before signing out everywhere", async () => {
    const { email, token, id } = await aSignedInMember();
    const other = await aSignedInMember();
    const [link, others] = [await linkFor(email), await linkFor(other.email)];
    await signOutEverywhere(visitorContext(), token);
    expect(await readSignIn(visitorContext(), link)).toEqual({ state: "invalid", message: INVALID_SIGN_IN });
    await expect(signInMember(visitorContext(), { token: link })).rejects.toMatchObject({ code: "invalid" });
    expect(await db.$count(memberSessions, eq(memberSessions.memberId, id))).toBe(0);
    await signInMember(visitorContext(), { token: others });
    await signInMember(visitorContext(), { token: await linkFor(email) });
  });

  it("of another member cannot be ended", async () => {
    const { id, token } = await aSignedInMember();
    const other = await aSignedInMember();
    const [session] = await db.select().from(memberSessions).where(eq(memberSessions.memberId, id));
    const answer = await send(`/sessions/${session!.id}`, { method: "DELETE", cookie: other.cookie });
    expect(answer.status).toBe(404);
    await signOutEverywhere(visitorContext(), other.token);
    expect(await readAccount(visitorContext(), token)).not.toBeNull();
  });

  it("expires after 60 days without use, and after 180 days", async () => {
    const { token } = await aSignedInMember();
    expect(await readAccount(later(61 * DAY), token)).toBeNull();
    for (const day of [50, 100, 150, 179]) {
      const waits: Promise<unknown>[] = [];
      const now = new Date(Date.now() + day * DAY);
      expect(
        await readAccount(visitorContext({ now, later: (work) => void waits.push(work) }), token),
      ).not.toBeNull();
      await Promise.all(waits);
    }
    expect(await readAccount(later(181 * DAY), token)).toBeNull();
    await pruneMemberSessions(later(181 * DAY));
    expect(await db.$count(memberSessions)).toBe(0);
  });

  it(`is one of at most ${MOST_DEVICES} of a member`, async () => {
    const { email, token, id } = await aSignedInMember();
    for (let device = 1; device <= MOST_DEVICES; device++) {
      await forgetRates();
      const now = new Date(Date.now() + device * MINUTE);
      await signInMember(visitorContext({ now }), { token: await linkFor(email, now) });
    }
    expect(await db.$count(memberSessions, eq(memberSessions.memberId, id))).toBe(MOST_DEVICES);
    expect(await readAccount(visitorContext(), token)).toBeNull();
  }, 60_000);

  it("ends with the member", async () => {
    const [first, second] = [await aSignedInMember(), await aSignedInMember()];
    await deleteMember(ownerContext(), first.id);
    await deletePerson(ownerContext(), { email: second.email });
    for (const { cookie } of [first, second]) expect(await accountOf(cookie)).toBeNull();
    const left = sql`${memberSessions.memberId} in (${first.id}, ${second.id})`;
    expect(await db.$count(memberSessions, left)).toBe(0);
  });
});

describe("a member and a user of the admin area", () => {
  const routes = [
    ...new Map(
      adminApi.routes
        .filter(({ method }) => method !== "ALL")
        .map(({ method, path }) => [
          `${method} ${path}`,
          { method, path: path.replaceAll(/:\w+(\{[^}]*\})?/g, "1") },
        ]),
    ),
  ];
  let token: string;
  let admin: string;
  beforeAll(async () => {
    await setAccounts(true);
    ({ token } = await aSignedInMember());
    admin = (await signedIn("super_admin")).cookie.split("=").slice(1).join("=");
  });

  it("have different cookies", () => {
    for (const url of ["https://site.example/", SITE])
      expect(memberCookieOf(url).name).not.toBe(sessionCookieOf(url).name);
    expect(memberCookieOf("https://site.example/").name).toBe("__Host-member");
  });

  const open =
    /\/(?:session|session\/\w+|not-me|setup|verification|verification\/confirm|password-reset|password-reset\/confirm|invitation\/confirm)$/;

  test.each(routes)("%s refuses a member's token", async (_name, { method, path }) => {
    expect(routes.length).toBeGreaterThan(200);
    const ask = (cookie: string) =>
      fetchSite(`/api/admin${path}`, {
        method,
        headers: { Cookie: cookie, "CF-Connecting-IP": household(), "Content-Type": "application/json" },
        ...(method !== "GET" && { body: "{}" }),
      });
    const none = await ask("other=1");
    for (const name of [cookieName, sessionCookieOf(SITE).name]) {
      const answer = await ask(`${name}=${token}`);
      expect(answer.status).toBe(none.status);
      if (!open.test(path)) expect(answer.status).toBe(401);
      expect(answer.status).not.toBe(500);
    }
  });

  // Joining is open to visitors.
  const own = memberApi.routes
    .filter(({ method, path }) => method !== "ALL" && !/^\/(?:sign-in|session|checkout)(?:\/|$)/.test(path))
    .map(
      ({ method, path }) =>
        [`${method} /api/member${path}`, { method, path: path.replace(":id", "1") }] as const,
    );

  test.each(own)("%s refuses a user's token", async (_name, { method, path }) => {
    for (const cookie of [`${cookieName}=${admin}`, `${sessionCookieOf(SITE).name}=${admin}`]) {
      const body = ["PUT", "POST", "PATCH"].includes(method) ? { wanted: true } : undefined;
      const answer = await send(path === "/" ? "" : path, { method, cookie, body });
      if (method === "GET" && path === "/")
        expect(await answer.json()).toEqual({ account: null, offers: [] });
      else expect(answer.status).toBe(401);
    }
  });

  test("every answer of /api/member is private, and stored by no cache", async () => {
    const asked = memberApi.routes.filter(({ method }) => method !== "ALL");
    expect(asked.length).toBeGreaterThan(7);
    const { cookie } = await aSignedInMember();
    for (const { method, path } of asked) {
      for (const sent of [cookie, ""]) {
        const answer = await send(path.replace(":id", "1").replace(/\/$/, ""), {
          method,
          cookie: sent,
          ...(["POST", "PUT", "PATCH"].includes(method) && { body: {} }),
        });
        expect([path, answer.headers.get("Cache-Control")]).toEqual([path, "private, no-store"]);
        await answer.text();
      }
    }
  });
});

describe("the account", () => {
  it("has the membership with its tier's words, and the letters", async () => {
    const { token, email, tier } = await aSignedInMember({ since: 1000, until: 2000 });
    expect(await readAccount(visitorContext(), token)).toEqual({
      email,
      membership: {
        tier,
        source: "by-hand",
        since: 1000,
        until: 2000,
        state: "ended",
        description: "",
        price: "",
      },
      letters: { state: "off", consent: ACCOUNT_CONSENT, offer: null },
      passkeys: { items: [], rpId: "localhost", userHandle: expect.any(String), mayChange: true },
      feed: null,
      devices: [
        { id: expect.any(String), device: expect.any(String), isCurrent: true, seenAt: expect.any(Number) },
      ],
    });
  });

  it("subscribes to letters with a consent, and unsubscribes", async () => {
    const { token, email } = await aSignedInMember();
    await chooseLetters(visitorContext(), token, { wanted: true });
    const [row] = await db.select().from(subscribers).where(eq(subscribers.email, email));
    expect(row).toMatchObject({
      state: "confirmed",
      source: "account",
      consent: ACCOUNT_CONSENT,
    });
    expect((await readAccount(visitorContext(), token))!.letters).toEqual({
      state: "on",
      consent: null,
      offer: { topics: [], chosen: null },
    });
    await chooseLetters(visitorContext(), token, { wanted: false });
    expect((await readAccount(visitorContext(), token))!.letters).toEqual({
      state: "off",
      consent: ACCOUNT_CONSENT,
      offer: null,
    });
    await chooseLetters(visitorContext(), token, { wanted: true });
    expect((await readAccount(visitorContext(), token))!.letters.state).toBe("on");
  });

  it("subscribes at most three times an hour, since each may send the welcome; leaving is never limited", async () => {
    const newsletter = {
      ...siteDefaults.newsletter,
      welcomeSubject: "Good to have you",
      welcomeText: "Hello.",
    };
    await updateSite(ownerContext(), { newsletter });
    const { token, cookie, email } = await aSignedInMember();
    // The limit of the public form, which a stranger can use up, is another.
    for (let count = 0; count < 3; count++)
      await subscribe(visitorContext({ jobs }), { email, source: "footer" });
    const choose = (wanted: boolean) => send("/letters", { method: "PUT", cookie, body: { wanted } });
    for (let count = 0; count < 3; count++) {
      expect((await choose(true)).status).toBe(204);
      expect((await choose(false)).status).toBe(204);
    }
    const refused = await choose(true);
    expect([refused.status, Number(refused.headers.get("Retry-After")) > 0]).toEqual([429, true]);
    expect(await refused.json()).toMatchObject({ error: { message: JOINED_TOO_OFTEN } });
    for (let count = 0; count < 5; count++) expect((await choose(false)).status).toBe(204);
    expect((await readAccount(visitorContext(), token))!.letters.state).toBe("off");
    const isWelcome = sql`${outbox.payload} ->> '$.to' = ${email} and ${outbox.payload} ->> '$.subject' = 'Good to have you'`;
    expect(await db.$count(outbox, isWelcome)).toBe(3);
    await updateSite(ownerContext(), { newsletter: siteDefaults.newsletter });
  });

  it("never subscribes an address that marked a letter as spam", async () => {
    const { token, email } = await aSignedInMember();
    await createSubscriber(ownerContext(), { email, consent: "On paper.", ask: false });
    await setStatus(email, "complained");
    expect((await readAccount(visitorContext(), token))!.letters).toEqual({
      state: "blocked",
      consent: null,
      offer: null,
    });
    await chooseLetters(visitorContext(), token, { wanted: true });
    expect((await readAccount(visitorContext(), token))!.letters.state).toBe("blocked");
  });

  it("gives its data as a file, without what the owner noted", async () => {
    const { token, email } = await aSignedInMember();
    await createSubscriber(ownerContext(), { email, consent: "On paper.", ask: false });
    await aComment({ email, text: "A comment." });
    await anEnquiry({ email, notes: "A difficult person." });
    const text = await new Response(await exportAccount(visitorContext(), token)).text();
    const { records } = JSON.parse(text) as { records: { kind: string }[] };
    expect(records.map(({ kind }) => kind)).toEqual(["membership", "subscription", "comments"]);
    expect(text).not.toContain("difficult");
    expect(text).not.toContain("stamp");
    const answer = await send("/data", { cookie: `${cookieName}=${token}` });
    expect(answer.headers.get("Content-Disposition")).toMatch(
      /^attachment; filename="account-\d{4}-\d\d-\d\d\.json"$/,
    );
    await answer.text();
  });

  it("is deleted with its sessions and the subscription, and not another member's", async () => {
    const { token, email, cookie } = await aSignedInMember();
    const other = await aSignedInMember();
    await createSubscriber(ownerContext(), { email, consent: "On paper.", ask: false });
    await aComment({ email });
    await deleteAccount(visitorContext(), token);
    expect(await accountOf(cookie)).toBeNull();
    expect(await db.$count(members, eq(members.email, email))).toBe(0);
    expect(await db.$count(subscribers, eq(subscribers.email, email))).toBe(0);
    expect(await accountOf(other.cookie)).not.toBeNull();
    const erased = sql`(select count(*) from erased where kind in ('members', 'subscribers'))`;
    expect((await db.get<{ count: number }>(sql`select ${erased} as count`)).count).toBeGreaterThan(1);
  });

  it("is nowhere while it is switched off", async () => {
    const { cookie } = await aSignedInMember();
    const { email } = await aMember();
    const token = await linkFor(email);
    await setAccounts(false);
    for (const path of ["/account", `/account/sign-in?token=${token}`])
      expect((await fetchSite(path)).status).toBe(404);
    expect(await (await fetchSite("/")).text()).not.toContain('href="/account"');
    const asked = [
      send("", { cookie }),
      send("/data", { cookie }),
      send("/sign-in", { method: "POST", body: { email } }),
      send("/session", { method: "POST", body: { token } }),
      send("", { method: "DELETE", cookie }),
    ];
    for (const answer of await Promise.all(asked)) expect(answer.status).toBe(404);
    await setAccounts(true);
    expect(await (await fetchSite("/")).text()).toContain('href="/account"');
    expect(await accountOf(cookie)).not.toBeNull();
  });
});
