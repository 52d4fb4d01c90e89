import { siteContext } from "#site/context.ts";
import { ButtonLink } from "#site/ui/button.tsx";
import { cx } from "#site/ui/cx.ts";
import { EmptyState } from "#site/ui/states.tsx";
import { PageHead } from "#site/ui/title.tsx";
import { describeSpeaking } from "#worker/discovery/engagements.ts";
import type { PageContent } from "#worker/pages/contract.ts";
import { readPage } from "#worker/pages/queries.ts";
import { listUpcomingEngagements } from "#worker/speaking/queries.ts";
import type { Route } from "./+types/page.ts";
import { readSiteAndShow } from "../loader.server.ts";
import { NewsletterBlock } from "../newsletter/block.tsx";
import { PageError } from "../page-error.tsx";
import { Programme } from "./programme.tsx";

export async function loader({ context }: Route.LoaderArgs) {
  const ctx = context.get(siteContext);
  const [{ site }, content, engagements] = await Promise.all([
    readSiteAndShow(ctx),
    readPage(ctx, "speaking"),
    listUpcomingEngagements(ctx),
  ]);
  return { content, engagements, meta: describeSpeaking(ctx, site, content, engagements) };
}

export const meta = ({ loaderData }: Route.MetaArgs) => loaderData?.meta;

export default function Speaking({ loaderData: { content, engagements } }: Route.ComponentProps) {
  return (
    <div className="page pb-8">
      <PageHead title={content.headline} standfirst={content.standfirst}>
        <Book tone="signal" />
      </PageHead>
      <Topics title={content.topicsTitle} topics={content.topics} />
      <section aria-labelledby="upcoming" className="border-t border-ink pt-4 pb-14">
        <h2 id="upcoming" className="mb-2 text-base font-semibold">
          Upcoming engagements
        </h2>
        {engagements.length > 0 ? (
          <Programme engagements={engagements} />
        ) : (
          <NoEngagements content={content} />
        )}
      </section>
      {engagements.length > 0 && (
        <section className="grid justify-items-start gap-5 border-t border-ink pt-6">
          <h2 className="headline text-2xl">{content.invitation}</h2>
          <Book tone="quiet" />
        </section>
      )}
      <NewsletterBlock variant="youtube" className="mt-14" />
    </div>
  );
}

const Book = ({ tone }: { tone: "signal" | "quiet" }) => (
  <ButtonLink to="/speaking/book" tone={tone} size="lg">
    Book a speaking engagement
  </ButtonLink>
);

type TopicsProps = { title: string; topics: PageContent<"speaking">["topics"] };

function Topics({ title: heading, topics }: TopicsProps) {
  if (topics.length === 0) return null;
  const fillsThrees = topics.length % 3 === 0;
  return (
    <section aria-labelledby="topics" className="border-t border-ink pt-4 pb-16">
      <h2 id="topics" className="mb-6 text-base font-semibold">
        {heading}
      </h2>
      <ol className={cx("grid grid-cols-1 gap-x-10 gap-y-8 sm:grid-cols-2", fillsThrees && "lg:grid-cols-3")}>
        {topics.map(({ title, text }, place) => (
          <li key={title} className="grid grid-cols-[2.5rem_1fr] border-t border-rule pt-3">
            <span aria-hidden className="figures headline text-xl text-signal">
              {place + 1}
            </span>
            <div className="grid content-start gap-2">
              <h3 className="headline text-xl">{title}</h3>
              <p className="font-reading text-base text-muted">{text}</p>
            </div>
          </li>
        ))}
      </ol>
    </section>
  );
}

const NoEngagements = ({ content }: { content: PageContent<"speaking"> }) => (
  <EmptyState
    title={content.emptyTitle}
    className="border-t-0 pt-0"
    action={
      <ButtonLink to="/speaking/book" tone="primary">
        Suggest a date
      </ButtonLink>
    }
  >
    {content.emptyText}
  </EmptyState>
);

export const ErrorBoundary = () => (
  <PageError title="Failed to load speaking engagements. Please try again later." />
);
