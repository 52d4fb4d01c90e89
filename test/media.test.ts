import { env } from "cloudflare:workers";
import { beforeAll, describe, expect, test } from "vitest";
import type { StoredFile } from "#worker/files/contract.ts";
import { media } from "#worker/files/media.ts";
import { router } from "#worker/platform/http/router.ts";
import { fetchSite, ownerContext, visitorContext } from "./support/client.ts";
import { storedAudio } from "./support/factories.ts";
import { makeMp3, makePng } from "./support/mp3.ts";
import { uploadFile } from "./support/upload.ts";

const sha256 = async (bytes: Uint8Array<ArrayBuffer>) =>
  new Uint8Array(await crypto.subtle.digest("SHA-256", bytes)).toHex();
const bytesOf = async (response: Response) => new Uint8Array(await response.arrayBuffer());

let bytes: Uint8Array<ArrayBuffer>;
let file: StoredFile;
let etag: string;
let modified: string;

const get = (headers: HeadersInit = {}, method = "GET") => fetchSite(file.url, { headers, method });

beforeAll(async () => {
  // Twelve megabytes, in two parts.
  bytes = makeMp3({ seconds: 300, bitrate: () => 320 });
  file = await uploadFile(ownerContext(), bytes, { name: "Gespräch “eins”.mp3", folder: "podcast-audio" });
  const { headers } = await get({}, "HEAD");
  etag = headers.get("ETag")!;
  modified = headers.get("Last-Modified")!;
});

describe("a whole file", () => {
  test("twelve megabytes in two parts are served byte for byte", async () => {
    expect(bytes.length).toBeGreaterThan(11 * 1024 * 1024);
    const response = await get();
    expect(response.status).toBe(200);
    expect(await sha256(await bytesOf(response))).toBe(await sha256(bytes));
  });

  test("has its type, its length, Accept-Ranges and an immutable lifetime", async () => {
    const response = await get();
    await bytesOf(response);
    expect(Object.fromEntries(response.headers)).toMatchObject({
      "content-type": "audio/mpeg",
      "content-length": String(bytes.length),
      "accept-ranges": "bytes",
      "cache-control": "public, max-age=31536000, immutable",
      "content-security-policy":
        "default-src 'none'; media-src 'self'; style-src 'unsafe-inline'; img-src data:",
      "cross-origin-resource-policy": "cross-origin",
      "x-content-type-options": "nosniff",
    });
    expect(etag).toMatch(/^"[^"]+"$/);
    expect(Date.parse(modified)).not.toBeNaN();
  });

  test("HEAD has the headers of GET and no body", async () => {
    const [head, whole] = await Promise.all([get({}, "HEAD"), get()]);
    await bytesOf(whole);
    expect(head.status).toBe(200);
    expect((await bytesOf(head)).length).toBe(0);
    // How long D1 took differs.
    const headersOf = ({ headers }: Response) => ({ ...Object.fromEntries(headers), "server-timing": "" });
    expect(headersOf(head)).toEqual(headersOf(whole));
  });

  test("HEAD ignores a range, as RFC 9110 says", async () => {
    const response = await get({ Range: "bytes=0-1" }, "HEAD");
    expect(response.status).toBe(200);
    expect(response.headers.get("Content-Length")).toBe(String(bytes.length));
  });

  test("its name is safe in a header and whole for those who understand", async () => {
    const shown = (await get({}, "HEAD")).headers.get("Content-Disposition");
    expect(shown).toBe(
      `inline; filename="Gesprach eins.mp3"; filename*=UTF-8''Gespr%C3%A4ch%20%E2%80%9Ceins%E2%80%9D.mp3`,
    );
    const download = await fetchSite(`${file.url}?download`, { method: "HEAD" });
    expect(download.headers.get("Content-Disposition")).toBe(shown!.replace("inline", "attachment"));
  });

  test("a quote or a line break in a name cannot leave it", async () => {
    const name = 'a"b\\c\r\nSet-Cookie: x=1\u202Egnp.png';
    const picture = await uploadFile(ownerContext(), makePng(1, 1), { name, folder: "articles" });
    const { headers } = await fetchSite(picture.url);
    expect(headers.get("Set-Cookie")).toBeNull();
    expect(headers.get("Content-Disposition")).toMatch(
      /^inline; filename="[^"\\]+"; filename\*=UTF-8''[\w%.-]+$/,
    );
    expect(headers.get("Content-Disposition")).not.toMatch(/%0D|%0A|%E2%80%AE/);
  });

  test("runs no scripts: a picture is sandboxed, a document has the browser's viewer", async () => {
    const policyOf = async (data: Uint8Array<ArrayBuffer>, name: string) => {
      const { url } = await uploadFile(ownerContext(), data, { name, folder: "uploads" });
      return (await fetchSite(url, { method: "HEAD" })).headers.get("Content-Security-Policy");
    };
    expect(await policyOf(makePng(1, 1), "a.png")).toBe("default-src 'none'; sandbox");
    expect(await policyOf(new TextEncoder().encode("Words"), "a.txt")).toBe("default-src 'none'; sandbox");
    const pdf = new TextEncoder().encode("%PDF-1.7\n1 0 obj\n<<>>\nendobj\n");
    expect(await policyOf(pdf, "a.pdf")).toBe("frame-ancestors 'self'");
  });

  test("an unknown file is a 404 that is not cached", async () => {
    for (const path of ["/media/podcast-audio/none/none.mp3", "/media/..%2Fetc"]) {
      const response = await fetchSite(path);
      expect(response.status).toBe(404);
      expect(response.headers.get("Cache-Control")).not.toContain("immutable");
    }
  });

  test("a player on another site may read it and its headers", async () => {
    const response = await get({ Origin: "https://player.example", Range: "bytes=0-0" });
    expect(response.headers.get("Access-Control-Allow-Origin")).toBe("*");
    expect(response.headers.get("Access-Control-Expose-Headers")).toContain("Content-Range");
    const preflight = await get(
      { Origin: "https://player.example", "Access-Control-Request-Headers": "Range" },
      "OPTIONS",
    );
    expect(preflight.status).toBe(204);
    expect(preflight.headers.get("Access-Control-Allow-Headers")).toContain("Range");
  });
});

