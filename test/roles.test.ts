import * as build from "virtual:react-router/server-build";
import { describe, expect, it } from "vitest";
import { adminApi } from "#worker/api.ts";
import { ROLES, SCOPES, type Role, type Scope } from "#worker/access/contract.ts";
import { routeScopes } from "#worker/access/scopes.ts";
import matrix from "../docs/roles.md?raw";
import { addUser, CHOSEN, household, PASSWORD } from "./support/accounts.ts";
import { fetchSite, signedIn } from "./support/client.ts";
import { anEpisode, aShow } from "./support/factories.ts";
import { sweepsAll } from "./support/sweeps.ts";
import { tokenWith } from "./support/tokens.ts";

const PEOPLE = ["visitor", ...ROLES.toReversed()] as const;
type Person = (typeof PEOPLE)[number];
type Row = { name: string; may: Record<Person | "token", string> };

/** The rows of the table below a heading of docs/roles.md. */
function rowsOf(heading: string): Row[] {
  const [, section = ""] = matrix.split(`## ${heading}`);
  const lines = (section.split("\n## ")[0] ?? "").split("\n").filter((line) => line.startsWith("| "));
  const [header = [], , ...rows] = lines.map((line) =>
    line
      .split("|")
      .map((cell) => cell.trim())
      .slice(1, -1),
  );
  return rows.map(([name = "", ...cells]) => ({
    name: name.replaceAll("`", ""),
    may: Object.fromEntries(cells.map((cell, index) => [header[index + 1], cell])) as Row["may"],
  }));
}

const api = rowsOf("The API, below /api/admin");
const pages = rowsOf("Pages");
const legal = rowsOf("Legal pages");
const legalPages = legal.filter(({ name }) => name.startsWith("/"));
const legalApi = legal.filter(({ name }) => !name.startsWith("/"));

const cookieOf = async (person: Person) =>
  (await signedIn(person === "visitor" ? undefined : (person as Role))).cookie;

/** Of one session each, for requests that change nothing. */
const readers = new Map<Person, Promise<string>>();
function readerOf(person: Person) {
  const cookie = readers.get(person) ?? cookieOf(person);
  readers.set(person, cookie);
  return cookie;
}

/** Valid bodies of routes that would refuse an empty body before they check the role. */
const bodies: Record<string, unknown> = {
  "POST /setup": { email: "owner@example.com", fullName: "The Owner", password: PASSWORD },
  "POST /verification": { email: "somebody@example.com" },
  "POST /verification/confirm": { token: "none" },
  "POST /password-reset": { email: "somebody@example.com" },
  "POST /password-reset/confirm": { token: "none", password: CHOSEN },
  "POST /invitation/confirm": { token: "none", password: CHOSEN },
  "PATCH /account": { fullName: "Another Name" },
  "POST /account/email": { email: "another@example.com", currentPassword: PASSWORD },
  "POST /account/password": { currentPassword: PASSWORD, password: CHOSEN },
  "PATCH /users/:id": { fullName: "Another Name" },
  "PATCH /episodes/:id": { title: "Another title" },
  "PATCH /articles/:id": { title: "Another title" },
  "POST /articles/preview": { content: "Words." },
  "POST /articles/render": { after: 0, part: "all" },
  "POST /articles/check": { after: 0 },
  "POST /imports/linkedin/posts": { profileUrl: "https://www.linkedin.com/in/a", lookbackYears: 2 },
  "POST /imports/linkedin/known": { sourceUrls: [] },
  "POST /imports/articles": { isDryRun: true, items: [{ title: "An article" }] },
  "POST /episodes/preview": { showNotes: "Words.", durationSeconds: 0 },
  "POST /articles/:id/revisions/:revision/restore": { basedOn: 1 },
  "POST /pages/:slug/revisions/:revision/restore": { basedOn: 1 },
  "POST /pages/privacy-policy/revisions/:revision/restore": { basedOn: 1 },
  "POST /episodes/:id/revisions/:revision/restore": { basedOn: 1 },
  "POST /newsletters/preview": { subject: "S", preheader: "", content: "Words." },
  "POST /press": { title: "An item", date: "2026-03-04", summary: "What it says." },
  "POST /press/preview": { content: "Words." },
  "POST /tiers": { name: "Patron" },
  "POST /topics": { name: "Cities" },
  "POST /members": { email: "member@example.com", tierId: 1, source: "free" },
  "POST /campaigns": { title: "Sign", embedUrl: "https://a.example/" },
  "POST /social-posts": { platform: "linkedin", author: "A", content: "Said.", date: 1 },
  "PATCH /categories/:id": { name: "Another name" },
  "PUT /show": aShow(),
  "POST /automatic-letters": { name: "Each essay" },
  "POST /automatic-letters/preview": {
    frequency: "daily",
    items: "both",
    subject: "S",
    preheader: "",
    content: "{{#items}}{{title}}{{/items}}",
  },
  "POST /profiles": { name: "A person" },
  "POST /ventures": { name: "A venture", description: "What it does." },
  "POST /engagements": { title: "A talk" },
  "PUT /files/:id/peaks": { peaks: "AAAA" },
  "POST /files": { name: "a.mp3", type: "audio/mpeg", size: 1000, folder: "podcast-audio" },
};

