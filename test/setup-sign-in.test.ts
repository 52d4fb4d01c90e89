import { eq } from "drizzle-orm";
import { beforeEach, describe, expect, it } from "vitest";
import { accountLink, SETUP_PROOF_LASTS } from "#worker/accounts/account-links.ts";
import { sessionCookieOf, setupCookieOf } from "#worker/accounts/cookie.ts";
import { confirmVerification, setUpAdmin } from "#worker/accounts/setup-commands.ts";
import { loginAttempts, securityEvents, users } from "#worker/accounts/table.ts";
import type { Mail } from "#worker/mail/message.ts";
import { outbox } from "#worker/platform/table.ts";
import { addUser, household } from "./support/accounts.ts";
import { beginWithNobody, open, OWNER } from "./support/admin-auth.ts";
import { fetchSite, jobContext, SITE, visitorContext } from "./support/client.ts";

const db = jobContext().db;
const PASSWORD = "correct horse";
const SESSION = sessionCookieOf(SITE).name;
const SETUP = setupCookieOf(SITE).name;

beginWithNobody();
beforeEach(() => db.delete(loginAttempts));
beforeEach(() => db.delete(securityEvents));

async function latestToken() {
  const rows = await db.select().from(outbox).orderBy(outbox.createdAt);
  const links = rows.map(({ payload }) => (payload as Mail).link);
  return new URL(links.findLast((link) => link.includes("verify-email"))!).searchParams.get("token")!;
}

const post = (path: string, body: object, headers: Record<string, string> = {}) =>
  fetchSite(`/api/admin/${path}`, {
    method: "POST",
    headers: {
      "Content-Type": "application/json",
      "CF-Connecting-IP": household(),
      Origin: SITE,
      ...headers,
    },
    body: JSON.stringify(body),
  });

/** Name and value of a cookie that a response sets; undefined for none. */
const cookieIn = (response: Response, name: string) =>
  response.headers
    .getSetCookie()
    .find((cookie) => cookie.startsWith(`${name}=`))
    ?.split(";")[0];

/** Sends the setup form from one browser; returns the cookie that it gets. */
async function sendForm({ fullName = "The Owner", password = PASSWORD } = {}) {
  const response = await post("setup", { email: OWNER, fullName, password });
  expect(response.status).toBe(201);
  return cookieIn(response, SETUP)!;
}

const confirm = (token: string, { cookie = "", password }: { cookie?: string; password?: string } = {}) =>
  post("verification/confirm", { token, password }, { Cookie: cookie });

const countSessions = () => db.$count(securityEvents, eq(securityEvents.kind, "login"));

async function expectNotConfirmed() {
  expect(await countSessions()).toBe(0);
  const [user] = await db.select().from(users).where(eq(users.email, OWNER));
  expect(user).toMatchObject({ isActive: false, emailVerified: false });
}

describe("the setup link, in the browser that sent the form", () => {
  it("signs in after a click, without the password", async () => {
    const cookie = await sendForm();
    const token = await latestToken();
    const page = await open(`/admin/verify-email?token=${token}`, cookie);
    expect(page.html).toContain("Confirm email address");
    expect(page.html).not.toContain('type="password"');
    // Opening it changes nothing.
    expect(page.response.headers.getSetCookie()).toEqual([]);
    await expectNotConfirmed();

    const answer = await confirm(token, { cookie });
    expect(answer.status).toBe(200);
    expect(await answer.json()).toMatchObject({ email: OWNER, isSignedIn: true });
    expect(cookieIn(answer, SETUP)).toBe(`${SETUP}=`);
    const session = cookieIn(answer, SESSION)!;
    const desk = await open("/admin/articles", session);
    expect(desk.response.status).toBe(200);
    expect(desk.html).toContain("Welcome, The Owner");
    const kinds = (await db.select().from(securityEvents)).map(({ kind }) => kind);
    expect(kinds.slice(-2)).toEqual(["address_confirmed", "login"]);
  });

  it("needs a cookie that scripts cannot read, that cross-site requests do not send, and that lasts an hour", async () => {
    const response = await post("setup", { email: OWNER, fullName: "The Owner", password: PASSWORD });
    const cookie = response.headers.getSetCookie().find((each) => each.startsWith(SETUP))!;
    for (const attribute of ["HttpOnly", "SameSite=Lax", "Path=/", "Max-Age=3600"]) {
      expect(cookie).toContain(attribute);
    }
    expect(SETUP_PROOF_LASTS).toBe(3600);
    expect(setupCookieOf("https://example.com/admin")).toEqual({ name: "__Host-setup", secure: true });
  });

  it("asks for the password after an hour", async () => {
    const past = new Date(Date.now() - (SETUP_PROOF_LASTS + 1) * 1000);
    const input = { email: OWNER, fullName: "The Owner", password: PASSWORD };
    const { proof } = await setUpAdmin(visitorContext({ now: past }), input);
    const cookie = `${SETUP}=${proof}`;
    const token = await latestToken();
    expect((await open(`/admin/verify-email?token=${token}`, cookie)).html).toContain('type="password"');
    expect((await confirm(token, { cookie })).status).toBe(422);
    await expectNotConfirmed();
  });

  it("works once: a second click, or one of two concurrent ones, opens no session", async () => {
    const cookie = await sendForm();
    const token = await latestToken();
    const answers = await Promise.all([confirm(token, { cookie }), confirm(token, { cookie })]);
    expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 422]);
    const again = await confirm(token, { cookie });
    expect(again.status).toBe(422);
    expect(cookieIn(again, SESSION)).toBeUndefined();
    expect(await countSessions()).toBe(1);
  });
});

