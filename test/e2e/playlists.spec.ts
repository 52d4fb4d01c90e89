import { expect, test, type Browser, type Page } from "@playwright/test";
import { shuffled } from "../../src/playlists/order.ts";
import { expectNoAxeFindings } from "./support/axe.ts";
import { complaintsOf } from "./support/console.ts";
import { openHydrated } from "./support/hydrated.ts";
import { startSite, type Site } from "./support/site.ts";

let site: Site;
let episodes: { id: number; title: string }[];
test.beforeAll(async () => {
  test.setTimeout(180_000);
  site = await startSite();
  ({ episodes } = (await (await fetch(`${site.url}/api/episodes`)).json()) as { episodes: typeof episodes });
});
test.afterAll(() => site?.stop());

/** Somebody with a browser of their own, who may have playlists already. */
async function aListener(browser: Browser, options: Parameters<Browser["newContext"]>[0] = {}) {
  const id = `user_${crypto.randomUUID().replaceAll("-", "")}`;
  const localStorage = [{ name: "user_id", value: id }];
  const storageState = { cookies: [], origins: [{ origin: site.url, localStorage }] };
  const context = await browser.newContext({ reducedMotion: "reduce", storageState, ...options });
  const page = await context.newPage();
  const send = async (method: string, path: string, body?: unknown) => {
    const response = await fetch(`${site.url}/api${path}`, {
      method,
      headers: { "Listener-Id": id, "Content-Type": "application/json" },
      body: body === undefined ? undefined : JSON.stringify(body),
    });
    if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${await response.text()}`);
    return response;
  };
  const create = async (name: string, titles: string[], isPublic = false) => {
    const response = await send("POST", "/playlists", { name, isPublic });
    const { playlist } = (await response.json()) as { playlist: { id: string } };
    for (const title of titles) {
      const { id: episodeId } = episodes.find((episode) => episode.title === title)!;
      await send("POST", `/playlists/${playlist.id}/items`, { episodeId });
    }
    return playlist.id;
  };
  return { context, page, send, create };
}

/** The first so many episodes' titles. */
const titlesOf = (count: number) => episodes.slice(0, count).map(({ title }) => title);

async function openPanel(page: Page) {
  await openHydrated(page, site.url);
  await page.getByRole("button", { name: "Show your playlists" }).click();
  const panel = page.getByRole("region", { name: "Your Playlists" });
  await expect(panel.getByRole("heading", { name: "Your Playlists" })).toBeVisible();
  return panel;
}

async function openPlaylist(page: Page, name: string) {
  const panel = await openPanel(page);
  await panel.getByRole("button", { name: `Open ${name}` }).click();
  await expect(panel.getByRole("heading", { name })).toBeFocused();
  return panel;
}

const itemsOf = (page: Page) => page.getByRole("list", { name: "Episodes of the playlist" });
const expectOrder = (page: Page, titles: string[]) =>
  expect(itemsOf(page).getByRole("link")).toHaveText(titles);
const cardOf = (page: Page, name: string) =>
  page.getByRole("article").filter({ has: page.getByRole("heading", { name, exact: true }) });
const toast = (page: Page) => page.locator("[data-sonner-toast][data-front=true]");
const playing = (page: Page) => page.getByRole("button", { name: /^Open player: / });

test("a playlist is created in the dialog: a name of spaces does nothing, a refusal stands beside its field, and the next one begins empty", async ({
  browser,
}) => {
  const context = await browser.newContext({ reducedMotion: "reduce" });
  const page = await context.newPage();
  const asked: string[] = [];
  page.on("request", (request) => request.method() === "POST" && asked.push(request.url()));
  const panel = await openPanel(page);
  await expect(panel).toContainText("No playlists yet");
  await expect(panel).toContainText("Create your first playlist to get started.");
  await panel.getByRole("button", { name: "New Playlist" }).click();
  const dialog = page.getByRole("dialog", { name: "Create New Playlist" });
  const name = dialog.getByLabel("Playlist Name");
  const create = dialog.getByRole("button", { name: "Create Playlist" });
  await expect(name).toBeFocused();
  await name.fill("   ");
  await create.click();
  await expect(dialog).toBeVisible();
  expect(asked.filter((url) => url.endsWith("/api/playlists"))).toEqual([]);

  const refusal = { error: { code: "invalid", message: "Another name, please.", field: "name" } };
  await page.route("**/api/playlists", (route) =>
    route.request().method() === "POST" ? route.fulfill({ status: 422, json: refusal }) : route.continue(),
  );
  await name.fill("For the train");
  await dialog.getByLabel("Description (Optional)").fill("Forty minutes.");
  await create.click();
  await expect(name).toHaveAccessibleDescription("Another name, please.");
  await expect(name).toHaveValue("For the train");
  await page.unroute("**/api/playlists");
  await create.click();
  await expect(dialog).toBeHidden();
  await expect(cardOf(page, "For the train")).toContainText("Forty minutes.");
  await expect(cardOf(page, "For the train")).toContainText("0 episodes");
  await panel.getByRole("button", { name: "New Playlist" }).click();
  await expect(name).toHaveValue("");
  await context.close();
});

test("while the list loads three cards stand in its place, and what failed is tried again", async ({
  browser,
}) => {
  const { context, page, create } = await aListener(browser);
  await create("Kept", []);
  let answer: "never" | "fail" | "go" = "never";
  let stop = () => {};
  await page.route("**/api/playlists", async (route) => {
    if (answer === "never") await new Promise<void>((resolve) => (stop = resolve));
    return answer === "go" ? route.continue() : route.abort();
  });
  const panel = await openPanel(page);
  await expect(panel.getByRole("list", { name: "Loading playlists" }).locator("li")).toHaveCount(3);
  answer = "fail";
  stop();
  await expect(panel.getByRole("alert")).toContainText("Failed to load playlists.");
  answer = "go";
  await panel.getByRole("button", { name: "Try Again" }).click();
  await expect(cardOf(page, "Kept")).toBeVisible();
  await context.close();
});

test("a playlist that is gone says so, and leads back", async ({ browser }) => {
  const { context, page, create, send } = await aListener(browser);
  const id = await create("Gone", []);
  const panel = await openPanel(page);
  await expect(cardOf(page, "Gone")).toBeVisible();
  await send("DELETE", `/playlists/${id}`);
  await panel.getByRole("button", { name: "Open Gone" }).click();
  await expect(panel).toContainText("Playlist not found");
  await panel.getByRole("button", { name: "Back to Playlists" }).click();
  await expect(panel).toContainText("No playlists yet");
  await context.close();
});

test("an episode is added from its card and from its page, to a playlist and to a new one; twice is once", async ({
  browser,
}) => {
  const { context, page, create } = await aListener(browser);
  await create("Mine", []);
  const [first, second] = episodes;
  await openHydrated(page, `${site.url}/podcast`);
  const add = page.getByRole("button", { name: `Add to playlist: ${first!.title}` });
  const mine = page.getByRole("menuitem", { name: /^Mine/ });
  await add.click();
  await mine.click();
  await expect(toast(page)).toContainText("Added to Mine");
  await expect(add).toBeFocused();
  await add.press("Enter");
  await expect(page.getByRole("menuitem", { name: /^New playlist/ })).toBeVisible();
  await page.keyboard.press("Home");
  await expect(mine).toBeFocused();
  await page.keyboard.press("Enter");
  await expect(toast(page)).toContainText("Already in Mine");

  await openHydrated(page, `${site.url}/episode/${second!.id}`);
  await page.getByRole("button", { name: "Add to playlist" }).click();
  await page.getByRole("menuitem", { name: /^New playlist/ }).click();
  const dialog = page.getByRole("dialog", { name: "Create New Playlist" });
  await dialog.getByLabel("Playlist Name").fill("New one");
  await dialog.getByLabel("Playlist Name").press("Enter");
  await expect(toast(page)).toContainText("Added to New one");

  await openPlaylist(page, "Mine");
  await expectOrder(page, [first!.title]);
  await page.getByRole("button", { name: "Your Playlists", exact: true }).click();
  await page.getByRole("button", { name: "Open New one" }).click();
  await expectOrder(page, [second!.title]);
  await itemsOf(page)
    .getByRole("button", { name: `Remove ${second!.title}` })
    .click();
  await expect(page.getByText("No episodes in this playlist")).toBeVisible();
  await expect(page.getByRole("region", { name: "Your Playlists" })).toBeFocused();
  await expect(page.getByText("Add episodes to start building your playlist.")).toBeVisible();
  await expect(page.getByRole("button", { name: "Play All" })).toBeDisabled();
  await expect(page.getByRole("button", { name: "Shuffle" })).toBeDisabled();
  await context.close();
});

test("a menu opens and closes where it is, by the keyboard too, and gives the focus back", async ({
  browser,
}) => {
  const { context, page } = await aListener(browser);
  await openHydrated(page, `${site.url}/podcast`);
  const add = page.getByRole("button", { name: /^Add to playlist/ }).last();
  await add.scrollIntoViewIfNeeded();
  const scrolled = await page.evaluate(() => scrollY);
  await add.press("Enter");
  await expect(page.getByRole("menuitem")).toBeFocused();
  expect(await page.evaluate(() => scrollY)).toBe(scrolled);
  await page.keyboard.press("Escape");
  await expect(page.getByRole("menu")).toBeHidden();
  await expect(add).toBeFocused();
  await add.click();
  await expect(page.getByRole("menu")).toBeVisible();
  await add.click();
  await expect(page.getByRole("menu")).toBeHidden();
  await context.close();
});

test("the heart is kept, and taken back when the server refuses", async ({ browser }) => {
  const context = await browser.newContext({ reducedMotion: "reduce" });
  const page = await context.newPage();
  const heart = page.getByRole("button", { name: `Add ${episodes[0]!.title} to favourites` });
  await openHydrated(page, `${site.url}/podcast`);
  expect(await page.evaluate(() => localStorage.getItem("user_id"))).toBeNull();
  const reloaded = page.waitForResponse((response) => response.url().endsWith("/api/favorites"));
  await heart.click();
  await expect(heart).toHaveAttribute("aria-pressed", "true");
  await reloaded;
  await openHydrated(page, `${site.url}/episode/${episodes[0]!.id}`);
  await expect(heart).toHaveAttribute("aria-pressed", "true");

  await page.route("**/api/favorites/*", (route) =>
    route.fulfill({ status: 429, json: { error: { code: "rate_limited", message: "Slow down a little." } } }),
  );
  await heart.click();
  await expect(toast(page)).toContainText("Slow down a little.");
  await expect(heart).toHaveAttribute("aria-pressed", "true");
  await page.unroute("**/api/favorites/*");
  const panel = await openPanel(page);
  await expect(panel.getByRole("listitem").filter({ hasText: "Favorites" })).toContainText("1 episode");
  await panel.getByRole("button", { name: "Play Favorites" }).click();
  await expect(playing(page)).toHaveAccessibleName(`Open player: ${episodes[0]!.title}`);
  await context.close();
});

test("nothing moves on a page when what the listener keeps arrives, and who keeps nothing asks for nothing", async ({
  browser,
}) => {
  const { context, page, send } = await aListener(browser);
  await send("PUT", `/favorites/${episodes[0]!.id}`);
  let arrive = () => {};
  await page.route("**/api/favorites", async (route) => {
    await new Promise<void>((resolve) => (arrive = resolve));
    await route.continue();
  });
  const asking = page.waitForRequest("**/api/favorites");
  await openHydrated(page, `${site.url}/podcast`);
  await asking;
  await page.waitForLoadState("load");
  await page.evaluate(() => document.fonts.ready);
  const places = () =>
    page.locator("main li, main button").evaluateAll((elements) =>
      elements.map((element) => {
        const { x, y, width, height } = element.getBoundingClientRect();
        return [x, y, width, height];
      }),
    );
  const before = await places();
  arrive();
  await expect(page.locator("[aria-pressed=true]")).toHaveCount(1);
  expect(await places()).toEqual(before);
  await context.close();

  const nobody = await browser.newContext();
  const other = await nobody.newPage();
  const asked: string[] = [];
  other.on("request", (request) => asked.push(new URL(request.url()).pathname));
  await openHydrated(other, `${site.url}/podcast`);
  await other.waitForLoadState("networkidle");
  expect(asked.filter((path) => path.startsWith("/api/"))).toEqual([]);
  await nobody.close();
});

test("Play All plays in the order of the list, Shuffle in another, the card too; each item alone", async ({
  browser,
}) => {
  const { context, page, create } = await aListener(browser);
  const titles = titlesOf(4);
  await create("Evening", titles);
  const panel = await openPanel(page);
  await panel.getByRole("button", { name: "Play Evening" }).click();
  await expect(playing(page)).toHaveAccessibleName(`Open player: ${titles[0]}`);
  const bar = page.getByRole("region", { name: "Audio player" });
  await bar.getByRole("button", { name: "Next episode" }).click();
  await expect(playing(page)).toHaveAccessibleName(`Open player: ${titles[1]}`);
  await panel.getByRole("button", { name: "Open Evening" }).click();
  await panel.getByRole("button", { name: "Play All" }).click();
  await expect(playing(page)).toHaveAccessibleName(`Open player: ${titles[0]}`);
  await page.evaluate(() => (Math.random = () => 0));
  await panel.getByRole("button", { name: "Shuffle" }).click();
  const mixed = shuffled(titles, () => 0);
  expect(mixed[0]).not.toBe(titles[0]);
  await expect(playing(page)).toHaveAccessibleName(`Open player: ${mixed[0]}`);
  await bar.getByRole("button", { name: "Next episode" }).click();
  await expect(playing(page)).toHaveAccessibleName(`Open player: ${mixed[1]}`);
  await itemsOf(page)
    .getByRole("button", { name: `Play ${titles[2]}` })
    .click();
  await expect(playing(page)).toHaveAccessibleName(`Open player: ${titles[2]}`);
  await context.close();
});

test("items are reordered by the mouse, by the keyboard and by buttons, which is said and kept", async ({
  browser,
}) => {
  const { context, page, create } = await aListener(browser);
  const [a, b, c] = titlesOf(3) as [string, string, string];
  await create("In order", [a, b, c]);
  await openPlaylist(page, "In order");
  const handle = (title: string) => page.getByRole("button", { name: `Reorder ${title}` });
  const saved = () => page.waitForResponse((response) => response.url().endsWith("/order") && response.ok());

  const from = (await handle(a).boundingBox())!;
  const to = (await handle(b).boundingBox())!;
  await page.mouse.move(from.x + 10, from.y + 10);
  await page.mouse.down();
  // Less than the 8 px that make a drag.
  await page.mouse.move(from.x + 10, from.y + 16);
  await expect(handle(a)).not.toHaveAttribute("aria-pressed", "true");
  await page.mouse.move(to.x + 40, to.y + 16, { steps: 8 });
  await expect(handle(a)).toHaveAttribute("aria-pressed", "true");
  expect((await handle(a).boundingBox())!.x).toBe(from.x);
  const dropped = saved();
  await page.mouse.up();
  await expectOrder(page, [b, a, c]);
  await dropped;

  await handle(c).focus();
  await page.keyboard.press("Space");
  await expect(page.getByText(`Picked up ${c}, position 3 of 3.`)).toBeAttached();
  const y = async () => (await handle(c).boundingBox())!.y;
  const before = await y();
  await page.keyboard.press("ArrowUp");
  await expect.poll(async () => before - (await y())).toBe(25);
  const pressUntil = (words: string) =>
    expect(async () => {
      await page.keyboard.press("ArrowUp");
      await expect(page.getByText(words)).toBeAttached({ timeout: 300 });
    }).toPass();
  await pressUntil(`${c} is now at position 2 of 3.`);
  await pressUntil(`${c} is now at position 1 of 3.`);
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

test("an order that the server refuses is taken back, and says so", async ({ browser }) => {
  const { context, page, create } = await aListener(browser);
  const [a, b] = titlesOf(2) as [string, string];
  await create("Stays", [a, b]);
  await openPlaylist(page, "Stays");
  let refuse = () => {};
  await page.route("**/order", async (route) => {
    await new Promise<void>((resolve) => (refuse = resolve));
    const error = { code: "invalid", message: "The playlist has changed meanwhile.", field: "itemIds" };
    await route.fulfill({ status: 422, json: { error } });
  });
  await page.getByRole("button", { name: `Move ${a} down` }).click();
  await expectOrder(page, [b, a]);
  refuse();
  await expectOrder(page, [a, b]);
  await expect(toast(page)).toContainText("The playlist has changed meanwhile.");
  await context.close();
});

test("a long playlist is shown a hundred at a time, and is put in order as a whole", async ({ browser }) => {
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
  await page.getByRole("button", { name: "Show more" }).click();
  await expect(items).toHaveCount(250);
  await expect(page.getByRole("button", { name: "Show more" })).toHaveCount(0);
  await context.close();
});

test("a playlist is renamed, made public for everybody, private again, and deleted", async ({ browser }) => {
  const { context, page, create } = await aListener(browser, {
    permissions: ["clipboard-read", "clipboard-write"],
  });
  const [title] = titlesOf(1) as [string];
  const id = await create("Old name", [title]);
  const panel = await openPlaylist(page, "Old name");
  const dialog = page.getByRole("dialog", { name: "Edit playlist" });
  const edit = async (change: () => Promise<unknown>) => {
    await panel.getByRole("button", { name: "Edit" }).click();
    await change();
    await dialog.getByRole("button", { name: "Save" }).click();
    await expect(dialog).toBeHidden();
  };
  await edit(async () => {
    await dialog.getByLabel("Playlist Name").fill("New name");
    await dialog.getByLabel("Description (Optional)").fill("To pass on.");
    await dialog.getByRole("switch", { name: "Make playlist public" }).check();
  });
  await expect(panel.getByRole("heading", { name: "New name" })).toBeVisible();
  await expect(panel.getByText("Public", { exact: true })).toBeVisible();
  await panel.getByRole("button", { name: "Copy link" }).click();
  await expect(toast(page)).toContainText("Link copied!");
  const link = await page.evaluate(() => navigator.clipboard.readText());
  expect(link).toBe(`${site.url}/playlists/${id}`);

  const stranger = await (await browser.newContext()).newPage();
  expect((await stranger.goto(link))?.status()).toBe(200);
  await expect(stranger.getByRole("heading", { name: "New name", level: 1 })).toBeVisible();
  const feed = `${site.url}/rss/playlists/${id}.xml`;
  expect(await (await stranger.request.get(feed)).text()).toContain(title);

  await edit(() => dialog.getByRole("switch", { name: "Make playlist public" }).uncheck());
  await expect(panel.getByText("Public", { exact: true })).toBeHidden();
  // The edge is asked anew once it has heard of the change.
  await expect.poll(async () => (await stranger.request.get(link)).status(), { timeout: 15_000 }).toBe(404);
  await expect.poll(async () => (await stranger.request.get(feed)).status(), { timeout: 15_000 }).toBe(404);
  await stranger.context().close();

  await panel.getByRole("button", { name: "Delete" }).click();
  await page.getByRole("alertdialog").getByRole("button", { name: "Delete playlist" }).click();
  await expect(panel).toContainText("No playlists yet");
  await context.close();
});

test("Smart Playlist makes Recently Played, and its menu the other kinds; they are not put in order", async ({
  browser,
}) => {
  const { context, page, send } = await aListener(browser);
  const { id, title } = episodes[1]!;
  await send("PUT", `/progress/${id}`, { progressSeconds: 30, completed: false });
  const panel = await openPanel(page);
  await panel.getByRole("button", { name: "Smart Playlist", exact: true }).click();
  await expect(cardOf(page, "Recently Played")).toContainText("Smart");
  await expect(cardOf(page, "Recently Played")).toContainText("1 episode");
  await panel.getByRole("button", { name: "Other smart playlists" }).click();
  await page.getByRole("menuitem", { name: /^Not finished yet/ }).click();
  await panel.getByRole("button", { name: "Open Not finished yet" }).click();
  await expectOrder(page, [title]);
  await expect(page.getByRole("button", { name: /^(Reorder|Remove|Move) / })).toHaveCount(0);
  await expect(panel.getByRole("button", { name: "Edit" })).toHaveCount(0);
  await panel.getByRole("button", { name: "Your Playlists" }).click();
  await expect(panel.getByRole("button", { name: "Open Not finished yet" })).toBeFocused();
  await panel.getByRole("button", { name: "Play Recently Played" }).first().click();
  await expect(playing(page)).toHaveAccessibleName(`Open player: ${title}`);
  await context.close();
});

test("axe and the console find nothing in the list, a playlist, the menu and the dialog, in both themes, and nothing overflows a phone", async ({
  browser,
}) => {
  const { context, page, create } = await aListener(browser, { viewport: { width: 360, height: 740 } });
  const complaints = complaintsOf(context);
  const long = `Donaudampfschifffahrtsgesellschaftskapitän ${"and so on ".repeat(7)}`.trim();
  await create(long, titlesOf(2), true);
  const panel = await openPanel(page);
  await expect(cardOf(page, long)).toBeVisible();
  const check = async () => {
    for (const colorScheme of ["light", "dark"] as const) {
      await page.emulateMedia({ colorScheme });
      await expectNoAxeFindings(page);
    }
    const overflow = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
    expect(overflow).toBeLessThanOrEqual(0);
  };
  await check();
  await panel.getByRole("button", { name: "Other smart playlists" }).click();
  await expect(page.getByRole("menu")).toBeVisible();
  await expectNoAxeFindings(page);
  await page.keyboard.press("Escape");
  await panel.getByRole("button", { name: "New Playlist" }).click();
  await expect(page.getByRole("dialog")).toBeVisible();
  await check();
  await page.keyboard.press("Escape");
  await panel.getByRole("button", { name: `Open ${long}` }).click();
  await expectOrder(page, titlesOf(2));
  await check();
  expect(complaints).toEqual([]);
  await context.close();
});

test("without JavaScript there is no heart and no Add to playlist", async ({ browser }) => {
  const context = await browser.newContext({ javaScriptEnabled: false });
  const page = await context.newPage();
  await page.goto(`${site.url}/podcast`);
  await expect(page.getByRole("link", { name: /^Listen Now/ }).first()).toBeVisible();
  await expect(page.getByRole("button", { name: /favourites|Add to playlist/ })).toHaveCount(0);
  await context.close();
});
