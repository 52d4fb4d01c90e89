import type { LinkedInPost, NewItem } from "#worker/imports/contract.ts";
import { sha256Of } from "../sha256.ts";
import type { Post } from "./post.ts";

/** What the posts become. */
export type ImportedAs = "draft" | "published";

/** The items of an import, one for each post. */
export async function* itemsOf(posts: Post[], status: ImportedAs): AsyncGenerator<NewItem> {
  for (const post of posts) {
    const { title, excerpt, content, sourceUrl, originalPublishedAt } = post;
    const { isForConnections, urn, engagement, image } = post;
    const payload: LinkedInPost = {
      title,
      excerpt,
      content,
      sourceUrl,
      originalPublishedAt,
      isForConnections,
      status,
      urn,
      engagement,
      image,
    };
    yield { key: await itemKeyOf(post), title, payload };
  }
}

/** Characters, as the import takes them. */
const LONGEST = 500;

/** A post's key within an import: its address, or the SHA-256 of a long one. */
export async function itemKeyOf({ sourceUrl }: { sourceUrl: string }) {
  if (sourceUrl.length <= LONGEST) return sourceUrl;
  return `sha256 ${await sha256Of(new TextEncoder().encode(sourceUrl))}`;
}
