import { env } from "cloudflare:workers";
import { eq } from "drizzle-orm";
import { beforeAll, beforeEach, describe, expect, it, test } from "vitest";
import { pruneAnalytics } from "#worker/analytics/commands.ts";
import { storeMessages } from "#worker/analytics/store-messages.ts";
import { dayOf, quarterOf } from "#worker/analytics/days.ts";
import type { AnalyticsMessage } from "#worker/analytics/messages.ts";
import {
  analyticsBatches,
  analyticsRejections,
  downloadParts,
  downloads,
  downloadTotals,
} from "#worker/analytics/table.ts";
import { createEpisode, updateEpisode } from "#worker/episodes/commands.ts";
import { media } from "#worker/files/media.ts";
import { router } from "#worker/platform/http/router.ts";
import { clientOf } from "#worker/platform/http/rate.ts";
import { updateSite } from "#worker/settings/commands.ts";
import { siteDefaults } from "#worker/settings/contract.ts";
import { anAddress, BROWSER, DAY, emptyCollector, sendAtOnce } from "./support/analytics.ts";
import { jobContext, ownerContext, SITE, visitorContext } from "./support/client.ts";
import { anEpisode, publishedEpisode, storedAudio, storedImage } from "./support/factories.ts";
import { plansOf } from "./support/plans.ts";

const { db } = jobContext();
/** Each test has its own day, and thereby its own limits. */
let now = new Date("2026-11-01T12:00:00Z");

const SIZE = 200_000;
const HEADER = 20_000;
/** A hundred seconds of audio: 1,800 bytes each. */
const MINUTE = HEADER + 60 * 1800;
const APP = "AntennaPod/3.5.0";

type Asked = {
  range?: string;
  method?: string;
  headers?: HeadersInit;
  address?: string;
  agent?: string;
  asn?: number;
};

let file: { id: string; key: string };
let episode: { id: number };

const audioOf = (values: Parameters<typeof storedAudio>[0] = {}) =>
  storedAudio({ bytes: new Uint8Array(SIZE), durationSeconds: 100, audioStart: HEADER, ...values });

beforeAll(async () => {
  sendAtOnce();
  await emptyCollector();
});

beforeEach(async () => {
  now = new Date(now.getTime() + 3 * DAY);
  await db.batch([
    db.delete(analyticsBatches),
    db.delete(analyticsRejections),
    db.delete(downloadParts),
    db.delete(downloads),
    db.delete(downloadTotals),
  ]);
  await updateSite(ownerContext(), siteDefaults);
  file = await audioOf();
  episode = await publishedEpisode({ audioFileId: file.id });
});

/** Sends requests in turn; returns the messages on the queue. */
async function asked(requests: Asked[], { key = file.key, at = now } = {}) {
  const messages: AnalyticsMessage[] = [];
  const work: Promise<unknown>[] = [];
  const answers: Response[] = [];
  for (const { range, method = "GET", headers, address = "198.51.100.7", agent = APP, asn } of requests) {
    const request = new Request(`${SITE}/media/${key}`, {
      method,
      headers: {
        "CF-Connecting-IP": address,
        "User-Agent": agent,
        "CF-IPCountry": "AU",
        ...(range !== undefined && { Range: `bytes=${range}` }),
        ...headers,
      },
      ...(asn !== undefined && { cf: { asn } as never }),
    });
    const ctx = visitorContext({
      now: at,
      client: clientOf(request),
      events: { send: async (body: unknown) => void messages.push(body as AnalyticsMessage) } as never,
      later: (promise) => void work.push(promise),
    });
    const app = router()
      .use((c, next) => (c.set("ctx", ctx), next()))
      .route("/media", media)
      .onError((_error, c) => c.body(null, 404));
    const answer = await app.request(request, undefined, env);
    await answer.arrayBuffer();
    answers.push(answer);
  }
  for (const promise of work) await promise;
  return { messages, answers };
}

