import { expect, type Page } from "@playwright/test";
import { expectNoAxeFindings } from "./support/axe.ts";
import { site, test } from "./support/demo.ts";
import { hold } from "./support/hold.ts";
import { openHydrated } from "./support/hydrated.ts";
import { signInAsOwner } from "./support/owner.ts";

test.beforeEach(({ page }) => signInAsOwner(page, site));

const choose = (page: Page, name: string) =>
  page
    .getByLabel("Read a transcript file")
    .setInputFiles(new URL(`../fixtures/transcripts/${name}`, import.meta.url).pathname);

test("a transcript file shows its format, its encoding and what was changed @full", async ({ page }) => {
  await openHydrated(page, `${site.url}/admin/podcast/new`);
  const transcript = page.getByRole("textbox", { name: "Transcript", exact: true });
  await choose(page, "windows-1252.srt");
  await expect(page.getByText("Read as SRT in Windows-1252 (Latin-1), with 1 cue.")).toBeVisible();
  await expect(transcript).toHaveValue(/Das größte Café/);

  await choose(page, "utf-16.srt");
  await expect(page.getByText("Read as SRT in UTF-16 (little-endian), with 1 cue.")).toBeVisible();

  await choose(page, "times.srt");
  await expect(page.getByText("1 cue overlapped the next, and now ends where that begins.")).toBeVisible();
  await expect(transcript).toHaveValue(/^WEBVTT\n/);
  await expectNoAxeFindings(page);
});

test("a file that cannot be read is refused with its line, and the typed text remains @full", async ({
  page,
}) => {
  await openHydrated(page, `${site.url}/admin/podcast/new`);
  const transcript = page.getByRole("textbox", { name: "Transcript", exact: true });
  await transcript.fill("Typed before.");
  await choose(page, "broken.json");
  await expect(page.getByRole("alert").filter({ hasText: "Line 4: segment 2 has no start" })).toContainText(
    "It was read as JSON. Correct it there, or export it as SRT or WebVTT, and try again.",
  );
  await expect(transcript).toHaveValue("Typed before.");
  await page
    .getByLabel("Read a transcript file")
    .setInputFiles(new URL("../fixtures/speech.ogg", import.meta.url).pathname);
  await expect(page.getByRole("alert").filter({ hasText: "This file isn’t text" })).toBeVisible();
});

test("of two files the one that was chosen last counts, whichever is read first @full", async ({ page }) => {
  await openHydrated(page, `${site.url}/admin/podcast/new`);
  const transcript = page.getByRole("textbox", { name: "Transcript", exact: true });
  const release = await hold(page, "**/check-transcript", { times: 1 });
  await choose(page, "windows-1252.srt");
  await expect(page.getByText("Reading the transcript…")).toBeVisible();
  await choose(page, "utf-16.srt");
  await expect(page.getByText("Read as SRT in UTF-16 (little-endian), with 1 cue.")).toBeVisible();
  const read = await transcript.inputValue();
  const answered = page.waitForResponse("**/check-transcript");
  release();
  await (await answered).finished();
  await expect(page.getByText("Windows-1252")).toHaveCount(0);
  await expect(transcript).toHaveValue(read);
});

test("names before what they say are offered as voices, shown, and accepted @full", async ({ page }) => {
  await openHydrated(page, `${site.url}/admin/podcast/new`);
  const transcript = page.getByRole("textbox", { name: "Transcript", exact: true });
  await choose(page, "descript.srt");
  const offer = page.getByRole("group", { name: "Speakers in this transcript" });
  await expect(offer).toContainText("Are these names of speakers? Zoë Ash, Fred.");
  await expect(offer.getByRole("term").first()).toHaveText("Zoë Ash");
  await expect(offer.getByRole("definition").first()).toHaveText("Welcome to Plain Ground.");
  await expect(transcript).toHaveValue(/\nZoë Ash: Welcome to Plain Ground\./);
  await expectNoAxeFindings(page);
  await offer.getByRole("button", { name: "Use as speakers" }).click();
  await expect(offer).toHaveCount(0);
  await expect(transcript).toHaveValue(/\n<v Zoë Ash>Welcome to Plain Ground\./);
  await expect(page.getByText("The names are now speakers.")).toBeVisible();
});
