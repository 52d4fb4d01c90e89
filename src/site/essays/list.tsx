import { Link } from "#site/document/link.tsx";
import { cx } from "#site/ui/cx.ts";
import { Skeleton } from "#site/ui/states.tsx";
import type { ArticleSummary } from "#worker/articles/contract.ts";
import { EssayFacts } from "./facts.tsx";
import { EssayPicture } from "#site/shell/artwork.tsx";

/** A list of essays: titles with a small picture beside each. */
export const EssayList = ({ essays }: { essays: ArticleSummary[] }) => (
  <ol>
    {essays.map((essay, position) => (
      <li key={essay.id} className={rowClass}>
        <Row essay={essay} priority={position === 0} />
      </li>
    ))}
  </ol>
);

const rowClass = "border-t border-rule py-8 first:border-t-0 lg:py-12";
const rowGrid = "grid grid-cols-1 gap-x-10 gap-y-5 md:grid-cols-12";
const wordsCell = "grid content-start gap-3 md:col-span-7 lg:col-span-8";
const pictureCell = "md:col-span-5 lg:col-span-4";

function Row({ essay, priority }: { essay: ArticleSummary; priority: boolean }) {
  const path = `/essays/${essay.slug}`;
  return (
    <article className={rowGrid}>
      <div className={wordsCell}>
        <EssayFacts article={essay} />
        <h2 className="headline text-2xl">
          <Link to={path} className="decoration-2 underline-offset-[0.12em] hover:underline">
            {essay.title}
          </Link>
        </h2>
        {essay.excerpt && <p className="max-w-[36rem] font-reading text-lg text-muted">{essay.excerpt}</p>}
      </div>
      <Link to={path} tabIndex={-1} aria-hidden className={cx(pictureCell, "max-md:-order-1")}>
        <EssayPicture
          picture={essay.picture}
          seed={essay.id}
          sizes="(min-width: 64rem) 23rem, (min-width: 48rem) 40vw, 90vw"
          priority={priority}
        />
      </Link>
    </article>
  );
}

const PLACEHOLDERS = 3;

export const EssayListLoading = () => (
  <ol aria-label="Loading essays">
    {Array.from({ length: PLACEHOLDERS }, (_, row) => (
      <li key={row} className={rowClass}>
        <div className={rowGrid}>
          <div className={wordsCell}>
            <Skeleton className="h-4 w-56 max-w-full" />
            <Skeleton className="h-10 w-4/5" />
            <Skeleton className="h-5 w-full max-w-xl" />
            <Skeleton className="h-5 w-2/3" />
          </div>
          <Skeleton className={cx(pictureCell, "aspect-3/2 w-full max-md:-order-1")} />
        </div>
      </li>
    ))}
  </ol>
);
