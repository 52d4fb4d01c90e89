import { siteContext } from "#site/context.ts";
import { Title } from "#site/ui/title.tsx";
import { describePage } from "#worker/discovery/metadata.ts";
import type { PageContent } from "#worker/pages/contract.ts";
import { readPage } from "#worker/pages/queries.ts";
import type { Route } from "./+types/page.ts";
import { readSiteAndShow } from "../loader.server.ts";
import { Landform } from "#site/shell/landform.tsx";
import { PageError } from "../page-error.tsx";
import { WriteTo } from "../write-to.tsx";

export async function loader({ context }: Route.LoaderArgs) {
  const ctx = context.get(siteContext);
  const [{ site, show }, page] = await Promise.all([readSiteAndShow(ctx), readPage(ctx, "booking")]);
  return {
    contactEmail: site.contactEmail,
    social: site.social,
    page,
    meta: describePage(ctx, site, {
      title: "Speaking Engagement Request",
      description: page.standfirst,
      path: "/speaking/book",
      image: show?.artwork?.src,
    }),
  };
}

export const meta = ({ loaderData }: Route.MetaArgs) => loaderData?.meta;

export default function Booking({ loaderData: { page, contactEmail, social } }: Route.ComponentProps) {
  return (
    <article className="page pt-6 pb-8">
      <header className="grid gap-x-10 gap-y-8 pt-4 pb-10 lg:grid-cols-12 lg:items-end lg:pb-14">
        <div className="grid gap-5 lg:col-span-7">
          <Title text={page.headline} />
          <p className="max-w-[34rem] font-reading text-lg">{page.standfirst}</p>
        </div>
        <Landform seed={15} className="aspect-3/2 w-full lg:col-span-5" />
      </header>
      {/* The place of the request form. */}
      <section
        aria-labelledby="request"
        className="grid gap-x-10 gap-y-8 border-t border-ink pt-6 lg:grid-cols-12"
      >
        <div className="grid content-start gap-5 lg:col-span-5">
          <h2 id="request" className="headline text-2xl">
            Speaking Engagement Request
          </h2>
          <p className="max-w-[34rem] font-reading text-lg">
            Requests come by e-mail. Say what you know already; what is still open can stay open.
          </p>
          <WriteTo
            site={{ contactEmail, social }}
            label="Write your request"
            subject="Speaking Engagement Request"
            prompts={[
              "Full name",
              "Organisation",
              "Event",
              "Date, if settled",
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
  <dl className="lg:col-span-6 lg:col-start-7">
    {points.map(({ title, text }) => (
      <div
        key={title}
        className="grid gap-x-8 gap-y-1 border-b border-rule py-4 first:pt-1 last:border-b-0 sm:grid-cols-[12rem_1fr] sm:items-baseline"
      >
        <dt className="headline text-xl">{title}</dt>
        <dd className="text-muted">{text}</dd>
      </div>
    ))}
  </dl>
);

export const ErrorBoundary = () => <PageError title="Failed to load this page. Please try again later." />;
