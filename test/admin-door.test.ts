import { eq } from "drizzle-orm";
import { beforeEach, describe, expect, it } from "vitest";
import { loginPath, safeNext } from "#site/admin/door/next.ts";
import { PASSWORD_RULES } from "#worker/accounts/contract.ts";
import { SESSION_COOKIE } from "#worker/accounts/cookie.ts";
import { accountLink, type AccountPurpose } from "#worker/accounts/links.ts";
import { resetPassword } from "#worker/accounts/reset.ts";
import { confirmVerification, setUpAdmin } from "#worker/accounts/setup.ts";
import { users } from "#worker/accounts/table.ts";
import type { Role } from "#worker/platform/contract.ts";
import { mailRow, type Mail } from "#worker/platform/mail.ts";
import { outbox } from "#worker/platform/table.ts";
import { addUser, HOUR } from "./support/accounts.ts";
import { fetchSite, jobContext, signedIn, SITE, visitorContext } from "./support/client.ts";
import { forgetRates } from "./support/rates.ts";

const OWNER = "owner@example.com";
const SECRET = "A subject that only the owner sees";
const db = jobContext().db;

const TABS = "Speaking Articles Media Podcast Ventures Newsletter Users Guests Analytics Settings".split(" ");
const pathOf = (tab: string) => `/admin/${tab.toLowerCase()}`;

async function addMail() {
  const { id, statement } = mailRow(jobContext(), {
    to: OWNER,
    subject: SECRET,
    parts: ["Hello.", { label: "Open", href: "https://example.com/x" }],
  });
  await statement;
  return id;
}

async function open(path: string, cookie = "") {
  const response = await fetchSite(path, { headers: { cookie } });
  return { response, html: await response.text() };
}

/** The same, where a tab leads on to the first of its parts. */
async function openPart(path: string, cookie: string) {
  const opened = await open(path, cookie);
  const part = opened.response.headers.get("Location");
  return part ? open(part, cookie) : opened;
}

function linksOfTabs(html: string) {
  const nav = /<nav aria-label="Admin".*?<\/nav>/s.exec(html)?.[0] ?? "";
  return [...nav.matchAll(/<a [^>]*>([^<]*)<\/a>/g)];
}
const tabsIn = (html: string) => linksOfTabs(html).map(([, label]) => label);

const setUp = () =>
  setUpAdmin(visitorContext(), { email: OWNER, fullName: "The Owner", password: "correct horse" });

async function verificationToken() {
  const rows = await db.select().from(outbox).orderBy(outbox.createdAt);
  const links = rows.map(({ payload }) => (payload as Mail).link);
  const latest = links.findLast((link) => link.includes("/admin/verify-email?"));
  return new URL(latest ?? "").searchParams.get("token") ?? "";
}

beforeEach(async () => {
  await db.delete(users);
  await db.delete(outbox);
  await forgetRates();
});

describe("the admin area, to somebody who is not signed in", () => {
  it.each([
    "/admin",
    "/admin/",
    ...TABS.map(pathOf),
    "/ADMIN",
    "/Admin/Settings",
    "/admin/settings/",
    "/%61dmin/settings",
  ])("%s leads to the login", async (path) => {
    await addMail();
    const { response, html } = await open(path);
    expect(response.status).toBe(302);
    expect(response.headers.get("Location")).toMatch(/^\/admin\/login\?next=%2F/);
    expect(html).toBe("");
  });

  it.each([
    "/admin.data",
    "/ADMIN.data",
    "/admin/settings/email.data",
    "/ADMIN/Settings/Email.data",
    "/admin/settings/email.data?_routes=admin%2Fsettings%2Fmails",
    "/admin/_.data",
    "/admin/settings/email/_.data",
    "/%61dmin/settings/email.data",
    "//admin/settings/email",
    "/admin//settings/email",
    "/admin/./settings/email",
    "/admin%2Fsettings%2Femail",
    "/admin;/settings/email",
    "/admin/settings/email%00",
  ])("%s tells nothing", async (path) => {
    const id = await addMail();
    for (const each of [path, path.replace(/email/i, `mails/${id}`)]) {
      const { response, html } = await open(each);
      expect(response.status).not.toBe(200);
      expect(html).not.toContain(SECRET);
      expect(html).not.toContain("Welcome");
    }
  });

  it("a mail's own page leads to the login, which returns to it", async () => {
    const path = `/admin/settings/mails/${await addMail()}`;
    const { response } = await open(path);
    expect(response.headers.get("Location")).toBe(`/admin/login?next=${encodeURIComponent(path)}`);
  });

  it("says that a session ended only to a browser that had one", async () => {
    const { response } = await open("/admin/articles", `${SESSION_COOKIE}=gone`);
    expect(response.headers.get("Location")).toContain("ended=1");
    expect((await open("/admin/login?ended=1")).html).toContain("Your session has ended");
    expect((await open("/admin/login")).html).not.toContain("Your session has ended");
  });
});

