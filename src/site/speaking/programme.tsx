import { counted, formatShortDay, isoDate } from "#site/ui/format.ts";
import { DateTime } from "#site/ui/date-time.tsx";
import type { Engagement } from "#worker/speaking/contract.ts";

export const programmeRow =
  "grid grid-cols-1 gap-x-10 gap-y-2 border-t border-rule py-6 sm:grid-cols-[11rem_1fr]";

/** Date, event, place. */
export const Programme = ({ engagements }: { engagements: Engagement[] }) => (
  <ol>
    {engagements.map((engagement) => (
      <li key={engagement.id} className="first:*:border-t-0">
        <Entry engagement={engagement} />
      </li>
    ))}
  </ol>
);

const UNKNOWN = "Location TBD";

const placeLabel = (venue: string, location: string) =>
  venue || location ? `${venue || UNKNOWN}, ${location || UNKNOWN}` : UNKNOWN;

function Entry({
  engagement: { title, description, date, venue, location, audienceSize },
}: {
  engagement: Engagement;
}) {
  return (
    <article className={programmeRow}>
      <div className="flex flex-wrap items-center gap-x-4 gap-y-2 sm:grid sm:content-start sm:justify-items-start">
        {date === null ? (
          <p className="headline text-lg text-muted sm:text-xl">No date set</p>
        ) : (
          <DateTime
            at={date}
            format={formatShortDay}
            dateTime={isoDate(date).slice(0, 10)}
            className="figures headline text-lg sm:text-xl"
          />
        )}
      </div>
      <div className="grid gap-2 lg:grid-cols-[1fr_16rem] lg:gap-x-10">
        <div className="grid content-start gap-2">
          <h3 className="headline text-xl">{title}</h3>
          {description && <p className="max-w-[38rem] font-reading text-base text-muted">{description}</p>}
        </div>
        <div className="text-sm lg:pt-1.5">
          <p>{placeLabel(venue, location)}</p>
          {audienceSize !== null && <p className="text-muted">{counted(audienceSize, "attendee")}</p>}
        </div>
      </div>
    </article>
  );
}
