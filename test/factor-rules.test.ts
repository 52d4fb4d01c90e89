import { eq } from "drizzle-orm";
import { beforeEach, describe, expect, it } from "vitest";
import { accountLink } from "#worker/accounts/account-links.ts";
import {
  addPasskey,
  signInByPasskey,
  startPasskey,
  startPasskeySignIn,
} from "#worker/accounts/passkey-commands.ts";
import { resetPassword } from "#worker/accounts/password-commands.ts";
import { readFactorRules, readUser } from "#worker/accounts/queries.ts";
import {
  enableSecondFactor,
  resetSecondFactor,
  startSecondFactor,
  updateFactorRules,
} from "#worker/accounts/second-factor-commands.ts";
import { logIn } from "#worker/accounts/session-commands.ts";
import { actorOf } from "#worker/accounts/sessions.ts";
import { factorRules, passkeys, securityEvents, users } from "#worker/accounts/table.ts";
import type { Role } from "#worker/access/contract.ts";
import {
  addUser,
  anAddress,
  CHOSEN,
  elsewhere,
  errorOf,
  isSignedIn,
  mailsTo,
  openSessionOf,
  PASSWORD,
  people,
  rejectionOf,
  send,
  signedInAs,
  userOf,
} from "./support/accounts.ts";
import { makeAuthenticator } from "./support/authenticator.ts";
import {
  cookieByPassword,
  cookieFor,
  fetchSite,
  jobContext,
  openSession,
  visitorContext,
} from "./support/client.ts";
import { forgetRates } from "./support/rates.ts";
import { byToken, tokenWith } from "./support/tokens.ts";
import { codeAt } from "./support/totp.ts";

const DAY = 86_400_000;
const db = jobContext().db;

beforeEach(async () => {
  await forgetRates();
  await db.delete(factorRules);
});

type Person = Awaited<ReturnType<typeof addUser>>;

async function switchOnApp(user: Person) {
  await openSessionOf(user);
  const ctx = signedInAs(user);
  const { secret } = await startSecondFactor(ctx);
  await enableSecondFactor(ctx, { code: codeAt(secret, ctx.now.getTime()) });
}

async function addPasskeyOf(user: Person) {
  const authenticator = await makeAuthenticator();
  await openSessionOf(user);
  const ctx = signedInAs(user);
  await addPasskey(ctx, await authenticator.create(await startPasskey(ctx)));
  return authenticator;
}

/** As if a super admin had required it so many days ago. */
const required = (role: Role, { daysAgo, graceDays = 14 }: { daysAgo: number; graceDays?: number }) =>
  db.insert(factorRules).values({ role, since: new Date(Date.now() - daysAgo * DAY), graceDays });

const longAgo = { createdAt: new Date(Date.now() - 100 * DAY) };

/** The actor of a new session of the user. */
const actorFor = async (user: Person) => actorOf(visitorContext(), await openSession(jobContext(), user));

const eventsOf = async ({ email }: Person) =>
  (await db.select().from(securityEvents).where(eq(securityEvents.email, email))).map(({ kind, detail }) => [
    kind,
    detail,
  ]);

