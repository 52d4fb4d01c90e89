import { ArrowUpRight } from "#site/ui/icons.tsx";
import type { Site } from "#worker/settings/contract.ts";
import { platformLinks } from "#site/shell/navigation.ts";

/** Text above the platform's name; the default is for listening. */
const verbs: Record<string, string> = { YouTube: "Watch on" };

/** A tile for each platform that has a link, and one for the feed. */
export function Platforms({ site }: { site: Pick<Site, "platforms"> }) {
  return (
    <nav aria-label="Listen on" className="border-t border-ink">
      <ul className="fading flex justify-between gap-x-8 overflow-x-auto">
        {platformLinks(site).map(({ label, href }) => (
          <Tile key={label} verb={verbs[label] ?? "Listen on"} label={label} href={href} />
        ))}
        <Tile verb="Follow by" label="RSS" href="/rss/podcast.xml" />
      </ul>
    </nav>
  );
}

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
