import { and, eq } from "drizzle-orm";
import { beforeEach, describe, expect, it, vi } from "vitest";
import { SCOPES, type Scope } from "#worker/access/contract.ts";
import { routeScopes } from "#worker/access/scopes.ts";
import { securityEvents } from "#worker/accounts/table.ts";
import { insertImport } from "#worker/imports/items.ts";
import { imports } from "#worker/imports/table.ts";
import { scopesOfTool, tools } from "#worker/mcp/tools.ts";
import { DURING_RESTORE, RESTORE } from "#worker/restores/contract.ts";
import { cookieFor, fetchSite, jobContext, ownerContext } from "./support/client.ts";
import { addUser } from "./support/accounts.ts";
import { publishedArticle } from "./support/articles.ts";
import { publishedEpisode } from "./support/factories.ts";
import { savedLetter } from "./support/letters.ts";
import { forgetRates } from "./support/rates.ts";
import { byToken, tokenWith } from "./support/tokens.ts";

beforeEach(forgetRates);

type Token = Awaited<ReturnType<typeof tokenWith>>;
type Answer = {
  result?: {
    tools?: { name: string }[];
    content?: { text: string }[];
    isError?: boolean;
    protocolVersion?: string;
  };
  error?: { code: number };
};

let count = 0;
const send = (token: Token, method: string, params: object = {}, headers: Record<string, string> = {}) =>
  byToken(token, "POST", "/mcp", { jsonrpc: "2.0", id: ++count, method, params }, headers);
const ask = async (...given: Parameters<typeof send>) => (await send(...given)).json<Answer>();

async function call(token: Token, name: string, given: object = {}) {
  const { result } = await ask(token, "tools/call", { name, arguments: given });
  const text = result!.content![0]!.text;
  return result!.isError ? text : (JSON.parse(text) as Record<string, unknown>);
}

describe("the Model Context Protocol", () => {
  it.each([
    ["2025-11-25", "2025-11-25"],
    ["2025-06-18", "2025-06-18"],
    ["1999-01-01", "2025-11-25"],
  ])("of a client that speaks %s is that of %s", async (protocolVersion, spoken) => {
    const given = { protocolVersion, capabilities: {}, clientInfo: { name: "test", version: "1" } };
    expect((await ask(await tokenWith(["figures"]), "initialize", given)).result).toMatchObject({
      protocolVersion: spoken,
      capabilities: { tools: {} },
    });
  });

  it("refuses what is no message, no method or no tool with the codes of JSON-RPC", async () => {
    const token = await tokenWith(["figures"]);
    const codeOf = async (body: unknown) => {
      const response = await byToken(token, "POST", "/mcp", body);
      return [response.status, (await response.json<Answer>()).error?.code];
    };
    expect(await codeOf([])).toEqual([400, -32_600]);
    expect(await codeOf({ jsonrpc: "2.0", id: 1, method: "resources/list" })).toEqual([200, -32_601]);
    const params = { name: "constructor", arguments: {} };
    expect(await codeOf({ jsonrpc: "2.0", id: 1, method: "tools/call", params })).toEqual([200, -32_602]);
    const headers = { "Content-Type": "application/json", ...token.headers };
    const broken = await fetchSite("/api/mcp", { method: "POST", headers, body: "{" });
    expect([broken.status, (await broken.json<Answer>()).error?.code]).toEqual([400, -32_700]);
  });

  it("answers a notification with 202, and has no stream", async () => {
    const token = await tokenWith(["figures"]);
    const note = { jsonrpc: "2.0", method: "notifications/initialized" };
    const response = await byToken(token, "POST", "/mcp", note);
    expect([response.status, await response.text()]).toEqual([202, ""]);
    expect((await byToken(token, "GET", "/mcp")).status).toBe(405);
  });

  it("is for tokens: neither visitors nor sessions, nor pages of other sites", async () => {
    const ping = { jsonrpc: "2.0", id: 1, method: "ping" };
    const Cookie = await cookieFor(await addUser({ role: "super_admin" }));
    for (const headers of [{}, { Cookie }] as Record<string, string>[]) {
      const response = await byToken({ headers }, "POST", "/mcp", ping);
      expect([response.status, response.headers.get("WWW-Authenticate")]).toEqual([401, "Bearer"]);
    }
    const token = await tokenWith(["figures"]);
    expect((await send(token, "ping", {}, { Origin: "https://elsewhere.example" })).status).toBe(403);
    expect((await send(token, "ping", {}, { "MCP-Protocol-Version": "1999-01-01" })).status).toBe(400);
    expect((await ask(token, "ping")).result).toEqual({});
  });
});

