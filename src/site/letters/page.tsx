import { siteContext } from "#site/context.ts";
import { ButtonLink } from "#site/ui/button.tsx";
import { EmptyState } from "#site/ui/states.tsx";
import { PageHead } from "#site/ui/title.tsx";
import { describeLetters } from "#worker/discovery/metadata.ts";
import { listPublicLetters } from "#worker/letters/archive.ts";
import type { Route } from "./+types/page.ts";
import { orErrorResponse, readSiteAndShow } from "../loader.server.ts";
import { NewsletterBlock } from "../newsletter/block.tsx";
import type { PageHandle } from "../newsletter/footer-form.tsx";
import { PageError } from "../page-error.tsx";
import { LetterList } from "./list.tsx";

export async function loader({ context, url }: Route.LoaderArgs) {
  const ctx = context.get(siteContext);
  const before = url.searchParams.get("before") ?? undefined;
  const reading = readSiteAndShow(ctx).then(({ site }) => site);
  const [site, { items: letters, next }] = await Promise.all([
    reading,
    orErrorResponse(listPublicLetters(ctx, { site: reading, before })),
  ]);
  return {
    letters,
    next,
    isFirst: before === undefined,
    meta: describeLetters(ctx, site, before),
  };
}

export const handle: PageHandle = { hasNewsletterForm: true };

export const meta = ({ loaderData }: Route.MetaArgs) => loaderData?.meta;

export default function Letters({ loaderData: { letters, next, isFirst } }: Route.ComponentProps) {
  return (
    <div className="page pb-8">
      <PageHead title="Letters" standfirst="Letters sent to subscribers by email, to read here too." />
      {letters.length > 0 ? <LetterList letters={letters} /> : <NoLetters isFirst={isFirst} />}
      {next && (
        <ButtonLink to={`/letters?before=${next}`} className="mt-2">
          Older letters
        </ButtonLink>
      )}
      <p className="mt-8">
        <a className="link" href="/rss/letters.xml">
          Letters as RSS feed
        </a>
      </p>
      <NewsletterBlock variant="newsletter" className="mt-16" />
    </div>
  );
}

const NoLetters = ({ isFirst }: { isFirst: boolean }) =>
  isFirst ? (
    <EmptyState title="No letters yet" className="border-t-0">
      Subscribe to get the first one on the day it’s sent.
    </EmptyState>
  ) : (
    <EmptyState
      title="No older letters"
      className="border-t-0"
      action={<ButtonLink to="/letters">Newest letters</ButtonLink>}
    />
  );

export const ErrorBoundary = () => <PageError title="Failed to load letters. Please try again later." />;
