import type { ReactNode } from "react";
import { Link } from "react-router";
import { ThemeSwitch } from "#site/ui/theme-switch.tsx";
import type { Site } from "#worker/settings/contract.ts";
import { platformLinks, socialLinks } from "./links.ts";

export function Footer({ site, year }: { site: Site; year: string }) {
  const social = socialLinks(site);
  return (
    <footer className="mt-24 border-t border-ink">
      <div className="page grid gap-x-6 gap-y-10 py-12 sm:grid-cols-2 lg:grid-cols-12">
        <div className="grid content-start gap-2 sm:col-span-2 lg:col-span-6">
          <p className="headline text-2xl">{site.name}</p>
          {site.description && <p className="max-w-md font-reading text-lg text-muted">{site.description}</p>}
        </div>
        <LinkColumn title="Listen">
          <Link to="/podcast" className={linkClass}>
            Podcast
          </Link>
          {platformLinks(site).map((link) => (
            <Outside key={link.label} {...link} />
          ))}
          <a href="/rss/podcast.xml" className={linkClass}>
            RSS feed
          </a>
        </LinkColumn>
        {social.length > 0 && (
          <LinkColumn title="Follow">
            {social.map((link) => (
              <Outside key={link.label} {...link} />
            ))}
          </LinkColumn>
        )}
      </div>
      <div className="page">
        <div className="flex flex-wrap items-center justify-between gap-x-8 gap-y-4 border-t border-rule py-6 text-sm text-muted">
          <p>
            © {year} {site.name}
          </p>
          <div className="flex flex-wrap items-center gap-x-6 gap-y-4">
            <a href="/admin" className="underline-offset-4 hover:text-ink hover:underline">
              Admin Login
            </a>
            <ThemeSwitch />
          </div>
        </div>
      </div>
    </footer>
  );
}

const linkClass = "w-fit py-1 underline-offset-4 hover:underline";

const Outside = ({ label, href }: { label: string; href: string }) => (
  <a href={href} rel="noopener me" className={linkClass}>
    {label}
  </a>
);

const LinkColumn = ({ title, children }: { title: string; children: ReactNode }) => (
  <nav aria-label={title} className="grid content-start lg:col-span-3">
    <h2 className="kicker mb-1">{title}</h2>
    {children}
  </nav>
);
