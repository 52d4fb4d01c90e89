import { api, readJson } from "#site/api.ts";
import { LOOKBACK_YEARS, type FetchPosts, type SocialPost } from "#worker/imports/contract.ts";
import { textToMarkdown } from "../to-markdown.ts";
import { visible } from "../visible.ts";
import { excerptOf, FOR_CONNECTIONS, titleOf, withLink, type Connector, type Post } from "./post.ts";

/** The posts of the owner's profile, page by page, with their engagement. */
export function apiConnector(profileUrl: string): Connector {
  let after: FetchPosts["after"];
  return {
    source: profileUrl,
    async read({ until, onFound }) {
      for (;;) {
        const json = { profileUrl, lookbackYears: LOOKBACK_YEARS, after } as const;
        const send = () => readJson(api.imports.linkedin.posts.$post({ json }));
        const { posts, leftOut, next } = await until(send);
        await onFound({ posts: posts.map(toPost), leftOut });
        if (next === null) return;
        after = next;
      }
    },
  };
}

function toPost({ words, link, isFilm, ...told }: SocialPost): Post {
  const title = titleOf(words);
  const notes = [
    told.isForConnections && FOR_CONNECTIONS,
    told.image && "Its picture is imported too.",
    isFilm && "Its video or document stays at LinkedIn.",
  ].filter((note) => typeof note === "string");
  return {
    ...told,
    kind: "post",
    title,
    excerpt: excerptOf(title, words),
    content: textToMarkdown(visible(withLink(words, link))),
    notes,
  };
}
