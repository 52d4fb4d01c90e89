import { env } from "cloudflare:workers";
import { afterEach, describe, expect, it } from "vitest";
import { pages, type PagePath } from "#worker/addresses.ts";
import { countedPages } from "#worker/analytics/contract.ts";
import { CHECKED_ON } from "#worker/analytics/apps.ts";
import { analyticsRejections } from "#worker/analytics/table.ts";
import { dayAt } from "#worker/analytics/days.ts";
import { pageDefaults } from "#worker/pages/defaults.ts";
import { updatePage } from "#worker/pages/commands.ts";
import { inWords } from "#worker/platform/contract.ts";
import { dayIn } from "#worker/platform/time/day.ts";
import { updateSite } from "#worker/settings/commands.ts";
import { SiteChange, siteDefaults } from "#worker/settings/contract.ts";
import { anEvent, counted, DAY } from "./support/analytics.ts";
import { publishedArticle } from "./support/articles.ts";
import { ownerContext } from "./support/client.ts";
import { holdClock } from "./support/clock.ts";
import { publishedEpisode } from "./support/factories.ts";
import { open } from "./support/pages.ts";

afterEach(() => updateSite(ownerContext(), siteDefaults));

const countedAs = (html: string) => /<meta name="counted" content="([^"]*)"/.exec(html)?.[1];

describe("the content that a page view counts for", () => {
  it("is its path in the table of addresses", async () => {
    for (const path of ["/", "/about", "/podcast", "/search?q=rent", "/how-we-count"] as const) {
      const content = countedAs((await open(path)).html);
      expect(content).toBe(`page ${path.split("?")[0]}`);
      expect(countedPages).toContain(content!.slice("page ".length));
    }
  });

  it("is the id of an essay or an episode", async () => {
    const article = await publishedArticle();
    const episode = await publishedEpisode();
    expect(countedAs((await open(`/essays/${article.slug}`)).html)).toBe(`article ${article.id}`);
    expect(countedAs((await open(`/episode/${episode.id}`)).html)).toBe(`episode ${episode.id}`);
  });

  it("is none on personal pages, missing pages, and in the admin area", async () => {
    for (const path of [
      "/unsubscribe?token=x",
      "/verify-email?token=x",
      "/preview?token=x",
      "/nowhere",
      "/episode/999999",
      "/essays/nothing",
      "/admin/login",
    ])
      expect(countedAs((await open(path)).html), path).toBeUndefined();
  });

  it("is only sent with the tracker's address on public pages", async () => {
    expect((await open("/about")).html).toMatch(/ data-last="\/[^"]+"/);
    expect((await open("/nowhere")).html).toContain(" data-last=");
    expect((await open("/admin/login")).html).not.toContain(" data-last=");
  });
});

