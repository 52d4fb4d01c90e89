import { eq } from "drizzle-orm";
import { afterEach, beforeEach, describe, expect, inject, test, vi } from "vitest";
import { createArticle, deleteArticle, updateArticle } from "#worker/articles/commands.ts";
import { createEpisode } from "#worker/episodes/commands.ts";
import { deliverOutbox } from "#worker/platform/work/outbox.ts";
import { outbox } from "#worker/platform/table.ts";
import { updateSite } from "#worker/settings/commands.ts";
import { hubFault, hubHeader } from "#worker/websub/hub.ts";
import { deliverPing, WEBSUB_TOPIC } from "#worker/websub/ping.ts";
import { fetchSite, jobContext, ownerContext, SITE } from "./support/client.ts";
import { anEpisode, savedShow } from "./support/factories.ts";
import type { Ping } from "./support/hub-server.ts";

const HUB = `http://127.0.0.1:${inject("hub")}`;
const MINUTE = 60_000;
const FEEDS = ["/rss/podcast.xml", "/rss/essays.xml"];
const { db } = jobContext();

const pings = () => db.select().from(outbox).where(eq(outbox.topic, WEBSUB_TOPIC));
const setHub = (hubUrl: string) => updateSite(ownerContext(), { hubUrl });
const receivedBy = async (name: string) => (await fetch(`${HUB}/${name}/received`)).json<Ping[]>();

/** Delivers what waits, as if it were `now`. */
async function deliver(now: Date, options = {}) {
  for (const { id } of await pings()) {
    await deliverOutbox(jobContext({ now, ...options }), id, { [WEBSUB_TOPIC]: deliverPing });
  }
  return pings();
}

let count = 0;
const essay = (overrides = {}) => ({
  title: `Essay ${++count} for the hub`,
  status: "published" as const,
  ...overrides,
});

const now = new Date();
const later = (milliseconds: number) => new Date(now.getTime() + milliseconds);
const owner = (milliseconds = 0) => ownerContext({ now: later(milliseconds) });

beforeEach(async () => {
  await db.delete(outbox);
  await savedShow();
  await setHub("");
  vi.spyOn(console, "error").mockImplementation(() => {});
});
afterEach(() => vi.restoreAllMocks());

describe("a feed with a hub", () => {
  test.each(FEEDS)("%s names it, and itself, in the document and in a header", async (feed) => {
    const before = await fetchSite(feed);
    expect(before.headers.get("Link")).toBeNull();
    expect(await before.text()).not.toContain('rel="hub"');
    await setHub(`${HUB}/named/ok?a=1&b=2`);
    const etag = before.headers.get("ETag")!;
    const dates = { "If-Modified-Since": before.headers.get("Last-Modified") ?? new Date().toUTCString() };
    for (const headers of [undefined, { "If-None-Match": etag }, dates]) {
      const response = await fetchSite(feed, { headers });
      expect(response.status).toBe(200);
      expect(response.headers.get("Link")).toBe(
        `<${HUB}/named/ok?a=1&b=2>; rel="hub", <${SITE}${feed}>; rel="self"`,
      );
      const xml = await response.text();
      expect(xml).toContain(`<atom:link rel="hub" href="${HUB}/named/ok?a=1&amp;b=2"/>`);
      expect(xml).toContain(`<atom:link rel="self" href="${SITE}${feed}" type="application/rss+xml"/>`);
    }
  });
});

describe("the address of a hub", () => {
  const SITE_URL = "https://imogen.example";

  test.each([
    "https://pubsubhubbub.appspot.com/",
    "https://hub.example.com:8443/a?b=c",
    "https://93.184.215.14/",
    "https://[2606:2800:21f:cb07:6820:80da:af6b:8b2c]/",
  ])("may be %s", (hubUrl) => expect(hubFault(hubUrl, SITE_URL)).toBeNull());

  test.each([
    "http://pubsubhubbub.appspot.com/",
    "https://owner:secret@hub.example.com/",
    "https://localhost/",
    "https://hub.localhost./",
    "https://127.0.0.1/",
    "https://2130706433/",
    "https://0x7f.1/",
    "https://10.0.0.8/",
    "https://192.168.1.1/",
    "https://172.16.0.1/",
    "https://169.254.169.254/latest/meta-data/",
    "https://100.64.0.1/",
    "https://0.0.0.0/",
    "https://224.0.0.1/",
    "https://[::1]/",
    "https://[::ffff:10.0.0.8]/",
    "https://[fd00::1]/",
    "https://[fe80::1]/",
    "https://[64:ff9b::a00:1]/",
    "https://router/",
    "https://printer.local/",
    "https://metadata.google.internal/",
  ])("may not be %s", (hubUrl) => expect(hubFault(hubUrl, SITE_URL)).not.toBeNull());

  test("is refused beside its field, and nothing is saved", async () => {
    await setHub(`${HUB}/kept/ok`);
    const site = { ...ownerContext().config, siteUrl: SITE_URL };
    for (const [hubUrl, message] of [
      ["http://hub.example.com/", "Enter a full address that starts with https://."],
      ["https://10.0.0.8/", "Enter a hub on the internet. This is a private address."],
    ] as const) {
      await expect(
        updateSite(ownerContext({ config: site }), { hubUrl, name: "Not saved" }),
      ).rejects.toMatchObject({ code: "invalid", field: "hubUrl", message });
    }
    // This site is at localhost.
    await expect(setHub("https://pubsubhubbub.appspot.com/")).rejects.toMatchObject({ field: "hubUrl" });
    await expect(setHub("javascript:alert(1)")).rejects.toMatchObject({ field: "hubUrl" });
    expect((await fetchSite("/rss/essays.xml")).headers.get("Link")).toContain("/kept/ok");
    expect(await (await fetchSite("/")).text()).not.toContain("Not saved");
  });
});

