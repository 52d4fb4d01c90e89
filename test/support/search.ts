import { articles } from "#worker/articles/table.ts";
import type { SearchResults } from "#worker/discovery/contract.ts";
import { search } from "#worker/discovery/search.ts";
import type { NewEpisode } from "#worker/episodes/contract.ts";
import { pressItems } from "#worker/press/table.ts";
import { ownerContext, visitorContext } from "./client.ts";
import { publishedEpisode, unique } from "./factories.ts";

export const ctx = visitorContext();

export const { db } = ownerContext();

export const find = (q: string, rest: Omit<Parameters<typeof search>[1], "q"> = {}) =>
  search(ctx, { q, ...rest });

export const plain = (html: string) => html.replace(/<\/?mark>/g, "");

export const titlesOf = ({ documents }: SearchResults) => documents.map(({ title }) => plain(title));

/** A word that nothing else in this file has, nor one like it. */
export function aWord() {
  const letters = crypto.getRandomValues(new Uint8Array(10)).map((byte) => 97 + (byte % 26));
  return `${String.fromCharCode(...letters)}x`;
}

export const anEpisodeWith = (values: Partial<NewEpisode>) =>
  publishedEpisode({ audioFileId: null, ...values });

export async function anArticle(values: Partial<typeof articles.$inferInsert> = {}) {
  const n = unique();
  const [row] = await db
    .insert(articles)
    .values({
      slug: `article-${n}`,
      title: `Article ${n}`,
      excerpt: "",
      status: "published",
      publishedAt: ctx.now,
      tags: [],
      imageAlt: "",
      metaTitle: "",
      metaDescription: "",
      metaKeywords: "",
      readingMinutes: 1,
      source: "original",
      createdAt: ctx.now,
      updatedAt: ctx.now,
      content: "",
      contentHtml: "",
      embeddedFileIds: [],
      ...values,
    })
    .returning();
  return row!;
}

export async function aPressItem(values: Partial<typeof pressItems.$inferInsert> = {}) {
  const [row] = await db
    .insert(pressItems)
    .values({
      type: "press_release",
      title: `Release ${unique()}`,
      summary: "",
      outlet: "",
      date: ctx.now,
      mediaType: "",
      published: true,
      createdAt: ctx.now,
      updatedAt: ctx.now,
      content: "",
      contentHtml: "",
      embeddedFileIds: [],
      ...values,
    })
    .returning();
  return row!;
}

/** Cues of two seconds each from 10 on. */
export const aTranscript = (lines: string[], speaker = "Maren Oakleigh") =>
  `WEBVTT\n\n${lines
    .map((line, index) => {
      const clock = (s: number) => new Date(s * 1000).toISOString().slice(11, 23);
      return `${clock(10 + index * 2)} --> ${clock(12 + index * 2)}\n<v ${speaker}>${line}`;
    })
    .join("\n\n")}\n`;