async function count(requests: Asked[], options?: Parameters<typeof asked>[1]) {
  const { messages } = await asked(requests, options);
  await storeMessages(jobContext(), messages);
  return figures();
}

async function figures() {
  const rejections = await db.select().from(analyticsRejections);
  return {
    downloads: await db.$count(downloads, eq(downloads.episodeId, episode.id)),
    ...Object.fromEntries(rejections.map(({ reason, count: of }) => [reason, of])),
  };
}

/** The rules of IAB Podcast Measurement 2.3, §5.5, as cases: the requests, and what is counted. */
const cases: [rule: string, requests: Asked[], expected: Record<string, number>][] = [
  ["counts a whole file", [{}], { downloads: 1 }],
  ["counts a range of the header and a minute", [{ range: `0-${MINUTE - 1}` }], { downloads: 1 }],
  ["does not count one byte less", [{ range: `0-${MINUTE - 2}` }], { downloads: 0 }],
  [
    "sums the ranges of a listener",
    [{ range: "0-49999" }, { range: `100000-${SIZE - 1}` }],
    { downloads: 1 },
  ],
  ["takes a range without an end as it is served", [{ range: "50000-" }], { downloads: 1 }],
  ["takes the last bytes as they are served", [{ range: `-${MINUTE}` }], { downloads: 1 }],
  [
    "counts bytes once that are asked for twice",
    [{ range: "0-79999" }, { range: "0-79999" }],
    { downloads: 0 },
  ],
  [
    "counts bytes once that two ranges have in common",
    [{ range: "0-79999" }, { range: "20000-99999" }, { range: "10000-90000" }],
    { downloads: 0 },
  ],
  [
    "does not sum the ranges of two listeners",
    [{ range: "0-69999" }, { range: "70000-139999", agent: "Podcasts/1" }],
    { downloads: 0 },
  ],
  ["does not count HEAD", [{ method: "HEAD" }], { downloads: 0, head: 1 }],
  ["does not count the range 0-1", [{ range: "0-1" }], { downloads: 0, probe: 1 }],
  ["counts what follows the range 0-1", [{ range: "0-1" }, { range: "0-" }], { downloads: 1, probe: 1 }],
  [
    "counts a whole answer to a range that is out of date",
    [{ range: "0-9", headers: { "If-Range": '"another"' } }],
    { downloads: 1 },
  ],
  ["counts one download of a listener in a day", [{}, {}, { range: "0-" }], { downloads: 1 }],
  ["tells listeners apart by address", [{}, { address: "198.51.100.8" }], { downloads: 2 }],
  ["tells listeners apart by user agent", [{}, { agent: "Overcast/3.0" }], { downloads: 2 }],
  [
    "takes a /64 of IPv6 for one address",
    [{ address: "2001:db8:1:2::1" }, { address: "2001:db8:1:2:ffff::9" }, { address: "2001:db8:1:3::1" }],
    { downloads: 2 },
  ],
  ["does not count robots", [{ agent: "Googlebot/2.1" }, { agent: "curl/8.0" }], { downloads: 0, robot: 2 }],
  [
    "counts apps that name their site, or only themselves",
    [
      { agent: "Overcast/3.0 (+http://overcast.fm/; iOS podcast app)" },
      { agent: "Pocket Casts" },
      { agent: "PodcastAddict/v5 (+https://podcastaddict.com/; Android podcast app)" },
      { agent: "AppleCoreMedia/1.0.0.20A362 (iPhone; U; CPU OS 16_0 like Mac OS X; en_us)" },
      { agent: BROWSER },
      { agent: "" },
    ],
    { downloads: 6 },
  ],
  ["does not count data centres", [{ asn: 16509 }, { asn: 1221 }], { downloads: 1, "data-centre": 1 }],
  [
    "does not count what an Apple Watch fetches again",
    [
      { agent: "atc/1.0 watchOS/8.0 model/Watch4,1 hwp/t8006" },
      { agent: "(null)/(null) watchOS/5.2 model/Watch3,3" },
      { agent: "atc/1.0 watchOS/7.1 model/Watch5,4 hwp/t8006 build/18R590 (6; dt:202)", range: "0-1" },
    ],
    { downloads: 0, watch: 2, probe: 1 },
  ],
  [
    "counts an app of its own on a watch",
    [{ agent: "Overcast ( http://overcast.fm/; Apple Watch podcast app)" }],
    { downloads: 1 },
  ],
  [
    "does not count an app's own server",
    [{ agent: "Overcast/1.0 Podcast Sync (12 subscribers)" }, { agent: "Spotify/1.0" }],
    { downloads: 0, robot: 2 },
  ],
  ["does not count what is beyond the end", [{ range: `${SIZE}-` }], { downloads: 0 }],
];

