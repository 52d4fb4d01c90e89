import { Link } from "#site/document/link.tsx";
import { siteContext } from "#site/context.ts";
import { DateTime } from "#site/ui/date-time.tsx";
import { formatLongDay } from "#site/ui/format.ts";
import { engagementTypeNames, honorariumNames } from "#worker/enquiries/limits.ts";
import type { EnquiryDetails } from "#worker/enquiries/owner/contract.ts";
import { readEnquiry } from "#worker/enquiries/owner/queries.ts";
import { errorPage } from "../shell/error-page.tsx";
import { ActionButton } from "../form/form.tsx";
import { load } from "../shell/load.server.ts";
import { EnquiryPage } from "./enquiry-page.tsx";
import { Fact, mayAnswer } from "./parts.tsx";
import { saveEnquiry } from "./save.ts";
import type { Route } from "./+types/booking";

export const meta = ({ loaderData }: Route.MetaArgs) => [
  { title: `${loaderData?.title ?? "Booking request"} · Admin` },
];

export const loader = ({ context, params }: Route.LoaderArgs) =>
  load(readEnquiry(context.get(siteContext), "booking", Number(params.id)));

export const clientAction = ({ request }: Route.ClientActionArgs) => saveEnquiry("booking", request);

export default function BookingPage({ loaderData: booking }: Route.ComponentProps) {
  const { organization, eventDate, engagementType, honorarium } = booking.fields;
  return (
    <EnquiryPage
      kind="booking"
      enquiry={booking}
      facts={
        <>
          <Fact name="Organisation">{organization}</Fact>
          <Fact name="Date">
            {eventDate === "" ? "No date set" : <DateTime at={eventDate} format={formatLongDay} />}
          </Fact>
          <Fact name="Type">{engagementTypeNames[engagementType]}</Fact>
          <Fact name="Honorarium">{honorariumNames[honorarium]}</Fact>
        </>
      }
    >
      <Engagement booking={booking} />
    </EnquiryPage>
  );
}

function Engagement({ booking }: { booking: EnquiryDetails<"booking"> }) {
  const { id, engagement } = booking;
  if (!engagement && !mayAnswer(booking)) return null;
  return (
    <section aria-labelledby="engagement" className="mt-8 max-w-3xl border-t border-rule pt-6">
      <h2 id="engagement" className="mb-3 font-semibold">
        Speaking engagement
      </h2>
      {engagement ? (
        <p className="wrap-anywhere">
          <Link to={`/admin/speaking?edit=${engagement.id}`} className="link">
            {engagement.title}
          </Link>
        </p>
      ) : (
        <div className="grid justify-items-start gap-3">
          <p className="text-sm text-muted">
            Copies the event, date, organisation and contact. Visitors see it as upcoming on the speaking
            page, without contact and notes.
          </p>
          <ActionButton intent="engagement" values={{ id: String(id) }}>
            Make it an engagement
          </ActionButton>
        </div>
      )}
    </section>
  );
}

export const ErrorBoundary = errorPage();
