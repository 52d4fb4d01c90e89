import { exports } from "cloudflare:workers";
import { eq } from "drizzle-orm";
import { describe, expect, it } from "vitest";
import {
  countAttempt,
  pruneAttempts,
  makeKnown,
  recordFailure,
  recordRecovery,
  recordSuccess,
} from "#worker/accounts/attempts.ts";
import { sessionCookieOf } from "#worker/accounts/cookie.ts";
import { logIn } from "#worker/accounts/session-commands.ts";
import { hashPassword, needsRehash, passwordMatches } from "#worker/accounts/passwords.ts";
import { actorOf, readSessionOf, renewSession } from "#worker/accounts/sessions.ts";
import { loginAttempts, users } from "#worker/accounts/table.ts";
import type { AppError } from "#worker/platform/errors.ts";
import { sha256 } from "#worker/platform/data/random.ts";
import { addressOf, countInWindow } from "#worker/platform/http/rate.ts";
import {
  addUser,
  at,
  DAY,
  elsewhere,
  errorOf,
  HOUR,
  household,
  later,
  PASSWORD,
  rejectionOf,
  SECOND,
  send,
  userOf,
} from "./support/accounts.ts";
import { jobContext, openSession, signedIn, SITE, visitorContext } from "./support/client.ts";
import { MORE_THAN_A_BURST } from "./support/rates.ts";

const db = jobContext().db;
const { name: NAME } = sessionCookieOf(SITE);

describe("passwords", () => {
  it("are hashed with scrypt, its parameters and a salt of their own", async () => {
    const [one, two] = await Promise.all([hashPassword(PASSWORD), hashPassword(PASSWORD)]);
    expect(one).toMatch(/^scrypt\$32768\$8\$1\$[\w+/]{22}==\$[\w+/]{43}=$/);
    expect(one).not.toBe(two);
    expect(await passwordMatches(PASSWORD, one)).toBe(true);
    expect(await passwordMatches("correct horse batterz", one)).toBe(false);
  });

  it("match no user without a hash", async () => {
    expect(await passwordMatches(PASSWORD, null)).toBe(false);
  });

  it("are the same however the keyboard composed them", async () => {
    expect(await passwordMatches("cafe\u0301 au lait", await hashPassword("caf\u00e9 au lait"))).toBe(true);
  });

  it("with older parameters still match, and are rehashed at the login without ending sessions", async () => {
    const user = await addUser({ passwordHash: await hashPassword(PASSWORD, { N: 2 ** 10, r: 8, p: 1 }) });
    const session = await openSession(visitorContext(), user);
    await logIn(elsewhere(), { email: user.email, password: PASSWORD });
    const stored = (await userOf(user.id))?.passwordHash ?? "";
    expect(needsRehash(stored)).toBe(false);
    expect(await passwordMatches(PASSWORD, stored)).toBe(true);
    expect(await actorOf(visitorContext(), session)).toMatchObject({ kind: "user" });
  });
});

