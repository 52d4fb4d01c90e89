import type { D1Migration } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { and, eq, isNull, like } from "drizzle-orm";
import { beforeAll, describe, expect, test } from "vitest";
import jpegUrl from "../demo/images/show.jpg?inline";
import { eraseItem } from "#worker/bin/commands.ts";
import { createArticle } from "#worker/articles/commands.ts";
import { readArticle } from "#worker/articles/queries.ts";
import { readFeedShow } from "#worker/episodes/feed-queries.ts";
import { filePlaces } from "#worker/nouns/list.ts";
import { deleteFile } from "#worker/files/commands.ts";
import { readPicture } from "#worker/files/pictures/picture-headers.ts";
import { toPicture } from "#worker/files/pictures/picture.ts";
import { fileNoun } from "#worker/files/noun.ts";
import { referencesOf } from "#worker/files/library/references.ts";
import { versionsWithFiles } from "#worker/revisions/noun.ts";
import { sweepFiles } from "#worker/files/library/sweep.ts";
import { files } from "#worker/files/table.ts";
import { avifWidthsOf, makeVariants, VARIANTS_TOPIC, widthsOf } from "#worker/files/pictures/variants.ts";
import { handlers } from "#worker/jobs.ts";
import { deliverOutbox } from "#worker/platform/work/outbox.ts";
import { outbox } from "#worker/platform/table.ts";
import { fetchSite, jobContext, ownerContext, visitorContext } from "./support/client.ts";
import { publishedEpisode, savedShow, storedImage } from "./support/factories.ts";
import { id3, join, makeMp3, makePng } from "./support/mp3.ts";
import { jobs } from "./support/newsletter.ts";
import { movingPng, photographs } from "./support/pictures.ts";
import { pngOf } from "./support/png.ts";
import { uploadFile } from "./support/upload.ts";

/** A photograph of realistic size: 1600 px square. */
const jpeg = Uint8Array.fromBase64(jpegUrl.slice(jpegUrl.indexOf(",") + 1));

/** A small one: 48 px wide and 32 high. */
const small = Uint8Array.fromBase64(
  "/9j/2wBDABQUFBQVFBcZGRcfIh4iHy4rJycrLkYyNjI2MkZqQk5CQk5Cal5yXVZdcl6phXZ2hanDpJukw+zT0+z/////////2wBDARQU" +
    "FBQVFBcZGRcfIh4iHy4rJycrLkYyNjI2MkZqQk5CQk5Cal5yXVZdcl6phXZ2hanDpJukw+zT0+z/////////wgARCAAgADADASIAAhEB" +
    "AxEB/8QAFQABAQAAAAAAAAAAAAAAAAAAAAL/xAAWAQEBAQAAAAAAAAAAAAAAAAAABAX/2gAMAwEAAhADEAAAAJE+sAAAAB//xAAUEAEA" +
    "AAAAAAAAAAAAAAAAAABA/9oACAEBAAE/AEf/xAAUEQEAAAAAAAAAAAAAAAAAAAAg/9oACAECAQE/AF//xAAUEQEAAAAAAAAAAAAAAAAA" +
    "AAAg/9oACAEDAQE/AF//2Q==",
);

/** References of a site on which no noun uses files. */
const NOTHING = referencesOf([fileNoun], versionsWithFiles);
const NOWHERE = { references: NOTHING, places: filePlaces };

const upload = (bytes = small) =>
  uploadFile(ownerContext({ jobs }), bytes, { name: "cover.jpg", folder: "podcast-images" });

const rowOf = async (id: string) => {
  const [row] = await jobContext().db.select().from(files).where(eq(files.id, id));
  return row!;
};

const asked = () =>
  jobContext()
    .db.select({ id: outbox.id, payload: outbox.payload })
    .from(outbox)
    .where(and(eq(outbox.topic, VARIANTS_TOPIC), isNull(outbox.doneAt)));

async function deliver() {
  for (const { id } of await asked()) await deliverOutbox(jobContext(), id, handlers);
}

const objectsOf = async (key: string) => {
  const { objects } = await env.MEDIA.list({ prefix: key.slice(0, key.lastIndexOf("/") + 1) });
  return objects.map((object) => object.key).toSorted();
};

async function askFeed(headers: HeadersInit = {}) {
  const response = await fetchSite("/rss/podcast.xml", { headers });
  const { feedChangedAt } = await readFeedShow(visitorContext());
  return {
    status: response.status,
    tag: response.headers.get("ETag")!,
    changedAt: feedChangedAt.getTime(),
    xml: await response.text(),
  };
}

