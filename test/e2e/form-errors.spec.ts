import { expect, type Page } from "@playwright/test";
import type { ErrorBody } from "../../worker/platform/errors.ts";
import { expectNoAxeFindings } from "./support/axe.ts";
import { complaintsOf } from "./support/console.ts";
import { openHydrated } from "./support/hydrated.ts";
import { startSite, type Site } from "./support/site.ts";
import { phone } from "./support/windows.ts";
import { test } from "./support/test.ts";

const WITH_COMMENTS = `insert into settings (id, site, updated_at) values (1, '{"features":{"comments":true,"newsletter":true,"guestSubmissions":true,"patreon":true}}', 1)
  on conflict (id) do update set site = json_patch(site, excluded.site)`;
let site: Site;
/** The path of an essay. */
let essay = "";

test.beforeAll(async () => {
  site = await startSite({ sql: WITH_COMMENTS });
  const answer = await fetch(`${site.url}/api/articles`);
  const { items } = (await answer.json()) as { items: { slug: string }[] };
  essay = `/essays/${items[0]!.slug}`;
});
test.afterAll(() => site?.stop());

const formOf = (page: Page) => page.locator("main form[action^='/api/']").first();

/** The messages beside the fields of a form, by name: what a screen reader reads with the field. */
const messagesOf = (page: Page) =>
  formOf(page).evaluate((form: HTMLFormElement) =>
    Object.fromEntries(
      [...form.querySelectorAll<HTMLInputElement>("[aria-invalid=true]")].map((field) => {
        const notes = (field.getAttribute("aria-describedby") ?? "").split(" ");
        const error = notes.find((id) => id.endsWith("-error")) ?? "";
        return [field.name, document.getElementById(error)?.textContent];
      }),
    ),
  );

/** The server's messages about what the form holds. */
async function refusalsOf(page: Page) {
  const [action, fields] = await formOf(page).evaluate((form: HTMLFormElement) => [
    form.action,
    Object.fromEntries(new FormData(form)),
  ]);
  const response = await fetch(action, {
    method: "POST",
    headers: { "Content-Type": "application/json" },
    body: JSON.stringify(fields),
  });
  const { error } = (await response.json()) as ErrorBody;
  return error.fields ?? { [error.field!]: error.message };
}

const pages = [
  { of: "an application", path: () => "/guest", button: "Submit application" },
  { of: "a message", path: () => "/contact", button: "Send message" },
  { of: "a booking", path: () => "/speaking/book", button: "Submit request" },
  { of: "a comment", path: () => essay, button: "Send comment" },
];

for (const { of, path, button } of pages) {
  test(`the form of ${of} names all errors at their fields, in the server's words, without a request @full`, async ({
    browser,
  }) => {
    const page = await (await browser.newContext({ viewport: phone })).newPage();
    const complaints = complaintsOf(page.context());
    await openHydrated(page, site.url + path());
    const { action } = await formOf(page).evaluate((form: HTMLFormElement) => ({ action: form.action }));
    let posts = 0;
    page.on(
      "request",
      (request) => void (request.method() === "POST" && request.url() === action && posts++),
    );
    const submit = formOf(page).getByRole("button", { name: button });
    await submit.click();
    expect(await messagesOf(page)).toEqual(await refusalsOf(page));
    expect(Object.keys(await messagesOf(page)).length).toBeGreaterThan(2);
    await expect(formOf(page).locator("[name=name]")).toBeFocused();
    await expectNoAxeFindings(page);
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(phone.width);

    // After a correction its message is removed, the others stay, and so does the focus.
    await page.keyboard.insertText("Ada");
    const left = await messagesOf(page);
    expect(left).not.toHaveProperty("name");
    expect(left).toHaveProperty("email");
    await expect(formOf(page).locator("[name=name]")).toBeFocused();

    await formOf(page).locator("[name=email]").fill("nobody");
    if (of === "an application") await formOf(page).locator("[name=linkedinProfile]").fill("maren");
    await submit.click();
    expect(await messagesOf(page)).toEqual(await refusalsOf(page));
    await expect(formOf(page).locator("[name=email]")).toBeFocused();
    expect(posts).toBe(0);
    expect(complaints).toEqual([]);
    await page.context().close();
  });
}

test("an empty newsletter address does nothing, a malformed one is named at its field until it is corrected @full", async ({
  browser,
}) => {
  const page = await (await browser.newContext({ viewport: phone })).newPage();
  await openHydrated(page, `${site.url}/podcast`);
  const form = page.locator("#newsletter");
  const field = form.getByLabel("Email address");
  const button = form.getByRole("button", { name: "Subscribe Now" });
  let posts = 0;
  page.on("request", (request) => void (request.url().endsWith("/subscribe") && posts++));
  await button.click();
  await expect(field).not.toHaveAttribute("aria-invalid");
  await expect(button).toBeFocused();
  await field.fill("nobody");
  await button.click();
  await expect(field).toHaveAccessibleDescription("Email is invalid");
  await expect(field).toBeFocused();
  await expectNoAxeFindings(page);
  await field.press("End");
  await page.keyboard.type("@");
  await expect(field).not.toHaveAttribute("aria-invalid");
  await expect(form.getByText("Failed to subscribe.")).toBeHidden();
  expect(posts).toBe(0);
  await page.context().close();
});

test("without scripts the browser checks, and the server names every field @full", async ({ browser }) => {
  const page = await (await browser.newContext({ javaScriptEnabled: false })).newPage();
  await page.goto(`${site.url}/contact`);
  await expect(formOf(page)).not.toHaveAttribute("novalidate");
  await formOf(page).getByLabel("Name").fill(" ");
  await formOf(page).getByLabel("Email", { exact: true }).fill("reader@nowhere");
  await formOf(page).getByLabel("Subject").fill(" ");
  await formOf(page).getByLabel("Message").fill("Hello");
  await page.getByRole("button", { name: "Send message" }).click();
  await expect(formOf(page).getByLabel("Name")).toHaveAccessibleDescription("Name is required");
  await expect(formOf(page).getByLabel("Email", { exact: true })).toHaveAccessibleDescription(
    "Email is invalid",
  );
  await expect(formOf(page).getByLabel("Subject")).toHaveAccessibleDescription("Subject is required");
  await expect(formOf(page).getByLabel("Message")).toHaveValue("Hello");
  await expect(formOf(page).getByLabel("Name")).toBeFocused();
  await page.context().close();
});
