import { eq } from "drizzle-orm";
import ICAL from "ical.js";
import { beforeEach, describe, expect, it } from "vitest";
import { deleteEnquiry, updateEnquiry } from "#worker/enquiries/owner/commands.ts";
import { sendEnquiryMail } from "#worker/enquiries/owner/mail-commands.ts";
import { readEnquiry } from "#worker/enquiries/owner/queries.ts";
import { cancelRecording } from "#worker/enquiries/owner/recording.ts";
import { pruneEnquiries } from "#worker/enquiries/retention.ts";
import { enquiries } from "#worker/enquiries/table.ts";
import type { Mail } from "#worker/mail/message.ts";
import { deletePerson } from "#worker/people/commands.ts";
import { deliverOutbox, PermanentError, sweepOutbox } from "#worker/platform/work/outbox.ts";
import { outbox } from "#worker/platform/table.ts";
import { updateSite } from "#worker/settings/commands.ts";
import { siteDefaults } from "#worker/settings/contract.ts";
import { errorOf, overtakenBy } from "./support/accounts.ts";
import { contextAs, jobContext, ownerContext } from "./support/client.ts";
import { savedEnquiry } from "./support/enquiries.ts";
import { byToken, tokenWith } from "./support/tokens.ts";

const DAY = 86_400_000;
const HOUR = 3_600_000;
const { db } = jobContext();

/** When the recording begins; a context is this long before it. */
const START = Date.UTC(2027, 0, 2, 23, 30);
const before = (milliseconds: number) => ownerContext({ now: new Date(START - milliseconds) });

type Written = Mail & { isForgotten?: boolean };

async function filesTo(email: string) {
  const rows = await db
    .select({ id: outbox.id, payload: outbox.payload })
    .from(outbox)
    .orderBy(outbox.createdAt);
  return rows
    .map(({ id, payload }) => ({ ...(payload as Written), id }))
    .filter((mail) => mail.to === email)
    .map(({ id, subject, text, invitation, isForgotten }) => {
      const calendar = new ICAL.Component(ICAL.parse(invitation!) as unknown[]);
      const event = new ICAL.Event(calendar.getFirstSubcomponent("vevent")!);
      return {
        id,
        subject,
        text,
        isForgotten,
        method: calendar.getFirstPropertyValue("method"),
        uid: event.uid,
        sequence: event.sequence,
        start: event.startDate.toJSDate().getTime(),
        organizer: event.organizer,
        attendee: String(event.attendees[0]!.getFirstValue()).toLowerCase(),
      };
    });
}

const invite = (id: number, at = START, ctx = before(9 * DAY)) =>
  sendEnquiryMail(ctx, "application", id, {
    subject: "Record with us",
    message: "Let us talk.",
    recording: { at, minutes: 60, place: "Studio 1" },
  });

const methodsTo = async (email: string) => (await filesTo(email)).map(({ method }) => method);

let id: number;
let email: string;

beforeEach(async () => {
  ({ id, email } = await savedEnquiry("application"));
  await invite(id);
});

