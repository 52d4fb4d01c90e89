import { env } from "cloudflare:workers";
import { beforeAll, describe, expect, it } from "vitest";
import type { FilesParts } from "#worker/exports/files.ts";
import { deleteFile } from "#worker/files/commands.ts";
import { hashFiles, hasUnhashedFiles } from "#worker/files/hashes.ts";
import { openFilesArchive } from "../src/admin/restore/archive.ts";
import { fileReferences } from "#worker/nouns/list.ts";
import { fetchSite, jobContext, ownerContext, signedIn } from "./support/client.ts";
import { storedAudio, storedImage } from "./support/factories.ts";
import { zipOf } from "./support/exports.ts";

describe("the export of files", () => {
  let cookie: string;
  let whole: Uint8Array<ArrayBuffer>;
  let etag: string;
  const listParts = async () =>
    (await (await fetchSite("/api/admin/export/files", { headers: { cookie } })).json()) as FilesParts;
  type Asked = { number?: number; list?: Pick<FilesParts, "set" | "permit"> };
  const part = async (headers: Record<string, string> = {}, { number = 1, list }: Asked = {}) => {
    const { set, permit } = list ?? (await listParts());
    return fetchSite(`/api/admin/export/files/${number}?${new URLSearchParams({ set, permit })}`, {
      headers: { cookie, ...headers },
    });
  };
  const bytesOf = async (answer: Response) => new Uint8Array(await answer.arrayBuffer());

  beforeAll(async () => {
    ({ cookie } = await signedIn("admin"));
    await storedImage();
    await storedAudio({ bytes: new Uint8Array(300_000).fill(9) });
    const answer = await part();
    etag = answer.headers.get("ETag")!;
    whole = await bytesOf(answer);
  });

  it("lists the parts with their size", async () => {
    expect(await listParts()).toEqual({
      set: expect.stringMatching(/^[0-9a-f]{32}$/),
      permit: expect.any(String),
      items: [{ number: 1, files: 2, bytes: whole.length }],
      unread: [],
    });
  });

  // R2 refuses a stream of unknown length, which workerd sends over HTTP without a Content-Length.
  it("states the length of a part and of a range", async () => {
    const stored = await env.MEDIA.put("test/part.zip", (await part()).body!);
    const range = await env.MEDIA.put("test/part.zip", (await part({ Range: "bytes=0-99999" })).body!);
    await env.MEDIA.delete("test/part.zip");
    expect([stored?.size, range?.size]).toEqual([whole.length, 100_000]);
  });

  it("has each file of the bucket with its hash", async () => {
    const archive = await openFilesArchive(new Blob([whole]));
    expect(archive.manifest.objects).toHaveLength(2);
    for (const object of archive.manifest.objects) {
      const stored = await (await env.MEDIA.get(object.key))!.bytes();
      expect(await bytesOf(new Response(await archive.read(object)))).toEqual(stored);
    }
  });

  it("lacks an object whose file is in the bin", async () => {
    const { id, key } = await storedAudio();
    await deleteFile(ownerContext(), id, fileReferences);
    const { manifest } = await openFilesArchive(new Blob([await bytesOf(await part())]));
    expect(await env.MEDIA.head(key)).not.toBeNull();
    expect(manifest.objects.map((object) => object.key)).not.toContain(key);
  });

  it("is the same zip at every request, also in ranges", async () => {
    expect(await bytesOf(await part())).toEqual(whole);
    const answer = await part({ Range: "bytes=1000-", "If-Range": etag });
    expect(answer.status).toBe(206);
    expect(answer.headers.get("Content-Range")).toBe(`bytes 1000-${whole.length - 1}/${whole.length}`);
    expect(await bytesOf(answer)).toEqual(whole.slice(1000));
  });

  it("begins again if the files have changed, and refuses a range beyond the end", async () => {
    expect((await part({ Range: "bytes=1000-", "If-Range": '"another"' })).status).toBe(200);
    expect((await part({ Range: `bytes=${whole.length}-` })).status).toBe(416);
    expect((await part({}, { number: 2 })).status).toBe(404);
    expect((await part({}, { list: { set: "1", permit: "1" } })).status).toBe(422);
  });

  it("refuses a part of a list if a file was added or deleted since", async () => {
    const list = await listParts();
    const { id } = await storedAudio();
    const answer = await part({}, { list });
    expect([answer.status, await answer.json()]).toEqual([
      409,
      { error: expect.objectContaining({ message: "The files have changed. List them again." }) },
    ]);
    await deleteFile(ownerContext(), id, fileReferences);
    expect((await part({}, { list })).status).toBe(200);
  });

  it("refuses a part without the list of the same session, whatever its proof", async () => {
    const { set } = await listParts();
    const other = await signedIn("admin");
    const foreign = await fetchSite("/api/admin/export/files", { headers: { cookie: other.cookie } });
    const { permit } = (await foreign.json()) as FilesParts;
    for (const given of ["none", permit])
      expect((await part({}, { list: { set, permit: given } })).status).toBe(409);
  });

  it("is logged once if the request of a part is repeated", async () => {
    const count = () =>
      env.DB.prepare("select count(*) as count from security_events where kind = 'site_exported'").first(
        "count",
      );
    await env.DB.prepare("delete from security_events").run();
    await (await part()).body!.cancel();
    await (await part()).body!.cancel();
    expect(await count()).toBe(1);
    await env.DB.prepare("update security_events set at = at - 60000").run();
    await (await part()).body!.cancel();
    expect(await count()).toBe(2);
  });

  it("is logged and mailed about once also if its first bytes are left out, and not again where it continues", async () => {
    const logged = () =>
      env.DB.prepare("select detail from security_events where kind = 'site_exported'").raw<[string]>();
    const mails = () =>
      env.DB.prepare("select count(*) as count from outbox where topic = 'mail'").first("count");
    await env.DB.prepare("delete from security_events").run();
    await env.DB.prepare("delete from outbox").run();
    const rest = { Range: "bytes=1-" };
    expect((await bytesOf(await part(rest))).length).toBe(whole.length - 1);
    expect(await logged()).toEqual([["Files, part 1"]]);
    expect(await mails()).toBe(1);
    await env.DB.prepare("update security_events set at = at - 120000").run();
    await (await part({ Range: "bytes=1000-" })).body!.cancel();
    expect(await logged()).toHaveLength(1);
  });

  it("is refused if a byte has changed, half of it is missing, or it has another file", async () => {
    const changed = whole.slice();
    changed[whole.length - 30_000] = 1;
    const damaged = await openFilesArchive(new Blob([changed]))
      .then(
        async ({ manifest, read }) => {
          for (const object of manifest.objects) await read(object);
        },
        (error: unknown) => Promise.reject(error),
      )
      .catch((error: unknown) => String(error));
    expect(damaged).toMatch(/can’t be read|changed or damaged/);
    await expect(openFilesArchive(new Blob([whole.slice(0, 100_000)]))).rejects.toThrow(/isn’t a whole zip/);
    const list = JSON.stringify({
      format: "rostrum-files",
      version: 1,
      site: "http://a.example",
      part: 1,
      of: 1,
      objects: [],
    });
    await expect(openFilesArchive(await zipOf({ "files.json": list, "files/a": "b" }))).rejects.toThrow(
      /its list doesn’t name: “files\/a”/,
    );
  });

  it("finds hashes that the minute’s tick has stored", async () => {
    await env.DB.prepare("delete from object_hashes").run();
    const later = jobContext({ now: new Date(Date.now() + 86_400_000) });
    expect(await hasUnhashedFiles(later)).toBe(true);
    expect(await hashFiles(later)).toBe(true);
    expect(await hasUnhashedFiles(later)).toBe(false);
    expect(await hashFiles(later)).toBe(false);
  });
});