describe("the smaller copies of a photograph", () => {
  let photograph: Awaited<ReturnType<typeof upload>>;
  beforeAll(async () => {
    photograph = await upload(jpeg);
    await deliver();
  });

  test("are WebP, and AVIF for narrow windows, with the stated widths, beside the original", async () => {
    const { id } = photograph;
    const { key, variants, avifVariants } = await rowOf(id);
    expect({ variants, avifVariants }).toEqual({
      variants: [160, 320, 640, 960, 1280, 1600],
      avifVariants: [320, 448, 656, 1080],
    });
    const { srcset, avif } = toPicture(await rowOf(id), "A cover")!;
    for (const [format, copies] of Object.entries({ "image/webp": srcset, "image/avif": avif })) {
      for (const each of copies.split(", ")) {
        const [path = "", width = ""] = each.split(" ");
        const response = await fetchSite(path);
        expect(response.headers.get("Content-Type")).toBe(format);
        expect(response.headers.get("Cache-Control")).toContain("immutable");
        const facts = await env.IMAGES.info(response.body!);
        expect(facts).toMatchObject({ format, width: parseInt(width, 10) });
      }
    }
    expect((await objectsOf(key)).length).toBe(11);
  });

  test("have fewer bytes than the original", async () => {
    const { id, size } = photograph;
    const { key } = await rowOf(id);
    const webp = await env.MEDIA.head(key.replace(/\/cover\.jpg$/, "/640/cover.webp"));
    expect(webp!.size).toBeLessThan(size / 3);
    const avif = await env.MEDIA.head(key.replace(/\/cover\.jpg$/, "/656/cover.avif"));
    expect(avif!.size).toBeLessThan(webp!.size);
  });
});