describe("login", () => {
  it("rehashing does not undo a concurrent reset", async () => {
    const user = await addUser({ passwordHash: await hashPassword(PASSWORD, { N: 2 ** 10, r: 8, p: 1 }) });
    const passwordHash = await hashPassword("another password");
    // The reset lands between the comparison and the new hash.
    const kv = {
      get: async () => null,
      put: async () => void (await db.update(users).set({ passwordHash }).where(eq(users.id, user.id))),
    };
    const ctx = visitorContext({
      kv: kv as unknown as KVNamespace,
      client: { address: household(), userAgent: "" },
    });
    await logIn(ctx, { email: user.email, password: PASSWORD });
    expect((await userOf(user.id))?.passwordHash).toBe(passwordHash);
  });

  it("does not reveal its D1 cost", async () => {
    const { email } = await addUser();
    const response = await send("POST", "/session", { email, password: "wrong" });
    expect(response.headers.get("Server-Timing") ?? "").not.toContain("d1");
  });

  it("sets the session cookie and returns the signed-in user", async () => {
    const { id, email } = await addUser({ role: "admin" });
    const response = await send("POST", "/session", { email: email.toUpperCase(), password: PASSWORD });
    expect(response.status).toBe(201);
    const admin = { id, email, fullName: "A Person", role: "admin" };
    expect(await response.json()).toEqual(admin);
    const [pair, ...attributes] = (response.headers.getSetCookie()[0] ?? "").split("; ");
    expect(pair).toMatch(new RegExp(`^${NAME}=[\\w-]+\\.[\\w-]+\\.[\\w-]{43}$`));
    expect(attributes.toSorted()).toEqual(["HttpOnly", "Max-Age=5184000", "Path=/", "SameSite=Lax"]);
    expect(response.headers.get("Cache-Control")).toBe("no-store");
    const who = await send("GET", "/session", undefined, { Cookie: pair ?? "" });
    expect(await who.json()).toEqual(admin);
  });

  it.each(["https://example.com", "http://example.com", "https://localhost"])(
    "sets a cookie at %s that is for HTTPS and this host alone",
    async (site) => {
      const { email } = await addUser();
      const headers = { "Content-Type": "application/json", "CF-Connecting-IP": household() };
      const body = JSON.stringify({ email, password: PASSWORD });
      const url = `${site}/api/admin/session`;
      const answer = await exports.default.fetch(new Request(url, { method: "POST", headers, body }));
      const set = answer.headers.get("Set-Cookie") ?? "";
      expect(set).toMatch(/^__Host-session=[\w.-]+; /);
      expect(set.split("; ")).toEqual(expect.arrayContaining(["Secure", "Path=/", "HttpOnly"]));
      const who = async (Cookie: string) =>
        (await exports.default.fetch(new Request(url, { headers: { Cookie } }))).status;
      const [pair = ""] = set.split(";");
      expect(await who(pair)).toBe(200);
      // One that another site of this host, or one without HTTPS, may have set.
      expect(await who(pair.replace("__Host-session", NAME))).toBe(401);
    },
  );

  it("answers a wrong password, an unknown address, an inactive and an unverified account alike", async () => {
    const active = await addUser();
    const inactive = await addUser({ isActive: false });
    const unverified = await addUser({ emailVerified: false });
    const answers = await Promise.all(
      [
        { email: active.email, password: "wrong password" },
        { email: "nobody@example.com", password: PASSWORD },
        { email: "not an address", password: PASSWORD },
        { email: inactive.email, password: PASSWORD },
        { email: unverified.email, password: PASSWORD },
      ].map(async (body) => {
        const response = await send("POST", "/session", body);
        return {
          status: response.status,
          cookie: response.headers.get("Set-Cookie"),
          error: await errorOf(response),
        };
      }),
    );
    for (const answer of answers) {
      expect(answer).toEqual({
        status: 401,
        cookie: null,
        error: {
          code: "unauthenticated",
          message: "Invalid email or password. Please check your credentials.",
        },
      });
    }
  });

  it.each([
    [{ password: "x" }, "email"],
    [{ email: "a@example.com" }, "password"],
    [{ email: "a@example.com", password: "" }, "password"],
  ])("needs address and password: %j", async (body, field) => {
    const response = await send("POST", "/session", body);
    expect(response.status).toBe(422);
    expect(await errorOf(response)).toMatchObject({ field });
  });

  it("ends the session that the browser held before", async () => {
    const { email } = await addUser();
    const before = await signedIn("editor");
    await send("POST", "/session", { email, password: PASSWORD }, { Cookie: before.cookie });
    expect((await before.api.session.$get()).status).toBe(401);
  });

  it("answers a wait with 429 and Retry-After, without checking the password", async () => {
    const { email } = await addUser();
    const subject = await sha256(JSON.stringify(["account", email]));
    await db.insert(loginAttempts).values(Array.from({ length: 12 }, () => ({ subject, at: new Date() })));
    const response = await send("POST", "/session", { email, password: PASSWORD });
    expect(response.status).toBe(429);
    const seconds = response.headers.get("Retry-After");
    expect(seconds).toMatch(/^[1-9]\d?$/);
    expect(await errorOf(response)).toEqual({
      code: "too_many",
      message: `Too many attempts. Please try again in ${seconds} seconds.`,
    });
  });
});

