import { eq } from "drizzle-orm";
import { describe, expect, it } from "vitest";
import { loginPath, safeNext } from "#site/admin/auth/paths.ts";
import { PASSWORD_RULES } from "#worker/accounts/contract.ts";
import { accountLink, type AccountPurpose } from "#worker/accounts/account-links.ts";
import { resetPassword } from "#worker/accounts/password-commands.ts";
import { confirmVerification, setUpAdmin } from "#worker/accounts/setup-commands.ts";
import { users } from "#worker/accounts/table.ts";
import type { Mail } from "#worker/mail/message.ts";
import { outbox } from "#worker/platform/table.ts";
import { addUser, HOUR } from "./support/accounts.ts";
import { beginWithNobody, open, OWNER, setUp } from "./support/admin-auth.ts";
import { jobContext, signedIn, SITE, visitorContext } from "./support/client.ts";

const db = jobContext().db;

async function verificationToken() {
  const rows = await db.select().from(outbox).orderBy(outbox.createdAt);
  const links = rows.map(({ payload }) => (payload as Mail).link);
  const latest = links.findLast((link) => link.includes("/admin/verify-email?"));
  return new URL(latest ?? "").searchParams.get("token") ?? "";
}

beginWithNobody();

describe("the login screen", () => {
  it("names the admin address and leads to the set-up only while no admin is set up", async () => {
    const before = await open("/admin/login");
    expect(before.html).toContain("Admin Login");
    expect(before.html).toContain(OWNER);
    expect(before.html).toContain('href="/admin/setup"');
    await setUp();
    expect((await open("/admin/login")).html).toContain(`open the link in the email sent to ${OWNER}`);
    await confirmVerification(visitorContext(), {
      token: await verificationToken(),
      password: "correct horse",
    });
    const after = await open("/admin/login");
    expect(after.html).toContain("Admin Login");
    expect(after.html).not.toContain(OWNER);
    expect(after.html).not.toContain("/admin/setup");
  });

  it("redirects a signed-in user", async () => {
    const { cookie } = await signedIn("admin");
    const { response } = await open("/admin/login?next=%2Fadmin%2Fpodcast%2Fnew", cookie);
    expect(response.headers.get("Location")).toBe("/admin/podcast/new");
  });
});

describe("the login screen's reset mode", () => {
  it("has an address of its own and keeps where the login returns to", async () => {
    const login = await open("/admin/login?next=%2Fadmin%2Fpodcast");
    expect(login.html).toContain("Forgot your password?");
    expect(login.html).toContain('href="/admin/login?reset=&amp;next=%2Fadmin%2Fpodcast"');
    const { html } = await open("/admin/login?reset=&next=%2Fadmin%2Fpodcast");
    expect(html).toContain("<title>Reset Password · Admin</title>");
    expect(html).toContain('href="/admin/login?next=%2Fadmin%2Fpodcast"');
    expect(html).not.toContain('type="password"');
  });
});

describe("the set-up screen", () => {
  it("creates, then completes, then is closed", async () => {
    const first = await open("/admin/setup");
    expect(first.html).toContain("Create Admin Account");
    expect(first.html).toContain("This is the demo address");
    await setUp();
    const second = await open("/admin/setup");
    expect(second.html).toContain("Complete Admin Setup");
    expect(second.html).toMatch(/<input(?=[^>]*type="email")(?=[^>]*disabled)[^>]*>/);
    await confirmVerification(visitorContext(), {
      token: await verificationToken(),
      password: "correct horse",
    });
    const third = await open("/admin/setup");
    expect(third.response.status).toBe(302);
    expect(third.response.headers.get("Location")).toBe("/admin/login");
  });
});

describe("the verification screen", () => {
  it("asks for a press of the button, and opening it changes nothing", async () => {
    await setUp();
    const { html } = await open(`/admin/verify-email?token=${await verificationToken()}`);
    expect(html).toContain("Confirm email address");
    expect(html).toContain("The Owner");
    const [user] = await db.select().from(users).where(eq(users.email, OWNER));
    expect(user).toMatchObject({ isActive: false, emailVerified: false });
  });

  it.each(["", "?token=", "?token=nonsense"])("says that the link is invalid for %j", async (query) => {
    const { html } = await open(`/admin/verify-email${query}`);
    for (const words of ["Invalid verification link", "Request New Verification", "Back to Login"]) {
      expect(html).toContain(words);
    }
  });

  it("says that the link was used, and leads to the login", async () => {
    await setUp();
    const token = await verificationToken();
    await confirmVerification(visitorContext(), { token, password: "correct horse" });
    const { html } = await open(`/admin/verify-email?token=${token}`);
    expect(html).toContain("This verification link has already been used. Please sign in.");
    expect(html).toContain("Go to Login");
    expect(html).not.toContain("Request New Verification");
  });

  it("shows what a new user, or a changed address, confirms", async () => {
    const added = await addUser({ fullName: "Tom Okafor", emailVerified: false });
    await addUser({ role: "super_admin" });
    const welcome = await accountLink(visitorContext(), "verify-user", { pendingEmail: null, ...added });
    expect((await open(welcome.replace(SITE, ""))).html).toContain(
      "Tom Okafor, an account was created for you",
    );
    const moving = await addUser({ fullName: "Ngaire", pendingEmail: `${crypto.randomUUID()}@example.com` });
    const link = await accountLink(visitorContext(), "change-address", { pendingEmail: null, ...moving });
    const { html } = await open(link.replace(SITE, ""));
    expect(html).toContain(`Ngaire will sign in as ${moving.pendingEmail}`);
  });

  it("asks for a new link by the set-up until that is done, and by the address afterwards", async () => {
    expect((await open("/admin/verify-email")).html).toContain('href="/admin/setup"');
    await addUser({ role: "super_admin" });
    expect((await open("/admin/verify-email")).html).toContain('href="/admin/verify-email/again"');
  });

  it("says that the link expired", async () => {
    const now = new Date(Date.now() - 25 * 3_600_000);
    await setUpAdmin(visitorContext({ now }), {
      email: OWNER,
      fullName: "The Owner",
      password: "correct horse",
    });
    const { html } = await open(`/admin/verify-email?token=${await verificationToken()}`);
    expect(html).toContain("expired");
    expect(html).toContain("Request New Verification");
  });
});

