import { createArticle } from "#worker/articles/commands.ts";
import type { NewArticle } from "#worker/articles/contract.ts";
import type { SearchResults } from "#worker/discovery/contract.ts";
import { search } from "#worker/discovery/search.ts";
import type { NewEpisode } from "#worker/episodes/contract.ts";
import type { NewPressItem } from "#worker/press/contract.ts";
import { createPressItem } from "#worker/press/commands.ts";
import { ownerContext, visitorContext } from "./client.ts";
import { aPressItem as aNewPressItem, publishedEpisode, unique } from "./factories.ts";

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

/** An article, published unless it says otherwise. */
export async function anArticle(values: Partial<NewArticle> = {}) {
  const input = { title: `Article ${unique()}`, status: "published" as const, ...values };
  return { ...input, ...(await createArticle(ownerContext(), input)) };
}

export async function aPressItem(values: Partial<NewPressItem> = {}) {
  const input = aNewPressItem({ title: `Release ${unique()}`, ...values });
  return { ...input, ...(await createPressItem(ownerContext(), input)) };
}

/** Cues of two seconds each from 10 on. */
export const aTranscript = (lines: string[], speaker = "Maren Oakleigh") =>
  `WEBVTT\n\n${lines
    .map((line, index) => {
      const clock = (s: number) => new Date(s * 1000).toISOString().slice(11, 23);
      return `${clock(10 + index * 2)} --> ${clock(12 + index * 2)}\n<v ${speaker}>${line}`;
    })
    .join("\n\n")}\n`;