describe("a range", () => {
  const last = () => bytes.length - 1;

  test.each([
    ["bytes=0-1", () => [0, 1]],
    ["bytes=100-199", () => [100, 199]],
    ["bytes=0-", () => [0, last()]],
    ["bytes=11000000-", () => [11_000_000, last()]],
    ["bytes=-500", () => [last() - 499, last()]],
    ["bytes=-999999999999", () => [0, last()]],
    ["bytes=11000000-99999999999999999999", () => [11_000_000, last()]],
    ["BYTES = 5-5", () => [5, 5]],
  ])("%s is a 206 with just those bytes", async (range, expected) => {
    const [from, to] = expected() as [number, number];
    const response = await get({ Range: range });
    expect(response.status).toBe(206);
    expect(response.headers.get("Content-Range")).toBe(`bytes ${from}-${to}/${bytes.length}`);
    expect(response.headers.get("Content-Length")).toBe(String(to - from + 1));
    expect(response.headers.get("Content-Type")).toBe("audio/mpeg");
    expect(await sha256(await bytesOf(response))).toBe(await sha256(bytes.slice(from, to + 1)));
  });

  test("the last byte alone is served, the one behind it is not", async () => {
    expect((await bytesOf(await get({ Range: `bytes=${last()}-` }))).length).toBe(1);
    expect((await get({ Range: `bytes=${bytes.length}-` })).status).toBe(416);
  });

  test.each([
    ["past the end", "bytes=999999999-"],
    ["far past any end", "bytes=99999999999999999999-"],
    ["backwards", "bytes=10-5"],
    ["no bytes from the end", "bytes=-0"],
    ["no numbers", "bytes=-"],
    ["words", "bytes=a-b"],
    ["negative", "bytes=--5"],
    ["nothing", "bytes="],
    ["no equals sign", "bytes 0-5"],
    ["several", "bytes=0-1,5-6"],
    ["several that overlap", "bytes=0-,0-,0-"],
  ])("%s (%s) is a 416 with the size", async (_what, range) => {
    const response = await get({ Range: range });
    expect(response.status).toBe(416);
    expect(response.headers.get("Content-Range")).toBe(`bytes */${bytes.length}`);
    expect((await bytesOf(response)).length).toBe(0);
  });

  test("an unknown range unit is ignored", async () => {
    const response = await get({ Range: "seconds=0-60" });
    await bytesOf(response);
    expect(response.status).toBe(200);
  });

  test("a missing file is a 404", async () => {
    const headers = { Range: "bytes=0-1" };
    expect((await fetchSite("/media/podcast-audio/none/none.mp3", { headers })).status).toBe(404);
  });
});

