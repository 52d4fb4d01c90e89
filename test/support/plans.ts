import { env } from "cloudflare:workers";
import { vi } from "vitest";
import { contextOf, type jobContext } from "./client.ts";

/** SQLite's query plan of each statement that a piece of work runs. */
export async function plansOf(work: (ctx: ReturnType<typeof jobContext>) => Promise<unknown>) {
  const queries: string[] = [];
  const ctx = contextOf({ kind: "job", name: "test" });
  const session = ctx.db as unknown as { session: { client: D1Database } };
  const prepare = session.session.client.prepare.bind(session.session.client);
  vi.spyOn(session.session.client, "prepare").mockImplementation((query) => {
    queries.push(query);
    return prepare(query);
  });
  await work(ctx);
  const plans = queries.map(async (query) => {
    const bound = Array.from(query.matchAll(/\?/g), () => 0);
    const { results } = await env.DB.prepare(`explain query plan ${query}`)
      .bind(...bound)
      .all<{ detail: string }>();
    return results.map(({ detail }) => detail);
  });
  return (await Promise.all(plans)).flat();
}
