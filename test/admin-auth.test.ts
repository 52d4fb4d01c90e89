import { describe, expect, it, vi } from "vitest";
import { sessionCookieOf } from "#worker/accounts/cookie.ts";
import { users } from "#worker/accounts/table.ts";
import type { Role } from "#worker/access/contract.ts";
import { mailRow } from "#worker/mail/message.ts";
import { addUser } from "./support/accounts.ts";
import { beginWithNobody, open, OWNER, setUp } from "./support/admin-auth.ts";
import { fetchSite, jobContext, signedIn, SITE } from "./support/client.ts";

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

/** Opens a page; a tab redirects to its first part. */
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

beginWithNobody();

describe("the admin area without a session", () => {
  it.each(["/admin", ...TABS.map(pathOf), "/ADMIN", "/Admin/Settings", "/%61dmin/settings"])(
    "%s leads to the login",
    async (path) => {
      await addMail();
      const { response, html } = await open(path);
      expect(response.status).toBe(302);
      expect(response.headers.get("Location")).toMatch(/^\/admin\/login\?next=%2F/);
      expect(html).toBe("");
    },
  );

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
  ])("%s reveals no data", async (path) => {
    const id = await addMail();
    for (const each of [path, path.replace(/email/i, `mails/${id}`)]) {
      const { response, html } = await open(each);
      expect(response.status).not.toBe(200);
      expect(html).not.toContain(SECRET);
      expect(html).not.toContain("Welcome");
    }
  });

  it("an email's own page leads to the login, which returns to it", async () => {
    const path = `/admin/settings/mails/${await addMail()}`;
    const { response } = await open(path);
    expect(response.headers.get("Location")).toBe(`/admin/login?next=${encodeURIComponent(path)}`);
  });

  it("a link to a download leads to the login, which returns to the page with the link", async () => {
    const answerTo = async (path: string, headers: Record<string, string>) => {
      const { status, headers: answered } = await fetchSite(`/api/admin/${path}`, { headers });
      return [status, answered.get("Location")];
    };
    const followed = { "Sec-Fetch-Mode": "navigate" };
    const back = (path: string) => `/admin/login?${new URLSearchParams({ next: path, ended: "1" })}`;
    for (const path of ["export", "subscribers/export", "people/export?email=a%40example.com"]) {
      const Referer = `${SITE}/admin/settings/export?x=1`;
      expect(await answerTo(path, { ...followed, Referer })).toEqual([
        303,
        back("/admin/settings/export?x=1"),
      ]);
      expect(await answerTo(path, { Referer })).toEqual([401, null]);
    }
    const Referer = "https://evil.example/admin";
    expect(await answerTo("export", { ...followed, Referer })).toEqual([303, back("/")]);
  });

  it("says that a session ended only to a browser that had one", async () => {
    const { response } = await open("/admin/articles", `${sessionCookieOf(SITE).name}=gone`);
    expect(response.headers.get("Location")).toContain("ended=1");
    expect((await open("/admin/login?ended=1")).html).toContain("Your session has ended");
    expect((await open("/admin/login")).html).not.toContain("Your session has ended");
  });
});

describe("the admin area with a session", () => {
  it.each(TABS)("shows the frame around %s, which it marks as the current tab", async (tab) => {
    const { cookie } = await signedIn("super_admin");
    const { response, html } = await openPart(pathOf(tab), cookie);
    expect(response.status).toBe(200);
    expect(html).toContain("Welcome, A super_admin");
    for (const word of ["Back to Site", "Home", "Logout"]) expect(html).toContain(word);
    expect(tabsIn(html)).toEqual(TABS);
    const links = linksOfTabs(html);
    expect(links.filter(([link]) => link.includes('aria-current="page"')).map(([, label]) => label)).toEqual([
      tab,
    ]);
  });

  it("lists the emails and shows one", async () => {
    const { cookie } = await signedIn("admin");
    const id = await addMail();
    const first = await open("/admin/settings", cookie);
    expect(first.response.headers.get("Location")).toBe("/admin/settings/general");
    const list = await open("/admin/settings/email", cookie);
    expect(list.html).toContain(SECRET);
    expect(list.html).toContain("Waiting");
    expect(list.html).toContain("Emails aren’t sent from this computer");
    const one = await open(`/admin/settings/mails/${id}`, cookie);
    expect(one.html).toContain('href="https://example.com/x"');
  });

  it("answers 404 for an email that does not exist", async () => {
    const { cookie } = await signedIn("admin");
    const { response, html } = await open("/admin/settings/mails/none", cookie);
    expect(response.status).toBe(404);
    expect(html).toContain("There is no such email.");
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
  it.each(closed)("%s gets a 403 for %s within the admin layout", async (role, tab, own) => {
    const { cookie } = await signedIn(role);
    const { response, html } = await open(pathOf(tab), cookie);
    expect(response.status).toBe(403);
    expect(html).toContain("You don’t have access to this");
    expect(html).toContain("Your role can’t do this.");
    expect(html).toContain(`Welcome, A ${role}`);
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

const ROUTES = [
  "root",
  "admin/shell/layout",
  "admin/users/tab",
  "admin/settings/mails",
  "admin/settings/mail",
];

describe("every page of the admin area", () => {
  const signIn = ["login", "login?reset", "setup", "verify-email", "verify-email/again"];
  const byMail = ["reset-password", "invitation"];
  const inside = ["articles", "account", "users", "settings/email", "settings/security"];
  it.each([...signIn, ...byMail, ...inside])("%s is never cached and is noindex", async (path) => {
    await setUp();
    const { cookie } = inside.includes(path) ? await signedIn("super_admin") : { cookie: "" };
    const { response, html } = await open(`/admin/${path}`, cookie);
    expect(response.status).toBe(200);
    expect(response.headers.get("Cache-Control")).toBe("no-store");
    expect(html).toMatch(/<meta name="robots" content="noindex"\/?>/);
  });
});

describe("a nonexistent address of the admin area", () => {
  it.each([
    ["/admin/nope", undefined, "404: /admin/nope"],
    ["/admin/nope/further", "user", "404: /admin/nope/further"],
    ["/admin/settings/nope", "admin", "404: /admin/settings/nope"],
    ["/admin/articles/999999", "editor", "404: That article no longer exists."],
    ["/admin/settings/mails/none", "admin", "404: There is no such email."],
  ] as const)("%s shows a not-found page to %s, and is logged", async (path, role, logged) => {
    const warn = vi.spyOn(console, "warn").mockImplementation(() => {});
    const { response, html } = await open(path, (await signedIn(role)).cookie);
    expect(response.status).toBe(404);
    expect(html).toMatch(/<h1[^>]*>Page not found<\/h1>/);
    expect(html).toMatch(/<a[^>]*href="\/"[^>]*>Return to Home<\/a>/);
    expect(html.includes("Logout")).toBe(role !== undefined);
    expect(warn).toHaveBeenCalledWith(expect.stringContaining(`"message":"${logged}"`));
    warn.mockRestore();
  });
});
