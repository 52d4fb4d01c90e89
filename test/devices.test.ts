import { env } from "cloudflare:workers";
import { desc, eq } from "drizzle-orm";
import { describe, expect, it } from "vitest";
import { changePassword } from "#worker/accounts/account-commands.ts";
import type { SecurityEvent } from "#worker/accounts/contract.ts";
import { deviceOf, listSecurityEvents, listSessions } from "#worker/accounts/queries.ts";
import { eventRow } from "#worker/accounts/audit-log.ts";
import { chainEntries, pruneEvents } from "#worker/accounts/log-chain.ts";
import { logIn } from "#worker/accounts/session-commands.ts";
import { actorOf } from "#worker/accounts/sessions.ts";
import { logChain, securityEvents, users } from "#worker/accounts/table.ts";
import { createUser } from "#worker/accounts/user-commands.ts";
import {
  addUser,
  at,
  CHOSEN,
  DAY,
  elsewhere,
  errorOf,
  mailsTo,
  PASSWORD,
  rejectionOf,
  send,
  signedInAs,
} from "./support/accounts.ts";
import { cookieFor, jobContext, openSession, ownerContext, visitorContext } from "./support/client.ts";
import { holdClock } from "./support/clock.ts";

const FIREFOX = "Mozilla/5.0 (Windows NT 10.0; Win64; x64; rv:140.0) Gecko/20100101 Firefox/140.0";
const MINUTE = 60_000;
const db = jobContext().db;

const tokenOf = (cookie: string) => cookie.split("=").slice(1).join("=");
const isOpen = async (cookie: string) =>
  (await send("GET", "/session", undefined, { Cookie: cookie })).status === 200;

type Devices = { items: { id: string; isCurrent: boolean; device: string; address: string }[] };
const devicesOf = async (cookie: string, headers: Record<string, string> = {}) =>
  ((await (await send("GET", "/sessions", undefined, { Cookie: cookie, ...headers })).json()) as Devices)
    .items;

/** Sends the first request of a session, which writes its record. */
async function use(cookie: string, headers?: Record<string, string>) {
  const records = async () => (await env.KV.list({ prefix: "session:" })).keys.length;
  const before = await records();
  await devicesOf(cookie, headers);
  await expect.poll(records).toBe(before + 1);
}

async function signIn(email: string, headers: Record<string, string> = {}) {
  const response = await send("POST", "/session", { email, password: PASSWORD }, headers);
  return response.headers.get("Set-Cookie")?.split(";")[0] ?? "";
}