describe("the tag manager", () => {
  const policyOf = async (path = "/about") =>
    (await open(path)).response.headers.get("Content-Security-Policy") ?? "";
  const setTags = (id: string, needsConsent = true) =>
    updateSite(ownerContext(), { tagManager: { id, needsConsent } });

  it("is neither allowed by the content policy nor on a page without an id", async () => {
    const { html } = await open("/about");
    expect(html).not.toContain("tagManager");
    expect(await policyOf()).not.toContain("google");
    expect((await open("/privacy-policy")).text).not.toContain("Google Tag Manager");
  });

  it("is allowed, and named in the privacy policy, while its id is set", async () => {
    await setTags("GTM-AB12CD3");
    const policy = await policyOf();
    expect(policy).toContain("https://www.googletagmanager.com");
    expect(policy).toMatch(
      /connect-src 'self' https:\/\/www\.googletagmanager\.com https:\/\/\*\.google-analytics\.com/,
    );
    // Inline scripts that it adds do not run.
    expect(policy).not.toMatch(/script-src[^;]*unsafe/);
    const { html } = await open("/about");
    expect(html).toContain("GTM-AB12CD3");
    expect(html).not.toMatch(/src="https:\/\/www\.googletagmanager\.com/);
    expect((await open("/privacy-policy")).text).toContain("Google Tag Manager, if you agree to it");
    expect(await policyOf("/admin/login")).not.toContain("google");
    await setTags("");
    expect(await policyOf()).not.toContain("google");
  });

  it("is neither allowed nor on a page with a token in its address, and no referrer passes that address on", async () => {
    await setTags("GTM-AB12CD3", false);
    const personal = (Object.keys(pages) as PagePath[]).filter((path) => pages[path].isPersonal);
    expect(personal).toContain("/unsubscribe");
    for (const path of personal) {
      const { html, response } = await open(`${path}?token=x`);
      expect(html, path).toContain("<main");
      expect(html, path).not.toContain("GTM-");
      expect(response.headers.get("Content-Security-Policy"), path).not.toContain("google");
      expect(response.headers.get("Referrer-Policy"), path).toBe("strict-origin");
      expect((await open(`${path}.data?token=x`)).html, path).not.toContain("GTM-");
    }
    const { response } = await open("/about");
    expect(response.headers.get("Referrer-Policy")).toBe("strict-origin-when-cross-origin");
  });

  it("is in the audit log whenever its id or its consent changes, and so is OP3", async () => {
    const since = (await env.DB.prepare("select count(*) as count from security_events").first<number>(
      "count",
    ))!;
    await setTags("GTM-AB12CD3");
    await setTags("GTM-AB12CD3", false);
    const stale = updateSite(ownerContext(), {
      tagManager: { id: "GTM-ZZZZZZ", needsConsent: true },
      basedOn: 1,
    });
    await expect(stale).rejects.toMatchObject({ code: "conflict" });
    await updateSite(ownerContext(), { name: "Imogen Tarrant" });
    await setTags("");
    const { analytics } = siteDefaults;
    await updateSite(ownerContext(), { analytics: { ...analytics, keepDays: 30 } });
    await updateSite(ownerContext(), { analytics: { ...analytics, op3: true } });
    await updateSite(ownerContext(), { analytics });
    const { results } = await env.DB.prepare(
      "select kind, detail, email from security_events order by id limit -1 offset ?",
    )
      .bind(since)
      .all();
    const email = "owner@example.com";
    expect(results).toEqual([
      { kind: "tags_changed", email, detail: "GTM-AB12CD3" },
      { kind: "tags_changed", email, detail: "GTM-AB12CD3, without asking" },
      { kind: "tags_changed", email, detail: "none" },
      { kind: "op3_changed", email, detail: "on" },
      { kind: "op3_changed", email, detail: "off" },
    ]);
  });

  it.each(["GTM-", "gtm-ab12cd3", "G-AB12CD3", "GTM-AB12CD3'];alert(1)//", "GTM-AB12 CD3"])(
    "is refused as %s",
    (id) => {
      const { error } = SiteChange.safeParse({ tagManager: { id, needsConsent: true } }, { error: inWords });
      expect(error?.issues.map(({ path, message }) => [path.join("."), message])).toEqual([
        ["tagManager.id", "Enter a container such as GTM-AB12CD3, or leave it blank."],
      ]);
    },
  );
});

describe("/how-we-count", () => {
  it("states the rules, the rejections of the last 30 days, and when the lists were checked", async () => {
    holdClock();
    const { db } = ownerContext();
    await db.delete(analyticsRejections);
    const empty = await open("/how-we-count");
    expect(empty.mainText).toContain("Nothing was left out.");
    const today = dayAt(new Date(), siteDefaults.timeZone);
    await db.insert(analyticsRejections).values([
      { day: today, of: "downloads", reason: "robot", count: 1200 },
      { day: today - 29, of: "downloads", reason: "robot", count: 34 },
      { day: today - 30, of: "downloads", reason: "robot", count: 9000 },
      { day: today, of: "events", reason: "flood", count: 7 },
    ]);
    const { mainText: text } = await open("/how-we-count");
    expect(text).toMatch(/Requests for audio.*Robots 1,234 /);
    expect(text).toMatch(/Events on pages.*Over the limit for one network 7 /);
    expect(text).toContain("follows IAB v2.3");
    expect(text).toContain("days in Sydney time");
    expect(text).toContain("requested");
    expect(text).not.toContain("certified");
    expect(text).toContain(`deleted after ${siteDefaults.analytics.keepDays} days`);
    expect(text).toContain(
      new Date(CHECKED_ON).toLocaleDateString("en-AU", { dateStyle: "long", timeZone: "UTC" }),
    );
  });

  it("is in the sitemap, and the privacy policy links to it", async () => {
    expect((await open("/sitemap.xml")).html).toContain("/how-we-count</loc>");
    expect((await open("/privacy-policy")).html).toContain('href="/how-we-count"');
  });
});

describe("the media kit", () => {
  const show = (showsMeasured: boolean) =>
    updatePage(ownerContext(), "media-kit", { ...pageDefaults["media-kit"], showsMeasured });

  it("shows the counted figures with their date, if the owner turns it on and there are any", async () => {
    holdClock();
    await show(true);
    expect((await open("/media-kit")).mainText).not.toContain("Counted by this site");
    await counted([anEvent(), anEvent()], { now: new Date(Date.now() - DAY) });
    const { html, mainText: text } = await open("/media-kit");
    const day = dayIn(siteDefaults.timeZone, new Date(Date.now() - DAY));
    expect(html).toContain(`<time dateTime="${day}"`);
    expect(text).toMatch(/Counted by this site 30 days to .* Page views 2 /);
    expect(text).not.toContain("Episode downloads");
    await show(false);
    expect((await open("/media-kit")).mainText).not.toContain("Counted by this site");
  });
});