describe("requiring a second factor of a role", () => {
  it("is for a super admin who has one", async () => {
    const { owner, asOwner, asAdmin } = await people();
    const rules = { roles: ["admin", "editor"] as Role[], graceDays: 7 as const };
    expect((await rejectionOf(updateFactorRules(asAdmin, rules))).code).toBe("forbidden");
    expect(await rejectionOf(updateFactorRules(asOwner, rules))).toMatchObject({
      code: "conflict",
      message: "Set up a second factor for yourself first, under Your account.",
    });
    await switchOnApp(owner);
    await updateFactorRules(asOwner, rules);
    expect(await readFactorRules(asAdmin)).toEqual(rules);
    expect(await eventsOf(owner)).toContainEqual(["factor_rules_changed", "admin, editor: 7 days"]);
  });

  it("counts a passkey as one", async () => {
    const { owner, asOwner } = await people();
    await addPasskeyOf(owner);
    await updateFactorRules(asOwner, { roles: ["super_admin"], graceDays: 0 });
    expect(await actorFor(owner)).toMatchObject({ role: "super_admin" });
  });

  it("needs a recent proof", async () => {
    const { owner } = await people();
    const Cookie = await cookieFor(owner, DAY);
    const response = await send("PUT", "/second-factor-rules", { roles: [], graceDays: 0 }, { Cookie });
    expect(await errorOf(response)).toMatchObject({ code: "reauthentication_required" });
  });

  it("keeps the start of a role that already needs one, and ends for a role that is left out", async () => {
    const { owner, asOwner } = await people();
    await switchOnApp(owner);
    await required("editor", { daysAgo: 5 });
    await required("user", { daysAgo: 5 });
    await updateFactorRules(asOwner, { roles: ["editor", "admin"], graceDays: 30 });
    const rows = await db.select().from(factorRules);
    const ages = rows.map(({ role, since, graceDays }) => [
      role,
      Math.round((Date.now() - since.getTime()) / DAY),
      graceDays,
    ]);
    expect(ages.toSorted()).toEqual([
      ["admin", 0, 30],
      ["editor", 5, 30],
    ]);
    await updateFactorRules(asOwner, { roles: [], graceDays: 30 });
    expect(await db.$count(factorRules)).toBe(0);
  });

  it("gives a role whose rule was removed in between all days of grace", async () => {
    const { owner, asOwner } = await people();
    await switchOnApp(owner);
    await required("editor", { daysAgo: 100 });
    await updateFactorRules(asOwner, { roles: [], graceDays: 14 });
    await updateFactorRules(asOwner, { roles: ["editor"], graceDays: 14 });
    const [rule] = await db.select().from(factorRules);
    expect(rule!.since.getTime()).toBe(asOwner.now.getTime());
  });
});

describe("a user whose role needs a second factor that they lack", () => {
  it("keeps the role during the grace, and knows until when", async () => {
    const user = await addUser(longAgo);
    await required("editor", { daysAgo: 13 });
    const actor = await actorFor(user);
    expect(actor).toMatchObject({ role: "editor", missingFactor: { isDue: false } });
    const dueAt = actor.kind === "user" ? (actor.missingFactor?.dueAt ?? 0) : 0;
    expect(Math.round((dueAt - Date.now()) / 3_600_000)).toBe(24);
  });

  it("has only their own account after it, in the API and in the pages", async () => {
    const user = await addUser({ ...longAgo, role: "super_admin" });
    await required("super_admin", { daysAgo: 15 });
    const Cookie = await cookieFor(user);
    const refused = await send("GET", "/articles", undefined, { Cookie });
    expect(refused.status).toBe(403);
    expect(await errorOf(refused)).toMatchObject({
      message: "Your role needs a second factor. Set one up under Your account, and everything is back.",
    });
    expect((await send("GET", "/account", undefined, { Cookie })).status).toBe(200);
    const tab = await fetchSite("/admin/articles", { headers: { Cookie } });
    expect(tab.status).toBe(403);
    expect(await tab.text()).toContain("Your role needs a second factor");
    const account = await fetchSite("/admin/account", { headers: { Cookie } });
    expect(account.status).toBe(200);
    expect(await account.text()).toContain("Only your account is open to you");
    await switchOnApp(user);
    const full = { Cookie: await cookieFor(user) };
    expect((await send("GET", "/articles", undefined, full)).status).toBe(200);
    expect(await (await fetchSite("/admin/account", { headers: full })).text()).not.toContain(
      "Only your account is open to you",
    );
  });

  it("has the days of grace from the day on which they were added", async () => {
    const user = await addUser({ createdAt: new Date(Date.now() - 3 * DAY) });
    await required("editor", { daysAgo: 100 });
    expect(await actorFor(user)).toMatchObject({ role: "editor", missingFactor: { isDue: false } });
  });

  it("is the only one concerned: not another role, nor who has one", async () => {
    await required("editor", { daysAgo: 15 });
    const [admin, withApp, withPasskey] = await Promise.all([
      addUser({ ...longAgo, role: "admin" }),
      addUser(longAgo),
      addUser(longAgo),
    ]);
    await switchOnApp(withApp);
    await addPasskeyOf(withPasskey);
    for (const user of [admin, withApp, withPasskey]) {
      const actor = await actorFor(user);
      expect(actor).toMatchObject({ role: user.role });
      expect(actor).not.toHaveProperty("missingFactor");
    }
  });
});

