import { ChevronDown, UserRound } from "lucide-react";
import { useEffect, useRef, type FocusEvent, type ReactNode } from "react";
import { Form, useLocation } from "react-router";
import { Link, NavLink } from "#site/document/link.tsx";
import { cx } from "#site/ui/cx.ts";
import { LOGOUT } from "../auth/paths.ts";
import type { ShellData } from "./guard.ts";
import { PaletteOpener } from "../palette/opener.tsx";
import { quietLink } from "./site-links.tsx";
import { tabs, type TabPath } from "./tabs.ts";

type Props = Partial<ShellData> & { siteName?: string };

/** One row on a phone, where the account and the tabs are menus; two rows on wider screens, where both are in the row. */
export const Header = ({ fullName, siteName, openTabs = [] }: Props) => (
  <header className="border-b border-rule print:hidden">
    <div className="page flex items-center py-0.5 text-sm md:flex-wrap md:gap-x-5 md:pt-2 md:pb-0">
      <Link to="/" className={cx(quietLink, "min-h-11 min-w-0 flex-1 md:min-h-8 md:flex-none")}>
        {siteName && <span className="truncate font-semibold md:hidden">{siteName}</span>}
        <span className={cx(siteName && "max-md:sr-only")}> Back to Site</span>
      </Link>
      {openTabs.length > 0 && <PaletteOpener openTabs={openTabs} />}
      {fullName !== "" && <Account fullName={fullName} />}
      {openTabs.length > 0 && <Tabs open={openTabs} />}
    </div>
  </header>
);

/** Without a name if the layout failed to load. */
const Account = ({ fullName }: { fullName: string | undefined }) => (
  <Menu
    id="account-menu"
    className="md:ml-auto"
    button={
      <>
        <UserRound aria-hidden size={18} strokeWidth={1.75} />
        <span className="sr-only">Account</span>
      </>
    }
  >
    <ul className="grid gap-1 md:flex md:items-center md:gap-5">
      {fullName && (
        <li className="max-md:order-first">
          <NavLink to="/admin/account" className={accountLink}>
            <span>{`Welcome, ${fullName}`}</span>
            <span className="sr-only">: your account</span>
          </NavLink>
        </li>
      )}
      <li className="md:-order-1">
        <Link to="/" className={menuLink}>
          Home
        </Link>
      </li>
      <li>
        <Form method="post" action="/admin" state={LOGOUT}>
          <button type="submit" className={menuLink}>
            Logout
          </button>
        </Form>
      </li>
    </ul>
  </Menu>
);

const menuLink = cx(quietLink, "max-md:min-h-11");

const accountLink = ({ isActive }: { isActive: boolean }) =>
  cx(
    menuLink,
    "wrap-anywhere md:underline md:decoration-edge md:hover:decoration-current",
    isActive ? "font-semibold" : "md:text-muted md:hover:text-ink",
  );

function Tabs({ open }: { open: TabPath[] }) {
  const [, , path = ""] = useLocation().pathname.toLowerCase().split("/");
  const shown = tabs.filter((tab) => open.includes(tab.path));
  const current = shown.find((tab) => tab.path === path);
  return (
    <nav aria-label="Admin" className="md:w-full">
      <Menu
        id="tabs-menu"
        buttonClass="-mr-2"
        button={
          <>
            <span className="sr-only">Tabs: </span>
            <span className="font-semibold">{current?.label ?? "Menu"}</span>
            <ChevronDown aria-hidden size={16} />
          </>
        }
      >
        <ul className="max-md:grid max-md:grid-cols-2 max-md:gap-x-6 md:flex md:justify-between lg:justify-start lg:gap-6">
          {shown.map((tab) => (
            <li key={tab.path}>
              <NavLink to={`/admin/${tab.path}`} className={tabClass}>
                {tab.label}
              </NavLink>
            </li>
          ))}
        </ul>
      </Menu>
    </nav>
  );
}

const tabClass = ({ isActive }: { isActive: boolean }) =>
  cx(
    "flex items-center text-sm whitespace-nowrap max-md:min-h-11 max-md:text-base md:border-b-2 md:py-2.5 md:-outline-offset-2",
    isActive ? "border-accent font-semibold" : "border-transparent md:text-muted md:hover:text-ink",
  );

type MenuProps = {
  id: string;
  button: ReactNode;
  buttonClass?: string;
  className?: string;
  children: ReactNode;
};

/**
 * On a phone a button that opens its children, as a popover: the browser opens it, and closes it on Escape and a press
 * beside it, without scripts too. On wider screens they are in the row.
 */
function Menu({ id, button, buttonClass, className, children }: MenuProps) {
  const menu = useRef<HTMLDivElement>(null);
  const { key } = useLocation();
  const shownAt = useRef(key);
  useEffect(() => {
    if (shownAt.current !== key) menu.current?.hidePopover?.();
    shownAt.current = key;
  }, [key]);
  const closeBehind = ({ relatedTarget }: FocusEvent) => {
    if (relatedTarget && !menu.current?.contains(relatedTarget)) menu.current?.hidePopover?.();
  };
  return (
    <div className={className} onBlur={closeBehind}>
      <button
        type="button"
        popoverTarget={id}
        className={cx("flex h-11 min-w-11 items-center justify-center gap-1 px-2 md:hidden", buttonClass)}
      >
        {button}
      </button>
      <div
        ref={menu}
        id={id}
        popover="auto"
        className={cx(
          "in-row-from-md max-md:absolute max-md:inset-x-0 max-md:top-12 max-md:w-full max-md:animate-appear max-md:border-b",
          "max-md:border-rule max-md:bg-raised max-md:px-6 max-md:py-3 max-md:shadow-float",
        )}
      >
        {children}
      </div>
    </div>
  );
}
