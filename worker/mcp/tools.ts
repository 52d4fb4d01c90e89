import { z } from "zod";
import type { Scope } from "#worker/access/contract.ts";
import { scopesOf } from "#worker/access/scopes.ts";
import { AnalyticsQuery } from "#worker/analytics/contract.ts";
import { readAnalytics } from "#worker/analytics/queries.ts";
import { createArticle, updateArticle } from "#worker/articles/commands.ts";
import { ArticleListQuery, NewArticle } from "#worker/articles/contract.ts";
import { listArticles, readArticleForEdit } from "#worker/articles/owner-queries.ts";
import { readArticle } from "#worker/articles/queries.ts";
import { SearchQuery } from "#worker/discovery/contract.ts";
import { search } from "#worker/discovery/search.ts";
import { createEpisode, updateEpisode } from "#worker/episodes/commands.ts";
import { EpisodeListQuery, EpisodePatch } from "#worker/episodes/contract.ts";
import { listEpisodes, readEpisodeForEdit } from "#worker/episodes/owner-queries.ts";
import { readEpisode } from "#worker/episodes/queries.ts";
import { createLetter } from "#worker/letters/commands.ts";
import { NewLetter, SendLetter } from "#worker/letters/contract.ts";
import { sendLetter } from "#worker/letters/sending-commands.ts";
import type { Context } from "#worker/platform/context.ts";

const id = z.int().positive();
const basedOn = z.int().positive().describe("The `updatedAt` of the version that was read.").optional();

const articleWords = NewArticle.pick({
  title: true,
  content: true,
  excerpt: true,
  tags: true,
  categoryId: true,
  metaDescription: true,
});
const episodeWords = EpisodePatch.pick({
  title: true,
  description: true,
  showNotes: true,
  chapters: true,
  transcript: true,
  seasonNumber: true,
  episodeNumber: true,
});
const moment = z
  .int()
  .positive()
  .nullable()
  .default(null)
  .describe("The time of publication, in milliseconds UTC; null publishes immediately.");

/** How an item is published: now, or at a time. */
const publication = (scheduledFor: number | null) =>
  scheduledFor === null
    ? ({ status: "published", publishedAt: null } as const)
    : ({ status: "scheduled", scheduledFor } as const);

type Tool<Input extends z.ZodObject> = {
  title: string;
  description: string;
  /** The route that does the same: it has the scopes, and the audit log its name. */
  route: string;
  /** Besides those of the route. */
  scopes?: Scope[];
  input: Input;
  run: (ctx: Context, input: z.output<Input>) => Promise<unknown>;
};

export type AnyTool = Omit<Tool<z.ZodObject>, "run"> & {
  run: (ctx: Context, input: never) => Promise<unknown>;
};

const tool = <Input extends z.ZodObject>(given: Tool<Input>): AnyTool => given;

