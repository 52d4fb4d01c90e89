import { expect } from "@playwright/test";
import { test } from "./support/demo.ts";
import { aListener, expectOrder, itemsOf, openPlaylist, titlesOf } from "./support/listener.ts";
import { pickUp } from "./support/sorting.ts";
import { expectToast } from "./support/toasts.ts";
import { phone } from "./support/windows.ts";

test("items are reordered by the mouse, by the keyboard and by buttons, which is said and saved @full", async ({
  browser,
}) => {
  const { context, page, create } = await aListener(browser);
  const [a, b, c] = titlesOf(3) as [string, string, string];
  await create("In order", [a, b, c]);
  await openPlaylist(page, "In order");
  const handle = (title: string) => page.getByRole("button", { name: `Reorder ${title}` });
  const saved = () => page.waitForResponse((response) => response.url().endsWith("/order") && response.ok());

  // At the window's edge a drag would scroll it.
  await itemsOf(page).evaluate((list) => list.scrollIntoView({ block: "center", behavior: "instant" }));
  const from = (await handle(a).boundingBox())!;
  const to = (await handle(b).boundingBox())!;
  await page.mouse.move(from.x + 10, from.y + 10);
  await page.mouse.down();
  // Less than the 8 px that make a drag.
  await page.mouse.move(from.x + 10, from.y + 16);
  await expect(handle(a)).not.toHaveAttribute("aria-pressed", "true");
  await page.mouse.move(to.x + 40, to.y + 16, { steps: 8 });
  await expect(handle(a)).toHaveAttribute("aria-pressed", "true");
  await expect(page.getByText(`${a} is now at position 2 of 3.`)).toBeAttached();
  expect((await handle(a).boundingBox())!.x).toBe(from.x);
  const dropped = saved();
  await page.mouse.up();
  await expectOrder(page, [b, a, c]);
  await dropped;
  // A user switches from mouse to keyboard after the cards have stopped moving.
  await page.waitForFunction(() => document.getAnimations().length === 0);

  await pickUp(page, handle(c), `Picked up ${c}, position 3 of 3.`);
  // One press, one position.
  for (const place of [2, 1]) {
    await page.keyboard.press("ArrowUp");
    await expect(page.getByText(`${c} is now at position ${place} of 3.`)).toBeAttached();
  }
  const lifted = saved();
  await page.keyboard.press("Space");
  await expectOrder(page, [c, b, a]);
  await expect(page.getByText(`Dropped ${c} at position 1 of 3.`)).toBeAttached();
  await lifted;

  const stepped = saved();
  const up = page.getByRole("button", { name: `Move ${a} up` });
  await up.click();
  await expectOrder(page, [c, a, b]);
  await expect(up).toBeFocused();
  await expect(page.getByText(`${a} is now at position 2 of 3.`)).toBeAttached();
  await stepped;
  await openPlaylist(page, "In order");
  await expectOrder(page, [c, a, b]);
  await page.getByRole("button", { name: `Remove ${c}` }).click();
  await expectOrder(page, [a, b]);
  await expect(page.getByRole("button", { name: `Remove ${a}` })).toBeFocused();
  await context.close();
});

test("an order that the server refuses is rolled back with a message @full", async ({ browser }) => {
  const { context, page, create } = await aListener(browser);
  const [a, b] = titlesOf(2) as [string, string];
  await create("Stays", [a, b]);
  await openPlaylist(page, "Stays");
  const { promise: refused, resolve: refuse } = Promise.withResolvers<void>();
  await page.route("**/order", async (route) => {
    await refused;
    const error = { code: "invalid", message: "The playlist has changed.", field: "itemIds" };
    await route.fulfill({ status: 422, json: { error } });
  });
  await page.getByRole("button", { name: `Move ${a} down` }).click();
  await expectOrder(page, [b, a]);
  refuse();
  await expectOrder(page, [a, b]);
  await expectToast(page, "The playlist has changed.");
  await context.close();
});

test("a long playlist is shown a hundred at a time, and is put in order as a whole @full", async ({
  browser,
}) => {
  const { context, page, create } = await aListener(browser);
  const id = await create("Long", titlesOf(1));
  await page.route(`**/api/playlists/${id}`, async (route) => {
    const answer = (await (await route.fetch()).json()) as { items: { episode: object }[] };
    const { episode } = answer.items[0]!;
    const items = Array.from({ length: 250 }, (_, at) => ({
      id: at + 1,
      episode: { ...episode, id: at + 1, title: `Number ${at + 1}` },
    }));
    await route.fulfill({ json: { ...answer, items } });
  });
  await page.route("**/order", (route) => route.fulfill({ status: 204 }));
  await openPlaylist(page, "Long");
  const items = itemsOf(page).getByRole("listitem");
  await expect(items).toHaveCount(100);
  const asked = page.waitForRequest("**/order");
  await page.getByRole("button", { name: "Move Number 2 up" }).click();
  const { itemIds } = (await asked).postDataJSON() as { itemIds: number[] };
  expect(itemIds).toEqual([2, 1, ...Array.from({ length: 248 }, (_, at) => at + 3)]);
  await expect(page.getByText("Number 2 is now at position 1 of 250.")).toBeAttached();
  await page.getByRole("button", { name: "Show more" }).click();
  await expect(items).toHaveCount(200);
  await expect(items.nth(100)).toBeFocused();
  await page.getByRole("button", { name: "Show more" }).press("Enter");
  await expect(items).toHaveCount(250);
  await expect(page.getByRole("button", { name: "Show more" })).toHaveCount(0);
  await expect(items.nth(200)).toBeFocused();
  await context.close();
});

test("on a phone an item is dragged by a finger on its handle @full", async ({ browser }) => {
  const { context, page, create } = await aListener(browser, {
    viewport: phone,
    hasTouch: true,
    isMobile: true,
  });
  const [a, b, c] = titlesOf(3) as [string, string, string];
  await create("By touch", [a, b, c]);
  await openPlaylist(page, "By touch");
  const middleOf = async (title: string) => {
    const { x, y, width, height } = (await page
      .getByRole("button", { name: `Reorder ${title}` })
      .boundingBox())!;
    return { x: x + width / 2, y: y + height / 2 };
  };
  await itemsOf(page).evaluate((list) => list.scrollIntoView({ block: "center", behavior: "instant" }));
  const finger = await context.newCDPSession(page);
  const touch = (type: "touchStart" | "touchMove" | "touchEnd", at?: { x: number; y: number }) =>
    finger.send("Input.dispatchTouchEvent", { type, touchPoints: at ? [at] : [] });
  const from = await middleOf(a);
  const to = await middleOf(c);
  await touch("touchStart", from);
  for (let step = 1; step <= 10; step++) {
    await touch("touchMove", { x: from.x, y: from.y + ((to.y + 5 - from.y) * step) / 10 });
  }
  await expect(page.getByText(`${a} is now at position 3 of 3.`)).toBeAttached();
  const saved = page.waitForResponse((response) => response.url().endsWith("/order") && response.ok());
  await touch("touchEnd");
  await expectOrder(page, [b, c, a]);
  await saved;
  await context.close();
});
