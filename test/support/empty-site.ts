import { applyD1Migrations, reset } from "cloudflare:test";
import { env } from "cloudflare:workers";
import type { D1Migration } from "@cloudflare/vitest-plugin";
import { clearRefusals } from "#worker/accounts/refusals.ts";
import { clearCache } from "#worker/platform/http/cache.ts";
import { dataCentre } from "#worker/platform/http/cache-store.ts";

/** Empties what this workerd stores, and makes the tables. */
export async function emptySite() {
  // workerd evicts a store that was idle for ten seconds, and `reset` only empties loaded ones: so each is accessed first.
  await Promise.all([
    env.DB.prepare("select 1").run(),
    env.KV.get("any"),
    env.MEDIA.head("any"),
    env.BACKUP.head("any"),
    env.DRILL.prepare("select 1").run(),
    dataCentre.get("any"),
  ]);
  await reset();
  const left = await env.DB.prepare("select 1 from sqlite_master where name = 'd1_migrations'").first();
  if (left) throw new Error("The database from before is still there.");
  await applyD1Migrations(env.DB, [(env as unknown as { SCHEMA: D1Migration }).SCHEMA]);
  clearCache();
  clearRefusals();
}
