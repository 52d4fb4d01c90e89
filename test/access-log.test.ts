import { and, eq, gte } from "drizzle-orm";
import Papa from "papaparse";
import { beforeEach, describe, expect, it, vi } from "vitest";
import { sessionCookieOf } from "#worker/accounts/cookie.ts";
import { eventRow } from "#worker/accounts/audit-log.ts";
import { chainEntries, pruneEvents } from "#worker/accounts/log-chain.ts";
import type { SecurityEventKind } from "#worker/accounts/contract.ts";
import { exportSecurityEvents } from "#worker/accounts/export-log.ts";
import { listSecurityEvents } from "#worker/accounts/queries.ts";
import { closeRefusals, countRefusedInput, recordRefusal } from "#worker/accounts/refusals.ts";
import { logIn } from "#worker/accounts/session-commands.ts";
import { leftOutRefusals, logChain, securityEvents } from "#worker/accounts/table.ts";
import type { Context } from "#worker/platform/context.ts";
import {
  addUser,
  aUser,
  DAY,
  HOUR,
  household,
  mailsTo,
  rejectionOf,
  send,
  signedInAs,
} from "./support/accounts.ts";
import { cookieFor, fetchSite, jobContext, ownerContext, SITE, visitorContext } from "./support/client.ts";
import { forgetRates } from "./support/rates.ts";

const { db } = jobContext();
const WAIT = { timeout: 60_000 };
beforeEach(forgetRates);

const eventsOf = (email: string) =>
  db
    .select()
    .from(securityEvents)
    .where(and(eq(securityEvents.email, email), eq(securityEvents.kind, "access_refused")));

const recordForbidden = (ctx: Context, detail: string) =>
  recordRefusal(ctx, { kind: "access_refused", email: (ctx.actor as { email: string }).email, detail });

/** What visitors were refused. */
const ofVisitors = (kind: SecurityEventKind) =>
  db
    .select()
    .from(securityEvents)
    .where(and(eq(securityEvents.email, ""), eq(securityEvents.kind, kind)));

/** Waits for what is written after the answer. */
const seen = (email: string, count: number) =>
  vi.waitFor(async () => expect(await eventsOf(email)).toHaveLength(count), WAIT);

async function person(role: "admin" | "editor" | "user") {
  const user = await addUser({ role });
  return { ...user, Cookie: await cookieFor(user) };
}

