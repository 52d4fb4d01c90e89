import { env } from "cloudflare:workers";
import { eq } from "drizzle-orm";
import { beforeEach, describe, expect, it } from "vitest";
import { changeAddress, changePassword } from "#worker/accounts/account-commands.ts";
import { accountLink, type AccountPurpose } from "#worker/accounts/account-links.ts";
import { denyAction } from "#worker/accounts/denial-commands.ts";
import { resetPassword } from "#worker/accounts/password-commands.ts";
import { noticeExport, sendNotice } from "#worker/accounts/notices.ts";
import { confirmVerification } from "#worker/accounts/setup-commands.ts";
import { logIn } from "#worker/accounts/session-commands.ts";
import { replaceRecoveryCodes, resetSecondFactor } from "#worker/accounts/second-factor-commands.ts";
import {
  apiTokens,
  knownDevices,
  passkeys,
  recoveryCodes,
  secondFactors,
  securityEvents,
  users,
} from "#worker/accounts/table.ts";
import { deleteUser, updateUser } from "#worker/accounts/user-commands.ts";
import { exportSecurityEvents } from "#worker/accounts/export-log.ts";
import { exportSubscribers } from "#worker/newsletter/export.ts";
import { sha256 } from "#worker/platform/data/random.ts";
import { rateLimits } from "#worker/platform/table.ts";
import { createWebhook, updateWebhook } from "#worker/webhooks/commands.ts";
import type { WebhookChange } from "#worker/webhooks/contract.ts";
import {
  addUser,
  anAddress,
  CHOSEN,
  elsewhere,
  latestToken,
  mailsTo,
  openSessionOf,
  PASSWORD,
  people,
  rejectionOf,
  send,
  signedInAs,
} from "./support/accounts.ts";
import { cookieFor, fetchSite, jobContext, visitorContext } from "./support/client.ts";
import { forgetRates } from "./support/rates.ts";
import { tokenWith } from "./support/tokens.ts";

const FIREFOX = "Mozilla/5.0 (Windows NT 10.0; Win64; x64; rv:140.0) Gecko/20100101 Firefox/140.0";
const db = jobContext().db;

beforeEach(forgetRates);

type Person = Awaited<ReturnType<typeof addUser>>;

const subjectsTo = async (email: string) => (await mailsTo(email)).map(({ subject }) => subject);

/** Signs in with a browser that has these cookies, and returns its cookie of the device. */
async function signIn({ email }: Person, cookie = "", password = PASSWORD) {
  const response = await send("POST", "/session", { email, password }, { Cookie: cookie });
  expect(response.status).toBe(201);
  return deviceOf(response);
}

const cookiesOf = (response: Response) =>
  response.headers.getSetCookie().map((cookie) => cookie.split(";")[0]!);
const deviceOf = (response: Response) => cookiesOf(response).find((one) => one.includes("-device="))!;

/** Of a link that was mailed to the user. */
async function tokenOf(purpose: AccountPurpose, user: Person) {
  const link = await accountLink(visitorContext(), purpose, { ...user, pendingEmail: null });
  return new URL(link).searchParams.get("token")!;
}

const NEW_DEVICE = "A new device signed in to your account";

