import { expect, type Page } from "@playwright/test";
import { site, test } from "./support/demo.ts";
import { openHydrated } from "./support/hydrated.ts";
import { signInAsOwner } from "./support/owner.ts";

test.use({
  hasTouch: true,
  isMobile: true,
  viewport: { width: 390, height: 844 },
  contextOptions: { reducedMotion: "reduce" },
});

/** iOS enlarges the page around a smaller field that is tapped, and leaves it so. */
const SMALLEST = 16;

const smallFields = (page: Page) =>
  page.locator("input, textarea, select").evaluateAll(
    (fields, smallest) =>
      fields
        .filter(
          (field) =>
            !/^(?:hidden|checkbox|radio|range|color|file|submit)$/.test(field.getAttribute("type") ?? ""),
        )
        .filter((field) => parseFloat(getComputedStyle(field).fontSize) < smallest)
        .map(
          (field) =>
            `${field.tagName} ${field.getAttribute("name") ?? field.getAttribute("aria-label") ?? field.id}`,
        ),
    SMALLEST,
  );

const paths = [
  "/",
  "/contact",
  "/guest",
  "/speaking/book",
  "/search?q=housing",
  "/essays/the-second-appointment",
  "/admin/account",
  "/admin/articles",
  "/admin/articles/new",
  "/admin/articles/categories",
  "/admin/articles/elsewhere",
  "/admin/articles/linkedin",
  "/admin/articles/update",
  "/admin/articles/pages/about",
  "/admin/media/new",
  "/admin/media/campaigns/new",
  "/admin/media/posts/new",
  "/admin/podcast/files",
  "/admin/podcast",
  "/admin/podcast/new",
  "/admin/podcast/show",
  "/admin/podcast/move",
  "/admin/ventures/new",
  "/admin/speaking",
  "/admin/newsletter/new",
  "/admin/newsletter/subscribers",
  "/admin/newsletter/subscribers/import",
  "/admin/guests",
  "/admin/guests/person",
  "/admin/settings/general",
  "/admin/settings/email",
  "/admin/settings/features",
  "/admin/settings/security",
  "/admin/users",
];

test("no field of a form has letters of less than 16 px on a phone", async ({ page }) => {
  await signInAsOwner(page, site);
  const found: Record<string, string[]> = {};
  for (const path of paths) {
    await openHydrated(page, site.url + path);
    const small = await smallFields(page);
    if (small.length > 0) found[path] = small;
  }
  expect(found).toEqual({});
});
