import { readdirSync, readFileSync } from "node:fs";
import { createHash } from "node:crypto";
import { expect } from "@playwright/test";
import { parseFeed } from "podcast-partytime";
import { parse } from "yaml";
import { readPicture } from "../../../worker/files/pictures/picture-headers.ts";
import { complaintsOf } from "./console.ts";
import type { test as base } from "./test.ts";

type FrontMatter = {
  title: string;
  description: string;
  publishedAt: string;
  season: number;
  episode: number;
  audio: string;
};

const entered = readdirSync("demo/episodes")
  .map((file) => parse(readFileSync(`demo/episodes/${file}`, "utf8").split("---\n")[1] ?? "") as FrontMatter)
  .toSorted((a, b) => Date.parse(b.publishedAt) - Date.parse(a.publishedAt));

const sha256 = (bytes: Buffer) => createHash("sha256").update(bytes).digest("hex");

/** Tests the feeds of the demo, and all that they name, at an address. */
export function testFeeds(test: typeof base, address: () => string) {
  test("an independent podcast parser reads the entered values", async () => {
    const xml = await (await fetch(`${address()}/rss/podcast.xml`)).text();
    const feed = parseFeed(xml, { allowMissingGuid: false });
    if (!feed) throw new Error("podcast-partytime could not read the feed.");
    const show = JSON.parse(readFileSync("demo/show.json", "utf8"));
    expect(feed).toMatchObject({
      title: show.title,
      language: show.language,
      explicit: show.explicit,
      locked: true,
      medium: "podcast",
    });
    expect(feed.guid).toMatch(/^[0-9a-f-]{36}$/);
    expect(feed.items.map(({ title }) => title)).toEqual(entered.map(({ title }) => title));
    for (const [index, item] of feed.items.entries()) {
      const said = entered[index]!;
      expect(item.description).toBe(said.description.trim());
      expect(item.pubDate?.getTime()).toBe(Date.parse(said.publishedAt));
      expect(item.podcastSeason?.number).toBe(said.season);
      expect(item.podcastEpisode?.number).toBe(said.episode);
    }
  });

  test("every enclosure answers HEAD and ranges, and is the file that was uploaded", async () => {
    const xml = await (await fetch(`${address()}/rss/podcast.xml`)).text();
    const feed = parseFeed(xml);
    expect(feed?.items.length).toBe(entered.length);
    for (const [index, { enclosure }] of (feed?.items ?? []).entries()) {
      const file = readFileSync(`demo/${entered[index]!.audio}`);
      expect(enclosure).toMatchObject({ length: file.byteLength, type: "audio/mpeg" });
      const head = await fetch(enclosure.url, { method: "HEAD" });
      expect(head.status).toBe(200);
      expect(head.headers.get("content-length")).toBe(String(file.byteLength));
      expect(head.headers.get("accept-ranges")).toBe("bytes");
      const middle = Math.floor(file.byteLength / 2);
      const parts = await Promise.all(
        [`bytes=0-${middle - 1}`, `bytes=${middle}-`].map((Range) =>
          fetch(enclosure.url, { headers: { Range } }),
        ),
      );
      expect(parts.map(({ status }) => status)).toEqual([206, 206]);
      const whole = Buffer.concat(
        await Promise.all(parts.map(async (part) => Buffer.from(await part.arrayBuffer()))),
      );
      expect(sha256(whole)).toBe(sha256(file));
    }
  });

  test("the artwork meets Apple's rules, and all documents linked from the feed exist", async () => {
    const xml = await (await fetch(`${address()}/rss/podcast.xml`)).text();
    const links = [...xml.matchAll(/(?:<itunes:image href|<podcast:(?:transcript|chapters) url)="([^"]+)"/g)];
    expect(links.length).toBeGreaterThan(entered.length);
    for (const [named, url = ""] of links) {
      const answer = await fetch(url);
      expect(answer.status, url).toBe(200);
      const bytes = new Uint8Array(await answer.arrayBuffer());
      expect(bytes.byteLength).toBeGreaterThan(0);
      if (!named.startsWith("<itunes:image")) continue;
      const { width, height } = readPicture(bytes, answer.headers.get("Content-Type")!)!;
      expect(width, url).toBe(height);
      expect(width, url).toBeGreaterThanOrEqual(1400);
      expect(width, url).toBeLessThanOrEqual(3000);
    }
  });

  for (const path of ["/rss/podcast.xml", "/rss/essays.xml"]) {
    test(`a browser shows ${path} with its style`, async ({ page }) => {
      const complaints: string[] = [];
      page.on("console", (message) => complaints.push(message.text()));
      await page.goto(`${address()}${path}`);
      const shown = await page.evaluate(() => {
        const channel = document.querySelector("channel")!;
        const visible = [...document.querySelectorAll("channel *")].filter((each) => each.checkVisibility());
        return {
          advice: getComputedStyle(channel, "::before").content,
          names: [...new Set(visible.map(({ nodeName }) => nodeName))],
          titles: visible.filter(({ nodeName }) => nodeName === "title").length,
          items: document.querySelectorAll("item").length,
          isWide: document.documentElement.scrollWidth > innerWidth,
        };
      });
      expect(shown.advice).toContain("copy this page’s address into your podcast app");
      expect(shown.names.filter((name) => name !== "itunes:subtitle").toSorted()).toEqual([
        "atom:link",
        "item",
        "pubDate",
        "title",
      ]);
      expect(shown).toMatchObject({ titles: shown.items + 1, isWide: false });
      expect(complaints).toEqual([]);
    });
  }

  test("an enclosure opened directly in the browser plays", async ({ page }) => {
    const feed = parseFeed(await (await fetch(`${address()}/rss/podcast.xml`)).text());
    const complaints = complaintsOf(page.context());
    await page.goto(feed!.items[0]!.enclosure.url);
    const isReady = () => page.evaluate(() => document.querySelector("video")!.readyState > 1);
    await expect.poll(isReady).toBe(true);
    expect(complaints).toEqual([]);
  });
}
