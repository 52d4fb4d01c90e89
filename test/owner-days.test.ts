import { afterAll, describe, expect, test } from "vitest";
import { createArticle, createCategory } from "#worker/articles/commands.ts";
import { createEpisode } from "#worker/episodes/commands.ts";
import { updateSite } from "#worker/settings/commands.ts";
import { siteDefaults } from "#worker/settings/contract.ts";
import { anArticle } from "./support/articles.ts";
import { fetchSite, ownerContext, signedIn } from "./support/client.ts";
import { anEpisode } from "./support/factories.ts";

const { cookie } = await signedIn("super_admin");

const HOUR = 3_600_000;
/** Hours that these are from UTC, all year; it is never the same day in both. */
const zones = { "Pacific/Kiritimati": 14, "Pacific/Pago_Pago": -11 };
const setZone = (timeZone: string) => updateSite(ownerContext(), { timeZone });
afterAll(() => setZone(siteDefaults.timeZone));

describe("the owner's day", () => {
  test("names what has a title without words", async () => {
    await setZone("Australia/Sydney");
    // The morning of the 28th in Sydney.
    const ctx = ownerContext({ now: new Date("2026-11-27T22:00:00Z") });
    expect((await createArticle(ctx, anArticle({ title: "🏡" }))).slug).toBe("2026-11-28");
    expect((await createCategory(ctx, { name: "🏡" })).slug).toBe("2026-11-28");
    const { values } = await createEpisode(ctx, anEpisode({ title: "🏡", slug: "" }));
    expect(values.slug).toBe("2026-11-28");
  });

  test.each([
    ["/api/admin/export", "localhost-", ".zip"],
    ["/api/admin/subscribers/export", "subscribers-", ".csv"],
    ["/api/admin/guest-applications/export", "", ".csv"],
    ["/api/admin/people/export?email=nobody@example.com&format=json", "person-", ".json"],
  ])("is in the name of a downloaded file: %s", async (path, start, end) => {
    for (const [zone, hours] of Object.entries(zones)) {
      await setZone(zone);
      const response = await fetchSite(path, { headers: { cookie } });
      await response.body?.cancel();
      const day = new Date(Date.now() + hours * HOUR).toISOString().slice(0, 10);
      const name = response.headers.get("Content-Disposition") ?? "";
      expect(name, zone).toContain(start);
      expect(name, zone).toContain(`-${day}${end}"`);
    }
  });
});
