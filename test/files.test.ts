import { env } from "cloudflare:workers";
import { eq } from "drizzle-orm";
import { beforeAll, describe, expect, test } from "vitest";
import type { FileFolder, StoredFile, Upload } from "#worker/files/contract.ts";
import { findStoredFiles, requireStoredFile } from "#worker/files/stored.ts";
import { fileParts, files } from "#worker/files/table.ts";
import { completeUpload, deleteFile, createUpload, uploadPart } from "#worker/files/commands.ts";
import { openObject } from "#worker/files/open.ts";
import { readUpload, requireFile } from "#worker/files/queries.ts";
import { fileId } from "#worker/platform/contract.ts";
import type { ErrorBody } from "#worker/platform/errors.ts";
import { fetchSite, jobContext, ownerContext, signedIn, SITE } from "./support/client.ts";
import { id3, join, makeMp3, makePng } from "./support/mp3.ts";
import { bodyOf, partOf, uploadFile } from "./support/upload.ts";
import { MB, references, use, noise, text, rowOf, mp3OfSize } from "./support/files.ts";

beforeAll(() => env.DB.exec("create table test_users_of_files (a text, i text)"));

const sha256 = async (bytes: Uint8Array<ArrayBuffer>) =>
  new Uint8Array(await crypto.subtle.digest("SHA-256", bytes)).toHex();

const error = async (response: Response) => ((await response.json()) as ErrorBody).error;

/** The files API as one user's browser calls it. */
async function browser(role?: Parameters<typeof signedIn>[0]) {
  const { cookie } = await signedIn(role);
  const call = (method: string, path: string, body?: BodyInit, type?: string) =>
    fetchSite(`/api/admin/files${path}`, {
      method,
      body,
      headers: { cookie, Origin: SITE, ...(type ? { "Content-Type": type } : {}) },
    });
  return {
    cookie,
    start: (file: object) => call("POST", "", JSON.stringify(file), "application/json"),
    read: (id: string) => call("GET", `/${id}`),
    put: (id: string, number: number, bytes: BodyInit) =>
      call("PUT", `/${id}/parts/${number}`, bytes, "application/octet-stream"),
    complete: (id: string) => call("POST", `/${id}/complete`),
    remove: (id: string) => call("DELETE", `/${id}`),
  };
}

async function startOf(size: number, file: Partial<{ name: string; type: string; folder: FileFolder }> = {}) {
  const editor = await browser("editor");
  const response = await editor.start({
    name: "a.mp3",
    type: "audio/mpeg",
    folder: "podcast-audio",
    size,
    ...file,
  });
  return { editor, response, upload: (await response.clone().json()) as Upload };
}

describe("permission to upload", () => {
  test("a visitor must sign in, on every route", async () => {
    const visitor = await browser();
    const id = crypto.randomUUID();
    const file = { name: "a.mp3", type: "audio/mpeg", size: 10, folder: "podcast-audio" };
    const answers = [
      visitor.start(file),
      visitor.read(id),
      visitor.put(id, 1, "x"),
      visitor.complete(id),
      visitor.remove(id),
    ];
    expect((await Promise.all(answers)).map(({ status }) => status)).toEqual([401, 401, 401, 401, 401]);
  });

  test("the role user is forbidden", async () => {
    const user = await browser("user");
    const response = await user.start({
      name: "a.mp3",
      type: "audio/mpeg",
      size: 10,
      folder: "podcast-audio",
    });
    expect(response.status).toBe(403);
  });
});