/** Created for each request, because what it changes may exist only once. */
const bodyOf = async (route: string) => {
  if (route === "POST /session") return { email: (await addUser()).email, password: PASSWORD };
  if (route === "POST /users")
    return { email: `${crypto.randomUUID()}@example.com`, fullName: "A", role: "user" };
  if (route === "POST /articles") return { title: "An article" };
  if (route === "POST /categories") return { name: crypto.randomUUID() };
  if (route === "POST /episodes") return anEpisode();
  if (route === "POST /episodes/check-transcript") return { transcript: "Words." };
  if (route === "POST /episodes/check") return { episode: anEpisode() };
  return bodies[route] ?? (/^(?:POST|PUT|PATCH) /.test(route) ? {} : undefined);
};

async function ask(route: string, person: Person, mayDoIt: boolean) {
  const changesNothing = route.startsWith("GET ") || !mayDoIt;
  const { status } = await request(route, {
    Cookie: await (changesNothing ? readerOf(person) : cookieOf(person)),
  });
  return status;
}

async function request(route: string, credentials: Record<string, string>) {
  const [method = "", path = ""] = route.split(" ");
  const body = await bodyOf(route);
  const isPart = path.includes("/parts/");
  const address = path
    .replace(":number", "1")
    .replace(":id", "999999")
    .replace(":slug", "mission")
    .replace(":revision", "1")
    .replace(":proposal", "1");
  const response = await fetchSite(`/api/admin${address}`, {
    method,
    headers: {
      ...credentials,
      "Content-Type": isPart ? "application/octet-stream" : "application/json",
      "CF-Connecting-IP": household(),
    },
    body: isPart ? "bytes" : body === undefined ? undefined : JSON.stringify(body),
  });
  // An export that no one reads would wait in the middle of its rows.
  await response.body?.cancel();
  return response;
}

/** The scopes in the column “token”; null for a route that is not for tokens. */
const scopesIn = ({ may: { token } }: Row) =>
  token === "no" ? null : (token.replaceAll("`", "").split(", ") as Scope[]);

/** Of one token each. */
const tokens = new Map<string, Promise<Record<string, string>>>();
function tokenOf(scopes: readonly Scope[]) {
  const name = scopes.join();
  const headers = tokens.get(name) ?? tokenWith(scopes).then((token) => token.headers);
  tokens.set(name, headers);
  return headers;
}

/** Each scope alone for `npm run test:full`; else all scopes but one that is needed, which is refused by the same comparison. */
function refusedScopes(needed: Scope[] | null): Scope[][] {
  if (needed === null) return [[...SCOPES], ...(sweepsAll ? SCOPES.map((scope) => [scope]) : [])];
  const allButOne = needed.map((scope) => SCOPES.filter((each) => each !== scope));
  const alone = SCOPES.filter((scope) => needed.length > 1 || !needed.includes(scope)).map((scope) => [
    scope,
  ]);
  return sweepsAll ? [...allButOne, ...alone] : allButOne;
}

