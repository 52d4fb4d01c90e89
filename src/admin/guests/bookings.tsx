import { siteContext } from "#site/context.ts";
import { DateTime } from "#site/ui/date-time.tsx";
import { formatShortDay } from "#site/ui/format.ts";
import { engagementTypeNames } from "#worker/enquiries/limits.ts";
import { listEnquiries } from "#worker/enquiries/owner/queries.ts";
import { errorPage } from "../shell/error-page.tsx";
import { load } from "../shell/load.server.ts";
import { pageTitle } from "../shell/page-title.ts";
import { EnquiryRow } from "./enquiry-row.tsx";
import { ListFrame } from "./list-frame.tsx";
import { kinds } from "./enquiry-kinds.ts";
import { enquiryQueryOf } from "./query.ts";
import type { Route } from "./+types/bookings";

export const meta = pageTitle("Booking requests");

export async function loader({ context, url }: Route.LoaderArgs) {
  const { listed, ...query } = enquiryQueryOf("booking", url.searchParams);
  return { ...query, ...(await load(listEnquiries(context.get(siteContext), "booking", listed))) };
}

export default function Bookings({ loaderData: list }: Route.ComponentProps) {
  return (
    <ListFrame kind="booking" {...list}>
      {list.items.map((booking) => {
        const { organization, engagementType, eventDate } = booking.fields;
        return (
          <EnquiryRow key={booking.id} kind="booking" enquiry={booking}>
            <bdi className="wrap-anywhere">{organization}</bdi>
            <span>
              <span>{engagementTypeNames[engagementType]}</span>
              {eventDate !== "" && (
                <span>
                  {" on "}
                  <DateTime at={Date.parse(eventDate)} format={formatShortDay} dateTime={eventDate} />
                </span>
              )}
            </span>
          </EnquiryRow>
        );
      })}
    </ListFrame>
  );
}

export const ErrorBoundary = errorPage(kinds.booking.failed);
