import { Link } from "#site/document/link.tsx";
import { siteContext } from "#site/context.ts";
import { PageHead } from "#site/ui/title.tsx";
import { RichText } from "#site/ui/rich-text.tsx";
import { describePage } from "#worker/discovery/metadata.ts";
import { person } from "#worker/discovery/structured-data.ts";
import type { PageContent } from "#worker/pages/contract.ts";
import { readPages } from "#worker/pages/queries.ts";
import { listActiveVentures } from "#worker/ventures/queries.ts";
import type { Route } from "./+types/page.ts";
import { readSiteAndShow } from "../loader.server.ts";
import { Landform } from "#site/shell/generated-artwork.tsx";
import { NewsletterBlock } from "../newsletter/block.tsx";
import type { PageHandle } from "../newsletter/footer-form.tsx";
import { PageError } from "../page-error.tsx";
import { Timeline } from "./timeline.tsx";
import { Ventures } from "./ventures.tsx";

export async function loader({ context }: Route.LoaderArgs) {
  const ctx = context.get(siteContext);
  const [{ site, show }, pages, ventures] = await Promise.all([
    readSiteAndShow(ctx),
    readPages(ctx, ["about", "three-es"]),
    listActiveVentures(ctx),
  ]);
  const { about } = pages;
  return {
    name: site.name,
    about,
    pillars: pages["three-es"].pillars.map(({ title, text }) => ({ title, text })),
    ventures,
    meta: describePage(ctx, site, {
      title: "About",
      description: `${about.headline}. ${about.standfirst}`,
      path: "/about",
      image: show?.artwork?.src,
      structuredData: [person(ctx.config.siteUrl, site)],
    }),
  };
}

export const handle: PageHandle = { hasNewsletterForm: true };

export const meta = ({ loaderData }: Route.MetaArgs) => loaderData?.meta;

export default function About({ loaderData: { name, about, pillars, ventures } }: Route.ComponentProps) {
  return (
    <article className="page grid gap-16 pb-8 lg:gap-24">
      <Head name={name} about={about} />
      <Arenas arenas={about.arenas} />
      <Story about={about} />
      <Pillars about={about} pillars={pillars} />
      <Ventures ventures={ventures} />
      <Timeline title={about.timelineTitle} entries={about.timeline} />
      <NewsletterBlock variant="all" />
    </article>
  );
}

type AboutContent = PageContent<"about">;

const Head = ({ name, about }: { name: string; about: AboutContent }) => (
  <div className="grid gap-8 lg:gap-12">
    <PageHead title={about.headline} byline={`About ${name}`} standfirst={about.standfirst} />
    <Landform
      width={1200}
      seed={seedOf(name)}
      className="aspect-[2/1] w-full sm:aspect-[5/2] lg:aspect-[3/1]"
    />
  </div>
);

/** The same name always gets the same drawing. */
const seedOf = (name: string) => [...name].reduce((sum, letter) => sum + (letter.codePointAt(0) ?? 0), 0);

function Arenas({ arenas }: Pick<AboutContent, "arenas">) {
  if (arenas.length === 0) return null;
  return (
    <section aria-labelledby="arenas">
      <h2 id="arenas" className="sr-only">
        Where I lead
      </h2>
      <ul className="grid border-t border-ink md:grid-cols-3">
        {arenas.map(({ title, text }) => (
          <li
            key={title}
            className="grid content-start gap-2 border-b border-rule py-6 md:border-b-0 md:border-l md:px-6 md:nth-[3n+1]:border-l-0 md:nth-[3n+1]:pl-0 lg:px-8"
          >
            <h3 className="headline text-xl">{title}</h3>
            <p className="text-muted">{text}</p>
          </li>
        ))}
      </ul>
    </section>
  );
}

function Story({ about: { body, quote } }: { about: AboutContent }) {
  if (!body.html && !quote.text) return null;
  return (
    <div className="grid gap-x-10 gap-y-12 lg:grid-cols-12">
      {body.html && <RichText html={body.html} className="lg:col-span-7" />}
      {quote.text && <Quote quote={quote} />}
    </div>
  );
}

const Quote = ({ quote }: Pick<AboutContent, "quote">) => (
  <figure className="self-start border-t-2 border-signal pt-5 lg:sticky lg:top-24 lg:col-span-4 lg:col-start-9">
    <blockquote>
      <p className="headline -indent-[0.4em] pl-[0.4em] text-2xl">{`“${quote.text}”`}</p>
    </blockquote>
    {quote.source && <figcaption className="kicker mt-4">{quote.source}</figcaption>}
  </figure>
);

type PillarsProps = { about: AboutContent; pillars: { title: string; text: string }[] };

function Pillars({ about, pillars }: PillarsProps) {
  if (pillars.length === 0) return null;
  return (
    <section
      aria-labelledby="three-es"
      className="grid gap-x-10 gap-y-6 border-t border-ink pt-5 lg:grid-cols-12"
    >
      <header className="grid content-start justify-items-start gap-3 lg:col-span-4">
        <h2 id="three-es" className="headline text-2xl">
          {about.pillarsTitle}
        </h2>
        <Link to="/three-es" className="link">
          {about.pillarsLink}
        </Link>
      </header>
      <dl className="lg:col-span-8">
        {pillars.map(({ title, text }) => (
          <div
            key={title}
            className="grid gap-x-10 gap-y-1 border-b border-rule py-4 first:pt-0 last:border-b-0 sm:grid-cols-[12rem_1fr] sm:items-baseline"
          >
            <dt className="headline text-xl text-accent">{title}</dt>
            <dd className="font-reading text-lg">{text}</dd>
          </div>
        ))}
      </dl>
    </section>
  );
}

export const ErrorBoundary = () => <PageError title="Failed to load this page. Please try again later." />;
