import { eq } from "drizzle-orm";
import { beforeEach, describe, expect, it } from "vitest";
import { accountLink } from "#worker/accounts/account-links.ts";
import { unsealSecret } from "#worker/accounts/factor-secrets.ts";
import { addPasskey, startPasskey } from "#worker/accounts/passkey-commands.ts";
import { sessionCookieOf } from "#worker/accounts/cookie.ts";
import { confirmIdentity } from "#worker/accounts/identity-commands.ts";
import { resetPassword } from "#worker/accounts/password-commands.ts";
import { readSecondFactor } from "#worker/accounts/queries.ts";
import {
  disableSecondFactor,
  enableSecondFactor,
  replaceRecoveryCodes,
  signInByCode,
  startSecondFactor,
} from "#worker/accounts/second-factor-commands.ts";
import { proveCode } from "#worker/accounts/second-factor.ts";
import { logIn } from "#worker/accounts/session-commands.ts";
import { actorOf } from "#worker/accounts/sessions.ts";
import { recoveryCodes, secondFactors, securityEvents, sessions, users } from "#worker/accounts/table.ts";
import { stepOfCode } from "#worker/accounts/totp.ts";
import { backUp } from "#worker/backups/database-sql.ts";
import { resealSecrets } from "#worker/nouns/sealed-secrets.ts";
import type { Context } from "#worker/platform/context.ts";
import { randomToken, sha256 } from "#worker/platform/data/random.ts";
import { askOf } from "#worker/platform/data/schema.ts";
import { readSystem } from "#worker/system/queries.ts";
import {
  addUser,
  CHOSEN,
  elsewhere,
  errorOf,
  household,
  isSignedIn,
  mailsTo,
  openSessionOf,
  overtakenBy,
  PASSWORD,
  rejectionOf,
  send,
  signedInAs,
} from "./support/accounts.ts";
import { makeAuthenticator } from "./support/authenticator.ts";
import {
  cookieByPassword,
  cookieFor,
  jobContext,
  ownerContext,
  SITE,
  visitorContext,
} from "./support/client.ts";
import { forgetRates } from "./support/rates.ts";
import { codeAt } from "./support/totp.ts";

const MINUTE = 60_000;
const STEP = 30_000;
const db = jobContext().db;
const NOW = Date.now();

beforeEach(forgetRates);

type Person = Awaited<ReturnType<typeof addUser>>;

/** A user with the session of `signedInAs`. */
async function addSignedIn(values: Parameters<typeof addUser>[0] = {}) {
  const user = await addUser(values);
  await openSessionOf(user);
  return user;
}

/** Someone whose app was switched on ten minutes ago. */
async function withApp(values: Parameters<typeof addUser>[0] = {}) {
  const user = await addSignedIn(values);
  const ctx = signedInAs(user, { now: new Date(NOW - 10 * MINUTE) });
  const { secret } = await startSecondFactor(ctx);
  const { codes } = await enableSecondFactor(ctx, { code: codeAt(secret, NOW - 10 * MINUTE) });
  return { user, secret, codes };
}

const addPasskeyOf = async (ctx: Context) =>
  addPasskey(ctx, await (await makeAuthenticator()).create(await startPasskey(ctx)));

const statusOf = async (Cookie: string) => (await send("GET", "/session", undefined, { Cookie })).status;

/** A session from before sessions had tokens. */
async function rowSessionOf({ id, stamp }: Person) {
  const token = randomToken();
  const now = new Date();
  const session = { id: await sha256(token), userId: id, stamp, createdAt: now, seenAt: now };
  await db.insert(sessions).values({ ...session, address: "", userAgent: "" });
  return { ...sessionCookieOf(SITE), value: token };
}

/** In another household, at a moment. */
const at = (time: number) =>
  visitorContext({ client: { address: household(), userAgent: "" }, now: new Date(time) });

async function firstStep({ email }: Person, ctx = at(NOW)) {
  const { token, answer } = await logIn(ctx, { email, password: PASSWORD });
  if (token !== null || !("signIn" in answer)) return expect.fail("No code was asked for.");
  return answer.signIn;
}

async function signIn(user: Person, code: string, ctx = at(NOW)) {
  return signInByCode(ctx, { signIn: await firstStep(user, ctx), code });
}

