import { counted, formatShortDate } from "#site/ui/format.ts";
import { DateTime } from "#site/ui/date-time.tsx";
import type { SocialPost } from "#worker/social/contract.ts";
import { networkNames } from "./networks.ts";

/** Social posts, newest first; renders nothing without any. */
export function SocialFeed({ posts }: { posts: SocialPost[] }) {
  if (posts.length === 0) return null;
  return (
    <ul className="grid gap-x-10 gap-y-5 sm:grid-cols-2">
      {posts.map((post) => (
        // A phone shows the latest.
        <li
          key={post.id}
          className="grid content-start gap-2 border-t border-rule pt-5 max-sm:not-first:hidden"
        >
          <Post post={post} />
        </li>
      ))}
    </ul>
  );
}

function Post({ post: { platform, author, content, date, url, ...counts } }: { post: SocialPost }) {
  const name = networkNames[platform];
  return (
    <>
      <p className="kicker facts">
        <span className="text-ink">{author}</span>
        <span>{name}</span>
        <DateTime at={date} format={formatShortDate} />
      </p>
      <p className="font-reading text-base whitespace-pre-line">{content}</p>
      <div className="flex flex-wrap justify-between gap-x-6 gap-y-1 text-sm">
        <p className="kicker facts">
          {reactionsOf(counts).map((reaction) => (
            <span key={reaction}>{reaction}</span>
          ))}
        </p>
        {url && (
          <a href={url} rel="noopener" className="link">
            Read<span className="sr-only"> this post</span>
            <span>{` on ${name}`}</span>
          </a>
        )}
      </div>
    </>
  );
}

const reactionsOf = ({ likes, comments, shares }: Pick<SocialPost, "likes" | "comments" | "shares">) =>
  [
    likes > 0 && counted(likes, "like"),
    comments > 0 && counted(comments, "comment"),
    shares > 0 && counted(shares, "share"),
  ].filter((reaction) => reaction !== false);
