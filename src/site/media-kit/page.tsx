import { Download } from "#site/ui/icons.tsx";
import type { ReactNode } from "react";
import { siteContext } from "#site/context.ts";
import { ButtonLink } from "#site/ui/button.tsx";
import { formatMonth } from "#site/ui/format-more.ts";
import { DateTime } from "#site/ui/date-time.tsx";
import { PageHead } from "#site/ui/title.tsx";
import { RichText } from "#site/ui/rich-text.tsx";
import { readMeasuredFigures } from "#worker/analytics/public-queries.ts";
import { describePage } from "#worker/discovery/metadata.ts";
import type { PublicShow } from "#worker/episodes/contract.ts";
import type { PageContent } from "#worker/pages/contract.ts";
import { readPage } from "#worker/pages/queries.ts";
import type { Site } from "#worker/settings/contract.ts";
import type { Route } from "./+types/page.ts";
import { Artwork } from "#site/shell/artwork.tsx";
import { readSiteAndShow } from "../loader.server.ts";
import { PageError } from "../page-error.tsx";
import { WriteTo } from "../write-to.tsx";
import { Measured } from "./measured.tsx";

export async function loader({ context }: Route.LoaderArgs) {
  const ctx = context.get(siteContext);
  const [{ site, show }, page] = await Promise.all([readSiteAndShow(ctx), readPage(ctx, "media-kit")]);
  return {
    name: site.name,
    contactEmail: site.contactEmail,
    social: site.social,
    figures: site.figures,
    showTitle: show?.title ?? site.name,
    artwork: show?.artwork ?? null,
    page,
    measured: page.showsMeasured ? await readMeasuredFigures(ctx) : null,
    meta: describePage(ctx, site, {
      title: "Media Kit",
      description: page.standfirst,
      path: "/media-kit",
      image: show?.artwork?.src,
    }),
  };
}

export const meta = ({ loaderData }: Route.MetaArgs) => loaderData?.meta;

export default function MediaKit({ loaderData }: Route.ComponentProps) {
  const { name, contactEmail, social, figures, measured, showTitle, artwork, page } = loaderData;
  return (
    <article className="page pb-8">
      <PageHead title={page.headline} standfirst={page.standfirst} />
      <Figures figures={figures} />
      {measured && <Measured figures={measured} />}
      <Biographies name={name} page={page} />
      <CoverArt title={showTitle} artwork={artwork} />
      {page.credit.html && (
        <Part title="How to credit">
          <RichText html={page.credit.html} />
        </Part>
      )}
      <Part title={page.requestTitle}>
        {page.requestText && <p className="mb-5 max-w-[36rem] font-reading text-lg">{page.requestText}</p>}
        <WriteTo
          site={{ contactEmail, social }}
          label="Write about media"
          subject="Media enquiry"
          prompts={["What you are making", "What you need", "By when"]}
        />
      </Part>
    </article>
  );
}

function Figures({ figures: { mediaKit, asOf } }: { figures: Site["figures"] }) {
  if (mediaKit.length === 0) return null;
  return (
    <section aria-labelledby="figures" className="border-t border-ink pt-5 pb-14">
      <h2 id="figures" className="flex flex-wrap items-baseline justify-between gap-x-6">
        <span className="text-base font-semibold">Figures</span>
        {asOf && (
          <span className="kicker">
            As at <DateTime at={asOf} format={formatMonth} />
          </span>
        )}
      </h2>
      <dl className="mt-6 grid grid-cols-2 gap-y-8 lg:flex lg:justify-between lg:gap-x-10">
        {mediaKit.map(({ label, value }) => (
          <div key={label} className="grid content-start gap-1">
            <dt className="order-last text-muted">{label}</dt>
            <dd className="headline text-3xl text-accent">{value}</dd>
          </div>
        ))}
      </dl>
    </section>
  );
}

function Biographies({
  name,
  page: { shortBio, longBio },
}: {
  name: string;
  page: PageContent<"media-kit">;
}) {
  return (
    <>
      {shortBio && (
        <Part title="Short biography" note={wordsIn(shortBio)}>
          <p className="max-w-[36rem] font-reading text-xl">{shortBio}</p>
        </Part>
      )}
      {longBio.html && (
        <Part title={`About ${name}`} note={wordsIn(longBio.html.replace(/<[^>]*>/g, " "))}>
          <RichText html={longBio.html} />
        </Part>
      )}
    </>
  );
}

function CoverArt({ title, artwork }: { title: string; artwork: PublicShow["artwork"] }) {
  if (!artwork) return null;
  return (
    <Part title="Cover art">
      <div className="grid gap-x-10 gap-y-5 sm:grid-cols-[16rem_1fr] sm:items-end">
        <Artwork picture={artwork} seed={0} sizes="16rem" className="max-sm:max-w-64" />
        <div className="grid justify-items-start gap-4">
          <p className="max-w-md font-reading text-lg">
            The cover of <span>{title}</span>, square and at its full size, for listings, reviews and
            introductions.
          </p>
          <ButtonLink to={artwork.src} reloadDocument download>
            <Download aria-hidden size={16} />
            Download the cover
          </ButtonLink>
        </div>
      </div>
    </Part>
  );
}

/** Facts that editors ask for first. */
const wordsIn = (text: string) =>
  `${text.split(/\s+/).filter((word) => /\p{L}|\d/u.test(word)).length} words`;

const Part = ({ title, note, children }: { title: string; note?: string; children: ReactNode }) => (
  <section className="grid gap-x-10 gap-y-4 border-t border-rule pt-5 pb-14 lg:grid-cols-12">
    <header className="lg:col-span-4">
      <h2 className="text-base font-semibold">{title}</h2>
      {note && <p className="kicker">{note}</p>}
    </header>
    <div className="lg:col-span-8">{children}</div>
  </section>
);

export const ErrorBoundary = () => <PageError title="Failed to load this page. Please try again later." />;
