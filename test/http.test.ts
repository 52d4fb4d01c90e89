import { describe, expect, test } from "vitest";
import { errorOf } from "./support/accounts.ts";
import { fetchSite, signedIn, SITE } from "./support/client.ts";

const MB = 1024 * 1024;
const JSON_TYPE = { "Content-Type": "application/json" };

/** A body in chunks, without a Content-Length, that tells how many bytes of it were taken. */
function chunked(size: number, start = "") {
  const sent = { bytes: 0 };
  const chunk = new Uint8Array(64 * 1024).fill(32);
  const body = new ReadableStream<Uint8Array>({
    start(controller) {
      if (start) controller.enqueue(new TextEncoder().encode(start));
    },
    pull(controller) {
      if (sent.bytes >= size) return controller.close();
      controller.enqueue(chunk);
      sent.bytes += chunk.length;
    },
  });
  return { body, sent };
}

const tooLarge = { code: "too_large", message: "That is more than this form takes." };
const login = JSON.stringify({ email: "nobody@example.com", password: "long enough to be one" });

describe("JSON", () => {
  test("of more than 4 MB is refused, whether its length is told or not", async () => {
    const told = new Uint8Array(5 * MB).fill(32);
    for (const body of [told, chunked(5 * MB, login).body]) {
      const response = await fetchSite("/api/admin/session", { method: "POST", headers: JSON_TYPE, body });
      expect(response.status).toBe(413);
      expect(await errorOf(response)).toEqual(tooLarge);
    }
  });

  test("of less reaches its route, whether its length is told or not", async () => {
    for (const body of [login, chunked(3 * MB, login).body]) {
      const response = await fetchSite("/api/admin/session", { method: "POST", headers: JSON_TYPE, body });
      expect(response.status).toBe(401);
    }
  });

  test("is the only thing that the API reads", async () => {
    const response = await fetchSite("/api/admin/session", { method: "POST", body: "email=a" });
    expect(response.status).toBe(400);
    expect(await errorOf(response)).toMatchObject({
      message: "Send JSON, with the content type application/json.",
    });
  });
});

describe("a refused request is read to its end, so that its sender hears why", () => {
  const size = 8 * MB;

  test.each([
    ["a part without a session", "PUT", "/api/admin/files/x/parts/1", {}, 401],
    ["a part with an impossible number", "PUT", "/api/admin/files/x/parts/0", {}, 422],
    [
      "a form of another site",
      "POST",
      "/api/admin/session",
      { ...JSON_TYPE, Origin: "https://a.example" },
      403,
    ],
    ["what is not JSON", "POST", "/api/admin/session", { "Content-Type": "text/plain" }, 400],
    ["too much JSON", "POST", "/api/admin/session", JSON_TYPE, 413],
  ] as const)("%s", async (_what, method, path, headers, status) => {
    const { body, sent } = chunked(size);
    const response = await fetchSite(path, { method, headers: { ...headers }, body });
    expect(response.status).toBe(status);
    expect(sent.bytes).toBe(size);
  });

  test("a part that is larger than its upload", async () => {
    const { cookie } = await signedIn("editor");
    const headers = { cookie, Origin: SITE };
    const file = { name: "a.mp3", type: "audio/mpeg", size: 1000, folder: "podcast-audio" };
    const started = await fetchSite("/api/admin/files", {
      method: "POST",
      headers: { ...headers, ...JSON_TYPE },
      body: JSON.stringify(file),
    });
    const { id } = (await started.json()) as { id: string };
    const { body, sent } = chunked(size);
    const response = await fetchSite(`/api/admin/files/${id}/parts/1`, { method: "PUT", headers, body });
    expect(response.status).toBe(413);
    expect(sent.bytes).toBe(size);
  });

  test("but not one without an end", async () => {
    const { body, sent } = chunked(100 * MB);
    const response = await fetchSite("/api/admin/files/x/parts/1", { method: "PUT", body });
    expect(response.status).toBe(401);
    expect(sent.bytes).toBeLessThan(20 * MB);
  });
});
