import { Link } from "#site/document/link.tsx";
import { cx } from "#site/ui/cx.ts";
import type { ArticleSummary } from "#worker/articles/contract.ts";
import { EssayFacts } from "./facts.tsx";
import { EssayPicture } from "#site/shell/artwork.tsx";

/** A list of essays: titles with a small picture beside each. */
export const EssayList = ({ essays }: { essays: ArticleSummary[] }) => (
  <ol>
    {essays.map((essay, position) => (
      <li key={essay.id} className={essayRow}>
        <Row essay={essay} priority={position === 0} />
      </li>
    ))}
  </ol>
);

export const essayRow = "border-t border-rule py-8 first:border-t-0 lg:py-12";
export const essayGrid = "grid grid-cols-1 gap-x-10 gap-y-5 md:grid-cols-12";
export const essayWordsCell = "grid content-start gap-3 md:col-span-7 lg:col-span-8";
export const essayPictureCell = "md:col-span-5 lg:col-span-4";

function Row({ essay, priority }: { essay: ArticleSummary; priority: boolean }) {
  const path = `/essays/${essay.slug}`;
  return (
    <article className={essayGrid}>
      <div className={essayWordsCell}>
        <EssayFacts article={essay} />
        <h2 className="headline text-2xl">
          <Link to={path} className="decoration-2 underline-offset-[0.12em] hover:underline">
            {essay.title}
          </Link>
        </h2>
        {essay.excerpt && <p className="max-w-[36rem] font-reading text-lg text-muted">{essay.excerpt}</p>}
      </div>
      <Link to={path} tabIndex={-1} aria-hidden className={cx(essayPictureCell, "max-md:-order-1")}>
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