const eventsOf = async ({ email }: Person) =>
  (await db.select().from(securityEvents).where(eq(securityEvents.email, email))).map(({ kind, detail }) => [
    kind,
    detail,
  ]);

const signInsOf = async (user: Person) => (await eventsOf(user)).filter(([kind]) => kind === "login").length;

const subjectsTo = async ({ email }: Person) => (await mailsTo(email)).map(({ subject }) => subject);

describe("a code", () => {
  // RFC 6238, appendix B: the secret is the ASCII text 12345678901234567890. The six last of its eight digits.
  const RFC_SECRET = "GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ";
  const VECTORS: [seconds: number, code: string][] = [
    [59, "94287082"],
    [1_111_111_109, "07081804"],
    [1_111_111_111, "14050471"],
    [1_234_567_890, "89005924"],
    [2_000_000_000, "69279037"],
    [20_000_000_000, "65353130"],
  ];

  it.each(VECTORS)("is that of RFC 6238 at %i seconds", (seconds, code) => {
    expect(stepOfCode(RFC_SECRET, code.slice(2), new Date(seconds * 1000))).toBe(Math.floor(seconds / 30));
    expect(codeAt(RFC_SECRET, seconds * 1000)).toBe(code.slice(2));
  });

  it.each([
    [-2, false],
    [-1, true],
    [0, true],
    [1, true],
    [2, false],
  ])("of a phone whose clock is %i steps off: accepted is %s", async (steps, isAccepted) => {
    const { user, secret } = await withApp();
    const code = codeAt(secret, NOW + steps * STEP);
    const signedIn = signIn(user, code).then(
      () => true,
      () => false,
    );
    expect(await signedIn).toBe(isAccepted);
  });
});