describe("the admin area, to somebody who is signed in", () => {
  it.each(TABS)("shows the frame around %s, which it marks as the current tab", async (tab) => {
    const { cookie } = await signedIn("super_admin");
    const { response, html } = await openPart(pathOf(tab), cookie);
    expect(response.status).toBe(200);
    expect(html.replaceAll("<!-- -->", "")).toContain("Welcome, A super_admin");
    for (const word of ["Back to Site", "Home", "Logout"]) expect(html).toContain(word);
    expect(tabsIn(html)).toEqual(TABS);
    const links = linksOfTabs(html);
    expect(links.filter(([link]) => link.includes('aria-current="page"')).map(([, label]) => label)).toEqual([
      tab,
    ]);
  });

  it("lists the mails and shows one", async () => {
    const { cookie } = await signedIn("admin");
    const id = await addMail();
    const first = await open("/admin/settings", cookie);
    expect(first.response.headers.get("Location")).toBe("/admin/settings/email");
    const list = await open("/admin/settings/email", cookie);
    expect(list.html).toContain(SECRET);
    expect(list.html).toContain("Waiting");
    expect(list.html).toContain("no mail leaves this machine");
    const one = await open(`/admin/settings/mails/${id}`, cookie);
    expect(one.html).toContain('href="https://example.com/x"');
  });

  it("answers 404 for a mail that does not exist", async () => {
    const { cookie } = await signedIn("admin");
    const { response, html } = await open("/admin/settings/mails/none", cookie);
    expect(response.status).toBe(404);
    expect(html).toContain("There is no such mail.");
  });

  it("is closed again when the user is disabled", async () => {
    const { cookie } = await signedIn("admin");
    await db.update(users).set({ isActive: false });
    expect((await open("/admin/articles", cookie)).response.status).toBe(302);
  });
});

describe("a role", () => {
  const WRITING = ["Speaking", "Articles", "Media", "Podcast", "Ventures"];
  const opened: [Role, string[], string][] = [
    ["super_admin", TABS, "/admin/articles"],
    ["admin", TABS, "/admin/articles"],
    ["editor", [...WRITING, "Analytics"], "/admin/articles"],
    ["user", [], "/admin/account"],
  ];

  it.each(opened)(
    "%s is shown its own tabs, and begins with the first that is meant for it",
    async (role, own, first) => {
      const { cookie } = await signedIn(role);
      expect((await open("/admin", cookie)).response.headers.get("Location")).toBe(first);
      const { response, html } = await open("/admin/account", cookie);
      expect(response.status).toBe(200);
      expect(html).toContain("Your account");
      expect(tabsIn(html)).toEqual(own);
    },
  );

  const closed = opened.flatMap(([role, own]) =>
    TABS.filter((tab) => !own.includes(tab)).map((tab): [Role, string, string[]] => [role, tab, own]),
  );
  it.each(closed)("%s may not open %s, and is told so within their own frame", async (role, tab, own) => {
    const { cookie } = await signedIn(role);
    const { response, html } = await open(pathOf(tab), cookie);
    expect(response.status).toBe(403);
    expect(html).toContain("This is not open to you");
    expect(html).toContain("Your role does not allow this.");
    expect(html.replaceAll("<!-- -->", "")).toContain(`Welcome, A ${role}`);
    expect(tabsIn(html)).toEqual(own);
  });

  it.each(["editor", "user"] as const)(
    "%s reads no tab's data by any other spelling of its address",
    async (role) => {
      const { cookie } = await signedIn(role);
      const mail = await addMail();
      await addUser({ fullName: SECRET });
      const pages = [
        "users",
        "users?edit=x",
        "settings",
        "settings/email",
        "settings/security",
        `settings/mails/${mail}`,
      ];
      const spelled = pages.flatMap((page) => [
        `/admin/${page}`,
        `/admin/${page}/`,
        `/ADMIN/${page.replace("settings", "Settings").replace("users", "USERS")}`,
        `/%61dmin/${page}`,
        `/admin/${page}.data`,
        `/Admin/${page.replace("settings", "SETTINGS")}.data`,
        `/admin/${page}/_.data`,
        `/%61dmin/${page}.data`,
        ...ROUTES.map((route) => `/admin/${page}.data?_routes=${encodeURIComponent(route)}`),
      ]);
      for (const path of spelled) {
        const { response, html } = await open(path, cookie);
        expect([path, response.status]).not.toEqual([path, 200]);
        expect([path, html.includes(SECRET)]).toEqual([path, false]);
      }
    },
  );

  it("user reads no episode's form by its address", async () => {
    const { cookie } = await signedIn("user");
    for (const path of ["", "/new", "/show", "/1"]) {
      expect((await open(`/admin/podcast${path}`, cookie)).response.status).toBe(403);
      expect((await open(`/admin/podcast${path}.data`, cookie)).response.status).not.toBe(200);
    }
  });
});

