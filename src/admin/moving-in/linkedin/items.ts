import type { LinkedInPost, NewItem } from "#worker/imports/contract.ts";
import { itemKeyOf } from "./item-key.ts";
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
