import { env } from "cloudflare:workers";
import { eq, sql } from "drizzle-orm";
import { describe, expect, it } from "vitest";
import { requireUser } from "#worker/access/capabilities.ts";
import { changePassword } from "#worker/accounts/account-commands.ts";
import { sessionCookieOf } from "#worker/accounts/cookie.ts";
import { confirmIdentity } from "#worker/accounts/identity-commands.ts";
import { listSessions } from "#worker/accounts/queries.ts";
import {
  deleteOtherSessions,
  deleteSession,
  logIn,
  logOut,
  pruneSessions,
} from "#worker/accounts/session-commands.ts";
import { decodeSessionToken } from "#worker/accounts/session-token.ts";
import {
  actorOf,
  authenticateSession,
  isStillOpen,
  readSessionOf,
  renewSession,
} from "#worker/accounts/sessions.ts";
import { endedSessions, sessions, users } from "#worker/accounts/table.ts";
import { deleteUser } from "#worker/accounts/user-commands.ts";
import type { Context } from "#worker/platform/context.ts";
import { randomToken, sha256 } from "#worker/platform/data/random.ts";
import { boundedKv } from "#worker/platform/data/bounded-kv.ts";
import { replacementOfKey } from "#worker/platform/http/signing-keys.ts";
import { signingKeys } from "#worker/platform/table.ts";
import { addUser, at, CHOSEN, DAY, elsewhere, later, PASSWORD, send, userOf } from "./support/accounts.ts";
import {
  cookieFor,
  fetchSite,
  jobContext,
  openSession,
  ownerContext,
  SITE,
  visitorContext,
} from "./support/client.ts";

/**
 * What a minute of delay in KV, or KV's absence, may not change (docs/decisions/0097-sessions-in-kv.md). The KV is the real
 * one; `behind` returns what another data centre may still have.
 */

const { name: NAME } = sessionCookieOf(SITE);
const { db } = jobContext();

const tokenIn = (response: Response) =>
  response.headers
    .getSetCookie()
    .map((cookie) => new RegExp(`^${NAME}=([^;]+)`).exec(cookie)?.[1])
    .findLast((token) => token !== undefined);
const cookieOf = (token: string) => `${NAME}=${token}`;
const idOf = (token: string) => decodeSessionToken(token)!.id;
const isOpen = async (token: string, ctx = visitorContext()) => (await actorOf(ctx, token)).kind === "user";
const whoIs = (token: string) => send("GET", "/session", undefined, { Cookie: cookieOf(token) });

/** The actor's context of a session, as the app makes it. */
const as = async (token: string, options: Partial<Context> = {}) => {
  const ctx = visitorContext(options);
  return { ...ctx, actor: await actorOf(ctx, token) };
};

/** Signs in and sends the first request, whose record is in KV afterwards. */
async function signedIn(user: { id: string; stamp: string }) {
  const ctx = visitorContext();
  const { session } = await readSessionOf(ctx, await openSession(ctx, user));
  const work: Promise<unknown>[] = [];
  const token = await renewSession({ ...ctx, later: (write) => void work.push(write) }, session!);
  await Promise.all(work);
  return token!;
}

const recordsOf = async (userId: string) => (await env.KV.list({ prefix: `session:${userId}:` })).keys;

/** A KV of another data centre, which has not heard of any change since. */
async function behind(userId: string) {
  const listed = await env.KV.list({ prefix: `session:${userId}:` });
  const records = new Map(
    await Promise.all(
      listed.keys.map(async ({ name }) => [name, await env.KV.getWithMetadata(name)] as const),
    ),
  );
  return {
    ...env.KV,
    list: async () => listed,
    getWithMetadata: async (name: string) => records.get(name) ?? { value: null, metadata: null },
    put: env.KV.put.bind(env.KV),
    delete: env.KV.delete.bind(env.KV),
  } as unknown as KVNamespace;
}

const failing = () => Promise.reject(new Error("KV is away"));
const hanging = () => new Promise<never>(() => undefined);
const kvOf = (answer: () => Promise<unknown>) =>
  boundedKv({
    get: answer,
    getWithMetadata: answer,
    put: answer,
    delete: answer,
    list: answer,
  } as unknown as KVNamespace);
const EMPTY = {
  get: async () => null,
  getWithMetadata: async () => ({ value: null, metadata: null }),
  put: async () => undefined,
  delete: async () => undefined,
  list: async () => ({ keys: [], list_complete: true }),
} as unknown as KVNamespace;

