import assert from "node:assert/strict";
import { newListener, sendAs } from "../support/listener-api.ts";
import type { Site } from "../e2e/support/site.ts";
import { signIn } from "./owner.ts";
import { a, until, type Page } from "./page.ts";

export type Episode = { id: number; title: string; durationSeconds: number };
type Visit = { page: Page; site: Site; episodes: Episode[]; engine: string };

const bar = a("region", "Audio player");
const seek = a("slider", "Seek", bar);
const playlists = a("region", "Your Playlists");
const ESSAY = "The second appointment";
const SIGNED_UP = "Successfully subscribed! Check your email.";

/** The state of the browser's audio element, independent of the player. */
const audio = (page: Page) =>
  page.evaluate(() => {
    const elements = [...document.querySelectorAll("audio")];
    const element =
      elements.find(({ paused }) => !paused) ?? elements.find(({ readyState }) => readyState > 0);
    return { isPlaying: element?.paused === false, seconds: element?.currentTime ?? 0 };
  });

const passes = (page: Page, seconds: number) =>
  until(`the sound passes ${seconds} s`, async () => {
    const { isPlaying, seconds: now } = await audio(page);
    return isPlaying && now > seconds ? { now } : null;
  });

async function playNewest({ page, episodes }: Visit) {
  await page.open(`/episode/${episodes[0]!.id}`);
  await page.click(a("button", "Play in Audio Player"));
  await passes(page, 0.2);
}

const isPressed = (page: Page, name: string) =>
  page.of(a("button", name), (button) => button.getAttribute("aria-pressed") === "true");

const pathOf = (page: Page) => page.evaluate(() => location.pathname);

