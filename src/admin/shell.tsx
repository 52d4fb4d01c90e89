import { useEffect, useRef, type ReactNode } from "react";
import { Form, useLocation, useSearchParams } from "react-router";
import { NavLink } from "#site/document/link.tsx";
import { cx } from "#site/ui/cx.ts";
import { GONE } from "#site/ui/lazy-import.ts";
import { offerNewVersion } from "#site/ui/new-version.ts";
import { NavigationProgress } from "#site/ui/progress.tsx";
import { LOGOUT } from "./auth/paths.ts";
import { useTypedEarly } from "./form/typed-early.ts";
import { goToPart } from "./go-to.ts";
import { Toaster } from "./toast.tsx";
import { PageAnnouncer } from "#site/ui/announcer.tsx";
import type { ShellData } from "./guard.ts";
import { PaletteOpener } from "./palette/opener.tsx";
import { quietLink, SiteLinks } from "./site-links.tsx";
import { tabs, type TabPath } from "./tabs.ts";

/** Empty when the layout's own loader failed; without a name when nobody is signed in. */
type Props = Partial<ShellData> & { children: ReactNode };

/** What every tab has around it: navigation, account, toasts. */
export function Shell({ fullName, openTabs = [], children }: Props) {
  useTypedEarly();
  useNewVersionNotice();
  return (
    <>
      <meta name="robots" content="noindex" />
      <a
        href="#content"
        onClick={(event) => {
          event.preventDefault();
          goToPart(document.getElementById("content"));
        }}
        className="sr-only z-50 bg-raised px-4 py-2 focus:not-sr-only focus:fixed focus:top-2 focus:left-2"
      >
        Skip to content
      </a>
      <PageAnnouncer page={usePage()} />
      <NavigationProgress />
      <header className="border-b border-rule">
        <div className="page flex flex-wrap items-center gap-x-5 py-2 text-sm">
          <SiteLinks />
          {fullName && (
            <p className="order-last w-full min-w-0 sm:order-none sm:ml-auto sm:w-auto">
              <NavLink to="/admin/account" className={accountLink}>
                <span>{`Welcome, ${fullName}`}</span>
                <span className="sr-only">: your account</span>
              </NavLink>
            </p>
          )}
          {openTabs.length > 0 && <PaletteOpener openTabs={openTabs} />}
          {fullName !== "" && (
            <Form
              method="post"
              action="/admin"
              state={LOGOUT}
              className={cx("ml-auto", fullName && "sm:ml-0")}
            >
              <button type="submit" className={quietLink}>
                Logout
              </button>
            </Form>
          )}
        </div>
        {openTabs.length > 0 && <Tabs open={openTabs} />}
      </header>
      <main id="content" tabIndex={-1} className="page py-6 outline-none sm:py-8">
        {children}
      </main>
      <Toaster />
    </>
  );
}

/** Says that the site was updated where code is gone that a page asks for. A form may be open: the owner reloads. */
function useNewVersionNotice() {
  useEffect(() => {
    const offer = () => offerNewVersion({ mayReload: false });
    addEventListener(GONE, offer);
    return () => removeEventListener(GONE, offer);
  }, []);
}

/** The page's address, without a dialog that is open over it and without the router's mark of an action. */
function usePage() {
  const { pathname } = useLocation();
  const [params] = useSearchParams();
  const query = new URLSearchParams(params);
  for (const name of ["add", "edit", "index"]) query.delete(name);
  return `${pathname}?${query}`;
}

const accountLink = ({ isActive }: { isActive: boolean }) =>
  cx(
    "inline-flex min-h-8 items-center underline decoration-edge underline-offset-4 wrap-anywhere hover:decoration-current",
    isActive ? "font-semibold" : "text-muted hover:text-ink",
  );

/** One row, which scrolls sideways on narrow screens to show the open tab. */
function Tabs({ open }: { open: TabPath[] }) {
  const row = useRef<HTMLUListElement>(null);
  const [, , tab = ""] = useLocation().pathname.toLowerCase().split("/");
  useEffect(() => {
    const current = row.current?.querySelector<HTMLElement>(`[href="/admin/${CSS.escape(tab)}"]`);
    // scrollIntoView would also scroll the page.
    if (row.current && current)
      row.current.scrollLeft = current.offsetLeft - (row.current.clientWidth - current.offsetWidth) / 2;
  }, [tab]);
  return (
    <nav aria-label="Admin" className="page">
      <ul
        ref={row}
        className="fading relative flex scroll-px-12 gap-6 overflow-x-auto overscroll-x-contain [scrollbar-width:thin]"
      >
        {tabs
          .filter(({ path }) => open.includes(path))
          .map(({ path, label }) => (
            <li key={path}>
              <NavLink to={`/admin/${path}`} className={tabClass}>
                {label}
              </NavLink>
            </li>
          ))}
      </ul>
    </nav>
  );
}

const tabClass = ({ isActive }: { isActive: boolean }) =>
  cx(
    "block border-b-2 py-2.5 text-sm whitespace-nowrap -outline-offset-2",
    isActive
      ? "border-accent font-semibold [scroll-initial-target:nearest]"
      : "border-transparent text-muted hover:text-ink",
  );
