import { Menu, Search, X } from "#site/ui/icons.tsx";
import { useEffect, useRef, useState, type FocusEvent } from "react";
import { useLocation } from "react-router";
import { Link, isWithin } from "#site/document/link.tsx";
import { Stored } from "#site/document/stored.tsx";
import { buttonClass } from "#site/ui/button.tsx";
import { cx } from "#site/ui/cx.ts";
import { OPEN_POPOVER } from "#site/ui/open-popover.ts";
import { ThemeSwitch } from "#site/ui/theme-switch.tsx";
import { useLazyModule } from "#site/ui/use-lazy-module.ts";
import type { Chrome } from "./chrome.ts";
import { navigationOf } from "./navigation.ts";

type Navigation = ReturnType<typeof navigationOf>;

type ContentProps = {
  name: string;
  navigation: Navigation;
  /** The path of the link to the current page or its section, if the header has one. */
  here: string | undefined;
  /** Identifies the visit to a page. */
  visit: string;
};

export function Header({ site }: { site: Chrome }) {
  const { key, pathname } = useLocation();
  const navigation = navigationOf(site);
  const here = [...navigation.map(({ to }) => to), SEARCH].find((to) => isWithin(pathname, to));
  return (
    <Stored
      as="header"
      className="fixed inset-x-0 top-0 z-40 h-(--header-height) border-b border-rule bg-paper"
      name="header"
      Content={Content}
      given={{ name: site.name, navigation, here, visit: key }}
    />
  );
}

const Content = ({ name, navigation, here, visit }: ContentProps) => (
  <div className="page flex h-full items-center justify-between gap-4">
    <Link to="/" translate="no" className="headline truncate py-1 text-xl leading-none">
      {name}
    </Link>
    <nav aria-label="Main" className="hidden h-full lg:block">
      <ul className="flex h-full items-center gap-4 xl:gap-6">
        {navigation.map((item) => (
          <li key={item.to} className="flex h-full items-center">
            <Item {...item} isHere={item.to === here} classes={inRow} />
          </li>
        ))}
        <li>
          <SearchLink isHere={here === SEARCH} />
        </li>
      </ul>
    </nav>
    <div className="flex items-center lg:hidden">
      <SearchLink isHere={here === SEARCH} />
      <SmallMenu key={visit} navigation={navigation} here={here} />
    </div>
  </div>
);

const SEARCH = "/search";

const SearchLink = ({ isHere }: { isHere: boolean }) => (
  <Link
    aria-current={isHere ? "page" : undefined}
    to={SEARCH}
    aria-label="Search"
    className="grid size-11 place-items-center text-muted transition-colors hover:text-ink aria-[current=page]:text-signal lg:-mr-3"
  >
    <Search aria-hidden size={18} strokeWidth={1.75} />
  </Link>
);

/** Underlines the current page in the call to action, which stays filled, and in a phone's menu. */
const hereClass = "decoration-2 underline-offset-4 aria-[current=page]:underline";

type ItemProps = Navigation[number] & {
  isHere: boolean;
  /** Classes of the call to action, and of the others. */
  classes: [string, string];
};

const Item = ({ label, highlighted, isHere, classes: [highlight, plain], ...props }: ItemProps) => (
  <Link aria-current={isHere ? "page" : undefined} {...props} className={highlighted ? highlight : plain}>
    {label}
  </Link>
);

const inRow: ItemProps["classes"] = [
  cx(buttonClass({ tone: "signal" }), hereClass),
  "flex h-full items-center border-y-2 border-transparent text-sm font-medium whitespace-nowrap text-muted " +
    "transition-colors hover:text-ink aria-[current=page]:border-b-signal aria-[current=page]:text-ink",
];
const inMenu: ItemProps["classes"] = [
  cx(buttonClass({ tone: "signal", size: "lg" }), hereClass, "mt-6 w-full text-lg!"),
  cx("headline block py-2.5 text-2xl", hereClass),
];

const MENU = "site-menu";

/** Back closes the menu. Without this module it works as without scripts. */
const loadLayers = () => import("#site/ui/close-on-back.ts");

/**
 * A popover: the browser opens it, and closes it on Escape, without scripts too. Its key recreates it, closed, on every
 * page. It covers the page, so it closes when the focus leaves it.
 */
function SmallMenu({ navigation, here }: Pick<ContentProps, "navigation" | "here">) {
  const menu = useRef<HTMLElement>(null);
  const [isOpen, setOpen] = useState(false);
  const layers = useLazyModule(isOpen, loadLayers);
  const follow = () => setOpen(menu.current!.matches(OPEN_POPOVER));
  // It may have been opened before the scripts loaded.
  useEffect(follow, []);
  const close = () => menu.current!.hidePopover?.();
  const closeBehind = ({ relatedTarget }: FocusEvent) => {
    if (relatedTarget && !menu.current!.contains(relatedTarget)) close();
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
        onToggle={follow}
        aria-label="Menu"
        className="fixed inset-0 h-dvh w-full animate-appear overflow-y-auto bg-paper pb-8 text-ink lg:hidden"
      >
        <div className="page flex h-(--header-height) items-center justify-end">
          <button
            type="button"
            popoverTarget={MENU}
            className="-mr-2 flex h-11 items-center gap-2 px-2 text-sm font-medium"
          >
            <X aria-hidden size={20} strokeWidth={1.75} />
            Close
          </button>
        </div>
        <div className="page mt-2 grid gap-6">
          <ul className="grid">
            {navigation.map((item) => (
              <li key={item.to} className="not-last:border-b not-last:border-rule">
                <Item {...item} {...layers?.linkInLayer} isHere={item.to === here} classes={inMenu} />
              </li>
            ))}
          </ul>
          <ThemeSwitch group="theme-in-menu" />
        </div>
      </nav>
      {layers && isOpen && <layers.CloseOnBack close={close} />}
    </div>
  );
}
