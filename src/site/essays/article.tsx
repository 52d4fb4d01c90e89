import { EssayPicture } from "#site/shell/artwork.tsx";
import { ShareBar } from "#site/shell/share-bar.tsx";
import { cx } from "#site/ui/cx.ts";
import { ACROSS } from "#site/ui/picture.tsx";
import { Title } from "#site/ui/title.tsx";
import type { ShownArticle } from "#worker/articles/contract.ts";
import { Byline, Category } from "./facts.tsx";
import { EssayText, Origin, Tags } from "./text.tsx";

type Props = {
  article: ShownArticle;
  author: string;
  /** Its public address; absent for a draft, which cannot be shared. */
  url?: string;
};

/** An essay as its page shows it. */
export const EssayArticle = ({ article, author, url }: Props) => (
  <article className="page grid grid-cols-1 gap-x-10 pt-10 pb-8 lg:grid-cols-12 lg:pt-14">
    {article.category && (
      <p className={cx(railCell, "kicker mb-3 lg:pt-3")}>
        <Category category={article.category} />
      </p>
    )}
    <header className={cx(wideCell, "grid gap-5")}>
      <Title text={article.title} />
      {article.excerpt && (
        <p className="max-w-[36rem] font-reading text-xl leading-snug text-muted">{article.excerpt}</p>
      )}
    </header>
    <Figure article={article} />
    <div className={cx(railCell, "mt-8 grid content-start gap-5 lg:sticky lg:top-24 lg:mt-12 lg:self-start")}>
      <Byline article={article} author={author} />
      {url !== undefined && <ShareBar title={article.title} url={url} className={railShare} />}
    </div>
    <div className={cx(textCell, "mt-8 grid grid-cols-1 content-start gap-10 lg:mt-12")}>
      <EssayText html={article.contentHtml} />
      <Origin article={article} />
      <Tags tags={article.tags} />
    </div>
  </article>
);

/** From 1024 px on: a narrow rail of details beside the essay. */
const railCell = "lg:col-span-3 lg:col-start-1";
/** In a column, aligned with the byline. */
const railShare = "lg:flex-col lg:items-start lg:gap-y-0 lg:[&_span]:pb-1";
const wideCell = "lg:col-span-9 lg:col-start-4";
const textCell = "min-w-0 lg:col-span-8 lg:col-start-4";

/** The picture with its caption beside it, or below in a narrow window. */
const Figure = ({ article: { id, picture, imageCaption } }: { article: ShownArticle }) => (
  <figure className="mt-8 grid grid-cols-1 gap-x-10 gap-y-2 lg:col-span-12 lg:mt-10 lg:grid-cols-12">
    <div className={wideCell}>
      <EssayPicture picture={picture} seed={id} sizes={`(min-width: 64rem) 53rem, ${ACROSS}`} priority />
    </div>
    {picture && imageCaption && (
      <figcaption className={cx(railCell, "kicker border-t border-rule pt-2 lg:row-start-1 lg:self-end")}>
        {imageCaption}
      </figcaption>
    )}
  </figure>
);
