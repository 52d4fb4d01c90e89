import { and, eq, gt, type Placeholder } from "drizzle-orm";
import type { DrizzleD1Database } from "drizzle-orm/d1";
import { env } from "cloudflare:workers";
import { beforeAll, expect, test, vi } from "vitest";
import { articles } from "#worker/articles/table.ts";
import { createContext } from "#worker/platform/context.ts";
import { prepared } from "#worker/platform/data/prepared.ts";
import { publishedArticle } from "./support/articles.ts";

const write = vi.fn((db: DrizzleD1Database, { slug, after }: Record<"slug" | "after", Placeholder>) =>
  db
    .select({ title: articles.title, publishedAt: articles.publishedAt })
    .from(articles)
    .where(and(eq(articles.slug, slug), gt(articles.publishedAt, after))),
);
const read = prepared(["slug", "after"], write);

const visitor = () => createContext(env, { actor: { kind: "visitor" }, reads: "any-replica" });

beforeAll(async () => {
  await publishedArticle({ title: "One", slug: "one" });
  await publishedArticle({ title: "Two", slug: "two" });
});

test("reads at the same time each have their own values, session and count; the SQL is written once", async () => {
  const [first, second] = [visitor(), visitor()];
  const answers = await Promise.all([
    read(first, { slug: "one", after: 0 }),
    read(second, { slug: "two", after: 0 }),
    read(second, { slug: "one", after: Date.now() + 1000 }),
  ]);
  expect(answers.map((rows) => rows.map(({ title }) => title))).toEqual([["One"], ["Two"], []]);
  expect(answers[0][0]?.publishedAt).toBeInstanceOf(Date);
  expect(first.d1).toMatchObject({ statements: 1, roundTrips: 1 });
  expect(second.d1).toMatchObject({ statements: 2, roundTrips: 1 });
  expect(write).toHaveBeenCalledTimes(1);
});
