import { parseFeed } from "podcast-partytime";
import { beforeEach, describe, expect, test } from "vitest";
import { updateEpisode } from "#worker/episodes/commands.ts";
import { podcastGuid } from "#worker/episodes/guid.ts";
import { fetchSite, ownerContext, SITE } from "./support/client.ts";
import { publishedEpisode, savedShow, storedImage } from "./support/factories.ts";
import { aListener, fillPlaylist } from "./support/listeners.ts";
import { forgetRates } from "./support/rates.ts";

beforeEach(forgetRates);

const feedOf = (id: string) => `/rss/playlists/${id}.xml`;

async function read(path: string) {
  const response = await fetchSite(path);
  const xml = await response.text();
  expect(response.status, xml).toBe(200);
  const feed = parseFeed(xml);
  if (!feed) throw new Error("The feed does not parse.");
  return { response, xml, feed };
}

/** A listener's public playlist of these episodes. */
async function publicPlaylist(episodes: number[], words: { name?: string; description?: string } = {}) {
  const listener = aListener();
  const playlist = await listener.create({ ...words, isPublic: true });
  await fillPlaylist(playlist.id, episodes);
  return { listener, id: playlist.id, path: feedOf(playlist.id) };
}

test("playlists have no feed until the owner has described the podcast", async () => {
  const { path } = await publicPlaylist([(await publishedEpisode()).id]);
  expect((await fetchSite(path)).status).toBe(404);
});

