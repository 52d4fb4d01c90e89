import { expect, type Browser, type Page } from "@playwright/test";
import { CONFIRM_BY_MAIL, enquiryAnswers } from "../../worker/enquiries/limits.ts";
import { startHttpServer } from "../support/http-server.ts";
import { expectNoAxeFindings } from "./support/axe.ts";
import { complaintsOf } from "./support/console.ts";
import { site, test } from "./support/demo.ts";
import { hold } from "./support/hold.ts";
import { openHydrated } from "./support/hydrated.ts";
import { startSite } from "./support/site.ts";
import { desktop, phone } from "./support/windows.ts";

const { application, message, booking } = enquiryAnswers;

const open = async (browser: Browser, options: Parameters<Browser["newContext"]>[0] = {}) =>
  (await browser.newContext({ viewport: phone, ...options })).newPage();

const formOf = (page: Page) => page.locator("main form[action^='/api/']").first();

/** Types into the controls in their order, and reaches each with the keyboard alone. */
async function type(page: Page, first: string, texts: string[]) {
  await page.getByLabel(first, { exact: true }).focus();
  for (const text of texts) {
    await page.keyboard.insertText(text);
    await page.keyboard.press("Tab");
  }
}

test("a guest applies using only the keyboard, on a phone, despite a lost connection", async ({
  browser,
}) => {
  const page = await open(browser);
  await openHydrated(page, `${site.url}/guest`);
  await expectNoAxeFindings(page);
  await page.getByRole("button", { name: "Apply with social login" }).press("Enter");
  await page.getByRole("button", { name: "Continue with Google" }).press("Space");
  await expect(page.getByText("Social login with Google coming soon!")).toBeVisible();
  await page.getByRole("button", { name: "Hide social login" }).press("Enter");
  await expect(page.getByRole("button", { name: "Continue with Google" })).toBeHidden();

  const name = "Maren 👨‍👩‍👧‍👦 نور";
  const position = "- One\n- Two";
  await type(page, "Name", [name, "maren@example.com", "https://linkedin.com/in/maren", "\u200b", position]);
  // The consent; behind it the privacy policy.
  await page.keyboard.press("Space");
  await page.keyboard.press("Tab");
  await page.keyboard.press("Tab");
  const action = "**/api/guest-applications";
  await page.route(action, (route) => route.abort("connectionfailed"));
  await page.keyboard.press("Enter");
  await expect(page.getByRole("alert")).toHaveText(application.failure);
  await expectNoAxeFindings(page);
  await page.unroute(action);

  await openHydrated(page, `${site.url}/guest`);
  await expect(page.getByText("We restored what you typed before.")).toBeVisible();
  await expect(page.getByLabel("Name", { exact: true })).toHaveValue(name);
  await expect(page.getByLabel("Your Position")).toHaveValue(position);
  await page.getByLabel("I agree").press("Space");
  await page.getByRole("button", { name: "Submit Application" }).press("Enter");
  // The server's word, beside the field.
  const topic = page.getByLabel("Topic");
  await expect(topic).toBeFocused();
  await expect(topic).toHaveAccessibleDescription(/Topic is required/);
  await expectNoAxeFindings(page);
  await topic.fill("é".repeat(201));
  await expect(topic).toHaveAccessibleDescription("1 too many.");
  await page.keyboard.press("Enter");
  await expect(topic).toHaveAccessibleDescription(/Use at most 200 characters/);
  await topic.fill("Rents in country towns");

  const answer = await hold(page, action);
  let sent = 0;
  page.on("request", (request) => void (request.url().endsWith("/guest-applications") && sent++));
  await page.keyboard.press("Enter");
  await page.keyboard.press("Enter");
  await expect(page.getByRole("button", { name: "Submitting..." })).toBeDisabled();
  await page.getByRole("button", { name: "Submitting..." }).press("Enter");
  answer();
  await expect(page.getByRole("status").filter({ hasText: application.success })).toBeVisible();
  expect(sent).toBe(1);
  await expect(page.getByLabel("Name", { exact: true })).toHaveValue("");
  await expectNoAxeFindings(page);
  await openHydrated(page, `${site.url}/guest`);
  await expect(page.getByLabel("Name", { exact: true })).toHaveValue("");
  expect((await site.mailTo("maren@example.com")).subject).toBe(
    "We received your application to Imogen Tarrant",
  );
  await page.context().close();
});

