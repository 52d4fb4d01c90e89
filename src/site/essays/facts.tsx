import { cx } from "#site/ui/cx.ts";
import { formatLongDate, formatShortDate } from "#site/ui/format.ts";
import { DateTime } from "#site/ui/date-time.tsx";
import type { ArticleSummary, ArticleCategory } from "#worker/articles/contract.ts";

/** A category's name with a mark in its colour. */
export const Category = ({ category: { name, color } }: { category: ArticleCategory }) => (
  <>
    <span aria-hidden className="mr-2 inline-block size-2" style={{ background: color }} />
    <span>{name}</span>
  </>
);

type FactsProps = { article: ArticleSummary; className?: string };

/** Category, date and reading time in one line, for lists. */
export const EssayFacts = ({ article, className }: FactsProps) => (
  <p className={cx("kicker facts", className)}>
    {article.category && (
      <span>
        <Category category={article.category} />
      </span>
    )}
    <DateTime at={article.publishedAt} format={formatShortDate} />
    <ReadingTime minutes={article.readingMinutes} />
    {article.source === "linkedin" && <span>LinkedIn</span>}
  </p>
);

/** Author, date and reading time, for the essay's page. */
export const Byline = ({ article, author }: { article: ArticleSummary; author: string }) => (
  <div className="grid gap-1 text-sm">
    <p className="font-medium">{`By ${author}`}</p>
    <p className="kicker facts">
      <DateTime at={article.publishedAt} format={formatLongDate} />
      <ReadingTime minutes={article.readingMinutes} />
    </p>
  </div>
);

const ReadingTime = ({ minutes }: { minutes: number }) =>
  minutes > 0 && <time dateTime={`PT${minutes}M`}>{`${minutes} min read`}</time>;
