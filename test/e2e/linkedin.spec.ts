import { expect, type Page } from "@playwright/test";
import { startLinkedIn, type Account } from "../support/linkedin-server.ts";
import { expectAccessible } from "./support/accessible.ts";
import { openHydrated } from "./support/hydrated.ts";
import { signInAsOwner } from "./support/owner.ts";
import { startSite, type Site } from "./support/site.ts";
import { test } from "./support/test.ts";
import { expectToast } from "./support/toasts.ts";

const TOKEN = "a-token";
const DAY = 86_400_000;

let linkedIn: Awaited<ReturnType<typeof startLinkedIn>>;
let site: Site;
let page: Page;

test.describe.configure({ mode: "serial" });
test.beforeAll(async ({ browser }) => {
  linkedIn = await startLinkedIn();
  site = await startSite({
    vars: {
      LINKEDIN_TOKEN: TOKEN,
      LINKEDIN_URL: `http://127.0.0.1:${linkedIn.port}`,
      IMPORT_LOOPBACK: "on",
    },
  });
  page = await (await browser.newContext({ viewport: { width: 1440, height: 900 } })).newPage();
  await signInAsOwner(page, site);
});
test.afterAll(async () => {
  await site?.stop();
  linkedIn?.stop();
});

const account = (): Account => linkedIn.accounts.get(TOKEN)!;
const heading = (name: string | RegExp) => page.getByRole("heading", { name });
const button = (name: string | RegExp) => page.getByRole("button", { name, exact: typeof name === "string" });
const row = (words: string) => page.getByRole("listitem").filter({ hasText: words }).last();

function setUp(fields: Partial<Account>) {
  const posts = Array.from({ length: 60 }, (_, n) => {
    const at = Date.now() - (n + 1) * DAY;
    return {
      id: `urn:li:share:${7_100_000 + n}`,
      commentary:
        n === 0
          ? `{hashtag|\\#|hiring} ${"unbroken".repeat(20)}`
          : `Lesson ${n + 1}.\n\nWhat it is \\(about\\).`,
      lifecycleState: "PUBLISHED",
      visibility: n === 2 ? "CONNECTIONS" : "PUBLIC",
      publishedAt: at,
      lastModifiedAt: at,
      content: [1, 30].includes(n) ? { media: { id: `urn:li:image:C${n}`, altText: "A desk" } } : undefined,
    };
  });
  linkedIn.accounts.set(TOKEN, {
    posts,
    counts: { "urn:li:share:7100001": { reactions: { LIKE: 40, PRAISE: 2 }, comments: 1 } },
    shares: { "urn:li:share:7100001": 3 },
    images: { "urn:li:image:C1": "png", "urn:li:image:C30": "html" },
    vanityName: "imogen-tarrant",
    forbidden: [],
    faults: [],
    requests: [],
    ...fields,
  });
}

