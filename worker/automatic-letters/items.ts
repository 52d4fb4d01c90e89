import { sql } from "drizzle-orm";
import {
  articleForLetter,
  countArticlesAsRead,
  isArticleIn,
  publishedArticleIds,
  selectArticlesForLetter,
} from "#worker/articles/letter-items.ts";
import type { ItemChoice } from "#worker/automatic-letters/contract.ts";
import {
  countEpisodesAsRead,
  episodeForLetter,
  isEpisodeIn,
  publishedEpisodeIds,
  selectEpisodesForLetter,
} from "#worker/episodes/letter-items.ts";
import type { Context } from "#worker/platform/context.ts";
import type { PublicationKind } from "#worker/publications/contract.ts";

/** An essay or episode, by its kind and id. */
export type ItemKey = { kind: PublicationKind; itemId: number };

export type PublishedItem = Awaited<ReturnType<typeof readItems>>[number];

/** The published items among these, the newest first. */
export async function readItems(ctx: Context, keys: ItemKey[], { hasText }: { hasText: boolean }) {
  const idsOf = (kind: PublicationKind) =>
    keys.filter((key) => key.kind === kind).map(({ itemId }) => itemId);
  const wanted = { limit: keys.length, hasText };
  const [articles, episodes] = await ctx.db.batch([
    selectArticlesForLetter(ctx, isArticleIn(idsOf("article")), wanted),
    selectEpisodesForLetter(ctx, isEpisodeIn(idsOf("episode")), wanted),
  ]);
  return newestFirst([
    ...articles.map((row) => articleForLetter(ctx, row)),
    ...episodes.map((row) => episodeForLetter(ctx, row)),
  ]);
}

/** The newest published items of the chosen kinds. */
export async function readNewest(
  ctx: Context,
  items: ItemChoice,
  wanted: { limit: number; hasText: boolean },
) {
  const [articles, episodes] = await ctx.db.batch([
    selectArticlesForLetter(ctx, items === "episode" ? sql`false` : undefined, wanted),
    selectEpisodesForLetter(ctx, items === "article" ? sql`false` : undefined, wanted),
  ]);
  return newestFirst([
    ...articles.map((row) => articleForLetter(ctx, row)),
    ...episodes.map((row) => episodeForLetter(ctx, row)),
  ]).slice(0, wanted.limit);
}

const newestFirst = <Item extends { publishedAt: Date }>(items: Item[]) =>
  items.toSorted((a, b) => b.publishedAt.getTime() - a.publishedAt.getTime());

/** SQL: all these items are published still, in the version that was read. */
export function areAsRead(items: PublishedItem[]) {
  const of = (kind: PublicationKind) => items.filter((item) => item.kind === kind);
  return sql`${countArticlesAsRead(of("article"))} + ${countEpisodesAsRead(of("episode"))} = ${items.length}`;
}

/** SQL: every published item, as `kind` and `id`. */
export const allPublished = sql`select 'article' as kind, id from (${publishedArticleIds})
  union all select 'episode', id from (${publishedEpisodeIds})`;
