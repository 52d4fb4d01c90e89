import type { ReactNode } from "react";
import { siteContext } from "#site/context.ts";
import { formatLongDay } from "#site/ui/format.ts";
import { DateTime } from "#site/ui/date-time.tsx";
import { PageHead } from "#site/ui/title.tsx";
import { RichText } from "#site/ui/rich-text.tsx";
import { describePage } from "#worker/discovery/metadata.ts";
import { readPage } from "#worker/pages/queries.ts";
import type { Route } from "./+types/page.ts";
import { readSiteAndShow } from "../loader.server.ts";
import { PageError } from "../page-error.tsx";
import { TagChoice } from "../tags/choice.tsx";

export async function loader({ context, pattern }: Route.LoaderArgs) {
  const ctx = context.get(siteContext);
  // By route id, because addresses match in any case.
  const slug = pattern.endsWith("privacy-policy") ? "privacy-policy" : "terms-of-service";
  const [{ site, show }, page] = await Promise.all([readSiteAndShow(ctx), readPage(ctx, slug)]);
  return {
    name: site.name,
    contactEmail: site.contactEmail,
    isAboutPrivacy: slug === "privacy-policy",
    page,
    meta: describePage(ctx, site, {
      title: page.headline,
      description: page.standfirst,
      path: `/${slug}`,
      image: show?.artwork?.src,
    }),
  };
}

export const meta = ({ loaderData }: Route.MetaArgs) => loaderData?.meta;

export default function Legal({
  loaderData: { name, contactEmail, isAboutPrivacy, page },
}: Route.ComponentProps) {
  return (
    <article className="page pb-8">
      <PageHead title={page.headline} standfirst={page.standfirst} />
      <div className="grid grid-cols-1 gap-x-10 gap-y-8 border-t border-ink pt-6 lg:grid-cols-12">
        <dl className="grid content-start gap-4 text-sm sm:grid-cols-3 lg:sticky lg:top-24 lg:col-span-3 lg:grid-cols-1 lg:self-start">
          <Fact name="Publisher">{name}</Fact>
          <Fact name="Last updated">
            <DateTime at={page.since} format={formatLongDay} />
          </Fact>
          {contactEmail && (
            <Fact name="Questions">
              <a href={`mailto:${contactEmail}`} translate="no" className="link">
                {contactEmail}
              </a>
            </Fact>
          )}
        </dl>
        <div className="min-w-0 lg:col-span-8 lg:col-start-5">
          <RichText html={page.body.html} className="*:first:mt-0" />
          {isAboutPrivacy && <TagChoice />}
        </div>
      </div>
    </article>
  );
}

const Fact = ({ name, children }: { name: string; children: ReactNode }) => (
  <div className="grid content-start gap-0.5">
    <dt className="text-muted">{name}</dt>
    <dd className="font-medium">{children}</dd>
  </div>
);

export const ErrorBoundary = () => <PageError title="Failed to load this page. Please try again later." />;