describe("login attempts", () => {
  const NOW = Date.parse("2026-03-01T00:00:00Z");
  const someone = () => ({ email: `${crypto.randomUUID()}@example.com`, address: household() });

  type Who = ReturnType<typeof someone>;

  const failAt = async (now: number, who: Who) => recordFailure(at(now), await countAttempt(at(now), who));

  /** Fails this often, each time as early as allowed; returns the waits in seconds. */
  async function fail(times: number, attempt: (n: number) => Who, from = NOW) {
    const waits: number[] = [];
    let now = from;
    for (let n = 0; n < times; n++) {
      const refused = await failAt(now, attempt(n)).then(
        () => undefined,
        (error: AppError) => error,
      );
      if (!refused) continue;
      waits.push(refused.retryAfter ?? 0);
      now += (refused.retryAfter ?? 0) * SECOND;
      await failAt(now, attempt(n));
    }
    return { waits, now };
  }

  it("on one account wait longer and longer, but never more than a minute", async () => {
    const { email } = someone();
    const { waits } = await fail(14, () => ({ email, address: household() }));
    expect(waits).toEqual([1, 2, 4, 8, 16, 32, 60, 60, 60]);
  });

  it("from one address wait longer and longer, up to a quarter of an hour", async () => {
    const { address } = someone();
    const { waits } = await fail(32, () => ({ ...someone(), address }));
    expect(waits).toEqual([1, 2, 4, 8, 16, 32, 64, 128, 256, 512, 900, 900]);
  });

  it("sent concurrently are limited", async () => {
    const { email } = someone();
    const all = Array.from({ length: 30 }, () => countAttempt(at(NOW), { email, address: household() }));
    const counted = (await Promise.allSettled(all)).filter(({ status }) => status === "fulfilled");
    expect(counted).toHaveLength(5);
  });

  it("from all of a /48 are limited to ten times those of an address, whatever the account", async () => {
    const from = (network: string) => ({ ...someone(), address: `2001:db8:${network}::/64` });
    const all = Array.from({ length: 210 }, (_, n) => countAttempt(at(NOW), from(`4848:${n.toString(16)}`)));
    const settled = await Promise.allSettled(all);
    const [first, ...counted] = settled.filter((each) => each.status === "fulfilled");
    expect(counted).toHaveLength(199);
    expect((await rejectionOf(countAttempt(at(NOW), from("4848:ffff")))).code).toBe("too_many");
    await countAttempt(at(NOW), from("4849:1"));
    await recordSuccess(at(NOW), first!.value);
    await countAttempt(at(NOW), from("4848:ffff"));
  });

  it("that the platform ended without an answer count for ten seconds only", async () => {
    const who = someone();
    for (let n = 0; n < 5; n++) await countAttempt(at(NOW), who);
    expect((await rejectionOf(countAttempt(at(NOW), who))).code).toBe("too_many");
    for (let n = 1; n <= 40; n++) await countAttempt(at(NOW + n * 10 * SECOND), who);
    const { waits } = await fail(6, () => who, NOW + 410 * SECOND);
    expect(waits).toEqual([1]);
  });

  it("that failed count for a day", async () => {
    const who = someone();
    const { now } = await fail(12, () => who);
    expect((await rejectionOf(countAttempt(at(now + 20 * SECOND), who))).retryAfter).toBe(40);
    expect((await fail(1, () => who, now + HOUR)).waits).toEqual([]);
    expect((await fail(1, () => who, now + HOUR)).waits).toEqual([60]);
  });

  it("that are refused are not counted", async () => {
    const { email } = someone();
    await fail(5, () => ({ email, address: household() }));
    for (let i = 0; i < 10; i++) await rejectionOf(countAttempt(at(NOW), { email, address: household() }));
    await countAttempt(at(NOW + SECOND), { email, address: household() });
  });

  it("are forgotten for the account by a success", async () => {
    const { email } = someone();
    const { now } = await fail(6, () => ({ email, address: household() }));
    await recordSuccess(at(now), await countAttempt(at(now + 60 * SECOND), { email, address: household() }));
    const { waits } = await fail(5, () => ({ email, address: household() }), now + 60 * SECOND);
    expect(waits).toEqual([]);
  });

  it("are not reset for the address by a success, so that an attacker with an account cannot start over", async () => {
    const { address } = someone();
    const own = someone().email;
    await fail(19, () => ({ ...someone(), address }));
    await recordSuccess(at(NOW), await countAttempt(at(NOW), { email: own, address }));
    await countAttempt(at(NOW), { ...someone(), address });
    expect((await rejectionOf(countAttempt(at(NOW), { ...someone(), address }))).code).toBe("too_many");
  });

  it("by strangers do not keep the owner out at a known address", async () => {
    const home = someone();
    await recordSuccess(at(NOW), await countAttempt(at(NOW), home));
    const { now } = await fail(12, () => ({ email: home.email, address: household() }));
    await countAttempt(at(now), home);
  });

  it("are not counted as the owner's own by an address that ends in theirs", async () => {
    const home = someone();
    await recordSuccess(at(NOW), await countAttempt(at(NOW), home));
    await fail(8, () => ({ email: `${home.email} from ${home.address}`, address: household() }));
    await fail(8, () => ({ email: `${home.email}","${home.address}`, address: household() }));
    for (let n = 0; n < 5; n++) await countAttempt(at(NOW), home);
  });

  it("by strangers do not delay a user with a mailed link", async () => {
    const { email } = someone();
    const away = household();
    const { now } = await fail(12, () => ({ email, address: household() }));
    await rejectionOf(countAttempt(at(now), { email, address: away }));
    await db.batch(await recordRecovery(at(now), { email, address: away }));
    await makeKnown(at(now), { email, address: away });
    const { now: since } = await fail(12, () => ({ email, address: household() }), now);
    await countAttempt(at(since), { email, address: away });
  });

  it("are forgiven though KV does not take the address", async () => {
    const who = someone();
    const kv = {
      ...jobContext().kv,
      get: async () => null,
      put: () => Promise.reject(new Error("too many writes")),
    };
    const ctx = visitorContext({ now: new Date(NOW), kv: kv as unknown as KVNamespace });
    await recordSuccess(ctx, await countAttempt(ctx, who));
  });

  it("are counted, and the right password works, while KV does not answer", async () => {
    const { email } = await addUser();
    const away = () => Promise.reject(new Error("KV is away"));
    const kv = { get: away, put: away } as unknown as KVNamespace;
    const from = () => visitorContext({ kv, client: { address: household(), userAgent: "" } });
    for (let guesses = 0; guesses < 2; guesses++)
      expect(await rejectionOf(logIn(from(), { email, password: "wrong" }))).toMatchObject({
        code: "unauthenticated",
      });
    const { token } = await logIn(from(), { email, password: PASSWORD });
    expect(await actorOf(visitorContext(), token!)).toMatchObject({ kind: "user", email });
  });

  it("are forgotten after a day, and pruned", async () => {
    const { email } = someone();
    const { now } = await fail(8, () => ({ email, address: household() }));
    expect((await fail(5, () => ({ email, address: household() }), now + DAY + SECOND)).waits).toEqual([]);
    await pruneAttempts(at(now + 3 * DAY));
    expect(
      await db
        .select()
        .from(loginAttempts)
        .where(eq(loginAttempts.at, new Date(now))),
    ).toEqual([]);
  });
});