describe("starting an upload", () => {
  test("an editor gets an id and a part size", async () => {
    const { response, upload } = await startOf(20 * MB);
    expect(response.status).toBe(201);
    expect(upload).toMatchObject({
      name: "a.mp3",
      partSize: 8 * MB,
      parts: 3,
      received: 0,
      status: "uploading",
    });
  });

  test.each([
    ["podcast-audio", 501 * MB, "audio/mpeg", "File size must be less than 500MB"],
    ["podcast-audio", 500 * MB, "audio/mpeg", "File size must be less than 500MB"],
    ["podcast-images", 11 * MB, "image/png", "File size must be less than 10MB"],
    ["uploads", 51 * MB, "application/pdf", "File size must be less than 50MB"],
  ] as const)("%s refuses more than %i bytes", async (folder, size, type, message) => {
    const { response } = await startOf(size, { folder, type });
    expect(response.status).toBe(413);
    expect(await error(response)).toEqual({ code: "too_large", message, field: "file" });
  });

  test("one byte below the limit is accepted", async () => {
    expect((await startOf(500 * MB - 1)).response.status).toBe(201);
  });

  test.each([
    ["podcast-audio", "text/plain"],
    ["podcast-audio", "image/png"],
    ["articles", "audio/mpeg"],
    ["articles", "image/svg+xml"],
    ["uploads", "text/html"],
    ["uploads", "text/javascript"],
    ["uploads", "application/xml"],
  ] as const)("%s refuses the claimed type %s", async (folder, type) => {
    const { response } = await startOf(1000, { folder, type });
    expect(response.status).toBe(415);
    expect(await error(response)).toMatchObject({ message: "Invalid file type", field: "file" });
  });

  test.each(["", "application/octet-stream"])(
    "a browser that does not know the type (%j) may start",
    async (type) => {
      expect((await startOf(1000, { type })).response.status).toBe(201);
    },
  );

  test("an empty file, a missing name and an unknown folder are invalid", async () => {
    const { response: empty } = await startOf(0);
    const { response: nameless } = await startOf(10, { name: " " });
    const { response: elsewhere } = await startOf(10, { folder: "etc" as "uploads" });
    expect([empty.status, nameless.status, elsewhere.status]).toEqual([422, 422, 422]);
  });
});

describe("the bytes decide the type", () => {
  const invalid = { code: "unsupported_type", message: "Invalid file type" };

  test("a text named .mp3 is refused at its first part and nothing of it is stored", async () => {
    const words = text("This is only a text, whatever its name says.");
    const { editor, upload } = await startOf(words.length, { name: "episode.mp3" });
    const response = await editor.put(upload.id, 1, words);
    expect(response.status).toBe(415);
    expect(await error(response)).toMatchObject(invalid);
    expect((await editor.read(upload.id)).status).toBe(404);
    const left = await env.MEDIA.list({ prefix: `podcast-audio/${upload.id}` });
    expect(left.objects).toEqual([]);
  });

  test.each([
    ["a page", "<!doctype html><title>x</title><script>alert(1)</script>"],
    ["an SVG", '<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>'],
    ["XML", '<?xml version="1.0"?><a/>'],
    ["a program", "MZ\u0000\u0001\u0002"],
    ["bytes that are nothing", "\u0000\u0001\u0002\u0003"],
  ])("%s is refused even in folders for any type", async (_what, words) => {
    const ctx = ownerContext();
    const upload = uploadFile(ctx, text(words), { name: "notes.txt", folder: "uploads" });
    await expect(upload).rejects.toMatchObject(invalid);
  });

  test("text is stored as plain text, and a picture with its true extension", async () => {
    const ctx = ownerContext();
    const notes = await uploadFile(ctx, text("Grüße"), { name: "notes.js", folder: "uploads" });
    expect(notes).toMatchObject({ name: "notes.txt", type: "text/plain" });
    const picture = await uploadFile(ctx, makePng(3, 2), { name: "photo.jpeg", folder: "articles" });
    expect(picture).toMatchObject({ name: "photo.png", type: "image/png" });
    expect(picture.url).toMatch(/\/photo\.png$/);
  });

  test("of two first parts at the same moment, one whose bytes are of another type is refused", async () => {
    const ctx = ownerContext();
    const pdf = text("%PDF-1.4 and more");
    const { id } = await createUpload(ctx, { name: "a", size: pdf.length, folder: "uploads" });
    const { file: asRead } = await requireFile(ctx, id);
    await uploadPart(ctx, { id, number: 1, body: bodyOf(pdf) });
    await expect(openObject(ctx, asRead, text("words, not a PDF"))).rejects.toMatchObject({
      code: "conflict",
    });
    await expect(openObject(ctx, asRead, pdf)).resolves.toMatchObject({ type: "application/pdf" });
  });

  test("a key is ASCII, and two uploads with the same name have different keys", async () => {
    const ctx = ownerContext();
    const name = "Über “Ärzte” – Folge 1.PNG";
    const first = await uploadFile(ctx, makePng(1, 1), { name, folder: "articles" });
    const second = await uploadFile(ctx, makePng(1, 1), { name, folder: "articles" });
    expect(first.url).toMatch(/^\/media\/articles\/[0-9a-f-]{36}\/uber-arzte-folge-1\.png$/);
    expect(second.url).not.toBe(first.url);
    expect(first.name).toBe(name);
  });

  test("an upload's id, which its address has, is 128 random bits", async () => {
    const file = { name: "a.mp3", type: "audio/mpeg", size: 10, folder: "podcast-audio" as const };
    const ids = await Promise.all(
      Array.from({ length: 32 }, async () => (await createUpload(ownerContext(), file)).id),
    );
    const digitsAt = (at: number) => new Set(ids.map((id) => id[at]));
    // A UUID has its version in the first of these digits, and its variant in the second.
    for (const at of [14, 19]) expect(digitsAt(at).size).toBeGreaterThan(4);
    for (const id of ids) expect(fileId.safeParse(id).success).toBe(true);
  });
});