describe("the screens that choose a password", () => {
  const tokenOf = async (
    purpose: AccountPurpose,
    user: Awaited<ReturnType<typeof addUser>>,
    now = new Date(),
  ) => {
    const link = await accountLink(visitorContext({ now }), purpose, { pendingEmail: null, ...user });
    return new URL(link).searchParams.get("token") ?? "";
  };
  const reset = (token?: string) =>
    open(`/admin/reset-password${token === undefined ? "" : `?token=${token}`}`);

  it("have two password fields, show the rules, and change nothing when opened", async () => {
    const user = await addUser({ fullName: "Tom Okafor" });
    const { html } = await reset(await tokenOf("reset-password", user));
    for (const words of ["Reset Password", "New Password", "Confirm Password", user.email])
      expect(html).toContain(words);
    for (const { label } of PASSWORD_RULES) expect(html).toContain(label);
    expect(html.split(": not met.").length - 1).toBe(PASSWORD_RULES.length);
    const [after] = await db.select().from(users).where(eq(users.id, user.id));
    expect(after).toMatchObject({ stamp: user.stamp, passwordHash: user.passwordHash });
  });

  it("let password managers fill in and store", async () => {
    const user = await addUser();
    const html =
      (await open("/admin/login")).html + (await reset(await tokenOf("reset-password", user))).html;
    const fields = html.match(/<input[^>]*type="password"[^>]*>/g) ?? [];
    const purposes = fields.map((field) => /autocomplete="([\w-]+)"/i.exec(field)?.[1]);
    expect(purposes).toEqual(["current-password", "new-password", "new-password"]);
    expect(html).not.toMatch(/onpaste/i);
  });

  it("welcome an invited user", async () => {
    const user = await addUser({ fullName: "Tom Okafor", passwordHash: null, emailVerified: false });
    const { html } = await open(`/admin/invitation?token=${await tokenOf("invite", user)}`);
    expect(html).toContain("Choose your password");
    expect(html).toContain("Welcome, Tom Okafor");
  });

  const REFUSED = "Invalid or expired reset link. Please request a new one.";
  it("say which of missing, invalid, expired or used a link is", async () => {
    const user = await addUser();
    const expired = await tokenOf("reset-password", user, new Date(Date.now() - 2 * HOUR));
    const used = await tokenOf("reset-password", user);
    await resetPassword(visitorContext(), { token: used, password: "A fresh 1 for today" });
    const titles: [string | undefined, string][] = [
      [undefined, "Link incomplete"],
      ["", "Link incomplete"],
      ["nonsense", "Link not valid"],
      [expired, "Link expired"],
      [used, "Link already used"],
    ];
    for (const [token, title] of titles) {
      const { html } = await reset(token);
      for (const words of [title, REFUSED, "Request a new link", "Back to Login"])
        expect(html).toContain(words);
      expect(html).toContain('href="/admin/login?reset"');
      expect(html).not.toContain("New Password");
    }
  });
});

describe("where the login returns to", () => {
  it.each([
    ["/admin/podcast/3?tab=1", "/admin/podcast/3?tab=1"],
    ["/admin", "/admin"],
    ["/admin/reset-password?token=x", "/admin"],
    ["/Admin/Invitation", "/admin"],
    ["/admin/../secret", "/admin"],
    ["//evil.example/admin", "/admin"],
    ["/\\evil.example/admin", "/admin"],
    ["https://evil.example/admin", "/admin"],
    ["javascript:alert(1)", "/admin"],
    ["/\t/evil.example/admin", "/admin"],
    ["//[", "/admin"],
    ["/administration", "/admin"],
    ["/admin/login?next=/admin/login", "/admin"],
    ["", "/admin"],
    [null, "/admin"],
  ])("%j is %s", (next, path) => {
    expect(safeNext(next)).toBe(path);
  });

  it("survives the way through the address", () => {
    const path = loginPath({ pathname: "/admin/podcast", search: "?after=a&b=c" }, false);
    expect(safeNext(new URL(path, "http://x.invalid").searchParams.get("next"))).toBe(
      "/admin/podcast?after=a&b=c",
    );
  });
});
