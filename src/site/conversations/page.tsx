import type { ShouldRevalidateFunctionArgs } from "react-router";
import { siteContext } from "#site/context.ts";
import { ButtonLink } from "#site/ui/button.tsx";
import { EmptyState, ErrorState } from "#site/ui/states.tsx";
import { TabLinks } from "#site/ui/tab-links.tsx";
import { PageHead } from "#site/ui/title.tsx";
import { listPublishedArticles } from "#worker/articles/queries.ts";
import type { ArticleFilter } from "#worker/articles/contract.ts";
import { describeConversations } from "#worker/discovery/essays.ts";
import type { Route } from "./+types/page.ts";
import { orErrorResponse, readSiteAndShow } from "../loader.server.ts";
import type { PageHandle } from "../newsletter/footer-form.tsx";
import { NewsletterForm } from "../newsletter/form.tsx";
import { PageError, useIsMissing } from "../page-error.tsx";
import { useLayoutData } from "../use-layout.ts";
import { Cards, Lead } from "./cards.tsx";
import { useOpenArticle } from "./open.tsx";
import { Reader } from "./reader.tsx";

/** The lead article, and rows of three or two. */
const SHOWN = 13;

export async function loader({ context, url }: Route.LoaderArgs) {
  const ctx = context.get(siteContext);
  const source = filterOf(url.searchParams.get("source"));
  const before = url.searchParams.get("before") ?? undefined;
  const [{ site }, { items: articles, next }] = await Promise.all([
    readSiteAndShow(ctx),
    orErrorResponse(listPublishedArticles(ctx, { source, before, limit: SHOWN })),
  ]);
  return {
    source,
    articles,
    next,
    isFirst: before === undefined,
    // The canonical address of a filtered list is that of the whole list.
    meta: describeConversations(ctx, site, articles, source === "all" ? { before } : {}),
  };
}

const filterOf = (param: string | null): ArticleFilter =>
  param === "linkedin" || param === "original" ? param : "all";

export const handle: PageHandle = { hasNewsletterForm: true };

export const meta = ({ loaderData }: Route.MetaArgs) => loaderData?.meta;

/** Opening and closing an article does not reload the list. */
export const shouldRevalidate = ({
  currentUrl,
  nextUrl,
  defaultShouldRevalidate,
}: ShouldRevalidateFunctionArgs) => currentUrl.href !== nextUrl.href && defaultShouldRevalidate;

export default function Conversations({
  loaderData: { source, articles, next, isFirst },
}: Route.ComponentProps) {
  const open = useOpenArticle();
  const [lead, ...others] = articles;
  return (
    <div className="page pb-8">
      <PageHead
        title="Conversations"
        standfirst="Essays written here, and arguments that began on LinkedIn."
      />
      <Filters current={source} />
      {lead ? <Lead article={lead} /> : <NoArticles source={source} isFirst={isFirst} />}
      {others.length > 0 && <Cards articles={others} />}
      {next && (
        <ButtonLink to={addressOf(source, next)} className="mb-12">
          Older articles
        </ButtonLink>
      )}
      <StayUpdated />
      {open !== null && <Reader key={open} slug={open} />}
    </div>
  );
}

const filters: { source: ArticleFilter; label: string }[] = [
  { source: "all", label: "All Articles" },
  { source: "linkedin", label: "From LinkedIn" },
  { source: "original", label: "Original Content" },
];

function addressOf(source: ArticleFilter, before?: string) {
  const params = new URLSearchParams({ ...(source !== "all" && { source }), ...(before && { before }) });
  // Its `size` is too new for Safari 16.
  const query = params.toString();
  return query ? `/conversations?${query}` : "/conversations";
}

const Filters = ({ current }: { current: ArticleFilter }) => (
  <TabLinks
    label="Filter articles"
    links={filters.map(({ source, label }) => ({
      to: addressOf(source),
      label,
      isCurrent: source === current,
    }))}
    current="true"
    preventScrollReset
  />
);

function StayUpdated() {
  if (!useLayoutData()?.newsletter) return null;
  return (
    <section
      id="newsletter"
      aria-labelledby="stay-updated"
      className="grid grid-cols-1 gap-x-10 gap-y-6 border-t border-ink pt-6 md:grid-cols-12"
    >
      <div className="grid content-start gap-2 md:col-span-5">
        <h2 id="stay-updated" className="headline text-xl">
          Stay Updated
        </h2>
        <p className="max-w-[30rem] font-reading text-base text-muted">
          New essays and conversations, by email.
        </p>
      </div>
      <NewsletterForm source="conversations" className="md:col-span-7 md:w-full md:max-w-none" />
    </section>
  );
}

const emptyTitles: Record<ArticleFilter, string> = {
  all: "No articles yet",
  linkedin: "Nothing from LinkedIn yet",
  original: "No original articles yet",
};

function NoArticles({ source, isFirst }: { source: ArticleFilter; isFirst: boolean }) {
  if (!isFirst) {
    return (
      <EmptyState
        title="No older articles"
        className="border-t-0"
        action={<ButtonLink to={addressOf(source)}>Newest articles</ButtonLink>}
      />
    );
  }
  return (
    <EmptyState
      title={emptyTitles[source]}
      className="border-t-0"
      action={source !== "all" && <ButtonLink to="/conversations">All articles</ButtonLink>}
    >
      The next one is being written. Follow the{" "}
      <a className="link" href="/rss/essays.xml">
        RSS feed
      </a>{" "}
      to get it as soon as it’s out.
    </EmptyState>
  );
}

export function ErrorBoundary() {
  const open = useOpenArticle();
  const isMissing = useIsMissing();
  return open !== null && !isMissing ? (
    <UnreadArticle slug={open} />
  ) : (
    <PageError title="Failed to load articles. Please try again later." />
  );
}

/** The article's data failed to load: links to its own page, whose address the window already shows. */
const UnreadArticle = ({ slug }: { slug: string }) => (
  <div className="page grid gap-8 pb-8">
    <PageHead title="Conversations" />
    <ErrorState
      title="Failed to load this article. Please try again later."
      action={
        <ButtonLink to={`/essays/${slug}`} replace tone="primary">
          Try Again
        </ButtonLink>
      }
    >
      An unexpected error occurred.
    </ErrorState>
  </div>
);
