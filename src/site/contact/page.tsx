import { Link } from "#site/document/link.tsx";
import { siteContext } from "#site/context.ts";
import { PageHead } from "#site/ui/title.tsx";
import { messageTypeNames } from "#worker/enquiries/limits.ts";
import { describePage } from "#worker/discovery/metadata.ts";
import type { MessageType, PageContent } from "#worker/pages/contract.ts";
import { readPage } from "#worker/pages/queries.ts";
import { sentFormOf } from "#worker/platform/http/sent-form.ts";
import type { Site } from "#worker/settings/contract.ts";
import type { Route } from "./+types/page.ts";
import { readSiteAndShow } from "../loader.server.ts";
import { socialLinks } from "#site/shell/navigation.ts";
import { PageError } from "../page-error.tsx";
import { ContactForm } from "./form.tsx";

export async function loader({ context, url }: Route.LoaderArgs) {
  const ctx = context.get(siteContext);
  const [{ site, show }, page] = await Promise.all([readSiteAndShow(ctx), readPage(ctx, "contact")]);
  return {
    contactEmail: site.contactEmail,
    social: site.social,
    type: typeOf(url.searchParams.get("type")),
    sent: sentFormOf(ctx),
    page,
    meta: describePage(ctx, site, {
      title: "Contact",
      description: page.standfirst,
      path: "/contact",
      image: show?.artwork?.src,
    }),
  };
}

/** The initial type of a message. */
const typeOf = (asked: string | null): MessageType =>
  asked !== null && Object.hasOwn(messageTypeNames, asked) ? (asked as MessageType) : "general";

export const meta = ({ loaderData }: Route.MetaArgs) => loaderData?.meta;

export default function Contact({ loaderData }: Route.ComponentProps) {
  const { page, contactEmail, social, type, sent } = loaderData;
  return (
    <article className="page pb-8">
      <PageHead title={page.headline} standfirst={page.standfirst} />
      <section
        id="write"
        aria-labelledby="write-heading"
        className="grid gap-x-10 gap-y-10 border-t border-ink pt-6 pb-10 lg:grid-cols-12"
      >
        <div className="grid content-start gap-6 lg:col-span-7">
          <h2 id="write-heading" className="headline text-2xl">
            Send a message
          </h2>
          <ContactForm sent={sent} type={type} />
        </div>
        <Address contactEmail={contactEmail} />
      </section>
      <Kinds kinds={page.kinds} />
      <Elsewhere social={social} />
    </article>
  );
}

const Address = ({ contactEmail }: Pick<Site, "contactEmail">) =>
  contactEmail && (
    <aside aria-labelledby="address" className="lg:col-span-4 lg:col-start-9">
      <h2 id="address" className="mb-2 text-base font-semibold">
        Or write an email
      </h2>
      <p>
        <a href={`mailto:${contactEmail}`} translate="no" className="link text-lg">
          {contactEmail}
        </a>
      </p>
    </aside>
  );

/** The page that answers most such questions. */
const furtherReading: Partial<Record<MessageType, { to: string; label: string }>> = {
  speaking: { to: "/speaking/book", label: "Request an engagement" },
  media: { to: "/media-kit", label: "Figures, pictures and biographies" },
};

function Kinds({ kinds }: Pick<PageContent<"contact">, "kinds">) {
  if (kinds.length === 0) return null;
  return (
    <section aria-labelledby="kinds" className="border-t border-ink py-4">
      <h2 id="kinds" className="sr-only">
        What’s it about?
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
              <Link to={`/contact?type=${kind.type}#write`} className="link py-1">
                {`Write about ${kind.type === "general" ? "something else" : kind.title.toLowerCase()}`}
              </Link>
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
            <a href={href} rel="noopener me" className="link inline-block min-w-6 py-1">
              {label}
            </a>
          </li>
        ))}
      </ul>
    </section>
  );
}

export const ErrorBoundary = () => <PageError title="Failed to load this page. Please try again later." />;
