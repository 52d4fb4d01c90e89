import { env } from "cloudflare:workers";
import { beforeAll, describe, expect, test } from "vitest";
import { eraseItem } from "#worker/bin/commands.ts";
import { createEpisode, deleteEpisode } from "#worker/episodes/commands.ts";
import { Chapter } from "#worker/episodes/contract.ts";
import { readChaptersDocument } from "#worker/episodes/feed-queries.ts";
import { readEpisodeForEdit } from "#worker/episodes/owner-queries.ts";
import { readChapterPictures, readCover } from "#worker/files/audio/pictures.ts";
import { faultsInWords, type EmbeddedChapter, type StoredFile } from "#worker/files/contract.ts";
import { replaceFile } from "#worker/files/library/commands.ts";
import { readFile } from "#worker/files/library/queries.ts";
import { sweepFiles } from "#worker/files/library/sweep.ts";
import { filePlaces, fileReferences } from "#worker/nouns/list.ts";
import { jobContext, ownerContext, visitorContext } from "./support/client.ts";
import { anEpisode, storedImage } from "./support/factories.ts";
import { join } from "./support/mp3.ts";
import { pngOf } from "./support/png.ts";
import { uploadFile } from "./support/upload.ts";

beforeAll(() => env.DB.exec("create table test_users_of_files (a text, i text)"));

/** Their README says which program wrote each, and how. */
const recordings = import.meta.glob<string>("./fixtures/recordings/chapter-pictures-*.mp3", {
  query: "?inline",
  import: "default",
  eager: true,
});
const files = Object.keys(recordings).map((path) => path.slice(path.lastIndexOf("/") + 1));

function store(file: string) {
  const url = recordings[`./fixtures/recordings/${file}`]!;
  const bytes = join([Uint8Array.fromBase64(url.slice(url.indexOf(",") + 1))]);
  return uploadFile(ownerContext(), bytes, { name: file, folder: "podcast-audio" });
}

const objectAt = (address: string) => env.MEDIA.get(address.replace("/media/", ""));
const idIn = (address: string) => address.split("/")[3]!;
const take = ({ chapters }: StoredFile) =>
  chapters.map(({ refusedPicture: _refused, url, ...chapter }: EmbeddedChapter) => ({
    ...chapter,
    url: url ?? null,
  }));

describe("the address of a chapter's picture", () => {
  const isTaken = (img: string) => Chapter.safeParse({ start: 0, title: "One", img }).success;

  // A browser would resolve the dots, and ask the admin area in the name of the user who writes the chapters into an MP3.
  test.each(["/media/../api/admin/export", "/media/a/../../admin", "/media/.", "/media/a/..", "/admin"])(
    "is not %s",
    (img) => expect(isTaken(img)).toBe(false),
  );

  test("is a file of this site, or a full address", () => {
    for (const img of ["/media/podcast-images/1/a..b.jpg", "https://example.org/a/../b.jpg"])
      expect(isTaken(img)).toBe(true);
  });
});