describe("a tool", () => {
  const each = Object.entries(tools);

  it.each(each)("%s has the scopes of a route that tokens reach", (_, tool) => {
    expect(routeScopes.has(tool.route)).toBe(true);
    expect(scopesOfTool(tool)).not.toEqual([]);
  });

  it.each(each)("%s is offered with its scopes, and refused without one of them", async (name, tool) => {
    const needed = scopesOfTool(tool);
    const namesFor = async (scopes: readonly Scope[]) => {
      const token = await tokenWith(scopes);
      const { result } = await ask(token, "tools/list");
      return { token, names: result!.tools!.map((listed) => listed.name) };
    };
    expect((await namesFor(needed)).names).toContain(name);
    for (const scope of needed) {
      const { token, names } = await namesFor(SCOPES.filter((one) => one !== scope));
      expect(names).not.toContain(name);
      expect(await call(token, name)).toBe(`This token lacks the scope “${scope}”.`);
    }
  });

  it("drafts, and names the token in the audit log; publishing needs its scope, also by another tool", async () => {
    const writer = await tokenWith(SCOPES.filter((scope) => scope !== "publish"));
    const drafted = await call(writer, "draft_article", { title: "A title", content: "Words." });
    expect(drafted).toMatchObject({ values: { status: "draft", content: "Words." } });
    const { id } = await publishedArticle();
    expect(await call(writer, "revise_article", { id, title: "Defaced" })).toContain("“publish”");
    expect(await call(writer, "draft_article", { title: "A", status: "published" })).toContain("status");
    const { db } = jobContext();
    const isIt = and(eq(securityEvents.email, writer.user.email), eq(securityEvents.kind, "token_wrote"));
    await vi.waitFor(async () =>
      expect(await db.select().from(securityEvents).where(isIt)).toMatchObject([
        { detail: "POST /api/admin/articles", by: "the token “A script”" },
      ]),
    );
    const isRefusal = and(
      eq(securityEvents.email, writer.user.email),
      eq(securityEvents.kind, "access_refused"),
    );
    await vi.waitFor(async () =>
      expect(await db.select().from(securityEvents).where(isRefusal)).toMatchObject([
        { detail: "PATCH /api/admin/articles/:id", by: "the token “A script”" },
      ]),
    );
  });

  it("changes nothing during a restore", async () => {
    const token = await tokenWith(SCOPES);
    const { db } = jobContext();
    const [restore] = await insertImport(ownerContext(), { kind: RESTORE, source: "a.zip" });
    const isIt = eq(imports.id, restore!.id);
    await db.update(imports).set({ state: "running" }).where(isIt);
    expect(await call(token, "draft_article", { title: "A title" })).toBe(DURING_RESTORE);
    expect(await call(token, "list_articles")).toHaveProperty("items");
    await db.delete(imports).where(isIt);
    expect(await call(token, "draft_article", { title: "A title" })).toHaveProperty("id");
  });

  it("reads, revises and publishes within its scopes", async () => {
    const token = await tokenWith(SCOPES);
    const episode = await publishedEpisode();
    expect(await call(token, "read_episode", { id: episode.id })).toHaveProperty("transcript");
    expect(await call(token, "write_show_notes", { id: episode.id, showNotes: "*Notes*" })).toMatchObject({
      values: { showNotes: "*Notes*" },
    });
    const { id } = (await call(token, "draft_article", { title: "Out", content: "Words." })) as {
      id: number;
    };
    expect(await call(token, "publish_article", { id })).toMatchObject({ values: { status: "published" } });
    expect(await call(token, "read_article", { id: 999_999 })).toContain("no longer exists");
    const letter = await savedLetter();
    expect(await call(token, "send_letter", { id: letter.id })).toEqual(expect.any(String));
  });
});
