import { eq } from "drizzle-orm";
import { SignJWT, UnsecuredJWT } from "jose";
import { beforeEach, describe, expect, it } from "vitest";
import { SetupForm, type SetupInput } from "#worker/accounts/contract.ts";
import { passwordMatches } from "#worker/accounts/passwords.ts";
import { requestVerification } from "#worker/accounts/request-commands.ts";
import { readSetupState, readVerification } from "#worker/accounts/link-queries.ts";
import { confirmVerification, setUpAdmin } from "#worker/accounts/setup-commands.ts";
import { users } from "#worker/accounts/table.ts";
import { signLink } from "#worker/platform/http/signed.ts";
import { currentKey } from "#worker/platform/http/signing-keys.ts";
import { outbox } from "#worker/platform/table.ts";
import {
  addUser,
  errorOf,
  HOUR,
  later,
  latestToken,
  mailsTo,
  PASSWORD,
  rejectionOf,
  SECOND,
  send,
} from "./support/accounts.ts";
import { fetchSite, jobContext, visitorContext } from "./support/client.ts";
import { holdClock } from "./support/clock.ts";
import { deliverAll } from "./support/outbox.ts";
import { forgetRates } from "./support/rates.ts";

const OWNER = "owner@example.com";
const db = jobContext().db;

const owner = async () => (await db.select().from(users).where(eq(users.email, OWNER)))[0];

const setUp = (values: Partial<SetupInput> = {}) =>
  setUpAdmin(visitorContext(), { email: OWNER, fullName: "The Owner", password: PASSWORD, ...values });

async function startOver() {
  await db.delete(users);
  await db.delete(outbox);
  await forgetRates();
}

describe("set-up", () => {
  beforeEach(startOver);

  it("creates an inactive, unverified super admin and sends the link", async () => {
    const response = await send("POST", "/setup", {
      email: OWNER,
      fullName: "The Owner",
      password: PASSWORD,
    });
    expect(response.status).toBe(201);
    expect(await response.json()).toMatchObject({ success: true });
    expect(await owner()).toMatchObject({
      fullName: "The Owner",
      role: "super_admin",
      isActive: false,
      emailVerified: false,
    });
    const [mail, ...others] = await mailsTo(OWNER);
    expect(others).toEqual([]);
    expect(mail?.link).toMatch(/^http:\/\/localhost:8787\/admin\/verify-email\?token=/);
    expect(mail?.text).toContain(mail?.link);
  });

  it("takes the address in any case and with blanks around it", async () => {
    const response = await send("POST", "/setup", {
      email: ` ${OWNER.toUpperCase()} `,
      fullName: "O",
      password: PASSWORD,
    });
    expect(response.status).toBe(201);
    expect(await owner()).toBeDefined();
  });

  it("is refused to every other address, and nothing is written", async () => {
    const response = await send("POST", "/setup", {
      email: "me@example.net",
      fullName: "Me",
      password: PASSWORD,
    });
    expect(response.status).toBe(403);
    expect(await errorOf(response)).toMatchObject({
      message: "This address can’t set up the admin area.",
      field: "email",
    });
    expect(await db.select().from(users)).toEqual([]);
    expect(await mailsTo("me@example.net")).toEqual([]);
  });

  it.each([
    [{}, "email", "Email is required"],
    [{ email: "  " }, "email", "Email is required"],
    [{ email: "nonsense" }, "email", "Email is invalid"],
    [{ email: OWNER, fullName: " " }, "fullName", "Full name is required"],
    [{ email: OWNER, fullName: "A\nB", password: PASSWORD }, "fullName", "Full name must be on one line"],
    [
      { email: OWNER, fullName: "A\u202eB", password: PASSWORD },
      "fullName",
      "This name has an invisible character. Type it again.",
    ],
    [{ email: OWNER, fullName: "O" }, "password", "Password is required"],
    [{ email: OWNER, fullName: "O", password: "" }, "password", "Password is required"],
    [
      { email: OWNER, fullName: "O", password: "1234567" },
      "password",
      "Password must be at least 8 characters",
    ],
  ])("checks %j", async (body, field, message) => {
    const response = await send("POST", "/setup", body);
    expect(response.status).toBe(422);
    expect(await errorOf(response)).toMatchObject({ code: "invalid", message, field });
  });

  it("refuses keys that it does not know", async () => {
    const body = { email: OWNER, fullName: "O", password: PASSWORD, role: "user" };
    expect((await send("POST", "/setup", body)).status).toBe(422);
  });

  it("asks in the form for the same password twice", () => {
    const form = { email: OWNER, fullName: "O", password: PASSWORD, confirmPassword: "another one" };
    const { error } = SetupForm.safeParse(form);
    expect(error?.issues).toMatchObject([{ path: ["confirmPassword"], message: "Passwords do not match" }]);
  });

  it("done again before the verification, replaces name and password and ends the earlier link", async () => {
    await setUp();
    const earlier = await latestToken(OWNER);
    await setUp({ fullName: "Another Name", password: "another password" });
    expect(await db.select().from(users)).toHaveLength(1);
    const user = await owner();
    expect(user?.fullName).toBe("Another Name");
    expect(await passwordMatches("another password", user?.passwordHash ?? null)).toBe(true);
    expect(
      (await rejectionOf(confirmVerification(visitorContext(), { token: earlier, password: PASSWORD })))
        .message,
    ).toBe("Invalid verification link");
    await confirmVerification(visitorContext(), {
      token: await latestToken(OWNER),
      password: "another password",
    });
  });

  it("is closed once an admin is verified", async () => {
    await setUp();
    await confirmVerification(visitorContext(), { token: await latestToken(OWNER), password: PASSWORD });
    const before = await owner();
    const response = await send("POST", "/setup", {
      email: OWNER,
      fullName: "Thief",
      password: "stolen stolen",
    });
    expect(response.status).toBe(409);
    expect(await owner()).toEqual(before);
  });

  it("stays closed while the verified admin is disabled", async () => {
    await addUser({ role: "super_admin", isActive: false });
    expect((await rejectionOf(setUp())).code).toBe("conflict");
  });

  it("is not closed by an editor", async () => {
    await addUser({ role: "editor" });
    await setUp();
    expect(await owner()).toBeDefined();
  });

  it("names the address only until an admin is set up", async () => {
    const ctx = visitorContext();
    expect(await readSetupState(ctx)).toEqual({
      state: "open",
      email: OWNER,
      isDemoAddress: true,
      mailDestination: "console",
    });
    await setUp();
    expect(await readSetupState(ctx)).toMatchObject({ state: "pending", email: OWNER });
    await confirmVerification(ctx, { token: await latestToken(OWNER), password: PASSWORD });
    expect(await readSetupState(ctx)).toEqual({ state: "done" });
  });

  it("says where the link is: in a mailbox, on the console, or in the database of a deployed site", async () => {
    const ctx = visitorContext();
    const at = (config: Partial<typeof ctx.config>) =>
      readSetupState({ ...ctx, config: { ...ctx.config, ...config } });
    expect(await at({ siteUrl: "https://example.com" })).toMatchObject({ mailDestination: "database" });
    expect(await at({ siteUrl: "http://127.0.0.1:8787" })).toMatchObject({ mailDestination: "console" });
    expect(await at({ smtpUrl: "smtps://mail.example.net" })).toMatchObject({ mailDestination: "mailbox" });
  });

  it("sends at most thirty emails an hour, from wherever they are asked for", async () => {
    for (let i = 0; i < 30; i++) await requestVerification(visitorContext(), { email: OWNER });
    const response = await send("POST", "/setup", { email: OWNER, fullName: "O", password: PASSWORD });
    expect(response.status).toBe(429);
    expect(Number(response.headers.get("Retry-After"))).toBeGreaterThan(0);
    await setUpAdmin(later(HOUR), { email: OWNER, fullName: "O", password: PASSWORD });
  });
});