describe("setting up an app", () => {
  it("answers a secret of 160 bits with its address, and changes nothing yet", async () => {
    const user = await addSignedIn();
    const ctx = signedInAs(user);
    const { secret, uri, qrCode } = await startSecondFactor(ctx);
    expect(secret).toMatch(/^[A-Z2-7]{32}$/);
    const { host, protocol, searchParams } = new URL(uri);
    expect([protocol, host]).toEqual(["otpauth:", "totp"]);
    expect(Object.fromEntries(searchParams)).toMatchObject({ secret, digits: "6", period: "30" });
    expect(decodeURIComponent(uri)).toContain(user.email);
    expect(qrCode).toMatch(/^<svg /);
    expect(await readSecondFactor(ctx)).toEqual({ enabledAt: null, recoveryCodes: 0 });
    expect((await logIn(elsewhere(), { email: user.email, password: PASSWORD })).token).not.toBeNull();
  });

  it("stores the secret encrypted, each time in another way", async () => {
    const user = await addSignedIn();
    const { secret } = await startSecondFactor(signedInAs(user));
    const [row] = await db.select().from(secondFactors).where(eq(secondFactors.userId, user.id));
    expect(row!.secret).toMatch(/^sealed:/);
    expect(row!.secret).not.toContain(secret);
  });

  it("needs one valid code, then answers ten recovery codes, mails a notice and is logged", async () => {
    const user = await addSignedIn();
    const ctx = signedInAs(user);
    const { secret } = await startSecondFactor(ctx);
    const wrong = codeAt(secret, ctx.now.getTime() + 10 * MINUTE);
    expect(await rejectionOf(enableSecondFactor(ctx, { code: wrong }))).toMatchObject({
      code: "invalid",
      field: "code",
    });
    expect((await readSecondFactor(ctx)).enabledAt).toBeNull();
    const { codes } = await enableSecondFactor(ctx, { code: codeAt(secret, ctx.now.getTime()) });
    expect(new Set(codes).size).toBe(10);
    for (const code of codes) expect(code).toMatch(/^[0-9a-hjkmnp-tv-z]{7}(-[0-9a-hjkmnp-tv-z]{7}){3}$/);
    expect(await readSecondFactor(ctx)).toEqual({ enabledAt: ctx.now.getTime(), recoveryCodes: 10 });
    expect(await subjectsTo(user)).toEqual([expect.stringContaining("authenticator app was added")]);
    expect(await eventsOf(user)).toEqual([["second_factor_on", null]]);
    const stored = await db.select().from(recoveryCodes).where(eq(recoveryCodes.userId, user.id));
    expect(JSON.stringify(stored)).not.toContain(codes[0]!.replaceAll("-", ""));
  });

  it("uses up the code that switches it on", async () => {
    const user = await addSignedIn();
    const ctx = signedInAs(user);
    const { secret } = await startSecondFactor(ctx);
    const code = codeAt(secret, ctx.now.getTime());
    await enableSecondFactor(ctx, { code });
    expect((await rejectionOf(signIn(user, code, at(ctx.now.getTime())))).message).toMatch(/already used/);
  });

  it("begins again with another secret until it is on, and then refuses", async () => {
    const { user, secret } = await withApp();
    const ctx = signedInAs(user);
    expect(await rejectionOf(startSecondFactor(ctx))).toMatchObject({ code: "conflict" });
    expect(await rejectionOf(enableSecondFactor(ctx, { code: codeAt(secret, NOW) }))).toMatchObject({
      code: "conflict",
    });
    const other = await addSignedIn();
    const first = await startSecondFactor(signedInAs(other));
    const second = await startSecondFactor(signedInAs(other));
    expect(second.secret).not.toBe(first.secret);
    const old = enableSecondFactor(signedInAs(other), { code: codeAt(first.secret, Date.now()) });
    expect(await rejectionOf(old)).toMatchObject({ code: "invalid" });
  });

  it("limits guesses at the first code", async () => {
    const user = await addSignedIn();
    const ctx = signedInAs(user);
    await startSecondFactor(ctx);
    for (let n = 0; n < 5; n++) await rejectionOf(enableSecondFactor(ctx, { code: "1" }));
    expect(await rejectionOf(enableSecondFactor(ctx, { code: "1" }))).toMatchObject({ code: "too_many" });
  });

  it("is not delayed by sign-ins with an address that names its count", async () => {
    const user = await addSignedIn();
    for (let n = 0; n < 6; n++)
      await rejectionOf(logIn(elsewhere(), { email: `new code ${user.email}`, password: "x" }));
    const { secret } = await startSecondFactor(signedInAs(user));
    await enableSecondFactor(signedInAs(user), { code: codeAt(secret, Date.now()) });
  });

  it("ends with the session in which it began, and then switches nothing on", async () => {
    const user = await addSignedIn();
    const ctx = signedInAs(user);
    const { secret } = await startSecondFactor(ctx);
    const end = () => db.update(users).set({ stamp: "another" }).where(eq(users.id, user.id));
    const code = codeAt(secret, ctx.now.getTime());
    const refused = await rejectionOf(enableSecondFactor(overtakenBy(ctx, end), { code }));
    expect(refused).toMatchObject({ code: "unauthenticated", message: expect.stringContaining("has ended") });
    expect((await readSecondFactor(signedInAs(user))).enabledAt).toBeNull();
  });

  it("signs out all other devices, also where there is a passkey; a passkey more does not", async () => {
    const user = await addSignedIn();
    await addPasskeyOf(signedInAs(user));
    const Cookie = await cookieFor(user);
    const ctx = signedInAs(user);
    const { secret } = await startSecondFactor(ctx);
    await enableSecondFactor(ctx, { code: codeAt(secret, ctx.now.getTime()) });
    expect((await send("GET", "/session", undefined, { Cookie })).status).toBe(401);
    const later = await cookieFor(user);
    await addPasskeyOf(ctx);
    expect((await send("GET", "/session", undefined, { Cookie: later })).status).toBe(200);
  });

  it("continues in the session that set it up, by a new cookie alone", async () => {
    const user = await addUser();
    const Cookie = await cookieByPassword(user);
    const begun = await send("POST", "/account/second-factor", undefined, { Cookie });
    const { secret } = await begun.json<{ secret: string }>();
    const code = codeAt(secret, Date.now());
    const done = await send("PUT", "/account/second-factor", { code }, { Cookie });
    expect(done.status).toBe(200);
    const [renewed = ""] = done.headers.getSetCookie();
    expect(await statusOf(renewed.split(";")[0]!)).toBe(200);
    expect(await statusOf(Cookie)).toBe(401);
  });

  it("leaves no session to the password alone, not even one that opens at the same time", async () => {
    const { user } = await withApp();
    expect(await statusOf(await cookieByPassword(user))).toBe(401);
    const { name, value } = await rowSessionOf(user);
    expect(await statusOf(`${name}=${value}`)).toBe(401);
    await disableSecondFactor(signedInAs(user));
    expect(await statusOf(await cookieByPassword(user))).toBe(200);
  });

  it("is known to a session after a new password", async () => {
    const { user } = await withApp();
    const body = { currentPassword: PASSWORD, password: CHOSEN };
    const changed = await send("POST", "/account/password", body, { Cookie: await cookieFor(user) });
    const [renewed = ""] = changed.headers.getSetCookie();
    expect(await statusOf(renewed.split(";")[0]!)).toBe(200);
  });

  it.each([
    ["POST", "/account/second-factor", undefined],
    ["DELETE", "/account/second-factor", undefined],
    ["POST", "/account/recovery-codes", undefined],
  ])("needs a recent proof: %s %s", async (method, path, body) => {
    const { user } = await withApp();
    const Cookie = await cookieFor(user, 11 * MINUTE);
    const refused = await send(method, path, body, { Cookie });
    expect(await errorOf(refused)).toMatchObject({ code: "reauthentication_required" });
  });
});