describe("parts of an upload", () => {
  test("a part out of order is refused, and the message names the expected one", async () => {
    const { editor, upload } = await startOf(20 * MB);
    const response = await editor.put(upload.id, 2, noise(8 * MB));
    expect(response.status).toBe(409);
    expect(await error(response)).toMatchObject({ code: "conflict", message: "Part 1 is expected next." });
  });

  test("a part too small or too large is refused and stores nothing", async () => {
    const bytes = mp3OfSize(1 * MB);
    const { editor, upload } = await startOf(bytes.length);
    const small = await editor.put(upload.id, 1, bytes.slice(1));
    const large = await editor.put(upload.id, 1, join([bytes, noise(1)]));
    expect([small.status, large.status]).toEqual([422, 413]);
    expect((await error(small)).message).toBe("Part 1 must have 1048576 bytes; 1048575 arrived.");
    expect((await error(large)).message).toBe("Part 1 must have 1048576 bytes; more arrived.");
    expect(await (await editor.read(upload.id)).json()).toMatchObject({ received: 0 });
  });

  test("an interrupted part stores nothing", async () => {
    const ctx = ownerContext();
    const upload = await createUpload(ctx, { name: "a.mp3", type: "", folder: "podcast-audio", size: 1000 });
    const body = new ReadableStream<Uint8Array>({
      type: "bytes",
      pull(controller) {
        controller.enqueue(new Uint8Array(10));
        controller.error(new Error("Network connection lost."));
      },
    });
    await expect(uploadPart(ctx, { id: upload.id, number: 1, body })).rejects.toMatchObject({
      code: "bad_request",
    });
    expect(await readUpload(ctx, upload.id)).toMatchObject({ received: 0 });
  });

  test("a later part that is too small, too large or interrupted stores nothing, and is sent again", async () => {
    const bytes = mp3OfSize(9 * MB);
    const { editor, upload } = await startOf(bytes.length);
    await editor.put(upload.id, 1, partOf(bytes, upload, 1));
    const last = partOf(bytes, upload, 2);
    const small = await editor.put(upload.id, 2, last.slice(1));
    const large = await editor.put(upload.id, 2, join([last, noise(1)]));
    expect([small.status, large.status]).toEqual([422, 413]);
    expect((await error(small)).message).toBe("Part 2 must have 1048576 bytes; 1048575 arrived.");
    expect((await error(large)).message).toBe("Part 2 must have 1048576 bytes; more arrived.");
    let sent = 0;
    const broken = new ReadableStream<Uint8Array>({
      type: "bytes",
      pull(controller) {
        if (++sent > 20) controller.error(new Error("Network connection lost."));
        else controller.enqueue(last.slice((sent - 1) * 30_000, sent * 30_000));
      },
    });
    const interrupted = uploadPart(ownerContext(), { id: upload.id, number: 2, body: broken });
    await expect(interrupted).rejects.toMatchObject({ code: "bad_request" });
    expect(await (await editor.read(upload.id)).json()).toMatchObject({ received: 1 });
    expect((await editor.put(upload.id, 2, last)).status).toBe(200);
    const { url } = (await (await editor.complete(upload.id)).json()) as { url: string };
    const stored = new Uint8Array(await (await fetchSite(url)).arrayBuffer());
    expect(stored.length).toBe(bytes.length);
    expect(stored.every((byte, at) => byte === bytes[at])).toBe(true);
  });

  test.each([0, 1, 20])(
    "a part that R2 refuses after %i reads is answered, and stored when it is sent again",
    async (reads) => {
      const bytes = mp3OfSize(9 * MB);
      const { editor, upload } = await startOf(bytes.length);
      await editor.put(upload.id, 1, partOf(bytes, upload, 1));
      const refuses = {
        async uploadPart(_number: number, body: ReadableStream<Uint8Array>) {
          const reader = body.getReader();
          for (let read = 0; read < reads; read++) await reader.read();
          throw new Error("R2 is busy");
        },
      };
      const media = { resumeMultipartUpload: () => refuses } as unknown as R2Bucket;
      const last = partOf(bytes, upload, 2);
      const refused = uploadPart(
        { ...ownerContext(), media },
        { id: upload.id, number: 2, body: bodyOf(last) },
      );
      await expect(refused).rejects.toThrow("R2 is busy");
      expect(await (await editor.read(upload.id)).json()).toMatchObject({ received: 1 });
      expect((await editor.put(upload.id, 2, last)).status).toBe(200);
    },
  );

  test("a part after the last is refused", async () => {
    const { editor, upload } = await startOf(1000);
    expect((await editor.put(upload.id, 2, noise(1))).status).toBe(422);
    expect((await editor.put(upload.id, 0, noise(1))).status).toBe(422);
  });

  test("a part sent again after a lost response changes nothing", async () => {
    const bytes = mp3OfSize(9 * MB);
    const { editor, upload } = await startOf(bytes.length);
    const answers = [
      await editor.put(upload.id, 1, partOf(bytes, upload, 1)),
      await editor.put(upload.id, 1, partOf(bytes, upload, 1)),
      await editor.put(upload.id, 2, partOf(bytes, upload, 2)),
      await editor.put(upload.id, 2, partOf(bytes, upload, 2)),
    ];
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200]);
    expect((await editor.complete(upload.id)).status).toBe(200);
  });

  test("an expired session during an upload loses nothing", async () => {
    const bytes = mp3OfSize(9 * MB);
    const { editor, upload } = await startOf(bytes.length);
    await editor.put(upload.id, 1, partOf(bytes, upload, 1));
    const closed = await fetchSite("/api/admin/session", {
      method: "DELETE",
      headers: { cookie: editor.cookie, Origin: SITE },
    });
    expect(closed.ok).toBe(true);
    expect((await editor.put(upload.id, 2, partOf(bytes, upload, 2))).status).toBe(401);
    expect((await editor.complete(upload.id)).status).toBe(401);

    const again = await browser("editor");
    expect(await (await again.read(upload.id)).json()).toMatchObject({ received: 1, parts: 2 });
    expect((await again.put(upload.id, 2, partOf(bytes, upload, 2))).status).toBe(200);
    const stored = (await (await again.complete(upload.id)).json()) as StoredFile;
    const served = await fetchSite(stored.url);
    expect(await sha256(new Uint8Array(await served.arrayBuffer()))).toBe(await sha256(bytes));
  });
});

