import { createExecutionContext, waitOnExecutionContext } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { SITE } from "./client.ts";
import worker from "./worker.ts";

export const WITH_CACHE = { ...env, EDGE_CACHE: "on" } as Env;

/** A request through the cache: the answer, and whether it was a hit, a miss, stale or not for the cache. */
export async function ask(path: string, init: RequestInit = {}, bindings = WITH_CACHE) {
  const execution = createExecutionContext();
  const request = new Request(`${SITE}${path}`, { redirect: "manual", ...init });
  const response = await worker.fetch(request as never, bindings, execution);
  const body = await response.text();
  await waitOnExecutionContext(execution);
  const [, way] = /cache;desc="(\w+)"/.exec(response.headers.get("Server-Timing") ?? "") ?? [];
  return { response, body, way: way ?? "bypass" };
}
