import { parseRssFeed } from "feedsmith";
import { parseFeed } from "podcast-partytime";
import { eq, sql } from "drizzle-orm";
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from "vitest";
import { securityEvents } from "#worker/accounts/table.ts";
import { cacheKeyOf } from "#worker/cache-key.ts";
import { updateEpisode } from "#worker/episodes/commands.ts";
import { deleteMemberFeed, makeMemberFeed, revokeMemberFeed } from "#worker/members/feed/commands.ts";
import { findFeed } from "#worker/members/feed/queries.ts";
import { readTemplate } from "#worker/members/feed/template.ts";
import { feedHashOf } from "#worker/members/feed/tokens.ts";
import { readAccount } from "#worker/members/account/queries.ts";
import { NO_FEED_WITHOUT_MEMBERSHIP } from "#worker/members/contract.ts";
import { deleteMember, endMember, updateMember } from "#worker/members/owner-commands.ts";
import { readMember } from "#worker/members/owner-queries.ts";
import { members } from "#worker/members/table.ts";
import { deletePerson } from "#worker/people/commands.ts";
import { clearCache } from "#worker/platform/http/cache.ts";
import { signingKeys } from "#worker/platform/table.ts";
import { updateSite } from "#worker/settings/commands.ts";
import { siteDefaults } from "#worker/settings/contract.ts";
import { ask } from "./support/cached.ts";
import { contextAs, fetchSite, jobContext, ownerContext, SITE } from "./support/client.ts";
import { publishedEpisode, savedShow, storedAudio, storedFile } from "./support/factories.ts";
import { aMemberWithFeed, aSignedInMember, feedOf, setFeeds } from "./support/members.ts";
import { household, visitorContext } from "./support/newsletter.ts";
import { forgetRates, MORE_THAN_A_BURST } from "./support/rates.ts";

const { db } = jobContext();
const DAY = 86_400_000;
const AUDIO = Uint8Array.from({ length: 3000 }, (_, at) => at % 251);

/** From an address of its own, so that no test uses up another's burst. */
const get = (path: string, headers: Record<string, string> = {}, method = "GET") =>
  fetchSite(path, { method, headers: { "CF-Connecting-IP": household(), ...headers } });

async function read(path: string) {
  const response = await get(path);
  const xml = await response.text();
  expect(response.status, xml).toBe(200);
  return { response, xml, feed: parseFeed(xml)!, feedsmith: parseRssFeed(xml) };
}

/** The path of an episode's audio in a feed; by default of the first test episode. */
async function audioIn(path: string, title = /^The tram/) {
  const { feed } = await read(path);
  const item = feed.items.find((each) => title.test(each.title ?? ""))!;
  return new URL(item.enclosure.url).pathname;
}

let episode: Awaited<ReturnType<typeof publishedEpisode>>;
beforeAll(async () => {
  await savedShow({ title: "Plain Ground" });
  const audio = await storedAudio({ bytes: AUDIO });
  episode = await publishedEpisode({ audioFileId: audio.id, title: "The tram at night" });
  await setFeeds(true);
});
beforeEach(forgetRates);

