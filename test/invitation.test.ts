import ICAL from "ical.js";
import { describe, expect, test } from "vitest";
import { invitationOf } from "#worker/enquiries/owner/invitation.ts";
import { hostileTexts } from "./support/hostile.ts";

const invitationTo = (overrides: Partial<Parameters<typeof invitationOf>[0]> = {}) =>
  invitationOf({
    at: Date.UTC(2027, 0, 2, 23, 30),
    minutes: 60,
    place: "Studio 1",
    uid: "application-1@example.com",
    sequence: 2,
    title: "Recording for Plain Ground: Rents",
    description: "A conversation.",
    organizer: { address: "site@example.com", name: "Imogen" },
    guest: { address: "ada+guest@example.com", name: "Ada" },
    now: new Date("2026-11-25T01:02:03Z"),
    ...overrides,
  });

/** What another program reads: each property with its parameters. */
function readByIcalJs(file: string) {
  const calendar = new ICAL.Component(ICAL.parse(file) as unknown[]);
  const [component, ...others] = calendar.getAllSubcomponents("vevent");
  expect(others).toEqual([]);
  const event = new ICAL.Event(component);
  const text = (name: string) => component!.getFirstPropertyValue(name);
  return {
    method: calendar.getFirstPropertyValue("method"),
    uid: event.uid,
    sequence: event.sequence,
    status: text("status"),
    start: event.startDate.toJSDate().toISOString(),
    end: event.endDate.toJSDate().toISOString(),
    organizer: event.organizer,
    attendees: event.attendees.map((attendee) => String(attendee.getFirstValue()).toLowerCase()),
  };
}

/** Its lines, as RFC 5545 §3.1 unfolds them. */
const linesOf = (invitation: string) => invitation.replaceAll("\r\n ", "").split("\r\n");

const bytes = (line: string) => new TextEncoder().encode(line).length;

describe("an invitation", () => {
  test("has the time in UTC, organiser, attendee and sequence number", () => {
    expect(linesOf(invitationTo())).toEqual([
      "BEGIN:VCALENDAR",
      "VERSION:2.0",
      "PRODID:-//Rostrum//Rostrum//EN",
      "METHOD:REQUEST",
      "BEGIN:VEVENT",
      "UID:application-1@example.com",
      "SEQUENCE:2",
      "DTSTAMP:20261125T010203Z",
      "DTSTART:20270102T233000Z",
      "DTEND:20270103T003000Z",
      "SUMMARY:Recording for Plain Ground: Rents",
      "LOCATION:Studio 1",
      "DESCRIPTION:A conversation.",
      'ORGANIZER;CN="Imogen":mailto:site@example.com',
      'ATTENDEE;ROLE=REQ-PARTICIPANT;PARTSTAT=NEEDS-ACTION;RSVP=TRUE;CN="Ada":MAILTO:ada+guest@example.com',
      "STATUS:CONFIRMED",
      "END:VEVENT",
      "END:VCALENDAR",
    ]);
  });

  test.each([
    ["a line break", "Ada\r\nATTENDEE:mailto:evil@example.com"],
    ["the end of the event", "Ada\nEND:VEVENT\nBEGIN:VEVENT"],
    ["quotation marks and a colon", 'Ada";X="1":mailto:evil@example.com'],
    ["marks that turn the direction", "\u202egpj.exe\u2066"],
    ["other line separators", "Ada\u2028X:1\u0085Y:1\u0000"],
    ["Arabic and emoji", `${"ليلى الأنصاري ".repeat(9)}${"🧑‍🧑‍🧒‍🧒".repeat(20)}`],
    ...hostileTexts("alert").map((text) => [text.slice(0, 40), text] as [string, string]),
  ])("has one event, and no other line, whatever is typed: %s", (_what, text) => {
    const guest = { address: "ada@example.com", name: text };
    const invitation = invitationTo({ title: text, description: text, place: text, guest });
    const lines = linesOf(invitation);
    const names = lines.map((line) => /^[A-Z-]+(?=[:;])/.exec(line)?.[0]);
    expect(names).toEqual(linesOf(invitationTo()).map((line) => /^[A-Z-]+(?=[:;])/.exec(line)?.[0]));
    // RFC 5545 §3.1: no line is longer, and none is cut within a character.
    for (const line of invitation.split("\r\n")) expect(bytes(line)).toBeLessThanOrEqual(75);
    expect(lines.join("")).not.toMatch(/[\u202a-\u202e\u2066-\u2069\ufffd\p{Cc}\u2028]/u);
  });
});

test("a cancellation is read by another program as that of the invitation", () => {
  const invited = readByIcalJs(invitationTo());
  expect(invited).toEqual({
    method: "REQUEST",
    uid: "application-1@example.com",
    sequence: 2,
    status: "CONFIRMED",
    start: "2027-01-02T23:30:00.000Z",
    end: "2027-01-03T00:30:00.000Z",
    organizer: "mailto:site@example.com",
    attendees: ["mailto:ada+guest@example.com"],
  });
  expect(readByIcalJs(invitationTo({ isCancellation: true, sequence: 3 }))).toEqual({
    ...invited,
    method: "CANCEL",
    sequence: 3,
    status: "CANCELLED",
  });
  // It requests no reply.
  expect(invitationTo({ isCancellation: true })).not.toContain("RSVP");
});