describe("signed-in devices", () => {
  it("are listed with browser and address, with this one marked", async () => {
    const { email } = await addUser();
    const atHome = { "User-Agent": FIREFOX, "CF-Connecting-IP": "203.0.113.5" };
    const away = { "User-Agent": "", "CF-Connecting-IP": "2001:db8:9:9::1" };
    const laptop = await signIn(email, atHome);
    const phone = await signIn(email, away);
    await use(laptop, atHome);
    const list = await devicesOf(phone, away);
    expect(list.map(({ isCurrent, device, address }) => ({ isCurrent, device, address }))).toEqual([
      { isCurrent: true, device: "Unknown device", address: "2001:db8:9:9::/64" },
      { isCurrent: false, device: "Firefox on Windows", address: "203.0.113.5" },
    ]);
    expect(JSON.stringify(list)).not.toContain(tokenOf(laptop));
  });

  it("are the person's own, and only those that still open something", async () => {
    const [me, other] = [await addUser(), await addUser()];
    const cookie = await cookieFor(me);
    await cookieFor(other);
    await openSession(at(Date.now() - 15 * DAY), me);
    await openSession(visitorContext(), { id: me.id, stamp: "an earlier one" });
    expect(await devicesOf(cookie)).toHaveLength(1);
  });

  it("one can be signed out immediately", async () => {
    const me = await addUser();
    const [here, there] = [await cookieFor(me), await cookieFor(me)];
    await use(there);
    const other = (await devicesOf(here)).find(({ isCurrent }) => !isCurrent)!;
    expect((await send("DELETE", `/sessions/${other.id}`, undefined, { Cookie: here })).status).toBe(204);
    expect([await isOpen(here), await isOpen(there)]).toEqual([true, false]);
    expect((await send("DELETE", `/sessions/${other.id}`, undefined, { Cookie: here })).status).toBe(404);
  });

  it("another user's cannot be signed out", async () => {
    const [me, other] = [await addUser(), await addUser()];
    const theirs = await cookieFor(other);
    const [{ id } = { id: "" }] = await devicesOf(theirs);
    const response = await send("DELETE", `/sessions/${id}`, undefined, { Cookie: await cookieFor(me) });
    expect(response.status).toBe(404);
    expect(await isOpen(theirs)).toBe(true);
  });

  it("all others can be signed out together", async () => {
    const [me, other] = [await addUser(), await addUser()];
    const mine = [await cookieFor(me), await cookieFor(me), await cookieFor(me)];
    const theirs = await cookieFor(other);
    expect((await send("DELETE", "/sessions", undefined, { Cookie: mine[1]! })).status).toBe(204);
    expect(await Promise.all([...mine, theirs].map(isOpen))).toEqual([false, true, false, true]);
  });

  it("have the moment of the request as the last use of the one that asks", async () => {
    const user = await addUser();
    const mine = await openSession(visitorContext(), user);
    await use(await cookieFor(user));
    const soon = Date.now() + 3 * MINUTE;
    const { items } = await listSessions({ ...at(soon), actor: await actorOf(at(soon), mine) });
    expect(items[0]).toMatchObject({ isCurrent: true, seenAt: soon });
    expect(items[1]).toMatchObject({ isCurrent: false });
    expect(items[1]!.seenAt).toBeLessThan(soon);
  });

  it.each([
    [FIREFOX, "Firefox on Windows"],
    [
      "Mozilla/5.0 (iPhone; CPU iPhone OS 18_5 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.5 Mobile/15E148 Safari/604.1",
      "Safari on iOS",
    ],
    [
      "Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/138.0.0.0 Safari/537.36",
      "Chrome on macOS",
    ],
    ["<script>alert(1)</script>", "A program"],
    ["", "Unknown device"],
  ])("%j is %s", (userAgent, device) => {
    expect(deviceOf(userAgent)).toBe(device);
  });
});

describe("a change of the user's own password", () => {
  it("asks for the current one, ends every other session, and continues here in a new one", async () => {
    const me = await addUser();
    const [here, there] = [await cookieFor(me), await cookieFor(me)];
    const body = { currentPassword: PASSWORD, password: CHOSEN };
    const response = await send("POST", "/account/password", body, { Cookie: here });
    expect(response.status).toBe(200);
    const fresh = response.headers.get("Set-Cookie")?.split(";")[0] ?? "";
    expect(await Promise.all([here, there, fresh].map(isOpen))).toEqual([false, false, true]);
    await logIn(elsewhere(), { email: me.email, password: CHOSEN });
    expect((await mailsTo(me.email)).at(-1)?.subject).toContain("was changed");
  });

  it("is refused with a wrong present password, whose guesses are counted", async () => {
    // The sixth request arrives within its second of waiting.
    holdClock();
    const me = await addUser();
    const Cookie = await cookieFor(me);
    const body = { currentPassword: "wrong", password: CHOSEN };
    const first = await send("POST", "/account/password", body, { Cookie });
    expect(first.status).toBe(422);
    expect(await errorOf(first)).toEqual({
      code: "invalid",
      field: "currentPassword",
      message: "This isn’t your current password.",
    });
    for (let n = 0; n < 4; n++) await send("POST", "/account/password", body, { Cookie });
    const sixth = await send("POST", "/account/password", { ...body, currentPassword: PASSWORD }, { Cookie });
    expect(sixth.status).toBe(429);
    expect(sixth.headers.get("Retry-After")).toMatch(/^\d+$/);
    expect(await isOpen(Cookie)).toBe(true);
  });

  it("does not count a guess when the new password is invalid", async () => {
    const Cookie = await cookieFor(await addUser());
    const body = { currentPassword: PASSWORD, password: "Password1" };
    for (let n = 0; n < 7; n++) {
      expect((await send("POST", "/account/password", body, { Cookie })).status).toBe(422);
    }
    const right = { currentPassword: PASSWORD, password: CHOSEN };
    expect((await send("POST", "/account/password", right, { Cookie })).status).toBe(200);
  });

  it("is refused beside its field if the new one breaks a rule", async () => {
    const Cookie = await cookieFor(await addUser());
    const body = { currentPassword: PASSWORD, password: "lowercase1" };
    const response = await send("POST", "/account/password", body, { Cookie });
    expect(await errorOf(response)).toMatchObject({
      field: "password",
      message: "Password must contain at least one uppercase letter",
    });
  });

  it("twice at the same moment is one", async () => {
    const me = await addUser();
    const ctx = signedInAs(me, { client: { address: "203.0.113.9", userAgent: "" } });
    const both = await Promise.allSettled(
      [CHOSEN, "Another choice 8"].map((password) =>
        changePassword(ctx, { currentPassword: PASSWORD, password }),
      ),
    );
    expect(both.map(({ status }) => status).toSorted()).toEqual(["fulfilled", "rejected"]);
  });
});

