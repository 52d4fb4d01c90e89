import { sql } from "drizzle-orm";
import { describe, expect, it, vi } from "vitest";
import { updatePage } from "#worker/pages/commands.ts";
import { pageDefaults } from "#worker/pages/defaults.ts";
import { updateSite } from "#worker/settings/commands.ts";
import { siteDefaults } from "#worker/settings/contract.ts";
import { createEngagement, deleteEngagement, updateEngagement } from "#worker/speaking/commands.ts";
import { listUpcomingEngagements } from "#worker/speaking/queries.ts";
import { NewEngagement } from "#worker/speaking/contract.ts";
import { listEngagements, readEngagementForEdit } from "#worker/speaking/owner-queries.ts";
import { contextAs, fetchSite, ownerContext, signedIn, visitorContext } from "./support/client.ts";
import { unique } from "./support/factories.ts";
import { headingsOf, open, structuredDataOf, titleOf } from "./support/pages.ts";
import { plansOf } from "./support/plans.ts";

const now = new Date("2027-01-10T09:00:00Z");
const anEngagement = (overrides: Partial<NewEngagement> = {}) =>
  NewEngagement.parse({ title: `Engagement ${unique()}`, ...overrides });

async function saved(overrides: Partial<NewEngagement> = {}) {
  const input = anEngagement(overrides);
  return { ...input, ...(await createEngagement(ownerContext(), input)) };
}

/** Puts away what earlier tests wrote. */
const clear = () => ownerContext().db.run(sql`delete from engagements`);

/** A day so many days from today, yyyy-mm-dd. */
const inDays = (days: number) => new Date(Date.now() + days * 86_400_000).toISOString().slice(0, 10);

describe("a new engagement", () => {
  it("needs a title and nothing else, and is upcoming", async () => {
    expect((await createEngagement(ownerContext(), { title: "T" })).values).toMatchObject({
      status: "upcoming",
      date: null,
      audienceSize: null,
    });
    expect(NewEngagement.safeParse({ title: " " }).error?.issues[0]?.message).toBe("Title is required");
  });

  it("is refused from a visitor", async () => {
    await expect(createEngagement(visitorContext(), anEngagement())).rejects.toMatchObject({
      code: "unauthenticated",
    });
  });
});

describe("the owner's list", () => {
  it("holds every status: undated ones, then the latest first, in pages", async () => {
    await clear();
    const past = await saved({ date: "2020-01-01", status: "completed" });
    const undated = await saved();
    const future = await saved({ date: "2030-01-01" });
    const sameDay = await saved({ date: "2020-01-01", status: "cancelled" });
    const { items, next } = await listEngagements(ownerContext());
    expect(items.map(({ id }) => id)).toEqual([undated.id, future.id, sameDay.id, past.id]);
    expect(items[2]).toMatchObject({ status: "cancelled", date: Date.UTC(2020, 0, 1) });
    expect(next).toBeNull();
  });

  it("continues after the previous page, also among undated ones", async () => {
    await clear();
    const ids: number[] = [];
    for (let made = 0; made < 120; made++) {
      const date = made < 60 ? inDays(-Math.floor(made / 2)) : null;
      ids.push((await saved({ date })).id);
    }
    const found: number[] = [];
    let before: string | undefined;
    do {
      const page = await listEngagements(ownerContext(), { before });
      found.push(...page.items.map(({ id }) => id));
      before = page.next ?? undefined;
    } while (before);
    expect(found).toHaveLength(120);
    expect(found.slice(0, 60)).toEqual(ids.slice(60).toReversed());
    expect(found.toSorted((a, b) => a - b)).toEqual(ids);
  });

  it("is read along its index", async () => {
    const steps = (await plansOf((ctx) => listEngagements(ctx))).join("; ");
    expect(steps).toContain("engagements_listed");
    expect(steps).not.toContain("TEMP B-TREE");
  });
});

