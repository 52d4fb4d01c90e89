import { createExecutionContext, waitOnExecutionContext } from "cloudflare:test";
import { beforeAll, describe, expect, it, test } from "vitest";
import { deviceOfBrowser } from "#worker/listening-device.ts";
import { updateSite } from "#worker/settings/commands.ts";
import { podcastAppKeys } from "#worker/settings/podcast-apps.ts";
import { ask, WITH_CACHE } from "./support/cached.ts";
import { ownerContext, SITE } from "./support/client.ts";
import { savedShow } from "./support/factories.ts";
import { open } from "./support/pages.ts";
import worker from "./support/worker.ts";

/** Documented by the browsers' makers. */
const IPHONE =
  "Mozilla/5.0 (iPhone; CPU iPhone OS 17_5 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/17.5 Mobile/15E148 Safari/604.1";
const MAC =
  "Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/17.5 Safari/605.1.15";
const ANDROID =
  "Mozilla/5.0 (Linux; Android 10; K) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/126.0.0.0 Mobile Safari/537.36";
const FIRE =
  "Mozilla/5.0 (Linux; Android 11; KFRAWI) AppleWebKit/537.36 (KHTML, like Gecko) Silk/126.3.1 like Chrome/126.0.6478.71 Safari/537.36";
const SILK_ON_DESKTOP =
  "Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/537.36 (KHTML, like Gecko) Silk/126.3.1 like Chrome/126.0.6478.71 Safari/537.36";
const WINDOWS =
  "Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/126.0.0.0 Safari/537.36";

test.each([
  [IPHONE, "apple"],
  [MAC, "apple"],
  [ANDROID, "android"],
  [FIRE, "amazon"],
  [SILK_ON_DESKTOP, "amazon"],
  [WINDOWS, null],
  ["", null],
])("%s is a browser on a device of the family %s", (userAgent, device) => {
  expect(deviceOfBrowser(userAgent)).toBe(device);
});

const by = (userAgent: string) => ({ headers: { "User-Agent": userAgent } });
const platforms = Object.fromEntries(podcastAppKeys.map((key) => [key, `https://example.com/${key}`]));

beforeAll(async () => {
  await savedShow({ title: "Plain Ground" });
  await updateSite(ownerContext(), { platforms });
});

describe("/listen", () => {
  it.each([
    [IPHONE, "Listen on Apple Podcasts For iPhone, iPad and Mac", "https://example.com/apple"],
    [ANDROID, "Listen on YouTube Music For Android", "https://example.com/youtubeMusic"],
    [FIRE, "Listen on Amazon Music For Fire tablets", "https://example.com/amazon"],
  ])("offers %s its own app first, and lists all", async (userAgent, offer, href) => {
    const { main, mainText } = await open("/listen", by(userAgent));
    expect(mainText).toContain(`${offer} All apps`);
    expect(/href="(https:[^"]+)"/.exec(main)?.[1]).toBe(href);
    for (const key of podcastAppKeys) expect(main).toContain(`href="https://example.com/${key}"`);
    expect(main).toContain('href="/rss/podcast.xml"');
  });

  it("lists all apps in the owner's order for other devices, and says where an app runs", async () => {
    const { mainText } = await open("/listen", by(WINDOWS));
    expect(mainText).not.toContain("Listen on");
    expect(mainText).toMatch(
      /YouTube Apple Podcasts iPhone, iPad and Mac Spotify .*Overcast iPhone, iPad and Mac AntennaPod Android/,
    );
    expect(mainText).toContain(`${SITE}/rss/podcast.xml`);
  });

  it("lists apps of other devices last", async () => {
    const { mainText } = await open("/listen", by(ANDROID));
    expect(mainText).toMatch(/Podcast Index Apple Podcasts .*Overcast .*RSS/);
  });

  it("offers the next app of the device if the first has no link, and none without any", async () => {
    await updateSite(ownerContext(), { platforms: { overcast: "https://overcast.fm/itunes1" } });
    expect((await open("/listen", by(IPHONE))).mainText).toContain("Listen on Overcast For iPhone");
    expect((await open("/listen", by(ANDROID))).mainText).not.toContain("Listen on");
    await updateSite(ownerContext(), { platforms: {} });
    expect((await open("/listen", by(IPHONE))).mainText).toContain("RSS Every other podcast app");
    await updateSite(ownerContext(), { platforms });
  });

  it("has the device of a link's own parameter, and no address but its own for search engines", async () => {
    const { html, mainText } = await open("/listen?device=android", by(IPHONE));
    expect(mainText).toContain("Listen on YouTube Music");
    expect(html).toContain(`<link rel="canonical" href="${SITE}/listen"`);
    expect((await open("/listen?device=other", by(IPHONE))).mainText).toContain("Listen on Apple Podcasts");
  });
});

describe("the cache of /listen", () => {
  it("has one answer for each family of devices, whatever a visitor adds to the address", async () => {
    expect((await ask("/listen", by(IPHONE))).way).toBe("miss");
    const again = await ask("/listen?device=nothing&utm_source=poster", by(MAC));
    expect(again.way).toBe("hit");
    expect(again.body).toContain("Listen on Apple Podcasts");
    expect(again.response.headers.get("Vary")).toContain("User-Agent");
    const other = await ask("/listen", by(ANDROID));
    expect([other.way, other.body.includes("Listen on YouTube Music")]).toEqual(["miss", true]);
    expect((await ask("/listen", by(WINDOWS))).body).not.toContain("Listen on YouTube Music");
  });

  it("has no device in a redirect to it, which caches store for all", async () => {
    const slash = await ask("/listen/", by(IPHONE));
    expect([slash.response.status, slash.response.headers.get("Location")]).toEqual([301, `${SITE}/listen`]);
    const execution = createExecutionContext();
    const plain = new Request("http://example.org/listen", { ...by(IPHONE), redirect: "manual" });
    const encrypted = await worker.fetch(
      plain as never,
      { ...WITH_CACHE, SITE_URL: "https://example.org" },
      execution,
    );
    expect([encrypted.status, encrypted.headers.get("Location")]).toEqual([
      301,
      "https://example.org/listen",
    ]);
    await waitOnExecutionContext(execution);
  });

  it("is only in the Worker: a cache in front of it would serve one device's answer to all", async () => {
    const execution = Object.assign(createExecutionContext(), { cache: {} });
    const request = new Request(`${SITE}/listen`, by(IPHONE));
    const { headers } = await worker.fetch(request as never, WITH_CACHE, execution as never);
    expect(headers.get("Cloudflare-CDN-Cache-Control")).toBe("no-store");
    await waitOnExecutionContext(execution);
  });
});