describe("completing an upload", () => {
  test("a missing part is named", async () => {
    const bytes = mp3OfSize(9 * MB);
    const { editor, upload } = await startOf(bytes.length);
    await editor.put(upload.id, 1, partOf(bytes, upload, 1));
    const response = await editor.complete(upload.id);
    expect(response.status).toBe(409);
    expect((await error(response)).message).toBe("Part 2 is missing.");
  });

  test("twice returns the same file", async () => {
    const ctx = ownerContext();
    const first = await uploadFile(ctx, makeMp3({ seconds: 2 }), { name: "a.mp3", folder: "podcast-audio" });
    expect(await completeUpload(ctx, first.id)).toEqual(first);
  });

  test("twice concurrently returns the same file, with one picture", async () => {
    const ctx = ownerContext();
    const bytes = makeMp3({ seconds: 2, tag: { picture: { type: "image/png", bytes: makePng(10, 10) } } });
    const upload = await createUpload(ctx, {
      name: "a.mp3",
      type: "",
      folder: "podcast-audio",
      size: bytes.length,
    });
    await uploadPart(ctx, { id: upload.id, number: 1, body: bodyOf(bytes) });
    const [first, second] = await Promise.all([
      completeUpload(ctx, upload.id),
      completeUpload(ctx, upload.id),
    ]);
    expect(second).toEqual(first);
    expect(first.artwork).not.toBeNull();
    expect(await ctx.db.select().from(fileParts).where(eq(fileParts.fileId, upload.id))).toEqual([]);
  });

  test("continues after a request that crashed between R2 and D1", async () => {
    const ctx = ownerContext();
    const bytes = makeMp3({ seconds: 2 });
    const upload = await createUpload(ctx, {
      name: "a.mp3",
      type: "",
      folder: "podcast-audio",
      size: bytes.length,
    });
    await uploadPart(ctx, { id: upload.id, number: 1, body: bodyOf(bytes) });
    const row = await rowOf(ctx, upload.id);
    const parts = await ctx.db.select().from(fileParts).where(eq(fileParts.fileId, upload.id));
    await env.MEDIA.resumeMultipartUpload(row!.key, row!.uploadId!).complete(
      parts.map(({ number, etag }) => ({ partNumber: number, etag })),
    );
    expect(await completeUpload(ctx, upload.id)).toMatchObject({ id: upload.id, size: bytes.length });
  });

  test("a file with an audio tag but no audio is refused and deleted", async () => {
    const ctx = ownerContext();
    const bytes = join([id3({ title: "Nothing" }), new Uint8Array(5000)]);
    const upload = await createUpload(ctx, {
      name: "a.mp3",
      type: "",
      folder: "podcast-audio",
      size: bytes.length,
    });
    const stored = uploadPart(ctx, { id: upload.id, number: 1, body: bodyOf(bytes) });
    await expect(stored).rejects.toMatchObject({ code: "unsupported_type" });
    expect(await rowOf(ctx, upload.id)).toBeUndefined();
  });

  // The first bytes are those of MPEG layer 2 and a WAV; no audio follows.
  test.each<[string, number[]]>([
    ["fake.mp3", [0xff, 0xfd, 0x90, 0x00]],
    ["Folge 1 (final).m4a", [...text("RIFF\0\0\0\0WAVE")]],
  ])("a refusal calls the file %s as the owner does", async (name, beginning) => {
    // Random bytes could look like a frame of audio.
    const bytes = join([new Uint8Array(beginning), new Uint8Array(4000).fill(0x55)]);
    const upload = uploadFile(ownerContext(), bytes, { name, folder: "podcast-audio" });
    await expect(upload).rejects.toMatchObject({
      message: `“${name}” can’t be read as audio. Export it again and retry.`,
    });
  });

  test("audio that cannot be read is refused with a message and deleted", async () => {
    const ctx = ownerContext();
    // The tag fills the first part, so that only completion can detect the missing audio.
    const bytes = join([id3({ picture: { type: "image/png", bytes: noise(8 * MB) } }), new Uint8Array(MB)]);
    const upload = uploadFile(ctx, bytes, { name: "broken.mp3", folder: "podcast-audio" });
    await expect(upload).rejects.toMatchObject({
      code: "invalid",
      message: "“broken.mp3” can’t be read as audio. Export it again and retry.",
      field: "file",
    });
    expect(await ctx.db.select().from(files).where(eq(files.name, "broken.mp3"))).toEqual([]);
    const { objects } = await env.MEDIA.list({ prefix: "podcast-audio/" });
    expect(objects.filter(({ key }) => key.endsWith("/broken.mp3"))).toEqual([]);
  });
});