describe("a hub is pinged", () => {
  test("for each feed that has changed, once the new one is certain to be served", async () => {
    await setHub(`${HUB}/told/ok`);
    await createArticle(owner(), essay());
    await createEpisode(owner(), anEpisode({ status: "published" }));
    // The cache looks for changes after 20 seconds at the latest.
    await deliver(later(20_000));
    expect(await receivedBy("told")).toEqual([]);
    const rows = await deliver(later(30_000));
    expect(rows.map(({ doneAt }) => doneAt)).toEqual([later(30_000), later(30_000)]);
    const received = await receivedBy("told");
    expect(received).toHaveLength(2);
    for (const { method, type } of received) {
      expect(`${method} ${type}`).toMatch(/^POST application\/x-www-form-urlencoded(;|$)/);
    }
    const bodies = received.map(({ body }) => Object.fromEntries(new URLSearchParams(body)));
    expect(bodies.toSorted((a, b) => a["hub.url"]!.localeCompare(b["hub.url"]!))).toEqual([
      { "hub.mode": "publish", "hub.url": `${SITE}/rss/essays.xml` },
      { "hub.mode": "publish", "hub.url": `${SITE}/rss/podcast.xml` },
    ]);
  });

  test("once of many changes within a short time, after the last of them", async () => {
    await setHub(`${HUB}/many/ok`);
    const { id } = await createArticle(owner(), essay());
    await createArticle(owner(10_000), essay());
    await updateArticle(owner(20_000), id, { title: "Renamed for the hub" });
    const [row, ...others] = await pings();
    expect(others).toEqual([]);
    expect(row).toMatchObject({ notBefore: later(45_000) });
    await deliver(later(30_000));
    expect(await receivedBy("many")).toEqual([]);
    await deliver(later(50_000));
    expect(await receivedBy("many")).toHaveLength(1);
    await deleteArticle(owner(MINUTE), id);
    await deliver(later(2 * MINUTE));
    expect(await receivedBy("many")).toHaveLength(2);
  });

  test("during continuous changes every two minutes", async () => {
    await setHub(`${HUB}/series/ok`);
    for (let seconds = 0; seconds <= 180; seconds += 20) await createArticle(owner(seconds * 1000), essay());
    expect(await pings()).toHaveLength(2);
  });

  test("of nothing that visitors do not see, and no hub of anything", async () => {
    await createArticle(owner(), essay());
    await setHub(`${HUB}/quiet/ok`);
    const { id } = await createArticle(owner(), { title: "A draft for the hub" });
    await updateArticle(owner(), id, { content: "Words." });
    await deleteArticle(owner(), id);
    await createEpisode(owner(), anEpisode());
    expect(await pings()).toEqual([]);
  });

  test("again later if it refuses the ping, and its answer is stored", async () => {
    await setHub(`${HUB}/busy/busy`);
    await createArticle(owner(), essay());
    const [row] = await deliver(later(MINUTE));
    expect(row).toMatchObject({ doneAt: null, failedAt: null, attempts: 1, notBefore: later(2 * MINUTE) });
    expect(row!.lastError).toMatch(/The hub answered 503 Come back later\. x+$/);
    expect(row!.lastError!.length).toBeLessThan(300);
    await setHub(`${HUB}/busy/ok`);
    expect(await deliver(later(3 * MINUTE))).toMatchObject([{ doneAt: later(3 * MINUTE), attempts: 2 }]);
  });

  test("again if it does not answer in time, or is missing", async () => {
    vi.spyOn(AbortSignal, "timeout").mockImplementation(() =>
      AbortSignal.abort(new Error("It took too long.")),
    );
    await setHub(`${HUB}/slow/silent`);
    await createArticle(owner(), essay());
    expect(await deliver(later(MINUTE))).toMatchObject([{ doneAt: null, failedAt: null, attempts: 1 }]);
    vi.mocked(AbortSignal.timeout).mockRestore();
    await setHub("http://127.0.0.1:9/");
    expect(await deliver(later(3 * MINUTE))).toMatchObject([{ doneAt: null, failedAt: null, attempts: 2 }]);
  });

  test("at no other address than the owner's", async () => {
    await setHub(`${HUB}/moved/moved`);
    await createArticle(owner(), essay());
    const [row] = await deliver(later(MINUTE));
    expect(row!.lastError).toContain("The hub answered 307, which leads to /moved/ok");
    expect(await receivedBy("moved")).toHaveLength(1);
  });

  test("not at a private address, if the site is public now", async () => {
    await setHub(`${HUB}/private/ok`);
    await createArticle(owner(), essay());
    const config = { ...jobContext().config, siteUrl: "https://imogen.example" };
    const [row] = await deliver(later(MINUTE), { config });
    expect(row).toMatchObject({ failedAt: later(MINUTE), doneAt: null });
    expect(await receivedBy("private")).toEqual([]);
  });
});

test("a hub’s address is in a header as a header may have it", () => {
  expect(hubHeader("https://ü.example/中\0>", "https://a.example/feed")).toBe(
    '<https://xn--tda.example/%E4%B8%AD%00%3E>; rel="hub", <https://a.example/feed>; rel="self"',
  );
});
