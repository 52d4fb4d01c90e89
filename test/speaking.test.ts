import { sql } from "drizzle-orm";
import { describe, expect, it, vi } from "vitest";
import { updatePage } from "#worker/pages/commands.ts";
import { updateSite } from "#worker/settings/commands.ts";
import { createEngagement } from "#worker/speaking/commands.ts";
import { listUpcomingEngagements } from "#worker/speaking/queries.ts";
import { NewEngagement } from "#worker/speaking/contract.ts";
import { ownerContext, visitorContext } from "./support/client.ts";
import { unique } from "./support/factories.ts";
import { headingsOf, open, structuredDataOf, titleOf } from "./support/pages.ts";

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
  it("needs a title and nothing else, and is upcoming", () => {
    expect(NewEngagement.parse({ title: "T" })).toMatchObject({
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

describe("the public list", () => {
  it("holds what is upcoming, soonest first, and what has no date last", async () => {
    await clear();
    const undated = await saved();
    const later = await saved({ date: "2027-06-01" });
    const sooner = await saved({ date: "2027-02-01" });
    await saved({ date: "2027-03-01", status: "completed" });
    await saved({ date: "2027-03-01", status: "cancelled" });
    const engagements = await listUpcomingEngagements(visitorContext({ now }));
    expect(engagements.map(({ id }) => id)).toEqual([sooner.id, later.id, undated.id]);
  });

  it("drops a day that has passed, and keeps today's", async () => {
    await clear();
    const today = await saved({ date: "2027-01-10" });
    await saved({ date: "2027-01-08" });
    const engagements = await listUpcomingEngagements(visitorContext({ now }));
    expect(engagements.map(({ id }) => id)).toEqual([today.id]);
  });

  it("tells nothing of contact, fee and notes", async () => {
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
    expect(html).not.toMatch(/private@example|0400 000|4321|Only for the owner/);
    expect((await open("/speaking.data")).html).not.toMatch(
      /private@example|0400 000|4321|Only for the owner/,
    );
  });
});

describe("/speaking", () => {
  it("shows the page's own words, its topics and the way to book", async () => {
    await updateSite(ownerContext(), { name: "Imogen Tarrant" });
    await updatePage(ownerContext(), "speaking", {
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
    expect(text).toContain("Home / Speaking");
  });

  it("shows day, place, audience and state of what is upcoming", async () => {
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
      new RegExp(
        `Mar 4, 2099 Upcoming ${engagement.title} With questions\\. Elder Hall, Adelaide SA 1,420 attendees`,
      ),
    );
    expect(html).toContain('dateTime="2099-03-04"');
    expect(html).toMatch(/class="[^"]*text-info[^"]*">Upcoming/);
  });

  it("says what is not settled: No date set, Location TBD", async () => {
    await clear();
    const open1 = await saved();
    const { text } = await open("/speaking");
    expect(text).toMatch(new RegExp(`No date set Upcoming ${open1.title} Location TBD`));
    expect(text).not.toContain("attendees");
  });

  it.each([
    [{ venue: "Elder Hall" }, "Elder Hall, Location TBD"],
    [{ location: "Adelaide SA" }, "Location TBD, Adelaide SA"],
  ])("says which half of a place is missing: %j", async (place, words) => {
    await clear();
    await saved(place);
    expect((await open("/speaking")).text).toContain(words);
  });

  it("says so when nothing is upcoming, and suggests a booking", async () => {
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

  it("has one first heading and goes down by single steps", async () => {
    await clear();
    await saved();
    const levels = headingsOf((await open("/speaking")).html);
    expect(levels.filter((level) => level === 1)).toHaveLength(1);
    levels.forEach((level, place) => expect(level - (levels[place - 1] ?? 0)).toBeLessThanOrEqual(1));
  });

  it("asks D1 for settings, show, words and engagements, once each", async () => {
    expect((await open("/speaking")).response.headers.get("Server-Timing")).toContain("4 statements");
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
