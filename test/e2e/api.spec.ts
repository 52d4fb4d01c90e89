import { execFile } from "node:child_process";
import { cp, mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StreamableHTTPClientTransport } from "@modelcontextprotocol/sdk/client/streamableHttp.js";
import { expect } from "@playwright/test";
import { OpenAPIClientAxios } from "openapi-client-axios";
import type { Scope } from "../../worker/access/contract.ts";
import { actorOf } from "../../worker/accounts/sessions.ts";
import { createToken } from "../../worker/accounts/token-commands.ts";
import { describeApi } from "../../worker/openapi/describe.ts";
import { openApiDocument } from "../../worker/openapi/document.ts";
import { createContext } from "../../worker/platform/context.ts";
import { readSender } from "../../worker/settings/queries.ts";
import { createSession } from "../support/owner-session.ts";
import { expectNoAxeFindings } from "./support/axe.ts";
import { complaintsOf } from "./support/console.ts";
import { startSite, type Site } from "./support/site.ts";
import { smallTargets } from "./support/targets.ts";
import { test } from "./support/test.ts";
import { looks } from "./support/windows.ts";

let site: Site;
test.beforeAll(async () => {
  site = await startSite();
});
test.afterAll(() => site?.stop());

const jobContext = () => createContext(site.env, { actor: { kind: "job", name: "test" } });

async function tokenWith(scopes: Scope[]) {
  const ctx = jobContext();
  const email = `${crypto.randomUUID()}@example.com`;
  const { value } = await createSession(ctx, { email, fullName: "A Person", role: "admin" });
  const asAdmin = { ...ctx, actor: await actorOf(ctx, value) };
  return (await createToken(asAdmin, { name: "A script", scopes, days: 30 })).secret;
}