describe("counting downloads", () => {
  test.each(cases)("%s", async (_rule, requests, expected) => {
    expect(await count(requests)).toEqual(expected);
  });

  it("does not count 304", async () => {
    const { answers } = await asked([{ method: "HEAD" }]);
    const headers = { "If-None-Match": answers[0]!.headers.get("ETag")! };
    expect(await count([{ headers }])).toMatchObject({ downloads: 0, unchanged: 1 });
  });

  it("counts the same listener again on the next UTC day", async () => {
    const evening = new Date(Math.ceil(now.getTime() / DAY) * DAY - 1000);
    await count([{}], { at: evening });
    expect(await count([{}], { at: new Date(evening.getTime() + 2000) })).toEqual({ downloads: 2 });
  });

  it("does not add up ranges of two days", async () => {
    await count([{ range: "0-99999" }]);
    expect(await count([{ range: "100000-199999" }], { at: new Date(now.getTime() + DAY) })).toEqual({
      downloads: 0,
    });
  });

  it.each([
    ["under a minute", 59],
    ["of unknown length", null],
  ])("counts audio %s only if all of it was requested", async (_what, durationSeconds) => {
    const short = await audioOf({ durationSeconds });
    episode = await publishedEpisode({ audioFileId: short.id });
    const { key } = short;
    expect(await count([{ range: `0-${SIZE - 2}` }], { key })).toEqual({ downloads: 0 });
    expect(await count([{ range: `${SIZE - 1}-` }], { key })).toEqual({ downloads: 1 });
  });

  it("counts a minute of audio to the byte if its bytes are not a multiple of its seconds", async () => {
    const odd = await audioOf({ durationSeconds: 61.5, audioStart: null });
    episode = await publishedEpisode({ audioFileId: odd.id });
    // 200,000 bytes × 60 s / 61.5 s = 195,121.95
    expect(await count([{ range: "0-195120" }], { key: odd.key })).toEqual({ downloads: 0 });
    expect(await count([{ range: "195121-195121" }], { key: odd.key })).toEqual({ downloads: 1 });
  });

  it("does not count pictures, or audio that belongs to no published episode", async () => {
    const { key } = await audioOf();
    expect(await count([{}], { key })).toEqual({ downloads: 0, "not-an-episode": 1 });
    const picture = await storedImage();
    expect((await asked([{}], { key: picture.key })).messages).toEqual([]);
    expect((await asked([{}], { key: "podcast-audio/none/none.mp3" })).messages).toEqual([]);
  });

  it("counts a listener once who is redirected from a replaced recording to the current one", async () => {
    const next = await audioOf({ bytes: new Uint8Array(SIZE * 2) });
    const before = await asked([{ agent: BROWSER }]);
    await updateEpisode(ownerContext(), episode.id, { audioFileId: next.id });
    const { answers, messages } = await asked([{}, { range: "0-" }, { method: "HEAD" }]);
    expect(answers.map(({ status }) => status)).toEqual([302, 302, 302]);
    expect(messages).toEqual([]);
    expect(answers[0]!.headers.get("Location")).toBe(`${SITE}/media/${next.key}`);
    expect(await count([{}, { range: "0-" }], { key: next.key })).toEqual({ downloads: 1 });
    // Requested before the replacement, stored after it.
    await storeMessages(jobContext(), before.messages);
    expect(await figures()).toEqual({ downloads: 2 });
  });

  it("does not count the former audio of a draft", async () => {
    const [first, next] = [await audioOf(), await audioOf()];
    const draft = await createEpisode(ownerContext(), anEpisode({ audioFileId: first.id }));
    await updateEpisode(ownerContext(), draft.id, {
      audioFileId: next.id,
      status: "published",
      allowDuplicateAudio: true,
    });
    expect(await count([{}], { key: first.key })).toEqual({ downloads: 0, "not-an-episode": 1 });
  });

  it("counts former audio for the episode that uses it now", async () => {
    await updateEpisode(ownerContext(), episode.id, {
      audioFileId: (await audioOf()).id,
      allowDuplicateAudio: true,
    });
    const other = await publishedEpisode({ audioFileId: file.id });
    expect(await count([{}])).toEqual({ downloads: 0 });
    expect(await db.select({ id: downloads.episodeId }).from(downloads)).toEqual([{ id: other.id }]);
  });

  it("finds the episode of an audio file by indexes", async () => {
    const { messages } = await asked([{}]);
    const plans = await plansOf((ctx) => storeMessages(ctx, messages));
    expect(
      plans.filter((step) => /SCAN (?:audio|episodes|former|episode_former_audio)\b/.test(step)),
    ).toEqual([]);
    expect(plans.join("\n")).toContain("SEARCH audio USING INDEX files_key");
  });

  it("applies the owner's lists of apps and networks", async () => {
    const apps = [{ name: "My App", startsWith: "MyBot/" }];
    await updateSite(ownerContext(), {
      analytics: {
        ...siteDefaults.analytics,
        apps,
        dataCentres: ["203.0.113.0/24", "2001:db8::/32", "AS64500"],
      },
    });
    const requests = [
      { agent: "MyBot/1" },
      { address: "203.0.113.9" },
      { address: "2001:db8::1" },
      { asn: 64_500 },
    ];
    expect(await count(requests)).toEqual({ downloads: 1, "data-centre": 3 });
    const [row] = await db.select({ app: downloads.app }).from(downloads);
    expect(row).toEqual({ app: "My App" });
  });

  it.each(["300.0.0.0/8", "192.0.2.0/33", "2001:db8::/129"])("refuses %s as a network", async (network) => {
    const analytics = { ...siteDefaults.analytics, dataCentres: ["AS1", network] };
    await expect(updateSite(ownerContext(), { analytics })).rejects.toMatchObject({
      code: "invalid",
      field: "analytics.dataCentres.1",
    });
  });

  it("counts a message once that arrives twice, in any order and among others", async () => {
    const first = await asked([{ range: "0-99999" }]);
    const second = await asked([{ range: "100000-" }, { method: "HEAD" }]);
    const other = await asked([{ address: anAddress() }]);
    const job = jobContext();
    await storeMessages(job, [...second.messages, ...other.messages, ...second.messages]);
    await storeMessages(job, [...first.messages, ...second.messages]);
    await storeMessages(job, first.messages);
    expect(await figures()).toEqual({ downloads: 2, head: 1 });
    const totals = await db.select().from(downloadTotals);
    expect(totals.find(({ facet, span }) => facet === "show" && span === 0)?.downloads).toBe(2);
  });

  it("counts at most twenty listeners from one network to an episode in a day", async () => {
    const flood = Array.from({ length: 60 }, (_, at) => ({ agent: `AntennaPod/${at}` }));
    expect(await count(flood)).toEqual({ downloads: 20 });
    expect(await count(flood)).toEqual({ downloads: 20 });
    expect(await count([{ address: anAddress() }])).toEqual({ downloads: 21 });
    await pruneAnalytics(jobContext({ now: new Date(now.getTime() + DAY) }));
    expect(await figures()).toEqual({ downloads: 21, flood: 40 });
  });

  it.each([
    ["two thousand ranges of one network, whatever the number of listeners", 50, 1500, 2000],
    ["two hundred ranges of one listener", 1, 150, 200],
  ])("stores at most %s", async (_, listeners, sent, stored) => {
    const part = (at: number) => ({
      file: file.key,
      network: "a-network",
      listener: `listener-${at % listeners}`,
      first: at,
      last: at,
      app: "Unknown",
      device: "Unknown",
      country: "XX",
    });
    const ranges = (from: number) => ({
      kind: "downloads" as const,
      id: crypto.randomUUID(),
      quarter: quarterOf(now),
      parts: Array.from({ length: sent }, (_part, at) => part(from + at)),
      rejections: [],
    });
    await storeMessages(jobContext(), [ranges(0)]);
    await storeMessages(jobContext(), [ranges(sent)]);
    expect(await db.$count(downloadParts)).toBe(stored);
  });
});

