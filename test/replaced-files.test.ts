import { env } from "cloudflare:workers";
import { eq } from "drizzle-orm";
import { describe, expect, test } from "vitest";
import { createArticle } from "#worker/articles/commands.ts";
import { filePlaces } from "#worker/nouns/list.ts";
import { replaceFile } from "#worker/files/library/commands.ts";
import { files } from "#worker/files/table.ts";
import { fetchSite, ownerContext, SITE } from "./support/client.ts";
import { photographs } from "./support/pictures.ts";
import { uploadFile } from "./support/upload.ts";

const ctx = ownerContext();

const aDocument = (words: string) =>
  uploadFile(ctx, new TextEncoder().encode(`%PDF-1.4\n% ${words}\n%%EOF\n`), {
    name: "media-kit.pdf",
    folder: "uploads",
  });
const aPicture = (name: "camera.jpg" | "camera.png") =>
  uploadFile(ctx, photographs[name].bytes, { name, folder: "articles" });

type Stored = { id: string; url: string };
const replace = (from: Stored, to: Stored) => replaceFile(ctx, from.id, { by: to.id }, filePlaces);

/** As the daily sweep does. */
async function remove({ id, url }: Stored) {
  await ctx.db.delete(files).where(eq(files.id, id));
  await env.MEDIA.delete(url.replace("/media/", ""));
}

async function answerOf(path: string, init?: RequestInit) {
  const response = await fetchSite(path, init);
  await response.body?.cancel();
  const { status, headers } = response;
  return [status, headers.get("Location")?.replace(SITE, "") ?? null, headers.get("Cache-Control")];
}
const leadsTo = ({ url }: Stored) => [302, url, "no-store"];

describe("the address of a document that was replaced in the library", () => {
  test("redirects every request to the newest, immediately and in one step", async () => {
    const [first, second, third] = [await aDocument("one"), await aDocument("two"), await aDocument("three")];
    expect((await answerOf(first.url))[0]).toBe(200);
    await replace(first, second);
    for (const init of [{}, { method: "HEAD" }, { headers: { Range: "bytes=0-9" } }])
      expect(await answerOf(first.url, init)).toEqual(leadsTo(second));
    await replace(second, third);
    expect(await answerOf(first.url)).toEqual(leadsTo(third));
    expect(await answerOf(second.url)).toEqual(leadsTo(third));
    await remove(first);
    expect(await answerOf(first.url)).toEqual(leadsTo(third));
    expect((await answerOf(third.url))[0]).toBe(200);
  });

  test("is served if the owner restores it, or uses it again", async () => {
    const [first, second] = [await aDocument("one"), await aDocument("two")];
    await replace(first, second);
    await replace(second, first);
    expect((await answerOf(first.url))[0]).toBe(200);
    expect(await answerOf(second.url)).toEqual(leadsTo(first));
    await createArticle(ctx, { title: "Names it", content: `[The kit](${second.url})` });
    expect((await answerOf(second.url))[0]).toBe(200);
  });

  test("is missing if the newest is deleted, too", async () => {
    const [first, second] = [await aDocument("one"), await aDocument("two")];
    await replace(first, second);
    await remove(first);
    await remove(second);
    expect((await answerOf(first.url))[0]).toBe(404);
  });
});

test("the address of a replaced picture redirects to the newest once its file is deleted, and so do those of its copies", async () => {
  const [first, second] = [await aPicture("camera.jpg"), await aPicture("camera.png")];
  await replace(first, second);
  expect((await answerOf(first.url))[0]).toBe(200);
  await remove(first);
  expect(await answerOf(first.url)).toEqual(leadsTo(second));
  expect(await answerOf(first.url.replace(/\/([^/]+)\.jpg$/, "/320/$1.webp"))).toEqual(leadsTo(second));
});