describe("the record of a session", () => {
  it("is written by the first request after the sign-in, with the device, and expires with the session", async () => {
    const { id, email } = await addUser();
    const headers = { "User-Agent": "", "CF-Connecting-IP": "203.0.113.77" };
    const token = tokenIn(await send("POST", "/session", { email, password: PASSWORD }, headers))!;
    expect(await recordsOf(id)).toEqual([]);
    const first = await send("GET", "/account", undefined, { Cookie: cookieOf(token), ...headers });
    const renewed = tokenIn(first)!;
    expect(idOf(renewed)).toBe(idOf(token));
    await expect.poll(() => recordsOf(id)).toHaveLength(1);
    const [record] = await recordsOf(id);
    expect(record!.metadata).toMatchObject({ address: "203.0.113.77", userAgent: "" });
    expect(record!.expiration! * 1000).toBeGreaterThan(Date.now() + 13.9 * DAY);
    expect(record!.expiration! * 1000).toBeLessThan(Date.now() + 14.1 * DAY);
    expect(JSON.stringify(record)).not.toContain(token);
  });

  it("is written once a day, and once by requests that arrive together", async () => {
    const user = await addUser();
    const token = await openSession(visitorContext(), user);
    let writes = 0;
    const kv = { put: async () => void writes++ } as unknown as KVNamespace;
    const renew = async (ctx: Context, current: string) => {
      const { session } = await readSessionOf(ctx, current);
      return renewSession({ ...ctx, kv }, session!);
    };
    const all = await Promise.all([1, 2, 3].map(() => renew(visitorContext(), token)));
    const [renewed] = all.filter((each) => each !== null);
    expect(writes).toBe(1);
    expect(await renew(later(DAY - 1000), renewed!)).toBeNull();
    expect(await renew(later(DAY + 1000), renewed!)).not.toBeNull();
    expect(writes).toBe(2);
  });

  it("costs a request of the admin area no operation of KV, and one statement", async () => {
    const token = await signedIn(await addUser());
    const ctx = visitorContext({ kv: kvOf(failing) });
    expect(await isOpen(token, ctx)).toBe(true);
    expect(ctx.d1.statements).toBe(1);
  });

  it("is written for a device whose name takes more bytes than characters", async () => {
    const user = await addUser();
    const ctx = visitorContext({ client: { address: "192.0.2.1", userAgent: "ล".repeat(400) } });
    const { session } = await readSessionOf(ctx, await openSession(ctx, user));
    const work: Promise<unknown>[] = [];
    await renewSession({ ...ctx, later: (write) => void work.push(write) }, session!);
    await Promise.all(work);
    const [record] = await recordsOf(user.id);
    expect(record!.metadata).toMatchObject({ userAgent: "ล".repeat(133) });
  });

  it("is set in answers of the admin area only, which no cache stores", async () => {
    const token = await openSession(visitorContext(), await addUser());
    const page = await fetchSite("/robots.txt", { headers: { Cookie: cookieOf(token) } });
    expect(page.status).toBe(200);
    expect(page.headers.getSetCookie()).toEqual([]);
    const api = await whoIs(token);
    expect(tokenIn(api)).toBeDefined();
    expect(api.headers.get("Cache-Control")).toBe("no-store");
  });
});

