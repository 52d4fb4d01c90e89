import { expect, type Browser, type Locator, type Page } from "@playwright/test";
import { episodePath, site, test } from "./support/demo.ts";
import { openHydrated } from "./support/hydrated.ts";
import { barOf } from "./support/player.ts";

/** The site in forced colours, where the user's own colours replace the site's. */

test("forced colours show the current page, the selection and the playing position @full", async ({
  browser,
}) => {
  const page = await openForced(browser);
  await openHydrated(page, `${site.url}/podcast`);
  const [highlight, text] = await Promise.all([colorOf(page, "Highlight"), colorOf(page, "CanvasText")]);
  const expectFrame = async (of: Locator) => {
    await expect(of).toHaveCSS("outline-style", "solid");
    await expect(of).toHaveCSS("outline-color", highlight);
  };
  const main = page.getByRole("navigation", { name: "Main" });
  await expectFrame(main.getByRole("link", { name: "Podcast" }));
  await expect(main.getByRole("link", { name: "About" })).toHaveCSS("outline-style", "none");
  // Transparent lines remain invisible.
  const canvas = await colorOf(page, "Canvas");
  await expect(main.getByRole("link", { name: "About" })).toHaveCSS("border-bottom-color", canvas);
  const theme = page.getByRole("contentinfo").getByRole("group", { name: "Colour theme" });
  await expectFrame(theme.locator("label", { hasText: "System" }));

  await openHydrated(page, site.url + episodePath());
  await page
    .getByRole("button", { name: /^Play in Audio Player|^Play$/ })
    .first()
    .click();
  const bar = barOf(page);
  const seek = bar.getByRole("slider", { name: "Seek" });
  await expect(seek).toBeEnabled();
  await bar.getByRole("button", { name: "Pause", exact: true }).click();
  await seek.fill("60");
  for (const slider of [seek, bar.getByRole("slider", { name: "Volume" })]) {
    await expect(slider).toHaveCSS("forced-color-adjust", "none");
    // The rest of the line and the thumb, on the ground; and the played part, whose colour may be translucent.
    await expect.poll(() => colorsIn(page, slider)).toEqual(expect.arrayContaining([canvas, text]));
    expect((await colorsIn(page, slider)).length).toBeGreaterThan(2);
  }
  await bar.getByRole("button", { name: /^Open player/ }).click();
  const sheet = page.getByRole("dialog");
  await expectFrame(sheet.getByRole("tab", { name: "Chapters" }));
  await expectFrame(sheet.locator('[aria-current="true"]').first());
  await page.context().close();
});

async function openForced(browser: Browser) {
  const context = await browser.newContext({
    forcedColors: "active",
    reducedMotion: "reduce",
    viewport: { width: 1440, height: 900 },
  });
  return context.newPage();
}

/** A colour of the person's, as the browser writes it. */
const colorOf = (page: Page, name: string) =>
  page.evaluate((keyword) => {
    const probe = document.body.appendChild(document.createElement("span"));
    probe.style.color = keyword;
    const { color } = getComputedStyle(probe);
    probe.remove();
    return color;
  }, name);

/** The colours that more than a few pixels of it have. */
async function colorsIn(page: Page, of: Locator) {
  const picture = await of.screenshot();
  const bytes = picture.toString("base64");
  return page.evaluate(async (encoded) => {
    const data = Uint8Array.from(atob(encoded), (char) => char.charCodeAt(0));
    const image = await createImageBitmap(new Blob([data], { type: "image/png" }));
    const canvas = new OffscreenCanvas(image.width, image.height);
    const context = canvas.getContext("2d")!;
    context.drawImage(image, 0, 0);
    const pixels = context.getImageData(0, 0, image.width, image.height).data;
    const counts = new Map<string, number>();
    for (let at = 0; at < pixels.length; at += 4) {
      const color = `rgb(${pixels[at]}, ${pixels[at + 1]}, ${pixels[at + 2]})`;
      counts.set(color, (counts.get(color) ?? 0) + 1);
    }
    return [...counts].filter(([, count]) => count > 20).map(([color]) => color);
  }, bytes);
}
