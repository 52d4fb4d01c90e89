import { env } from "cloudflare:workers";
import { eq } from "drizzle-orm";
import { beforeEach, describe, expect, test, vi } from "vitest";
import { requireUser } from "#worker/access/capabilities.ts";
import type { EnquiryKind } from "#worker/enquiries/contract.ts";
import { deleteEnquiry, updateEnquiry } from "#worker/enquiries/owner/commands.ts";
import { bookEngagement } from "#worker/enquiries/owner/engagement-commands.ts";
import { addGuest, createGuest } from "#worker/enquiries/owner/guest-commands.ts";
import { sendEnquiryMail } from "#worker/enquiries/owner/mail-commands.ts";
import { listEnquiries, readEnquiry, readEnquiryCounts, readGuest } from "#worker/enquiries/owner/queries.ts";
import { enquiries, enquiryMails } from "#worker/enquiries/table.ts";
import { createEpisode, updateEpisode } from "#worker/episodes/commands.ts";
import { readEpisodeForEdit } from "#worker/episodes/owner-queries.ts";
import { deletePerson } from "#worker/people/commands.ts";
import { readPerson } from "#worker/people/queries.ts";
import { createContext, type Context } from "#worker/platform/context.ts";
import { outbox } from "#worker/platform/table.ts";
import { updateSite } from "#worker/settings/commands.ts";
import { siteDefaults } from "#worker/settings/contract.ts";
import { deleteEngagement } from "#worker/speaking/commands.ts";
import { listEngagements, readEngagementForEdit } from "#worker/speaking/owner-queries.ts";
import { engagements } from "#worker/speaking/table.ts";
import { mailsTo } from "./support/accounts.ts";
import { contextAs, jobContext, ownerContext, signedIn } from "./support/client.ts";
import { savedEnquiry } from "./support/enquiries.ts";
import { anEpisode } from "./support/factories.ts";
import { faultAt, faultyBindings, type Fault } from "./support/faults.ts";
import { deliverAll } from "./support/outbox.ts";

const MINUTE = 60_000;
const DAY = 24 * 60 * MINUTE;
const { db } = jobContext();
const owner = ownerContext();
const rowOf = async (id: number) => (await db.select().from(enquiries).where(eq(enquiries.id, id)))[0];
const answer = { subject: "Your application", message: "Dear Ada,\n\nyes.\nSee you." };
const conflict = (message: RegExp) => ({
  code: "conflict",
  message: expect.stringMatching(message) as string,
});

beforeEach(async () => {
  await db.delete(enquiries);
  await db.delete(outbox);
});

