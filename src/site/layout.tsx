import { useEffect, useState } from "react";
import { Outlet, useLocation, useNavigation } from "react-router";
import { Player } from "#site/player/player.tsx";
import { PageAnnouncer } from "#site/ui/announcer.tsx";
import { Breadcrumb } from "#site/ui/breadcrumb.tsx";
import { yearOf } from "#site/ui/format.ts";
import { NavigationProgress } from "#site/ui/progress.tsx";
import { siteContext } from "#site/context.ts";
import type { Route } from "./+types/layout.ts";
import { crumbsOf } from "./crumbs.ts";
import { EpisodeLoading } from "./episode/loading.tsx";
import { Footer } from "./footer.tsx";
import { readFrame } from "./frame.server.ts";
import { Header } from "./header.tsx";
import { PodcastLoading } from "./podcast/loading.tsx";

/** A public page is the same for everybody and may be kept if it is asked about each time; a refusal is not kept. */
const stateCaching: Route.MiddlewareFunction = async (_, next) => {
  const response = await next();
  response.headers.set("Cache-Control", response.status < 400 ? "public, no-cache" : "no-store");
  return response;
};
export const middleware: Route.MiddlewareFunction[] = [stateCaching];

export async function loader({ context }: Route.LoaderArgs) {
  const ctx = context.get(siteContext);
  const { site } = await readFrame(ctx);
  return { site, year: yearOf(ctx.now) };
}

/** Loaded once a visit. So a page that cannot be fetched fails in its own place, and the player plays on. */
export const shouldRevalidate = () => false;

export default function SiteLayout({ loaderData: { site, year } }: Route.ComponentProps) {
  const { pathname } = useLocation();
  const crumbs = crumbsOf(pathname);
  return (
    <div className="flex min-h-dvh flex-col pt-(--header-height)">
      <a
        href="#content"
        className="sr-only z-50 bg-ink px-4 py-3 font-medium text-paper focus:not-sr-only focus:fixed focus:top-2 focus:left-2"
      >
        Skip to content
      </a>
      <PageAnnouncer />
      <NavigationProgress />
      <Header name={site.name} />
      {crumbs.length > 0 && <Breadcrumb crumbs={crumbs} className="page pt-6" />}
      <Content />
      <Footer site={site} year={year} />
      <Player />
    </div>
  );
}

/** Milliseconds of waiting before placeholders take the place of the page one came from. */
const PATIENCE = 150;

const loadingStates = [
  { path: /^\/podcast\/?$/, Placeholders: PodcastLoading },
  { path: /^\/episode\/\d+\/?$/, Placeholders: EpisodeLoading },
];

function Content() {
  const { state, location } = useNavigation();
  const isPending = state === "loading";
  const impatient = useTrueFor(isPending, PATIENCE);
  const expected = impatient && loadingStates.find(({ path }) => path.test(location?.pathname ?? ""));
  return (
    <main id="content" tabIndex={-1} aria-busy={isPending} className="grow outline-none">
      {expected ? <expected.Placeholders /> : <Outlet />}
    </main>
  );
}

/** Whether `value` has been true for so many milliseconds on end. */
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