/** The tools by name. Each calls the use case of a route. */
export const tools: Record<string, AnyTool> = {
  search: tool({
    title: "Search the site",
    description: "Searches published episodes, their transcripts, essays and press for words.",
    route: "GET /api/search",
    input: SearchQuery,
    run: search,
  }),
  read_essay: tool({
    title: "Read a published essay",
    description: "Reads a published essay by its slug, the end of its address.",
    route: "GET /api/articles/:slug",
    input: z.strictObject({ slug: z.string().max(120) }),
    run: async (ctx, { slug }) => (await readArticle(ctx, slug)).article,
  }),
  read_episode: tool({
    title: "Read a published episode",
    description: "Reads a published episode with its show notes and transcript.",
    route: "GET /api/episodes/:id",
    input: z.strictObject({ id }),
    run: (ctx, given) => readEpisode(ctx, given.id),
  }),
  list_articles: tool({
    title: "List articles",
    description: "Lists articles of every status, newest first. Words narrow the list.",
    route: "GET /api/admin/articles",
    input: ArticleListQuery,
    run: listArticles,
  }),
  read_article: tool({
    title: "Read an article for editing",
    description: "Reads an article of any status with its Markdown, in `values`.",
    route: "GET /api/admin/articles/:id",
    input: z.strictObject({ id }),
    run: (ctx, given) => readArticleForEdit(ctx, given.id),
  }),
  list_episodes: tool({
    title: "List episodes",
    description: "Lists episodes of every status, newest first. Words narrow the list.",
    route: "GET /api/admin/episodes",
    input: EpisodeListQuery,
    run: listEpisodes,
  }),
  read_episode_draft: tool({
    title: "Read an episode for editing",
    description: "Reads an episode of any status with its show notes and transcript, in `values`.",
    route: "GET /api/admin/episodes/:id",
    input: z.strictObject({ id }),
    run: (ctx, given) => readEpisodeForEdit(ctx, given.id),
  }),
  draft_article: tool({
    title: "Draft an article",
    description: "Creates an article as a draft. `content` is Markdown.",
    route: "POST /api/admin/articles",
    input: articleWords,
    run: (ctx, given) => createArticle(ctx, { ...given, status: "draft" }),
  }),
  revise_article: tool({
    title: "Revise an article",
    description: "Changes the given fields of an article. One that is public needs the scope to publish.",
    route: "PATCH /api/admin/articles/:id",
    input: articleWords.partial().extend({ id, basedOn }),
    run: (ctx, { id: article, ...change }) => updateArticle(ctx, article, change),
  }),
  draft_episode: tool({
    title: "Draft an episode",
    description: "Creates an episode as a draft. Its audio is uploaded elsewhere.",
    route: "POST /api/admin/episodes",
    input: episodeWords.required({ title: true }),
    run: (ctx, given) => createEpisode(ctx, { ...given, status: "draft" }),
  }),
  write_show_notes: tool({
    title: "Write show notes",
    description:
      "Changes show notes and other words of an episode. One that is public needs the scope to publish.",
    route: "PATCH /api/admin/episodes/:id",
    input: episodeWords.extend({ id, basedOn }),
    run: (ctx, { id: episode, ...change }) => updateEpisode(ctx, episode, change),
  }),
  draft_letter: tool({
    title: "Draft a letter",
    description: "Creates a letter to subscribers as a draft. `content` is Markdown.",
    route: "POST /api/admin/newsletters",
    input: NewLetter.pick({ subject: true, preheader: true, content: true, origin: true }),
    run: createLetter,
  }),
  publish_article: tool({
    title: "Publish an article",
    description: "Publishes an article, now or at a time. Ask the owner first.",
    route: "PATCH /api/admin/articles/:id",
    scopes: ["publish"],
    input: z.strictObject({ id, basedOn, scheduledFor: moment }),
    run: (ctx, { id: article, scheduledFor, ...of }) =>
      updateArticle(ctx, article, { ...of, ...publication(scheduledFor) }),
  }),
  publish_episode: tool({
    title: "Publish an episode",
    description: "Publishes an episode, now or at a time. Ask the owner first.",
    route: "PATCH /api/admin/episodes/:id",
    scopes: ["publish"],
    input: z.strictObject({ id, basedOn, scheduledFor: moment }),
    run: (ctx, { id: episode, scheduledFor, ...of }) =>
      updateEpisode(ctx, episode, { ...of, ...publication(scheduledFor) }),
  }),
  send_letter: tool({
    title: "Send a letter",
    description:
      "Sends a letter to its subscribers, now or at a time. It can’t be taken back: ask the owner first.",
    route: "POST /api/admin/newsletters/:id/send",
    input: SendLetter.extend({ id }),
    run: (ctx, { id: letter, ...how }) => sendLetter(ctx, letter, how),
  }),
  read_figures: tool({
    title: "Read the figures",
    description:
      "Reads views, visitors, plays and downloads: of the last `days`, or from one day to another.",
    route: "GET /api/admin/analytics",
    input: z.strictObject(AnalyticsQuery.shape),
    run: readAnalytics,
  }),
};

export const scopesOfTool = ({ route, scopes = [] }: AnyTool): Scope[] => [...scopesOf(route), ...scopes];
