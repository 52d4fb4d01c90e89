import { eq } from "drizzle-orm";
import { beforeAll, beforeEach, describe, expect, it } from "vitest";
import { formatDateTime, formatLongDay, formatShortDate, formatShortDay } from "#site/ui/format.ts";
import { momentsOf, offsetName, toZoned } from "#worker/platform/time/zoned-time.ts";
import { episodes } from "#worker/episodes/table.ts";
import { updateShow } from "#worker/episodes/show-commands.ts";
import { readShowForEdit } from "#worker/episodes/show-queries.ts";
import { createPressItem } from "#worker/press/commands.ts";
import { Site, siteDefaults } from "#worker/settings/contract.ts";
import { updateSite } from "#worker/settings/commands.ts";
import { publishedArticle } from "./support/articles.ts";
import { ownerContext, signedIn } from "./support/client.ts";
import { aPressItem, aShow, publishedEpisode, savedShow } from "./support/factories.ts";
import { open } from "./support/pages.ts";

const owner = ownerContext();

/** Late on 21 November in Berlin, and the next morning in Sydney. */
const LATE = new Date("2026-11-21T22:30:00Z");
let episodeId: number;

beforeAll(async () => {
  await savedShow();
  episodeId = (await publishedEpisode()).id;
  await owner.db.update(episodes).set({ publishedAt: LATE }).where(eq(episodes.id, episodeId));
  await createPressItem(owner, aPressItem({ date: "2026-03-04", published: true }));
  await publishedArticle();
});

describe("a new site", () => {
  it.each(["/", "/podcast", "/nowhere", "/admin/podcast"])("%s is in Australian English", async (path) => {
    const { cookie } = await signedIn("editor");
    expect((await open(path, { headers: { cookie } })).html).toContain('<html lang="en-AU"');
  });

  it("dates an episode by the day in Sydney", async () => {
    expect((await open(`/episode/${episodeId}`)).mainText).toContain("22 November 2026");
    expect((await open("/podcast")).mainText).toContain("Nov 22, 2026");
  });
});

describe("a site in German, in Berlin", () => {
  beforeEach(() => updateSite(owner, { language: "de", timeZone: "Europe/Berlin" }));

  it.each(["/", "/podcast", "/privacy-policy", "/nowhere"])("has the site's language at %s", async (path) => {
    expect((await open(path)).html).toContain('<html lang="de"');
  });

  it("names its likeliest territory to Open Graph", async () => {
    expect((await open("/about")).html).toContain('<meta property="og:locale" content="de_DE"/>');
  });

  it("dates an episode by the day in Berlin", async () => {
    expect((await open(`/episode/${episodeId}`)).mainText).toContain("21. November 2026");
    expect((await open("/podcast")).mainText).toContain("21.11.2026");
  });

  it("does so in the admin area too", async () => {
    const { cookie } = await signedIn("editor");
    expect((await open("/admin/podcast", { headers: { cookie } })).mainText).toContain("21.11.2026");
  });

  it("leaves unsaid that it is laid out from the left", async () => {
    expect((await open("/")).html).not.toContain(" dir=");
  });

  it("has the site's language in the essays feed and the manifest", async () => {
    expect((await open("/rss/essays.xml")).html).toContain("<language>de</language>");
    expect(JSON.parse((await open("/manifest.webmanifest")).html)).toMatchObject({ lang: "de" });
  });

  it("has a podcast in German, unless the show says otherwise", async () => {
    await updateShow(owner, aShow({ language: undefined }));
    expect((await readShowForEdit(owner))?.show.language).toBe("de");
    expect((await open("/rss/podcast.xml")).html).toContain("<language>de</language>");
    await updateShow(owner, aShow({ language: "en-GB" }));
    expect((await open("/rss/podcast.xml")).html).toContain("<language>en-GB</language>");
  });
});

describe("a site in Arabic", () => {
  beforeEach(() => updateSite(owner, { language: "ar-EG", timeZone: "Africa/Cairo" }));

  it.each(["/", "/podcast", "/privacy-policy", "/nowhere"])(
    "is laid out from the right at %s",
    async (path) => {
      expect((await open(path)).html).toContain('<html lang="ar-EG" dir="rtl"');
    },
  );

  it("has the site's language and direction in the manifest", async () => {
    expect(JSON.parse((await open("/manifest.webmanifest")).html)).toMatchObject({ dir: "rtl" });
  });

  it("has its admin area, which is in English, from the left", async () => {
    const { cookie } = await signedIn("editor");
    const [tag] = /<html[^>]*>/.exec((await open("/admin/podcast", { headers: { cookie } })).html)!;
    expect(tag).toContain('lang="ar-EG"');
    expect(tag).not.toContain("dir=");
  });
});

it("shows a day without a time unchanged, west of Greenwich too", async () => {
  await updateSite(owner, { language: "en-US", timeZone: "America/Los_Angeles" });
  expect((await open("/media")).mainText).toContain("Mar 4, 2026");
});