describe("a private feed", () => {
  it("has the items of the public one with the same GUIDs, by two parsers of other projects", async () => {
    const { path } = await aMemberWithFeed();
    const publicly = await (await fetchSite("/rss/podcast.xml")).text();
    const { feed, feedsmith } = await read(path);
    const guids = parseFeed(publicly)!.items.map(({ guid }) => guid);
    expect(guids.length).toBeGreaterThan(0);
    expect(feed.items.map(({ guid }) => guid)).toEqual(guids);
    expect(feedsmith.items!.map(({ guid }) => guid?.value)).toEqual(guids);
    expect(feedsmith.items!.map(({ title }) => title)).toEqual(
      parseRssFeed(publicly).items!.map(({ title }) => title),
    );
  });

  it("is listed by no directory, imported by no host, and named as the members' one", async () => {
    await updateSite(ownerContext(), { hubUrl: "" });
    const { path } = await aMemberWithFeed();
    const { xml, feed, feedsmith } = await read(path);
    expect(feed).toMatchObject({ title: "Plain Ground (members)", itunesBlock: true, podcastBlocked: "yes" });
    expect(feed.locked).toBe(true);
    expect(feedsmith.itunes?.block).toBe(true);
    expect(feedsmith.podcast?.locked?.value).toBe(true);
    expect(feedsmith.podcast?.guid).toBeUndefined();
    expect(feed.pubsub).toMatchObject({ self: SITE + path });
    expect(xml).not.toContain('rel="hub"');
    expect(xml).not.toContain("~");
  });

  it("names no audio by its public address, and asks no other site for it", async () => {
    const further = await storedFile();
    const alternates = [{ url: `/media/${further.key}`, title: "Small" }];
    const { id } = await publishedEpisode({ alternates });
    await updateEpisode(ownerContext(), id, { episodeType: "trailer" });
    await updateSite(ownerContext(), { analytics: { ...siteDefaults.analytics, op3: true } });
    expect(await (await fetchSite("/rss/podcast.xml")).text()).toContain("op3.dev");
    const { path } = await aMemberWithFeed();
    const { xml, feed } = await read(path);
    expect(xml).not.toContain("op3.dev");
    expect(xml).not.toContain(`${SITE}/media/podcast-audio`);
    expect(xml).toMatch(new RegExp(`/media/members/[^/]+/[^/]+/${further.key}"`));
    for (const { enclosure } of feed.items) expect(enclosure.url).toContain(`${SITE}/media/members/`);
    await updateSite(ownerContext(), { analytics: siteDefaults.analytics });
    await updateEpisode(ownerContext(), id, { status: "draft" });
  });

  it("is stored by no shared cache, indexed by none, and its address is sent to no other site", async () => {
    const { path } = await aMemberWithFeed();
    const audio = await audioIn(path);
    for (const [each, caching] of [
      [path, "private, no-cache"],
      [audio, "private, max-age=86400"],
    ] as const) {
      const answer = await get(each);
      await answer.arrayBuffer();
      expect(Object.fromEntries(answer.headers)).toMatchObject({
        "cache-control": caching,
        "cloudflare-cdn-cache-control": "no-store",
        "x-robots-tag": "noindex, nofollow",
        "referrer-policy": "no-referrer",
      });
      expect(cacheKeyOf(SITE + each)).toBeNull();
    }
    const listed = await (await fetchSite("/sitemap.xml")).text();
    expect(listed).not.toContain("/rss/members");
  });

  it("is redirected to without its slash by no shared cache", async () => {
    const { path } = await aMemberWithFeed();
    const { status, headers } = await get(`${path}/`);
    expect([status, headers.get("Location"), headers.get("Cache-Control")]).toEqual([
      301,
      SITE + path,
      "private, max-age=3600",
    ]);
  });

  it("is hidden from search engines and other sites by redirects and refusals too", async () => {
    const { path } = await aMemberWithFeed();
    for (const [each, is] of [
      [`${path}/`, 301],
      ["/rss/members/unknown.xml", 404],
      ["/media/members/some/signature/podcast-audio/a.mp3", 404],
      [path, 200],
    ] as const) {
      const { status, headers } = await get(each);
      expect([each, status, headers.get("Referrer-Policy"), headers.get("X-Robots-Tag")]).toEqual([
        each,
        is,
        "no-referrer",
        "noindex, nofollow",
      ]);
    }
  });

  it("has its secrets in no words of an author, whatever they resemble", async () => {
    const showNotes =
      "[Bonus](https://other.example/rss/members/~.xml), [or](https://other.example/media/members/~/~/a.mp3)";
    const { id } = await publishedEpisode({ showNotes });
    const { path } = await aMemberWithFeed();
    const { xml } = await read(path);
    expect(xml).toContain("https://other.example/rss/members/~.xml");
    expect(xml).toContain("https://other.example/media/members/~/~/a.mp3");
    await updateEpisode(ownerContext(), id, { status: "draft" });
  });

  it("of each render has another mark, which no answer has", async () => {
    await savedShow({ title: "Plain Ground" });
    const [one, other] = [await readTemplate(jobContext(), 1), await readTemplate(jobContext(), 1)];
    expect(one.mark).toMatch(/^[0-9a-f-]{36}$/);
    expect(other.mark).not.toBe(one.mark);
    const { path } = await aMemberWithFeed();
    const { xml } = await read(path);
    expect(one.xml).toContain(`/rss/members/${one.mark}.xml`);
    expect(xml).not.toMatch(/\/(?:rss|media)\/members\/[0-9a-f]{8}-/);
  });

  it("answers 304 to its ETag and its date, and a new episode changes both", async () => {
    const { path } = await aMemberWithFeed();
    const other = await aMemberWithFeed();
    const { response } = await read(path);
    const etag = response.headers.get("ETag")!;
    const same = await get(path, { "If-None-Match": etag });
    expect([same.status, await same.text(), same.headers.get("Cache-Control")]).toEqual([
      304,
      "",
      "private, no-cache",
    ]);
    expect((await get(other.path, { "If-None-Match": etag })).status).toBe(200);
    await updateEpisode(ownerContext(), episode.id, { title: "The tram at dawn" });
    const changed = await get(path, { "If-None-Match": etag });
    expect([changed.status, await changed.text()]).toEqual([
      200,
      expect.stringContaining("The tram at dawn"),
    ]);
    const head = await get(path, {}, "HEAD");
    expect([head.status, head.headers.get("ETag")]).toEqual([200, changed.headers.get("ETag")]);
  });

  it("has the pages of the public one, and no page beyond the last", async () => {
    const { path } = await aMemberWithFeed();
    expect((await get(`${path}?page=1`)).status).toBe(200);
    for (const page of ["2", "0", "x"]) expect((await get(`${path}?page=${page}`)).status).toBe(404);
  });
});