describe("a refusal to a signed-in user", () => {
  it("is written to the audit log with user, request and address", async () => {
    const { email, Cookie } = await person("editor");
    const address = household();
    const headers = { Cookie, "CF-Connecting-IP": address, "User-Agent": "A browser" };
    const response = await send("DELETE", "/users/3f9c-secret?token=abc", undefined, headers);
    expect(response.status).toBe(403);
    await seen(email, 1);
    expect(await eventsOf(email)).toMatchObject([
      {
        kind: "access_refused",
        detail: "DELETE /api/admin/users/:id",
        by: null,
        address: expect.stringMatching(/::\/64$/),
        userAgent: "A browser",
      },
    ]);
  });

  it("is logged too if the role opens the route and a rule refuses", async () => {
    const { email, Cookie } = await person("admin");
    expect((await send("POST", "/users", aUser({ role: "admin" }), { Cookie })).status).toBe(403);
    const owner = await addUser({ role: "super_admin" });
    expect((await send("PATCH", `/users/${owner.id}`, { fullName: "Mine" }, { Cookie })).status).toBe(403);
    await seen(email, 2);
    expect((await eventsOf(email)).map(({ detail }) => detail)).toEqual([
      "POST /api/admin/users",
      "PATCH /api/admin/users/:id",
    ]);
  });

  it("is so too when another site sends a write with the session", async () => {
    const { email, Cookie } = await person("admin");
    const response = await send(
      "PATCH",
      "/account",
      { fullName: "Mine" },
      { Cookie, "Sec-Fetch-Site": "same-site" },
    );
    expect(response.status).toBe(403);
    await vi.waitFor(async () => {
      const events = await db.select().from(securityEvents).where(eq(securityEvents.email, email));
      expect(events).toMatchObject([{ kind: "origin_refused", detail: "PATCH /api/admin/account" }]);
    }, WAIT);
  });

  describe("when another site leads the owner’s browser to a read that is logged and mailed about", () => {
    const exports = [
      "/export",
      "/export/outline",
      "/export/files",
      "/security-events/export",
      "/subscribers/export",
      "/people/export?email=someone@example.com&format=json",
      "/guest-applications/export",
      "/contact-messages/export",
      "/speaking-bookings/export",
    ];
    const asked = async (path: string, headers: Record<string, string>) => {
      const owner = await addUser({ role: "super_admin" });
      const { status, body } = await send("GET", path, undefined, {
        ...headers,
        Cookie: await cookieFor(owner),
        "Sec-Fetch-Mode": "navigate",
      });
      const text = await new Response(body).text();
      const events = () => db.select().from(securityEvents).where(eq(securityEvents.email, owner.email));
      return { status, text, events, mails: () => mailsTo(owner.email) };
    };

    it.each(exports.flatMap((path) => ["cross-site", "same-site"].map((from) => [from, path] as const)))(
      "the %s request is refused, and only the refusal is logged: %s",
      async (from, path) => {
        const { status, text, events, mails } = await asked(path, { "Sec-Fetch-Site": from });
        expect(status).toBe(403);
        expect(text).toContain(
          "Another site led to this address. Open the admin area, and start from there.",
        );
        await vi.waitFor(
          async () => expect(await events()).toMatchObject([{ kind: "origin_refused" }]),
          WAIT,
        );
        expect(await mails()).toEqual([]);
      },
    );

    it.each([
      ["typed", { "Sec-Fetch-Site": "none" }],
      ["of the site’s own pages", { "Sec-Fetch-Site": "same-origin" }],
      ["of a program", {}],
    ])("an address that is %s is answered", async (_, headers: Record<string, string>) => {
      const { status, mails } = await asked("/subscribers/export", headers);
      expect(status).toBe(200);
      expect(await mails()).toHaveLength(1);
    });
  });

  it.each([
    ["/admin/users", "GET /admin/users"],
    ["/admin/users.data", "GET /admin/users"],
    ["/admin/settings/mails/3f9c2", "GET /admin/settings/mails/:id"],
  ])("is so too for a page: %s", async (path, detail) => {
    const { email, Cookie } = await person("editor");
    await (await fetchSite(path, { headers: { Cookie } })).text();
    await seen(email, 1);
    expect(await eventsOf(email)).toMatchObject([{ detail }]);
  });

  it("is logged at most twenty times an hour for one person, even when concurrent", async () => {
    const user = await person("editor");
    const other = await person("editor");
    const ctx = signedInAs(user);
    await Promise.all(Array.from({ length: 60 }, () => recordForbidden(ctx, "GET /api/admin/users")));
    expect(await eventsOf(user.email)).toHaveLength(20);
    await recordForbidden(signedInAs(other), "GET /api/admin/users");
    expect(await eventsOf(other.email)).toHaveLength(1);
    await recordForbidden({ ...ctx, now: new Date(ctx.now.getTime() + HOUR) }, "GET /api/admin/users");
    expect(await eventsOf(user.email)).toHaveLength(21);
  });

  it("of which some were left out is followed by their number once the hour is over", async () => {
    const user = await person("editor");
    const start = Math.ceil(Date.now() / HOUR) * HOUR;
    const at = (milliseconds: number) => signedInAs(user, { now: new Date(start + milliseconds) });
    for (let n = 0; n < 50; n++) await recordForbidden(at(n), "GET /api/admin/users");
    for (let n = 0; n < 5; n++) await recordForbidden(at(2 * 60_000 + n), "GET /api/admin/users");
    await recordForbidden(at(4 * 60_000), "GET /api/admin/users");
    expect(await eventsOf(user.email)).toHaveLength(20);
    await closeRefusals(at(30 * 60_000));
    expect(await eventsOf(user.email)).toHaveLength(20);
    await Promise.all([closeRefusals(at(HOUR)), closeRefusals(at(HOUR))]);
    const events = await eventsOf(user.email);
    expect(events).toHaveLength(21);
    expect(events.at(-1)!.detail).toMatch(/^36 more in the hour before \d\d:00 UTC$/);
    expect(await db.select().from(leftOutRefusals)).toEqual([]);
  });

  it("answers 40 concurrent forbidden requests with the same 403", async () => {
    const { email, Cookie } = await person("editor");
    const answers = await Promise.all(
      Array.from({ length: 40 }, async () => {
        const response = await send("GET", "/users", undefined, { Cookie });
        return `${response.status} ${await response.text()}`;
      }),
    );
    expect(new Set(answers).size).toBe(1);
    expect(answers[0]).toMatch(/^403 .*"Your role can’t do this\."/);
    await seen(email, 20);
  });

  it("is stored for a year", async () => {
    const user = await person("editor");
    await db.delete(securityEvents);
    await db.delete(logChain);
    for (const days of [370, 100]) {
      await recordForbidden(signedInAs(user, { now: new Date(Date.now() - days * DAY) }), "GET /");
    }
    await chainEntries(jobContext());
    await pruneEvents(jobContext());
    await pruneEvents(jobContext());
    expect(await eventsOf(user.email)).toHaveLength(1);
  });

  it("is not logged without a session or without a refusal", async () => {
    const before = await db.$count(securityEvents);
    expect((await send("GET", "/users")).status).toBe(401);
    const { Cookie } = await person("admin");
    expect((await send("GET", "/users", undefined, { Cookie })).status).toBe(200);
    await scheduler.wait(300);
    expect(await db.$count(securityEvents)).toBe(before);
  });
});