describe("the setup link, in any other browser", () => {
  it("asks for the password, and refuses to confirm without it", async () => {
    await sendForm();
    const token = await latestToken();
    expect((await open(`/admin/verify-email?token=${token}`)).html).toContain('type="password"');
    for (const password of [undefined, "", "another horse"]) {
      const answer = await confirm(token, { password });
      expect(answer.status).toBe(422);
      expect(answer.headers.getSetCookie()).toEqual([]);
      expect(await answer.json()).toMatchObject({ error: { field: "password" } });
    }
    await expectNotConfirmed();
    const answer = await confirm(token, { password: PASSWORD });
    expect(answer.status).toBe(200);
    expect((await open("/admin/articles", cookieIn(answer, SESSION)!)).response.status).toBe(200);
  });

  it.each(["", "nonsense", "a.b.c"])("does not accept the cookie %j", async (value) => {
    await sendForm();
    const token = await latestToken();
    expect((await confirm(token, { cookie: `${SETUP}=${value}` })).status).toBe(422);
    expect((await confirm(token, { cookie: `${SETUP}=${token}` })).status).toBe(422);
    await expectNotConfirmed();
  });
});

describe("a stranger who sends the setup form for the owner's address", () => {
  it("after the owner: the owner's browser is asked for a password, and the owner's one is refused", async () => {
    const owners = await sendForm();
    const ownersToken = await latestToken();
    await sendForm({ fullName: "A Stranger", password: "a stranger's horse" });
    const strangers = await latestToken();
    expect((await confirm(ownersToken, { cookie: owners })).status).toBe(422);
    const page = await open(`/admin/verify-email?token=${strangers}`, owners);
    expect(page.html).toContain('type="password"');
    expect((await confirm(strangers, { cookie: owners })).status).toBe(422);
    expect((await confirm(strangers, { cookie: owners, password: PASSWORD })).status).toBe(422);
    await expectNotConfirmed();
  });

  it("has a cookie that confirms nothing without the link in the email", async () => {
    const cookie = await sendForm({ password: "a stranger's horse" });
    const proof = cookie.slice(SETUP.length + 1);
    expect((await confirm(proof, { cookie })).status).toBe(422);
    await sendForm();
    expect((await confirm(await latestToken(), { cookie })).status).toBe(422);
    await expectNotConfirmed();
  });

  it("cannot set a cookie in the owner's browser from another site", async () => {
    const body = { email: OWNER, fullName: "A Stranger", password: "a stranger's horse" };
    for (const [name, value] of [
      ["Origin", "https://evil.example"],
      ["Sec-Fetch-Site", "cross-site"],
    ] as const) {
      const response = await post("setup", body, { [name]: value });
      expect(response.status).toBe(403);
      expect(response.headers.getSetCookie()).toEqual([]);
    }
    expect(await db.select().from(users)).toEqual([]);
  });
});

it("a user added after the setup is not signed in by the confirmation", async () => {
  const cookie = await sendForm();
  await confirm(await latestToken(), { cookie });
  const added = await addUser({ emailVerified: false });
  const link = await accountLink(visitorContext(), "verify-user", { pendingEmail: null, ...added });
  const token = new URL(link).searchParams.get("token")!;
  const before = await countSessions();
  const answer = await confirm(token, { cookie });
  expect(await answer.json()).toMatchObject({ isSignedIn: false });
  expect(cookieIn(answer, SESSION)).toBeUndefined();
  expect(await countSessions()).toBe(before);
});

it("the command confirms without a cookie only with the password", async () => {
  await setUpAdmin(visitorContext(), { email: OWNER, fullName: "The Owner", password: PASSWORD });
  const token = await latestToken();
  await expect(confirmVerification(visitorContext(), { token })).rejects.toMatchObject({
    field: "password",
  });
  expect(await confirmVerification(visitorContext(), { token, password: PASSWORD })).toMatchObject({
    email: OWNER,
    session: expect.any(String) as string,
  });
});
