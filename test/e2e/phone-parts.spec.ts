import { expect } from "@playwright/test";
import { site, test } from "./support/demo.ts";
import { openHydrated } from "./support/hydrated.ts";
import { phone } from "./support/windows.ts";

test.use({ viewport: phone });

test("tabs stay in one line with their mark below", async ({ page }) => {
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

test("the search icon leads to a field that has the focus, as does the page itself", async ({ page }) => {
  await openHydrated(page, `${site.url}/about`);
  await page.getByRole("banner").getByRole("link", { name: "Search" }).click();
  const field = page.getByRole("searchbox", { name: "Search for" });
  await expect(field).toBeFocused();
  await page.reload();
  await expect(field).toBeFocused();
});

test("a guest may leave https:// out of the profile's address", async ({ page }) => {
  await openHydrated(page, `${site.url}/guest`);
  const form = page.locator("form", { has: page.getByLabel("LinkedIn profile") });
  await form.getByLabel("LinkedIn profile").fill("linkedin.com/in/maren-holt");
  await form.getByRole("button", { name: "Submit application" }).click();
  await expect(form.getByLabel("LinkedIn profile")).toHaveValue("https://linkedin.com/in/maren-holt");
  await expect(form.getByLabel("LinkedIn profile")).not.toHaveAttribute("aria-invalid");
});
