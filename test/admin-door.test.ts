import { eq } from "drizzle-orm";
import { beforeEach, describe, expect, it } from "vitest";
import { loginPath, safeNext } from "#site/admin/door/next.ts";
import { SESSION_COOKIE } from "#worker/accounts/cookie.ts";
import { confirmVerification, setUpAdmin } from "#worker/accounts/setup.ts";
import { users } from "#worker/accounts/table.ts";
import { mailRow, type Mail } from "#worker/platform/mail.ts";
import { outbox } from "#worker/platform/table.ts";
import { fetchSite, jobContext, signedIn, visitorContext } from "./support/client.ts";
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
    "/admin/settings.data",
    "/ADMIN/Settings.data",
    "/admin/settings.data?_routes=admin%2Fsettings%2Fmails",
    "/admin/_.data",
    "/admin/settings/_.data",
    "/%61dmin/settings.data",
    "//admin/settings",
    "/admin//settings",
    "/admin/./settings",
    "/admin%2Fsettings",
    "/admin;/settings",
    "/admin/settings%00",
  ])("%s tells nothing", async (path) => {
    const id = await addMail();
    for (const each of [path, path.replace(/settings/i, `settings/mails/${id}`)]) {
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
  it("opens with the articles", async () => {
    const { cookie } = await signedIn("admin");
    const { response } = await open("/admin", cookie);
    expect(response.headers.get("Location")).toBe("/admin/articles");
  });

  it.each(TABS)("shows the frame around %s, which it marks as the current tab", async (tab) => {
    const { cookie } = await signedIn("super_admin");
    const { response, html } = await open(pathOf(tab), cookie);
    expect(response.status).toBe(200);
    expect(html.replaceAll("<!-- -->", "")).toContain("Welcome, A super_admin");
    for (const word of ["Back to Site", "Home", "Logout"]) expect(html).toContain(word);
    const nav = /<nav aria-label="Admin".*?<\/nav>/s.exec(html)?.[0] ?? "";
    const links = [...nav.matchAll(/<a [^>]*>([^<]*)<\/a>/g)];
    expect(links.map(([, label]) => label)).toEqual(TABS);
    expect(links.filter(([link]) => link.includes('aria-current="page"')).map(([, label]) => label)).toEqual([
      tab,
    ]);
  });

  it("lists the mails and shows one", async () => {
    const { cookie } = await signedIn("admin");
    const id = await addMail();
    const list = await open("/admin/settings", cookie);
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

  it("shows the mails to nobody whose role does not allow it", async () => {
    const { cookie } = await signedIn("editor");
    await addMail();
    const { response, html } = await open("/admin/settings", cookie);
    expect(response.status).toBe(403);
    expect(html).toContain("Your role does not allow this.");
    expect(html).not.toContain(SECRET);
  });

  it("is closed again when the user is disabled", async () => {
    const { cookie } = await signedIn("admin");
    await db.update(users).set({ isActive: false });
    expect((await open("/admin/articles", cookie)).response.status).toBe(302);
  });
});

describe("every page of the admin area", () => {
  it.each(["/admin/login", "/admin/setup", "/admin/verify-email", "/admin/articles", "/admin/settings"])(
    "%s is kept by nobody and found by no search engine",
    async (path) => {
      await setUp();
      const { cookie } = path.match(/articles|settings/) ? await signedIn("super_admin") : { cookie: "" };
      const { response, html } = await open(path, cookie);
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
    await confirmVerification(visitorContext(), { token: await verificationToken() });
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

describe("the set-up screen", () => {
  it("creates, then completes, then is closed", async () => {
    const first = await open("/admin/setup");
    expect(first.html).toContain("Create Admin Account");
    expect(first.html).toContain("This is the demo address");
    await setUp();
    const second = await open("/admin/setup");
    expect(second.html).toContain("Complete Admin Setup");
    expect(second.html).toMatch(/<input(?=[^>]*type="email")(?=[^>]*disabled)[^>]*>/);
    await confirmVerification(visitorContext(), { token: await verificationToken() });
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

describe("where the login returns to", () => {
  it.each([
    ["/admin/podcast/3?tab=1", "/admin/podcast/3?tab=1"],
    ["/admin", "/admin"],
    ["/admin/../secret", "/admin/articles"],
    ["//evil.example/admin", "/admin/articles"],
    ["/\\evil.example/admin", "/admin/articles"],
    ["https://evil.example/admin", "/admin/articles"],
    ["javascript:alert(1)", "/admin/articles"],
    ["/\t/evil.example/admin", "/admin/articles"],
    ["//[", "/admin/articles"],
    ["/administration", "/admin/articles"],
    ["/admin/login?next=/admin/login", "/admin/articles"],
    ["", "/admin/articles"],
    [null, "/admin/articles"],
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