describe("a sign-in by password with an app", () => {
  it("opens a session only with a code", async () => {
    const { user, secret } = await withApp();
    const credentials = { email: user.email, password: PASSWORD };
    const first = await send("POST", "/session", credentials);
    expect(first.status).toBe(200);
    expect(first.headers.getSetCookie()).toEqual([]);
    const { signIn: half } = await first.json<{ signIn: string }>();
    expect(await signInsOf(user)).toBe(0);
    const second = await send("POST", "/session/code", { signIn: half, code: codeAt(secret, Date.now()) });
    expect(second.status).toBe(201);
    expect(await second.json()).toMatchObject({ id: user.id });
    const [cookie = ""] = second.headers.getSetCookie();
    const session = await send("GET", "/session", undefined, { Cookie: cookie.split(";")[0]! });
    expect(session.status).toBe(200);
    expect(await eventsOf(user)).toContainEqual(["login", "code"]);
  });

  it("takes a code with spaces, as apps show it", async () => {
    const { user, secret } = await withApp();
    const code = codeAt(secret, NOW);
    const { token } = await signIn(user, ` ${code.slice(0, 3)} ${code.slice(3)} `);
    expect(await isSignedIn(token)).toBe(true);
  });

  it("refuses a wrong code, and logs it", async () => {
    const { user, secret } = await withApp();
    const wrong = codeAt(secret, NOW + 60 * MINUTE);
    expect(await rejectionOf(signIn(user, wrong))).toMatchObject({
      code: "invalid",
      field: "code",
      message: expect.stringMatching(/^This code isn’t right/),
    });
    expect(await eventsOf(user)).toContainEqual(["code_refused", "app"]);
  });

  it("leaves a trace of the right password, and mails about the first wrong code after it", async () => {
    const { user } = await withApp();
    const half = await firstStep(user);
    expect(await eventsOf(user)).toContainEqual(["code_asked", null]);
    for (let n = 0; n < 2; n++) await rejectionOf(signInByCode(at(NOW), { signIn: half, code: "000000" }));
    const about = (await subjectsTo(user)).filter((subject) => subject.includes("wrong code"));
    expect(about).toEqual(["A sign-in with your password had a wrong code"]);
  });

  it("fills the audit log with 20 right passwords an hour at most, however often one is typed", async () => {
    const { user } = await withApp();
    for (let n = 0; n < 22; n++) await firstStep(user);
    const asked = (await eventsOf(user)).filter(([kind]) => kind === "code_asked");
    expect(asked).toHaveLength(20);
  });

  it("takes each code once, also of an earlier step", async () => {
    const { user, secret } = await withApp();
    await signIn(user, codeAt(secret, NOW));
    const repeated = signIn(user, codeAt(secret, NOW), at(NOW + STEP / 2));
    expect((await rejectionOf(repeated)).message).toBe("This code was already used. Wait for the next one.");
    const earlier = signIn(user, codeAt(secret, NOW - STEP));
    expect((await rejectionOf(earlier)).message).toMatch(/already used/);
    await signIn(user, codeAt(secret, NOW + STEP), at(NOW + STEP));
  });

  it("lets one of two simultaneous sign-ins with a code win", async () => {
    const { user, secret } = await withApp();
    const [first, second] = [await firstStep(user), await firstStep(user)];
    const code = codeAt(secret, NOW);
    const settled = await Promise.allSettled(
      [first, second].map((half) => signInByCode(at(NOW), { signIn: half, code })),
    );
    expect(settled.map(({ status }) => status).toSorted()).toEqual(["fulfilled", "rejected"]);
    expect(await signInsOf(user)).toBe(1);
  });

  it("waits for nothing else: the first step lasts ten minutes", async () => {
    const { user, secret } = await withApp();
    const half = await firstStep(user);
    const late = NOW + 10 * MINUTE + 1000;
    const refused = await rejectionOf(signInByCode(at(late), { signIn: half, code: codeAt(secret, late) }));
    expect(refused).toMatchObject({ code: "invalid", message: expect.stringMatching(/took too long/) });
  });

  it.each<[string, Partial<Person>]>([
    ["another stamp, as after a new password", { stamp: "another" }],
    ["a disabled account", { isActive: false }],
  ])("ends with %s", async (_, values) => {
    const { user, secret } = await withApp();
    const half = await firstStep(user);
    await db.update(users).set(values).where(eq(users.id, user.id));
    const refused = signInByCode(at(NOW), { signIn: half, code: codeAt(secret, NOW) });
    expect((await rejectionOf(refused)).code).toBe("invalid");
    expect(await signInsOf(user)).toBe(0);
  });

  it("refuses the first step of another user, and another kind of token", async () => {
    const [mine, other] = [await withApp(), await withApp()];
    const half = await firstStep(other.user);
    const refused = signInByCode(at(NOW), { signIn: half, code: codeAt(mine.secret, NOW) });
    expect((await rejectionOf(refused)).code).toBe("invalid");
    const link = new URL(
      await accountLink(visitorContext(), "reset-password", { ...mine.user, pendingEmail: null }),
    );
    const token = link.searchParams.get("token") ?? "";
    const forged = signInByCode(at(NOW), { signIn: token, code: codeAt(mine.secret, NOW) });
    expect((await rejectionOf(forged)).message).toMatch(/took too long/);
  });

  it("limits codes per account, whatever the address, and a right password does not reset the count", async () => {
    const { user, secret } = await withApp();
    for (let n = 0; n < 5; n++) {
      const half = await firstStep(user);
      await rejectionOf(signInByCode(at(NOW), { signIn: half, code: "000000" }));
    }
    const half = await firstStep(user);
    const refused = await rejectionOf(signInByCode(at(NOW), { signIn: half, code: codeAt(secret, NOW) }));
    expect(refused.code).toBe("too_many");
  });

  it("is not delayed by sign-ins with an address that names the code’s count", async () => {
    const { user, secret } = await withApp();
    for (let n = 0; n < 6; n++)
      await rejectionOf(logIn(at(NOW), { email: `code ${user.email}`, password: "x" }));
    expect((await signIn(user, codeAt(secret, NOW))).admin.id).toBe(user.id);
  });

  it("stays counted after a reset link, so that the thief of a mailbox gets no more guesses", async () => {
    const { user } = await withApp();
    for (let n = 0; n < 5; n++) await rejectionOf(proveCode(at(NOW), user, "000000", { isSignIn: false }));
    const link = await accountLink(visitorContext(), "reset-password", { ...user, pendingEmail: null });
    await resetPassword(elsewhere(), { token: new URL(link).searchParams.get("token")!, password: CHOSEN });
    const refused = await rejectionOf(proveCode(at(NOW), user, "000000", { isSignIn: false }));
    expect(refused.code).toBe("too_many");
  });

  it("waits up to a quarter of an hour after many wrong codes", async () => {
    const { user } = await withApp();
    let time = NOW;
    let wait = 0;
    for (let n = 0; n < 28; n++) {
      const refused = await rejectionOf(proveCode(at(time), user, "000000", { isSignIn: false }));
      if (refused.code !== "too_many") continue;
      wait = refused.retryAfter ?? 0;
      time += wait * 1000;
    }
    expect(wait).toBe(900);
  });

  it("limits codes per address, whatever the account", async () => {
    const ctx = at(NOW);
    const people = await Promise.all(Array.from({ length: 5 }, () => withApp()));
    const halves = await Promise.all(people.map(({ user }) => firstStep(user)));
    for (let n = 0; n < 20; n++)
      await rejectionOf(signInByCode(ctx, { signIn: halves[n % 5]!, code: "000000" }));
    const half = await firstStep((await withApp()).user);
    expect((await rejectionOf(signInByCode(ctx, { signIn: half, code: "000000" }))).code).toBe("too_many");
  });

  it("does not open a session if the app is switched on after the password was checked", async () => {
    const user = await addUser();
    const row = { userId: user.id, secret: "sealed:", createdAt: new Date(), enabledAt: new Date() };
    const ctx = overtakenBy(elsewhere(), () => db.insert(secondFactors).values(row).onConflictDoNothing());
    const refused = await rejectionOf(logIn(ctx, { email: user.email, password: PASSWORD }));
    expect(refused.code).toBe("conflict");
    expect(await signInsOf(user)).toBe(0);
  });
});

