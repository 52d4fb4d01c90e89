import { Link } from "#site/document/link.tsx";
import { siteContext } from "#site/context.ts";
import { Title } from "#site/ui/title.tsx";
import { describePage } from "#worker/discovery/metadata.ts";
import type { MessageType, PageContent } from "#worker/pages/contract.ts";
import { readPage } from "#worker/pages/queries.ts";
import type { Site } from "#worker/settings/contract.ts";
import type { Route } from "./+types/page.ts";
import { readSiteAndShow } from "../loader.server.ts";
import { socialLinks } from "#site/shell/links.ts";
import { PageError } from "../page-error.tsx";
import { mailto, WriteTo } from "../write-to.tsx";

export async function loader({ context }: Route.LoaderArgs) {
  const ctx = context.get(siteContext);
  const [{ site, show }, page] = await Promise.all([readSiteAndShow(ctx), readPage(ctx, "contact")]);
  return {
    contactEmail: site.contactEmail,
    social: site.social,
    page,
    meta: describePage(ctx, site, {
      title: "Contact",
      description: page.standfirst,
      path: "/contact",
      image: show?.artwork?.src,
    }),
  };
}

export const meta = ({ loaderData }: Route.MetaArgs) => loaderData?.meta;

export default function Contact({ loaderData: { page, contactEmail, social } }: Route.ComponentProps) {
  return (
    <article className="page pt-6 pb-8">
      <header className="grid gap-4 py-4 lg:py-8">
        <Title text={page.headline} />
        <p className="max-w-[38rem] font-reading text-lg text-muted">{page.standfirst}</p>
      </header>
      <Address contactEmail={contactEmail} social={social} />
      <Kinds kinds={page.kinds} contactEmail={contactEmail} />
      <Elsewhere social={social} />
    </article>
  );
}

type Reach = Pick<Site, "contactEmail" | "social">;

/** The place of the message form. */
const Address = (site: Reach) => (
  <section aria-labelledby="address" className="border-y border-ink py-8 lg:py-12">
    <h2 id="address" className="kicker mb-2">
      Write to
    </h2>
    {site.contactEmail ? (
      <p>
        <a
          href={`mailto:${site.contactEmail}`}
          className="headline text-2xl text-accent underline decoration-1 underline-offset-[0.15em] hover:decoration-2"
        >
          {site.contactEmail}
        </a>
      </p>
    ) : (
      <WriteTo site={site} label="Write a message" subject="Message" />
    )}
  </section>
);

/** The page that answers most such questions. */
const furtherReading: Partial<Record<MessageType, { to: string; label: string }>> = {
  speaking: { to: "/speaking/book", label: "Request an engagement" },
  media: { to: "/media-kit", label: "Figures, pictures and biographies" },
};

type KindsProps = Pick<PageContent<"contact">, "kinds"> & Pick<Site, "contactEmail">;

function Kinds({ kinds, contactEmail }: KindsProps) {
  if (kinds.length === 0) return null;
  return (
    <section aria-labelledby="kinds" className="py-10">
      <h2 id="kinds" className="sr-only">
        What is it about?
      </h2>
      <ul className="grid gap-x-10 md:grid-cols-2">
        {kinds.map((kind) => (
          <li
            key={kind.type}
            className="grid content-start gap-2 border-b border-rule py-6 last:border-b-0 md:nth-last-[-n+2]:border-b-0"
          >
            <h3 className="headline text-xl">{kind.title}</h3>
            <p className="max-w-md text-muted">{kind.text}</p>
            <p className="flex flex-wrap gap-x-6 gap-y-1">
              {contactEmail && (
                <a href={mailto(contactEmail, { subject: kind.title })} className="link py-1">
                  Write about {kind.type === "general" ? "something else" : kind.title.toLowerCase()}
                </a>
              )}
              <FurtherLink type={kind.type} />
            </p>
          </li>
        ))}
      </ul>
    </section>
  );
}

function FurtherLink({ type }: { type: MessageType }) {
  const further = furtherReading[type];
  return (
    further && (
      <Link to={further.to} className="link py-1">
        {further.label}
      </Link>
    )
  );
}

function Elsewhere({ social }: Pick<Site, "social">) {
  const links = socialLinks({ social });
  if (links.length === 0) return null;
  return (
    <section
      aria-labelledby="elsewhere"
      className="flex flex-wrap items-baseline gap-x-8 gap-y-2 border-t border-ink pt-5"
    >
      <h2 id="elsewhere" className="text-base font-semibold">
        Elsewhere
      </h2>
      <ul className="flex flex-wrap gap-x-6 gap-y-1">
        {links.map(({ label, href }) => (
          <li key={label}>
            <a href={href} rel="noopener me" className="link inline-block py-1">
              {label}
            </a>
          </li>
        ))}
      </ul>
    </section>
  );
}

export const ErrorBoundary = () => <PageError title="Failed to load this page. Please try again later." />;