const ROUTES = ["root", "admin/layout", "admin/users/tab", "admin/settings/mails", "admin/settings/mail"];

describe("every page of the admin area", () => {
  const door = ["login", "login?reset", "setup", "verify-email", "verify-email/again"];
  const byMail = ["reset-password", "invitation"];
  const inside = ["articles", "account", "users", "settings/email", "settings/security"];
  it.each([...door, ...byMail, ...inside])(
    "%s is kept by nobody and found by no search engine",
    async (path) => {
      await setUp();
      const { cookie } = inside.includes(path) ? await signedIn("super_admin") : { cookie: "" };
      const { response, html } = await open(`/admin/${path}`, cookie);
      expect(response.status).toBe(200);
      expect(response.headers.get("Cache-Control")).toBe("no-store");
      expect(html).toMatch(/<meta name="robots" content="noindex"\/?>/);
    },
  );
});

describe("the login screen", () => {
  it("names the admin address and leads to the set-up only while no admin is set up", async () => {
    const before = await open("/admin/login");
    expect(before.html).toContain("Admin Login");
    expect(before.html).toContain(OWNER);
    expect(before.html).toContain('href="/admin/setup"');
    await setUp();
    expect((await open("/admin/login")).html).toContain(`The setup for ${OWNER} waits`);
    await confirmVerification(visitorContext(), {
      token: await verificationToken(),
      password: "correct horse",
    });
    const after = await open("/admin/login");
    expect(after.html).toContain("Admin Login");
    expect(after.html).not.toContain(OWNER);
    expect(after.html).not.toContain("/admin/setup");
  });

  it("sends those who are signed in on", async () => {
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
    expect(html).toContain("Reset Password");
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
    expect(html).toContain("Confirm e-mail address");
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

  it("says what a new user, or one with a new address, confirms", async () => {
    const added = await addUser({ fullName: "Tom Okafor", emailVerified: false });
    await addUser({ role: "super_admin" });
    const welcome = await accountLink(visitorContext(), "verify-user", { pendingEmail: null, ...added });
    expect((await open(welcome.replace(SITE, ""))).html).toContain("An account was made for you, Tom Okafor");
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

  it("ask for a new one twice, say what it needs, and change nothing by being opened", async () => {
    const user = await addUser({ fullName: "Tom Okafor" });
    const { html } = await reset(await tokenOf("reset-password", user));
    for (const words of ["Reset Password", "New Password", "Confirm Password", user.email])
      expect(html).toContain(words);
    for (const { label } of PASSWORD_RULES) expect(html).toContain(label);
    expect(html.split(": not met.").length - 1).toBe(PASSWORD_RULES.length);
    const [after] = await db.select().from(users).where(eq(users.id, user.id));
    expect(after).toMatchObject({ stamp: user.stamp, passwordHash: user.passwordHash });
  });

  it("welcome who was invited", async () => {
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