describe("a change of an engagement", () => {
  it("leaves missing fields unchanged, and clears empty ones", async () => {
    const { id } = await saved({ date: "2027-03-01", venue: "Elder Hall", fee: 100.5, audienceSize: 40 });
    const changed = await updateEngagement(ownerContext(), id, { status: "completed", audienceSize: null });
    expect(changed.values).toMatchObject({
      date: "2027-03-01",
      venue: "Elder Hall",
      status: "completed",
      audienceSize: null,
    });
    expect(changed.confidential?.fee).toBe(100.5);
    expect((await updateEngagement(ownerContext(), id, { date: null })).values.date).toBeNull();
  });

  it("is refused when the engagement was changed since it was opened", async () => {
    const ctx = ownerContext();
    const { id, updatedAt } = await saved();
    await updateEngagement(ctx, id, { title: "Theirs", basedOn: updatedAt });
    await expect(updateEngagement(ctx, id, { title: "Mine", basedOn: updatedAt })).rejects.toMatchObject({
      code: "conflict",
    });
    expect((await updateEngagement(ctx, id, { title: "Mine" })).values.title).toBe("Mine");
  });

  it.each([
    [{ fee: 10.005 }, "A fee must be an amount of at most ten million, with at most two decimals."],
    [{ audienceSize: -1 }, "Audience size must be a whole number of at most a million."],
    [{ date: "1895-05-01" }, "Enter a date after 1970."],
    [{ contactEmail: "nobody" }, "Enter an email address."],
  ])("is refused with %o", async (change, message) => {
    const { id } = await saved();
    await expect(updateEngagement(ownerContext(), id, change)).rejects.toThrow(message);
  });

  it("takes amounts to the cent", async () => {
    for (const fee of [0, 0.01, 19.99, 4321.5, 9_999_999.99, null]) {
      const { confidential } = await createEngagement(ownerContext(), { title: "T", fee });
      expect(confidential?.fee).toBe(fee);
    }
  });
});

describe("an editor", () => {
  const editor = () => contextAs("editor");
  const confidential = {
    contactEmail: "private@example.com",
    contactPhone: "0400 000 000",
    fee: 4321.5,
    notes: "Only for the owner.",
  };

  it("sees neither contact nor fee nor notes, on no way", async () => {
    await clear();
    const { id } = await saved({ ...confidential, title: "With a contact" });
    const { cookie } = await signedIn("editor");
    const paths = ["/api/admin/engagements", `/api/admin/engagements/${id}`, `/admin/speaking?edit=${id}`];
    for (const path of [...paths, `/admin/speaking.data?edit=${id}`]) {
      const text = await (await fetchSite(path, { headers: { Cookie: cookie } })).text();
      expect(text).toContain("With a contact");
      expect(text).not.toMatch(/private@example|0400 000|4321\.5|Only for the owner/);
    }
    const changed = await updateEngagement(editor(), id, { venue: "Elder Hall" });
    expect(changed.confidential).toBeNull();
    expect((await readEngagementForEdit(ownerContext(), id)).confidential).toEqual(confidential);
  });

  it.each(Object.entries(confidential))("does not write %s", async (field, value) => {
    const { id } = await saved();
    const refused = { code: "forbidden" };
    await expect(updateEngagement(editor(), id, { [field]: value })).rejects.toMatchObject(refused);
    await expect(createEngagement(editor(), { title: "T", [field]: value })).rejects.toMatchObject(refused);
  });

  it("creates, changes and deletes engagements", async () => {
    const { id } = await createEngagement(editor(), { title: "By an editor" });
    await updateEngagement(editor(), id, { status: "cancelled" });
    await deleteEngagement(editor(), id);
    await expect(readEngagementForEdit(editor(), id)).rejects.toMatchObject({ code: "not_found" });
  });
});

