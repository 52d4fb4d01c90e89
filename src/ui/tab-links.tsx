import type { ComponentProps } from "react";
import { Link } from "#site/document/link.tsx";

type TabLink = { to: string; label: string; isCurrent: boolean };

type TabLinksProps = {
  /** The name of the row. */
  label: string;
  links: TabLink[];
  current: "page" | "true";
} & Pick<ComponentProps<typeof Link>, "preventScrollReset">;

/** Links between views of a page, in one line that scrolls if it is too long. The current one is underlined. */
export const TabLinks = ({ label, links, current, ...rest }: TabLinksProps) => (
  <nav aria-label={label} className="border-b border-ink">
    <ul className="fading flex gap-x-6 overflow-x-auto overscroll-x-contain [scrollbar-width:none]">
      {links.map(({ to, label: name, isCurrent }) => (
        <li key={to}>
          <Link
            {...rest}
            to={to}
            aria-current={isCurrent ? current : undefined}
            className={
              "flex h-11 min-w-6 items-center border-y-3 border-transparent text-sm font-medium whitespace-nowrap text-muted " +
              "-outline-offset-2 transition-colors [scroll-initial-target:none] hover:text-ink aria-[current]:border-b-signal " +
              "aria-[current]:text-ink aria-[current]:[scroll-initial-target:nearest]"
            }
          >
            {name}
          </Link>
        </li>
      ))}
    </ul>
  </nav>
);
