import { createHash } from "node:crypto";
import { and, eq } from "drizzle-orm";
import { parseRssFeed } from "feedsmith";
import { parseFeed } from "podcast-partytime";
import { describe, expect, test } from "vitest";
import { updateEpisode } from "#worker/episodes/commands.ts";
import { hashAlternates } from "#worker/episodes/alternates.ts";
import { episodes, feedItems } from "#worker/episodes/table.ts";
import { fileUses } from "#worker/files/table.ts";
import { open } from "./support/pages.ts";
import { fetchSite, ownerContext, signedIn, SITE } from "./support/client.ts";
import {
  anEpisode,
  publishedEpisode,
  savedShow,
  storedAudio,
  storedFile,
  storedImage,
} from "./support/factories.ts";

const owner = await signedIn("editor");
await savedShow();

async function readItem(id: number) {
  const isIt = (each: { link?: string }) => each.link === `${SITE}/episode/${id}`;
  const xml = await (await fetchSite("/rss/podcast.xml")).text();
  return {
    partytime: parseFeed(xml)?.items.find(isIt),
    feedsmith: parseRssFeed(xml).items?.find(isIt)?.podcast,
  };
}

const urlOf = ({ key }: { key: string }) => `/media/${key}`;

describe("a further file of an episode", () => {
  test("is in the feed with its type, size, bit rate and hash, as two parsers read it", async () => {
    const bytes = new TextEncoder().encode("A small recording.".repeat(100));
    const small = await storedAudio({ bytes, durationSeconds: 60 });
    const id = crypto.randomUUID();
    const video = await storedFile({
      id,
      key: `uploads/${id}/film.mp4`,
      folder: "uploads",
      type: "video/mp4",
      durationSeconds: null,
      height: 720,
    });
    const alternates = [
      { url: urlOf(small), title: "Low bandwidth" },
      { url: urlOf(video), title: "Video" },
    ];
    const episode = await publishedEpisode({ alternates });
    await hashAlternates(ownerContext(), episode.id, alternates);
    const { partytime, feedsmith } = await readItem(episode.id);
    const hash = createHash("sha256").update(bytes).digest("base64");
    expect(feedsmith?.alternateEnclosures).toMatchObject([
      {
        type: "audio/mpeg",
        length: bytes.length,
        bitrate: (bytes.length * 8) / 60,
        title: "Low bandwidth",
        sources: [{ uri: SITE + urlOf(small) }],
        integrity: { type: "sri", value: `sha256-${hash}` },
      },
      { type: "video/mp4", height: 720, title: "Video", sources: [{ uri: SITE + urlOf(video) }] },
    ]);
    expect(partytime?.alternativeEnclosures).toMatchObject([
      {
        type: "audio/mpeg",
        length: bytes.length,
        source: [{ uri: SITE + urlOf(small) }],
        integrity: { type: "sri", value: `sha256-${hash}` },
      },
      { type: "video/mp4", source: [{ uri: SITE + urlOf(video) }] },
    ]);
  });

  test("is used by the episode, and not deleted as unused", async () => {
    const small = await storedAudio();
    const { id } = await publishedEpisode({ alternates: [{ url: urlOf(small), title: "" }] });
    // Not those of its former versions.
    const isNow = and(eq(fileUses.fileId, small.id), eq(fileUses.version, 0));
    const uses = () => ownerContext().db.select().from(fileUses).where(isNow);
    expect(await uses()).toMatchObject([{ kind: "episode", item: String(id) }]);
    await updateEpisode(ownerContext(), id, { alternates: [] });
    expect(await uses()).toEqual([]);
  });

  test.each([
    ["that is a picture", async () => urlOf(await storedImage()), "Choose an audio file or a video."],
    [
      "that does not exist",
      async () => `/media/uploads/${crypto.randomUUID()}/film.mp4`,
      "This file was deleted. Choose another.",
    ],
  ])("%s is refused beside it", async (_what, make, message) => {
    const answer = await owner.api.episodes.$post({
      json: anEpisode({ alternates: [{ url: await make(), title: "" }] }),
    });
    expect(await answer.json()).toEqual({ error: { code: "invalid", message, field: "alternates.0.url" } });
  });

  test("that was deleted is left out of the feed", async () => {
    const small = await storedAudio();
    const { id } = await publishedEpisode({ alternates: [{ url: urlOf(small), title: "" }] });
    const { db } = ownerContext();
    const gone = { url: `/media/uploads/${crypto.randomUUID()}/gone.mp3`, title: "" };
    await db
      .update(episodes)
      .set({ alternates: [gone] })
      .where(eq(episodes.id, id));
    await db.delete(feedItems);
    expect((await readItem(id)).feedsmith?.alternateEnclosures ?? []).not.toContainEqual(
      expect.objectContaining({ sources: [{ uri: SITE + gone.url }] }),
    );
  });
});

test("the discussions of an episode are in the feed, the first with the highest priority", async () => {
  const { id } = await publishedEpisode({
    discussions: [
      {
        protocol: "activitypub",
        url: "https://podcastindex.social/@dave/105079274766075912",
        account: "@dave",
      },
      { protocol: "bluesky", url: "https://bsky.app/profile/a.example/post/3k" },
    ],
  });
  const { partytime, feedsmith } = await readItem(id);
  expect(feedsmith?.socialInteracts).toEqual([
    {
      protocol: "activitypub",
      uri: "https://podcastindex.social/@dave/105079274766075912",
      accountId: "@dave",
      priority: 1,
    },
    { protocol: "bluesky", uri: "https://bsky.app/profile/a.example/post/3k", priority: 2 },
  ]);
  expect(partytime?.podcastSocialInteraction).toMatchObject([
    { url: "https://podcastindex.social/@dave/105079274766075912", id: "@dave" },
    { url: "https://bsky.app/profile/a.example/post/3k" },
  ]);
});

describe("the page of an episode", () => {
  test("links to its further files, each with its format and size, and to its discussions", async () => {
    const small = await storedAudio({ bytes: new Uint8Array(300 * 1024), durationSeconds: 60 });
    const id = crypto.randomUUID();
    const video = await storedFile({
      id,
      key: `uploads/${id}/film.mp4`,
      folder: "uploads",
      type: "video/mp4",
      durationSeconds: null,
      height: 720,
      size: 12 * 1024 * 1024,
    });
    const episode = await publishedEpisode({
      alternates: [
        { url: urlOf(small), title: "Low bandwidth" },
        { url: urlOf(video), title: "" },
      ],
      discussions: [
        { protocol: "activitypub", url: "https://social.example/@imogen/1", account: "@imogen" },
        { protocol: "bluesky", url: "https://bsky.app/profile/a.example/post/3k" },
      ],
    });
    const { main, mainText } = await open(`/episode/${episode.id}`);
    expect(mainText).toMatch(/Other versions Low bandwidth MP3, 0\.3 MB Video MP4, 720p, 12\.0 MB/);
    expect(mainText).toMatch(/Discussions Discuss on social\.example @imogen Discuss on Bluesky/);
    for (const href of [
      urlOf(small),
      urlOf(video),
      "https://social.example/@imogen/1",
      "https://bsky.app/profile/a.example/post/3k",
    ])
      expect(main).toContain(`href="${href}"`);
  });

  test("has no such lists without them", async () => {
    const { id } = await publishedEpisode();
    const { html } = await open(`/episode/${id}`);
    expect(html).not.toMatch(/Other versions|Discussions|Discuss on|alternates/);
  });
});