/** Each in a tab with a storage of its own, on the demo. */
export const journeys: Record<string, (visit: Visit) => Promise<void>> = {
  async "an episode plays, and pauses"(visit) {
    const { page } = visit;
    await playNewest(visit);
    const { now } = await passes(page, 0.2);
    await passes(page, now);
    await page.click(a("button", "Pause", bar));
    await until("the sound rests", async () => !(await audio(page)).isPlaying);
    const { seconds } = await audio(page);
    await page.see(a("button", "Play", bar));
    assert.equal((await audio(page)).seconds, seconds);
  },

  async "the seek line takes the sound where it is pressed, and a key takes it further"(visit) {
    const { page, episodes } = visit;
    await playNewest(visit);
    await page.clickAt(seek, 0.5);
    const half = episodes[0]!.durationSeconds / 2;
    const { now } = await passes(page, half - 2);
    assert.ok(now < half + 30, `${now} s is about the middle, ${half} s`);
    await page.click(a("button", "Pause", bar));
    await until("the sound rests", async () => !(await audio(page)).isPlaying);
    const { seconds } = await audio(page);
    await page.clickAt(seek, 0.75);
    await until("the sound has moved, at rest", async () => (await audio(page)).seconds > seconds + 1);
    const before = await audio(page);
    await page.press("ArrowRight");
    await until("a key has moved it", async () => (await audio(page)).seconds > before.seconds);
  },

  async "it plays on while pages change, and is at the same second after a reload, at rest"(visit) {
    const { page, episodes } = visit;
    await playNewest(visit);
    await page.clickAt(seek, 0.5);
    const { now } = await passes(page, episodes[0]!.durationSeconds / 2 - 2);
    await page.click(a("link", "All episodes"));
    await until("the other page is there", async () => (await pathOf(page)) === "/podcast");
    const { now: later } = await passes(page, now);
    await page.click(a("button", "Pause", bar));
    await until("the sound rests", async () => !(await audio(page)).isPlaying);
    const { seconds } = await audio(page);
    assert.ok(seconds >= later);
    await page.open("/about");
    const kept = () => page.of(seek, (line) => Number((line as HTMLInputElement).value));
    await until("the position is kept", async () => Math.floor((await kept())!) === Math.floor(seconds));
    assert.equal((await audio(page)).isPlaying, false);
    await page.click(a("button", "Play", bar));
    await passes(page, seconds);
  },

  async "a favourite is kept, by the server and over a reload"({ page, site, episodes }) {
    const { title } = episodes[0]!;
    const heart = `Add ${title} to favourites`;
    await page.open("/podcast");
    await page.click(a("button", heart));
    await until("the heart is pressed", () => isPressed(page, heart));
    const listener = await until("the listener has an id", () =>
      page.evaluate(() => localStorage.getItem("user_id")),
    );
    assert.match(listener, /^user_/);
    await until("the server has it", async () => {
      const answer = await sendAs(listener, site.url, "GET", "/favorites");
      const { items } = (await answer.json()) as { items: { episode: Episode }[] };
      return items.some(({ episode }) => episode.id === episodes[0]!.id);
    });
    await page.open("/podcast");
    await until("the heart is pressed after the reload", () => isPressed(page, heart));
  },

  async "an episode of a playlist is dragged to another place, where it stays"({ page, site, episodes }) {
    const listener = newListener();
    const send = (path: string, body: object) => sendAs(listener, site.url, "POST", path, body);
    const { id } = (await (await send("/playlists", { name: "In order", isPublic: false })).json()) as {
      id: string;
    };
    const three = episodes.slice(0, 3);
    for (const episode of three) await send(`/playlists/${id}/items`, { episodeId: episode.id });
    const [first, second, third] = three.map(({ title }) => title) as [string, string, string];

    await page.open("/about");
    await page.evaluate((name) => localStorage.setItem("user_id", name), listener);
    const openPlaylist = async () => {
      await page.open("/");
      await page.click(a("button", "Show your playlists"));
      await page.click(a("button", "Open In order", playlists));
      await page.see(a("list", "Episodes of the playlist"));
    };
    const order = () =>
      page.of(a("list", "Episodes of the playlist"), (list) =>
        [...list.querySelectorAll("a")].map((link) => link.textContent),
      );
    const expectOrder = (...titles: string[]) =>
      until(
        `the order is ${titles.join(", ")}`,
        async () => JSON.stringify(await order()) === JSON.stringify(titles),
      );
    await openPlaylist();
    await expectOrder(first, second, third);
    await page.drag(a("button", `Reorder ${first}`), a("button", `Reorder ${second}`));
    await expectOrder(second, first, third);
    await until("the server has the order", async () => {
      const answer = await sendAs(listener, site.url, "GET", `/playlists/${id}`);
      const text = await answer.text();
      return text.indexOf(second) < text.indexOf(first);
    });
    await openPlaylist();
    await expectOrder(second, first, third);
  },

  async "an essay opens over its list, keeps the focus, and gives it back after Escape"({ page }) {
    await page.open("/conversations");
    await page.click(a("link", ESSAY));
    const reader = a("dialog", ESSAY);
    await page.see(reader);
    await until(
      "the address is the essay's",
      async () => (await pathOf(page)) === "/essays/the-second-appointment",
    );
    const focus = () =>
      page.evaluate(() => {
        const { activeElement, body } = document;
        // After the last control the focus moves to the browser's own controls, which a page sees as the body.
        return { isInside: activeElement?.closest("dialog") !== null, isOutside: activeElement === body };
      });
    await until("the focus is inside", async () => (await focus()).isInside);
    for (let times = 0; times < 12; times++) {
      await page.press("Tab");
      const { isInside, isOutside } = await focus();
      assert.ok(isInside || isOutside, "Tab does not leave the dialog for the page behind it");
    }
    await page.press("Escape");
    await page.gone(reader);
    await until("the address is the list's", async () => (await pathOf(page)) === "/conversations");
    await until("the focus is back on the link", () =>
      page.evaluate((title) => document.activeElement?.textContent?.includes(title), ESSAY),
    );
  },

  async "a chosen theme is there after a reload"({ page }) {
    const look = () =>
      page.evaluate(() => {
        const { classList } = document.documentElement;
        return {
          isDark: classList.contains("dark"),
          colour: getComputedStyle(document.body).backgroundColor,
        };
      });
    await page.open("/podcast");
    await page.click(a("label", "Light"));
    await until("it is light", async () => !(await look()).isDark);
    const light = await look();
    await page.click(a("label", "Dark"));
    await until("it is dark", async () => (await look()).isDark);
    await page.open("/podcast");
    const dark = await look();
    assert.equal(dark.isDark, true);
    assert.notEqual(dark.colour, light.colour);
  },

  async "a reader signs up in the footer, is told so, and has the mail"({ page, site, engine }) {
    const email = `${engine.toLowerCase()}@example.com`;
    await page.open("/podcast");
    await page.click(a("textbox", "Email address"));
    await page.type(email);
    await page.press("Enter");
    await until("it is said", () =>
      page.evaluate(
        (text) =>
          [...document.querySelectorAll("#newsletter [role=status]")].some((status) =>
            status.textContent.includes(text),
          ),
        SIGNED_UP,
      ),
    );
    await site.mailTo(email);
  },

  async "the owner signs in; half a date is asked for and kept, and a page that is not saved is left by question"({
    page,
    episodes,
  }) {
    const date = a("field", "Publication date");
    const note = () =>
      page.of(date, (input) => document.getElementById(`${input.id}-error`)?.textContent.trim());
    const isHalf = () => page.of(date, (input) => (input as HTMLInputElement).validity.badInput);
    await signIn(page);
    await page.open(`/admin/podcast/${episodes[0]!.id}`);
    await page.of(date, (input) => input.focus());
    await page.press("Delete");
    await until("the date is half one", isHalf);
    await page.click(a("button", "Save changes"));
    await until(
      "it is asked for",
      async () => (await note()) === "Enter the whole date and time, or clear it.",
    );
    assert.ok(await isHalf(), "what was typed is still there");
    await page.click(a("link", "Speaking"));
    await page.click(a("button", "Leave", a("dialog")));
    await until("it is left", async () => (await pathOf(page)) === "/admin/speaking");
  },
};