describe("a recording that an applicant is invited to", () => {
  it("is cancelled by the owner: the same event, a higher sequence number, the same people", async () => {
    const { mails, recording } = await cancelRecording(before(2 * DAY), id);
    const [invited, cancelled] = await filesTo(email);
    expect(cancelled).toMatchObject({
      subject: `Cancelled: recording for ${siteDefaults.name}: Rents in small towns`,
      method: "CANCEL",
      uid: invited!.uid,
      sequence: 1,
      start: START,
      organizer: invited!.organizer,
      attendee: `mailto:${email}`,
    });
    // 23:30 UTC in Sydney, with the zone's name.
    expect(cancelled!.text).toMatch(/Sunday,? 3 January 2027.*10:30.am.*(?:AEDT|GMT\+11)/);
    expect(recording).toBeNull();
    expect(mails.map((mail) => [mail.recordingAt, mail.isCancellation, mail.sentBy])).toEqual([
      [START, true, "The Owner"],
      [START, false, "The Owner"],
    ]);
  });

  it.each([
    [
      "rejected",
      (ctx: ReturnType<typeof before>) => updateEnquiry(ctx, "application", id, { status: "rejected" }),
    ],
    [
      "put among the spam",
      (ctx: ReturnType<typeof before>) => updateEnquiry(ctx, "application", id, { isSpam: true }),
    ],
    ["deleted", (ctx: ReturnType<typeof before>) => deleteEnquiry(ctx, "application", id)],
    ["a person whose data is deleted", (ctx: ReturnType<typeof before>) => deletePerson(ctx, { email })],
  ])("is cancelled once when the applicant is %s", async (_what, turnDown) => {
    const [invited] = await filesTo(email);
    await Promise.allSettled([turnDown(before(DAY)), turnDown(before(DAY))]);
    await turnDown(before(DAY)).catch(() => undefined);
    const cancelled = (await filesTo(email)).filter(({ method }) => method === "CANCEL");
    expect(cancelled).toMatchObject([
      {
        uid: invited!.uid,
        sequence: 1,
        start: START,
        organizer: invited!.organizer,
        attendee: `mailto:${email}`,
      },
    ]);
  });

  it("is cancelled at its latest time after it was moved, with the next sequence number", async () => {
    await invite(id, START + DAY);
    await cancelRecording(before(DAY), id);
    expect(await filesTo(email)).toMatchObject([
      { method: "REQUEST", sequence: 0, start: START },
      { method: "REQUEST", sequence: 1, start: START + DAY },
      { method: "CANCEL", sequence: 2, start: START + DAY },
    ]);
  });

  it("is cancelled once by two concurrent requests", async () => {
    await Promise.all([cancelRecording(before(DAY), id), cancelRecording(before(DAY), id)]);
    await cancelRecording(before(HOUR), id);
    await deleteEnquiry(before(HOUR), "application", id);
    expect(await methodsTo(email)).toEqual(["REQUEST", "CANCEL"]);
  });

  it("may be scheduled again with the same text, with a higher sequence number", async () => {
    await cancelRecording(before(9 * DAY), id);
    const { recording } = await invite(id);
    expect(recording).toEqual({ at: START });
    expect((await filesTo(email)).map(({ method, sequence }) => [method, sequence])).toEqual([
      ["REQUEST", 0],
      ["CANCEL", 1],
      ["REQUEST", 2],
    ]);
  });

  it("needs no cancellation once it has begun", async () => {
    const later = ownerContext({ now: new Date(START) });
    await expect(cancelRecording(later, id)).rejects.toMatchObject({ code: "conflict" });
    expect((await readEnquiry(later, "application", id)).recording).toBeNull();
    await deleteEnquiry(later, "application", id);
    expect(await methodsTo(email)).toEqual(["REQUEST"]);
  });

  it("is not cancelled by an approval, or by a decision that came too late", async () => {
    await updateEnquiry(before(DAY), "application", id, { status: "approved" });
    await expect(updateEnquiry(before(DAY), "application", id, { status: "rejected" })).rejects.toMatchObject(
      { code: "conflict" },
    );
    await updateEnquiry(before(DAY), "application", id, { notes: "A quiet voice." });
    expect(await methodsTo(email)).toEqual(["REQUEST"]);
  });

  it("is not cancelled by a rejection that an approval overtakes between its read and its write", async () => {
    const approve = () => updateEnquiry(before(DAY), "application", id, { status: "approved" });
    const rejected = updateEnquiry(overtakenBy(before(DAY), approve), "application", id, {
      status: "rejected",
    });
    await expect(rejected).rejects.toMatchObject({ code: "conflict" });
    expect(await methodsTo(email)).toEqual(["REQUEST"]);
  });

  it("is cancelled by no token, which may sort and reject the other applicants", async () => {
    const token = await tokenWith(["enquiries"]);
    const patch = (one: number, body: object) =>
      byToken(token, "PATCH", `/admin/guest-applications/${one}`, body);
    for (const change of [{ isSpam: true }, { status: "rejected" }]) {
      const refused = await patch(id, change);
      expect(refused.status).toBe(403);
      expect(await errorOf(refused)).toEqual({
        code: "forbidden",
        message:
          "This would email the guest that their recording is cancelled, which a token can’t do. Sign in to the admin area.",
      });
    }
    expect(await readEnquiry(ownerContext(), "application", id)).toMatchObject({ box: "pending" });
    expect(await methodsTo(email)).toEqual(["REQUEST"]);
    expect((await patch(id, { notes: "A quiet voice." })).status).toBe(200);
    for (const change of [{ isSpam: true }, { status: "rejected" }])
      expect((await patch((await savedEnquiry("application")).id, change)).status).toBe(200);
    await updateEnquiry(before(DAY), "application", id, { status: "rejected" });
    expect(await methodsTo(email)).toEqual(["REQUEST", "CANCEL"]);
  });

  it("keeps its organiser if the site's sender has changed since", async () => {
    await updateSite(before(5 * DAY), {
      ...siteDefaults,
      email: { ...siteDefaults.email, fromName: "Another", replyTo: "new@example.org" },
    });
    await cancelRecording(before(DAY), id);
    await updateSite(before(5 * DAY), siteDefaults);
    const [invited, cancelled] = await filesTo(email);
    expect(cancelled!.organizer).toBe(invited!.organizer);
  });

  it("protects its application from the deletion of old ones", async () => {
    await db
      .update(enquiries)
      .set({ createdAt: new Date(0) })
      .where(eq(enquiries.id, id));
    const at = (now: number) => jobContext({ now: new Date(now) });
    await updateSite(before(9 * DAY), {
      ...siteDefaults,
      retention: { ...siteDefaults.retention, enquiries: 12 },
    });
    await pruneEnquiries(at(START - 1));
    expect(await db.$count(enquiries, eq(enquiries.id, id))).toBe(1);
    await pruneEnquiries(at(START));
    expect(await db.$count(enquiries, eq(enquiries.id, id))).toBe(0);
    await updateSite(before(9 * DAY), siteDefaults);
  });

  it("cannot be cancelled by an editor", async () => {
    await expect(cancelRecording(contextAs("editor"), id)).rejects.toMatchObject({ code: "forbidden" });
  });
});

