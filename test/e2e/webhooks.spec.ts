import { expect, type Page } from "@playwright/test";
import { Webhook as Verifier } from "standardwebhooks";
import { startHttpServer, type HttpServer } from "../support/http-server.ts";
import { expectNoAxeFindings } from "./support/axe.ts";
import { setColorScheme } from "./support/color-scheme.ts";
import { openHydrated } from "./support/hydrated.ts";
import { signInAsOwner } from "./support/owner.ts";
import { startSite, type Site } from "./support/site.ts";
import { test } from "./support/test.ts";
import { expectToast } from "./support/toasts.ts";
import { looks } from "./support/windows.ts";

type Event = { headers: Record<string, string>; body: string };

let site: Site;
let page: Page;
let receiver: HttpServer;
const received: Event[] = [];
/** What the receiver answers next. */
let status = 200;

test.describe.configure({ mode: "serial" });
test.beforeAll(async ({ browser }) => {
  receiver = await startHttpServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request as AsyncIterable<Buffer>) chunks.push(chunk);
    received.push({
      headers: request.headers as Record<string, string>,
      body: Buffer.concat(chunks).toString(),
    });
    response.writeHead(status).end(`Answer ${status}`);
  });
  site = await startSite({ vars: { IMPORT_LOOPBACK: "on" } });
  const context = await browser.newContext({ reducedMotion: "reduce" });
  page = await context.newPage();
  await signInAsOwner(page, site);
});
test.afterAll(async () => {
  await site?.stop();
  receiver?.stop();
});

const press = (name: string | RegExp) => page.getByRole("button", { name, exact: true }).click();
const confirm = (name: string) =>
  page.getByRole("alertdialog").getByRole("button", { name, exact: true }).click();
const deliveries = () => page.getByRole("region", { name: "Deliveries" }).getByRole("listitem");

test("a webhook is added, tested, paused, changed and removed by the owner", async () => {
  await openHydrated(page, `${site.url}/admin/settings/webhooks`);
  await expect(page.getByText("No webhooks yet")).toBeVisible();
  await page.getByRole("link", { name: "Add a webhook" }).click();
  await page.getByLabel("Address").fill("http://example.com/hook");
  await page.getByLabel("Description").fill("The shop");
  await press("Add webhook");
  await expect(page.getByText("Choose at least one event.")).toBeVisible();
  await page.getByLabel("Essay published").check();
  await page.getByLabel("Subscriber left").check();
  await press("Add webhook");
  await expect(page.getByLabel("Address")).toHaveAccessibleDescription(/starts with https/);
  await page.getByLabel("Address").fill(`http://127.0.0.1:${receiver.port}/hook`);
  await press("Add webhook");
  await expect(page.getByRole("heading", { name: "Copy the secret now" })).toBeFocused();
  const first = await page.getByRole("textbox", { name: "Secret" }).inputValue();
  expect(first).toMatch(/^whsec_/);
  await press("Copy Secret");
  await expectNoAxeFindings(page);
  await page.getByRole("link", { name: "I have copied it" }).click();

  await expect(page.getByText("Nothing was sent yet")).toBeVisible();
  expect(await page.content()).not.toContain(first);
  await press("Send a test");
  await expectToast(page, "Test sent. Its result is below");
  await expect(deliveries()).toHaveCount(1);
  await expect(deliveries()).toContainText("Delivered");
  await expect(deliveries()).toContainText("answered 200");
  expect(new Verifier(first).verify(received[0]!.body, received[0]!.headers)).toMatchObject({
    type: "webhook.test",
  });

  status = 500;
  await press("Send again: Test");
  await expectToast(page, "Sent again. Its result is below");
  await expect(deliveries()).toHaveCount(2);
  await expect(deliveries().first()).toContainText("It answered 500.");
  await deliveries().first().getByText("Details").click();
  await expect(deliveries().first()).toContainText("Answer 500");
  status = 200;

  await press("Make a new secret");
  await confirm("Make a new secret");
  await expect(page.getByRole("heading", { name: "Copy the secret now" })).toBeFocused();
  const second = await page.getByRole("textbox", { name: "Secret" }).inputValue();
  expect(second).not.toBe(first);
  await expect(page.getByText("The former secret signs as well until")).toBeVisible();
  await press("Send a test");
  await expect(deliveries()).toHaveCount(3);
  const { body, headers } = received.at(-1)!;
  for (const secret of [first, second]) new Verifier(secret).verify(body, headers);

  await page.getByLabel("Description").fill("The new shop");
  await press("Save");
  await expectToast(page, "Webhook saved");
  await expect(page.getByRole("heading", { name: "The new shop" })).toBeVisible();
  await press("Pause");
  await expectToast(page, "Paused");
  await expect(page.getByText("Paused", { exact: true }).first()).toBeVisible();
  await press("Resume");
  await expectToast(page, "Resumed");
  await expectNoAxeFindings(page);

  await press("Remove this webhook");
  await confirm("Keep it");
  await press("Remove this webhook");
  await confirm("Remove webhook");
  await page.waitForURL("**/admin/settings/webhooks");
  await expect(page.getByText("No webhooks yet")).toBeVisible();
});