describe("a refusal to a visitor", () => {
  const cookie = { Cookie: `${sessionCookieOf(SITE).name}=${"x".repeat(43)}` };

  it.each<[SecurityEventKind, () => Promise<Response>, string]>([
    ["session_refused", () => send("GET", "/users", undefined, cookie), "GET /api/admin/users"],
    [
      "session_refused",
      () => send("GET", "/articles", undefined, { Authorization: `Bearer rostrum_${"x".repeat(43)}` }),
      "GET /api/admin/articles",
    ],
    [
      "origin_refused",
      () => send("POST", "/setup", {}, { "Sec-Fetch-Site": "cross-site" }),
      "POST /api/admin/setup",
    ],
    [
      "link_refused",
      () => send("POST", "/verification/confirm", { token: "a.b.c" }, { "CF-Connecting-IP": household() }),
      "POST /api/admin/verification/confirm",
    ],
    [
      "signature_refused",
      () =>
        fetchSite("/api/webhooks/mail", {
          method: "POST",
          headers: {
            "Content-Type": "application/json",
            "svix-id": "1",
            "svix-timestamp": "1",
            "svix-signature": "v1,AAAA",
          },
          body: "{}",
        }),
      "POST /api/webhooks/mail",
    ],
  ])("is logged without an account: %s", async (kind, request, detail) => {
    const before = (await ofVisitors(kind)).length;
    const response = await request();
    expect(response.status).toBeGreaterThanOrEqual(400);
    await vi.waitFor(async () => expect(await ofVisitors(kind)).toHaveLength(before + 1), WAIT);
    expect((await ofVisitors(kind)).at(-1)).toMatchObject({ detail });
  });

  it("is logged if its input has a key that no form sends; a mistyped one is not", async () => {
    const before = (await ofVisitors("input_refused")).length;
    const ask = (body: object) => send("POST", "/password-reset", body, { "CF-Connecting-IP": household() });
    expect((await ask({ email: "not an address" })).status).toBe(422);
    expect((await ask({ email: "a@example.com", role: "super_admin" })).status).toBe(422);
    await vi.waitFor(async () => expect(await ofVisitors("input_refused")).toHaveLength(before + 1), WAIT);
    await scheduler.wait(300);
    expect(await ofVisitors("input_refused")).toHaveLength(before + 1);
    expect((await ofVisitors("input_refused")).at(-1)).toMatchObject({
      detail: "POST /api/admin/password-reset",
    });
  });

  it("for input that is refused more often than a person mistypes is logged once an hour for an address", () => {
    const now = new Date(Math.ceil(Date.now() / HOUR) * HOUR);
    const refuse = (times: number, at = now, address = "192.0.2.7") =>
      Array.from({ length: times }, () =>
        countRefusedInput(visitorContext({ now: at, client: { address, userAgent: "" } }), {
          status: 422,
          route: "POST /api/contact-messages",
        }),
      ).filter((each) => each !== null);
    expect(refuse(200)).toEqual([]);
    expect(refuse(300)).toEqual([
      {
        kind: "input_refused",
        email: "",
        detail: "more than 200 in an hour, such as POST /api/contact-messages",
      },
    ]);
    expect(refuse(200, now, "192.0.2.8")).toEqual([]);
    expect(refuse(200, new Date(now.getTime() + HOUR))).toEqual([]);
    expect(refuse(1, new Date(now.getTime() + HOUR))).toHaveLength(1);
  });

  it("is logged when a limit is reached", async () => {
    const headers = { "CF-Connecting-IP": household() };
    const before = (await ofVisitors("limit_reached")).length;
    const statuses: number[] = [];
    for (let n = 0; n < 40 && !statuses.includes(429); n++)
      statuses.push((await send("POST", "/password-reset", { email: "a@example.com" }, headers)).status);
    expect(statuses).toContain(429);
    await vi.waitFor(async () => expect(await ofVisitors("limit_reached")).toHaveLength(before + 1), WAIT);
  });

  it("without credentials needs no row, and neither does a wrong password beside an ended session", async () => {
    const before = await db.$count(securityEvents);
    expect((await send("GET", "/users")).status).toBe(401);
    const login = { email: "nobody@example.com", password: "Wrong, but long 1" };
    expect(
      (await send("POST", "/session", login, { ...cookie, "CF-Connecting-IP": household() })).status,
    ).toBe(401);
    await scheduler.wait(300);
    const added = await db.select().from(securityEvents).limit(10).offset(before);
    expect(added.map(({ kind }) => kind)).toEqual(["login_failed"]);
  });

  it("writes to D1 at most once a minute once twenty are stored", async () => {
    const now = new Date(Math.ceil(Date.now() / HOUR) * HOUR + 5 * HOUR);
    const ctx = jobContext({ now });
    for (let n = 0; n < 500; n++)
      await recordRefusal(ctx, { kind: "limit_reached", email: "", detail: "GET /" });
    // Each is one batch of two; the first that is left out stores its number.
    expect(ctx.d1.roundTrips).toBeLessThanOrEqual(22);
  });
});

