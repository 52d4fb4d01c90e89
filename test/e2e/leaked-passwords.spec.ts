import { expect, type Page } from "@playwright/test";
import { LEAKED, startLeakedPasswords } from "../support/leaked-passwords-server.ts";
import { expectAccessible } from "./support/accessible.ts";
import { openHydrated } from "./support/hydrated.ts";
import { signInByPassword } from "./support/owner.ts";
import { PASSWORD } from "./support/set-up.ts";
import { startSite, type Site } from "./support/site.ts";
import { test } from "./support/test.ts";
import { expectToast } from "./support/toasts.ts";

let site: Site;
let page: Page;
let service: Awaited<ReturnType<typeof startLeakedPasswords>>;
test.describe.configure({ mode: "serial" });
test.beforeAll(async ({ browser }) => {
  service = await startLeakedPasswords();
  site = await startSite({ vars: { IMPORT_LOOPBACK: "on" } });
  page = await (await browser.newContext({ reducedMotion: "reduce" })).newPage();
  await signInByPassword(page, site);
});
test.afterAll(async () => {
  await site?.stop();
  service?.stop();
});

const [leaked] = Object.keys(LEAKED) as [string];
const settings = (tab: string) => openHydrated(page, `${site.url}/admin/settings/${tab}`);
const field = (label: string) => page.getByLabel(label, { exact: true });
const address = () => field("Service of leaked passwords");
const save = () => page.getByRole("button", { name: "Save Changes" }).click();

async function changePassword(password: string) {
  await settings("security");
  await field("Current password").fill(PASSWORD);
  await field("New password").fill(password);
  await field("Confirm password").fill(password);
  await page.getByRole("button", { name: "Change password" }).click();
}

test("no service is set at first, and an address without https is refused beside its field @full", async () => {
  await settings("features");
  await expect(address()).toHaveValue("");
  const refusals = {
    "api.pwnedpasswords.com": /^Enter a full address, such as https:/,
    "http://api.pwnedpasswords.com": /^Enter an address that starts with https:/,
  };
  for (const [typed, message] of Object.entries(refusals)) {
    await address().fill(typed);
    await save();
    await expect(address()).toHaveAccessibleDescription(message);
    await expect(address()).toBeFocused();
    await expect(address()).toHaveValue(typed);
  }
  await expectAccessible(page);
  await settings("features");
  await expect(address()).toHaveValue("");
});

test("a leaked password is refused beside its field once the service is set @full", async () => {
  await settings("features");
  await address().fill(`http://127.0.0.1:${service.port}`);
  await save();
  await expectToast(page, "Settings saved successfully!");
  await changePassword(leaked);
  await expect(field("New password")).toHaveAccessibleDescription(
    /^This password has leaked from another site\. Please choose another\./,
  );
  await expect(field("New password")).toBeFocused();
  await expectAccessible(page);
});

test("the same password is accepted once the service is removed @full", async () => {
  await settings("features");
  await expect(address()).toHaveValue(`http://127.0.0.1:${service.port}`);
  await address().fill("");
  await save();
  await expectToast(page, "Settings saved successfully!");
  await changePassword(leaked);
  await expectToast(page, "All other devices are signed out.");
});
