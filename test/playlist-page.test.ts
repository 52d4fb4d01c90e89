import { beforeEach, describe, expect, test } from "vitest";
import { updateEpisode } from "#worker/episodes/commands.ts";
import { readPublicPlaylist } from "#worker/playlists/public-queries.ts";
import { fetchSite, ownerContext, SITE, visitorContext } from "./support/client.ts";
import { publishedEpisode, savedShow } from "./support/factories.ts";
import { aListener, fillPlaylist, manyEpisodes } from "./support/listeners.ts";
import { headingsOf, open, structuredIn, titleOf } from "./support/pages.ts";
import { forgetRates } from "./support/rates.ts";

beforeEach(forgetRates);

/** A listener's public playlist of episodes with these lengths, in seconds. */
async function publicPlaylist(lengths: number[], words: { name?: string; description?: string } = {}) {
  await savedShow();
  const listener = aListener();
  const { id } = await listener.create({ name: "For the tram", ...words, isPublic: true });
  const episodes = [];
  for (const [at, durationSeconds] of lengths.entries()) {
    const title = `Part ${at + 1} of ${id}`;
    const publishedAt = Date.UTC(2026, 2, 10 + at);
    episodes.push(await publishedEpisode({ title, durationSeconds, publishedAt, audioFileId: null }));
  }
  await fillPlaylist(
    id,
    episodes.map((episode) => episode.id),
  );
  return { listener, id, path: `/playlists/${id}`, episodes };
}

describe("a public playlist's page", () => {
  test("shows its name, length and episodes, in order", async () => {
    const { path, episodes } = await publicPlaylist([3600, 2700], { description: "Two long ones." });
    const { response, html, main, mainText } = await open(path);
    expect(response.status).toBe(200);
    expect(response.headers.get("Cache-Control")).toBe("public, no-cache");
    expect(headingsOf(html)[0]).toBe(1);
    expect(mainText).toMatch(/For the tram A listener’s playlist Two long ones\. .*2 episodes 1h 45m/);
    expect(mainText).toMatch(
      /1 Part 1 of \S+ Episode \d+ Mar 10, 2026 1h 0m 2 Part 2 of \S+ Episode \d+ Mar 11, 2026 45m/,
    );
    const links = [...main.matchAll(/href="(\/episode\/\d+)"/g)].map(([, href]) => href);
    expect(links).toEqual(episodes.map(({ id }) => `/episode/${id}`));
  });

  test("leads to its feed, and shows the address to copy", async () => {
    const { id, path } = await publicPlaylist([60]);
    const { html, main, mainText } = await open(path);
    expect(main).toMatch(new RegExp(`<a[^>]*href="/rss/playlists/${id}.xml"[^>]*>Subscribe</a>`));
    expect(mainText).toContain(`${SITE}/rss/playlists/${id}.xml`);
    expect(html).toContain(
      `<link rel="alternate" type="application/rss+xml" title="For the tram" href="/rss/playlists/${id}.xml"/>`,
    );
  });

  test("has its name in its title and its trail, and is not for search engines", async () => {
    const { path } = await publicPlaylist([60]);
    const { html, text } = await open(path);
    expect(titleOf(html)).toMatch(/^For the tram \| /);
    expect(html).toContain('<meta name="robots" content="noindex, follow"/>');
    expect(html).toContain(`<link rel="canonical" href="${SITE}${path}"/>`);
    expect(text).toMatch(/Home Podcast Playlist/);
    expect(structuredIn(html)["BreadcrumbList"]).toMatchObject({
      itemListElement: [{ name: "Home" }, { name: "Podcast" }, { name: "Playlist", item: `${SITE}${path}` }],
    });
    const sitemap = await (await fetchSite("/sitemap.xml")).text();
    expect(sitemap).not.toContain("/playlists/");
  });

  test("shows a listener's words as words", async () => {
    const name = `<img src=x onerror="alert(1)"> & "so on"`;
    const { path } = await publicPlaylist([60], { name, description: "</script><script>alert(2)</script>" });
    const { html, mainText } = await open(path);
    expect(mainText).toContain(name);
    expect(mainText).toContain("</script><script>alert(2)</script>");
    expect(html).not.toContain("<img src=x");
    expect(html).not.toContain("<script>alert(2)");
  });

  test("shows only published episodes", async () => {
    const { path, episodes } = await publicPlaylist([60, 120]);
    await updateEpisode(ownerContext(), episodes[0]!.id, { status: "archived" });
    const { mainText } = await open(path);
    expect(mainText).toContain("1 episode 2m");
    expect(mainText).not.toContain(episodes[0]!.title);
  });

  test("depends on each of its episodes, hidden ones too; a long one, whose tags no header holds, on all", async () => {
    const { id, episodes } = await publicPlaylist([60, 120]);
    await updateEpisode(ownerContext(), episodes[0]!.id, { status: "archived" });
    const short = visitorContext();
    await readPublicPlaylist(short, id);
    expect([...short.tags]).toEqual([
      `playlist:${id}`,
      ...episodes.map((episode) => `episode:${episode.id}`),
    ]);
    const long = await publicPlaylist([]);
    await fillPlaylist(long.id, await manyEpisodes(101));
    const ctx = visitorContext();
    expect((await readPublicPlaylist(ctx, long.id)).episodes).toHaveLength(101);
    expect([...ctx.tags]).toEqual([`playlist:${long.id}`, "episodes"]);
  });

  test.each(["%00", "%0A", "a,b", "%E2%99%AA", "x".repeat(2000)])(
    "does not exist at the made-up address %s, nor does its feed",
    async (id) => {
      expect((await fetchSite(`/playlists/${id}`)).status).toBe(404);
      expect((await fetchSite(`/rss/playlists/${id}.xml`)).status).toBe(404);
      expect((await fetchSite(`/essays/${id}`)).status).toBe(404);
    },
  );

  test("that is empty shows a message with a link to the episodes", async () => {
    const { path } = await publicPlaylist([]);
    const { main, mainText } = await open(path);
    expect(mainText).toContain("No episodes in this playlist");
    expect(main).toContain('href="/podcast"');
  });
});

test.each(["private", "smart", "deleted", "unknown", "malformed"])(
  "one that is %s is not found, and there is a way on",
  async (kind) => {
    const { listener, id } = await publicPlaylist([60]);
    if (kind === "private") await listener.send("PATCH", `/playlists/${id}`, { isPublic: false });
    if (kind === "deleted") await listener.send("DELETE", `/playlists/${id}`);
    const smart = await listener.createSmart("Recently Played");
    const ids: Record<string, string> = { smart: smart.id, unknown: crypto.randomUUID(), malformed: "%20x" };
    const { response, html, main, mainText } = await open(`/playlists/${ids[kind] ?? id}`);
    expect(response.status).toBe(404);
    expect(response.headers.get("Cache-Control")).toBe("no-store");
    expect(titleOf(html)).toContain("Playlist not found");
    expect(html).toContain('<meta name="robots" content="noindex"/>');
    expect(mainText).toMatch(/Playlist not found .*All episodes/);
    expect(main).toContain('href="/podcast"');
    expect(html).not.toContain("For the tram");
  },
);
