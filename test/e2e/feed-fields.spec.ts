import { expect, type Page } from "@playwright/test";
import { expectNoAxeFindings } from "./support/axe.ts";
import { openHydrated } from "./support/hydrated.ts";
import { signInAsOwner } from "./support/owner.ts";
import { startSite, type Site } from "./support/site.ts";
import { test } from "./support/test.ts";
import { expectToast } from "./support/toasts.ts";
import { desktop } from "./support/windows.ts";

let site: Site;
test.beforeAll(async () => void (site = await startSite()));
test.afterAll(() => site.stop());
test.beforeEach(({ page }) => signInAsOwner(page, site));

const row = (page: Page, name: string) => page.getByRole("group", { name, exact: true });

const add = (page: Page, name: string) => page.getByRole("button", { name, exact: true }).click();

async function readFeed(page: Page) {
  const answer = await page.request.get(`${site.url}/rss/podcast.xml`);
  return answer.text();
}

test("places, recommended podcasts, support links, the publisher and texts of the podcast are in its feed", async ({
  page,
}) => {
  await page.setViewportSize(desktop);
  await openHydrated(page, `${site.url}/admin/podcast/show`);
  await add(page, "Add a place");
  await row(page, "place 1").getByLabel("Place", { exact: true }).fill("Dreamworld");
  await row(page, "place 1").getByLabel("OpenStreetMap ID").fill("43678282");
  await row(page, "place 1").getByLabel("Country").fill("au");
  await add(page, "Add a podcast");
  await row(page, "podcast 1").getByLabel("Title").fill("Podnews");
  await row(page, "podcast 1").getByLabel("Address of its feed").fill("https://podnews.net/rss");
  await add(page, "Add a support link");
  await row(page, "support link 2")
    .getByLabel("Support link", { exact: true })
    .fill("https://example.com/join");
  await page.getByLabel("The publisher’s feed").fill("https://example.com/publisher.xml");
  await add(page, "Add a text");
  await row(page, "text 1").getByLabel("Purpose").fill("verify");
  await row(page, "text 1").getByLabel("Text", { exact: true }).fill("S6lpp-7ZCn8");
  await page.getByRole("button", { name: "Save changes" }).click();
  await expect(row(page, "place 1").getByLabel("OpenStreetMap ID")).toHaveAccessibleDescription(
    /^Enter the letter N, W or R and the number, such as R113314\./,
  );
  await row(page, "place 1").getByLabel("OpenStreetMap ID").fill("w43678282");
  await page.getByRole("button", { name: "Save changes" }).click();
  await expectToast(page, "Podcast updated successfully!");
  await expectNoAxeFindings(page);
  const feed = await readFeed(page);
  for (const element of [
    '<podcast:location rel="subject" osm="W43678282" country="au">Dreamworld</podcast:location>',
    '<podcast:remoteItem feedGuid="9b024349-ccf0-5f69-a609-6b82873eab3c" feedUrl="https://podnews.net/rss" title="Podnews"/>',
    '<podcast:funding url="https://example.com/join">Support the show</podcast:funding>',
    '<podcast:remoteItem medium="publisher"',
    '<podcast:txt purpose="verify">S6lpp-7ZCn8</podcast:txt>',
  ])
    expect(feed).toContain(element);
  await openHydrated(page, `${site.url}/admin/podcast/show`);
  await expect(row(page, "podcast 1").getByLabel("Its podcast:guid")).toHaveValue("");
  await page.getByRole("button", { name: "Remove podcast 1" }).click();
  await page.getByRole("button", { name: "Save changes" }).click();
  await expectToast(page, "Podcast updated successfully!");
  expect(await readFeed(page)).not.toContain("podcast:podroll");
});