describe("a recovery code", () => {
  it("signs in once, also typed in capitals and without dashes; a mail says how many are left", async () => {
    const { user, codes } = await withApp();
    const typed = codes[0]!.toUpperCase().replaceAll("-", " ");
    const { token } = await signIn(user, typed);
    expect(await isSignedIn(token)).toBe(true);
    expect((await readSecondFactor(signedInAs(user))).recoveryCodes).toBe(9);
    const mail = (await mailsTo(user.email)).at(-1)!;
    expect(mail.subject).toMatch(/^A recovery code was used/);
    expect(mail.text).toContain("9 are left.");
    expect(await eventsOf(user)).toContainEqual(["recovery_code_used", null]);
    expect(await rejectionOf(signIn(user, codes[0]!))).toMatchObject({
      code: "invalid",
      message: "This recovery code isn’t valid. Each one works once.",
    });
  });

  it("reads o as 0, and i and l as 1, which are mistaken for each other on paper", async () => {
    const { user } = await withApp();
    const ctx = signedInAs(user);
    let code: string | undefined;
    for (let n = 0; n < 50 && !code; n++)
      code = (await replaceRecoveryCodes(ctx)).codes.find((one) => one.includes("0") && one.includes("1"));
    const { token } = await signIn(user, code!.replaceAll("0", "O").replaceAll("1", "l"));
    expect(await isSignedIn(token)).toBe(true);
  });

  it("lets one of two simultaneous sign-ins win", async () => {
    const { user, codes } = await withApp();
    const halves = [await firstStep(user), await firstStep(user)];
    const settled = await Promise.allSettled(
      halves.map((half) => signInByCode(at(NOW), { signIn: half, code: codes[3]! })),
    );
    expect(settled.map(({ status }) => status).toSorted()).toEqual(["fulfilled", "rejected"]);
    expect(await signInsOf(user)).toBe(1);
    expect(await db.$count(recoveryCodes, eq(recoveryCodes.userId, user.id))).toBe(9);
  });

  it("is its user’s own", async () => {
    const [mine, other] = [await withApp(), await withApp()];
    expect((await rejectionOf(signIn(mine.user, other.codes[0]!))).code).toBe("invalid");
    expect(await db.$count(recoveryCodes, eq(recoveryCodes.userId, other.user.id))).toBe(10);
  });

  it("is replaced by new ones, all of them", async () => {
    const { user, codes } = await withApp();
    const renewed = await replaceRecoveryCodes(signedInAs(user));
    expect((await rejectionOf(signIn(user, codes[0]!))).code).toBe("invalid");
    expect(await isSignedIn((await signIn(user, renewed.codes[0]!)).token)).toBe(true);
    expect(await eventsOf(user)).toContainEqual(["recovery_codes_made", null]);
  });

  it("is not made without an app", async () => {
    expect((await rejectionOf(replaceRecoveryCodes(signedInAs(await addUser())))).code).toBe("not_found");
    expect((await rejectionOf(disableSecondFactor(signedInAs(await addUser())))).code).toBe("not_found");
  });
});