test("the result of a message sent with Enter is in view and next to the focus @full", async ({
  browser,
}) => {
  const page = await open(browser);
  await openHydrated(page, `${site.url}/contact`);
  await page.getByLabel("Email", { exact: true }).fill("enter@example.com");
  await page.getByLabel("Subject").fill("A correction");
  await page.getByLabel("Message", { exact: true }).fill("Hello");
  const name = page.getByLabel("Name", { exact: true });
  await name.fill("عبد الله.");
  await expect(name).toHaveCSS("direction", "rtl");
  await page.setViewportSize({ ...phone, height: 400 });
  const action = "**/api/contact-messages";
  await page.route(action, (route) => route.abort("connectionfailed"));
  await name.press("Enter");
  await expect(page.getByRole("alert")).toBeInViewport();
  await expect(name).toBeFocused();
  await page.unroute(action);
  await name.press("Enter");
  await expect(page.getByRole("status").filter({ hasText: message.success })).toBeInViewport();
  await expect(page.getByRole("button", { name: "Send Message" })).toBeFocused();
  await expect(name).toHaveValue("");
  await page.context().close();
});

test("a message without a response times out after half a minute and can be sent again @full", async ({
  browser,
}) => {
  const page = await open(browser);
  await page.clock.install();
  await openHydrated(page, `${site.url}/contact`);
  await page.getByLabel("Name", { exact: true }).fill("Ada");
  await page.getByLabel("Email", { exact: true }).fill("train@example.com");
  await page.getByLabel("Subject").fill("From the train");
  await page.getByLabel("Message", { exact: true }).fill("Hello");
  const action = "**/api/contact-messages";
  await page.route(action, () => {});
  await page.clock.fastForward(5000);
  const asked = page.waitForRequest(action);
  await page.getByRole("button", { name: "Send Message" }).click();
  await asked;
  await page.clock.fastForward(29_000);
  await expect(page.getByRole("button", { name: "Sending..." })).toBeDisabled();
  await page.clock.fastForward(2000);
  await expect(page.getByRole("alert")).toHaveText(message.failure);
  await expect(page.getByLabel("Message", { exact: true })).toHaveValue("Hello");
  await page.unroute(action);
  await page.getByRole("button", { name: "Send Message" }).click();
  await expect(page.getByRole("status").filter({ hasText: message.success })).toBeVisible();
  await page.context().close();
});

test("a booking becomes its confirmation page @full", async ({ browser }) => {
  const page = await open(browser, { viewport: desktop });
  const complaints = complaintsOf(page.context());
  await openHydrated(page, `${site.url}/speaking/book`);
  await expectNoAxeFindings(page);
  await page.getByLabel("Full Name").fill("Maren Oakleigh");
  await page.getByLabel("Email", { exact: true }).fill("booker@example.com");
  await page.getByLabel("Organisation").fill("The Housing Forum");
  await page.getByLabel("Event Name").fill("Forum 2031");
  await page.getByLabel("Engagement Type").selectOption("Keynote");
  await page.getByLabel("Honorarium").selectOption("To be discussed");
  const action = "**/api/speaking-bookings";
  await page.route(action, (route) => route.fulfill({ status: 500, json: { error: { code: "internal" } } }));
  const submit = page.getByRole("button", { name: "Submit Request" });
  await submit.click();
  await expect(page.getByRole("alert")).toHaveText(booking.failure);
  await page.unroute(action);
  // Without the first day that the browser checks, the server does.
  await page.getByLabel("Event date").evaluate((input) => input.removeAttribute("min"));
  await page.getByLabel("Event Date").fill("2020-01-01");
  await submit.click();
  await expect(page.getByLabel("Event Date")).toHaveAccessibleDescription("This date is in the past.");
  await expect(page.getByLabel("Event Date")).toBeFocused();
  await page.getByLabel("Event Date").fill("");
  await submit.click();
  const heading = page.getByRole("heading", { level: 1 });
  await expect(heading).toHaveText("Request Submitted!");
  await expect(heading).toBeFocused();
  await expect(page.locator("main")).toContainText("answered within 48 hours");
  await expectNoAxeFindings(page);
  expect((await site.mailTo("booker@example.com")).subject).toBe(
    "We received your request to Imogen Tarrant",
  );
  // The answer that was refused, and the one that failed.
  expect(
    complaints.filter((text) => !/the server responded with a status of (?:422|500)/.test(text)),
  ).toEqual([]);
  await page.context().close();
});

