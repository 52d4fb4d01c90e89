import { expect } from "@playwright/test";
import { complaintsOf } from "./support/console.ts";
import { episodePath, site, test } from "./support/demo.ts";
import { openHydrated } from "./support/hydrated.ts";
import { barOf, play } from "./support/player.ts";
import { phone } from "./support/windows.ts";

test.use({ viewport: phone });

test("tabs stay in one line with their mark below @full", async ({ page }) => {
  for (const [path, name] of [
    ["/conversations", "Filter articles"],
    ["/search?q=housing", "What to search"],
  ] as const) {
    await page.goto(site.url + path);
    const tabs = page.getByRole("navigation", { name }).getByRole("link");
    const tops = await tabs.evaluateAll((all) => all.map((tab) => tab.getBoundingClientRect().top));
    expect(new Set(tops).size).toBe(1);
    const { borderTopColor, borderBottomColor } = await tabs
      .first()
      .evaluate((tab) => ({ ...getComputedStyle(tab) }) as CSSStyleDeclaration);
    expect(borderTopColor).toBe("rgba(0, 0, 0, 0)");
    expect(borderBottomColor).not.toBe("rgba(0, 0, 0, 0)");
  }
});

test("the search icon leads to a field that has the focus, as does the page itself @full", async ({
  page,
}) => {
  await openHydrated(page, `${site.url}/about`);
  await page.getByRole("banner").getByRole("link", { name: "Search" }).click();
  const field = page.getByRole("searchbox", { name: "Search for" });
  await expect(field).toBeFocused();
  await page.reload();
  await expect(field).toBeFocused();
});

test("a guest may leave https:// out of the profile's address @full", async ({ page }) => {
  await openHydrated(page, `${site.url}/guest`);
  const form = page.locator("form", { has: page.getByLabel("LinkedIn profile") });
  await form.getByLabel("LinkedIn profile").fill("linkedin.com/in/maren-holt");
  await form.getByRole("button", { name: "Submit application" }).click();
  await expect(form.getByLabel("LinkedIn profile")).toHaveValue("https://linkedin.com/in/maren-holt");
  await expect(form.getByLabel("LinkedIn profile")).not.toHaveAttribute("aria-invalid");
});

test("a phone's player bar shows 190 px of the title beside Play and Forward, in one line with a dot between its facts @full", async ({
  page,
}) => {
  await openHydrated(page, site.url + episodePath());
  await play(page);
  const bar = barOf(page);
  const title = bar.locator("button .headline");
  expect((await title.boundingBox())!.width).toBeGreaterThanOrEqual(190);
  await expect(bar.getByRole("button")).toHaveCount(3);
  for (const name of [/^Open player/, "Pause", "Forward 30 seconds"])
    await expect(bar.getByRole("button", { name })).toBeVisible();
  const [time, show] = await bar
    .getByRole("status")
    .evaluate((status) =>
      [...status.children]
        .filter((fact) => fact.checkVisibility())
        .map((fact) => fact.getBoundingClientRect().toJSON() as DOMRect),
    );
  expect(Math.round(show!.left - time!.right)).toBe(16);
  // What is cut is an element of its own within the fact.
  expect(show!.height).toBe(time!.height);
  expect(show!.top).toBe(time!.top);
});

test("at 768 and 1024 px the player bar shows 200 px of the title, above all buttons but the slider of the volume @full", async ({
  page,
}) => {
  await openHydrated(page, site.url + episodePath());
  await play(page);
  const bar = barOf(page);
  for (const width of [768, 1024]) {
    await page.setViewportSize({ width, height: 900 });
    const title = bar.locator("button .headline");
    // What a longer title has: its own, here, may be shorter.
    const room = await title.evaluate((element) => {
      element.textContent = "A title that is longer than any bar of a player ".repeat(8);
      return element.getBoundingClientRect().width;
    });
    expect(room, `at ${width}`).toBeGreaterThanOrEqual(200);
    for (const name of [
      "Previous episode",
      "Back 15 seconds",
      "Pause",
      "Forward 30 seconds",
      "Next episode",
      "Mute",
    ])
      await expect(bar.getByRole("button", { name }), `${name} at ${width}`).toBeInViewport({ ratio: 1 });
    const seek = (await bar.getByLabel("Seek").boundingBox())!;
    expect(seek.width, `at ${width}`).toBeGreaterThanOrEqual(180);
  }
});

type Shared = { shared: ShareData[] };

test("a phone shares by its own share sheet, and shows the links if it has none @full", async ({ page }) => {
  const complaints = complaintsOf(page.context());
  await page.addInitScript(() => {
    Object.assign(window, { shared: [] });
    navigator.share = (data) => {
      (window as unknown as Shared).shared.push(data!);
      return Promise.reject(new DOMException("The visitor dismissed it.", "AbortError"));
    };
  });
  const path = "/essays/the-second-appointment";
  await openHydrated(page, site.url + path);
  const group = page.getByRole("group", { name: "Share" });
  const button = group.getByRole("button", { name: "Share", exact: true });
  await expect(group.getByRole("link")).toHaveCount(0);
  await expect(group.getByRole("button")).toHaveText(["Share", "Copy link"]);
  await button.click();
  await expect
    .poll(() => page.evaluate(() => (window as unknown as Shared).shared))
    .toEqual([{ title: "The second appointment", url: site.url + path }]);
  await expect(group.getByRole("link")).toHaveCount(0);
  await page.evaluate(() => Object.assign(navigator, { share: undefined }));
  await button.click();
  await expect(group.getByRole("link")).toHaveText(["X", "Facebook", "LinkedIn", "Email"]);
  await expect(group.getByRole("link").first()).toBeFocused();
  await expect(button).toHaveCount(0);
  expect(complaints).toEqual([]);
});

test.describe("without scripts", () => {
  test.use({ javaScriptEnabled: false });

  test("a phone has the links to share, and an episode's own control in its first screens @full", async ({
    page,
  }) => {
    await page.goto(site.url + episodePath());
    const group = page.getByRole("group", { name: "Share" });
    await expect(group.getByRole("link")).toHaveText(["X", "Facebook", "LinkedIn", "Email"]);
    await expect(group.getByRole("button")).toHaveCount(0);
    const ways = page.getByRole("region", { name: "Other ways to listen" });
    const control = ways.locator("audio[controls]");
    await expect(control).toBeVisible();
    expect((await control.boundingBox())!.y).toBeLessThan(2 * phone.height);
  });
});