describe("an application", () => {
  test("is decided once: the second of two concurrent decisions is refused with the first one", async () => {
    const { id } = await savedEnquiry("application");
    const results = await Promise.allSettled([
      updateEnquiry(owner, "application", id, { status: "approved" }),
      updateEnquiry(owner, "application", id, { status: "rejected" }),
    ]);
    const [done] = results.filter((result) => result.status === "fulfilled");
    const [refused] = results.filter((result) => result.status === "rejected");
    const { status } = done!.value;
    expect(refused!.reason).toMatchObject(conflict(new RegExp(`^This application is already ${status}`)));
    expect((await rowOf(id))?.status).toBe(status);
  });

  test("cannot return to pending, and its API responses are as specified", async () => {
    const { id } = await savedEnquiry("application");
    const { api } = await signedIn("admin");
    const param = { id: String(id) };
    const change = (status: string) =>
      api["guest-applications"][":id"].$patch({ param, json: { status } as { status: "approved" } });
    expect((await change("pending")).status).toBe(422);
    expect((await change("approved")).status).toBe(200);
    expect((await change("rejected")).status).toBe(409);
    const read = await api["guest-applications"][":id"].$get({ param });
    expect(await read.json()).toMatchObject({ status: "approved", box: "approved", mails: [] });
    expect((await api["contact-messages"][":id"].$get({ param })).status).toBe(404);
    expect((await api["guest-applications"][":id"].$delete({ param })).status).toBe(204);
    expect(await rowOf(id)).toBeUndefined();
  });

  test("taken out of spam is pending, and no email is sent for it", async () => {
    const { id } = await savedEnquiry("application", { isSpam: true, spamReason: "It has 9 links." });
    await expect(updateEnquiry(owner, "application", id, { status: "approved" })).rejects.toMatchObject(
      conflict(/is marked as spam/),
    );
    await expect(sendEnquiryMail(owner, "application", id, answer)).rejects.toMatchObject(conflict(/spam/));
    const moved = await updateEnquiry(owner, "application", id, { isSpam: false });
    expect(moved).toMatchObject({ box: "pending", spamReason: "" });
    expect(await updateEnquiry(owner, "application", id, { isSpam: true })).toMatchObject({ box: "spam" });
    expect(await db.select().from(outbox)).toEqual([]);
  });

  test("with an unconfirmed address can be neither answered nor moved", async () => {
    const { id } = await savedEnquiry("application", { confirmedAt: null });
    for (const change of [{ status: "approved" }, { isSpam: true }] as const) {
      await expect(updateEnquiry(owner, "application", id, change)).rejects.toMatchObject(
        conflict(/hasn’t confirmed/),
      );
    }
    await expect(sendEnquiryMail(owner, "application", id, answer)).rejects.toMatchObject(
      conflict(/hasn’t confirmed/),
    );
  });

  test("becomes a guest of an episode once approved, with its link, and is not listed twice", async () => {
    const { id, name } = await savedEnquiry("application");
    const host = { name: "Imogen", role: "host", group: "cast", href: null };
    const episode = await createEpisode(owner, anEpisode({ people: [host] }));
    await expect(addGuest(owner, id, { episodeId: episode.id })).rejects.toMatchObject(
      conflict(/Approve the application first/),
    );
    await updateEnquiry(owner, "application", id, { status: "approved" });
    await expect(addGuest(owner, id, { episodeId: 999_999 })).rejects.toMatchObject({ code: "not_found" });
    await Promise.all([
      addGuest(owner, id, { episodeId: episode.id }),
      addGuest(owner, id, { episodeId: episode.id }),
    ]);
    const { values } = await readEpisodeForEdit(owner, episode.id);
    const guest = { name, role: "guest", group: "cast", href: "https://www.linkedin.com/in/ada" };
    expect(values.people).toEqual([host, guest]);
    expect(await readEnquiry(owner, "application", id)).toMatchObject({
      episode: { id: episode.id, title: values.title },
    });
    await updateEpisode(owner, episode.id, { title: "Renamed" });
    await addGuest(owner, id, { episodeId: episode.id });
    expect((await readEpisodeForEdit(owner, episode.id)).values.people).toHaveLength(2);
  });
});

describe.each<Fault>(["before", "after", "crash"])("if one call of D1 fails, %s its effect,", (fault) => {
  /** Runs a command once for each of its calls, which fails then; `state` is what it leaves. */
  async function withEachFault<State>(
    command: (ctx: Context) => Promise<unknown>,
    state: () => Promise<State>,
    states: State[],
  ) {
    for (let at = 0, isFaulty = true; isFaulty; at++) {
      const { env: faulty, calls } = faultyBindings(env, faultAt(at, fault));
      await command(createContext(faulty, { actor: owner.actor })).catch(() => undefined);
      expect(states).toContainEqual(await state());
      isFaulty = calls.length > at;
    }
    expect(await state()).toEqual(states.at(-1));
  }

  test("a booking has its engagement, or there is none", async () => {
    const { id } = await savedEnquiry("booking");
    const state = async () => {
      const found = await db.select().from(engagements).where(eq(engagements.bookingId, id));
      return { engagements: found.length, isLinked: (await rowOf(id))!.engagementId === found[0]?.id };
    };
    const none = { engagements: 0, isLinked: false };
    await withEachFault((ctx) => bookEngagement(ctx, id), state, [none, { engagements: 1, isLinked: true }]);
    await db.delete(engagements).where(eq(engagements.bookingId, id));
  });

  test("an application names the episode that names its guest, or neither does", async () => {
    const { id } = await savedEnquiry("application");
    await updateEnquiry(owner, "application", id, { status: "approved" });
    const episode = await createEpisode(owner, anEpisode());
    const state = async () => ({
      guests: (await readEpisodeForEdit(owner, episode.id)).values.people.length,
      episode: (await rowOf(id))!.episodeId,
    });
    await withEachFault((ctx) => addGuest(ctx, id, { episodeId: episode.id }), state, [
      { guests: 0, episode: null },
      { guests: 1, episode: episode.id },
    ]);
  });
});