describe("dates", () => {
  const sydney = { language: "en-AU", timeZone: "Australia/Sydney" };
  const losAngeles = { language: "en-US", timeZone: "America/Los_Angeles" };
  const midnight = Date.UTC(2026, 10, 21);
  it("are those of the given language and time zone, in any order", () => {
    expect(formatShortDate(midnight, sydney)).toBe("Nov 21, 2026");
    expect(formatShortDate(midnight, losAngeles)).toBe("Nov 20, 2026");
    expect(formatShortDate(midnight, sydney)).toBe("Nov 21, 2026");
    expect(formatShortDay(midnight, losAngeles)).toBe("Nov 21, 2026");
    expect(formatLongDay("2026-11-21", losAngeles)).toBe("November 21, 2026");
    expect(formatLongDay("2026-11-21", { language: "fr", timeZone: "Pacific/Auckland" })).toBe(
      "21 novembre 2026",
    );
    expect(formatDateTime(midnight, { language: "en-GB", timeZone: "Europe/London" })).toMatch(
      /^21 November 2026 at 00:00 GMT/,
    );
  });
});

describe("a date and time that is typed in the site's time zone", () => {
  it.each([
    ["2026-01-15T09:30", "Australia/Sydney", "2026-01-14T22:30:00.000Z"],
    ["2026-07-15T09:30", "Australia/Sydney", "2026-07-14T23:30:00.000Z"],
    ["2026-03-29T03:00", "Europe/Berlin", "2026-03-29T01:00:00.000Z"],
    ["2026-03-29T01:59", "Europe/Berlin", "2026-03-29T00:59:00.000Z"],
    ["2026-10-25T03:00", "Europe/Berlin", "2026-10-25T02:00:00.000Z"],
    ["2026-11-01T00:30", "America/Los_Angeles", "2026-11-01T07:30:00.000Z"],
    ["2026-11-21T00:00", "UTC", "2026-11-21T00:00:00.000Z"],
  ])("%s in %s is %s, and the reverse", (local, timeZone, utc) => {
    expect(momentsOf(local, timeZone)).toEqual([Date.parse(utc)]);
    expect(toZoned(Date.parse(utc), timeZone)).toBe(local);
  });

  it.each([
    ["2026-10-04T02:00", "Australia/Sydney"],
    ["2026-10-04T02:59", "Australia/Sydney"],
    ["2026-03-29T02:30", "Europe/Berlin"],
    // Half an hour.
    ["2026-10-04T02:15", "Australia/Lord_Howe"],
    ["", "UTC"],
    ["2026-13-01T00:00", "UTC"],
  ])("%s in %s does not exist", (local, timeZone) => {
    expect(momentsOf(local, timeZone)).toEqual([]);
  });

  it.each([
    ["2026-04-05T02:00", "Australia/Sydney", "2026-04-04T15:00:00.000Z", "2026-04-04T16:00:00.000Z"],
    ["2026-04-05T02:59", "Australia/Sydney", "2026-04-04T15:59:00.000Z", "2026-04-04T16:59:00.000Z"],
    ["2026-10-25T02:30", "Europe/Berlin", "2026-10-25T00:30:00.000Z", "2026-10-25T01:30:00.000Z"],
    ["2026-04-05T01:45", "Australia/Lord_Howe", "2026-04-04T14:45:00.000Z", "2026-04-04T15:15:00.000Z"],
  ])("%s in %s occurs twice", (local, timeZone, ...utc) => {
    expect(momentsOf(local, timeZone)).toEqual(utc.map((moment) => Date.parse(moment)));
  });

  it("is named with its distance from UTC at that time", () => {
    const [first, second] = momentsOf("2026-04-05T02:30", "Australia/Sydney");
    expect([first, second].map((at) => offsetName(at!, "Australia/Sydney"))).toEqual(["GMT+11", "GMT+10"]);
  });
});

describe("the settings", () => {
  const errorsOf = (change: Partial<Site>) =>
    Site.safeParse({ ...siteDefaults, ...change }).error?.issues.map(({ path }) => path.join("."));
  it.each(["de", "de-CH", "pt-BR", "zh-Hant"])("take the language %s", (language) =>
    expect(errorsOf({ language })).toBeUndefined(),
  );
  it.each(["", "German", "en_AU", "d", "en-"])("refuse the language %j", (language) =>
    expect(errorsOf({ language })).toEqual(["language"]),
  );
  it.each(["UTC", "Europe/Berlin"])("take the time zone %s", (timeZone) =>
    expect(errorsOf({ timeZone })).toBeUndefined(),
  );
  it.each(["", "Berlin", "Europe/Nowhere"])("refuse the time zone %j", (timeZone) =>
    expect(errorsOf({ timeZone })).toEqual(["timeZone"]),
  );
});
