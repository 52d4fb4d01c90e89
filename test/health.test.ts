import { createExecutionContext } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { expect, test, vi } from "vitest";
import { checkHealth, healthApi, type Health } from "#worker/platform/http/health.ts";
import { router } from "#worker/platform/http/router.ts";
import type { Context } from "#worker/platform/context.ts";
import { fetchSite, signedIn, SITE, visitorContext } from "./support/client.ts";
import { faultyBindings } from "./support/faults.ts";
import worker from "./support/worker.ts";

const broken = () => Promise.reject(new Error("down"));
const never = () => new Promise<never>(() => {});

const answerHealth = (ctx: Context) =>
  router()
    .use(async (c, next) => {
      c.set("ctx", ctx);
      await next();
    })
    .route(
      "/",
      healthApi(async () => null),
    )
    .request("/", {}, env);

test("everything answers: 200, the version and each part", async () => {
  const response = await fetchSite("/api/health");
  expect(response.status).toBe(200);
  expect(response.headers.get("Cache-Control")).toBe("no-store");
  const health = (await response.json()) as Health;
  expect(health).toEqual({
    ok: true,
    version: visitorContext().config.version,
    checks: { d1: true, kv: true, r2: true, queues: true },
  });
});

test("it says when the last copy and drill ended only to those who may change the settings", async () => {
  const backupsFor = async (role?: "super_admin" | "editor") => {
    const { cookie } = await signedIn(role);
    const response = await fetchSite("/api/health", { headers: { cookie } });
    return ((await response.json()) as { backups?: unknown }).backups;
  };
  expect(await backupsFor("super_admin")).toEqual({ lastCopy: null, lastDrill: null, problems: [] });
  expect(await backupsFor("editor")).toBeUndefined();
  expect(await backupsFor()).toBeUndefined();
});

test("D1 down is a 503", async () => {
  const log = vi.spyOn(console, "error").mockImplementation(() => {});
  const ctx = visitorContext();
  const db = new Proxy(ctx.db, { get: (_db, name) => (name === "get" ? broken : undefined) });
  const response = await answerHealth({ ...ctx, db });
  expect(response.status).toBe(503);
  const health = (await response.json()) as Health;
  expect(health).toMatchObject({ ok: false, checks: { d1: false, kv: true, r2: true, queues: true } });
  expect(JSON.stringify(health)).not.toContain("down");
  expect(log).toHaveBeenCalledWith(expect.stringContaining('"message":"health: d1: Error: '));
});

test("D1 down is a 503 with the same answer for a signed-in owner, whose session cannot be read", async () => {
  vi.spyOn(console, "error").mockImplementation(() => {});
  const { cookie } = await signedIn("super_admin");
  for (const fault of ["before", "hang"] as const) {
    const { env: bindings } = faultyBindings(env, ({ binding }) => (binding === "DB" ? fault : undefined));
    const request = new Request(`${SITE}/api/health`, { headers: { cookie } });
    const response = await worker.fetch(request as never, bindings, createExecutionContext());
    expect([fault, response.status]).toEqual([fault, 503]);
    expect(await response.json()).toMatchObject({ ok: false, checks: { d1: false, kv: true, r2: true } });
  }
});

test("a failure of another part is reported, and the site counts as up", async () => {
  vi.spyOn(console, "error").mockImplementation(() => {});
  const ctx = visitorContext();
  const response = await answerHealth({ ...ctx, kv: { ...ctx.kv, get: broken } as unknown as KVNamespace });
  expect(response.status).toBe(200);
  expect(await response.json()).toMatchObject({ ok: false, checks: { d1: true, kv: false } });
});

test("a part that never answers is given up", async () => {
  vi.spyOn(console, "error").mockImplementation(() => {});
  const soon = async () => null;
  const others = { db: { get: soon }, kv: { get: soon }, media: { head: soon } };
  const ctx = { ...visitorContext(), ...others } as unknown as Context;
  const health = await checkHealth(ctx, { metrics: never }, 50);
  expect(health).toMatchObject({ ok: false, checks: { d1: true, kv: true, r2: true, queues: false } });
});