describe("the secret of an app", () => {
  const withKeys = (...keySecrets: string[]) => {
    const ctx = ownerContext();
    return { ...ctx, config: { ...ctx.config, keySecrets } };
  };
  const [ONE, TWO] = ["1".repeat(32), "2".repeat(32)];
  const unreadable = async (ctx: Context) => (await readSystem(ctx)).state.keys.unreadable;

  it("is encrypted by KEY_SECRET from the next night on, and counted if it cannot be read", async () => {
    await db.delete(secondFactors);
    const { user, secret } = await withApp();
    const stored = async () =>
      (await db.select().from(secondFactors).where(eq(secondFactors.userId, user.id)))[0]!.secret;
    const before = await stored();
    await resealSecrets(withKeys(ONE));
    const sealed = await stored();
    expect(sealed).not.toBe(before);
    const others = await unreadable(withKeys(ONE));
    expect(await unreadable(withKeys(TWO))).toBeGreaterThan(others);
    await resealSecrets(withKeys(TWO));
    expect(await stored()).toBe(sealed);
    await resealSecrets(withKeys(TWO, ONE));
    expect(await unsealSecret(withKeys(TWO), await stored())).toBe(secret);
  });
});

describe("a copy of the database", () => {
  it("has no seed of an app, no key that encrypts it, and no recovery code", async () => {
    await withApp();
    const statements: string[] = [];
    for await (const statement of backUp(askOf(jobContext()))) statements.push(statement);
    for (const table of ["second_factors", "factor_keys", "recovery_codes"]) {
      expect(statements.join("\n")).toContain(`CREATE TABLE \`${table}\``);
      expect(statements.join("\n")).not.toContain(`INSERT INTO "${table}"`);
    }
  });
});

