import { readFile } from "node:fs/promises";
import { expect, type Route } from "@playwright/test";
import { openArchive, openFilesArchive } from "../../src/admin/restore/archive.ts";
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
    await expect(page.getByText("The zip is ready.")).toBeVisible();
    await expect(page.getByRole("link", { name: /^Save localhost/ })).toBeVisible();
    await expect(page.getByRole("button", { name: "Make it again" })).toBeVisible();
    await expectAccessible(page);

    const archive = await openArchive(new Blob([new Uint8Array(await readFile(await download.path()))]));
    await archive.check();
    expect(archive.manifest.tables.find(({ table }) => table === "episodes")?.rows).toBe(5);
    expect(archive.manifest.objects.total).toBeGreaterThan(1_000_000);
    await archive.close();

    const addMeanwhile = async (route: Route) => {
      await page.request.post(`${site.url}/api/admin/articles`, {
        data: { title: "Meanwhile" },
        headers: { Origin: site.url },
      });
      await route.continue();
    };
    await page.route("**/export/pieces*", addMeanwhile, { times: 1 });
    await page.getByRole("button", { name: "Make it again" }).click();
    await expect(page.getByRole("alert").getByText(/^A text was added or got another address/)).toBeVisible();
    await expect(page.getByRole("button", { name: "Make the archive" })).toBeVisible();
    await expectAccessible(page);
    expect(complaints).toEqual([]);
  } finally {
    await site.stop();
  }
});

test("on the free plan, the browser makes the zips of the files that the site has not read @full", async ({
  browser,
}) => {
  const site = await startSite({ vars: { PLAN: "free" } });
  try {
    await site.env.DB.prepare("delete from object_hashes").run();
    const context = await browser.newContext({ viewport: { width: 360, height: 740 } });
    const complaints = complaintsOf(context);
    const page = await context.newPage();
    await signInAsOwner(page, site);
    await openHydrated(page, `${site.url}/admin/settings/export`);
    await page.getByRole("button", { name: "List the downloads" }).click();
    await expect(page.getByText("Your browser makes their zips:")).toBeVisible();
    await expectAccessible(page);
    const makers = page.getByRole("button", { name: /^Make part \d+$/ });
    const count = await makers.count();
    let files = 0;
    for (let part = 1; part <= count; part++) {
      const saved = page.waitForEvent("download");
      await page.getByRole("button", { name: `Make part ${part}`, exact: true }).click();
      const download = await saved;
      expect(download.suggestedFilename()).toMatch(new RegExp(`^localhost.*-files-${part}\\.zip$`));
      const zip = await openFilesArchive(new Blob([new Uint8Array(await readFile(await download.path()))]));
      expect(zip.manifest).toMatchObject({ part, of: count });
      for (const object of zip.manifest.objects) {
        const stored = await site.env.MEDIA.get(object.key);
        expect(Buffer.from(await (await zip.read(object)).arrayBuffer())).toEqual(
          Buffer.from(await stored!.arrayBuffer()),
        );
        expect(object.http).toEqual(stored!.httpMetadata);
      }
      files += zip.manifest.objects.length;
      await zip.close();
    }
    await expectAccessible(page);
    const listed = (await site.env.MEDIA.list()).objects.length;
    expect(files).toBeLessThanOrEqual(listed);
    expect(files).toBeGreaterThan(10);

    const [first] = (await site.env.MEDIA.list({ prefix: "podcast-audio/" })).objects;
    await site.env.MEDIA.delete(first!.key);
    const again = page.getByRole("button", { name: /^Make part \d+ again$/ });
    const refused = page.getByText("The files have changed. List them again.");
    for (let n = 0; n < count && (await refused.count()) === 0; n++) {
      await again.nth(n).click();
      await expect(page.getByRole("progressbar")).toHaveCount(0);
    }
    await expect(refused).toBeVisible();
    expect(complaints.filter((text) => !text.includes("404"))).toEqual([]);
  } finally {
    await site.stop();
  }
});
