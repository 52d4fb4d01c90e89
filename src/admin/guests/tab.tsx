import { Outlet, type ShouldRevalidateFunctionArgs } from "react-router";
import { siteContext } from "#site/context.ts";
import { waitingBox } from "#worker/enquiries/owner/contract.ts";
import { readEnquiryCounts } from "#worker/enquiries/owner/queries.ts";
import { errorPage } from "../shell/error-page.tsx";
import { requireTab } from "../shell/guard.ts";
import { load } from "../shell/load.server.ts";
import { SubTabs } from "../lists/sub-tabs.tsx";
import { kinds } from "./enquiry-kinds.ts";
import type { Route } from "./+types/tab";

export const middleware = requireTab("guests");

export const loader = ({ context }: Route.LoaderArgs) => load(readEnquiryCounts(context.get(siteContext)));

/**
 * Recounted on each page by one small statement, since visitors keep writing. Not after a refused form, which stays at
 * the page's own address with `?index`.
 */
export const shouldRevalidate = ({
  currentUrl,
  nextUrl,
  formMethod = "GET",
  defaultShouldRevalidate,
}: ShouldRevalidateFunctionArgs) =>
  defaultShouldRevalidate || (formMethod === "GET" && currentUrl.href !== nextUrl.href);

/** The Guests tab: the visitors' enquiries. */
export default function GuestsTab({ loaderData: counts }: Route.ComponentProps) {
  const waiting = (kind: "application" | "message" | "booking") => counts[kind][waitingBox[kind]] ?? 0;
  return (
    <>
      <SubTabs
        label="Guests"
        links={[
          {
            to: kinds.application.list,
            label: "Applications",
            waiting: waiting("application"),
          },
          { to: kinds.message.list, label: "Messages", waiting: waiting("message") },
          { to: kinds.booking.list, label: "Bookings", waiting: waiting("booking") },
          {
            to: "/admin/guests/comments",
            label: "Comments",
            waiting: counts.comments,
          },
          { to: "/admin/guests/person", label: "A person’s data" },
        ]}
      />
      <Outlet />
    </>
  );
}

export const ErrorBoundary = errorPage(kinds.application.failed);