describe("the smaller copies of a picture", () => {
  test("are at most as wide as the picture, with one of its width, up to 1920 px", () => {
    expect(widthsOf(100)).toEqual([100]);
    expect(widthsOf(640)).toEqual([160, 320, 640]);
    expect(widthsOf(4000)).toEqual([160, 320, 640, 960, 1280, 1920]);
    expect(avifWidthsOf(100, 100)).toEqual([100]);
    expect(avifWidthsOf(4000, 2000)).toEqual([320, 448, 656, 1080]);
  });

  test("in AVIF are at most as high as Cloudflare makes them", () => {
    expect(avifWidthsOf(2000, 4000)).toEqual([320, 448, 600]);
  });

  test("are requested again by the migration that added AVIF, for pictures with earlier copies", async () => {
    await deliver();
    const before = await storedImage({ variants: [160, 320] });
    await storedImage();
    const { MIGRATIONS } = env as unknown as { MIGRATIONS: D1Migration[] };
    const update = MIGRATIONS.find(({ name }) => name === "0005_avif_variants.sql")!;
    await env.DB.prepare(update.queries.find((query) => query.includes("INSERT"))!).run();
    expect((await asked()).map(({ payload }) => payload)).toContainEqual({ fileId: before.id });
    const [row] = await jobContext()
      .db.select()
      .from(outbox)
      .where(eq(outbox.id, `avif-${before.id}`));
    expect(row).toMatchObject({ attempts: 0, doneAt: null, failedAt: null });
    expect(Math.abs(row!.notBefore.getTime() - Date.now())).toBeLessThan(60_000);
    await jobContext().db.delete(outbox).where(like(outbox.id, "avif-%"));
    expect(await asked()).toEqual([]);
  });

  test("are requested once, when the upload is complete, also for the picture in an audio file", async () => {
    await deliver();
    const { id } = await upload();
    expect((await asked()).map(({ payload }) => payload)).toEqual([{ fileId: id }]);
    await deliver();
    const sound = join([
      id3({ picture: { type: "image/png", bytes: makePng(20, 20) } }),
      makeMp3({ seconds: 2 }),
    ]);
    const audio = await uploadFile(ownerContext({ jobs }), sound, { name: "a.mp3", folder: "podcast-audio" });
    expect((await asked()).map(({ payload }) => payload)).toEqual([{ fileId: audio.artwork!.id }]);
  });

  test("made twice are the same", async () => {
    const { id } = await upload();
    await makeVariants(jobContext(), { fileId: id }, NOWHERE);
    const before = await rowOf(id);
    await makeVariants(jobContext(), { fileId: id }, NOWHERE);
    expect(await rowOf(id)).toEqual(before);
  });

  test("of the podcast's artwork are in the feed, whose tag and date then change", async () => {
    const { id } = await upload(await pngOf(1400, 1400));
    const copy = (await rowOf(id)).key.replace(/\/[^/]+$/, "/160/cover.webp 160w");
    await savedShow({ artworkFileId: id });
    const before = await askFeed();
    await deliver();
    const after = await askFeed();
    expect([before.xml.includes(copy), after.xml.includes(copy)]).toEqual([false, true]);
    expect(after.tag).not.toBe(before.tag);
    expect(after.changedAt).toBeGreaterThan(before.changedAt);
    expect((await askFeed({ "If-None-Match": before.tag })).status).toBe(200);
  });

  test("of other pictures, including an episode's, do not change the feed's tag, because it does not list them", async () => {
    const { id } = await upload();
    await publishedEpisode({ imageFileId: id });
    const before = await askFeed();
    await deliver();
    expect(await askFeed()).toEqual(before);
  });

  test("of a picture that cannot be decoded are retried later, and the original is shown", async () => {
    await deliver();
    const { id } = await uploadFile(ownerContext({ jobs }), makePng(40, 40, { bytes: 50 }), {
      name: "broken.png",
      folder: "articles",
    });
    const [row] = await asked();
    await deliver();
    const [open] = await jobContext().db.select().from(outbox).where(eq(outbox.id, row!.id));
    expect(open).toMatchObject({ doneAt: null, attempts: 1 });
    expect(toPicture(await rowOf(id), "")).toMatchObject({ srcset: "", width: 40, height: 40 });
    await jobContext().db.delete(outbox).where(eq(outbox.id, row!.id));
  });

  test("are missing without the Images binding, and nothing fails", async () => {
    const { id } = await upload();
    await makeVariants(jobContext({ images: undefined }), { fileId: id }, NOWHERE);
    expect((await rowOf(id)).variants).toBe(null);
  });

  test("are deleted with the picture", async () => {
    const { id } = await upload();
    await deliver();
    const { key } = await rowOf(id);
    await deleteFile(ownerContext(), id, NOTHING);
    await eraseItem(ownerContext(), `file:${id}`);
    // The queue may be making copies at the same time, and then deletes them itself.
    await expect.poll(() => objectsOf(key), { timeout: 60_000 }).toEqual([]);
  });

  test("of a picture deleted while they were made are deleted", async () => {
    const { id } = await upload();
    const ctx = jobContext();
    const { key } = await rowOf(id);
    const media = new Proxy(ctx.media, {
      get(bucket, name) {
        if (name !== "put") return Reflect.get(bucket, name).bind(bucket);
        return async (...args: Parameters<R2Bucket["put"]>) => {
          await ctx.db.delete(files).where(eq(files.id, id));
          return bucket.put(...args);
        };
      },
    });
    await makeVariants({ ...ctx, media }, { fileId: id }, NOWHERE);
    await env.MEDIA.delete(key);
    expect(await objectsOf(key)).toEqual([]);
  });

  test("are not swept while their picture exists, and are deleted with it", async () => {
    const { id } = await upload();
    await deliver();
    const { key } = await rowOf(id);
    const sweepTwice = async () => {
      for (const days of [1, 2])
        await sweepFiles(jobContext({ now: new Date(Date.now() + days * 86_400_000) }), NOTHING);
    };
    await sweepTwice();
    expect(await objectsOf(key)).toEqual([]);
    const used = await upload();
    await deliver();
    const kept = await rowOf(used.id);
    // Another item uses the picture.
    await storedImage({ artworkFileId: used.id, keptAt: new Date() });
    await sweepTwice();
    expect((await objectsOf(kept.key)).length).toBe(3);
  });
});