describe("a sign-in", () => {
  it("from the first device is not mailed about, from a second one once", async () => {
    const user = await addUser();
    await signIn(user);
    expect(await mailsTo(user.email)).toEqual([]);
    const second = await signIn(user);
    expect(await subjectsTo(user.email)).toEqual([NEW_DEVICE]);
    await signIn(user, second);
    expect(await subjectsTo(user.email)).toEqual([NEW_DEVICE]);
    expect(await db.$count(knownDevices, eq(knownDevices.userId, user.id))).toBe(2);
  });

  it.each<[string, (user: Person) => Promise<unknown>]>([
    [
      "“It was not me”",
      async (user) => denyAction(visitorContext(), { token: await tokenOf("not-me", user) }),
    ],
    [
      "a reset of the password",
      async (user) =>
        resetPassword(visitorContext(), { token: await tokenOf("reset-password", user), password: CHOSEN }),
    ],
    [
      "a reset of the second factor",
      async (user) => {
        const { asOwner } = await people();
        const row = { userId: user.id, secret: "sealed:", createdAt: new Date(), enabledAt: new Date() };
        await db.insert(secondFactors).values(row);
        await resetSecondFactor(asOwner, user.id);
      },
    ],
  ])("is from a new device again after %s, since the known one may be a thief’s", async (_, recover) => {
    const user = await addUser();
    await signIn(user);
    const thief = await signIn(user);
    await recover(user);
    expect(await db.$count(knownDevices, eq(knownDevices.userId, user.id))).toBe(0);
    await db.update(users).set({ passwordHash: user.passwordHash }).where(eq(users.id, user.id));
    await signIn(user, thief);
    const about = (await subjectsTo(user.email)).filter((subject) => subject === NEW_DEVICE);
    expect(about).toHaveLength(2);
  });

  it("with a device that is known for another user only is from a new one", async () => {
    const [one, other] = [await addUser(), await addUser()];
    const device = await signIn(one);
    await signIn(other);
    await signIn(other, device);
    expect(await subjectsTo(other.email)).toEqual([NEW_DEVICE]);
  });

  it("is mailed about if the user signed in before devices were noted", async () => {
    const user = await addUser({ lastSeenAt: new Date() });
    await signIn(user);
    expect(await subjectsTo(user.email)).toEqual([NEW_DEVICE]);
  });

  it("with the device that accepted the invitation, or changed the password, is not mailed about", async () => {
    const user = await addUser({ passwordHash: null, emailVerified: false });
    const link = new URL(await accountLink(visitorContext(), "invite", { ...user, pendingEmail: null }));
    const accepted = await send("POST", "/invitation/confirm", {
      token: link.searchParams.get("token"),
      password: CHOSEN,
    });
    const device = deviceOf(accepted);
    await signIn(user, device, CHOSEN);
    expect(await subjectsTo(user.email)).toEqual([]);
    const Cookie = cookiesOf(accepted).find((one) => !one.includes("-device="))!;
    const change = { currentPassword: CHOSEN, password: "Another verandah 8" };
    const changed = await send("POST", "/account/password", change, { Cookie });
    await signIn(user, deviceOf(changed), change.password);
    expect(await subjectsTo(user.email)).not.toContain(NEW_DEVICE);
  });

  it("from a new device that could not be mailed about is mailed about the next time", async () => {
    const user = await addUser({ lastSeenAt: new Date() });
    const subject = await sha256(`new-devices:${user.id}`);
    const expiresAt = new Date(Date.now() + 3_600_000);
    await db.insert(rateLimits).values({ subject, count: 10, expiresAt });
    const device = await signIn(user);
    expect(await subjectsTo(user.email)).toEqual([]);
    await forgetRates();
    await signIn(user, device);
    expect(await subjectsTo(user.email)).toEqual([NEW_DEVICE]);
  });

  it("replaces a cookie that the site has not made", async () => {
    const device = await signIn(await addUser(), "rostrum-device=short");
    expect(device).toMatch(/^rostrum-device=[\w-]{43}$/);
  });

  it("succeeds if the device cannot be noted", async () => {
    const user = await addUser();
    await env.DB.prepare("alter table known_devices rename to elsewhere").run();
    try {
      const body = { email: user.email, password: PASSWORD };
      expect((await send("POST", "/session", body)).status).toBe(201);
    } finally {
      await env.DB.prepare("alter table elsewhere rename to known_devices").run();
    }
  });
});

describe("a notice", () => {
  it("says when, in the site’s time zone, from which device and country", async () => {
    const user = await addUser();
    const now = new Date("2026-11-30T00:40:00Z");
    const client = { address: "192.0.2.1", userAgent: FIREFOX, country: "NZ" };
    await sendNotice(signedInAs(user, { now, client }), user, { name: "a", subject: "S", parts: ["P"] });
    const [mail] = await mailsTo(user.email);
    expect(mail!.text).toContain(
      "30 November 2026 at 11:40 (Australia/Sydney), Firefox on Windows, New Zealand.",
    );
  });

  it.each([undefined, "XX", "not a code"])("says that the country is unknown: %s", async (country) => {
    const user = await addUser();
    const client = { address: "", userAgent: "", country };
    await sendNotice(signedInAs(user, { client }), user, { name: "a", subject: "S", parts: ["P"] });
    expect((await mailsTo(user.email))[0]!.text).toContain("an unknown device, unknown country.");
  });

  it("is mailed once in ten minutes for one thing, and at most ten times an hour", async () => {
    const user = await addUser();
    const ctx = signedInAs(user);
    for (let n = 0; n < 20; n++) await sendNotice(ctx, user, { name: "same", subject: "S", parts: ["P"] });
    expect(await mailsTo(user.email)).toHaveLength(1);
    for (let n = 0; n < 20; n++) await sendNotice(ctx, user, { name: `n${n}`, subject: "S", parts: ["P"] });
    expect(await mailsTo(user.email)).toHaveLength(10);
  });

  it("never turns what it is about into a failure", async () => {
    await noticeExport(signedInAs({ ...(await addUser()), id: "deleted" }), "All subscribers");
  });
});

