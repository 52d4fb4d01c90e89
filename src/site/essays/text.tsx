import { Link } from "#site/document/link.tsx";
import { counted, formatLongDate } from "#site/ui/format.ts";
import { DateTime } from "#site/ui/date-time.tsx";
import { RichText } from "#site/ui/rich-text.tsx";
import type { ShownArticle, Engagement } from "#worker/articles/contract.ts";

export const EssayText = ({ html }: { html: string }) => <RichText html={html} long />;

/** Where the essay first appeared, with its figures there. */
export function Origin({ article }: { article: ShownArticle }) {
  const { source, sourceUrl, originalPublishedAt, engagement } = article;
  if (source !== "linkedin") return null;
  const words = "First published on LinkedIn";
  return (
    <div className="grid gap-1 border-t border-rule pt-4 text-sm">
      <p>
        {sourceUrl ? (
          <a href={sourceUrl} className="link">
            {words}
          </a>
        ) : (
          <span>{words}</span>
        )}
        {originalPublishedAt !== null && (
          <span>
            , <DateTime at={originalPublishedAt} format={formatLongDate} />
          </span>
        )}
      </p>
      <p className="kicker facts">
        {counts(engagement).map((count) => (
          <span key={count}>{count}</span>
        ))}
      </p>
    </div>
  );
}

const counts = ({ likes, comments, shares }: Engagement) => [
  counted(likes, "like"),
  counted(comments, "comment"),
  counted(shares, "share"),
];

/** Topics, each a link to the search. */
export function Tags({ tags }: { tags: string[] }) {
  if (tags.length === 0) return null;
  return (
    <ul aria-label="Tags" className="flex flex-wrap gap-x-5 gap-y-1 text-sm">
      {tags.map((tag) => (
        <li key={tag}>
          <Link to={`/search?q=${encodeURIComponent(tag)}`} className="link inline-block min-w-6 py-1">
            {tag}
          </Link>
        </li>
      ))}
    </ul>
  );
}