describe("the audio of a private feed", () => {
  let path: string;
  let audio: string;
  beforeAll(async () => {
    ({ path } = await aMemberWithFeed());
    audio = await audioIn(path);
  });

  it("is served whole, in ranges, for HEAD and conditionally, as public audio", async () => {
    const whole = await get(audio);
    expect(new Uint8Array(await whole.arrayBuffer())).toEqual(AUDIO);
    expect(whole.headers.get("Accept-Ranges")).toBe("bytes");
    const part = await get(audio, { Range: "bytes=100-199" });
    expect([part.status, part.headers.get("Content-Range")]).toEqual([206, "bytes 100-199/3000"]);
    expect(new Uint8Array(await part.arrayBuffer())).toEqual(AUDIO.subarray(100, 200));
    const head = await get(audio, {}, "HEAD");
    expect([head.status, head.headers.get("Content-Length")]).toEqual([200, "3000"]);
    const same = await get(audio, { "If-None-Match": whole.headers.get("ETag")! });
    expect(same.status).toBe(304);
    expect((await get(audio, { Range: "bytes=3000-" })).status).toBe(416);
  });

  it("has the same address each time", async () => {
    expect(await audioIn(path)).toBe(audio);
  });

  it("is opened by its own signature only", async () => {
    const [, , , feed, signature] = audio.split("/") as [string, string, string, string, string];
    const other = await storedAudio();
    const another = await aMemberWithFeed();
    const [, , , otherFeed] = (await audioIn(another.path)).split("/") as [string, string, string, string];
    const key = audio.split("/").slice(5).join("/");
    const wrong = [
      `/media/members/${feed}/${signature}/${other.key}`,
      `/media/members/${otherFeed}/${signature}/${key}`,
      `/media/members/${feed}/${signature.slice(0, -1)}/${key}`,
      `/media/members/${feed}/${"A".repeat(22)}/${key}`,
      `/media/members/~/~/${key}`,
    ];
    for (const each of wrong) expect([each, (await get(each)).status]).toEqual([each, 404]);
  });

  it("leads to the recording that replaces it, at an address of the same feed", async () => {
    const replacement = await storedAudio({ bytes: AUDIO.slice(0, 1000) });
    const title = "A recording that is replaced";
    const { id } = await publishedEpisode({ title });
    const before = await audioIn(path, new RegExp(title));
    await updateEpisode(ownerContext(), id, { audioFileId: replacement.id });
    const moved = await get(before);
    expect(moved.status).toBe(302);
    const to = new URL(moved.headers.get("Location")!).pathname;
    expect(to).toBe(await audioIn(path, new RegExp(title)));
    expect((await (await get(to)).arrayBuffer()).byteLength).toBe(1000);
  });
});