describe("pictures in the chapters of a recording", () => {
  test("are up to 30 beside the cover and those that are refused, and the reason of a limit is no format", async () => {
    const cover = await pngOf(8, 8, 1);
    const pictures = await Promise.all(Array.from({ length: 32 }, (_, n) => pngOf(8, 8, n + 1)));
    const other = new TextEncoder().encode("BM, a picture of another kind");
    const chapters = [...pictures.slice(0, 5), other, ...pictures.slice(5)].map((picture, start) => ({
      start,
      title: `${start}`,
      picture,
    }));
    const read = await readChapterPictures(chapters, await readCover([{ format: "image/png", data: cover }]));
    const stored = new Set(read.flatMap(({ picture }) => picture ?? []));
    expect(stored.size).toBe(31);
    expect(read.filter(({ refusedPicture }) => refusedPicture).map(({ title }) => title)).toEqual([
      "5",
      "32",
    ]);
    const file = { tags: null, chapters: [read[32]] } as unknown as StoredFile;
    expect(faultsInWords(file)).toBe(
      "The picture of a chapter was left out: only the first 30 different ones are used.",
    );
  });

  test("are the first 30 of 33, and the others are shown as left out", async () => {
    const stored = await store("chapter-pictures-many.mp3");
    expect(new Set(stored.chapters.map(({ img }) => img)).size).toBe(31);
    expect(stored.chapters.flatMap(({ img, title }) => (img ? [] : title))).toEqual(["31", "32", "33"]);
    expect(faultsInWords(stored)).toBe(
      "The pictures of 3 chapters were left out: only the first 30 different ones are used.",
    );
  });

  test.each(files.filter((file) => !/eyed3|many/.test(file)))("are stored once each: %s", async (file) => {
    const stored = await store(file);
    const cover = stored.artwork!.url;
    const map = stored.chapters[1]!.img!;
    expect(stored.chapters).toEqual([
      // It is the cover, too.
      { start: 0, title: "Cover", img: cover },
      { start: 0.08, title: "Map", img: map },
      { start: 0.16, title: "Map again", img: map },
      { start: 0.24, title: "Old", refusedPicture: "a BMP picture" },
      { start: 0.32, title: "Linked", img: "https://example.com/linked.jpg" },
      { start: 0.4, title: "Plain" },
    ]);
    expect((await objectAt(cover))!.httpMetadata!.contentType).toBe("image/jpeg");
    const picture = (await readFile(ownerContext(), idIn(map), fileReferences)).file;
    expect(picture).toMatchObject({ type: "image/png", width: 64, height: 48, isUsed: true });
    expect((await objectAt(map))!.size).toBe(picture.size);
    expect(faultsInWords(stored)).toBe(
      "The picture of a chapter was left out: a BMP picture. Podcast apps show JPEG and PNG.",
    );
  });

  test("are read before the title, as eyeD3 writes them", async () => {
    const { chapters } = await store("chapter-pictures-eyed3.mp3");
    expect(chapters).toEqual([
      { start: 0, title: "Map", img: expect.stringMatching(/^\/media\/podcast-images\/.+\.png$/) as string },
      { start: 0.25, title: "Plain" },
    ]);
  });

  test("are at whole addresses in chapters.json", async () => {
    const stored = await store("chapter-pictures-2.4.mp3");
    const { id } = await createEpisode(
      ownerContext(),
      anEpisode({ status: "published", audioFileId: stored.id, chapters: take(stored) }),
    );
    const { chapters } = await readChaptersDocument(visitorContext(), id);
    expect(chapters.map(({ img }) => img)).toEqual([
      visitorContext().config.siteUrl + stored.artwork!.url,
      visitorContext().config.siteUrl + stored.chapters[1]!.img,
      visitorContext().config.siteUrl + stored.chapters[2]!.img,
      undefined,
      "https://example.com/linked.jpg",
      undefined,
    ]);
  });

  test("follow the library: a replaced one has its successor in the chapters", async () => {
    const stored = await store("chapter-pictures-2.3.mp3");
    const { id } = await createEpisode(
      ownerContext(),
      anEpisode({ audioFileId: stored.id, chapters: take(stored) }),
    );
    const next = await storedImage();
    const map = idIn(stored.chapters[1]!.img!);
    const { uses } = await readFile(ownerContext(), map, fileReferences);
    expect(uses.map(({ kind }) => kind).toSorted()).toEqual(["episode", "file"]);
    await replaceFile(ownerContext(), map, { by: next.id }, filePlaces);
    const { values } = await readEpisodeForEdit(ownerContext(), id);
    expect(values.chapters.map(({ img }) => img).slice(1, 3)).toEqual(Array(2).fill(`/media/${next.key}`));
    expect((await readFile(ownerContext(), next.id, fileReferences)).uses).toMatchObject([
      { kind: "episode", item: String(id), isCurrent: true },
    ]);
  });

  test("are kept while the recording or an episode uses them, and then swept", async () => {
    const days = (count: number) => jobContext({ now: new Date(Date.now() + count * 24 * 60 * 60 * 1000) });
    const sweep = async (from: number) => {
      await sweepFiles(days(from), fileReferences);
      await sweepFiles(days(from + 1.1), fileReferences);
    };
    const stored = await store("chapter-pictures-eyed3.mp3");
    const map = stored.chapters[0]!.img!;
    const episode = anEpisode({ audioFileId: null, durationSeconds: 10, chapters: take(stored) });
    const { id } = await createEpisode(ownerContext(), episode);
    await sweep(0);
    // The recording itself has no use.
    expect(await objectAt(stored.url)).toBeNull();
    expect(await objectAt(map)).not.toBeNull();
    await deleteEpisode(ownerContext(), id);
    await eraseItem(ownerContext(), `episode:${id}`);
    await sweep(3);
    expect(await objectAt(map)).toBeNull();
  });
});
