import { eq } from "drizzle-orm";
import { SignJWT, UnsecuredJWT } from "jose";
import { describe, expect, it } from "vitest";
import { readSite } from "#worker/settings/queries.ts";
import { isCommonPassword } from "#worker/accounts/common-passwords.ts";
import { NewPassword, PASSWORD_RULES } from "#worker/accounts/contract.ts";
import { logIn } from "#worker/accounts/session-commands.ts";
import { passwordMatches } from "#worker/accounts/passwords.ts";
import { requestReset } from "#worker/accounts/request-commands.ts";
import { readReset } from "#worker/accounts/link-queries.ts";
import { resetPassword } from "#worker/accounts/password-commands.ts";
import { users } from "#worker/accounts/table.ts";
import { backUp } from "#worker/backups/database-sql.ts";
import { readMail } from "#worker/mail/log.ts";
import { askOf } from "#worker/platform/data/schema.ts";
import { signLink } from "#worker/platform/http/signed.ts";
import { outbox } from "#worker/platform/table.ts";
import {
  addUser,
  CHOSEN,
  elsewhere,
  errorOf,
  household,
  HOUR,
  later,
  latestToken,
  mailsTo,
  PASSWORD,
  rejectionOf,
  SECOND,
  send,
  signedInAs,
  userOf,
} from "./support/accounts.ts";
import { cookieFor, fetchSite, jobContext, visitorContext } from "./support/client.ts";
import { holdClock } from "./support/clock.ts";
import { deliverAll } from "./support/outbox.ts";

const INVALID = "Invalid or expired reset link. Please request a new one.";
const db = jobContext().db;

/** Requests a reset and returns the link's token. */
async function linkFor({ email }: { email: string }) {
  await requestReset(elsewhere(), { email });
  await deliverAll();
  return latestToken(email);
}

describe("a reset request", () => {
  it("sends the link, and counts", async () => {
    const user = await addUser();
    const before = await userOf(user.id);
    const response = await send("POST", "/password-reset", { email: ` ${user.email.toUpperCase()} ` });
    expect(response.status).toBe(200);
    expect(await response.json()).toEqual({
      success: true,
      message: "If this address has an account, we sent it a reset link. It expires in 1 hour.",
    });
    await deliverAll(jobContext({ now: new Date(Date.now() + SECOND) }));
    const [mail, ...others] = await mailsTo(user.email);
    expect(others).toEqual([]);
    expect(mail?.link).toMatch(/^http:\/\/localhost:8787\/admin\/reset-password\?token=/);
    const after = await userOf(user.id);
    expect(after?.passwordResetAttempts).toBe(1);
    expect(after?.updatedAt.getTime()).toBeGreaterThan(before?.updatedAt.getTime() ?? Infinity);
    await linkFor(user);
    expect((await userOf(user.id))?.passwordResetAttempts).toBe(2);
  });

  it("for a malformed address answers with the specified message", async () => {
    for (const email of ["nonsense", "a@b", "@example.com", "x".repeat(300) + "@example.com"]) {
      const response = await send("POST", "/password-reset", { email });
      expect(response.status).toBe(422);
      expect(await errorOf(response)).toEqual({
        code: "invalid",
        field: "email",
        message: "Admin user not found or password reset failed. Please check your email address.",
      });
    }
  });

  it("gets the same response, after the same work, whether or not the account exists", async () => {
    const known = await addUser();
    const disabled = await addUser({ isActive: false });
    const answers = await Promise.all(
      [known.email, disabled.email, "nobody@example.com"].map(async (email) => {
        const response = await send("POST", "/password-reset", { email });
        const ctx = elsewhere();
        await requestReset(ctx, { email });
        return { status: response.status, text: await response.text(), statements: ctx.d1.statements };
      }),
    );
    expect(new Set(answers.map((answer) => JSON.stringify(answer))).size).toBe(1);
    await deliverAll(jobContext({ now: new Date(Date.now() + SECOND) }));
    expect(await mailsTo(known.email)).toHaveLength(2);
    expect(await mailsTo(disabled.email)).toEqual([]);
    expect(await mailsTo("nobody@example.com")).toEqual([]);
  });

  it("resends the invitation to an invited user", async () => {
    const user = await addUser({ passwordHash: null, emailVerified: false });
    await linkFor(user);
    expect((await mailsTo(user.email)).at(-1)?.link).toContain("/admin/invitation?token=");
  });

  it("is refused after ten an hour from one requester, and after thirty for one mailbox", async () => {
    const email = `${crypto.randomUUID()}@example.com`;
    const ask = (address: string) =>
      send("POST", "/password-reset", { email }, { "CF-Connecting-IP": address });
    for (let i = 0; i < 10; i++) expect((await ask("203.0.113.77")).status).toBe(200);
    expect((await ask("203.0.113.77")).status).toBe(429);
    for (let i = 0; i < 20; i++) await requestReset(elsewhere(), { email });
    expect((await rejectionOf(requestReset(elsewhere(), { email }))).code).toBe("too_many");
  });

  it("repeated 80 times concurrently sends a mailbox exactly thirty emails", async () => {
    const { email } = await addUser();
    const answers = await Promise.all(
      Array.from({ length: 80 }, () => send("POST", "/password-reset", { email })),
    );
    await deliverAll(later(SECOND));
    expect(await mailsTo(email)).toHaveLength(30);
    expect(answers.filter(({ status }) => status === 429)).toHaveLength(50);
  });

  it("repeated 20 times concurrently is accepted exactly ten times from one requester", async () => {
    const from = { "CF-Connecting-IP": household() };
    const asked = Array.from({ length: 20 }, (_, n) =>
      send("POST", "/password-reset", { email: `${n}-${crypto.randomUUID()}@example.com` }, from),
    );
    const answers = await Promise.all(asked);
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(10);
  });
});

