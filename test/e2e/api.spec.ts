import { execFile } from "node:child_process";
import { cp, mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { expect } from "@playwright/test";
import { OpenAPIClientAxios } from "openapi-client-axios";
import type { Scope } from "../../worker/access/contract.ts";
import { actorOf } from "../../worker/accounts/sessions.ts";
import { createToken } from "../../worker/accounts/token-commands.ts";
import { createContext } from "../../worker/platform/context.ts";
import { createSession } from "../support/owner-session.ts";
import { startSite, type Site } from "./support/site.ts";
import { test } from "./support/test.ts";

let site: Site;
test.beforeAll(async () => {
  site = await startSite();
});
test.afterAll(() => site?.stop());

async function tokenWith(scopes: Scope[]) {
  const ctx = createContext(site.env, { actor: { kind: "job", name: "test" } });
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