describe("sessions", () => {
  it("are absent without a cookie, or with an invented one", async () => {
    const none = await send("GET", "/session");
    expect(none.status).toBe(401);
    expect(await errorOf(none)).toEqual({ code: "unauthenticated", message: "Please sign in." });
    expect((await send("GET", "/session", undefined, { Cookie: `${NAME}=made-up` })).status).toBe(401);
  });

  it("end with the logout, also for a copy of the cookie", async () => {
    const { cookie } = await signedIn("admin");
    const response = await send("DELETE", "/session", undefined, { Cookie: cookie });
    expect(response.status).toBe(204);
    expect(response.headers.get("Set-Cookie")).toMatch(new RegExp(`^${NAME}=;.*Max-Age=0`));
    expect((await send("GET", "/session", undefined, { Cookie: cookie })).status).toBe(401);
  });

  it("end at a logout without a session as well", async () => {
    expect((await send("DELETE", "/session")).status).toBe(204);
  });

  it.each([
    ["the user is disabled", { isActive: false }],
    ["the password's stamp changes", { stamp: "another" }],
    ["the address is no longer verified", { emailVerified: false }],
  ])("end immediately when %s", async (_when, change) => {
    const user = await addUser();
    const token = await openSession(visitorContext(), user);
    expect(await actorOf(visitorContext(), token)).toMatchObject({ kind: "user", id: user.id });
    await db.update(users).set(change).where(eq(users.id, user.id));
    expect(await actorOf(visitorContext(), token)).toEqual({ kind: "visitor" });
  });

  it("end after 14 days without use", async () => {
    const user = await addUser();
    const token = await openSession(visitorContext(), user);
    expect(await actorOf(later(14 * DAY - HOUR), token)).toMatchObject({ kind: "user" });
    expect(await actorOf(later(14 * DAY + HOUR), token)).toEqual({ kind: "visitor" });
  });

  it("in use slide on, up to 60 days", async () => {
    let token = await openSession(visitorContext(), await addUser());
    for (let day = 5; day <= 55; day += 10) {
      const ctx = later(day * DAY);
      const { actor, session } = await readSessionOf(ctx, token);
      expect(actor).toMatchObject({ kind: "user" });
      token = (await renewSession(ctx, session!))!;
    }
    expect(await actorOf(later(60 * DAY - HOUR), token)).toMatchObject({ kind: "user" });
    expect(await actorOf(later(60 * DAY + HOUR), token)).toEqual({ kind: "visitor" });
  });
});