describe("a reset link", () => {
  it("sets the password, notifies the user, and signs out all devices", async () => {
    const user = await addUser();
    const Cookie = await cookieFor(user);
    const token = await linkFor(user);
    const response = await send("POST", "/password-reset/confirm", { token, password: CHOSEN });
    expect(response.status).toBe(200);
    expect(await response.json()).toMatchObject({ success: true, email: user.email });
    expect((await send("GET", "/session", undefined, { Cookie })).status).toBe(401);
    await rejectionOf(logIn(elsewhere(), { email: user.email, password: PASSWORD }));
    await logIn(elsewhere(), { email: user.email, password: CHOSEN });
    expect((await mailsTo(user.email)).at(-1)?.subject).toContain("was changed");
  });

  it("is not used up by a mail scanner", async () => {
    const user = await addUser();
    const token = await linkFor(user);
    const before = await userOf(user.id);
    for (const method of ["GET", "HEAD"]) {
      const response = await fetchSite(`/admin/reset-password?token=${token}`, { method });
      await response.text();
    }
    expect((await fetchSite(`/api/admin/password-reset/confirm?token=${token}`)).status).toBe(405);
    expect(await userOf(user.id)).toEqual(before);
    expect(await readReset(visitorContext(), token)).toEqual({
      state: "ready",
      email: user.email,
      fullName: user.fullName,
    });
  });

  it("works once, and then shows that it was used", async () => {
    const user = await addUser();
    const [first, second] = [await linkFor(user), await linkFor(user)];
    await resetPassword(visitorContext(), { token: second, password: CHOSEN });
    for (const token of [first, second]) {
      expect(await readReset(visitorContext(), token)).toEqual({ state: "used", message: INVALID });
      await expectRefused(token, user);
    }
  });

  it("used twice at the same time works once", async () => {
    const user = await addUser();
    const token = await linkFor(user);
    const both = await Promise.allSettled(
      [CHOSEN, "Another choice 8"].map((password) => resetPassword(visitorContext(), { token, password })),
    );
    expect(both.map(({ status }) => status).toSorted()).toEqual(["fulfilled", "rejected"]);
    expect((await mailsTo(user.email)).filter(({ subject }) => subject.includes("was changed"))).toHaveLength(
      1,
    );
  });

  it("works for 1 hour, and then shows that it expired", async () => {
    holdClock();
    const user = await addUser();
    const token = await linkFor(user);
    expect(await readReset(later(HOUR - 10 * SECOND), token)).toMatchObject({ state: "ready" });
    expect(await readReset(later(HOUR + 10 * SECOND), token)).toEqual({ state: "expired", message: INVALID });
    const late = resetPassword(later(HOUR + 10 * SECOND), { token, password: CHOSEN });
    expect((await rejectionOf(late)).message).toBe(INVALID);
  });

  it("that is missing or invalid shows that", async () => {
    expect(await readReset(visitorContext(), "")).toEqual({ state: "missing", message: INVALID });
    expect(await readReset(visitorContext(), "a.b.c")).toEqual({ state: "invalid", message: INVALID });
    const response = await send("POST", "/password-reset/confirm", { token: "", password: CHOSEN });
    expect(await errorOf(response)).toEqual({ code: "invalid", field: "token", message: INVALID });
  });

  it("does not sign in a disabled or deleted user", async () => {
    const [disabled, deleted] = [await addUser(), await addUser()];
    const tokens = [await linkFor(disabled), await linkFor(deleted)];
    await db.update(users).set({ isActive: false }).where(eq(users.id, disabled.id));
    await db.delete(users).where(eq(users.id, deleted.id));
    for (const token of tokens) {
      expect(await readReset(visitorContext(), token)).toMatchObject({ state: "invalid" });
    }
  });

  it.each(["verify-user", "invite", "change-address", "unsubscribe"] as const)(
    "for %s is refused",
    async (purpose) => {
      const user = await addUser();
      const token = await signLink(visitorContext(), { purpose, subject: user.id, stamp: user.stamp }, 3600);
      await expectRefused(token, user);
    },
  );

  it("signed with another key, or unsigned, is refused", async () => {
    const user = await addUser();
    const claims = (jwt: SignJWT | UnsecuredJWT) =>
      jwt.setAudience("reset-password").setSubject(user.id).setIssuedAt().setExpirationTime("1h");
    const payload = { stamp: user.stamp };
    const foreign = claims(new SignJWT(payload)) as SignJWT;
    await expectRefused(await foreign.setProtectedHeader({ alg: "HS256" }).sign(new Uint8Array(32)), user);
    // `alg: none`
    await expectRefused((claims(new UnsecuredJWT(payload)) as UnsecuredJWT).encode(), user);
  });

  it("is shown in the admin area only to a super admin", async () => {
    const user = await addUser({ role: "super_admin" });
    await linkFor(user);
    const rows = await db.select().from(outbox);
    const { id } = rows.findLast(({ payload }) => JSON.stringify(payload).includes("reset-password?token="))!;
    expect((await readMail(signedInAs(user), id)).content?.text).toContain("token=");
    const admin = signedInAs(await addUser({ role: "admin" }));
    expect((await rejectionOf(readMail(admin, id))).code).toBe("forbidden");
  });

  it("is not shown to a session without a recent proof", async () => {
    const user = await addUser({ role: "super_admin" });
    await linkFor(user);
    const rows = await db.select().from(outbox);
    const { id } = rows.findLast(({ payload }) => JSON.stringify(payload).includes("reset-password?token="))!;
    const owner = signedInAs(user);
    const afterProof = { ...owner, now: new Date(owner.now.getTime() + 11 * 60_000) };
    expect(await readMail(afterProof, id)).toMatchObject({ to: user.email, content: null });
  });

  it("is in no copy of the database", async () => {
    await linkFor(await addUser({ role: "super_admin" }));
    const statements: string[] = [];
    for await (const statement of backUp(askOf(jobContext()))) statements.push(statement);
    expect(statements.join("\n")).toContain("CREATE TABLE `outbox`");
    expect(statements.join("\n")).not.toMatch(/reset-password\?token=|account-request/);
  });

  async function expectRefused(token: string, user: { id: string }) {
    const before = await userOf(user.id);
    const error = await rejectionOf(
      resetPassword(visitorContext(), { token, password: "Never to be taken 3" }),
    );
    expect(error.message).toBe(INVALID);
    expect(await userOf(user.id)).toEqual(before);
  }
});

