import { useEffect, useState } from "react";
import { Outlet, useLocation, useMatches, useNavigation } from "react-router";
import { PlayerSlot } from "#site/player/slot.tsx";
import { isDataRequest } from "#site/document/data-request.ts";
import { UNPROMPTED } from "#site/document/deferred-hydration.ts";
import { chromeOf } from "#site/shell/chrome.ts";
import { Footer } from "#site/shell/footer.tsx";
import { Header } from "#site/shell/header.tsx";
import { PageAnnouncer } from "#site/ui/announcer.tsx";
import { Breadcrumb } from "#site/ui/breadcrumb.tsx";
import { yearOf } from "#site/ui/format.ts";
import { localeOf } from "#site/ui/locale.ts";
import { NavigationProgress } from "#site/ui/progress.tsx";
import { useLazyModule } from "#site/ui/use-lazy-module.ts";
import { siteContext } from "#site/context.ts";
import { crumbsOf } from "#worker/addresses.ts";
import { offerNewsletter } from "#worker/newsletter/queries.ts";
import type { Route } from "./+types/layout.ts";
import { readSiteAndShow, setPolicies, tagManagerOf } from "./loader.server.ts";
import { DeferredWidgets } from "./deferred-widgets.tsx";
import { FooterNewsletter } from "./newsletter/footer-form.tsx";
import { Toasts } from "./toasts.tsx";

/**
 * The content policy of the first page applies to the whole visit, because later pages are rendered in the browser. So
 * every public page allows the hosts that the petitions page shows in iframes, and the robot check of the forms. A
 * visit that begins on a personal page has no tag manager.
 */
const policies: Route.MiddlewareFunction = async ({ context, request }, next) => {
  const response = await next();
  await setPolicies(context.get(siteContext), new URL(request.url).pathname, response);
  return response;
};

/**
 * Public pages are identical for all visitors: cacheable, with revalidation. Errors are not cached, and personal pages
 * set their own header. Prefetched data stays fresh for 30 seconds, until the link is pressed.
 */
const stateCaching: Route.MiddlewareFunction = async ({ request }, next) => {
  const response = await next();
  if (response.headers.has("Cache-Control")) return response;
  const forSuccess = isDataRequest(request) ? "public, max-age=30" : "public, no-cache";
  response.headers.set("Cache-Control", response.status < 400 ? forSuccess : "no-store");
  return response;
};
export const middleware: Route.MiddlewareFunction[] = [stateCaching, policies];

export async function loader({ context, url }: Route.LoaderArgs) {
  const ctx = context.get(siteContext);
  const { site } = await readSiteAndShow(ctx);
  const locale = localeOf(site);
  const tagManager = tagManagerOf(site, url.pathname);
  return {
    site: chromeOf(site),
    locale,
    year: yearOf(ctx.now, locale),
    /** Milliseconds UTC of the render; forms send it back. */
    shownAt: ctx.now.getTime(),
    newsletter: offerNewsletter(site),
    /** The public key of the forms' robot check; null without one. */
    turnstileKey: ctx.config.turnstile?.siteKey ?? null,
    /** Absent without a tag manager. */
    ...(tagManager && { tagManager }),
  };
}

/** Loads once per visit, so that a failing page does not stop the player. */
export const shouldRevalidate = () => false;

export default function SiteLayout({ loaderData: { site, year, tagManager } }: Route.ComponentProps) {
  const { pathname, search } = useLocation();
  const crumbs = crumbsOf(pathname, useCrumb(), site.switches);
  return (
    <div {...(tagManager && { [UNPROMPTED]: "" })} className="flex min-h-dvh flex-col pt-(--header-height)">
      <a
        href="#content"
        className="sr-only z-50 bg-ink px-4 py-3 font-medium text-paper focus:not-sr-only focus:fixed focus:top-2 focus:left-2"
      >
        Skip to content
      </a>
      <PageAnnouncer page={pathname + search} />
      <NavigationProgress />
      <Header site={site} />
      {crumbs.length > 0 && <Breadcrumb crumbs={crumbs} className="page pt-6" />}
      <Content />
      <Footer site={site} year={year}>
        <FooterNewsletter />
      </Footer>
      <PlayerSlot />
      <Toasts />
      <DeferredWidgets />
    </div>
  );
}

/** The name of a page that its path does not have, which its loader gives as `crumb`. */
function useCrumb() {
  const data = useMatches().at(-1)?.loaderData as { crumb?: string } | undefined;
  return data?.crumb;
}

/** Milliseconds before a skeleton replaces the previous page. */
const SKELETON_AFTER = 150;

/** Fetched at the first navigation. */
const loadSkeletons = () => import("./skeletons.tsx");

function Content() {
  const { pathname } = useLocation();
  const { location } = useNavigation();
  // Filtering or paging a list keeps the page until its new data has loaded.
  const isLeaving = location !== undefined && location.pathname !== pathname;
  const isSlow = useTrueFor(isLeaving, SKELETON_AFTER);
  const loaded = useLazyModule(isLeaving, loadSkeletons);
  return (
    <main id="content" tabIndex={-1} aria-busy={location !== undefined} className="grow outline-none">
      {isSlow && isLeaving && loaded ? (
        <loaded.PageSkeleton pathname={location.pathname}>
          <Outlet />
        </loaded.PageSkeleton>
      ) : (
        <Outlet />
      )}
    </main>
  );
}

/** Whether `value` has been true for `milliseconds` without interruption. */
function useTrueFor(value: boolean, milliseconds: number) {
  const [passed, setPassed] = useState(false);
  useEffect(() => {
    if (!value) return;
    const timer = setTimeout(() => setPassed(true), milliseconds);
    return () => {
      clearTimeout(timer);
      setPassed(false);
    };
  }, [value, milliseconds]);
  return passed;
}
