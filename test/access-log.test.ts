import { and, eq } from "drizzle-orm";
import { beforeEach, describe, expect, it, vi } from "vitest";
import { pruneEvents } from "#worker/accounts/audit-log.ts";
import { recordForbidden } from "#worker/accounts/audit-log.ts";
import { securityEvents } from "#worker/accounts/table.ts";
import { addUser, aUser, DAY, HOUR, household, send, signedInAs } from "./support/accounts.ts";
import { cookieFor, fetchSite, jobContext } from "./support/client.ts";
import { forgetRates } from "./support/rates.ts";

const { db } = jobContext();
beforeEach(forgetRates);

const eventsOf = (email: string) =>
  db
    .select()
    .from(securityEvents)
    .where(and(eq(securityEvents.email, email), eq(securityEvents.kind, "access_refused")));

/** Waits for what is written after the answer. */
const seen = (email: string, count: number) =>
  vi.waitFor(async () => expect(await eventsOf(email)).toHaveLength(count), { timeout: 60_000 });

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
    await seen(email, 1);
    expect(await eventsOf(email)).toMatchObject([{ detail: "PATCH /api/admin/account" }]);
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

  it("answers a flood as it answers one", async () => {
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
    for (const days of [100, 370]) {
      await recordForbidden(signedInAs(user, { now: new Date(Date.now() - days * DAY) }), "GET /");
    }
    await pruneEvents(jobContext());
    expect(await eventsOf(user.email)).toHaveLength(1);
  });

  it("is not logged without a session or without a refusal", async () => {
    const before = await db.$count(securityEvents);
    expect((await send("GET", "/users")).status).toBe(401);
    expect((await send("POST", "/setup", {}, { "Sec-Fetch-Site": "cross-site" })).status).toBe(403);
    const { Cookie } = await person("admin");
    expect((await send("GET", "/users", undefined, { Cookie })).status).toBe(200);
    await scheduler.wait(300);
    expect(await db.$count(securityEvents)).toBe(before);
  });
});
