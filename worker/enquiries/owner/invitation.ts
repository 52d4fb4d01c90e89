import ical, {
  ICalAttendeeRole,
  ICalAttendeeStatus,
  ICalCalendarMethod,
  ICalEventStatus,
} from "ical-generator";
import type { Recording } from "#worker/enquiries/owner/contract.ts";
import type { Mailbox } from "#worker/mail/message.ts";

type Invitation = Recording & {
  /** The same for all invitations to one recording, and for its cancellation: a later one replaces it. */
  uid: string;
  /** The number of earlier versions with this uid. */
  sequence: number;
  title: string;
  description: string;
  organizer: Mailbox;
  guest: Mailbox;
  now: Date;
  isCancellation?: boolean;
};

const MINUTE_MS = 60_000;

/**
 * An invitation, or its cancellation, as RFC 5545 and 5546 write it. Its times are UTC, which calendars show in their
 * own time zone.
 */
export function invitationOf({
  at,
  minutes,
  place,
  organizer,
  guest,
  isCancellation = false,
  ...event
}: Invitation) {
  const calendar = ical({
    prodId: { company: "Rostrum", product: "Rostrum", language: "EN" },
    method: isCancellation ? ICalCalendarMethod.CANCEL : ICalCalendarMethod.REQUEST,
  });
  calendar.createEvent({
    id: event.uid,
    sequence: event.sequence,
    stamp: event.now,
    start: new Date(at),
    end: new Date(at + minutes * MINUTE_MS),
    summary: visible(event.title),
    description: visible(event.description),
    ...(place !== "" && { location: visible(place) }),
    status: isCancellation ? ICalEventStatus.CANCELLED : ICalEventStatus.CONFIRMED,
    organizer: { name: visible(organizer.name ?? organizer.address), email: organizer.address },
    attendees: [
      {
        name: visible(guest.name ?? guest.address),
        email: guest.address,
        ...(!isCancellation && { rsvp: true }),
        role: ICalAttendeeRole.REQ,
        status: ICalAttendeeStatus.NEEDSACTION,
      },
    ],
  });
  return calendar.toString();
}

/** Without invisible characters: control characters and bidirectional overrides. */
const visible = (text: string) => text.replaceAll(INVISIBLE, " ").trim();

const INVISIBLE = /[\p{Cc}\p{Cs}\p{Zl}\p{Zp}\u202a-\u202e\u2066-\u2069]+/gu;