describe("a guest added by the owner", () => {
  const aGuest = () => ({
    name: "Ada Quill",
    email: `ada${crypto.randomUUID()}@example.com`,
    topic: "Rents",
  });

  test("is approved immediately, names who added them, and gets no email", async () => {
    const guest = aGuest();
    const created = await createGuest(owner, guest);
    expect(created).toMatchObject({
      box: "approved",
      title: "Rents",
      fields: { topic: "Rents", linkedinProfile: "", position: "", addedBy: requireUser(owner).fullName },
      mails: [],
    });
    expect(await db.select().from(outbox)).toEqual([]);
    expect(await readGuest(owner, created.id)).toMatchObject({
      name: "Ada Quill",
      role: "guest",
      href: null,
    });
    const episode = await createEpisode(owner, anEpisode());
    await addGuest(owner, created.id, { episodeId: episode.id });
    const { items } = await listEnquiries(owner, "application");
    expect(items).toMatchObject([{ id: created.id, episode: { id: episode.id } }]);
  });

  test("is one row after two clicks", async () => {
    const guest = aGuest();
    const [one, other] = await Promise.all([createGuest(owner, guest), createGuest(owner, guest)]);
    expect(one.id).toBe(other.id);
    expect(await readEnquiryCounts(owner)).toMatchObject({ application: { approved: 1 } });
  });

  test("needs a name, an email address and a topic, and a valid profile address if any", async () => {
    const fieldOf = (input: object) =>
      createGuest(owner, { ...aGuest(), ...input }).catch((error: unknown) => error);
    expect(await fieldOf({ name: " " })).toMatchObject({ code: "invalid", field: "name" });
    expect(await fieldOf({ email: "ada" })).toMatchObject({ code: "invalid", field: "email" });
    expect(await fieldOf({ topic: "" })).toMatchObject({ code: "invalid", field: "topic" });
    expect(await fieldOf({ linkedinProfile: "javascript:alert(1)" })).toMatchObject({
      code: "invalid",
      field: "linkedinProfile",
    });
  });

  test("can only be added by admins", async () => {
    const { api } = await signedIn("editor");
    expect((await api["guest-applications"].$post({ json: aGuest() })).status).toBe(403);
  });

  test("is exported and deleted with a person's data", async () => {
    const guest = aGuest();
    const { id } = await createGuest(owner, guest);
    const person = await readPerson(owner, { email: guest.email });
    expect(person).toMatchObject({ counts: { applications: 1 } });
    await deletePerson(owner, { email: guest.email });
    expect(await rowOf(id)).toBeUndefined();
  });
});

describe("a message or booking", () => {
  test.each(["message", "booking"] as const)(
    "%s: opening a new one marks it as read and no others, and a done one can be reopened",
    async (kind) => {
      const { id } = await savedEnquiry(kind);
      const change = (json: object) => updateEnquiry(owner, kind, id, json);
      expect(await change({ isSeen: true })).toMatchObject({ status: "read", box: "read" });
      expect(await change({ status: "done" })).toMatchObject({ status: "done" });
      expect(await change({ isSeen: true })).toMatchObject({ status: "done" });
      expect(await change({ status: "read" })).toMatchObject({ status: "read" });
      expect(await change({ isSpam: true })).toMatchObject({ box: "spam" });
      await expect(change({ status: "done" })).rejects.toMatchObject(conflict(/spam/));
      expect(await change({ isSpam: false })).toMatchObject({ box: "read" });
      await expect(change({ status: "approved" })).rejects.toMatchObject({
        code: "invalid",
        field: "status",
      });
    },
  );

  test("a booking becomes one engagement after several clicks, and a new one once that is deleted", async () => {
    const { id, name, email } = await savedEnquiry("booking");
    const [first, second] = await Promise.all([bookEngagement(owner, id), bookEngagement(owner, id)]);
    expect(first.engagement).toEqual(second.engagement);
    expect((await listEngagements(owner)).items).toHaveLength(1);
    const { values, confidential } = await readEngagementForEdit(owner, first.engagement!.id);
    expect(values).toMatchObject({
      title: "Perth Book Fair",
      date: "2027-03-04",
      venue: "The Book Fair",
      status: "upcoming",
    });
    expect(confidential).toMatchObject({ contactEmail: email });
    expect(confidential?.notes).toBe(
      `Requested by ${name}, The Book Fair.\n\nKeynote. Honorarium: paid.\n\nA hall of 300.`,
    );
    expect((await bookEngagement(owner, id)).engagement?.id).toBe(first.engagement!.id);
    await deleteEngagement(owner, first.engagement!.id);
    expect((await readEnquiry(owner, "booking", id)).engagement).toBeNull();
    expect((await bookEngagement(owner, id)).engagement?.id).not.toBe(first.engagement!.id);
    expect((await listEngagements(owner)).items).toHaveLength(1);
  });

  test("a booking with long texts and no date can become an engagement", async () => {
    const fields = {
      organization: "🧑‍🧑‍🧒‍🧒".repeat(160),
      eventName: "e".repeat(200),
      eventDate: "",
      additionalInfo: "ä".repeat(5000),
    };
    const { id } = await savedEnquiry("booking", { fields: fields as never, title: "🧑‍🧑‍🧒‍🧒".repeat(200) });
    const { engagement } = await bookEngagement(owner, id);
    expect(engagement?.title.isWellFormed()).toBe(true);
  });
});

