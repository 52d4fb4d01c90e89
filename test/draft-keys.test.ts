import { eq } from "drizzle-orm";
import type { SQLiteTable } from "drizzle-orm/sqlite-core";
import { describe, expect, it, test } from "vitest";
import { createArticle, deleteArticle } from "#worker/articles/commands.ts";
import { readArticleForEdit } from "#worker/articles/owner-queries.ts";
import { articles } from "#worker/articles/table.ts";
import { createAutomaticLetter } from "#worker/automatic-letters/commands.ts";
import { listAutomaticLetters, readAutomaticLetterForEdit } from "#worker/automatic-letters/owner-queries.ts";
import { automaticLetters } from "#worker/automatic-letters/table.ts";
import { createTopic } from "#worker/topics/commands.ts";
import { listTopics, readTopicForEdit } from "#worker/topics/owner-queries.ts";
import { topics } from "#worker/topics/table.ts";
import { createTier } from "#worker/members/tier-commands.ts";
import { listTiers, readTierForEdit } from "#worker/members/tier-queries.ts";
import { tiers } from "#worker/members/table.ts";
import { createCampaign } from "#worker/campaigns/commands.ts";
import { listAllCampaigns, readCampaignForEdit } from "#worker/campaigns/owner-queries.ts";
import { listCampaigns } from "#worker/campaigns/queries.ts";
import { campaigns } from "#worker/campaigns/table.ts";
import { createEpisode } from "#worker/episodes/commands.ts";
import { readEpisodeForEdit } from "#worker/episodes/owner-queries.ts";
import { episodes } from "#worker/episodes/table.ts";
import { createLetter } from "#worker/letters/commands.ts";
import { readLetter } from "#worker/letters/queries.ts";
import { letters } from "#worker/letters/table.ts";
import type { Context } from "#worker/platform/context.ts";
import { createPressItem } from "#worker/press/commands.ts";
import { listPressItems, readPressItemForEdit } from "#worker/press/owner-queries.ts";
import { listPress } from "#worker/press/queries.ts";
import { pressItems } from "#worker/press/table.ts";
import { listRevisions } from "#worker/revisions/queries.ts";
import { createSocialPost } from "#worker/social/commands.ts";
import { listAllSocialPosts, readSocialPostForEdit } from "#worker/social/owner-queries.ts";
import { listSocialPosts } from "#worker/social/queries.ts";
import { socialPosts } from "#worker/social/table.ts";
import { createEngagement } from "#worker/speaking/commands.ts";
import { listEngagements, readEngagementForEdit } from "#worker/speaking/owner-queries.ts";
import { listUpcomingEngagements } from "#worker/speaking/queries.ts";
import { engagements } from "#worker/speaking/table.ts";
import { createProfile } from "#worker/profiles/commands.ts";
import { listPeople, readProfileForEdit } from "#worker/profiles/owner-queries.ts";
import { profiles } from "#worker/profiles/table.ts";
import { createVenture } from "#worker/ventures/commands.ts";
import { listVentures, readVentureForEdit } from "#worker/ventures/owner-queries.ts";
import { listActiveVentures } from "#worker/ventures/queries.ts";
import { ventures } from "#worker/ventures/table.ts";
import { contextOf, ownerContext } from "./support/client.ts";
import { anEpisode, aPressItem } from "./support/factories.ts";

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

test("of two concurrent saves, one makes the article", async () => {
  const input = { title: "At once", draftKey: crypto.randomUUID() };
  await Promise.allSettled([createArticle(ownerContext(), input), createArticle(ownerContext(), input)]);
  expect(await db.$count(articles, eq(articles.title, "At once"))).toBe(1);
});

