import { eq } from "drizzle-orm";
import { expect, test } from "vitest";
import { createArticle, deleteArticle } from "#worker/articles/commands.ts";
import { readArticleForEdit } from "#worker/articles/owner-queries.ts";
import { articles } from "#worker/articles/table.ts";
import { createEpisode } from "#worker/episodes/commands.ts";
import { readEpisodeForEdit } from "#worker/episodes/owner-queries.ts";
import { episodes } from "#worker/episodes/table.ts";
import { createLetter } from "#worker/letters/commands.ts";
import { readLetter } from "#worker/letters/queries.ts";
import { letters } from "#worker/letters/table.ts";
import { listRevisions } from "#worker/revisions/queries.ts";
import { contextOf, ownerContext } from "./support/client.ts";
import { anEpisode } from "./support/factories.ts";

const { db, actor } = ownerContext();
const somebodyElse = () => contextOf({ ...(actor as object), id: "somebody-else" } as typeof actor);

test("a new article whose first answer was lost is the same one when it is sent again", async () => {
  const draftKey = crypto.randomUUID();
  const send = (content: string) =>
    createArticle(ownerContext(), { title: "Sent twice", content, automatic: true, draftKey });
  const first = await send("One.");
  const again = await send("One. Two.");
  expect(again.id).toBe(first.id);
  expect((await readArticleForEdit(ownerContext(), first.id)).values.content).toBe("One. Two.");
  expect(await db.$count(articles, eq(articles.title, "Sent twice"))).toBe(1);
  expect((await listRevisions(ownerContext(), { kind: "article", item: first.id })).items).toHaveLength(1);
});

test("a key is the person’s and the form’s, and free once its article is deleted", async () => {
  const draftKey = crypto.randomUUID();
  const input = { title: "Of two people", draftKey };
  const mine = await createArticle(ownerContext(), input);
  const theirs = await createArticle(somebodyElse(), input);
  const another = await createArticle(ownerContext(), { ...input, draftKey: crypto.randomUUID() });
  expect(new Set([mine.id, theirs.id, another.id]).size).toBe(3);
  await deleteArticle(ownerContext(), mine.id);
  expect((await createArticle(ownerContext(), input)).id).not.toBe(mine.id);
});

test("of two at once, one makes the article", async () => {
  const input = { title: "At once", draftKey: crypto.randomUUID() };
  await Promise.allSettled([createArticle(ownerContext(), input), createArticle(ownerContext(), input)]);
  expect(await db.$count(articles, eq(articles.title, "At once"))).toBe(1);
});

test("the button’s save of a form that was saved by itself publishes that article", async () => {
  const draftKey = crypto.randomUUID();
  const { id } = await createArticle(ownerContext(), { title: "By both", automatic: true, draftKey });
  const published = await createArticle(ownerContext(), { title: "By both", status: "published", draftKey });
  expect([published.id, published.values.status]).toEqual([id, "published"]);
});

test("so is a new episode", async () => {
  const draftKey = crypto.randomUUID();
  const input = { ...anEpisode(), title: "Sent twice", automatic: true, draftKey };
  const first = await createEpisode(ownerContext(), input);
  const again = await createEpisode(ownerContext(), { ...input, description: "And more." });
  expect(again.id).toBe(first.id);
  expect((await readEpisodeForEdit(ownerContext(), first.id)).values.description).toBe("And more.");
  expect(await db.$count(episodes, eq(episodes.title, "Sent twice"))).toBe(1);
});

test("and a new letter, also of two at once", async () => {
  const draftKey = crypto.randomUUID();
  const input = { subject: "Sent twice", automatic: true, draftKey };
  const first = await createLetter(ownerContext(), input);
  const again = await createLetter(ownerContext(), { ...input, content: "And more." });
  expect(again.id).toBe(first.id);
  expect((await readLetter(ownerContext(), first.id)).values.content).toBe("And more.");
  const atOnce = { subject: "Sent twice", draftKey: crypto.randomUUID() };
  await Promise.allSettled([createLetter(ownerContext(), atOnce), createLetter(ownerContext(), atOnce)]);
  expect(await db.$count(letters, eq(letters.subject, "Sent twice"))).toBe(2);
});