/** What an answer shows of itself, without what differs between any two. */
async function shownBy(path: string) {
  const answer = await get(path);
  const { date: _, "server-timing": _timing, ...headers } = Object.fromEntries(answer.headers);
  const { error } = (await answer.json()) as { error: { requestId?: string } };
  return { status: answer.status, headers: Object.keys(headers), error: { ...error, requestId: "" } };
}

describe("a private feed is refused", () => {
  it("in the same way for a wrong token, an ended and a future membership, a revoked and a replaced address", async () => {
    const [ended, future, revoked, replaced, deleted] = [
      await aMemberWithFeed(),
      await aMemberWithFeed(),
      await aMemberWithFeed(),
      await aMemberWithFeed(),
      await aMemberWithFeed(),
    ];
    const audio = await Promise.all([ended, future, revoked, replaced, deleted].map((m) => audioIn(m.path)));
    await setFeeds(true, 0);
    await endMember(ownerContext(), ended.id);
    await updateMember(ownerContext(), future.id, { since: Date.now() + DAY });
    await revokeMemberFeed(ownerContext(), revoked.id);
    await makeMemberFeed(visitorContext(), replaced.token);
    await deleteMemberFeed(visitorContext(), deleted.token);
    const feeds = [ended, future, revoked, replaced, deleted].map(({ path }) => path);
    const wrong = ["/rss/members/AAAAAAAAAAAAAAAAAAAAAA.xml", "/rss/members/x.xml", "/rss/members/~.xml"];
    const [first, ...others] = await Promise.all([...wrong, ...feeds].map(shownBy));
    expect(first).toMatchObject({ status: 404 });
    for (const each of others) expect(each).toEqual(first);
    const [missing, ...refused] = await Promise.all(
      ["/media/members/a/b/podcast-audio/c/d.mp3", ...audio].map(shownBy),
    );
    expect(missing).toMatchObject({ status: 404 });
    for (const each of refused) expect(each).toEqual(missing);
    expect((await get(await feedOf(replaced.token))).status).toBe(200);
    await setFeeds(true);
  });

  it("after the days of grace, which the owner sets", async () => {
    const { id, path } = await aMemberWithFeed({ since: 1 });
    const audio = await audioIn(path);
    const both = async () => [(await get(path)).status, (await get(audio)).status];
    await updateMember(ownerContext(), id, { until: Date.now() - 2 * DAY });
    expect(await both()).toEqual([200, 200]);
    await updateMember(ownerContext(), id, { until: Date.now() - 3 * DAY });
    expect(await both()).toEqual([404, 404]);
    await setFeeds(true, 4);
    expect(await both()).toEqual([200, 200]);
    await updateMember(ownerContext(), id, { until: null });
    await setFeeds(true);
    expect(await both()).toEqual([200, 200]);
  });

  it("once its member is deleted, by each way", async () => {
    const [one, two] = [await aMemberWithFeed(), await aMemberWithFeed()];
    await deleteMember(ownerContext(), one.id);
    await deletePerson(ownerContext(), { email: two.email });
    for (const { path } of [one, two]) expect((await get(path)).status).toBe(404);
  });

  it("while private feeds, or members' accounts, are switched off", async () => {
    const { path, token } = await aMemberWithFeed();
    const audio = await audioIn(path);
    for (const [on, signIn] of [
      [false, true],
      [true, false],
    ] as const) {
      await updateSite(ownerContext(), { members: { signIn }, memberFeeds: { on, graceDays: 3 } });
      expect([(await get(path)).status, (await get(audio)).status]).toEqual([404, 404]);
      await expect(makeMemberFeed(visitorContext(), token)).rejects.toMatchObject({ code: "not_found" });
    }
    await setFeeds(false);
    expect((await readAccount(visitorContext(), token))!.feed).toBeNull();
    await setFeeds(true);
    expect((await get(path)).status).toBe(200);
    expect(siteDefaults.memberFeeds.on).toBe(false);
  });

  it("to who guesses: 10,000 tokens find nothing, and a burst from one address is limited", async () => {
    const { path } = await aMemberWithFeed();
    const guesses = Array.from({ length: 10_000 }, () =>
      crypto.getRandomValues(new Uint8Array(16)).toBase64({ alphabet: "base64url", omitPadding: true }),
    );
    const statuses = new Map<number, number>();
    for (const token of guesses.splice(0, 9000)) expect(await findFeed(jobContext(), token)).toBeUndefined();
    for (let at = 0; at < guesses.length; at += 100) {
      const answers = await Promise.all(
        guesses
          .slice(at, at + 100)
          .map((token) =>
            fetchSite(`/rss/members/${token}.xml`, { headers: { "CF-Connecting-IP": "192.0.2.77" } }),
          ),
      );
      for (const { status, body } of answers) {
        statuses.set(status, (statuses.get(status) ?? 0) + 1);
        await body?.cancel();
      }
    }
    expect([...statuses.keys()].toSorted()).toEqual([404, 429]);
    expect(statuses.get(429)).toBeGreaterThan(500);
    // A member's app behind the same address is not refused.
    const answer = await fetchSite(path, { headers: { "CF-Connecting-IP": "192.0.2.77" } });
    expect([answer.status, (await answer.text()).length > 0]).toEqual([200, true]);
  });

  it("in bursts also for audio", async () => {
    const asked = Array.from({ length: MORE_THAN_A_BURST }, () =>
      fetchSite("/media/members/a/b/podcast-audio/c/d.mp3", {
        headers: { "CF-Connecting-IP": "192.0.2.78" },
      }),
    );
    const statuses = new Set((await Promise.all(asked)).map(({ status }) => status));
    expect([...statuses].toSorted()).toEqual([404, 429]);
  });
});