describe("the admin API of engagements", () => {
  it("lists, creates, reads, changes and deletes", async () => {
    await clear();
    const { cookie } = await signedIn("admin");
    const call = (method: string, path = "", body?: unknown) =>
      fetchSite(`/api/admin/engagements${path}`, {
        method,
        headers: { Cookie: cookie, "Content-Type": "application/json" },
        body: body === undefined ? undefined : JSON.stringify(body),
      });
    const created = await call("POST", "", { title: "By HTTP", notes: "Bring slides." });
    expect(created.status).toBe(201);
    const { id } = (await created.json()) as { id: number };
    expect(await (await call("GET", `/${id}`)).json()).toMatchObject({
      values: { title: "By HTTP" },
      confidential: { notes: "Bring slides." },
    });
    expect((await call("PATCH", `/${id}`, { venue: "Elder Hall" })).status).toBe(200);
    const list = { items: [expect.objectContaining({ id, venue: "Elder Hall" })], next: null };
    expect(await (await call("GET")).json()).toEqual(list);
    expect((await call("GET", "?before=nowhere")).status).toBe(404);
    expect((await call("DELETE", `/${id}`)).status).toBe(204);
    expect((await call("DELETE", `/${id}`)).status).toBe(404);
  });
});

describe("the public list", () => {
  it("has upcoming engagements, soonest first and undated last", async () => {
    await clear();
    const undated = await saved();
    const later = await saved({ date: "2027-06-01" });
    const sooner = await saved({ date: "2027-02-01" });
    await saved({ date: "2027-03-01", status: "completed" });
    await saved({ date: "2027-03-01", status: "cancelled" });
    const found = await listUpcomingEngagements(visitorContext({ now }));
    expect(found.map(({ id }) => id)).toEqual([sooner.id, later.id, undated.id]);
  });

  it("drops a day that has passed, and keeps today's", async () => {
    await clear();
    const today = await saved({ date: "2027-01-10" });
    await saved({ date: "2027-01-08" });
    const found = await listUpcomingEngagements(visitorContext({ now }));
    expect(found.map(({ id }) => id)).toEqual([today.id]);
  });

  it.each([
    // 20:00 on 9 January there.
    ["America/Los_Angeles", "2027-01-10T04:00:00Z", ["2027-01-09", "2027-01-10"]],
    // 08:00 on 10 January there.
    ["Australia/Sydney", "2027-01-09T21:00:00Z", ["2027-01-10"]],
    // Noon on 9 January in the westernmost time zone.
    ["Etc/GMT+12", "2027-01-10T00:00:00Z", ["2027-01-09", "2027-01-10"]],
  ])("ends a day in the site's time zone, in %s", async (timeZone, at, days) => {
    await clear();
    for (const date of ["2027-01-08", "2027-01-09", "2027-01-10"]) await saved({ date });
    await updateSite(ownerContext(), { timeZone });
    const ctx = visitorContext({ now: new Date(at) });
    const found = await listUpcomingEngagements(ctx);
    expect(found.map(({ date }) => new Date(date!).toISOString().slice(0, 10))).toEqual(days);
    expect([...ctx.tags]).toContain("site");
    await updateSite(ownerContext(), { timeZone: siteDefaults.timeZone });
  });

  it("omits contact, fee and notes", async () => {
    await clear();
    await saved({
      contactEmail: "private@example.com",
      contactPhone: "0400 000 000",
      fee: 4321.5,
      notes: "Only for the owner.",
    });
    const [engagement] = await listUpcomingEngagements(visitorContext());
    expect(Object.keys(engagement ?? {}).toSorted()).toEqual(
      ["audienceSize", "date", "description", "id", "location", "title", "venue"].toSorted(),
    );
    const { html } = await open("/speaking");
    expect(html).not.toMatch(/private@example|0400 000|4321\.5|Only for the owner/);
    expect((await open("/speaking.data")).html).not.toMatch(
      /private@example|0400 000|4321\.5|Only for the owner/,
    );
  });
});