describe("a notice is mailed", () => {
  it("about an export", async () => {
    const { owner, asOwner } = await people();
    await (await exportSubscribers(asOwner)).cancel();
    expect(await subjectsTo(owner.email)).toEqual(["All subscribers exported from your account"]);
  });

  it("about an export of the security log, which succeeds without it", async () => {
    const { owner, asOwner } = await people();
    await (await exportSecurityEvents(asOwner, {})).cancel();
    expect(await subjectsTo(owner.email)).toEqual(["Entries of the security log exported from your account"]);
    const deleted = signedInAs({ ...owner, id: "deleted" });
    await (await exportSecurityEvents(deleted, {})).cancel();
  });

  it("about a new webhook, and another address of one, but not about another description", async () => {
    const { owner, asOwner } = await people();
    const url = `https://${crypto.randomUUID()}.example.com/`;
    const { webhook } = await createWebhook(asOwner, { url, description: "", events: ["essay.published"] });
    const change = (values: WebhookChange) =>
      updateWebhook({ ...asOwner, now: new Date() }, webhook.id, values);
    await change({ description: "My own" });
    await change({ url });
    expect(await subjectsTo(owner.email)).toEqual(["A webhook was added with your account"]);
    await change({ url: "https://thief.example.com/" });
    const [, mail] = await mailsTo(owner.email);
    expect(mail!.subject).toBe("A webhook was changed with your account");
    expect(mail!.text).toContain("is now also sent to thief.example.com");
  });

  it("about another role", async () => {
    const { asOwner } = await people();
    const user = await addUser();
    await updateUser(asOwner, user.id, { role: "admin" });
    const [mail] = await mailsTo(user.email);
    expect(mail!.subject).toMatch(/^Your role at .* was changed$/);
    expect(mail!.text).toContain("is now admin");
  });

  it("about another address, to both; only the new one has a link", async () => {
    const user = await addUser();
    const email = anAddress();
    await db.update(users).set({ pendingEmail: email }).where(eq(users.id, user.id));
    const link = new URL(
      await accountLink(visitorContext(), "change-address", { ...user, pendingEmail: email }),
    );
    await confirmVerification(visitorContext(), { token: link.searchParams.get("token")! });
    expect((await mailsTo(email))[0]!.link).toContain("/admin/not-me?token=");
    const [former] = await mailsTo(user.email);
    expect(former!.link).toBe("");
    expect(former!.text).toContain(`as ${email}, no longer as ${user.email}`);
  });

  it("about an address that is about to leave, with a way out that keeps it", async () => {
    const user = await addUser();
    await changeAddress(signedInAs(user), { email: anAddress(), currentPassword: PASSWORD });
    const [mail] = await mailsTo(user.email);
    expect(mail!.subject).toMatch(/is changing$/);
    const [, token = ""] = /not-me\?token=([\w.-]+)/.exec(mail!.text) ?? [];
    await denyAction(visitorContext(), { token });
    const [row] = await db.select().from(users).where(eq(users.id, user.id));
    expect(row).toMatchObject({ email: user.email, pendingEmail: null });
  });

  it("about new recovery codes", async () => {
    const user = await addUser();
    const row = { userId: user.id, secret: "sealed:", createdAt: new Date(), enabledAt: new Date() };
    await db.insert(secondFactors).values(row);
    await replaceRecoveryCodes(signedInAs(user));
    expect((await subjectsTo(user.email))[0]).toMatch(/^New recovery codes were made/);
  });

  it("about the end of an account, without a link that could bring it back", async () => {
    const { asOwner } = await people();
    const [one, other] = [await addUser({ role: "super_admin" }), await addUser()];
    await updateUser(asOwner, one.id, { isActive: false });
    await deleteUser(asOwner, other.id);
    const [off] = await mailsTo(one.email);
    expect(off!.subject).toBe("Your account was switched off");
    expect(off!.text).toContain("they now go to another super admin");
    const [gone] = await mailsTo(other.email);
    expect(gone!.subject).toBe("Your account was deleted");
    expect([off!.link, gone!.link]).toEqual(["", ""]);
  });

  it("about another password, with a link that works although its stamp is new", async () => {
    const user = await addUser();
    await openSessionOf(user);
    await changePassword(signedInAs(user), { currentPassword: PASSWORD, password: CHOSEN });
    const text = (await mailsTo(user.email)).at(-1)!.text;
    const [, token = ""] = /not-me\?token=([\w.-]+)/.exec(text) ?? [];
    expect(await denyAction(visitorContext(), { token })).toMatchObject({ email: user.email });
  });
});