it("sums downloads by day, episode, app, device and country", async () => {
  await count([{}, { agent: BROWSER }, { agent: "AppleCoreMedia/1.0 (iPhone; U; CPU OS 16_0)" }]);
  const day = dayOf(now);
  const rows = await db.select().from(downloadTotals).where(eq(downloadTotals.span, 1));
  const of = (facet: string) =>
    Object.fromEntries(
      rows.filter((row) => row.facet === facet && row.start === day).map((row) => [row.value, row.downloads]),
    );
  expect(of("show")).toEqual({ "": 3 });
  expect(of("episode")).toEqual({ "": 3 });
  expect(of("app")).toEqual({ AntennaPod: 1, Chrome: 1, "Apple, unknown app": 1 });
  expect(of("device")).toEqual({ Unknown: 1, Computer: 1, Phone: 1 });
  expect(of("country")).toEqual({ AU: 3 });
});

it("includes in each day everything before its end, also if a message arrives a day late", async () => {
  const tomorrow = new Date(now.getTime() + DAY);
  const late = await asked([{}, { agent: BROWSER }]);
  await count([{}], { at: tomorrow });
  await storeMessages(jobContext(), late.messages);
  await count([{ address: anAddress() }], { at: tomorrow });
  const rows = await db.select().from(downloadTotals).where(eq(downloadTotals.facet, "episode"));
  const days = rows.filter(({ span }) => span === 1).toSorted((a, b) => a.start - b.start);
  expect(days.map(({ downloads: ofDay, downloadsSoFar }) => [ofDay, downloadsSoFar])).toEqual([
    [2, 2],
    [2, 4],
  ]);
});

it("responses with audio may not be cached before the Worker, which counts each request", async () => {
  const { answers } = await asked([{}, { range: "0-9" }, { method: "HEAD" }]);
  for (const { headers } of answers) {
    expect(headers.get("Cloudflare-CDN-Cache-Control")).toBe("no-store");
    expect(headers.get("Cache-Control")).toBe("public, max-age=31536000, immutable");
  }
});

it("listeners who requested less than a minute are recorded once, at the end of the day", async () => {
  await count([{ range: "0-999" }, { range: "0-999", agent: BROWSER }, { address: anAddress() }]);
  const tomorrow = jobContext({ now: new Date(now.getTime() + DAY) });
  await pruneAnalytics(jobContext({ now }));
  expect(await figures()).toEqual({ downloads: 1 });
  await pruneAnalytics(tomorrow);
  await pruneAnalytics(tomorrow);
  expect(await figures()).toEqual({ downloads: 1, "too-little": 2 });
  expect(await db.$count(downloadParts)).toBe(0);
});
