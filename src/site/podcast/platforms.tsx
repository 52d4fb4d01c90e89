import { ArrowUpRight } from "#site/ui/icons.tsx";
import type { AppLink } from "#site/shell/app-links.ts";

/** Text above the platform's name; the default is for listening. */
const verbs: Record<string, string> = { YouTube: "Watch on" };

/** A tile for each app that has a link, one for the feed, and first the page that finds the listener’s app. */
export const Platforms = ({ links }: { links: AppLink[] }) => (
  <nav aria-label="Listen on" className="border-t border-ink">
    <ul className="fading flex justify-between gap-x-8 overflow-x-auto">
      {links.length > 0 && <Tile verb="Find" label="Your app" href="/listen" />}
      {links.map(({ label, href }) => (
        <Tile key={label} verb={verbs[label] ?? "Listen on"} label={label} href={href} />
      ))}
      <Tile verb="Follow by" label="RSS" href="/rss/podcast.xml" />
    </ul>
  </nav>
);

const Tile = ({ verb, label, href }: { verb: string; label: string; href: string }) => (
  <li className="shrink-0">
    <a href={href} rel="noopener" className="group/tile grid h-full content-start gap-0.5 py-4">
      <span className="kicker flex items-center gap-1">
        <span>{verb}</span>
        <ArrowUpRight aria-hidden size={14} strokeWidth={1.75} />
      </span>
      <span className="headline text-lg underline-offset-[0.15em] group-hover/tile:underline">{label}</span>
    </a>
  </li>
);
