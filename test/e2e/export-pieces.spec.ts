import { readFile } from "node:fs/promises";
import { expect, type Route } from "@playwright/test";
import { openArchive } from "../../src/admin/restore/archive.ts";
import { expectAccessible } from "./support/accessible.ts";
import { complaintsOf } from "./support/console.ts";
import { openHydrated } from "./support/hydrated.ts";
import { signInAsOwner } from "./support/owner.ts";
import { startSite } from "./support/site.ts";
import { test } from "./support/test.ts";

test("on the free plan, Export makes a whole archive in the browser, which can be cancelled @full", async ({
  browser,
}) => {
  const site = await startSite({ vars: { PLAN: "free" } });
  try {
    const context = await browser.newContext({ viewport: { width: 360, height: 740 } });
    const complaints = complaintsOf(context);
    const page = await context.newPage();
    await signInAsOwner(page, site);
    await openHydrated(page, `${site.url}/admin/settings/export`);
    await expect(page.getByText("Cloudflare’s free plan ends long requests.")).toBeVisible();
    await expectAccessible(page);

    const held: Route[] = [];
    await page.route("**/export/pieces*", (route) => void held.push(route));
    await page.getByRole("button", { name: "Make the archive" }).click();
    await expect(page.getByRole("progressbar", { name: "Reading the site" })).toBeVisible();
    await expect.poll(() => held.length).toBe(1);
    await expectAccessible(page);
    await page.getByRole("button", { name: "Cancel" }).click();
    await expect(page.getByRole("progressbar")).toHaveCount(0);
    await held[0]!.continue();
    await page.unroute("**/export/pieces*");

    const saved = page.waitForEvent("download");
    await page.getByRole("button", { name: "Make the archive" }).click();
    const download = await saved;
    expect(download.suggestedFilename()).toMatch(/^localhost-\d{4}-\d\d-\d\d\.zip$/);
    await expect(page.getByText("The archive is ready.")).toBeVisible();
    await expect(page.getByRole("link", { name: /^Save localhost/ })).toBeVisible();
    await expect(page.getByRole("button", { name: "Make it again" })).toBeVisible();
    await expectAccessible(page);

    const archive = await openArchive(new Blob([new Uint8Array(await readFile(await download.path()))]));
    await archive.check();
    expect(archive.manifest.tables.find(({ table }) => table === "episodes")?.rows).toBe(5);
    expect(archive.manifest.objects.total).toBeGreaterThan(1_000_000);
    await archive.close();
    expect(complaints).toEqual([]);
  } finally {
    await site.stop();
  }
});
