import { Link } from "#site/document/link.tsx";
import { Badge } from "#site/ui/badge.tsx";
import { DateTime } from "#site/ui/date-time.tsx";
import { counted, formatShortDate } from "#site/ui/format.ts";
import type { SocialPost } from "#worker/social/contract.ts";
import { networkNames } from "./network-names.ts";
import { RowActions } from "../../lists/row-actions.tsx";

type Props = {
  posts: SocialPost[];
  /** How many of them, from the first, the front page shows. */
  shown: number;
  onDelete: (post: SocialPost) => void;
};

export const PostList = ({ posts, shown, onDelete }: Props) => (
  <ul aria-label="Social posts" className="border-t border-rule text-sm">
    {posts.map((post, place) => (
      <li
        key={post.id}
        className="grid gap-x-4 gap-y-1 border-b border-rule py-3 sm:grid-cols-[minmax(0,1fr)_auto]"
      >
        <div className="grid min-w-0 gap-1">
          <Link
            to={pathOf(post)}
            className="line-clamp-2 py-0.5 text-base font-medium wrap-anywhere underline-offset-4 hover:underline"
          >
            {post.content}
          </Link>
          <p className="facts wrap-anywhere text-muted figures">
            <span>{post.author}</span>
            <span>{networkNames[post.platform]}</span>
            <DateTime at={post.date} format={formatShortDate} />
            <span>{counted(post.likes, "like")}</span>
            <span>{counted(post.comments, "comment")}</span>
            <span>{counted(post.shares, "share")}</span>
          </p>
        </div>
        <div className="flex items-start justify-between gap-3 whitespace-nowrap sm:justify-end">
          <span className="py-1.5">{place < shown && <Badge tone="accent">Front page</Badge>}</span>
          <span>
            <RowActions to={pathOf(post)} name={nameOf(post)} onDelete={() => onDelete(post)} />
          </span>
        </div>
      </li>
    ))}
  </ul>
);

const pathOf = ({ id }: SocialPost) => `/admin/media/posts/${id}`;

/** A post has no title: use its beginning. */
const nameOf = ({ content }: SocialPost) =>
  content.length > 60 ? `${content.slice(0, 60).trim()}…` : content;
