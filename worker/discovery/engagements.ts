import type { Event, WithContext } from "schema-dts";
import { describePage } from "#worker/discovery/metadata.ts";
import type { Context } from "#worker/platform/context.ts";
import type { Site } from "#worker/settings/contract.ts";
import type { Engagement } from "#worker/speaking/contract.ts";

type Opening = { headline: string; standfirst: string };

/** The speaking page, with an Event for each engagement that has a date and a venue: search engines require both. */
export function describeSpeaking(
  ctx: Context,
  site: Site,
  { headline, standfirst }: Opening,
  ahead: Engagement[],
) {
  return describePage(ctx, site, {
    title: headline,
    path: "/speaking",
    description: standfirst,
    structuredData: ahead.flatMap((engagement) => event(ctx.config.siteUrl, site, engagement)),
  });
}

function event(siteUrl: string, site: Site, engagement: Engagement) {
  const { title, description, date, venue, location } = engagement;
  if (date === null || !(venue || location)) return [];
  return [
    {
      "@context": "https://schema.org",
      "@type": "Event",
      name: title,
      description: description || undefined,
      startDate: new Date(date).toISOString().slice(0, 10),
      eventStatus: "https://schema.org/EventScheduled",
      location: { "@type": "Place", name: venue || location, address: location || venue },
      performer: { "@type": "Person", name: site.name, url: `${siteUrl}/` },
      url: `${siteUrl}/speaking`,
    } satisfies WithContext<Event>,
  ];
}