describe("a condition", () => {
  test.each([
    ["the tag", () => ({ "If-None-Match": etag })],
    ["the tag among others, weakened", () => ({ "If-None-Match": `"x", W/${etag}` })],
    ["any tag", () => ({ "If-None-Match": "*" })],
    ["the date", () => ({ "If-Modified-Since": modified })],
    ["a later date", () => ({ "If-Modified-Since": new Date(Date.now() + 60_000).toUTCString() })],
    ["the tag, with a range", () => ({ "If-None-Match": etag, Range: "bytes=0-1" })],
    ["the tag, with a range that cannot be", () => ({ "If-None-Match": etag, Range: "bytes=5-1" })],
  ])("%s is still true: 304 without a body", async (_what, headers) => {
    for (const method of ["GET", "HEAD"]) {
      const response = await get(headers() as HeadersInit, method);
      expect(response.status).toBe(304);
      expect((await bytesOf(response)).length).toBe(0);
      expect(response.headers.get("ETag")).toBe(etag);
      expect(response.headers.get("Cache-Control")).toContain("immutable");
    }
  });

  test.each([
    ["another tag", () => ({ "If-None-Match": '"other"' })],
    ["an earlier date", () => ({ "If-Modified-Since": new Date(0).toUTCString() })],
    ["no date at all", () => ({ "If-Modified-Since": "yesterday" })],
    [
      "another tag, which counts for more than the date",
      () => ({ "If-None-Match": '"o"', "If-Modified-Since": modified }),
    ],
  ])("%s: the whole file", async (_what, headers) => {
    const response = await get(headers() as HeadersInit);
    await bytesOf(response);
    expect(response.status).toBe(200);
  });

  test.each([
    ["the tag", () => etag],
    ["the date", () => modified],
  ])("If-Range with %s is answered with the range", async (_what, validator) => {
    const response = await get({ Range: "bytes=10-19", "If-Range": validator() });
    expect(response.status).toBe(206);
    expect(await bytesOf(response)).toEqual(bytes.slice(10, 20));
  });

  test.each([
    ["another tag", () => '"other"', "bytes=10-19"],
    ["the tag weakened", () => `W/${etag}`, "bytes=10-19"],
    ["another date", () => new Date(0).toUTCString(), "bytes=10-19"],
    ["another tag and a range that cannot be", () => '"other"', "bytes=10-5"],
  ])("If-Range with %s sends the whole file", async (_what, validator, range) => {
    const response = await get({ Range: range, "If-Range": validator() });
    expect(response.status).toBe(200);
    expect((await bytesOf(response)).length).toBe(bytes.length);
  });

  test.each([
    ["the tag", () => etag, 206],
    ["the tag among others", () => `"other", ${etag}`, 206],
    ["any", () => "*", 206],
    ["another tag", () => '"other"', 412],
    ["the tag weakened", () => `W/${etag}`, 412],
  ])("If-Match with %s continues, or is a 412 for a changed file", async (_what, tags, status) => {
    const asked = { Range: "bytes=10-19", "If-Match": tags() };
    expect((await get(asked)).status).toBe(status);
    expect((await get(asked, "HEAD")).status).toBe(status === 206 ? 200 : 412);
  });
});

test("the page at /media is not a file and carries none of a file's headers", async () => {
  const app = router()
    .route("/media", media)
    .get("*", (c) => c.text("page"));
  const { headers } = await app.request("/media");
  expect(headers.get("Access-Control-Allow-Origin")).toBeNull();
  expect(headers.get("Accept-Ranges")).toBeNull();
});

test("a text file is always served as text", async () => {
  const words = new TextEncoder().encode("Hello <script>alert(1)</script>");
  const notes = await uploadFile(ownerContext(), words, { name: "a.txt", folder: "uploads" });
  const { headers } = await fetchSite(notes.url);
  expect(headers.get("Content-Type")).toBe("text/plain; charset=utf-8");
  expect(headers.get("X-Content-Type-Options")).toBe("nosniff");
});

test("a file is served without a statement on D1", async () => {
  const ctx = visitorContext();
  const silent = new Proxy(ctx.db, {
    get(_db, name) {
      throw new Error(`D1 was asked: ${String(name)}`);
    },
  });
  const app = router()
    .use(async (c, next) => {
      c.set("ctx", { ...ctx, db: silent });
      await next();
    })
    .route("/media", media);
  const requests: HeadersInit[] = [
    {},
    { Range: "bytes=0-1" },
    { "If-None-Match": etag },
    { Range: "bytes=9-1" },
  ];
  for (const headers of requests) {
    const response = await app.request(file.url, { headers });
    await bytesOf(response);
    expect([200, 206, 304, 416]).toContain(response.status);
  }
});

test("a file whose object was put again without a type is served as bytes", async () => {
  const { key } = await storedAudio();
  await env.MEDIA.put(key, "x");
  const { headers } = await fetchSite(`/media/${key}`);
  expect(headers.get("Content-Type")).toBe("application/octet-stream");
});

describe("a key that R2 would not take", () => {
  test.each([
    ["of more than 1,024 bytes", "a".repeat(1025)],
    ["of more than 1,024 bytes of UTF-8", "%C3%A9".repeat(513)],
    ["with NUL", "a%00b"],
    ["with a broken escape", "%E0%A4%A"],
    ["that is no UTF-8", "%ff"],
  ])("%s is not the key of a file", async (_what, key) => {
    for (const method of ["GET", "HEAD"]) {
      expect((await fetchSite(`/media/${key}`, { method })).status).toBe(404);
    }
  });
});