describe("a failed sign-in", () => {
  const failed = (now: Date) =>
    db
      .select()
      .from(securityEvents)
      .where(and(eq(securityEvents.kind, "login_failed"), gte(securityEvents.at, now)))
      .orderBy(securityEvents.id);

  it("is one of at most a hundred an hour, whatever address is typed, and their number follows", async () => {
    const now = new Date(Math.ceil(Date.now() / HOUR) * HOUR + 7 * HOUR);
    const from = () => visitorContext({ now, client: { address: household(), userAgent: "" } });
    for (let n = 0; n < 300; n++)
      await recordRefusal(from(), { kind: "login_failed", email: `${n}@example.com`, detail: "" });
    expect(await failed(now)).toHaveLength(100);
    await rejectionOf(logIn(from(), { email: "one@example.com", password: "Wrong, but long 1" }));
    expect(await failed(now)).toHaveLength(100);
    const flushed = new Date(now.getTime() + 2 * 60_000);
    const wrong = { email: "two@example.com", password: "Wrong, but long 1" };
    await rejectionOf(logIn({ ...from(), now: flushed }, wrong));
    await closeRefusals(jobContext({ now: new Date(now.getTime() + HOUR) }));
    const entries = await failed(now);
    expect(entries).toHaveLength(101);
    expect(entries.at(-1)).toMatchObject({
      email: "",
      detail: expect.stringMatching(/^202 more in the hour/),
    });
  });

  it("is written with its address until there are a hundred", async () => {
    const now = new Date(Math.ceil(Date.now() / HOUR) * HOUR + 9 * HOUR);
    const ctx = visitorContext({ now, client: { address: household(), userAgent: "" } });
    await rejectionOf(logIn(ctx, { email: "one@example.com", password: "Wrong, but long 1" }));
    expect(await failed(now)).toMatchObject([{ email: "one@example.com", address: ctx.client.address }]);
  });
});