describe("rate limits", () => {
  it("count in windows, and say when the next begins", async () => {
    const subject = crypto.randomUUID();
    const start = Date.parse("2026-03-01T10:00:00Z");
    for (let i = 0; i < 3; i++) await countInWindow(at(start), subject, { most: 3 });
    const error = await rejectionOf(countInWindow(at(start + 10 * 60 * SECOND), subject, { most: 3 }));
    expect(error).toMatchObject({ code: "too_many", retryAfter: 50 * 60 });
    await countInWindow(at(start + HOUR), subject, { most: 3 });
  });

  it("refuse a burst from one address and leave others alone", async () => {
    const flood = { "CF-Connecting-IP": household() };
    const answers = await Promise.all(
      Array.from({ length: MORE_THAN_A_BURST }, () =>
        send("POST", "/verification/confirm", { token: "x" }, flood),
      ),
    );
    const refused = answers.filter(({ status }) => status === 429);
    expect(refused.length).toBeGreaterThanOrEqual(5);
    expect(refused[0]?.headers.get("Retry-After")).toBe("10");
    expect((await send("POST", "/verification/confirm", { token: "x" })).status).toBe(422);
  });

  it.each([
    ["203.0.113.9", "203.0.113.9"],
    ["2001:db8:1:2:3:4:5:6", "2001:db8:1:2::/64"],
    ["2001:DB8::1", "2001:db8::/64"],
    ["::1", "::/64"],
    ["::ffff:203.0.113.9", "203.0.113.9"],
    ["not an address", "unknown"],
  ])("take %s for %s", (header, address) => {
    expect(addressOf(new Request("http://x.invalid", { headers: { "CF-Connecting-IP": header } }))).toBe(
      address,
    );
  });
});
