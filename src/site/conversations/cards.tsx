import { ACROSS } from "#site/ui/picture.tsx";
import type { ArticleSummary } from "#worker/articles/contract.ts";
import { EssayFacts } from "../essays/facts.tsx";
import { EssayPicture } from "#site/shell/artwork.tsx";
import { OpenArticle } from "./open.tsx";

/** The newest article, large. */
export const Lead = ({ article }: { article: ArticleSummary }) => (
  <article className={leadGrid}>
    <OpenArticle slug={article.slug} tabIndex={-1} aria-hidden className="md:col-span-7">
      <EssayPicture
        picture={article.picture}
        seed={article.id}
        sizes={`(min-width: 48rem) 55vw, ${ACROSS}`}
        priority
      />
    </OpenArticle>
    <div className="grid content-start gap-4 md:col-span-5">
      <EssayFacts article={article} />
      <h2 className="headline text-2xl">
        <OpenArticle
          slug={article.slug}
          className="py-0.5 decoration-2 underline-offset-[0.12em] hover:underline"
        >
          {article.title}
        </OpenArticle>
      </h2>
      {article.excerpt && <p className="font-reading text-lg">{article.excerpt}</p>}
    </div>
  </article>
);

const leadGrid = "grid grid-cols-1 gap-x-10 gap-y-5 py-8 md:grid-cols-12 lg:py-10";

export const Cards = ({ articles }: { articles: ArticleSummary[] }) => (
  <ul className={cardGrid}>
    {articles.map((article) => (
      <li key={article.id} className={cardClass}>
        <Card article={article} />
      </li>
    ))}
  </ul>
);

export const cardGrid = "grid grid-cols-1 gap-x-10 gap-y-10 pb-12 sm:grid-cols-2 lg:grid-cols-3";
export const cardClass = "border-t border-rule pt-6";

const Card = ({ article }: { article: ArticleSummary }) => (
  <article className="grid gap-3">
    <OpenArticle slug={article.slug} tabIndex={-1} aria-hidden>
      <EssayPicture
        picture={article.picture}
        seed={article.id}
        sizes={`(min-width: 64rem) 23rem, (min-width: 40rem) 44vw, ${ACROSS}`}
      />
    </OpenArticle>
    <EssayFacts article={article} />
    <h2 className="headline text-xl">
      <OpenArticle slug={article.slug} className="py-0.5 underline-offset-[0.15em] hover:underline">
        {article.title}
      </OpenArticle>
    </h2>
    {article.excerpt && <p className="line-clamp-4 font-reading text-base text-muted">{article.excerpt}</p>}
  </article>
);