describe("the address", () => {
  it("has 128 bits, of which the database has the hash alone", async () => {
    const { id, path } = await aMemberWithFeed();
    const token = /\/([\w-]{22})\.xml$/.exec(path)![1]!;
    const [row] = await db.select().from(members).where(eq(members.id, id));
    expect(row!.feedHash).toBe(await feedHashOf(token));
    expect(JSON.stringify(row)).not.toContain(token);
    const audio = await audioIn(path);
    expect(audio).not.toContain(token);
  });

  it("is shown again to its member, and to no one else", async () => {
    const { id, token, path } = await aMemberWithFeed();
    expect(await feedOf(token)).toBe(path);
    const other = await aSignedInMember();
    expect((await readAccount(visitorContext(), other.token))!.feed).toMatchObject({
      madeAt: null,
      url: null,
    });
    const member = await readMember(ownerContext(), id);
    expect(member.feedMadeAt).toBeGreaterThan(0);
    expect(JSON.stringify(member)).not.toContain(path.slice("/rss/members/".length, -".xml".length));
  });

  it("continues to work, and can't be shown, after the key of the site was replaced", async () => {
    const { token, path } = await aMemberWithFeed();
    const former = await db.select().from(signingKeys).where(eq(signingKeys.use, "lasting"));
    await db
      .update(signingKeys)
      .set({ secret: "another".repeat(7) })
      .where(eq(signingKeys.use, "lasting"));
    expect((await get(path)).status).toBe(200);
    expect((await readAccount(visitorContext(), token))!.feed).toMatchObject({ isOpen: true, url: null });
    for (const { id, secret } of former)
      await db.update(signingKeys).set({ secret }).where(eq(signingKeys.id, id));
    expect(await feedOf(token)).toBe(path);
  });

  it("is made for a running membership only", async () => {
    const { id, token } = await aSignedInMember({ since: 1 });
    await updateMember(ownerContext(), id, { until: Date.now() - 4 * DAY });
    await expect(makeMemberFeed(visitorContext(), token)).rejects.toMatchObject({
      code: "conflict",
      message: NO_FEED_WITHOUT_MEMBERSHIP,
    });
    expect((await readAccount(visitorContext(), token))!.feed).toEqual({
      isOpen: false,
      madeAt: null,
      url: null,
    });
  });

  it("is revoked by the owner, which is logged without the person, and made again by the member", async () => {
    const { id, token, path } = await aMemberWithFeed();
    await expect(revokeMemberFeed(contextAs("editor"), id)).rejects.toMatchObject({ code: "forbidden" });
    expect(await revokeMemberFeed(ownerContext(), id)).toMatchObject({ feedMadeAt: null, state: "active" });
    await revokeMemberFeed(ownerContext(), id);
    const logged = await db
      .select({ kind: securityEvents.kind })
      .from(securityEvents)
      .where(
        sql`${securityEvents.detail} = ${`member ${id}`} and ${securityEvents.kind} = 'member_feed_revoked'`,
      );
    expect(logged).toHaveLength(1);
    await expect(revokeMemberFeed(ownerContext(), 999_999)).rejects.toMatchObject({ code: "not_found" });
    await makeMemberFeed(visitorContext(), token);
    expect(await feedOf(token)).not.toBe(path);
  });

  it("is a QR code for its member alone", async () => {
    const { cookie } = await aMemberWithFeed();
    const open = (sent: string) => fetchSite("/api/member/feed/qr.svg", { headers: { Cookie: sent } });
    const answer = await open(cookie);
    expect([answer.headers.get("Content-Type"), answer.headers.get("Cache-Control")]).toEqual([
      "image/svg+xml",
      "private, no-store",
    ]);
    expect(await answer.text()).toMatch(/^<svg /);
    expect((await open("")).status).toBe(401);
    expect((await open((await aSignedInMember()).cookie)).status).toBe(404);
  });
});