describe("a file id in a form", () => {
  test("must belong to a complete file of the right type", async () => {
    const ctx = ownerContext();
    const picture = await uploadFile(ctx, makePng(1, 1), { name: "a.png", folder: "articles" });
    const unfinished = await createUpload(ctx, {
      name: "a.mp3",
      type: "",
      folder: "podcast-audio",
      size: 10,
    });
    expect(await requireStoredFile(ctx, picture.id, "image", "imageFileId")).toEqual(picture);
    const again = { code: "invalid", message: "Upload the file again.", field: "audioFileId" };
    await expect(requireStoredFile(ctx, unfinished.id, "audio", "audioFileId")).rejects.toMatchObject(again);
    await expect(requireStoredFile(ctx, crypto.randomUUID(), "audio", "audioFileId")).rejects.toMatchObject(
      again,
    );
    await expect(requireStoredFile(ctx, picture.id, "audio", "audioFileId")).rejects.toMatchObject({
      message: "Choose an audio file.",
      field: "audioFileId",
    });
  });

  test("more than a hundred files are found in one call", async () => {
    const ctx = ownerContext();
    const { id } = await uploadFile(ctx, makePng(1, 1), { name: "a.png", folder: "articles" });
    const ids = [...Array.from({ length: 150 }, () => crypto.randomUUID()), id];
    expect([...(await findStoredFiles(ctx, ids)).keys()]).toEqual([id]);
  });
});