describe("the first passkey", () => {
  it("ends the sessions that the password alone opened, which its role would open fully", async () => {
    const user = await addUser({ ...longAgo, role: "super_admin" });
    await required("super_admin", { daysAgo: 15 });
    const Cookie = await cookieFor(user);
    await addPasskeyOf(user);
    expect((await send("GET", "/session", undefined, { Cookie })).status).toBe(401);
  });

  it("makes the session that added it a full one, by a new cookie", async () => {
    const user = await addUser({ ...longAgo, role: "super_admin" });
    await required("super_admin", { daysAgo: 15 });
    const Cookie = await cookieByPassword(user);
    const begun = await send("POST", "/account/passkeys/options", undefined, { Cookie });
    const answer = await (await makeAuthenticator()).create(await begun.json());
    const added = await send("POST", "/account/passkeys", answer, { Cookie });
    expect(added.status).toBe(201);
    const [renewed = ""] = added.headers.getSetCookie();
    const full = { Cookie: renewed.split(";")[0]! };
    expect((await send("GET", "/articles", undefined, full)).status).toBe(200);
  });
});

describe("an API token of a user who lacks a second factor that their role needs", () => {
  it("is refused after the grace, until there is one", async () => {
    const token = await tokenWith(["drafts:read"]);
    await db.update(users).set(longAgo).where(eq(users.id, token.user.id));
    await required("super_admin", { daysAgo: 13 });
    expect((await byToken(token, "GET", "/admin/articles")).status).toBe(200);
    await db.update(factorRules).set({ graceDays: 0 });
    const refused = await byToken(token, "GET", "/admin/articles");
    expect(refused.status).toBe(401);
    expect(await errorOf(refused)).toMatchObject({ message: expect.stringContaining("second factor") });
    await switchOnApp(token.user);
    expect((await byToken(token, "GET", "/admin/articles")).status).toBe(200);
  });
});

describe("a passkey as the only second factor of a role that needs one", () => {
  it("signs in, and the password alone no longer does", async () => {
    const user = await addUser(longAgo);
    const authenticator = await addPasskeyOf(user);
    await required("editor", { daysAgo: 15 });
    const refused = await rejectionOf(logIn(elsewhere(), { email: user.email, password: PASSWORD }));
    expect(refused).toMatchObject({
      code: "unauthenticated",
      message: "Your role needs more than the password. Sign in with your passkey, below.",
    });
    expect(await eventsOf(user)).toContainEqual(["login_failed", "password without the passkey"]);
    expect((await mailsTo(user.email)).at(-1)?.subject).toBe("Someone has your password");
    const ctx = elsewhere();
    const { token } = await signInByPasskey(ctx, await authenticator.get(await startPasskeySignIn(ctx)));
    expect(await isSignedIn(token)).toBe(true);
  });

  it("ends the sessions that the password alone has opened, when the grace ends", async () => {
    const user = await addUser(longAgo);
    const authenticator = await addPasskeyOf(user);
    const [byPassword, byPasskey] = [await cookieByPassword(user), await cookieFor(user)];
    const isOpen = async (Cookie: string) =>
      (await send("GET", "/session", undefined, { Cookie })).status === 200;
    await required("editor", { daysAgo: 13 });
    expect(await Promise.all([byPassword, byPasskey].map(isOpen))).toEqual([true, true]);
    const proof = await authenticator.get(await startPasskeySignIn(visitorContext()));
    const proved = await send("POST", "/session/proof", { passkey: proof }, { Cookie: byPassword });
    const [confirmed = ""] = proved.headers.getSetCookie();
    await db.update(factorRules).set({ graceDays: 7 });
    const cookies = [byPassword, byPasskey, confirmed.split(";")[0]!];
    expect(await Promise.all(cookies.map(isOpen))).toEqual([false, true, true]);
  });

  it("is not proved by the password during a session", async () => {
    const user = await addUser(longAgo);
    await addPasskeyOf(user);
    const Cookie = await cookieByPassword(user);
    const proved = await send("POST", "/session/proof", { currentPassword: PASSWORD }, { Cookie });
    const [renewed = ""] = proved.headers.getSetCookie();
    await required("editor", { daysAgo: 15 });
    const answer = await send("GET", "/session", undefined, { Cookie: renewed.split(";")[0]! });
    expect(answer.status).toBe(401);
  });

  it.each([
    [15, 1],
    [13, 0],
  ])("after %i of 14 days a reset by mail leaves it: %i", async (daysAgo, left) => {
    const user = await addUser(longAgo);
    await addPasskeyOf(user);
    await required("editor", { daysAgo });
    const link = new URL(
      await accountLink(visitorContext(), "reset-password", { ...user, pendingEmail: null }),
    );
    await resetPassword(elsewhere(), { token: link.searchParams.get("token")!, password: CHOSEN });
    expect(await db.$count(passkeys, eq(passkeys.userId, user.id))).toBe(left);
    const text = (await mailsTo(user.email)).at(-1)?.text;
    expect(text).toContain(left === 1 ? "Your passkeys still work." : "Passkeys were removed, too");
  });
});

