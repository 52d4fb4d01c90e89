import { useEffect, useLayoutEffect, useState, type ReactNode } from "react";
import { useLocation, useSearchParams } from "react-router";
import { PageAnnouncer } from "#site/ui/announcer.tsx";
import { GONE } from "#site/ui/lazy-import.ts";
import { offerNewVersion } from "#site/ui/new-version.ts";
import { NavigationProgress } from "#site/ui/progress.tsx";
import { typeInto } from "../form/controls.ts";
import { ConfirmIdentity } from "./confirm-identity.tsx";
import { FactorNotice } from "./factor-notice.tsx";
import { goToPart } from "./go-to.ts";
import { Toaster } from "./toast.tsx";
import type { ShellData } from "./guard.ts";
import { Header } from "./header.tsx";

/** Empty when the layout's own loader failed; without a name if no user is signed in. */
type Props = Partial<ShellData> & { siteName?: string; children: ReactNode };

/** What every tab has around it: navigation, account, toasts. */
export function Shell({ fullName, email, siteName, openTabs = [], missingFactor, children }: Props) {
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
      <Header fullName={fullName} siteName={siteName} openTabs={openTabs} />
      <main id="content" tabIndex={-1} className="page py-6 outline-none sm:py-8">
        {missingFactor && <FactorNotice {...missingFactor} />}
        {children}
      </main>
      {email && <ConfirmIdentity email={email} />}
      <Toaster />
    </>
  );
}

/**
 * Reports that the site was updated if a page's code is missing. A form may be open, so the owner decides when to
 * reload.
 */
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

/** Restores text typed into text areas before hydration, which React replaces with the server's text. */
function useTypedEarly() {
  const [typed] = useState(() => (typeof document === "undefined" ? [] : changedTextAreas()));
  useLayoutEffect(() => {
    for (const { area, value } of typed) if (area.isConnected) typeInto(area, value);
  }, [typed]);
}

const changedTextAreas = () =>
  [...document.querySelectorAll("textarea")]
    .filter(({ value, defaultValue }) => value !== defaultValue)
    .map((area) => ({ area, value: area.value }));