describe("the audit log", () => {
  it("is filtered by kind, user, time and words, and paged", async () => {
    const user = await person("editor");
    const ctx = signedInAs(user);
    for (let n = 0; n < 3; n++) await recordForbidden(ctx, `GET /page-${n}`);
    const old = signedInAs(user, { now: new Date(Date.now() - 3 * DAY) });
    await recordForbidden(old, "GET /page-old");
    const owner = ownerContext();
    const found = async (query: Parameters<typeof listSecurityEvents>[1]) =>
      (await listSecurityEvents(owner, query)).items.map(({ detail }) => detail);
    const all = ["GET /page-old", "GET /page-2", "GET /page-1", "GET /page-0"];
    expect(await found({ user: user.email })).toEqual(all);
    expect(await found({ user: user.email, kind: "login" })).toEqual([]);
    expect(await found({ user: user.email, q: "PAGE-1" })).toEqual(["GET /page-1"]);
    expect(await found({ user: user.email, until: Date.now() - DAY })).toEqual(["GET /page-old"]);
    expect(await found({ user: user.email, since: Date.now() - DAY })).toEqual(all.slice(1));
    expect(await found({ q: "100% _nothing_" })).toEqual([]);
    for (let n = 0; n < 60; n++)
      await db.insert(securityEvents).values({
        at: new Date(),
        kind: "login",
        email: "pages@example.com",
        address: "",
        userAgent: "",
      });
    const first = await listSecurityEvents(owner, { user: "pages@example.com" });
    const second = await listSecurityEvents(owner, { user: "pages@example.com", before: first.next! });
    expect([first.items.length, second.items.length, second.next]).toEqual([50, 10, null]);
  });

  it("finds what a token did for its user, and no other user by the name of a token", async () => {
    const [owner, other, thief] = [await person("admin"), await person("editor"), await person("editor")];
    const withToken = (user: typeof owner, name: string) => {
      const ctx = signedInAs(user);
      ctx.actor = { ...ctx.actor, token: { id: "1", name, scopes: [] } } as typeof ctx.actor;
      return ctx;
    };
    await eventRow(withToken(owner, "Press kit"), { kind: "user_changed", email: other.email });
    await eventRow(withToken(thief, `x” of ${owner.email}`), { kind: "user_changed", email: other.email });
    const found = async (user: string) => (await listSecurityEvents(ownerContext(), { user })).items;
    expect((await found(owner.email)).map(({ by }) => by)).toEqual([
      `the token “Press kit” of ${owner.email}`,
    ]);
    expect((await found(thief.email)).map(({ by }) => by)).toEqual([
      `the token “x of ${owner.email}” of ${thief.email}`,
    ]);
    expect(await found(other.email)).toHaveLength(2);
    // A part of an address is another address.
    expect(await found(owner.email.slice(1))).toEqual([]);
  });

  it("is downloaded as CSV without formulas after a recent proof, which is logged", async () => {
    const user = await person("editor");
    await db.insert(securityEvents).values({
      at: new Date("2026-11-30T01:02:03.004Z"),
      kind: "login_failed",
      email: "=cmd@example.com",
      address: "192.0.2.1",
      userAgent: 'A "browser", new',
    });
    const stale = signedInAs(user);
    stale.actor = { ...stale.actor, role: "super_admin", authenticatedAt: new Date(0) } as typeof stale.actor;
    await expect(exportSecurityEvents(stale, {})).rejects.toMatchObject({
      code: "reauthentication_required",
    });
    const stream = await exportSecurityEvents(ownerContext(), { q: "cmd@" });
    const [head, ...lines] = Papa.parse<string[]>((await new Response(stream).text()).trim()).data;
    expect(head).toEqual(["id", "time", "event", "account", "by", "address", "browser", "detail"]);
    expect(lines).toEqual([
      [
        expect.stringMatching(/^\d+$/),
        "2026-11-30T01:02:03.004Z",
        "login_failed",
        "'=cmd@example.com",
        "",
        "192.0.2.1",
        'A "browser", new',
        "",
      ],
    ]);
    expect((await listSecurityEvents(ownerContext(), { kind: "log_exported" })).items).toHaveLength(1);
  });
});