describe("a new password", () => {
  it.each([
    ["Short1", "Password must be at least 8 characters long"],
    ["UPPERCASE1", "Password must contain at least one lowercase letter"],
    ["lowercase1", "Password must contain at least one uppercase letter"],
    ["No figure here", "Password must contain at least one number"],
    ["short", "Password must be at least 8 characters long"],
    ["", "Password must be at least 8 characters long"],
    ["alllowercase", "Password must contain at least one uppercase letter"],
  ])("%j is refused with the first rule that it breaks", (password, message) => {
    expect(NewPassword.safeParse(password).error?.issues.map((issue) => issue.message)).toEqual([message]);
  });

  it("may be written in any alphabet, and is at most 200 characters", () => {
    expect(NewPassword.safeParse("Тихая веранда 7").success).toBe(true);
    expect(PASSWORD_RULES.every(({ holds }) => holds(CHOSEN))).toBe(true);
    expect(NewPassword.safeParse("Aa1".repeat(66)).success).toBe(true);
    expect(NewPassword.safeParse("Aa1".repeat(70)).success).toBe(false);
  });

  it.each([
    "Password1",
    "P@ssw0rd123",
    "Qwerty2024!",
    "Welcome1",
    "12345678",
    "Abcdefgh",
    "aaaaaaaa",
    "Abc1Abc1Abc1",
    "1qaz2wsx",
    "Ada.Quill1",
    "ada.quill@example.com",
    "Sydney2026",
    // Of the first 10,000 leaked ones, but not of the first 2,000.
    "Freckles1",
    "Stephanie7",
    "2Rootbeer!",
  ])("%s is too common", (password) => {
    expect(isCommonPassword(password, { email: "ada.quill@example.com", names: [] })).toBe(true);
  });

  it.each([CHOSEN, PASSWORD, "84729103", "Tr0ub4dour&3", "a long and quiet verandah"])(
    "%s is not too common",
    (password) => {
      expect(isCommonPassword(password, { email: "1234@example.com", names: [] })).toBe(false);
    },
  );

  it.each([
    ["Rostrum1", true],
    ["JaneCitizen2026!", true],
    ["Citizen-Jane-7", true],
    ["1rostrum.Example", true],
    ["RostrumVerandah1", false],
    ["JaneLovesHousing1", false],
    ["Én1234567", false],
    ["R0strum2024", true],
    ["The 8392018475610#!", false],
    ["Dragon-7391-#84-2260-!", false],
    ["Qq4829104857203948", false],
    ["Cafenoir1", true],
    ["Theartofwar2024", true],
    ["Aljazeera1", true],
  ])("%s is made of the site’s and the user’s names: %s", (password, isRefused) => {
    const names = [
      "The Rostrum",
      "rostrum.example",
      "Jane Citizen",
      "Café Noir",
      "The Art of War",
      "Al Jazeera",
    ];
    expect(isCommonPassword(password, { email: "owner@example.net", names })).toBe(isRefused);
  });

  it("with the site’s name is refused", async () => {
    const token = await linkFor(await addUser());
    const { name } = await readSite(visitorContext());
    const password = `${name.replaceAll(/\P{L}/gu, "")}2026`;
    const response = await send("POST", "/password-reset/confirm", { token, password });
    expect(await errorOf(response)).toMatchObject({
      message: "This password is too easy to guess. Please choose another.",
    });
  });

  it("that is common is refused, and the link still works", async () => {
    const user = await addUser();
    const token = await linkFor(user);
    const response = await send("POST", "/password-reset/confirm", { token, password: "Password1" });
    expect(response.status).toBe(422);
    expect(await errorOf(response)).toEqual({
      code: "invalid",
      field: "password",
      message: "This password is too easy to guess. Please choose another.",
    });
    await resetPassword(visitorContext(), { token, password: CHOSEN });
    expect(await passwordMatches(CHOSEN, (await userOf(user.id))?.passwordHash ?? null)).toBe(true);
  });
});
