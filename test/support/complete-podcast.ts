import { hashAlternates } from "#worker/episodes/alternates.ts";
import { createProfile } from "#worker/profiles/commands.ts";
import { updateSite } from "#worker/settings/commands.ts";
import { ownerContext } from "./client.ts";
import { publishedEpisode, savedShow, storedAudio, storedFile, storedImage } from "./factories.ts";
import { FRAME_SECONDS, makeMp3 } from "./mp3.ts";
import { pngOf } from "./png.ts";

const urlOf = ({ key }: { key: string }) => `/media/${key}`;
const PLACE = {
  name: "Austin, TX",
  rel: "creator",
  geo: "30.2672,-97.7431",
  osm: "R113314",
  country: "US",
} as const;
const MP4 = new TextEncoder().encode("\0\0\0\x18ftypisom\0\0\x02\0isomiso2\0\0\0\x08free");

async function storedPicture(size: number) {
  const bytes = await pngOf(size, size);
  const id = crypto.randomUUID();
  return storedImage({
    id,
    key: `podcast-images/${id}/picture.png`,
    type: "image/png",
    bytes,
    width: size,
    height: size,
  });
}

/** A podcast with all that its feed can say, and an episode with all that an item can; returns its id. */
export async function publishComplete() {
  const owner = ownerContext();
  await updateSite(owner, { disclosesGenerated: true });
  const portrait = await storedPicture(400);
  await createProfile(owner, { name: "Ada Marsh", imageFileId: portrait.id });
  const artwork = await storedPicture(1500);
  const people = [
    { name: "Ada Marsh", role: "host", group: "cast", href: "https://ada.example/" },
    { name: "Bo Lund", role: "audio engineer", group: "audio production", href: null },
  ];
  await savedShow({
    subtitle: "Health, housing, policy",
    description: "Conversations about health.\n\nAnd housing & policy <of cities>.",
    category: "Society & Culture",
    subcategory: "Documentary",
    explicit: true,
    type: "serial",
    artworkFileId: artwork.id,
    locked: true,
    complete: true,
    blocked: true,
    license: "cc-by-4.0",
    funding: [
      { url: "https://example.com/donations", text: "Support us" },
      { url: "https://example.com/members" },
    ],
    updateFrequency: "Every other Friday",
    updateRule: "FREQ=WEEKLY;INTERVAL=2;BYDAY=FR",
    people,
    places: [PLACE, { name: "Dreamworld (Queensland)", osm: "W43678282" }] as never,
    podroll: [{ title: "Podcasting 2.0", url: "https://mp3s.nashownotes.com/pc20rss.xml", guid: "" }],
    publisherUrl: "https://agilesetmedia.com/assets/static/feeds/publisher.xml",
    publisherGuid: "003af0a0-6a45-55cf-b765-68e3d349551a",
    txts: [{ purpose: "release", text: "2026-11-30" }, { text: "naj3eEZaWVVY" }],
  });
  const sound = makeMp3({ seconds: 90 });
  const audio = await storedAudio({ bytes: sound, durationSeconds: 90 });
  const frames = 3000;
  const seconds = frames * FRAME_SECONDS;
  const small = await storedAudio({ bytes: makeMp3({ seconds }), durationSeconds: seconds });
  const id = crypto.randomUUID();
  const video = await storedFile({
    id,
    key: `uploads/${id}/film.mp4`,
    folder: "uploads",
    type: "video/mp4",
    bytes: MP4,
    durationSeconds: null,
    audioStart: null,
  });
  const image = await storedPicture(1400);
  const alternates = [
    { url: urlOf(small), title: "Low bandwidth" },
    { url: urlOf(video), title: "Video" },
  ];
  const episode = await publishedEpisode({
    title: "Rent & the <city>",
    description: "What rents do.\n\nAnd what cities do.",
    showNotes: "## On rent\n\nSome **words** & a [link](https://a.example/).\n\n- One\n- Two",
    publishedAt: Date.UTC(2026, 1, 3, 10),
    seasonNumber: 2,
    episodeNumber: 7,
    episodeType: "bonus",
    explicit: true,
    audioFileId: audio.id,
    imageFileId: image.id,
    imageAlt: "Rows of houses",
    youtubeUrl: "https://www.youtube.com/watch?v=example",
    spotifyUrl: "https://open.spotify.com/episode/abc",
    appleUrl: "https://podcasts.apple.com/au/podcast/id1?i=2",
    transcript:
      "WEBVTT\n\n00:00:01.000 --> 00:00:03.000\n<v Ada Marsh>Welcome back.\n\n00:00:03.500 --> 00:00:05.000\n<v Bo Lund>Thank you.\n",
    chapters: [
      { start: 0, title: "Start" },
      { start: 10, title: "A map", img: "https://example.com/map.jpg", end: 20, toc: false },
      { start: 30, title: "The turn", end: 45.5, url: "https://example.com/turn" },
    ] as never,
    people,
    soundbites: [{ start: 12.5, duration: 20, title: "Why rent matters" }],
    funding: [{ url: "https://example.com/charity", text: "Give to the clinic" }],
    places: [PLACE] as never,
    alternates,
    discussions: [
      { protocol: "activitypub", url: "https://social.example/@ada/1", account: "@ada" },
      { protocol: "bluesky", url: "https://bsky.app/profile/ada/post/1", account: "" },
    ],
    generated: [{ field: "title", model: "llama-3" }],
  });
  await hashAlternates(owner, episode.id, alternates);
  return episode.id;
}