describe("a reset of another user’s second factor", () => {
  it("removes app, codes, passkeys and API tokens, ends the sessions, mails the user and is logged", async () => {
    const { owner, asOwner } = await people();
    const token = await tokenWith(["drafts:read"], { role: "admin" });
    const { user } = token;
    await switchOnApp(user);
    await addPasskeyOf(user);
    const Cookie = await cookieFor(user);
    expect((await readUser(asOwner, user.id)).mayResetFactor).toBe(true);
    await resetSecondFactor(asOwner, user.id);
    expect((await readUser(asOwner, user.id)).mayResetFactor).toBe(false);
    expect((await send("GET", "/session", undefined, { Cookie })).status).toBe(401);
    expect((await logIn(elsewhere(), { email: user.email, password: PASSWORD })).token).not.toBeNull();
    const subjects = (await mailsTo(user.email)).map(({ subject }) => subject);
    expect(subjects).toContainEqual(expect.stringMatching(/second factor .* was reset/));
    expect((await byToken(token, "GET", "/admin/articles")).status).toBe(401);
    const [event] = await db
      .select()
      .from(securityEvents)
      .where(eq(securityEvents.kind, "second_factor_reset"));
    expect(event).toMatchObject({ email: user.email, by: owner.email });
  });

  it("is for super admins, not for one’s own, and only where there is one", async () => {
    const { owner, admin, asOwner, asAdmin } = await people();
    const user = await addUser();
    await switchOnApp(user);
    expect((await rejectionOf(resetSecondFactor(asAdmin, user.id))).code).toBe("forbidden");
    expect((await readUser(asAdmin, user.id)).mayResetFactor).toBe(false);
    await switchOnApp(owner);
    expect((await rejectionOf(resetSecondFactor(asOwner, owner.id))).code).toBe("forbidden");
    expect((await rejectionOf(resetSecondFactor(asOwner, admin.id))).code).toBe("conflict");
    expect((await rejectionOf(resetSecondFactor(asOwner, "no one"))).code).toBe("not_found");
  });

  it("drops an address that waits for its confirmation: a thief may have asked for it", async () => {
    const { asOwner } = await people();
    const user = await addUser({ pendingEmail: anAddress() });
    await switchOnApp(user);
    await resetSecondFactor(asOwner, user.id);
    expect((await userOf(user.id))!.pendingEmail).toBeNull();
  });

  it("invalidates a sign-in between its two steps", async () => {
    const { asOwner } = await people();
    const user = await addUser();
    await switchOnApp(user);
    const [before] = await db.select().from(users).where(eq(users.id, user.id));
    await resetSecondFactor(asOwner, user.id);
    const [after] = await db.select().from(users).where(eq(users.id, user.id));
    expect(after?.stamp).not.toBe(before?.stamp);
  });
});
