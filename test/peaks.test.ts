import { eq } from "drizzle-orm";
import { expect, test } from "vitest";
import { fileReferences } from "#worker/nouns/list.ts";
import { createUpload, deleteFile, storePeaks } from "#worker/files/commands.ts";
import { MAX_PEAKS } from "#worker/files/contract.ts";
import { MAX_CURVE, type Loudness } from "#worker/files/loudness/contract.ts";
import { readPeaks } from "#worker/files/queries.ts";
import { filePeaks } from "#worker/files/table.ts";
import { fetchSite, ownerContext, signedIn, SITE } from "./support/client.ts";
import { makeMp3, makePng } from "./support/mp3.ts";
import { uploadFile } from "./support/upload.ts";

const ctx = ownerContext();
const loudness: Loudness = {
  integrated: -16.2,
  range: 4.5,
  truePeak: -1.4,
  channels: 2,
  missing: [],
  clipped: 0,
  firstClip: null,
  silences: [{ start: 3, end: 9.5 }],
  curve: "AAAA",
};

const base64 = (...bytes: number[]) => new Uint8Array(bytes).toBase64();

const anAudioFile = () =>
  uploadFile(ctx, makeMp3({ seconds: 2 }), { name: "a.mp3", folder: "podcast-audio" });

test("a file has no peaks until a browser sends them", async () => {
  const { id } = await anAudioFile();
  expect(await readPeaks(ctx, id)).toBeNull();
  const peaks = base64(0, 128, 255);
  expect(await storePeaks(ctx, id, { peaks, loudness })).toEqual({ peaks, loudness });
  expect(await readPeaks(ctx, id)).toEqual({ peaks, loudness });
});

test("a file that was measured without its loudness gets it later, once, and keeps its peaks", async () => {
  const { id } = await anAudioFile();
  const peaks = base64(1, 2, 3);
  expect(await storePeaks(ctx, id, { peaks })).toEqual({ peaks, loudness: null });
  const others = base64(4, 5, 6);
  expect(await storePeaks(ctx, id, { peaks: others, loudness })).toEqual({ peaks, loudness });
  const louder = { ...loudness, integrated: -10 };
  expect(await storePeaks(ctx, id, { peaks: others, loudness: louder })).toEqual({ peaks, loudness });
});

test("the first peaks are kept, also of concurrent requests", async () => {
  const { id } = await anAudioFile();
  const sent = Array.from({ length: 30 }, (_, at) => ({ peaks: base64(at, at, at) }));
  const stored = await Promise.all(sent.map((peaks) => storePeaks(ctx, id, peaks)));
  expect(new Set(stored.map(({ peaks }) => peaks)).size).toBe(1);
  expect(await readPeaks(ctx, id)).toEqual(stored[0]);
});

test("an hour of peaks fits", async () => {
  const { id } = await anAudioFile();
  const peaks = new Uint8Array(MAX_PEAKS).fill(200).toBase64();
  const curve = new Uint8Array(MAX_CURVE).fill(200).toBase64();
  const measured = { peaks, loudness: { ...loudness, curve } };
  expect(await storePeaks(ctx, id, measured)).toEqual(measured);
});

test("a picture, an unfinished upload and an unknown file have none", async () => {
  const peaks = { peaks: base64(1, 2, 3) };
  const png = makePng(10, 10);
  const picture = await uploadFile(ctx, png, { name: "a.png", folder: "podcast-images" });
  const upload = await createUpload(ctx, {
    name: "a.mp3",
    type: "audio/mpeg",
    size: 1000,
    folder: "podcast-audio",
  });
  for (const id of [picture.id, upload.id, "none"]) {
    await expect(storePeaks(ctx, id, peaks)).rejects.toMatchObject({ code: "not_found" });
  }
  await expect(readPeaks(ctx, "none")).rejects.toMatchObject({ code: "not_found" });
});

test("the peaks and the loudness are deleted with their file", async () => {
  const { id } = await anAudioFile();
  await storePeaks(ctx, id, { peaks: base64(1, 2, 3), loudness });
  await deleteFile(ctx, id, fileReferences);
  expect(await ctx.db.select().from(filePeaks).where(eq(filePeaks.id, id))).toEqual([]);
});

test("the API stores them for an editor, and refuses invalid peaks", async () => {
  const { id } = await anAudioFile();
  const { cookie } = await signedIn("editor");
  const call = (method: string, body?: unknown) =>
    fetchSite(`/api/admin/files/${id}/peaks`, {
      method,
      body: body === undefined ? undefined : JSON.stringify(body),
      headers: { cookie, Origin: SITE, "Content-Type": "application/json" },
    });
  const peaks = base64(1, 2, 3);
  for (const bad of [
    {},
    { peaks: 7 },
    { peaks: "%%%%" },
    { peaks, more: 1 },
    { peaks, loudness: {} },
    { peaks, loudness: { ...loudness, integrated: "loud" } },
    { peaks, loudness: { ...loudness, curve: "%%%%" } },
    { peaks, loudness: { ...loudness, missing: [-1] } },
  ]) {
    expect((await call("PUT", bad)).status).toBe(422);
  }
  expect(await (await call("GET")).json()).toBeNull();
  expect((await call("PUT", { peaks: base64(9, 9, 9), loudness })).status).toBe(200);
  expect(await (await call("GET")).json()).toEqual({ peaks: base64(9, 9, 9), loudness });
});
