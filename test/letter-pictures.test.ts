import { env } from "cloudflare:workers";
import { eq } from "drizzle-orm";
import { afterAll, describe, expect, it } from "vitest";
import jpegUrl from "../demo/images/show.jpg?inline";
import { eraseItem } from "#worker/bin/commands.ts";
import { deleteFile } from "#worker/files/commands.ts";
import { fileNoun } from "#worker/files/noun.ts";
import { referencesOf } from "#worker/files/library/references.ts";
import { VARIANTS_TOPIC } from "#worker/files/pictures/variants.ts";
import { files } from "#worker/files/table.ts";
import { checkLetter } from "#worker/letters/check.ts";
import { previewLetter } from "#worker/letters/preview.ts";
import { renderLetter } from "#worker/letters/render.ts";
import { outbox } from "#worker/platform/table.ts";
import { versionsWithFiles } from "#worker/revisions/noun.ts";
import { fetchSite, jobContext, ownerContext } from "./support/client.ts";
import { storedImage } from "./support/factories.ts";
import { copyTo, savedLetter } from "./support/letters.ts";
import { jobs } from "./support/newsletter.ts";
import { movingPng, photographs } from "./support/pictures.ts";
import { uploadFile } from "./support/upload.ts";

type Bytes = Uint8Array<ArrayBuffer>;

/** A photograph of 1600 px square. */
const jpeg = Uint8Array.fromBase64(jpegUrl.slice(jpegUrl.indexOf(",") + 1));

const inFormat = async (format: "image/webp" | "image/png" | "image/avif", width = 1600) => {
  const made = await env.IMAGES.input(new Blob([jpeg]).stream())
    .transform({ width })
    .output({ format });
  return new Uint8Array(await new Response(made.image()).arrayBuffer());
};

const upload = (bytes: Bytes, name: string) =>
  uploadFile(ownerContext({ jobs }), bytes, { name, folder: "articles" });

/** The other copies, of which a letter uses none, would take most of this file's time. */
afterAll(() => jobContext().db.delete(outbox).where(eq(outbox.topic, VARIANTS_TOPIC)));

const letterWith = (content: string) => ({ subject: "A letter", preheader: "", content });
const sourceIn = (html: string) => /<img[^>]* src="http:\/\/localhost:8787([^"]+)"/.exec(html)?.[1] ?? "";

/** What the email and the preview name, which is the same. */
async function mailPicture(url: string) {
  const letter = letterWith(`![A hill](${url})`);
  const preview = await previewLetter(ownerContext(), letter);
  const { mail } = await renderLetter(jobContext(), { ...letter, id: 1 });
  const src = sourceIn(copyTo(mail).html);
  expect(sourceIn(preview.html)).toBe(src);
  const response = await fetchSite(src);
  expect(response.status).toBe(200);
  const bytes = new Uint8Array(await response.arrayBuffer());
  const { format, width } = (await env.IMAGES.info(new Blob([bytes]).stream())) as {
    format: string;
    width: number;
  };
  return { src, type: response.headers.get("Content-Type"), format, width, bytes };
}

/** Red, green and blue of a picture made one pixel small, which decodes all of it. */
async function meanColourOf(bytes: Bytes) {
  const made = await env.IMAGES.input(new Blob([bytes]).stream())
    .transform({ width: 1, height: 1, fit: "squeeze" })
    .output({ format: "image/png" });
  const png = new Uint8Array(await new Response(made.image()).arrayBuffer());
  const at = new TextDecoder("latin1").decode(png).indexOf("IDAT");
  const length = new DataView(png.buffer).getUint32(at - 4);
  const packed = new Blob([png.slice(at + 4, at + 4 + length)]).stream();
  const pixels = await new Response(packed.pipeThrough(new DecompressionStream("deflate"))).bytes();
  // The first byte names the filter, which changes nothing in a single pixel.
  return pixels.subarray(1, 4);
}

