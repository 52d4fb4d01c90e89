import { useEffect, type ReactNode } from "react";
import {
  isRouteErrorResponse,
  Links,
  Meta,
  Outlet,
  Scripts,
  ScrollRestoration,
  useRouteError,
  type LinksFunction,
} from "react-router";
import icon from "../public/favicon.svg?inline";
import "./app.css";
import counting from "inline:counting";
import earlyPlay from "inline:early-play";
import firstLayout from "inline:first-layout";
import hydrate from "inline:hydrate";
import offline from "inline:offline";
import popover from "inline:popover";
import theme from "inline:theme";
import type { Route } from "./+types/root.ts";
import { redirectMistyped } from "./site/mistyped.server.ts";
import { FIRST_LAYOUT, HYDRATED } from "./document/deferred-hydration.ts";
import { InlineScript } from "./document/inline-script.tsx";
import { useSiteLocale } from "./use-site-locale.ts";
import { ButtonLink } from "./ui/button.tsx";
import { preloadFont } from "./ui/fonts/preload.ts";
import { LocaleContext } from "./ui/locale.ts";

export const middleware: Route.MiddlewareFunction[] = [redirectMistyped];

/** Written by the server alone: React leaves elements of the head that it does not know as they are. */
export const links: LinksFunction = () =>
  import.meta.env.SSR
    ? [
        // In the page: a file would be asked for while the page is on its way.
        { rel: "icon", href: icon, type: "image/svg+xml" },
        { rel: "icon", href: "/favicon-32.png", sizes: "32x32", type: "image/png" },
        { rel: "apple-touch-icon", href: "/apple-touch-icon.png" },
        { rel: "alternate", type: "application/rss+xml", title: "Podcast", href: "/rss/podcast.xml" },
        { rel: "alternate", type: "application/rss+xml", title: "Essays", href: "/rss/essays.xml" },
      ]
    : [];

/** They run before the first paint, and before the style sheet is there. */
const headScripts = import.meta.env.SSR
  ? theme + offline + firstLayout + earlyPlay + popover + hydrate + counting
  : "";

export function Layout({ children }: { children: ReactNode }) {
  const locale = useSiteLocale();
  preloadFont("serif");
  preloadFont("sans");
  return (
    // Scripts set classes before React arrives.
    <html lang={locale.language} suppressHydrationWarning>
      <head>
        <meta charSet="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1, viewport-fit=cover" />
        <meta name="theme-color" media="(prefers-color-scheme: light)" content="#faf7f0" />
        <meta name="theme-color" media="(prefers-color-scheme: dark)" content="#14171a" />
        <InlineScript script={headScripts} />
        <Meta />
        <Links />
      </head>
      <body>
        <LocaleContext value={locale}>{children}</LocaleContext>
        <ScrollRestoration />
        <Scripts />
      </body>
    </html>
  );
}

export default function Root() {
  useEffect(() => {
    document.documentElement.classList.remove(FIRST_LAYOUT);
    window.dispatchEvent(new Event(HYDRATED));
  }, []);
  return <Outlet />;
}

/** The default error page: whatever no nearer boundary took. */
export function ErrorBoundary() {
  const error = useRouteError();
  const missing = isRouteErrorResponse(error) && error.status === 404;
  // A link that was pressed before what holds pages without a connection (src/site/deferred-widgets-entry.tsx) was there.
  const isOffline = navigator.onLine === false;
  const title = missing ? "Page not found" : isOffline ? "You are offline" : "Something went wrong";
  return (
    <main className="page grid min-h-dvh content-center justify-items-start gap-6 py-16">
      <title>{title}</title>
      <h1 className="headline text-2xl">{title}</h1>
      <p className="max-w-xl text-lg text-muted">
        {missing ? "There’s nothing here." : "Please try again in a moment."}
      </p>
      <ButtonLink to={isOffline ? "?" : "/"} tone="primary" reloadDocument>
        {isOffline ? "Try Again" : "Return to Home"}
      </ButtonLink>
    </main>
  );
}
