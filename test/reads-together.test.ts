import { env } from "cloudflare:workers";
import { eq, sql } from "drizzle-orm";
import { describe, expect, test } from "vitest";
import { createContext } from "#worker/platform/context.ts";
import { categories } from "#worker/articles/table.ts";
import { readSite } from "#worker/settings/queries.ts";
import { settings } from "#worker/settings/table.ts";
import { createCategory } from "#worker/articles/commands.ts";
import { ownerContext } from "./support/client.ts";

const pageContext = (bindings = env) =>
  createContext(bindings, { actor: { kind: "visitor" }, together: true });
const one = sql<{ n: number }>`select 1 as n`;

/** Notes how many statements each batch has, and refuses it. */
function refusingDatabase(message: string, asked: number[]) {
  const withSession = (start?: string) => ({
    prepare: (query: string) => env.DB.withSession(start).prepare(query),
    batch(statements: D1PreparedStatement[]) {
      asked.push(statements.length);
      return Promise.reject(new Error(message));
    },
  });
  return { withSession } as unknown as D1Database;
}

describe("concurrent reads of a page", () => {
  test("travel in one round trip, with a batch of reads", async () => {
    const { db, d1 } = pageContext();
    const [first, [second, third], [site]] = await Promise.all([
      db.all(one),
      db.batch([
        db.select({ n: sql<number>`2` }).from(sql`(select 1)`),
        db.select({ n: sql<number>`3` }).from(sql`(select 1)`),
      ]),
      db.select({ id: settings.id }).from(settings),
    ]);
    expect([first, second, third]).toEqual([[{ n: 1 }], [{ n: 2 }], [{ n: 3 }]]);
    expect(site === undefined || site.id === 1).toBe(true);
    expect(d1.roundTrips).toBe(1);
  });

  test("answer although one of them fails, which alone reports its error", async () => {
    const { db } = pageContext();
    const [before, failed, after] = await Promise.allSettled([
      db.all(one),
      db.all(sql`select * from no_such_table`),
      db.all(one),
    ]);
    const answered = { status: "fulfilled", value: [{ n: 1 }] };
    expect([before, after]).toEqual([answered, answered]);
    expect(failed).toMatchObject({ status: "rejected" });
    expect(String((failed as PromiseRejectedResult).reason.cause)).toContain("no such table: no_such_table");
  });

  const refusals = {
    "the day's rows are used up": "D1_ERROR: Your account has exceeded D1's free tier daily row read limit.",
    "D1 is overloaded": "D1_ERROR: D1 DB is overloaded. Too many requests queued.",
    "the connection is lost": "D1_ERROR: Network connection lost.",
  };
  test.each(Object.entries(refusals))("are not sent again one by one if %s", async (_, message) => {
    const asked: number[] = [];
    const { db } = pageContext({ ...env, DB: refusingDatabase(message, asked) });
    const answers = await Promise.allSettled([
      db.all(one),
      db.all(one),
      db.batch([db.select().from(settings)]),
    ]);
    expect(asked).toEqual([3]);
    for (const answer of answers) {
      expect(answer).toMatchObject({ status: "rejected" });
      const { reason } = answer as PromiseRejectedResult;
      expect(`${reason} ${reason.cause}`).toContain(message);
    }
  });

  test("are not joined by a write, and see it afterwards", async () => {
    const { db, d1 } = pageContext();
    const { id } = await createCategory(ownerContext(), { name: "Before" });
    await db.update(categories).set({ name: "Renamed" }).where(eq(categories.id, id));
    expect(d1.roundTrips).toBe(1);
    const [row] = await db.select({ name: categories.name }).from(categories).where(eq(categories.id, id));
    expect([row?.name, d1.roundTrips]).toEqual(["Renamed", 2]);
  });

  test("reach D1 once for the site's settings, in each request", async () => {
    const [first, second] = [pageContext(), pageContext()];
    await Promise.all([readSite(first), readSite(first), readSite(second)]);
    await readSite({ ...first });
    expect([first.d1.statements, second.d1.statements]).toEqual([1, 1]);
  });

  test("each reach D1 where the request may write", async () => {
    const ctx = createContext(env, { actor: { kind: "visitor" } });
    await Promise.all([readSite(ctx), readSite(ctx)]);
    expect([ctx.d1.statements, ctx.d1.roundTrips]).toEqual([2, 2]);
  });
});