test("posts are read from the profile despite a wait and an expired token, and are imported with their pictures @full", async () => {
  setUp({ faults: [{ path: "/rest/socialMetadata", is: "busy" }] });
  await openHydrated(page, `${site.url}/admin/articles/linkedin`);
  const profile = page.getByLabel("LinkedIn profile");
  await profile.fill("https://www.linkedin.com/in/somebody-else");
  await button("Fetch posts").click();
  await expect(profile).toHaveAccessibleDescription(
    /This token belongs to the profile linkedin.com\/in\/imogen-tarrant/,
  );
  await expect(profile).toHaveValue("https://www.linkedin.com/in/somebody-else");
  await expectAccessible(page);

  // What is wrong with the token is not said of the address.
  account().expiresAfter = 0;
  await profile.fill("https://www.linkedin.com/in/imogen-tarrant/");
  await button("Fetch posts").click();
  await expect(page.getByRole("alert").filter({ hasText: "LinkedIn’s token has expired." })).toBeVisible();
  await expect(profile).not.toHaveAttribute("aria-invalid");
  await expect(profile).not.toHaveAccessibleDescription(/token/);
  await expectAccessible(page);

  account().expiresAfter = account().requests.length + 6;
  // The response after the wait is held until the wait was shown.
  const again = Promise.withResolvers<void>();
  let asked = 0;
  await page.route("**/imports/linkedin/posts", async (route) => {
    if (++asked > 1) await again.promise;
    await route.continue();
  });
  await button("Fetch posts").click();
  await expect(page.getByRole("alert").filter({ hasText: "LinkedIn asked for a pause" })).toBeVisible();
  again.resolve();
  await expect(page.getByRole("alert").filter({ hasText: "LinkedIn’s token has expired." })).toBeVisible();
  await expect(heading("50 posts of the last 2 years")).toBeVisible();
  await expectAccessible(page);
  delete account().expiresAfter;
  await button("Continue").click();
  await expect(heading("60 posts of the last 2 years")).toBeVisible();
  await page.unrouteAll({ behavior: "wait" });
  await expect(page.getByText("Nothing was left out.")).toBeVisible();
  await expect(row("Lesson 2.")).toContainText("42 likes, 1 comment");
  await expect(row("Lesson 2.")).toContainText("Idle");
  await expect(row("Lesson 2.")).toContainText("Its picture is imported too.");
  await expect(row("Lesson 3.")).toContainText("it’s imported as a draft");

  // Its results are read only after the next import has started, whose posts are not changed.
  const seen = Promise.withResolvers<void>();
  await page.route("**/imports/*/items*", async (route) => {
    const isResult = route.request().method() === "GET" && !route.request().url().includes("state=");
    if (isResult) await seen.promise;
    await route.continue();
  });
  await expect(row("Lesson 2.").getByText("What it is (about).", { exact: true })).toBeVisible();
  await expect(page.getByLabel("Import as")).toHaveValue("draft");
  await button("Import Lesson 2.").click();
  await expectToast(page, "1 post imported");
  await page.getByLabel("Import as").selectOption("Published articles");

  // A token that expires in between: the import pauses with the reason, and continues with another.
  account().expiresAfter = account().requests.length + 10;
  await button("Import all").click();
  await expect(row("Lesson 60.").or(row("Lesson 50."))).toContainText("Importing");
  seen.resolve();
  await expect(row("Lesson 2.")).toContainText("Imported");
  await expect(row("Lesson 60.").or(row("Lesson 50."))).toContainText("Importing");
  await expect(heading("The import is paused")).toBeVisible();
  await expect(page.getByText("Stopped: LinkedIn’s token has expired.")).toBeVisible();
  await expectAccessible(page);
  delete account().expiresAfter;
  await button("Resume").click();
  await expect(heading(/The import is/)).toHaveCount(0, { timeout: 400_000 });
  await expectToast(page, "59 posts imported");
  await page.unrouteAll({ behavior: "wait" });
  await expect(button("Import all")).toHaveCount(0);
  await expect(page.getByText("Imported", { exact: true })).toHaveCount(50);
  await expect(row("Lesson 31.")).toContainText("Imported without its picture. It isn’t a picture.");
  await expectAccessible(page);

  const linkTo = (title: string) => page.getByRole("link", { name: title, exact: true });
  const published = (await linkTo("Lesson 4.").getAttribute("href"))!;
  await linkTo("Lesson 2.").click();
  await expect(page.getByLabel("Status")).toHaveValue("draft");
  await expect(page.getByLabel("Source URL")).toHaveValue(
    "https://www.linkedin.com/feed/update/urn:li:share:7100001",
  );
  await expect(page.getByLabel("Description of the picture")).toHaveValue("A desk");
  await openHydrated(page, site.url + published);
  await expect(page.getByLabel("Status")).toHaveValue("published");
});

test("posts whose import is undone while they are listed can be imported again @full", async () => {
  const path = `${site.url}/admin/articles/linkedin`;
  await openHydrated(page, path);
  // The undo waits until the posts are listed, which are all imported until then.
  await page.route("**/imports/*/undo", async (route) => {
    const response = await route.fetch();
    await site.env.DB.prepare("update imports set state = 'paused' where state = 'running'").run();
    await route.fulfill({ response });
  });
  await button("Delete 59 posts").click();
  await page.getByRole("alertdialog").getByRole("button", { name: "Delete 59 posts" }).click();
  await expect(heading("Undoing is paused")).toBeVisible();
  await page.getByLabel("LinkedIn profile").fill("https://www.linkedin.com/in/imogen-tarrant/");
  await button("Fetch posts").click();
  await expect(heading("60 posts of the last 2 years")).toBeVisible();
  await expect(row("Lesson 30.")).toContainText("Imported");
  await button("Resume").focus();
  await page.keyboard.press("Enter");
  await expectToast(page, "Undoing resumed");
  await expectToast(page, "59 posts deleted again");
  await expect(button("Import all")).toBeVisible();
  await expect(page.getByText("Imported", { exact: true })).toHaveCount(1);
  await expect(row("Lesson 2.")).toContainText("Imported");
});
