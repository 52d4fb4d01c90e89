import { dayAt, QUARTER_MS, QUARTERS_OF_DAY } from "#worker/analytics/days.ts";
import type { AnalyticsMessage, DownloadsMessage, EventsMessage } from "#worker/analytics/messages.ts";

/** A message with the day that it is counted on. */
export type DatedMessage = (EventsMessage | DownloadsMessage) & { ownerDay: number };

/** The old format: messages queued before an update have the UTC day instead of the quarter. */
type Former = { quarter?: number; day?: number; parts?: { day?: number }[]; rejections?: { day?: number }[] };

function quarterOfMessage(message: EventsMessage | DownloadsMessage): number | null {
  const { quarter, day, parts, rejections } = message as Former;
  if (quarter !== undefined) return quarter;
  const given = day ?? parts?.[0]?.day ?? rejections?.[0]?.day;
  return given === undefined ? null : (given + 0.5) * QUARTERS_OF_DAY;
}

/** The messages to store, dated in a time zone. */
export function datedBy(timeZone: string, messages: AnalyticsMessage[]): DatedMessage[] {
  const days = new Map<number, number>();
  const dayOfQuarter = (quarter: number) => {
    const known = days.get(quarter);
    if (known !== undefined) return known;
    const day = dayAt(quarter * QUARTER_MS, timeZone);
    days.set(quarter, day);
    return day;
  };
  return messages
    .filter((message) => message.kind !== "zone")
    .map((message) => {
      const quarter = quarterOfMessage(message);
      if (quarter === null) throw new Error("A message does not say when it was.");
      return { ...message, quarter, ownerDay: dayOfQuarter(quarter) };
    });
}