test("pressing the button after an automatic save publishes that article", async () => {
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

test("a new letter is made once, also by two concurrent saves", async () => {
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

type Item = { id: number; values: object };
type Noun = {
  table: SQLiteTable;
  save: (ctx: Context, words: string, draftKey: string) => Promise<Item>;
  /** As its form opens it. */
  open: (ctx: Context, id: number) => Promise<Item>;
  /** The owner's and the visitors'. */
  lists: ((ctx: Context) => Promise<unknown>)[];
};

/** Nouns without automatic saving. */
const nouns: Record<string, Noun> = {
  "a media item": {
    table: pressItems,
    save: (ctx, title, draftKey) => createPressItem(ctx, aPressItem({ title, draftKey })),
    open: readPressItemForEdit,
    lists: [listPressItems, listPress],
  },
  "an engagement": {
    table: engagements,
    save: (ctx, title, draftKey) => createEngagement(ctx, { title, notes: "Bring slides.", draftKey }),
    open: readEngagementForEdit,
    lists: [listEngagements, listUpcomingEngagements],
  },
  "a campaign": {
    table: campaigns,
    save: (ctx, title, draftKey) =>
      createCampaign(ctx, { title, embedUrl: "https://petitions.example.org/EN1", draftKey }),
    open: readCampaignForEdit,
    lists: [listAllCampaigns, listCampaigns],
  },
  "an automatic letter": {
    table: automaticLetters,
    save: (ctx, name, draftKey) => createAutomaticLetter(ctx, { name, draftKey }),
    open: readAutomaticLetterForEdit,
    lists: [listAutomaticLetters],
  },
  "a tier": {
    table: tiers,
    // No two have the same name.
    save: (ctx, description, draftKey) =>
      createTier(ctx, {
        name: `Tier ${ctx.actor.kind === "user" ? ctx.actor.id.slice(0, 8) : ""} ${draftKey}`,
        description,
        draftKey,
      }),
    open: readTierForEdit,
    lists: [listTiers],
  },
  "a topic": {
    table: topics,
    // No two have the same name.
    save: (ctx, description, draftKey) =>
      createTopic(ctx, {
        name: `Topic ${ctx.actor.kind === "user" ? ctx.actor.id.slice(0, 8) : ""} ${draftKey?.slice(0, 36)}`,
        description,
        draftKey,
      }),
    open: readTopicForEdit,
    lists: [listTopics],
  },
  "a profile": {
    table: profiles,
    // A person has one profile.
    save: (ctx, about, draftKey) => createProfile(ctx, { name: `${about} ${draftKey}`, about, draftKey }),
    open: readProfileForEdit,
    lists: [listPeople],
  },
  "a venture": {
    table: ventures,
    save: (ctx, name, draftKey) => createVenture(ctx, { name, description: "What it does.", draftKey }),
    open: readVentureForEdit,
    lists: [listVentures, listActiveVentures],
  },
  "a social post": {
    table: socialPosts,
    save: (ctx, content, draftKey) =>
      createSocialPost(ctx, {
        platform: "linkedin",
        author: "Imogen Tarrant",
        content,
        date: 1000,
        draftKey,
      }),
    open: readSocialPostForEdit,
    lists: [listAllSocialPosts, listSocialPosts],
  },
};

describe.each(Object.entries(nouns))("%s", (_name, { table, save, open, lists }) => {
  it("is one for each person and key, in the words that were sent last", async () => {
    const before = await db.$count(table);
    const draftKey = crypto.randomUUID();
    const first = await save(ownerContext(), "Sent first", draftKey);
    const again = await save(ownerContext(), "Sent again", draftKey);
    expect(again.id).toBe(first.id);
    expect(await open(ownerContext(), first.id)).toEqual(again);
    expect(Object.values(again.values)).toContain("Sent again");
    const theirs = await save(somebodyElse(), "Of somebody else", draftKey);
    const another = await save(ownerContext(), "Sent again", crypto.randomUUID());
    expect(new Set([first.id, theirs.id, another.id]).size).toBe(3);
    expect(await db.$count(table)).toBe(before + 3);
    expect(await open(ownerContext(), first.id)).toEqual(again);
  });

  it("is made by one of two concurrent requests, and the other is refused with a message", async () => {
    const before = await db.$count(table);
    const draftKey = crypto.randomUUID();
    const both = [save(ownerContext(), "At once", draftKey), save(ownerContext(), "At once", draftKey)];
    const refused = (await Promise.allSettled(both)).flatMap((result) =>
      result.status === "rejected" ? [(result.reason as Error).message] : [],
    );
    expect(["", "This is already being saved. Save it again."]).toContain(refused.join());
    expect(await db.$count(table)).toBe(before + 1);
  });

  it("does not reveal its key", async () => {
    const words = crypto.randomUUID();
    const made = await save(ownerContext(), words, crypto.randomUUID());
    expect(JSON.stringify([made, await open(ownerContext(), made.id)])).not.toMatch(/draft_?key/i);
    for (const list of lists) {
      const listed = JSON.stringify(await list(ownerContext()));
      expect(listed).toContain(words);
      expect(listed).not.toMatch(/draft_?key/i);
    }
  });
});