describe("an animated picture", () => {
  const { "moving.gif": gif, "moving.webp": webp, "camera.avif": avif } = photographs;
  /** An animated AVIF has its own brand. */
  const sequence = avif.bytes.slice();
  sequence.set(new TextEncoder().encode("avis"), 8);

  test.each([
    ["moving.gif", gif.bytes, "image/gif"],
    ["moving.webp", webp.bytes, "image/webp"],
    ["moving.png", movingPng, "image/png"],
    ["moving.apng", movingPng, "image/png"],
    ["moving.avif", sequence, "image/avif"],
  ])("is accepted and shown unchanged, without still copies: %s", async (name, bytes, type) => {
    const { id, url } = await uploadFile(ownerContext({ jobs }), bytes, { name, folder: "articles" });
    expect((await asked()).map(({ payload }) => payload)).not.toContainEqual({ fileId: id });
    expect(toPicture(await rowOf(id), "")).toMatchObject({ src: url, srcset: "", avif: "" });
    const response = await fetchSite(url);
    expect(response.headers.get("Content-Type")).toBe(type);
    if (type === "image/png")
      expect(new Uint8Array(await response.arrayBuffer()).toHex()).toBe(bytes.toHex());
    else await response.body?.cancel();
  });

  test("is distinguished from a still one", () => {
    expect(readPicture(webp.bytes, "image/webp")).toMatchObject({ isAnimated: true });
    expect(readPicture(movingPng, "image/png")).toMatchObject({ isAnimated: true });
    expect(readPicture(sequence, "image/avif")).toMatchObject({ isAnimated: true });
    for (const name of ["camera.webp", "camera.png", "camera.avif"] as const)
      expect(readPicture(photographs[name].bytes, photographs[name].type)?.isAnimated).toBeFalsy();
  });
});

describe("a photograph from a camera that was held on its side", () => {
  const orders = {
    II: (...numbers: number[]) => numbers.flatMap((number) => [number & 255, number >> 8]),
    MM: (...numbers: number[]) => numbers.flatMap((number) => [number >> 8, number & 255]),
  };
  /** The same with an Exif segment: one directory, with only the orientation. */
  const turned = (orientation: number, order: "II" | "MM" = "II", entries = 1) => {
    const of = orders[order];
    const long = (number: number) => (order === "II" ? of(number, 0) : of(0, number));
    const entry = [...of(0x0112, 3), ...long(1), ...of(orientation, 0)];
    const tiff = [
      ...of(order === "II" ? 0x4949 : 0x4d4d, 42),
      ...long(8),
      ...of(entries),
      ...entry,
      ...long(0),
    ];
    const exif = [0x45, 0x78, 0x69, 0x66, 0, 0, ...tiff];
    const segment = [0xff, 0xe1, 0, exif.length + 2, ...exif];
    return join([small.subarray(0, 2), new Uint8Array(segment), small.subarray(2)]);
  };

  test.each(["II", "MM"] as const)(
    "has the size in which it is shown, in both byte orders of its tags: %s",
    (order) => {
      expect(readPicture(small, "image/jpeg")).toMatchObject({ width: 48, height: 32 });
      for (const upright of [1, 2, 3, 4]) {
        expect(readPicture(turned(upright, order), "image/jpeg")).toMatchObject({ width: 48, height: 32 });
      }
      for (const onItsSide of [5, 6, 7, 8]) {
        expect(readPicture(turned(onItsSide, order), "image/jpeg")).toMatchObject({ width: 32, height: 48 });
      }
    },
  );

  test("is readable if its tags are invalid", () => {
    const size = { width: 48, height: 32 };
    expect(readPicture(turned(1, "II", 9000), "image/jpeg")).toMatchObject(size);
    const astray = turned(6);
    // The offset of its directory is far away.
    astray[18] = 255;
    expect(readPicture(astray, "image/jpeg")).toMatchObject(size);
  });

  test("has upright copies as wide as it is shown", async () => {
    const { id } = await uploadFile(ownerContext({ jobs }), turned(6), {
      name: "turned.jpg",
      folder: "articles",
    });
    await deliver();
    const { key, width, height, variants } = await rowOf(id);
    expect({ width, height, variants }).toEqual({ width: 32, height: 48, variants: [32] });
    const copy = await env.MEDIA.get(key.replace(/\/turned\.jpg$/, "/32/turned.webp"));
    expect(await env.IMAGES.info(copy!.body)).toMatchObject({ width: 32, height: 48 });
  });
});

test("a picture within a text has its size reserved, and is fetched in the width in which it is shown", async () => {
  const { id, url } = await upload();
  await deliver();
  const content = `![A cover](${url})\n\n![Gone](/media/articles/none/gone.jpg)`;
  const { slug } = await createArticle(ownerContext(), {
    title: "With pictures",
    content,
    status: "published",
  });
  const { article } = await readArticle(visitorContext(), slug);
  const [shown, gone] = article.contentHtml.match(/<img[^>]*>/g)!;
  const { srcset } = toPicture(await rowOf(id), "")!;
  expect(shown).toContain(`srcset="${srcset}"`);
  expect(shown).toMatch(/width="48" height="32"/);
  expect(shown).toContain('loading="lazy"');
  expect(gone).not.toContain("srcset");
  // Apps do not know the page's columns.
  expect(await (await fetchSite("/rss/essays.xml")).text()).not.toContain("srcset");
});
