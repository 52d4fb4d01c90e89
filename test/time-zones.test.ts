import { eq } from "drizzle-orm";
import { afterAll, describe, expect, test } from "vitest";
import { updateSite } from "#worker/settings/commands.ts";
import { siteDefaults } from "#worker/settings/contract.ts";
import { settings } from "#worker/settings/table.ts";
import { currentTimeZone, listTimeZones } from "#worker/settings/time-zones.ts";
import { fetchSite, ownerContext, signedIn } from "./support/client.ts";

/** From IANA's file `backward`, as of 2026. */
const renamed = [
  ["Asia/Calcutta", "Asia/Kolkata"],
  ["Asia/Saigon", "Asia/Ho_Chi_Minh"],
  ["Asia/Katmandu", "Asia/Kathmandu"],
  ["Asia/Rangoon", "Asia/Yangon"],
  ["Europe/Kiev", "Europe/Kyiv"],
  ["America/Godthab", "America/Nuuk"],
  ["Pacific/Enderbury", "Pacific/Kanton"],
  ["America/Buenos_Aires", "America/Argentina/Buenos_Aires"],
  ["Atlantic/Faeroe", "Atlantic/Faroe"],
  ["US/Pacific", "America/Los_Angeles"],
] as const;

const offsetIn = (timeZone: string) =>
  new Intl.DateTimeFormat("en", { timeZone, timeZoneName: "longOffset", year: "numeric" }).format(0);

describe("a time zone", () => {
  test.each(renamed)("of the former name %s is %s, with the same time", async (former, current) => {
    expect(await currentTimeZone(former)).toBe(current);
    expect(await currentTimeZone(current)).toBe(current);
    expect(offsetIn(former)).toBe(offsetIn(current));
  });

  test.each(["Australia/Sydney", "America/New_York", "UTC", "Etc/GMT+5"])(
    "keeps its name: %s",
    async (zone) => {
      expect(await currentTimeZone(zone)).toBe(zone);
    },
  );

  test("is normalised to its official spelling", async () => {
    expect(await currentTimeZone("europe/kyiv")).toBe("Europe/Kyiv");
    expect(await currentTimeZone("utc")).toBe("UTC");
  });

  test("is suggested once, by today's name", async () => {
    const zones = await listTimeZones();
    expect(new Set(zones).size).toBe(zones.length);
    for (const [former, current] of renamed) {
      expect(zones).toContain(current);
      expect(zones).not.toContain(former);
    }
    for (const timeZone of zones) expect(() => offsetIn(timeZone), timeZone).not.toThrow();
  });
});

describe("the site's time zone", () => {
  afterAll(() => updateSite(ownerContext(), { timeZone: siteDefaults.timeZone }));

  test("is stored by today's name, whichever is given", async () => {
    for (const timeZone of ["Asia/Calcutta", "Asia/Kolkata"]) {
      expect((await updateSite(ownerContext(), { timeZone })).site.timeZone).toBe("Asia/Kolkata");
    }
    await expect(updateSite(ownerContext(), { timeZone: "Asia/Nowhere" })).rejects.toThrow(
      "Enter a time zone",
    );
  });

  test("that was stored by a former name is shown by today's", async () => {
    await updateSite(ownerContext(), { timeZone: "UTC" });
    const { db } = ownerContext();
    const site = { timeZone: "US/Pacific" };
    await db.update(settings).set({ site }).where(eq(settings.id, 1));
    const { cookie } = await signedIn("super_admin");
    const response = await fetchSite("/admin/settings/general", { headers: { cookie } });
    const html = await response.text();
    expect(html).toMatch(/name="timeZone"[^>]* value="America[/]Los_Angeles"/);
    expect(html).toContain("<option>Asia/Kolkata</option>");
    expect(html).not.toContain("Asia/Calcutta");
  });
});