/** The examples of docs/api.md, by their headings. */
async function examples() {
  const text = await readFile("docs/api.md", "utf8");
  return new Map(
    [...text.matchAll(/^## (.+?)\n[^#]*?```sh\n(.*?)```/gms)].map(([, name, code]) => [name!, code!]),
  );
}

async function run(code: string, token: string) {
  const folder = await mkdtemp(join(tmpdir(), "rostrum-api-"));
  try {
    await cp("test/fixtures/recordings/lame.mp3", join(folder, "episode.mp3"));
    const env = { ...process.env, SITE: site.url, TOKEN: token };
    const { stdout } = await promisify(execFile)("bash", ["-eo", "pipefail", "-c", code], {
      cwd: folder,
      env,
    });
    return stdout.trim();
  } finally {
    await rm(folder, { recursive: true });
  }
}

test("the examples of docs/api.md write an article, and publish an episode with its audio", async () => {
  const all = await examples();
  expect([...all.keys()]).toEqual(["Write an article", "Publish an episode"]);
  const writer = await tokenWith(["articles:write", "drafts:read"]);
  expect(await run(all.get("Write an article")!, writer)).toBe('"On heat"');
  const producer = await tokenWith(["episodes:write", "publish"]);
  expect(await run(all.get("Publish an episode")!, producer)).toBe('"published"');
  const feed = await (await fetch(`${site.url}/rss/podcast.xml`)).text();
  expect(feed).toContain("From a program");
  // Without the scope to publish.
  const drafter = await tokenWith(["episodes:write"]);
  const refusal = await run(all.get("Publish an episode")!, drafter).catch((error: Error) => String(error));
  expect(refusal).toContain("The requested URL returned error: 403");
});

test("a client that is generated from the document writes an article and reads it", async () => {
  const token = await tokenWith(["articles:write", "drafts:read"]);
  const headers = { Authorization: `Bearer ${token}` };
  const client = await new OpenAPIClientAxios({
    definition: `${site.url}/api/openapi.json`,
    axiosConfigDefaults: { headers },
  }).init();
  const { data: made } = await client["postArticles"]!(undefined, {
    title: "By a client",
    content: "Words.",
  });
  const { data: read } = await client["getArticlesById"]!(made.id);
  expect(read).toMatchObject({ id: made.id, values: { title: "By a client", status: "draft" } });
  const { data: list } = await client["getArticles"]!({ status: "draft", q: "client" });
  expect(list.items.map(({ id }: { id: number }) => id)).toEqual([made.id]);
});

test("the built document is what the schemas describe, with the site’s own address and name", async () => {
  const { siteName } = await readSender(jobContext());
  const built: unknown = await (await fetch(`${site.url}/api/openapi.json`)).json();
  const document = openApiDocument(site.url, siteName, describeApi());
  expect(built).toEqual(JSON.parse(JSON.stringify(document)));
});

test("the page about the API opens an operation by keyboard, without a script", async ({ page }) => {
  const complaints = complaintsOf(page.context());
  await page.goto(`${site.url}/api/docs`);
  await expect(page.getByRole("heading", { level: 1 })).toContainText("The API of");
  const focused = page.locator(":focus");
  for (const name of ["Settings → Programs", "openapi.json"]) {
    await page.keyboard.press("Tab");
    await expect(focused).toHaveText(name);
  }
  await page.keyboard.press("Tab");
  const operation = page.locator("details", { has: focused });
  expect(await focused.evaluate((element) => getComputedStyle(element).outlineStyle)).toBe("solid");
  await page.keyboard.press("Enter");
  await expect(operation.getByRole("heading", { name: "Answer" })).toBeVisible();
  await page.keyboard.press("Space");
  await expect(operation.getByRole("heading", { name: "Answer" })).toBeHidden();
  expect(complaints).toEqual([]);
});

test("the page about the API is accessible in both themes, and fits a phone with all operations open @full", async ({
  page,
}) => {
  await page.goto(`${site.url}/api/docs`);
  await page.locator("details").evaluateAll((all) => all.forEach((one) => one.setAttribute("open", "")));
  for (const { viewport, colorScheme } of looks) {
    await page.setViewportSize(viewport);
    await page.emulateMedia({ colorScheme });
    await expectNoAxeFindings(page);
    expect(await smallTargets(page)).toEqual([]);
    const width = await page.evaluate(() => document.documentElement.scrollWidth);
    expect(width).toBeLessThanOrEqual(viewport.width);
  }
});

test("the protocol’s own client searches and drafts within its token’s scopes", async () => {
  const client = new Client({ name: "test", version: "1" });
  const token = await tokenWith(["public:read", "drafts:read", "articles:write", "figures"]);
  await client.connect(
    new StreamableHTTPClientTransport(new URL(`${site.url}/api/mcp`), {
      requestInit: { headers: { Authorization: `Bearer ${token}` } },
    }),
  );
  const { siteName } = await readSender(jobContext());
  expect(client.getServerVersion()).toMatchObject({ name: "rostrum", title: siteName });
  const names = (await client.listTools()).tools.map(({ name }) => name);
  expect(names).toEqual(expect.arrayContaining(["search", "draft_article", "read_figures"]));
  expect(names.filter((name) => /^(?:publish|send)_/.test(name))).toEqual([]);

  const call = async (name: string, given: Record<string, unknown>) => {
    const { content, isError } = await client.callTool({ name, arguments: given });
    const [{ text } = { text: "" }] = content as { text: string }[];
    return isError ? text : (JSON.parse(text) as Record<string, unknown>);
  };
  expect(await call("search", { q: "housing" })).toHaveProperty("documents.0.title");
  const drafted = await call("draft_article", { title: "By an assistant", content: "Words." });
  expect(drafted).toMatchObject({ values: { status: "draft" } });
  const { id } = drafted as { id: number };
  expect(await call("read_article", { id })).toMatchObject({ values: { content: "Words." } });
  expect(await call("read_figures", { days: "7" })).toMatchObject({ period: { days: 7 } });
  expect(await call("publish_article", { id })).toBe("This token lacks the scope “publish”.");
  expect(await call("draft_article", { title: "" })).toContain("Title is required");
  await client.close();
});

test("the protocol’s own client is refused without a token", async () => {
  const client = new Client({ name: "test", version: "1" });
  const transport = new StreamableHTTPClientTransport(new URL(`${site.url}/api/mcp`));
  await expect(client.connect(transport)).rejects.toThrow("Send an API token");
});