describe("a picture in a letter", () => {
  it("replaces a photograph by a smaller JPEG, without waiting for its other copies", async () => {
    const { url, size } = await upload(jpeg, "hill.jpg");
    const { src, bytes, ...facts } = await mailPicture(url);
    expect(facts).toEqual({ type: "image/jpeg", format: "image/jpeg", width: 1200 });
    expect(src).toBe(url.replace("/hill.jpg", "/1200/hill.jpg"));
    expect(bytes.length).toBeLessThan(size);
  });

  it.each(["image/webp", "image/avif"] as const)("replaces an opaque %s by a JPEG", async (format) => {
    const { url } = await upload(await inFormat(format, 600), "hill");
    expect(await mailPicture(url)).toMatchObject({ type: "image/jpeg", format: "image/jpeg", width: 600 });
  });

  it("is a PNG if it is transparent, and the original if that is small", async () => {
    const { id, url } = await upload(await inFormat("image/webp", 300), "mark.webp");
    await jobContext().db.update(files).set({ hasAlpha: true }).where(eq(files.id, id));
    expect(await mailPicture(url)).toMatchObject({ type: "image/png", format: "image/png", width: 300 });
    const small = await upload(photographs["camera.jpg"].bytes, "small.jpg");
    expect((await mailPicture(small.url)).src).toBe(small.url);
  });

  it("is the original for a GIF or an animated PNG, whose copy would not be animated", async () => {
    const gif = await upload(photographs["moving.gif"].bytes, "moving.gif");
    expect((await mailPicture(gif.url)).src).toBe(gif.url);
    const png = await upload(movingPng, "moving.png");
    expect((await mailPicture(png.url)).src).toBe(png.url);
  });

  it("replaces an animated WebP by a still picture if no GIF can be made", async () => {
    const { url } = await upload(photographs["moving.webp"].bytes, "moving.webp");
    const { bytes, ...facts } = await mailPicture(url);
    expect(facts).toMatchObject({ type: "image/jpeg", format: "image/jpeg", width: 32 });
    // Upright, as its orientation says. libwebp’s mean of the first frame; that of the second is 90, 90, 90.
    const [red, green, blue] = await meanColourOf(bytes);
    expect(Math.abs(red! - 118) + Math.abs(green! - 124) + Math.abs(blue! - 54)).toBeLessThan(20);
  });

  it("is the same copy if the text names one of its WebP copies", async () => {
    const { url } = await upload(jpeg, "hill.jpg");
    const { src } = await mailPicture(url);
    const named = letterWith(`![A hill](${url.replace("/hill.jpg", "/640/hill.webp")})`);
    expect(sourceIn((await previewLetter(ownerContext(), named)).html)).toBe(src);
  });

  it("has the width of the column at most, and its height in proportion", async () => {
    const { url } = await upload(jpeg, "hill.jpg");
    const { html } = await previewLetter(ownerContext(), letterWith(`![A hill](${url})`));
    expect(html).toMatch(/<img[^>]* width="600" height="600"/);
    const { url: narrow } = await upload(await inFormat("image/png", 300), "narrow.png");
    expect((await previewLetter(ownerContext(), letterWith(`![](${narrow})`))).html).toMatch(
      /<img[^>]* width="300" height="300"/,
    );
  });

  it("is the original while copies cannot be made, and the check warns of a format that Outlook lacks", async () => {
    const without = () => ownerContext({ images: undefined });
    const { url } = await upload(jpeg, "hill.jpg");
    const webp = await upload(await inFormat("image/webp"), "hill.webp");
    const letter = letterWith(`![A hill](${url})\n\n![A hill](${webp.url})`);
    expect(sourceIn((await previewLetter(without(), letter)).html)).toBe(url);
    const { id } = await savedLetter(letter);
    const found = await checkLetter(without(), id);
    expect(found.filter(({ code }) => code === "unsupported-picture")).toMatchObject([
      { level: "warns", where: `http://localhost:8787${webp.url}` },
    ]);
    expect((await checkLetter(ownerContext(), id)).map(({ code }) => code)).not.toContain(
      "unsupported-picture",
    );
  });

  it("is the original if its object is missing", async () => {
    const { key } = await storedImage();
    const { html } = await previewLetter(ownerContext(), letterWith(`![A hill](/media/${key})`));
    expect(sourceIn(html)).toBe(`/media/${key}`);
  });

  it("loses its copy when it is deleted", async () => {
    const { id, url } = await upload(jpeg, "hill.jpg");
    const { src } = await mailPicture(url);
    await deleteFile(ownerContext(), id, referencesOf([fileNoun], versionsWithFiles));
    await eraseItem(ownerContext(), `file:${id}`);
    expect(await env.MEDIA.head(src.replace("/media/", ""))).toBeNull();
  });
});
