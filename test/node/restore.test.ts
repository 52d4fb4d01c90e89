import assert from "node:assert/strict";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, test } from "vitest";
import { getPlatformProxy } from "wrangler";
import { createArticle } from "../../worker/articles/commands.ts";
import { listFilesParts, openFilesPart } from "../../worker/exports/files.ts";
import { exportSite } from "../../worker/exports/zip.ts";
import { files as storedFiles } from "../../worker/files/table.ts";
import { createContext, type Actor, type Context } from "../../worker/platform/context.ts";
import { makeTables } from "../support/made-tables.ts";
import { restoreSite } from "../../scripts/restore-site.ts";

let folder: string;
let file: string;
let files: string;
let empty: Context;
const proxies: Awaited<ReturnType<typeof getPlatformProxy<Env>>>[] = [];
const silent = { send: async () => {}, sendBatch: async () => {} } as unknown as Context["jobs"];

async function siteIn(name: string, actor: Actor): Promise<Context> {
  const proxy = await getPlatformProxy<Env>({
    persist: { path: join(folder, name, "v3") },
    remoteBindings: false,
  });
  proxies.push(proxy);
  await makeTables(proxy.env.DB);
  return { ...createContext(proxy.env, { actor }), jobs: silent, imports: silent };
}

const owner: Actor = {
  kind: "user",
  id: "owner",
  email: "owner@example.com",
  fullName: "The Owner",
  role: "super_admin",
  sessionId: "s",
  authenticatedAt: new Date(),
};

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "rostrum-restore-"));
  const full = await siteIn("full", owner);
  await createArticle(full, { title: "On heat", content: "Words.", slug: "on-heat", status: "published" });
  const uploaded = {
    id: "1",
    key: "uploads/1/a.txt",
    name: "a.txt",
    type: "text/plain",
    size: 6,
    partSize: 6,
  };
  await full.db.insert(storedFiles).values({
    ...uploaded,
    folder: "uploads",
    status: "complete",
    createdBy: "owner@example.com",
    createdAt: full.now,
    completedAt: full.now,
  });
  await full.media.put(uploaded.key, "Words.", { httpMetadata: { contentType: "text/plain" } });
  file = join(folder, "site.zip");
  files = join(folder, "site-files-1.zip");
  const { set, permit } = await listFilesParts(full);
  const { zip } = await openFilesPart(full, 1, { set, permit });
  const { readable, writable } = new TransformStream<Uint8Array, Uint8Array>();
  void zip.writeTo(writable, 0, zip.size);
  await writeFile(files, new Uint8Array(await new Response(readable).arrayBuffer()));
  await writeFile(file, new Uint8Array(await new Response(await exportSite(full)).arrayBuffer()));
  empty = await siteIn("empty", { kind: "job", name: "restore" });
});
afterAll(async () => {
  for (const proxy of proxies) await proxy.dispose();
  await rm(folder, { recursive: true });
});

test("a restore that is interrupted continues with the same command, and ends with a report", async () => {
  let steps = 0;
  const interrupt = () => {
    if (++steps > 8) throw new Error("Ctrl+C");
  };
  await assert.rejects(restoreSite(empty, [file, files], interrupt), /Ctrl\+C/);
  const report = await restoreSite(empty, [file, files], () => {});
  assert.ok(report.includes("Compare: articles: 1 row, the same as in the archive."));
  assert.ok(report.includes("data/objects.ndjson: 1 file has the archive’s hash."));
  assert.equal((await empty.media.head("uploads/1/a.txt"))?.httpMetadata?.contentType, "text/plain");
  assert.ok(
    report.every((line) => /same as in the archive|Empty in the archive|has the archive’s hash/.test(line)),
  );
});

test("a restored site refuses a second restore", async () => {
  await assert.rejects(
    restoreSite(empty, [file, files], () => {}),
    /This site isn’t empty: it has articles/,
  );
});