test("an episode's places and support links are in its item, and what its chapters have for apps in its document", async ({
  page,
}) => {
  await page.setViewportSize(desktop);
  await openHydrated(page, `${site.url}/admin/podcast/1`);
  await add(page, "Add a place");
  await row(page, "place 1").getByLabel("Place", { exact: true }).fill("Wirrabee");
  await row(page, "place 1").getByLabel("What the place is").selectOption("Where it’s recorded");
  await row(page, "place 1").getByLabel("Coordinates").fill("-33.91, 151.16");
  await add(page, "Add a support link");
  await row(page, "support link 1")
    .getByLabel("Support link", { exact: true })
    .fill("https://example.com/clinic");
  await row(page, "support link 1").getByLabel("Support link text").fill("Give to the clinic");
  const chapter = row(page, "chapter 2");
  await chapter.getByText("For apps").click();
  await chapter.getByLabel("Chapter picture").fill("https://example.com/map.jpg");
  await chapter.getByLabel("Ends at").fill("0:0x");
  await expect(chapter.getByText("Enter a time such as 1:15.")).toBeVisible();
  await chapter.getByLabel("Ends at").fill("0:40.5");
  await chapter.getByLabel("In the list of chapters").selectOption("No, only its picture or link");
  const title = await chapter.getByLabel("Title", { exact: true }).inputValue();
  await page.keyboard.press("ControlOrMeta+s");
  await expectToast(page, "Episode updated successfully!");
  const feed = await readFeed(page);
  expect(feed).toContain(
    '<podcast:location rel="creator" geo="geo:-33.91,151.16">Wirrabee</podcast:location>',
  );
  expect(feed).toContain(
    '<podcast:funding url="https://example.com/clinic">Give to the clinic</podcast:funding>',
  );
  const answer = await page.request.get(`${site.url}/episode/1/chapters.json`);
  const { chapters } = (await answer.json()) as { chapters: object[] };
  expect(chapters[1]).toMatchObject({
    title,
    toc: false,
    img: "https://example.com/map.jpg",
    endTime: 40.5,
  });
  await page.goto(`${site.url}/episode/1`);
  await expect(page.getByRole("region", { name: "Chapters" }).getByText(title)).toHaveCount(0);
});

test("further files from the library and discussions elsewhere are in an episode's item @full", async ({
  page,
}) => {
  await page.setViewportSize(desktop);
  await openHydrated(page, `${site.url}/admin/podcast/2`);
  const dialog = page.getByRole("dialog", { name: "Choose from files" });
  await page.getByRole("button", { name: "Choose from files: a video" }).click();
  await expect(dialog).toBeVisible();
  await page.keyboard.press("Escape");
  for (const _ of [1, 2]) {
    await page.getByRole("button", { name: "Choose from files: an audio file" }).click();
    await dialog.getByRole("button", { name: /\.mp3/ }).first().click();
  }
  await row(page, "file 1")
    .getByLabel(/^Name of /)
    .fill("Low bandwidth");
  await page.getByRole("button", { name: "Remove file 2" }).click();
  await add(page, "Add a discussion");
  const post = row(page, "discussion 1").getByLabel("Address of the post");
  await post.fill("mastodon");
  await page.keyboard.press("ControlOrMeta+s");
  await expect(post).toHaveAccessibleDescription("Enter a full address, such as https://example.com/page.");
  await post.fill("https://social.example/@imogen/1");
  await row(page, "discussion 1").getByLabel("Account").fill("@imogen@social.example");
  await page.keyboard.press("ControlOrMeta+s");
  await expectToast(page, "Episode updated successfully!");
  await expectNoAxeFindings(page);
  const feed = await readFeed(page);
  expect(feed).toMatch(
    /<podcast:alternateEnclosure type="audio\/mpeg" length="\d+" bitrate="\d+" title="Low bandwidth"><podcast:source uri="[^"]+\.mp3"\/>/,
  );
  expect(feed).toContain(
    '<podcast:socialInteract protocol="activitypub" uri="https://social.example/@imogen/1" accountId="@imogen@social.example" priority="1"/>',
  );
  await page.goto(`${site.url}/episode/2`);
  const versions = page.getByRole("region", { name: "Other versions" });
  await expect(versions.getByRole("link", { name: "Low bandwidth" })).toHaveAttribute("href", /\.mp3$/);
  await expect(versions).toContainText(/MP3, \d\.\d MB/);
  await expect(
    page
      .getByRole("region", { name: "Discussions" })
      .getByRole("link", { name: "Discuss on social.example" }),
  ).toHaveAttribute("href", "https://social.example/@imogen/1");
  await expectNoAxeFindings(page);
});
