import { useState } from "react";
import { siteContext } from "#site/context.ts";
import { PageHead } from "#site/ui/title.tsx";
import { describePage } from "#worker/discovery/metadata.ts";
import type { PageContent } from "#worker/pages/contract.ts";
import { readPage } from "#worker/pages/queries.ts";
import { dayIn } from "#worker/platform/time/day.ts";
import { sentFormOf } from "#worker/platform/http/sent-form.ts";
import type { Route } from "./+types/page.ts";
import { readSiteAndShow } from "../loader.server.ts";
import { Landform } from "#site/shell/generated-artwork.tsx";
import { PageError } from "../page-error.tsx";
import { OrWriteTo } from "../write-to.tsx";
import { BookingForm } from "./form.tsx";
import { Requested } from "./requested.tsx";

export async function loader({ context, url }: Route.LoaderArgs) {
  const ctx = context.get(siteContext);
  const requested = url.searchParams.get("requested");
  const [{ site, show }, page] = await Promise.all([readSiteAndShow(ctx), readPage(ctx, "booking")]);
  return {
    contactEmail: site.contactEmail,
    page,
    sent: sentFormOf(ctx),
    today: dayIn(site.timeZone, ctx.now),
    /** The result for a browser without scripts, which is redirected here. */
    requested: requested === null ? null : { isUnconfirmed: requested === "unconfirmed" },
    meta: describePage(ctx, site, {
      title: requested === null ? "Speaking Engagement Request" : "Request Submitted!",
      description: page.standfirst,
      path: "/speaking/book",
      image: show?.artwork?.src,
    }),
  };
}

export const meta = ({ loaderData }: Route.MetaArgs) => loaderData?.meta;

export default function Booking({ loaderData }: Route.ComponentProps) {
  const { page, contactEmail, sent, today, requested } = loaderData;
  const [submitted, setSubmitted] = useState<{ isUnconfirmed: boolean } | null>(null);
  if (submitted) return <Requested {...submitted} isNew />;
  if (requested) return <Requested {...requested} />;
  return (
    <article className="page pb-8">
      <PageHead
        title={page.headline}
        standfirst={page.standfirst}
        aside={<Landform width={900} seed={15} className="aspect-3/2 w-full" />}
      />
      <section
        aria-labelledby="request"
        className="grid gap-x-10 gap-y-10 border-t border-ink pt-6 lg:grid-cols-12"
      >
        <div className="grid content-start gap-6 lg:col-span-7">
          <h2 id="request" className="headline text-2xl">
            Speaking Engagement Request
          </h2>
          <BookingForm sent={sent} today={today} onSuccess={setSubmitted} />
          <OrWriteTo
            contactEmail={contactEmail}
            subject="Speaking Engagement Request"
            prompts={[
              "Full name",
              "Organisation",
              "Event",
              "Date, if set",
              "Kind (keynote, panel, workshop, fireside, moderator or other)",
              "Honorarium (paid, expenses only, pro bono or to be discussed)",
              "Anything else",
            ]}
          />
        </div>
        <Points points={page.points} />
      </section>
    </article>
  );
}

const Points = ({ points }: Pick<PageContent<"booking">, "points">) => (
  <dl className="content-start lg:col-span-4 lg:col-start-9">
    {points.map(({ title, text }) => (
      <div
        key={title}
        className="grid gap-x-8 gap-y-1 border-b border-rule py-4 first:pt-1 last:border-b-0 sm:max-lg:grid-cols-[12rem_1fr] sm:max-lg:items-baseline"
      >
        <dt className="headline text-xl">{title}</dt>
        <dd className="text-muted">{text}</dd>
      </div>
    ))}
  </dl>
);

export const ErrorBoundary = () => <PageError title="Failed to load this page. Please try again later." />;
