import type { ReactNode } from "react";
import { Link } from "#site/document/link.tsx";
import { Stored } from "#site/document/stored.tsx";
import { ThemeSwitch } from "#site/ui/theme-switch.tsx";
import { isOpen, pages, type PagePath } from "#worker/addresses.ts";
import type { Chrome } from "./chrome.ts";
import { socialLinks } from "./navigation.ts";

/** Id of the place for the button that asks about tags again (`site/tags/tag-manager.tsx`). */
export const TAG_CHOICE = "tag-choice";

type FooterProps = { site: Chrome; year: string; children: ReactNode };

/** The children are shown below the site's description. */
export const Footer = ({ site, year, children }: FooterProps) => (
  <footer className="mt-12 border-t border-ink">
    <div className="page grid gap-x-10 gap-y-6 py-8 lg:grid-cols-12">
      <div className="grid content-start gap-6 lg:col-span-5">
        <div className="grid gap-2">
          <p translate="no" className="headline text-story">
            {site.name}
          </p>
          {site.description && <p className="max-w-md font-reading text-lg text-muted">{site.description}</p>}
        </div>
        {children}
      </div>
      <Stored
        as="div"
        className="grid grid-cols-[repeat(auto-fit,minmax(min(100%,7rem),1fr))] content-start gap-6 sm:grid-cols-4 lg:col-span-7"
        name="columns"
        Content={Columns}
        given={{ site }}
      />
    </div>
    <Stored as="div" className="page" name="colophon" Content={Colophon} given={{ name: site.name, year }} />
  </footer>
);

function Columns({ site }: { site: Chrome }) {
  const social = socialLinks(site);
  const whileOpen = (to: PagePath) => isOpen(to, site.switches) && <Inside to={to} />;
  return (
    <>
      <LinkColumn title="Listen">
        <Inside to="/podcast" />
        {site.apps.map((app) => (
          <Anchor key={app.label} {...app} rel="noopener me" />
        ))}
        <Inside to="/listen" />
        <Anchor href="/rss/podcast.xml" label="Podcast RSS" />
      </LinkColumn>
      <LinkColumn title="Read">
        <Inside to="/conversations" />
        <Inside to="/essays" />
        {whileOpen("/letters")}
        <Anchor href="/rss/essays.xml" label="Essays RSS" />
      </LinkColumn>
      <LinkColumn title="More">
        <Inside to="/speaking" />
        <Inside to="/media-kit" />
        <Inside to="/three-es" />
        <Inside to="/search" />
        {whileOpen("/account")}
      </LinkColumn>
      {social.length > 0 && (
        <LinkColumn title="Follow">
          {social.map((link) => (
            <Anchor key={link.label} {...link} rel="noopener me" />
          ))}
        </LinkColumn>
      )}
    </>
  );
}

const Colophon = ({ name, year }: { name: string; year: string }) => (
  <div className="flex flex-wrap items-center justify-between gap-x-8 gap-y-2 border-t border-rule py-5 text-sm text-muted">
    <p>{`© ${year} ${name}`}</p>
    <div className="flex flex-wrap items-center gap-x-3 gap-y-2 sm:gap-x-6">
      <Inside to="/privacy-policy" className={smallLink} />
      <Inside to="/terms-of-service" className={smallLink} />
      <a href="/admin" className={smallLink}>
        Admin Login
      </a>
      <span id={TAG_CHOICE} className="contents" />
      <ThemeSwitch group="theme" />
    </div>
  </div>
);

const smallLink = "py-1 underline-offset-4 hover:text-ink hover:underline";
const linkClass = "w-fit min-w-6 py-0.5 underline-offset-4 hover:underline";

const Inside = ({ to, className = linkClass }: { to: PagePath; className?: string }) => (
  <Link to={to} className={className}>
    {pages[to].label}
  </Link>
);

/** A link to a feed, or to the owner's profile on another site. */
const Anchor = ({ label, href, rel }: { label: string; href: string; rel?: string }) => (
  <a href={href} rel={rel} className={linkClass}>
    {label}
  </a>
);

const LinkColumn = ({ title, children }: { title: string; children: ReactNode }) => (
  <nav aria-label={title} className="grid content-start">
    <h2 className="kicker mb-1">{title}</h2>
    {children}
  </nav>
);
