import { Outlet, useLocation, type ShouldRevalidateFunctionArgs } from "react-router";
import { siteContext } from "#site/context.ts";
import { readSubscriberStats } from "#worker/newsletter/owner-queries.ts";
import { errorPage } from "../shell/error-page.tsx";
import { requireTab } from "../shell/guard.ts";
import { load } from "../shell/load.server.ts";
import { SubTabs } from "../lists/sub-tabs.tsx";
import { Stats } from "./stats.tsx";
import type { Route } from "./+types/tab";

export const middleware = requireTab("newsletter");

export const loader = ({ context }: Route.LoaderArgs) => load(readSubscriberStats(context.get(siteContext)));

/** Recounted after possible changes, not for each page and search of a list, nor after a refused form. */
export const shouldRevalidate = ({
  currentUrl,
  nextUrl,
  formMethod = "GET",
  defaultShouldRevalidate,
}: ShouldRevalidateFunctionArgs) =>
  formMethod === "GET" ? currentUrl.href === nextUrl.href : defaultShouldRevalidate;

/** The lists with the figures above; a letter or a subscriber has its own page. */
const LISTS = ["/admin/newsletter", "/admin/newsletter/subscribers"];

/** The Newsletter tab: letters, who gets them, and members. */
export default function NewsletterTab({ loaderData: stats }: Route.ComponentProps) {
  const { pathname } = useLocation();
  return (
    <>
      <SubTabs
        label="Newsletter"
        links={[
          { to: "/admin/newsletter", label: "Letters" },
          { to: "/admin/newsletter/automatic", label: "Automatic" },
          { to: "/admin/newsletter/subscribers", label: "Subscribers" },
          { to: "/admin/newsletter/topics", label: "Topics" },
          { to: "/admin/newsletter/members", label: "Members" },
        ]}
      />
      {LISTS.includes(pathname.replace(/\/$/, "")) && <Stats stats={stats} />}
      <Outlet />
    </>
  );
}

export const ErrorBoundary = errorPage("Failed to fetch subscribers");
