import { expect, type Page } from "@playwright/test";
import { episodePath, site, test } from "./support/demo.ts";
import { signInAsOwner } from "./support/owner.ts";

/** What is printed: A4 has 794 px, less the margins. */
const paper = { width: 673, height: 1002 };

async function printed(page: Page, path: string) {
  await page.setViewportSize(paper);
  await page.goto(site.url + path);
  await page.emulateMedia({ media: "print", colorScheme: "dark" });
}

/** What has a box on paper. */
const shownOf = (page: Page, selector: string) =>
  page
    .locator(selector)
    .evaluateAll((elements) =>
      elements
        .filter((element) => element.getClientRects().length > 0)
        .map((element) => element.outerHTML.slice(0, 120)),
    );

/** Would be printed on each page, over its lines. */
const repeated = (page: Page) =>
  page.locator("body *").evaluateAll((elements) =>
    elements
      .filter((element) => {
        const { position, visibility } = getComputedStyle(element);
        const { width, height } = element.getBoundingClientRect();
        return ["fixed", "sticky"].includes(position) && visibility === "visible" && width * height > 1;
      })
      .map((element) => element.outerHTML.slice(0, 120)),
  );

/** Texts of which one lies over the other. */
const covered = (page: Page) =>
  page.evaluate(() => {
    const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    const lines: { text: string; box: DOMRect }[] = [];
    while (texts.nextNode()) {
      const range = document.createRange();
      range.selectNodeContents(texts.currentNode);
      const shown = texts.currentNode.parentElement!.checkVisibility({ visibilityProperty: true });
      const isClipped = texts.currentNode.parentElement!.closest(".sr-only");
      if (!shown || isClipped || !texts.currentNode.textContent!.trim()) continue;
      for (const box of range.getClientRects()) {
        if (box.width > 1) lines.push({ text: texts.currentNode.textContent!.slice(0, 40), box });
      }
    }
    return lines.flatMap((one, at) =>
      lines
        .slice(at + 1)
        .filter(
          ({ text, box }) =>
            text !== one.text &&
            Math.min(one.box.right, box.right) - Math.max(one.box.left, box.left) > 4 &&
            // Lines that follow each other have boxes that touch.
            Math.min(one.box.bottom, box.bottom) - Math.max(one.box.top, box.top) > one.box.height / 2,
        )
        .map(({ text }) => `${one.text} / ${text}`),
    );
  });

const pagesOf = (pdf: Buffer) => pdf.toString("latin1").match(/\/Type\s*\/Page\b(?!s)/g)?.length ?? 0;

const paths = [
  "/",
  "/about",
  "/media-kit",
  "/essays/what-the-bus-timetable-knows",
  "/essays",
  "/speaking",
  "/podcast",
  "/letters",
  "/petitions",
  "/privacy-policy",
  "/contact",
];

for (const path of [...paths, "an episode"]) {
  test(`${path} is printed with its text alone, and its header once${path === "/essays/what-the-bus-timetable-knows" ? "" : " @full"}`, async ({
    page,
  }) => {
    await printed(page, path === "an episode" ? episodePath() : path);
    expect(await repeated(page)).toEqual([]);
    const rest =
      "nav, button, .button, form, audio, video, iframe, [data-shares], body > div > footer, [popover]";
    expect(await shownOf(page, rest)).toEqual([]);
    expect(await covered(page)).toEqual([]);
    const header = page.locator("body > div > header");
    await expect(header).toHaveText(/\S/);
    const [name, main] = await Promise.all([header.boundingBox(), page.getByRole("main").boundingBox()]);
    expect(name!.y).toBe(0);
    expect(name!.y + name!.height).toBeLessThanOrEqual(main!.y);
    // The day's ink, although the system is dark.
    await expect(page.locator("body")).toHaveCSS("color", "rgb(28, 26, 22)");
    const [content, width] = await page.evaluate(() => [document.body.scrollWidth, innerWidth]);
    expect(content).toBeLessThanOrEqual(width!);
    expect(pagesOf(await page.pdf({ format: "A4" }))).toBeGreaterThan(0);
  });
}

test("a running text is printed with the addresses of its links @full", async ({ page }) => {
  await printed(page, "/media-kit");
  const addresses = await page.evaluate(() => {
    const text = document.createElement("div");
    text.className = "reading";
    text.innerHTML = '<p>See <a href="https://example.org/a">there</a> and <a href="/about">here</a>.</p>';
    document.querySelector("main article")!.appendChild(text);
    return [...text.querySelectorAll("a")].map((link) => getComputedStyle(link, "::after").content);
  });
  expect(addresses).toEqual([expect.stringContaining("https://example.org/a"), "none"]);
});

test("a campaign is printed with the address of its form, and without the form's empty frame @full", async ({
  page,
}) => {
  await printed(page, "/petitions");
  const campaign = page.getByRole("article");
  await expect(campaign.getByRole("link", { name: /^open it on/ })).toBeVisible();
  await expect(campaign.getByText("The form above")).toBeHidden();
  await expect(campaign.getByText("Loading the form")).toBeHidden();
  expect(pagesOf(await page.pdf({ format: "A4" }))).toBe(1);
});

test("an open transcript is printed to its end, over several pages @full", async ({ page }) => {
  await printed(page, `${episodePath()}?t=60`);
  await expect(page.locator("details ol > li").last()).toBeVisible();
  expect(pagesOf(await page.pdf({ format: "A4" }))).toBeGreaterThan(1);
});

test("admin lists and figures are printed without buttons and search fields @full", async ({ page }) => {
  await signInAsOwner(page, site);
  for (const path of ["/admin/articles", "/admin/podcast", "/admin/analytics"]) {
    await printed(page, path);
    const rest = "header nav, nav, button, .button, [role=search]";
    expect(await shownOf(page, rest), path).toEqual([]);
    await expect(page.getByRole("heading", { level: 1 })).toBeVisible();
    await expect(page.getByRole("row").nth(1)).toBeVisible();
  }
});