describe("the audit log", () => {
  const latest = async (email: string) =>
    db.select().from(securityEvents).where(eq(securityEvents.email, email)).orderBy(desc(securityEvents.id));

  it("records a login, a failed one and a logout, with their origin", async () => {
    const { email } = await addUser();
    const from = { "CF-Connecting-IP": "203.0.113.40", "User-Agent": FIREFOX };
    await send("POST", "/session", { email, password: "wrong" }, from);
    const Cookie = await signIn(email, from);
    await send("DELETE", "/session", undefined, { ...from, Cookie });
    const events = await latest(email);
    expect(events.map(({ kind }) => kind)).toEqual(["logout", "login", "login_failed"]);
    for (const event of events) {
      expect(event).toMatchObject({ address: "203.0.113.40", userAgent: FIREFOX, by: null });
    }
  });

  it("names the other user who made the change", async () => {
    const admin = await addUser({ role: "admin" });
    const { email } = await createUser(signedInAs(admin), {
      email: `${crypto.randomUUID()}@example.com`,
      fullName: "New",
      role: "editor",
    });
    expect((await latest(email))[0]).toMatchObject({
      kind: "user_invited",
      by: admin.email,
      detail: "editor",
    });
  });

  it("stores no password that was typed into the address field", async () => {
    await send("POST", "/session", { email: "my secret password", password: "x" });
    const [event] = await db.select().from(securityEvents).orderBy(desc(securityEvents.id)).limit(1);
    expect(event).toMatchObject({ kind: "login_failed", email: "(not an address)" });
  });

  it("outlives the user whom it is about", async () => {
    const user = await addUser();
    await signIn(user.email);
    await db.delete(users).where(eq(users.id, user.id));
    expect(await latest(user.email)).toHaveLength(1);
  });

  it("is listed newest first, in pages, for users with the settings capability", async () => {
    const mark = crypto.randomUUID();
    for (let n = 0; n < 55; n++) {
      await eventRow(jobContext(), { kind: "login_failed", email: `${mark}-${n}` });
    }
    const first = await listSecurityEvents(ownerContext());
    expect(first.items.map(({ email }) => email)).toEqual(
      Array.from({ length: 50 }, (_, n) => `${mark}-${54 - n}`),
    );
    const second = await listSecurityEvents(ownerContext(), { before: first.next ?? "" });
    expect(second.items.slice(0, 5).map(({ email }: SecurityEvent) => email)).toEqual(
      Array.from({ length: 5 }, (_, n) => `${mark}-${4 - n}`),
    );
    const editor = signedInAs(await addUser({ role: "editor" }));
    expect((await rejectionOf(listSecurityEvents(editor))).code).toBe("forbidden");
  });

  it("stores events for a year, and the addresses of strangers for 30 days", async () => {
    await db.delete(securityEvents);
    await db.delete(logChain);
    const email = crypto.randomUUID();
    const client = { address: "203.0.113.40", userAgent: FIREFOX };
    const past = (days: number) => jobContext({ now: new Date(Date.now() - days * DAY), client });
    for (const days of [370, 40, 10]) {
      await eventRow(past(days), { kind: "login_failed", email });
      await eventRow(past(days), { kind: "login", email });
    }
    await chainEntries(jobContext());
    await pruneEvents(jobContext());
    await pruneEvents(jobContext());
    expect(await db.$count(securityEvents)).toBe(4);
    expect((await latest(email)).map(({ kind }) => kind).toSorted()).toEqual([
      "login",
      "login",
      "login_failed",
    ]);
  });
});
