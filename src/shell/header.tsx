import { Menu, Search, X } from "#site/ui/icons.tsx";
import { useRef, type FocusEvent } from "react";
import { useLocation } from "react-router";
import { Link, NavLink } from "#site/document/link.tsx";
import { buttonClass } from "#site/ui/button.tsx";
import type { Chrome } from "./chrome.ts";
import { navigationOf } from "./links.ts";

type Navigation = ReturnType<typeof navigationOf>;

export function Header({ site }: { site: Chrome }) {
  const { key } = useLocation();
  const navigation = navigationOf(site);
  return (
    <header className="fixed inset-x-0 top-0 z-40 h-(--header-height) border-b border-rule bg-paper">
      <div className="page flex h-full items-center justify-between gap-4">
        <Link to="/" className="headline truncate text-xl leading-none tracking-tight">
          {site.name}
        </Link>
        <nav aria-label="Main" className="hidden h-full lg:block">
          <ul className="flex h-full items-center gap-4 xl:gap-6">
            {navigation.map((item) => (
              <li key={item.to} className="flex h-full items-center">
                <NavItem {...item} />
              </li>
            ))}
            <li>
              <SearchLink />
            </li>
          </ul>
        </nav>
        <div className="flex items-center lg:hidden">
          <SearchLink />
          <SmallMenu key={key} navigation={navigation} />
        </div>
      </div>
    </header>
  );
}

const SearchLink = () => (
  <NavLink
    to="/search"
    aria-label="Search"
    className="grid size-11 place-items-center text-muted transition-colors hover:text-ink aria-[current=page]:text-signal lg:-mr-3"
  >
    <Search aria-hidden size={18} strokeWidth={1.75} />
  </NavLink>
);

function NavItem({ to, label, highlighted }: Navigation[number]) {
  if (highlighted) {
    return (
      <NavLink to={to} className={buttonClass({ tone: "signal" })}>
        {label}
      </NavLink>
    );
  }
  return (
    <NavLink
      to={to}
      end={to === "/"}
      className={
        "flex h-full items-center border-y-2 border-transparent text-sm font-medium whitespace-nowrap text-muted " +
        "transition-colors hover:text-ink aria-[current=page]:border-b-signal aria-[current=page]:text-ink"
      }
    >
      {label}
    </NavLink>
  );
}

const MENU = "site-menu";

/**
 * A popover: the browser opens it, and closes it on Escape, without scripts too. Its key creates it anew, closed, on every
 * page. It covers the page, so it closes when the focus leaves it.
 */
function SmallMenu({ navigation }: { navigation: Navigation }) {
  const menu = useRef<HTMLElement>(null);
  const closeBehind = ({ relatedTarget }: FocusEvent) => {
    if (relatedTarget && !menu.current?.contains(relatedTarget)) menu.current?.hidePopover();
  };
  return (
    <div onBlur={closeBehind}>
      <button
        type="button"
        popoverTarget={MENU}
        className="-mr-2 flex h-11 items-center gap-2 px-2 text-sm font-medium"
      >
        <Menu aria-hidden size={20} strokeWidth={1.75} />
        Menu
      </button>
      <nav
        ref={menu}
        id={MENU}
        popover="auto"
        aria-label="Menu"
        className="fixed inset-0 m-0 h-dvh max-h-none w-full max-w-none animate-appear bg-paper text-ink lg:hidden"
      >
        <div className="page flex h-(--header-height) items-center justify-end">
          <button
            type="button"
            popoverTarget={MENU}
            popoverTargetAction="hide"
            className="-mr-2 flex h-11 items-center gap-2 px-2 text-sm font-medium"
          >
            <X aria-hidden size={20} strokeWidth={1.75} />
            Close
          </button>
        </div>
        <ul className="page mt-4 grid">
          {navigation.map(({ to, label, highlighted }) => (
            <li key={to} className="border-t border-rule last:border-b">
              <NavLink
                to={to}
                end={to === "/"}
                className={
                  "headline flex py-3 text-2xl aria-[current=page]:text-signal " +
                  (highlighted ? "text-signal" : "")
                }
              >
                {label}
              </NavLink>
            </li>
          ))}
        </ul>
      </nav>
    </div>
  );
}