describe("verification", () => {
  beforeEach(async () => {
    await startOver();
    await setUp();
  });

  it("activates the account, once", async () => {
    const token = await latestToken(OWNER);
    const response = await send("POST", "/verification/confirm", { token, password: PASSWORD });
    expect(response.status).toBe(200);
    expect(await response.json()).toMatchObject({ success: true, email: OWNER });
    expect(await owner()).toMatchObject({ isActive: true, emailVerified: true });
    const again = await send("POST", "/verification/confirm", { token, password: PASSWORD });
    expect(again.status).toBe(422);
    expect(await errorOf(again)).toMatchObject({
      message: "This verification link has already been used. Please sign in.",
    });
  });

  it("needs the setup's password, so that a stranger's is not accepted through the owner's email", async () => {
    await setUp({ password: "the stranger's own" });
    const token = await latestToken(OWNER);
    for (const [password, message] of [
      [PASSWORD, "This isn’t the password chosen during set-up."],
      ["", "Password is required"],
      [undefined, "Password is required"],
    ]) {
      const response = await send("POST", "/verification/confirm", { token, password });
      expect(response.status).toBe(422);
      expect(await errorOf(response)).toEqual({ code: "invalid", field: "password", message });
    }
    expect(await owner()).toMatchObject({ isActive: false, emailVerified: false });
    await setUp();
    await confirmVerification(visitorContext(), { token: await latestToken(OWNER), password: PASSWORD });
  });

  it("confirmed twice at the same moment succeeds once", async () => {
    const token = await latestToken(OWNER);
    const both = await Promise.allSettled([
      confirmVerification(visitorContext(), { token, password: PASSWORD }),
      confirmVerification(visitorContext(), { token, password: PASSWORD }),
    ]);
    expect(both.map(({ status }) => status).toSorted()).toEqual(["fulfilled", "rejected"]);
  });

  it("works for 24 hours and then says that it expired", async () => {
    holdClock();
    await setUp();
    const token = await latestToken(OWNER);
    expect(await readVerification(later(24 * HOUR - 5 * SECOND), token)).toMatchObject({ state: "ready" });
    const error = await rejectionOf(
      confirmVerification(later(24 * HOUR + 5 * SECOND), { token, password: PASSWORD }),
    );
    expect(error.message).toContain("expired");
    expect(await owner()).toMatchObject({ isActive: false });
  });

  it.each([{}, { token: "" }, { token: "nonsense" }, { token: "a.b.c" }])("refuses %j", async (body) => {
    const response = await send("POST", "/verification/confirm", body);
    expect(response.status).toBe(422);
    expect(await errorOf(response)).toMatchObject({ message: "Invalid verification link" });
  });

  it("refuses a link that was made for another purpose", async () => {
    const user = await owner();
    const claims = { purpose: "reset-password", subject: user?.id ?? "", stamp: user?.stamp ?? "" } as const;
    await expectInvalid(await signLink(visitorContext(), claims, 3600));
  });

  it("refuses a link that was signed with another key", async () => {
    const { kid } = await currentKey(jobContext(), "expiring");
    const token = (await forged()).setProtectedHeader({ alg: "HS256", kid });
    await expectInvalid(await token.sign(new Uint8Array(32)));
  });

  it("refuses a link signed with another algorithm", async () => {
    const { kid, secret } = await currentKey(jobContext(), "expiring");
    await expectInvalid(await (await forged()).setProtectedHeader({ alg: "HS512", kid }).sign(secret));
  });

  it("refuses a link without a signature", async () => {
    const user = await owner();
    const unsigned = new UnsecuredJWT({ stamp: user?.stamp })
      .setAudience("verify-user")
      .setSubject(user?.id ?? "")
      .setExpirationTime("1h")
      .encode();
    await expectInvalid(unsigned);
  });

  it("reads a link without changing anything", async () => {
    const before = await owner();
    const token = await latestToken(OWNER);
    const link = await readVerification(visitorContext(), token);
    expect(link).toEqual({
      state: "ready",
      kind: "setup",
      email: OWNER,
      fullName: "The Owner",
      needsPassword: true,
    });
    expect((await fetchSite(`/api/admin/verification/confirm?token=${token}`)).status).toBe(405);
    expect(await owner()).toEqual(before);
  });

  it("sends the link again, and both links work until one is used", async () => {
    const first = await latestToken(OWNER);
    await requestVerification(later(SECOND), { email: OWNER });
    await deliverAll(later(2 * SECOND));
    expect(await mailsTo(OWNER)).toHaveLength(2);
    expect(await readVerification(visitorContext(), first)).toMatchObject({ state: "ready" });
    await confirmVerification(visitorContext(), { token: await latestToken(OWNER), password: PASSWORD });
    expect(await readVerification(visitorContext(), first)).toMatchObject({ state: "used" });
  });

  it("asked for again, answers the same whether or not the address waits for it", async () => {
    const known = await send("POST", "/verification", { email: OWNER });
    const unknown = await send("POST", "/verification", { email: "nobody@example.com" });
    expect([known.status, unknown.status]).toEqual([200, 200]);
    expect(await known.text()).toBe(await unknown.text());
    await deliverAll(later(SECOND));
    expect(await mailsTo("nobody@example.com")).toEqual([]);
  });

  it("shares a requester's ten emails with the set-up and the reset", async () => {
    const from = { "CF-Connecting-IP": "203.0.113.200" };
    for (let i = 0; i < 5; i++) await send("POST", "/verification", { email: OWNER }, from);
    for (let i = 0; i < 5; i++) await send("POST", "/password-reset", { email: OWNER }, from);
    const body = { email: OWNER, fullName: "O", password: PASSWORD };
    expect((await send("POST", "/setup", body, from)).status).toBe(429);
    expect((await send("POST", "/setup", body)).status).toBe(201);
  });

  it.each([OWNER, "nobody@example.com"])(
    "asked for %s, a requester is answered ten times an hour",
    async (email) => {
      const ask = () =>
        send("POST", "/verification", { email }, { "CF-Connecting-IP": `203.0.113.${email.length}` });
      for (let i = 0; i < 10; i++) expect((await ask()).status).toBe(200);
      expect((await ask()).status).toBe(429);
    },
  );

  async function expectInvalid(token: string) {
    const error = await rejectionOf(confirmVerification(visitorContext(), { token, password: PASSWORD }));
    expect(error.message).toBe("Invalid verification link");
    expect(await owner()).toMatchObject({ isActive: false, emailVerified: false });
  }

  async function forged() {
    const user = await owner();
    return new SignJWT({ stamp: user?.stamp })
      .setAudience("verify-user")
      .setSubject(user?.id ?? "")
      .setIssuedAt()
      .setExpirationTime("1h");
  }
});
