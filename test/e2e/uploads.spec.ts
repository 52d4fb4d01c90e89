import { expect, type Page } from "@playwright/test";
import { expectNoAxeFindings } from "./support/axe.ts";
import { openHydrated } from "./support/hydrated.ts";
import { signInAsOwner } from "./support/owner.ts";
import { startSite, type Site } from "./support/site.ts";
import { test } from "./support/test.ts";
import { expectToast } from "./support/toasts.ts";

let site: Site;
let page: Page;
test.describe.configure({ mode: "serial" });
test.beforeAll(async ({ browser }) => {
  site = await startSite();
  page = await (await browser.newContext()).newPage();
  await signInAsOwner(page, site);
});
test.afterAll(() => site?.stop());

const fixture = (name: string) => new URL(`../fixtures/${name}`, import.meta.url).pathname;

/** A photograph of that size, encoded by the browser. */
async function aPicture(width: number, height: number) {
  const url = await page.evaluate(
    ([across, down]) => {
      const canvas = document.createElement("canvas");
      [canvas.width, canvas.height] = [across!, down!];
      const context = canvas.getContext("2d")!;
      context.fillStyle = "seagreen";
      context.fillRect(0, 0, across!, down!);
      context.fillStyle = "gold";
      context.fillRect(across! / 2 - 400, down! / 2 - 400, 800, 800);
      return canvas.toDataURL("image/jpeg");
    },
    [width, height],
  );
  const buffer = Buffer.from(url.slice(url.indexOf(",") + 1), "base64");
  return { name: `cover-${width}.jpg`, mimeType: "image/jpeg", buffer };
}

test.describe("the podcast's artwork", () => {
  const field = () => page.getByLabel("Artwork", { exact: true });
  const copy = () => page.getByRole("button", { name: "Use this copy" });
  const save = () => page.getByRole("button", { name: "Save changes" });

  test("that does not fit is refused with the reason, and a fitting copy is saved @full", async () => {
    await openHydrated(page, `${site.url}/admin/podcast/show`);
    await expect(copy()).toHaveCount(0);
    await field().setInputFiles(await aPicture(3600, 2000));
    const reason = "The artwork is 3600 × 2000 px; podcast apps need a square of 1400 to 3000 px.";
    await expect(page.getByRole("status").getByText(reason)).toBeVisible();
    await save().click();
    await expect(page.getByRole("alert").getByText(reason).first()).toBeVisible();
    await expect(field()).toHaveAccessibleDescription(new RegExp(reason.replaceAll(".", "\\.")));
    await expectNoAxeFindings(page);
    await copy().click();
    await expect(page.getByText("2000 × 2000 px").last()).toBeVisible();
    await expect(page.getByText(reason)).toHaveCount(0);
    await expect(copy()).toHaveCount(0);
    await save().click();
    await expectToast(page, "Podcast updated successfully!");
  });

  test("that is too small has no copy @full", async () => {
    await field().setInputFiles(await aPicture(900, 900));
    await expect(page.getByText("Apple requires 1400 to 3000 px each side.")).toBeVisible();
    await expect(copy()).toHaveCount(0);
  });
});

test.describe("an episode's audio", () => {
  const field = () => page.getByLabel("Audio file", { exact: true });

  test("may be an MP4 of sound, and no video @full", async () => {
    page.once("dialog", (dialog) => void dialog.accept());
    await openHydrated(page, `${site.url}/admin/podcast/new`);
    await field().setInputFiles(fixture("video.mp4"));
    await expect(page.getByText("This is a video. Export only its audio")).toBeVisible();
    await page.getByRole("button", { name: "Choose another file" }).click();
    await field().setInputFiles(fixture("speech.mp4"));
    await expect(page.getByText("4 KB · 0:02")).toBeVisible();
  });

  test("that another episode has is published when that is confirmed @full", async () => {
    const first = await page.request.get(`${site.url}/api/admin/episodes/1`);
    const { audioFileId, title } = ((await first.json()) as { values: Record<string, string> }).values;
    const made = await page.request.post(`${site.url}/api/admin/episodes`, {
      data: { title: "A double", audioFileId },
    });
    const { id } = (await made.json()) as { id: number };
    page.once("dialog", (dialog) => void dialog.accept());
    await openHydrated(page, `${site.url}/admin/podcast/${id}`);
    await page.getByLabel("Status").selectOption("published");
    await page.getByRole("button", { name: "Publish episode" }).click();
    const question = page.getByRole("alertdialog", { name: "Before you publish" });
    await expect(question.getByText(`“${title}” has the same audio`)).toBeVisible();
    await question.getByRole("button", { name: "Publish anyway" }).click();
    await expectToast(page, "Episode published successfully!");
    await page.request.delete(`${site.url}/api/admin/episodes/${id}`);
  });
});