describe("the feed of a public playlist", () => {
  test("is a podcast of its own, which directories are not to list", async () => {
    const artwork = await storedImage();
    await savedShow({ artworkFileId: artwork.id });
    const name = `Trams & <trains> ]]> "late" 🌏`;
    const { id, path } = await publicPlaylist([(await publishedEpisode()).id], {
      name,
      description: "For the way home.",
    });
    const { response, xml, feed } = await read(path);
    expect(response.headers.get("Content-Type")).toBe("application/xml; charset=utf-8");
    expect(feed).toMatchObject({
      title: name,
      description: "For the way home.",
      link: `${SITE}/playlists/${id}`,
      language: "en-AU",
      author: "Imogen Tarrant",
      explicit: false,
      itunesImage: `${SITE}/media/${artwork.key}`,
      itunesCategory: ["News > Politics"],
      guid: podcastGuid(`${SITE}${path}`),
      podcastBlocked: "yes",
      pubsub: { self: `${SITE}${path}` },
    });
    expect(xml).toContain("<itunes:block>Yes</itunes:block>");
    expect(xml).toContain("<podcast:locked>yes</podcast:locked>");
    // The show's owner did not make it.
    expect(xml).not.toContain("owner@example.com");
  });

  test("has a description even if its listener wrote none", async () => {
    await savedShow();
    const { path } = await publicPlaylist([(await publishedEpisode()).id]);
    expect((await read(path)).feed.description).toBe("Episodes of Plain Ground, chosen by a listener.");
  });

  test("keeps its order in apps, which sort by date and group by season", async () => {
    await savedShow();
    const made = [];
    for (const title of ["One", "Two", "Three"]) {
      made.push(
        await publishedEpisode({
          title,
          description: `About ${title}.`,
          showNotes: title === "Two" ? "" : `Notes of **${title}**, [here](/about).`,
          publishedAt: Date.UTC(2026, 0, 5 + made.length, 22),
          seasonNumber: made.length + 1,
        }),
      );
    }
    const [one, two, three] = made.map(({ id }) => id) as [number, number, number];
    const { path } = await publicPlaylist([two, three, one]);
    const { feed, xml } = await read(path);
    expect(feed.items.map(({ title }) => title)).toEqual(["Two", "Three", "One"]);
    const [first, ...others] = feed.items.map(({ pubDate }) => pubDate!.getTime());
    expect(others).toEqual([first! - 60_000, first! - 120_000]);
    expect(first).toBeLessThanOrEqual(Date.now());
    for (const absent of ["itunes:season", "itunes:episode>", "podcast:season", "podcast:episode"]) {
      expect(xml).not.toContain(absent);
    }
    // In the site's own time zone.
    expect(xml).toContain("About Two.<p>First published on 7 January 2026.</p>]]></description>");
    expect(xml).toContain(
      `<p>Notes of <strong>One</strong>, <a href="${SITE}/about">here</a>.</p><p>First published on 6 January 2026.</p>]]></content:encoded>`,
    );
  });

  test("is explicit when any of its episodes is, whatever the show says of itself", async () => {
    await savedShow({ explicit: true });
    const [plain, explicit] = [await publishedEpisode(), await publishedEpisode({ explicit: true })];
    expect((await read((await publicPlaylist([plain.id])).path)).feed.explicit).toBe(false);
    await savedShow({ explicit: false });
    expect((await read((await publicPlaylist([plain.id, explicit.id])).path)).feed.explicit).toBe(true);
  });

  test("leaves out what is not published, and what has no audio to hear", async () => {
    await savedShow();
    const [shown, archived] = [await publishedEpisode(), await publishedEpisode()];
    const silent = await publishedEpisode({ audioFileId: null });
    const { path } = await publicPlaylist([archived.id, silent.id, shown.id]);
    await updateEpisode(ownerContext(), archived.id, { status: "archived" });
    expect((await read(path)).feed.items.map(({ title }) => title)).toEqual([shown.title]);
    await updateEpisode(ownerContext(), archived.id, { status: "published" });
    expect((await read(path)).feed.items.map(({ title }) => title)).toEqual([archived.title, shown.title]);
  });

  test("may be empty", async () => {
    await savedShow();
    const { xml } = await read((await publicPlaylist([])).path);
    expect(xml).not.toContain("<item>");
  });

  test("is 304 while it is the same, and new when its words, its order or an episode changed", async () => {
    await savedShow();
    const [a, b] = [await publishedEpisode(), await publishedEpisode()];
    const { listener, id, path } = await publicPlaylist([a.id, b.id]);
    const tags = new Set<string>();
    const sameUntil = async (change: () => Promise<unknown>) => {
      const tag = (await fetchSite(path)).headers.get("ETag") ?? "";
      tags.add(tag);
      const ask = () => fetchSite(path, { headers: { "If-None-Match": tag } });
      const unchanged = await ask();
      expect(unchanged.status).toBe(304);
      expect(await unchanged.text()).toBe("");
      await change();
      expect((await ask()).status).toBe(200);
    };
    await sameUntil(() => listener.send("PATCH", `/playlists/${id}`, { name: "Other" }));
    const { items } = await listener.open(id);
    const itemIds = items.map((item) => item.id).toReversed();
    await sameUntil(() => listener.send("PUT", `/playlists/${id}/order`, { itemIds }));
    await sameUntil(() => updateEpisode(ownerContext(), a.id, { title: "Renamed" }));
    await sameUntil(() => listener.send("DELETE", `/playlists/${id}/items/${b.id}`));
    expect(tags.size).toBe(4);
  });

  test("is missing for a private, smart, deleted or unknown playlist", async () => {
    await savedShow();
    const { listener, id, path } = await publicPlaylist([(await publishedEpisode()).id]);
    const smart = await listener.createSmart("Recently Played");
    await read(path);
    await listener.send("PATCH", `/playlists/${id}`, { isPublic: false });
    for (const of of [id, smart.id, crypto.randomUUID()]) {
      const response = await fetchSite(feedOf(of));
      expect(response.status).toBe(404);
      expect(response.headers.get("Cache-Control")).toBe("no-store");
      expect(await response.json()).toMatchObject({ error: { message: "Playlist not found" } });
    }
    await listener.send("PATCH", `/playlists/${id}`, { isPublic: true });
    await read(path);
    await listener.send("DELETE", `/playlists/${id}`);
    expect((await fetchSite(path)).status).toBe(404);
  });
});