describe("a poll through the cache", () => {
  beforeAll(clearCache);
  afterAll(() => vi.restoreAllMocks());

  it("answers 304 with one row read in one statement, once the template is cached", async () => {
    const { path } = await aMemberWithFeed();
    const other = await aMemberWithFeed();
    const first = await ask(path);
    expect(first.response.status).toBe(200);
    const etag = first.response.headers.get("ETag")!;
    // Another member's feed is made of the same template.
    const second = await ask(other.path);
    expect(second.response.status).toBe(200);
    expect(second.body).not.toBe(first.body);
    for (let poll = 0; poll < 3; poll++) {
      const { response } = await ask(path, { headers: { "If-None-Match": etag } });
      expect([response.status, response.headers.get("Server-Timing")]).toEqual([
        304,
        expect.stringMatching(/1 statements, 1 round trips, 1 rows/),
      ]);
    }
  });

  it("shows a change of an episode, and refuses an ended membership, at the next poll", async () => {
    const { id, path } = await aMemberWithFeed();
    const { response } = await ask(path);
    await updateEpisode(ownerContext(), episode.id, { title: "The tram at noon" });
    clearCache();
    const changed = await ask(path, { headers: { "If-None-Match": response.headers.get("ETag")! } });
    expect(changed.body).toContain("The tram at noon");
    await updateSite(ownerContext(), { memberFeeds: { on: true, graceDays: 0 } });
    clearCache();
    await endMember(ownerContext(), id);
    expect((await ask(path)).response.status).toBe(404);
    await setFeeds(true);
  });

  it("never gives the template itself", async () => {
    for (const path of ["/private-feeds", "/private-feeds?page=1", "/rss/members/~.xml"]) {
      const { response, body } = await ask(path);
      expect(response.status).toBe(404);
      expect(body).not.toContain("<rss");
    }
  });
});