describe("signing out", () => {
  it("ends a session immediately, while another data centre still has its record", async () => {
    const user = await addUser();
    const [here, there] = [await signedIn(user), await signedIn(user)];
    const kv = await behind(user.id);
    await deleteSession(await as(here), idOf(there));
    expect(await isOpen(there, visitorContext({ kv }))).toBe(false);
    const { items } = await listSessions(await as(here, { kv }));
    expect(items.map(({ id }) => id)).toEqual([idOf(here)]);
    await expect(deleteSession(await as(here, { kv }), idOf(there))).rejects.toMatchObject({
      code: "not_found",
    });
  });

  it("ends a copy of the cookie, also one that was renewed in the same moment", async () => {
    const user = await addUser();
    const token = await openSession(visitorContext(), user);
    const renewed = await signedIn(user);
    await logOut(await as(token), token);
    await logOut(await as(renewed), renewed);
    expect([await isOpen(token), await isOpen(renewed)]).toEqual([false, false]);
    await expect.poll(() => recordsOf(user.id)).toEqual([]);
  });

  it("answers an id that is longer than KV’s keys with 404", async () => {
    const Cookie = cookieOf(await openSession(visitorContext(), await addUser()));
    for (const id of ["a".repeat(500), encodeURIComponent("ล".repeat(100))])
      expect((await send("DELETE", `/sessions/${id}`, undefined, { Cookie })).status).toBe(404);
  });

  it("works while KV throws or hangs", async () => {
    const user = await addUser();
    for (const answer of [failing, hanging]) {
      const [here, there] = [await signedIn(user), await signedIn(user)];
      const kv = kvOf(answer);
      await deleteSession(await as(here, { kv }), idOf(there));
      expect([await isOpen(here), await isOpen(there)]).toEqual([true, false]);
      await logOut(await as(here, { kv }), here);
      expect(await isOpen(here)).toBe(false);
    }
  });

  it("ends all other devices, also those that KV does not list yet", async () => {
    const user = await addUser();
    const [here, there] = [await signedIn(user), await openSession(visitorContext(), user)];
    await deleteOtherSessions(await as(here, { kv: EMPTY }));
    expect([await isOpen(here), await isOpen(there)]).toEqual([true, false]);
    await new Promise((resolve) => setTimeout(resolve, 5));
    const after = await openSession(visitorContext(), user);
    expect(await isOpen(after)).toBe(true);
    // From the new device: the one that remained before ends.
    await deleteOtherSessions(await as(after));
    expect([await isOpen(here), await isOpen(after)]).toEqual([false, true]);
  });

  it("is remembered until no token of the session works, and no longer", async () => {
    const user = await addUser();
    const token = await signedIn(user);
    await logOut(await as(token), token);
    const rows = () => db.$count(endedSessions, eq(endedSessions.userId, user.id));
    await pruneSessions(later(13.9 * DAY));
    expect(await rows()).toBe(1);
    await pruneSessions(later(14.1 * DAY));
    expect(await rows()).toBe(0);
    expect(await isOpen(token, later(14.1 * DAY))).toBe(false);
  });
});