test("without scripts a refused message returns with the typed text, and a valid one arrives", async ({
  browser,
}) => {
  const page = await open(browser, { javaScriptEnabled: false });
  await page.goto(`${site.url}/contact`);
  await page.getByRole("link", { name: "Write about media" }).click();
  await expect(page.getByLabel("Type of Enquiry")).toHaveValue("media");
  await expect(page.getByRole("button", { name: "Send Message" })).toBeVisible();
  // The form is not filled in sooner than people do.
  const wait = Number(await formOf(page).locator("[name=shownAt]").inputValue()) + 2000 - Date.now();
  await page.getByLabel("Name", { exact: true }).fill('Maren "The Pen" <Oakleigh>');
  await page.getByLabel("Email", { exact: true }).fill("pen@example.com");
  await page.getByLabel("Subject").fill("  ");
  await page.getByLabel("Message", { exact: true }).fill("One\nTwo");
  await new Promise((resolve) => setTimeout(resolve, wait));
  await page.getByRole("button", { name: "Send Message" }).click();
  const subject = page.getByLabel("Subject");
  await expect(subject).toHaveAccessibleDescription("Subject is required");
  await expect(subject).toBeFocused();
  await expect(page.getByLabel("Name", { exact: true })).toHaveValue('Maren "The Pen" <Oakleigh>');
  await expect(page.getByLabel("Message", { exact: true })).toHaveValue("One\nTwo");
  await expect(page.getByLabel("Type of Enquiry")).toHaveValue("media");
  await subject.fill("A correction");
  await page.getByRole("button", { name: "Send Message" }).click();
  await expect(page).toHaveURL(`${site.url}/contact#contact-sent`);
  await expect(page.getByText(message.success)).toBeVisible();
  await site.mailTo("pen@example.com");
  await page.context().close();
});

/** Replaces Turnstile's script: a box that issues a token when it is rendered, and counts its resets. */
const SCRIPT = `window.turnstile = {
  render(container, options) {
    const give = () => {
      const input = container.querySelector("input") ?? container.appendChild(document.createElement("input"));
      Object.assign(input, { type: "hidden", name: options["response-field-name"], value: "ok-" + Math.random() });
      options.callback(input.value);
    };
    window.reset = give;
    give();
    return "1";
  },
  reset() { window.resets = (window.resets ?? 0) + 1; window.reset(); },
  remove() {},
};`;