describe("deleting a file", () => {
  test("a cancelled upload leaves nothing", async () => {
    const bytes = mp3OfSize(9 * MB);
    const { editor, upload } = await startOf(bytes.length);
    await editor.put(upload.id, 1, partOf(bytes, upload, 1));
    const row = (await rowOf(jobContext(), upload.id))!;
    expect((await editor.remove(upload.id)).status).toBe(204);
    expect((await editor.read(upload.id)).status).toBe(404);
    const part = env.MEDIA.resumeMultipartUpload(row.key, row.uploadId!).uploadPart(2, "late");
    await expect(part).rejects.toThrow("does not exist");
  });

  test("a file in use is not deleted, an unused one is deleted, and its address is not found", async () => {
    const ctx = ownerContext();
    const used = await uploadFile(ctx, makeMp3({ seconds: 1 }), { name: "a.mp3", folder: "podcast-audio" });
    const free = await uploadFile(ctx, makeMp3({ seconds: 1 }), { name: "a.mp3", folder: "podcast-audio" });
    await use(ctx, { audioFileId: used.id });
    await expect(deleteFile(ctx, used.id, references)).rejects.toMatchObject({
      message: "This file is in use.",
    });
    await deleteFile(ctx, free.id, references);
    expect((await fetchSite(used.url)).status).toBe(200);
    expect((await fetchSite(free.url)).status).toBe(404);
  });
});