it("cancelling a recording without an invitation is a conflict", async () => {
  const other = await savedEnquiry("application");
  await expect(cancelRecording(before(DAY), other.id)).rejects.toMatchObject({ code: "conflict" });
  await deleteEnquiry(before(DAY), "application", other.id);
  expect(await filesTo(other.email)).toEqual([]);
});

describe("the last email to a person whose data is deleted", () => {
  const leave = async (deliver: () => Promise<void>) => {
    await deletePerson(before(DAY), { email });
    const [mail, ...others] = await filesTo(email);
    expect(others).toEqual([]);
    await deliverOutbox(jobContext({ now: new Date(START) }), mail!.id, { mail: deliver });
    return filesTo(email);
  };

  it("is deleted once it was delivered", async () => {
    expect(await leave(() => Promise.resolve())).toEqual([]);
  });

  it("is deleted once it failed for good, and is retried before", async () => {
    expect(await leave(() => Promise.reject(new Error("Busy")))).toHaveLength(1);
    ({ id, email } = await savedEnquiry("application"));
    await invite(id);
    expect(await leave(() => Promise.reject(new PermanentError("No such user")))).toEqual([]);
  });

  it("is deleted once it was interrupted at every attempt", async () => {
    await deletePerson(before(DAY), { email });
    const [mail] = await filesTo(email);
    const interrupted = { attempts: 8, claimedUntil: new Date(START - 1) };
    await db.update(outbox).set(interrupted).where(eq(outbox.id, mail!.id));
    await sweepOutbox(jobContext({ now: new Date(START) }), {});
    expect(await filesTo(email)).toEqual([]);
  });
});
