import { expect } from "@playwright/test";
import { expectNoAxeFindings } from "./support/axe.ts";
import { complaintsOf } from "./support/console.ts";
import { episodePath, episodes, site, test } from "./support/demo.ts";
import { openHydrated } from "./support/hydrated.ts";
import { barOf } from "./support/player.ts";
import { expectToast, watchToasts } from "./support/toasts.ts";
import { phone } from "./support/windows.ts";

test.use({ serviceWorkers: "allow", permissions: ["clipboard-read", "clipboard-write"] });

test.describe("without scripts", () => {
  test.use({ javaScriptEnabled: false });

  test("an episode's page has share links, and none of the buttons that need scripts @full", async ({
    page,
  }) => {
    await page.goto(site.url + episodePath());
    const main = page.getByRole("main");
    const share = main.getByRole("group", { name: "Share" });
    const url = encodeURIComponent(site.url + episodePath());
    const addresses = {
      "Share on X": "https://twitter.com/intent/tweet?",
      "Share on Facebook": "https://www.facebook.com/sharer/sharer.php?",
      "Share on LinkedIn": "https://www.linkedin.com/sharing/share-offsite/?",
      "Share by email": "mailto:?",
    };
    for (const [name, start] of Object.entries(addresses)) {
      const href = (await share.getByRole("link", { name }).getAttribute("href"))!;
      expect(href.slice(0, start.length)).toBe(start);
      expect(href).toContain(url);
    }
    for (const name of ["Copy link", "Copy embed code", "Keep offline"])
      await expect(main.getByRole("button", { name })).toHaveCount(0);
  });
});

test("an episode's page copies its link and its embed code", async ({ page, context }) => {
  await watchToasts(context);
  await openHydrated(page, site.url + episodePath());
  const share = page.getByRole("main").getByRole("group", { name: "Share" });
  const copied = () => page.evaluate(() => navigator.clipboard.readText());
  await share.getByRole("button", { name: "Copy link" }).click();
  await expectToast(page, "Link copied! The link has been copied to your clipboard.");
  expect(await copied()).toBe(site.url + episodePath());
  await share.getByRole("button", { name: "Copy embed code" }).press("Enter");
  await expectToast(page, "Embed code copied!");
  expect(await copied()).toContain(`<iframe src="${site.url}/embed/episode/${episodes[0]!.id}" title=`);
});

test("an episode can be saved offline from its page while nothing plays, and is listed after a reload @full", async ({
  page,
}) => {
  const complaints = complaintsOf(page.context());
  await page.setViewportSize(phone);
  await openHydrated(page, site.url + episodePath());
  const main = page.getByRole("main");
  const keep = main.getByRole("button", { name: "Keep offline" });
  const kept = main.getByRole("button", { name: "Kept offline" });
  const cancel = main.getByRole("button", { name: "Cancel download" });
  const { title } = episodes[0]!;

  // A download that the listener cancels.
  await page.evaluate(() => {
    const ask = window.fetch;
    window.fetch = (input, init) => {
      if (!String(input).includes("/media/")) return ask(input, init);
      window.fetch = ask;
      const signal = init!.signal!;
      return new Promise((_, reject) => {
        const stop = () => reject(new DOMException("Stopped", "AbortError"));
        if (signal.aborted) stop();
        else signal.addEventListener("abort", stop);
      });
    };
  });
  await keep.press("Enter");
  await expect(main.getByRole("progressbar", { name: "Download" })).toBeVisible();
  await expect(cancel).toBeFocused();
  await cancel.press("Enter");
  await expect(keep).toBeFocused();

  await keep.press("Enter");
  await expect(kept).toBeFocused();
  await expect(barOf(page)).toHaveCount(0);
  await page.reload();
  await expect(kept).toBeVisible();
  for (const colorScheme of ["light", "dark"] as const) {
    await page.emulateMedia({ colorScheme });
    await expectNoAxeFindings(page);
  }
  await openHydrated(page, site.url + episodePath(1));
  await expect(main.getByRole("button", { name: "Offline storage" })).toBeVisible();
  await expect(keep).toBeVisible();

  await openHydrated(page, site.url + episodePath());
  await main.getByRole("button", { name: "Offline storage" }).click();
  const storage = page.getByRole("dialog", { name: "Offline storage" });
  await storage.getByRole("button", { name: `Remove ${title}` }).click();
  await expect(storage).toContainText("No episodes kept yet.");
  await page.keyboard.press("Escape");
  await expect(keep).toBeVisible();
  expect(complaints).toEqual([]);
});

for (const width of [320, 360, 768, 1440])
  test(`the buttons of an episode's page have whole labels and fit into ${width} px @full`, async ({
    page,
  }) => {
    await page.setViewportSize({ width, height: 800 });
    await openHydrated(page, site.url + episodePath());
    const main = page.getByRole("main");
    for (const name of ["Keep offline", "Copy link", "Copy embed code"]) {
      const box = (await main.getByRole("button", { name }).boundingBox())!;
      expect(box.height, name).toBeLessThan(44);
      expect(box.x + box.width, name).toBeLessThanOrEqual(width);
    }
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(width);
  });
