import { data } from "react-router";
import { siteContext } from "#site/context.ts";
import { ShareBar } from "#site/shell/share-bar.tsx";
import { Breadcrumb } from "#site/ui/breadcrumb.tsx";
import { ButtonLink } from "#site/ui/button.tsx";
import { cx } from "#site/ui/cx.ts";
import { DateTime } from "#site/ui/date-time.tsx";
import { formatLongDate } from "#site/ui/format.ts";
import { RichText } from "#site/ui/rich-text.tsx";
import { Title } from "#site/ui/title.tsx";
import { crumbsOf, isOpen } from "#worker/addresses.ts";
import { describePage } from "#worker/discovery/metadata.ts";
import { readPublicLetter } from "#worker/letters/archive.ts";
import { idInPath } from "#worker/platform/text/id-in-path.ts";
import type { Route } from "./+types/letter.ts";
import { orErrorResponse, readSiteAndShow } from "../loader.server.ts";
import { NewsletterBlock } from "../newsletter/block.tsx";
import type { PageHandle } from "../newsletter/footer-form.tsx";
import { Missing, PageError, useIsMissing } from "../page-error.tsx";
import { useLayoutData } from "../use-layout.ts";
import { letterColumns, letterRail, letterText } from "./letter-layout.ts";

export async function loader({ context, params }: Route.LoaderArgs) {
  const ctx = context.get(siteContext);
  const id = idInPath(params.id);
  if (id === 0) throw data({ message: "There’s no such letter." }, { status: 404 });
  const reading = readSiteAndShow(ctx).then(({ site }) => site);
  const [site, letter] = await Promise.all([
    reading,
    orErrorResponse(readPublicLetter(ctx, id, { site: reading })),
  ]);
  const path = `/letters/${letter.id}`;
  return {
    letter,
    author: site.name,
    url: `${ctx.config.siteUrl}${path}`,
    meta: describePage(ctx, site, {
      title: letter.subject,
      path,
      description: letter.preheader,
      type: "article",
      author: site.name,
      publishedTime: letter.startedAt,
    }),
  };
}

export const handle: PageHandle = { hasNewsletterForm: true };

export const meta = ({ loaderData }: Route.MetaArgs) => loaderData?.meta;

export default function LetterPage({ loaderData: { letter, author, url } }: Route.ComponentProps) {
  const { id, subject, preheader, startedAt, contentHtml } = letter;
  return (
    <>
      <Breadcrumb crumbs={crumbsOf(`/letters/${id}`, subject)} className="page pt-6" />
      <article className={letterColumns}>
        <header className={cx(letterText, "grid gap-5")}>
          <Title text={subject} />
          {preheader && (
            <p className="max-w-[36rem] font-reading text-xl leading-snug text-muted">{preheader}</p>
          )}
        </header>
        <div
          className={cx(
            letterRail,
            "mt-8 grid content-start gap-5 lg:sticky lg:top-24 lg:row-start-2 lg:mt-12 lg:self-start",
          )}
        >
          <div className="grid gap-1 text-sm">
            <p className="font-medium">{`By ${author}`}</p>
            <p className="kicker">
              <DateTime at={startedAt} format={formatLongDate} />
            </p>
          </div>
          <ShareBar
            title={subject}
            url={url}
            className="lg:flex-col lg:items-start lg:gap-y-0 lg:[&_span]:pb-1"
          />
        </div>
        <div className={cx(letterText, "mt-8 lg:row-start-2 lg:mt-12")}>
          <RichText html={contentHtml} long />
        </div>
      </article>
      <div className="page mt-8">
        <NewsletterBlock variant="newsletter" />
        <ButtonLink to="/letters" className="mt-8">
          All letters
        </ButtonLink>
      </div>
    </>
  );
}

export const ErrorBoundary = () =>
  useIsMissing() ? (
    <LetterNotFound />
  ) : (
    <PageError title="Failed to load this letter. Please try again later." />
  );

function LetterNotFound() {
  const switches = useLayoutData()?.site.switches;
  const list = switches && isOpen("/letters", switches) ? "/letters" : "/";
  return (
    <Missing
      title="Letter not found"
      text="It isn’t in the archive, or its link has changed."
      to={list}
      label={list === "/" ? "Return to Home" : "All letters"}
    />
  );
}
