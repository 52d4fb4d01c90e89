import { expect, test } from "vitest";
import { createArticle, updateArticle } from "#worker/articles/commands.ts";
import { createAutomaticLetter, updateAutomaticLetter } from "#worker/automatic-letters/commands.ts";
import { createTopic, updateTopic } from "#worker/topics/commands.ts";
import { createTier, updateTier } from "#worker/members/tier-commands.ts";
import { createCampaign, updateCampaign } from "#worker/campaigns/commands.ts";
import { createEpisode, updateEpisode } from "#worker/episodes/commands.ts";
import { updateShow } from "#worker/episodes/show-commands.ts";
import { createLetter, updateLetter } from "#worker/letters/commands.ts";
import { updatePage } from "#worker/pages/commands.ts";
import { pageDefaults } from "#worker/pages/defaults.ts";
import type { Context } from "#worker/platform/context.ts";
import { createPressItem, updatePressItem } from "#worker/press/commands.ts";
import { updateSite } from "#worker/settings/commands.ts";
import { siteDefaults } from "#worker/settings/contract.ts";
import { createSocialPost, updateSocialPost } from "#worker/social/commands.ts";
import { createEngagement, updateEngagement } from "#worker/speaking/commands.ts";
import { createProfile, updateProfile } from "#worker/profiles/commands.ts";
import { createVenture, updateVenture } from "#worker/ventures/commands.ts";
import { anArticle } from "./support/articles.ts";
import { ownerContext } from "./support/client.ts";
import { anEpisode, aPressItem, aShow, storedImage } from "./support/factories.ts";
import { aLetter } from "./support/letters.ts";

type Saved = { updatedAt: number };
type Noun = {
  create: (ctx: Context) => Promise<Saved & { id: number }>;
  /** As its form sends it: whole, in these words. */
  update: (ctx: Context, item: { id: number; basedOn: number }, words: string) => Promise<Saved>;
};

const noun = <Input extends object>(
  create: (ctx: Context, input: Input) => Promise<Saved & { id: number }>,
  update: (ctx: Context, id: number, input: Input & { basedOn: number }) => Promise<Saved>,
  inputOf: (words: string) => Input,
): Noun => ({
  create: (ctx) => create(ctx, inputOf("First")),
  update: (ctx, { id, basedOn }, words) => update(ctx, id, { ...inputOf(words), basedOn }),
});

/** One of a kind, which the site has from the start. */
const single = (update: (ctx: Context, words: string, basedOn?: number) => Promise<Saved>): Noun => ({
  create: async (ctx) => ({ ...(await update(ctx, "First")), id: 0 }),
  update: (ctx, { basedOn }, words) => update(ctx, words, basedOn),
});

const picture = await storedImage();

const nouns: Record<string, Noun> = {
  "a draft of an article": noun(createArticle, updateArticle, (title) => ({
    ...anArticle({
      title,
      slug: "",
      excerpt: "What it says.",
      content: "**Words**",
      status: "draft",
      tags: ["one", "two", "one"],
      publishedAt: null,
    }),
    imageFileId: picture.id,
    originalPublishedAt: Date.UTC(2020, 1, 1),
    engagement: { likes: 1, comments: 2, shares: 3 },
  })),
  "a draft of an episode": noun(createEpisode, updateEpisode, (title) => ({
    ...anEpisode({ title, slug: "", episodeNumber: 7, publishedAt: null }),
    description: "What it is about.",
    durationSeconds: 600,
    transcript: "1\n00:00:01,000 --> 00:00:03,000\nMaren: So it is.\n",
    chapters: [
      { start: 60, title: "The lease" },
      { start: 0, title: "Beginning" },
    ],
    soundbites: [
      { start: 60, duration: 30 },
      { start: 0, duration: 30 },
    ],
    people: [{ name: "Noor", role: "guest" }],
  })),
  "a letter": noun(createLetter, updateLetter, (subject) => ({
    ...aLetter({ subject }),
    segment: { sources: ["guest"], since: 1, until: null },
  })),
  "an automatic letter": noun(createAutomaticLetter, updateAutomaticLetter, (name) => ({
    name,
    isOn: true,
    frequency: "weekly" as const,
    segment: { sources: ["guest"], since: 1, until: null },
  })),
  "a tier": noun(createTier, updateTier, (name) => ({ name, description: "What they get.", price: "$5" })),
  "a topic": noun(createTopic, updateTopic, (name) => ({ name, description: "What it is about." })),
  "a social post": noun(createSocialPost, updateSocialPost, (content) => ({
    platform: "linkedin" as const,
    author: "Imogen Tarrant",
    content,
    date: 1000,
  })),
  "an engagement": noun(createEngagement, updateEngagement, (title) => ({
    title,
    date: "2026-03-04",
    fee: 1,
  })),
  "an item of the press": noun(createPressItem, updatePressItem, (title) => ({
    ...aPressItem({ title, content: "**Words**" }),
    summary: "What it says.",
  })),
  "a profile": noun(createProfile, updateProfile, (name) => ({
    name,
    about: "Who it is.",
    imageFileId: picture.id,
    links: [{ label: "Site", url: "https://a.example/" }],
  })),
  "a venture": noun(createVenture, updateVenture, (name) => ({
    name,
    description: "What it does.",
    imageFileId: picture.id,
  })),
  "a campaign": noun(createCampaign, updateCampaign, (title) => ({
    title,
    embedUrl: "https://petitions.example.org/EN1",
  })),
  "a page": single((ctx, headline, basedOn) =>
    updatePage(ctx, "mission", { ...pageDefaults.mission, headline, basedOn }),
  ),
  "the show": single(
    async (ctx, title, basedOn) => (await updateShow(ctx, { ...aShow({ title }), basedOn })).show,
  ),
  "the settings": single((ctx, name, basedOn) => updateSite(ctx, { ...siteDefaults, name, basedOn })),
};

test.each(Object.entries(nouns))(
  "%s: sending the same again is not a conflict",
  async (_name, { create, update }) => {
    const ctx = ownerContext();
    const { id, updatedAt: basedOn } = await create(ctx);
    const send = (words: string) => update(ctx, { id, basedOn }, words);
    const saved = await send("Second");
    expect(saved.updatedAt).toBeGreaterThan(basedOn);
    expect(await send("Second")).toEqual(saved);
    await expect(send("Third")).rejects.toMatchObject({ code: "conflict", field: undefined });
    expect(await update(ctx, { id, basedOn: saved.updatedAt }, "Third")).not.toEqual(saved);
  },
);

test("an article is published once, if that is sent again", async () => {
  const { id, updatedAt: basedOn } = await createArticle(ownerContext(), anArticle({ status: "draft" }));
  const publish = { status: "published", publishedAt: null, basedOn } as const;
  const published = await updateArticle(ownerContext(), id, publish);
  const later = ownerContext({ now: new Date(Date.now() + 60_000) });
  expect(await updateArticle(later, id, publish)).toEqual(published);
});