describe("notes", () => {
  test("are saved, and do not overwrite newer notes of another user", async () => {
    const { id } = await savedEnquiry("message");
    const first = await updateEnquiry(owner, "message", id, { notes: "Mine", basedOn: 0 });
    expect(first).toMatchObject({ notes: "Mine" });
    await expect(updateEnquiry(owner, "message", id, { notes: "Theirs", basedOn: 0 })).rejects.toMatchObject(
      conflict(/saved elsewhere/),
    );
    // The response was lost, so it is sent again.
    const again = await updateEnquiry(owner, "message", id, { notes: "Mine", basedOn: 0 });
    expect(again).toEqual(first);
    // Another change of the enquiry is not a change of its notes.
    await updateEnquiry(owner, "message", id, { status: "done" });
    const next = await updateEnquiry(owner, "message", id, { notes: "Both", basedOn: first.notesAt });
    expect(next.notesAt).toBeGreaterThan(first.notesAt);
    expect(await updateEnquiry(owner, "message", id, { notes: "Over" })).toMatchObject({ notes: "Over" });
  });
});

describe("an email to the sender", () => {
  test("comes from the site, has the owner's reply address, and is stored with its delivery status", async () => {
    const email = { fromName: "Imogen", fromEmail: "", replyTo: "imogen@example.org" };
    await updateSite(owner, { ...siteDefaults, email });
    const { id, email: to } = await savedEnquiry("application");
    const sent = await sendEnquiryMail(owner, "application", id, answer);
    expect(sent.mails).toMatchObject([
      { subject: answer.subject, body: answer.message, sentBy: "The Owner", state: "waiting" },
    ]);
    const [mail] = await mailsTo(to);
    expect(mail).toMatchObject({
      from: { name: "Imogen" },
      replyTo: { address: "imogen@example.org" },
      subject: answer.subject,
    });
    expect(mail!.text.startsWith(answer.message)).toBe(true);
    expect(mail!.html).toContain("yes.<br>See you.");
    expect(mail!.invitation).toBeUndefined();
    vi.spyOn(console, "log").mockImplementation(() => {});
    await deliverAll();
    expect((await readEnquiry(owner, "application", id)).mails[0]).toMatchObject({ state: "sent" });
    await db.update(outbox).set({ doneAt: null, failedAt: new Date(), lastError: "550 No such user" });
    expect((await readEnquiry(owner, "application", id)).mails[0]).toMatchObject({
      state: "failed",
      lastError: "550 No such user",
    });
    await db.delete(outbox);
    expect((await readEnquiry(owner, "application", id)).mails[0]).toMatchObject({ state: null });
    await updateSite(owner, siteDefaults);
  });

  test("is sent once when submitted twice within ten minutes", async () => {
    const { id, email } = await savedEnquiry("message");
    const now = new Date();
    const at = (time: number) => ownerContext({ now: new Date(time) });
    await Promise.all([
      sendEnquiryMail(at(now.getTime()), "message", id, answer),
      sendEnquiryMail(at(now.getTime()), "message", id, answer),
    ]);
    await sendEnquiryMail(at(now.getTime() + 9 * MINUTE), "message", id, answer);
    expect(await mailsTo(email)).toHaveLength(1);
    await sendEnquiryMail(at(now.getTime() + 11 * MINUTE), "message", id, answer);
    await sendEnquiryMail(at(now.getTime() + 11 * MINUTE), "message", id, { ...answer, message: "More." });
    expect(await mailsTo(email)).toHaveLength(3);
    expect(await db.select().from(enquiryMails)).toHaveLength(3);
  });

  test("invites an applicant to a recording; a later invitation replaces the previous one", async () => {
    const { id, email } = await savedEnquiry("application");
    const at = Date.UTC(2027, 0, 2, 23, 30);
    const before = ownerContext({ now: new Date(at - 30 * DAY) });
    const recording = { at, minutes: 90, place: "Studio; 1, North" };
    const inviteTo = (change: object) =>
      sendEnquiryMail(before, "application", id, { ...answer, recording: { ...recording, ...change } });
    await inviteTo({});
    await inviteTo({});
    await inviteTo({ at: at + DAY });
    // With the same text and time.
    await inviteTo({ at: at + DAY, place: "Studio 2" });
    await inviteTo({ at: at + DAY, place: "Studio 2", minutes: 60 });
    const invitations = (await mailsTo(email)).map(({ invitation }) => invitation!);
    expect(invitations.map((text) => /UID:.*/.exec(text)![0])).toEqual(
      Array.from({ length: 4 }, () => `UID:application-${id}@localhost`),
    );
    expect(invitations.map((text) => /SEQUENCE:\d+/.exec(text)![0])).toEqual(
      Array.from({ length: 4 }, (_, sequence) => `SEQUENCE:${sequence}`),
    );
    expect(invitations[0]).toContain("DTSTART:20270102T233000Z\r\nDTEND:20270103T010000Z");
    expect(invitations[0]).toContain("LOCATION:Studio\\; 1\\, North");
    expect((await readEnquiry(before, "application", id)).mails.map((mail) => mail.recordingAt)).toEqual([
      at + DAY,
      at + DAY,
      at + DAY,
      at,
    ]);
  });

  test.each([
    ["no subject", { ...answer, subject: " " }, "subject"],
    ["no message", { ...answer, message: "" }, "message"],
    ["a recording that was", { ...answer, recording: { at: 1, minutes: 60 } }, "recording.at"],
    ["a recording without a date", { ...answer, recording: { at: Number.NaN, minutes: 60 } }, "recording.at"],
    ["a recording of a minute", { ...answer, recording: { at: 2e12, minutes: 1 } }, "recording.minutes"],
  ])("is refused with %s", async (_what, input, field) => {
    const { id } = await savedEnquiry("application");
    await expect(sendEnquiryMail(owner, "application", id, input)).rejects.toMatchObject({
      code: "invalid",
      field,
    });
    const message = await savedEnquiry("message");
    const recording = { at: Date.now() + DAY, minutes: 60 };
    await expect(
      sendEnquiryMail(owner, "message", message.id, { ...answer, recording }),
    ).rejects.toMatchObject({ code: "invalid", field: "recording" });
  });
});

