import { Suspense } from "react";
import { Link } from "#site/document/link.tsx";
import { siteContext } from "#site/context.ts";
import { Breadcrumb } from "#site/ui/breadcrumb.tsx";
import { cx } from "#site/ui/cx.ts";
import { crumbsOf } from "#worker/addresses.ts";
import { findSuccessor, readArticleWithComments } from "#worker/articles/queries.ts";
import type { Article, ArticleLink, ShownArticle } from "#worker/articles/contract.ts";
import { describeEssay } from "#worker/discovery/essays.ts";
import type { Context } from "#worker/platform/context.ts";
import { sentFormOf } from "#worker/platform/http/sent-form.ts";
import type { Route } from "./+types/essay.ts";
import { leadOn, leadToMoved, orNearest, readSiteAndShow } from "../loader.server.ts";
import { lazyPart } from "../lazy-part.ts";
import { Missing, PageError, useIsMissing } from "../page-error.tsx";
import { EssayArticle } from "./article.tsx";

/** A separate chunk, not loaded while comments are switched off. */
const Comments = lazyPart(() => import("../comments/section.tsx"));

export async function loader({ context, params, url }: Route.LoaderArgs) {
  const ctx = context.get(siteContext);
  const after = url.searchParams.get("comments");
  const [{ site }, { article, previous, next, comments }] = await Promise.all([
    readSiteAndShow(ctx),
    readOrRedirect(ctx, params.slug, url),
  ]);
  const author = site.name;
  return {
    article: shownOf(article),
    previous,
    next,
    author,
    comments,
    after,
    replyTo: url.searchParams.get("reply"),
    sent: sentFormOf(ctx),
    url: `${ctx.config.siteUrl}/essays/${article.slug}`,
    meta: describeEssay(ctx, site, author, article, comments),
  };
}

/** Omits the fields that are already in `meta`. */
const shownOf = ({
  metaTitle: _title,
  metaDescription: _description,
  metaKeywords: _keywords,
  updatedAt: _updatedAt,
  ...shown
}: Article): ShownArticle => shown;

/** The article, or a redirect from its former address. */
async function readOrRedirect(ctx: Context, slug: string, url: URL) {
  try {
    return await readArticleWithComments(ctx, slug, url.searchParams.get("comments") ?? undefined);
  } catch (error) {
    const successor = await findSuccessor(ctx, slug);
    if (successor !== null) throw leadOn("/essays/:slug", successor, url);
    await leadToMoved(ctx, `/essays/${slug}`);
    return orNearest(ctx, url, Promise.reject(error));
  }
}

export const meta = ({ loaderData }: Route.MetaArgs) => loaderData?.meta;

export default function EssayPage({
  loaderData: { article, previous, next, author, url, comments, after, replyTo, sent },
}: Route.ComponentProps) {
  return (
    <>
      <Breadcrumb crumbs={crumbsOf(`/essays/${article.slug}`, article.title)} className="page pt-6" />
      <EssayArticle article={article} author={author} url={url} />
      <Neighbours previous={previous} next={next} />
      {comments && (
        <Suspense>
          <Comments
            comments={comments}
            kind="article"
            contentId={article.id}
            path={`/essays/${article.slug}`}
            {...{ after, replyTo, sent }}
          />
        </Suspense>
      )}
    </>
  );
}

function Neighbours({ previous, next }: { previous: ArticleLink | null; next: ArticleLink | null }) {
  if (!previous && !next) return null;
  return (
    <nav aria-label="More essays" className="page mt-8">
      <div className="grid gap-x-10 gap-y-6 border-t border-ink pt-6 sm:grid-cols-2">
        {previous && <Neighbour label="Previous essay" to={previous} />}
        {next && <Neighbour label="Next essay" to={next} className="sm:col-start-2 sm:text-right" />}
      </div>
    </nav>
  );
}

type NeighbourProps = { label: string; to: ArticleLink; className?: string };

const Neighbour = ({ label, to: { slug, title }, className }: NeighbourProps) => (
  <Link to={`/essays/${slug}`} className={cx("group grid content-start gap-1", className)}>
    <span className="kicker">{label}</span>{" "}
    <span className="headline text-xl decoration-1 underline-offset-[0.15em] group-hover:underline">
      {title}
    </span>
  </Link>
);

export const ErrorBoundary = () =>
  useIsMissing() ? (
    <EssayNotFound />
  ) : (
    <PageError title="Failed to load this essay. Please try again later." />
  );

const EssayNotFound = () => (
  <Missing
    title="Essay not found"
    text="It may have been taken down, or its link has changed."
    to="/essays"
    label="All essays"
  />
);