test("webhooks look right in each window and scheme @full", async () => {
  const run = async (...statements: string[]) => {
    for (const statement of statements) await site.env.DB.prepare(statement).run();
  };
  await run(
    `insert into webhooks (id, url, description, events, paused, failed_at, created_at, updated_at) values
    (901, 'https://hooks.example/services/${"long".repeat(30)}', 'A shop with a rather long name for a webhook', '["episode.published","essay.published","letter.sent","subscriber.confirmed","subscriber.left"]', null, 1764460800000, 1, 1),
    (902, 'https://chat.example/hook', '', '["enquiry.received","comment.received"]', 'gone', null, 1, 1)`,
    `insert into webhook_secrets (webhook_id, secret, former) values (901, 'whsec_AAAA', '[]'), (902, 'whsec_AAAA', '[]')`,
  );
  await run(`insert into outbox (id, topic, payload, created_at, attempts, not_before, last_error, failed_at, done_at) values
    ('901 a', 'webhook', '{"webhook":901,"event":"msg_letter_sent_4_1764460800000","body":{"type":"letter.sent"}}', 1764460800000, 3, 4102444800000, 'It answered 503.', null, null),
    ('901 b', 'webhook', '{"webhook":901,"event":"msg_essay_published_4_1764460800000","body":{"type":"essay.published"}}', 1764460700000, 1, 1764460700000, null, null, 1764460700000),
    ('901 c', 'webhook', '{"webhook":901,"event":"msg_essay_published_3_1764460800000","body":{"type":"essay.published"}}', 1764460600000, 8, 1764460700000, 'It didn’t answer within 10 seconds.', 1764460700000, null)`);
  await run(`insert into webhook_tries (delivery_id, webhook_id, count, at, status, duration_ms, response) values
    ('901 a', 901, 3, 1764460800000, 503, 1240, 'Service unavailable'), ('901 b', 901, 1, 1764460800000, 204, 86, ''), ('901 c', 901, 8, 1764460800000, null, 10000, '')`);
  for (const { viewport, colorScheme } of looks) {
    const name = `${viewport.width}-${colorScheme}`;
    await page.setViewportSize(viewport);
    await setColorScheme(page, colorScheme);
    for (const path of ["webhooks", "webhooks/new", "webhooks/901", "webhooks/902"]) {
      await openHydrated(page, `${site.url}/admin/settings/${path}`);
      const overflow = await page.evaluate(() => document.documentElement.scrollWidth > innerWidth);
      expect(overflow, `${path} ${name}`).toBe(false);
      await page.screenshot({
        path: `test-results/webhooks/${path.replace("/", "-")}-${name}.png`,
        fullPage: true,
      });
    }
    await expectNoAxeFindings(page);
  }
});