describe("/speaking", () => {
  it("shows the page's own words, its topics and the way to book", async () => {
    await updateSite(ownerContext(), { name: "Imogen Tarrant" });
    await updatePage(ownerContext(), "speaking", {
      ...pageDefaults.speaking,
      headline: "On stage",
      standfirst: "For rooms with a decision in front of them.",
      topics: [
        { title: "Long leases", text: "Ten years on two pages." },
        { title: "Waiting rooms", text: "Who waits, and why." },
      ],
    });
    const { response, html, text } = await open("/speaking");
    expect(response.status).toBe(200);
    expect(titleOf(html)).toBe("On stage | Imogen Tarrant");
    expect(html).toContain('rel="canonical" href="http://localhost:8787/speaking"');
    expect(text).toContain("For rooms with a decision in front of them.");
    expect(text).toMatch(/Topics.*Long leases.*Ten years on two pages\..*Waiting rooms/);
    expect(html).toContain('href="/speaking/book"');
    expect(text).toContain("Home Speaking");
  });

  it("shows day, place and audience of upcoming engagements, without a badge common to all", async () => {
    await clear();
    const engagement = await saved({
      date: "2099-03-04",
      venue: "Elder Hall",
      location: "Adelaide SA",
      audienceSize: 1420,
      description: "With questions.",
    });
    const { html, text } = await open("/speaking");
    expect(text).toMatch(
      new RegExp(`Mar 4, 2099 ${engagement.title} With questions\\. Elder Hall, Adelaide SA 1,420 attendees`),
    );
    expect(html).toContain('dateTime="2099-03-04"');
  });

  it("shows open details as No date set and Location TBD", async () => {
    await clear();
    const open1 = await saved();
    const { text } = await open("/speaking");
    expect(text).toMatch(new RegExp(`No date set ${open1.title} Location TBD`));
    expect(text).not.toContain("attendees");
  });

  it.each([
    [{ venue: "Elder Hall" }, "Elder Hall, Location TBD"],
    [{ location: "Adelaide SA" }, "Location TBD, Adelaide SA"],
  ])("names the missing half of a venue: %j", async (place, words) => {
    await clear();
    await saved(place);
    expect((await open("/speaking")).text).toContain(words);
  });

  it("without upcoming engagements suggests a booking", async () => {
    await clear();
    const { html, text } = await open("/speaking");
    expect(text).toContain("Nothing in the diary yet");
    expect(html.match(/href="\/speaking\/book"/g)?.length).toBeGreaterThan(1);
  });

  it("describes each engagement with day and place as an Event", async () => {
    await clear();
    const day = inDays(30);
    const engagement = await saved({
      date: day,
      venue: "Elder Hall",
      location: "Adelaide SA",
      description: "Talk.",
    });
    await saved({ venue: "Nowhere in time" });
    await saved({ date: day });
    const { html } = await open("/speaking");
    expect(structuredDataOf(html, "Event")).toEqual([
      {
        "@context": "https://schema.org",
        "@type": "Event",
        name: engagement.title,
        description: "Talk.",
        startDate: day,
        eventStatus: "https://schema.org/EventScheduled",
        location: { "@type": "Place", name: "Elder Hall", address: "Adelaide SA" },
        performer: { "@type": "Person", name: "Imogen Tarrant", url: "http://localhost:8787/" },
        url: "http://localhost:8787/speaking",
      },
    ]);
    expect(structuredDataOf(html, "BreadcrumbList")).toHaveLength(1);
  });

  it("has one h1, and heading levels without gaps", async () => {
    await clear();
    await saved();
    const levels = headingsOf((await open("/speaking")).html);
    expect(levels.filter((level) => level === 1)).toHaveLength(1);
    levels.forEach((level, place) => expect(level - (levels[place - 1] ?? 0)).toBeLessThanOrEqual(1));
  });

  it("asks D1 for settings, show, words and engagements, once each", async () => {
    expect((await open("/speaking")).response.headers.get("Server-Timing")).toContain('"4 statements, ');
  });

  it("says when the engagements cannot be read, and offers to try again", async () => {
    const log = vi.spyOn(console, "error").mockImplementation(() => {});
    const { db } = ownerContext();
    await db.run(sql`alter table engagements rename to engagements_away`);
    const { response, text } = await open("/speaking");
    await db.run(sql`alter table engagements_away rename to engagements`);
    log.mockRestore();
    expect(response.status).toBe(500);
    expect(text).toContain("Failed to load speaking engagements. Please try again later.");
    expect(text).toContain("Try Again");
  });
});