describe("“It was not me”", () => {
  const tokenFor = (user: Person) => tokenOf("not-me", user);

  it("changes nothing when its page is opened", async () => {
    const user = await addUser();
    const Cookie = await cookieFor(user);
    const page = await fetchSite(`/admin/not-me?token=${await tokenFor(user)}`);
    expect(page.status).toBe(200);
    expect(await page.text()).toContain("Sign out everywhere");
    expect((await send("GET", "/session", undefined, { Cookie })).status).toBe(200);
  });

  it("signs out every device, forgets the password, mails a reset link and is logged", async () => {
    const user = await addUser();
    const Cookie = await cookieFor(user);
    const response = await send("POST", "/not-me", { token: await tokenFor(user) });
    expect(response.status).toBe(200);
    expect((await send("GET", "/session", undefined, { Cookie })).status).toBe(401);
    const refused = logIn(elsewhere(), { email: user.email, password: PASSWORD });
    expect((await rejectionOf(refused)).code).toBe("unauthenticated");
    const mail = (await mailsTo(user.email)).at(-1)!;
    expect(mail.subject).toMatch(/^Reset your password/);
    expect(mail.text).toContain("its password no longer works");
    const events = await db.select().from(securityEvents).where(eq(securityEvents.email, user.email));
    expect(events.map(({ kind }) => kind)).toContain("not_me");
    const reset = { token: await latestToken(user.email), password: CHOSEN };
    expect((await send("POST", "/password-reset/confirm", reset)).status).toBe(200);
    await logIn(elsewhere(), { email: user.email, password: CHOSEN });
  });

  it("removes API tokens, and what was added to sign in within seven days; the older passkey stays", async () => {
    const { user } = await tokenWith(["drafts:read"]);
    const daysAgo = (days: number) => new Date(Date.now() - days * 86_400_000);
    const key = { userId: user.id, publicKey: "", counter: 0, transports: [], name: "A key" };
    await db.insert(passkeys).values([
      { ...key, id: crypto.randomUUID(), credentialId: crypto.randomUUID(), createdAt: daysAgo(6) },
      { ...key, id: user.id, credentialId: crypto.randomUUID(), createdAt: daysAgo(8) },
    ]);
    const since = { userId: user.id, createdAt: daysAgo(6) };
    await db.insert(secondFactors).values({ ...since, secret: "sealed:", enabledAt: daysAgo(6) });
    await db.insert(recoveryCodes).values({ ...since, hash: user.id });
    const { remaining } = await denyAction(visitorContext(), { token: await tokenFor(user) });
    expect(remaining).toEqual({
      passkeys: [{ name: "A key", createdAt: expect.any(Number) }],
      appSince: null,
    });
    for (const table of [apiTokens, secondFactors, recoveryCodes])
      expect(await db.$count(table, eq(table.userId, user.id))).toBe(0);
    const left = await db.select({ id: passkeys.id }).from(passkeys).where(eq(passkeys.userId, user.id));
    expect(left).toEqual([{ id: user.id }]);
  });

  it("leaves an app that is older", async () => {
    const user = await addUser();
    const then = new Date(Date.now() - 8 * 86_400_000);
    await db
      .insert(secondFactors)
      .values({ userId: user.id, secret: "sealed:", createdAt: then, enabledAt: then });
    await denyAction(visitorContext(), { token: await tokenFor(user) });
    expect(await db.$count(secondFactors, eq(secondFactors.userId, user.id))).toBe(1);
  });

  it("works once", async () => {
    const user = await addUser();
    const token = await tokenFor(user);
    const settled = await Promise.allSettled([1, 2].map(() => denyAction(visitorContext(), { token })));
    expect(settled.map(({ status }) => status).toSorted()).toEqual(["fulfilled", "rejected"]);
    expect((await rejectionOf(denyAction(visitorContext(), { token }))).message).toMatch(/has changed since/);
  });

  it("cancels a change of address that was not confirmed", async () => {
    const user = await addUser({ pendingEmail: anAddress() });
    await denyAction(visitorContext(), { token: await tokenFor(user) });
    const [row] = await db.select().from(users).where(eq(users.id, user.id));
    expect(row!.pendingEmail).toBeNull();
  });

  it("is refused with another kind of link", async () => {
    const user = await addUser();
    const link = new URL(
      await accountLink(visitorContext(), "reset-password", { ...user, pendingEmail: null }),
    );
    const token = link.searchParams.get("token")!;
    expect((await rejectionOf(denyAction(visitorContext(), { token }))).code).toBe("invalid");
  });
});