describe("personal data", () => {
  test("is forbidden to editors, who may open the Speaking tab", async () => {
    const editor = contextAs("editor");
    const { id } = await savedEnquiry("booking");
    for (const call of [
      () => listEnquiries(editor, "booking"),
      () => readEnquiry(editor, "booking", id),
      () => readEnquiryCounts(editor),
      () => updateEnquiry(editor, "booking", id, { status: "done" }),
      () => deleteEnquiry(editor, "booking", id),
      () => sendEnquiryMail(editor, "booking", id, answer),
      () => bookEngagement(editor, id),
    ]) {
      await expect(call()).rejects.toMatchObject({ code: "forbidden" });
    }
  });
});

test("the counts of the boxes stay exact after every change", async () => {
  const counted = async () => {
    const { results } = await env.DB.prepare(
      "select kind, box, count(*) as count from enquiries group by kind, box order by kind, box",
    ).all<{ kind: EnquiryKind; box: string; count: number }>();
    return results;
  };
  const kept = async () => {
    const { results } = await env.DB.prepare(
      "select kind, box, count from enquiry_counts where count <> 0 order by kind, box",
    ).all();
    return results;
  };
  const [one, two] = [await savedEnquiry("application"), await savedEnquiry("application")];
  const unconfirmed = await savedEnquiry("message", { confirmedAt: null });
  await savedEnquiry("booking", { isSpam: true });
  expect(await kept()).toEqual(await counted());
  await updateEnquiry(owner, "application", one.id, { status: "approved" });
  await updateEnquiry(owner, "application", two.id, { isSpam: true });
  await updateEnquiry(owner, "application", two.id, { notes: "Words" });
  await db.update(enquiries).set({ confirmedAt: new Date() }).where(eq(enquiries.id, unconfirmed.id));
  expect(await kept()).toEqual(await counted());
  expect(await readEnquiryCounts(owner)).toMatchObject({
    application: { pending: 0, approved: 1, spam: 1 },
    message: { new: 1, unconfirmed: 0 },
    booking: { spam: 1 },
  });
  await deleteEnquiry(owner, "application", two.id);
  await db.delete(enquiries).where(eq(enquiries.kind, "booking"));
  expect(await kept()).toEqual(await counted());
});

test("deleting an enquiry deletes the emails to its sender", async () => {
  const { id } = await savedEnquiry("message");
  await sendEnquiryMail(owner, "message", id, answer);
  expect(await db.select().from(enquiryMails)).toHaveLength(1);
  await deleteEnquiry(owner, "message", id);
  expect(await db.select().from(enquiryMails)).toEqual([]);
});
