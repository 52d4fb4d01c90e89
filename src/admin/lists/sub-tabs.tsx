import { useEffect, useRef } from "react";
import { useLocation } from "react-router";
import { Link } from "#site/document/link.tsx";
import { cx } from "#site/ui/cx.ts";

type SubTab = {
  to: string;
  /** Of pages that are opened from it and are not below its own address. */
  also?: string;
  label: string;
  /** How much waits there for the owner. */
  waiting?: number;
};

type Props = {
  /** The name of the tab. */
  label: string;
  links: SubTab[];
};

/**
 * The links between the pages of one tab: one row, which scrolls sideways on narrow screens to show the open page. What is
 * opened from a page, such as an item of its list, keeps its mark.
 */
export function SubTabs({ label, links }: Props) {
  const row = useRef<HTMLElement>(null);
  const current = currentOf(links, useLocation().pathname);
  useEffect(() => {
    const link = row.current?.querySelector<HTMLElement>(`[href="${current}"]`);
    if (link) centre(link);
  }, [current]);
  return (
    <nav ref={row} aria-label={label} className={rowClass}>
      {links.map(({ to, label: name, waiting = 0 }) => (
        <Link
          key={to}
          to={to}
          // Browsers do not scroll to a partly visible element.
          onFocus={({ currentTarget }) => centre(currentTarget)}
          aria-current={to === current ? "page" : undefined}
          className={linkClass(to === current)}
        >
          <span>
            <span>{name}</span>
            {waiting > 0 && <Waiting count={waiting} />}
          </span>
        </Link>
      ))}
    </nav>
  );
}

/** Scrolls a link's row, and not the page, as scrollIntoView would. */
function centre(link: HTMLElement) {
  const row = link.parentElement!;
  row.scrollLeft = link.offsetLeft - (row.clientWidth - link.offsetWidth) / 2;
}

/** The link whose address the page's begins with, the longest of several. */
const currentOf = (links: SubTab[], pathname: string) =>
  links
    .flatMap(({ to, also = to }) => [to, also].map((start) => ({ to, start })))
    .filter(({ start }) => `${pathname.toLowerCase()}/`.startsWith(`${start}/`))
    .toSorted((a, b) => b.start.length - a.start.length)[0]?.to;

const rowClass =
  "fading relative -mt-2 mb-6 flex scroll-px-12 gap-x-6 overflow-x-auto overscroll-x-contain text-sm " +
  "[scrollbar-width:thin] supports-[animation-timeline:scroll()]:[scrollbar-width:none]";

const Waiting = ({ count }: { count: number }) => (
  <span className="ml-1.5 inline-block rounded-sm border border-signal px-1 text-sm leading-4 font-medium text-signal figures">
    <span>{count}</span>
    <span className="sr-only"> waiting</span>
  </span>
);

const linkClass = (isCurrent: boolean) =>
  cx(
    "inline-flex min-h-10 items-center border-b-2 whitespace-nowrap -outline-offset-2",
    isCurrent
      ? "border-ink font-semibold [scroll-initial-target:nearest]"
      : "border-transparent text-muted hover:text-ink",
  );