test("with Turnstile a form checks its sender, and asks visitors without a token to confirm by email @full", async ({
  browser,
}) => {
  let asked = 0;
  const verifier = await startHttpServer((_request, response) => {
    asked++;
    response.writeHead(200, { "Content-Type": "application/json" }).end('{"success":true}');
  });
  const checked = await startSite({
    vars: {
      TURNSTILE_SITE_KEY: "1x00000000000000000000AA",
      TURNSTILE_SECRET_KEY: "0x",
      TURNSTILE_URL: `http://127.0.0.1:${verifier.port}`,
    },
  });
  const page = await open(browser);
  // Safari 16 has none.
  await page.addInitScript(() => Reflect.deleteProperty(Promise, "withResolvers"));
  const complaints = complaintsOf(page.context());
  const script = "https://challenges.cloudflare.com/**";
  await page.route(script, (route) => route.fulfill({ contentType: "text/javascript", body: SCRIPT }));
  const fill = async (email: string, subject: string) => {
    await page.getByLabel("Name", { exact: true }).fill("Maren");
    await page.getByLabel("Email", { exact: true }).fill(email);
    await page.getByLabel("Subject").fill(subject);
    await page.getByLabel("Message", { exact: true }).fill("Hello");
    await page.getByRole("button", { name: "Send Message" }).click();
  };
  // By a link, because the first page's content policy holds for the whole visit.
  await openHydrated(page, `${checked.url}/about`);
  await page.locator("header").getByRole("button", { name: "Menu" }).click();
  await page.getByRole("navigation", { name: "Menu" }).getByRole("link", { name: "Contact" }).click();
  await expect(page).toHaveURL(`${checked.url}/contact`);
  await fill("person@example.com", "\u200b");
  await expect(page.getByLabel("Subject")).toHaveAccessibleDescription("Subject is required");
  const answer = await hold(page, "**/api/contact-messages");
  await fill("person@example.com", "A correction");
  await expect(page.getByRole("button", { name: "Sending..." })).toBeDisabled();
  answer();
  await expect(page.getByRole("status").filter({ hasText: message.success })).toBeVisible();
  expect(asked).toBe(2);
  expect(complaints.filter((text) => !/status of 422/.test(text))).toEqual([]);

  await page.unroute(script);
  await page.route(script, (route) => route.abort());
  await openHydrated(page, `${checked.url}/contact`);
  // It is said until the form is answered.
  const accept = await hold(page, "**/api/contact-messages");
  await fill("blocked@example.com", "Blocked");
  await expect(page.getByText("The robot check didn’t work here.")).toBeVisible();
  accept();
  await expect(page.getByRole("status").filter({ hasText: CONFIRM_BY_MAIL })).toBeVisible();
  const { link } = await checked.mailTo("blocked@example.com");
  await page.goto(link);
  await expectNoAxeFindings(page);
  await page.getByRole("button", { name: "Confirm message" }).click();
  await expect(page.getByRole("heading", { level: 1 })).toHaveText("We’ve got it");
  await page.context().close();

  const plain = await open(browser, { javaScriptEnabled: false });
  const applicant = "plain@example.com";
  await plain.goto(`${checked.url}/guest`);
  const shownAt = Number(await formOf(plain).locator("[name=shownAt]").inputValue());
  await plain.getByLabel("Name", { exact: true }).fill("Maren");
  await plain.getByLabel("Email", { exact: true }).fill(applicant);
  await plain.getByLabel("LinkedIn profile").fill("https://linkedin.com/in/maren");
  await plain.getByLabel("Topic").fill("Rents");
  await plain.getByLabel("Your Position").fill("One");
  await plain.getByLabel("I agree").check();
  await new Promise((resolve) => setTimeout(resolve, shownAt + 2000 - Date.now()));
  await plain.getByRole("button", { name: "Submit Application" }).click();
  await expect(plain).toHaveURL(`${checked.url}/guest#application-confirm`);
  await expect(plain.getByText(CONFIRM_BY_MAIL)).toBeVisible();
  await plain.goto((await checked.mailTo(applicant)).link);
  await plain.getByRole("button", { name: "Confirm application" }).click();
  await expect(plain.getByRole("heading", { level: 1 })).toHaveText("We’ve got it");
  const arrived = await checked.env.DB.prepare("select box from enquiries where email = ?")
    .bind(applicant)
    .all();
  expect(arrived.results).toEqual([{ box: "pending" }]);
  // Turnstile was never asked about a visitor without scripts.
  expect(asked).toBe(2);
  await plain.context().close();
  await checked.stop();
  verifier.stop();
});