describe("switching the app off", () => {
  it("deletes secret and recovery codes, mails a notice, and no longer asks for a code", async () => {
    const { user, codes } = await withApp();
    await disableSecondFactor(signedInAs(user));
    expect(await db.$count(secondFactors, eq(secondFactors.userId, user.id))).toBe(0);
    expect(await db.$count(recoveryCodes, eq(recoveryCodes.userId, user.id))).toBe(0);
    expect((await logIn(elsewhere(), { email: user.email, password: PASSWORD })).token).not.toBeNull();
    expect((await subjectsTo(user)).at(-1)).toMatch(/authenticator app was removed/);
    expect(await eventsOf(user)).toContainEqual(["second_factor_off", null]);
    expect(codes).toHaveLength(10);
  });
});

describe("a reset of the password by mail", () => {
  it("leaves the app on: the next sign-in asks for its code", async () => {
    const { user, secret } = await withApp();
    const link = new URL(
      await accountLink(visitorContext(), "reset-password", { ...user, pendingEmail: null }),
    );
    await resetPassword(elsewhere(), { token: link.searchParams.get("token")!, password: CHOSEN });
    const { token, answer } = await logIn(elsewhere(), { email: user.email, password: CHOSEN });
    expect(token).toBeNull();
    const half = "signIn" in answer ? answer.signIn : "";
    const signedIn = await signInByCode(at(NOW), { signIn: half, code: codeAt(secret, NOW) });
    expect(await actorOf(visitorContext(), signedIn.token)).toMatchObject({ id: user.id });
  });
});

describe("a code as the proof of who the user is", () => {
  it("counts once, and a recovery code does not", async () => {
    const { user, secret, codes } = await withApp();
    const Cookie = await cookieFor(user, 11 * MINUTE);
    const prove = (code: string) => send("POST", "/session/proof", { code }, { Cookie });
    expect((await prove(codes[0]!)).status).toBe(422);
    const code = codeAt(secret, Date.now());
    const proved = await prove(code);
    expect(proved.status).toBe(204);
    const [renewed = ""] = proved.headers.getSetCookie();
    const now = { Cookie: renewed.split(";")[0]! };
    expect((await send("GET", "/session/proof", undefined, now)).status).toBe(204);
    expect(await errorOf(await prove(code))).toMatchObject({ field: "code", code: "invalid" });
    expect(await eventsOf(user)).toContainEqual(["identity_confirmed", "code"]);
  });

  it("is refused without an app", async () => {
    const user = await addUser();
    await openSessionOf(user);
    expect((await rejectionOf(confirmIdentity(signedInAs(user), { code: "123456" }))).code).toBe("invalid");
  });
});