describe("the API", () => {
  it("has exactly the routes that docs/roles.md lists", () => {
    const routes = adminApi.routes
      .filter(({ method }) => method !== "ALL")
      .map(({ method, path }) => `${method} ${path.replace(/(.)\/$/, "$1")}`);
    expect(api.map(({ name }) => name).toSorted()).toEqual([...new Set(routes)].toSorted());
  });

  describe.each([...api, ...legalApi])("$name", ({ name, may }) => {
    it.each(PEOPLE)("as docs/roles.md says, to %s", async (person) => {
      const mayDoIt = may[person] === "yes";
      const status = await ask(name, person, mayDoIt);
      if (mayDoIt) expect([401, 403, 500]).not.toContain(status);
      else expect(status).toBe(person === "visitor" ? 401 : 403);
    });
  });

  describe.each(api)("$name", (row) => {
    const needed = scopesIn(row);

    it("as docs/roles.md says, to a token of a super admin", async () => {
      for (const scopes of refusedScopes(needed)) {
        const response = await request(row.name, await tokenOf(scopes));
        expect(response.status).toBe(403);
        const missing = needed?.filter((scope) => !scopes.includes(scope)).join(" ");
        expect(response.headers.get("WWW-Authenticate")).toBe(
          needed ? `Bearer error="insufficient_scope", scope="${missing}"` : null,
        );
      }
      if (needed) {
        const { status } = await request(row.name, await tokenOf(needed));
        expect([401, 403, 500]).not.toContain(status);
      }
    });
  });

  it("has a row for each route that the table of scopes names", () => {
    const known = new Set(api.map(({ name }) => name.replace(" ", " /api/admin")));
    const named = [...routeScopes.keys()].filter((route) => route.includes(" /api/admin/"));
    expect(named.filter((route) => !known.has(route))).toEqual([]);
  });
});

describe("the pages of the admin area", () => {
  it("are exactly those that docs/roles.md lists", () => {
    const paths = Object.values(build.routes)
      .filter((route) => route !== undefined)
      .filter(({ id }) => id.startsWith("admin/"))
      .filter(({ index, path }) => index === true || path !== undefined)
      .map(({ id }) => pathOf(id));
    expect(pages.map(({ name }) => name).toSorted()).toEqual([...new Set(paths)].toSorted());
  });

  describe.each([...pages, ...legalPages])("$name", ({ name, may }) => {
    const path = name.replace(":id", "999999").replace(":slug", "mission").replace("*", "nothing-here");

    it.each(PEOPLE)("as docs/roles.md says, to %s", async (person) => {
      // The same loaders answer, without the time that a page takes to render: super admins see each whole.
      const isWhole = may[person] === "no" || person === "super_admin" || person === "visitor";
      const response = await fetchSite(isWhole ? path : `${path}.data`, {
        headers: { Cookie: await readerOf(person) },
      });
      if (may[person] === "yes") {
        expect([200, 302, 404, ...(isWhole ? [] : [202])]).toContain(response.status);
        expect(response.headers.get("Location") ?? "").not.toContain("/admin/login?next=");
        if (!isWhole)
          expect(await response.text()).not.toMatch(/\/admin\/login\?next=|Your role can’t do this\./);
      } else if (person === "visitor") {
        expect(response.headers.get("Location")).toMatch(/^\/admin\/login\?next=/);
      } else expect(response.status).toBe(403);
    });

    it("reveals no more through its router data", async () => {
      const refused = PEOPLE.filter((person) => may[person] === "no");
      for (const person of refused) {
        const response = await fetchSite(`${path}.data`, { headers: { Cookie: await readerOf(person) } });
        const text = await response.text();
        if (person === "visitor") expect(text).toContain("/admin/login");
        else expect(text).toContain("Your role can’t do this.");
      }
    });
  });
});

/** The whole address of a route, from its own part and its parents'. */
function pathOf(id: string | undefined): string {
  const route = id === undefined ? undefined : build.routes[id];
  if (!route) return "";
  return `${pathOf(route.parentId)}/${route.path ?? ""}`.replaceAll(/\/+/g, "/").replace(/(.)\/$/, "$1");
}