describe("sessions", () => {
  it.each([
    ["throws", kvOf(failing)],
    ["hangs", kvOf(hanging)],
    ["is empty", EMPTY],
  ])("are opened and stay open while KV %s", async (_, kv) => {
    const { email } = await addUser();
    const { token } = await logIn({ ...elsewhere(), kv }, { email, password: PASSWORD });
    const ctx = visitorContext({ kv });
    const { session } = await readSessionOf(ctx, token!);
    const work: Promise<unknown>[] = [];
    const renewed = await renewSession({ ...ctx, later: (write) => void work.push(write) }, session!);
    await Promise.all(work);
    expect(await isOpen(renewed!, ctx)).toBe(true);
    const list = await listSessions(await as(renewed!, { kv }));
    expect(list.items).toMatchObject([{ isCurrent: true }]);
    expect(list.isIncomplete).toBe(kv !== EMPTY);
  });

  it("of two sign-ins at the same time are two", async () => {
    const { id, email } = await addUser();
    const [one, two] = await Promise.all(
      [1, 2].map(async () => (await logIn(elsewhere(), { email, password: PASSWORD })).token),
    );
    await Promise.all([whoIs(one!), whoIs(two!)]);
    await expect.poll(() => recordsOf(id)).toHaveLength(2);
    const { items } = await listSessions(await as(one!));
    expect(items.map((device) => device.id).toSorted()).toEqual([idOf(one!), idOf(two!)].toSorted());
  });

  it("end for all devices but one with a new password, and their records are not listed", async () => {
    const user = await addUser();
    const [here, there] = [await signedIn(user), await signedIn(user)];
    const ctx = { ...(await as(here)), client: elsewhere().client };
    const { token } = await changePassword(ctx, { currentPassword: PASSWORD, password: CHOSEN });
    expect(await Promise.all([here, there, token].map((each) => isOpen(each)))).toEqual([false, false, true]);
    expect((await listSessions(await as(token))).items.map(({ id }) => id)).toEqual([idOf(token)]);
  });

  it("stay open when the signing key is replaced", async () => {
    const token = await signedIn(await addUser());
    const ctx = at(Date.now() + 1000);
    await (
      await replacementOfKey(ctx, 0)
    ).statement;
    expect(await isOpen(token)).toBe(true);
    const { session } = await readSessionOf(later(2 * DAY), token);
    const renewed = await renewSession(later(2 * DAY), session!);
    const [newest] = (
      await db.select().from(signingKeys).where(eq(signingKeys.use, "expiring"))
    ).toReversed();
    expect(decodeSessionToken(renewed!)!.kid).toBe(newest!.kid);
  });

  it("are not accepted with another user's id, another signature or another purpose", async () => {
    const [user, other] = [await addUser(), await addUser()];
    const token = await signedIn(user);
    const [header, payload, signature] = token.split(".");
    const claims = {
      ...JSON.parse(atob(payload!.replaceAll("-", "+").replaceAll("_", "/"))),
      sub: other.id,
      stamp: other.stamp,
    };
    const forged = btoa(JSON.stringify(claims)).replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", "");
    expect(await isOpen(`${header}.${forged}.${signature}`)).toBe(false);
    expect(await isOpen(`${header}.${payload}.${"A".repeat(43)}`)).toBe(false);
    expect(await isOpen("x".repeat(5000))).toBe(false);
    expect(await isOpen("a.b.c")).toBe(false);
  });

  it("from before they had tokens work until they expire, are listed, and can be ended", async () => {
    const user = await addUser();
    const row = async () => {
      const token = randomToken();
      const now = new Date();
      await db.insert(sessions).values({
        id: await sha256(token),
        userId: user.id,
        stamp: user.stamp,
        createdAt: now,
        seenAt: now,
        authenticatedAt: now,
        address: "203.0.113.1",
        userAgent: "",
      });
      return token;
    };
    const [one, two, three] = [await row(), await row(), await row()];
    const token = await signedIn(user);
    expect((await whoIs(one)).status).toBe(200);
    expect((await listSessions(await as(one))).items).toHaveLength(4);
    await deleteSession(await as(token), await sha256(one));
    await logOut(await as(two), two);
    expect(await Promise.all([one, two, three].map((each) => isOpen(each)))).toEqual([false, false, true]);
    expect(await isOpen(three, later(14.1 * DAY))).toBe(false);
    await deleteOtherSessions(await as(token));
    expect(await isOpen(three)).toBe(false);
  });

  it("prove recently who the user is from the moment of the proof, in this browser alone", async () => {
    const user = await addUser();
    const Cookie = await cookieFor(user, 11 * 60_000);
    expect((await send("GET", "/session/proof", undefined, { Cookie })).status).toBe(403);
    const proof = await send("POST", "/session/proof", { currentPassword: PASSWORD }, { Cookie });
    const proved = cookieOf(tokenIn(proof)!);
    expect((await send("GET", "/session/proof", undefined, { Cookie: proved })).status).toBe(204);
    // A copy of the cookie, which a thief may have, has proved nothing.
    expect((await send("GET", "/session/proof", undefined, { Cookie })).status).toBe(403);
  });

  it("end for a copy of the cookie half a minute after a proof, and not before it", async () => {
    const user = await addUser();
    const Cookie = await cookieFor(user, 3_600_000);
    const former = Cookie.slice(`${NAME}=`.length);
    const given = { currentPassword: PASSWORD };
    const before = Date.now();
    const proof = await send("POST", "/session/proof", given, { Cookie });
    const token = tokenIn(proof)!;
    expect(idOf(token)).toBe(idOf(former));
    // Requests that the browser sent before it got the new cookie.
    expect(await isOpen(former, at(before + 29_000))).toBe(true);
    expect(await isOpen(former, later(31_000))).toBe(false);
    expect(await isOpen(token, later(31_000))).toBe(true);
    const { items } = await listSessions(await as(token));
    expect(items.map(({ id }) => id)).toEqual([idOf(token)]);
  });

  it("stay open with the token of either of two proofs in two tabs", async () => {
    const user = await addUser();
    const Cookie = await cookieFor(user, 3_600_000);
    const prove = async () =>
      tokenIn(await send("POST", "/session/proof", { currentPassword: PASSWORD }, { Cookie }))!;
    const tokens = [await prove(), await prove()];
    expect(tokens[0]).not.toBe(tokens[1]);
    for (const token of tokens) expect(await isOpen(token, later(3_600_000))).toBe(true);
  });

  it("end for good half a minute after a proof: a later proof does not let their tokens work again", async () => {
    const user = await addUser();
    const token = await openSession(visitorContext(), user);
    const start = Date.now();
    const prove = async (current: string, time: number) => {
      const ctx = await as(current, { now: new Date(start + time) });
      await confirmIdentity(ctx, { currentPassword: PASSWORD });
      return (await authenticateSession(ctx, current))!;
    };
    const second = await prove(token, 1000);
    expect(await isOpen(token, at(start + 32_000))).toBe(false);
    const third = await prove(second, 1_200_000);
    const stateAfter = (time: number) =>
      Promise.all([token, second, third].map((each) => isOpen(each, at(start + 1_200_000 + time))));
    expect(await stateAfter(1000)).toEqual([false, true, true]);
    expect(await stateAfter(31_000)).toEqual([false, false, true]);
  });

  it("end half a minute after a proof that follows their own within seconds, in the same tab", async () => {
    const user = await addUser();
    const token = await openSession(visitorContext(), user);
    const soon = Date.now() + 10_000;
    const ctx = await as(token, { now: new Date(soon) });
    await confirmIdentity(ctx, { currentPassword: PASSWORD });
    const proved = (await authenticateSession(ctx, token))!;
    const states = (time: number) => Promise.all([token, proved].map((each) => isOpen(each, at(time))));
    expect(await states(soon + 29_000)).toEqual([true, true]);
    expect(await states(soon + 31_000)).toEqual([false, true]);
  });

  it("end for copies of the cookie, too, when all other devices are signed out", async () => {
    const user = await addUser();
    const copy = await openSession(visitorContext(), user);
    const answer = await send("DELETE", "/sessions", undefined, { Cookie: cookieOf(copy) });
    expect(answer.status).toBe(204);
    const token = tokenIn(answer)!;
    expect(idOf(token)).toBe(idOf(copy));
    expect([await isOpen(copy), await isOpen(token)]).toEqual([true, true]);
    expect([await isOpen(copy, later(31_000)), await isOpen(token, later(31_000))]).toEqual([false, true]);
    const timeOf = (each: string) => decodeSessionToken(each)!.authenticated;
    expect(timeOf(token) - timeOf(copy)).toBe(1);
  });

  it("end as a whole after a proof, too, and no later proof opens them", async () => {
    const user = await addUser();
    const token = await openSession(visitorContext(), user);
    const ctx = await as(token);
    await confirmIdentity(ctx, { currentPassword: PASSWORD });
    await logOut(ctx, token);
    expect(await isOpen(token)).toBe(false);
    await confirmIdentity(ctx, { currentPassword: PASSWORD });
    expect(await isOpen(token)).toBe(false);
  });

  it("are not renewed by a request that began before a proof, whose answer would replace the newer cookie", async () => {
    const user = await addUser();
    const ctx = visitorContext();
    const token = await openSession(ctx, user);
    const { session } = await readSessionOf(ctx, token);
    const proving = await as(token, { now: new Date(ctx.now.getTime() + 1000) });
    await confirmIdentity(proving, { currentPassword: PASSWORD });
    expect(await renewSession(ctx, session!)).toBeNull();
  });

  it("are marked as seen at most once in five minutes, in the list of users", async () => {
    const user = await addUser();
    const token = await openSession(visitorContext(), user);
    const start = Date.now();
    const use = async (...times: number[]) => {
      const work: Promise<unknown>[] = [];
      await Promise.all(
        times.map((time) => actorOf({ ...at(start + time), later: (mark) => void work.push(mark) }, token)),
      );
      await Promise.all(work);
      const { lastSeenAt } = (await userOf(user.id))!;
      return lastSeenAt && lastSeenAt.getTime() - start;
    };
    // The sign-in stores its own time.
    expect(await use(4 * 60_000)).toBeNull();
    const first = (await use(6 * 60_000, 6 * 60_000 + 1, 6 * 60_000 + 2))!;
    expect(first).toBeGreaterThanOrEqual(6 * 60_000);
    expect(await use(first + 5 * 60_000 - 1)).toBe(first);
    expect(await use(first + 5 * 60_000)).toBe(first + 5 * 60_000);
  });

  it("of a deleted user end, and their records are deleted", async () => {
    const user = await addUser();
    const token = await signedIn(user);
    await deleteUser(ownerContext(), user.id);
    expect(await isOpen(token)).toBe(false);
    expect(await recordsOf(user.id)).toEqual([]);
  });

  it.each<[string, (ctx: Context, token: string, userId: string) => Promise<unknown>]>([
    ["is signed out", logOut],
    [
      "is signed out from another device",
      async (_, __, id) => {
        const other = await openSession(later(1000), (await userOf(id))!);
        await deleteOtherSessions({ ...later(1000), actor: await actorOf(later(1000), other) });
      },
    ],
    ["gets a new stamp", (_, __, id) => db.update(users).set({ stamp: "new" }).where(eq(users.id, id))],
  ])("fail the condition of a concurrent write if the user %s", async (_, end) => {
    const { id, stamp } = await addUser();
    const token = await signedIn({ id, stamp });
    const ctx = await as(token);
    const isStill = async () =>
      (await db.get<{ open: number }>(sql`select ${isStillOpen(requireUser(ctx))} as open`)).open;
    expect(await isStill()).toBe(1);
    await end(ctx, token, id);
    expect(await isStill()).toBe(0);
  });
});
