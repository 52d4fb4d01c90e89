import { beforeEach, describe, expect, test, vi } from "vitest";
import { fetchPublic } from "#worker/platform/http/outgoing.ts";

/** Redirects by address; other addresses answer. */
let redirects: Record<string, string> = {};
let asked: string[] = [];

beforeEach(() => {
  redirects = {};
  asked = [];
  vi.stubGlobal("fetch", async (url: URL) => {
    asked.push(url.href);
    const to = redirects[url.href];
    return to ? new Response(null, { status: 302, headers: { Location: to } }) : new Response("Here.");
  });
  return () => vi.unstubAllGlobals();
});

const ask = (address: string, options = {}) => fetchPublic(new URL(address), {}, options);
const PUBLIC = "https://a.example/";

/** Including unusual notations: a URL may write one address in many forms. */
const PRIVATE = [
  "http://10.0.0.1/",
  "http://172.16.5.4/",
  "http://192.168.0.1/",
  "http://169.254.169.254/latest/meta-data",
  "http://100.64.0.1/",
  "http://0.0.0.0/",
  "http://0xa000001/",
  "http://167772161/",
  "http://012.0.0.1/",
  "http://[fd00::1]/",
  "http://[fe80::1]/",
  "http://[::ffff:10.0.0.1]/",
  "http://[::ffff:a00:1]/",
  "http://[64:ff9b::a00:1]/",
  "http://[::127.0.0.1]/",
  "http://[::a00:1]/",
  "http://[4000::1]/",
  "https://router.local/",
  "https://db.internal./",
  "https://localhost.localdomain/",
  "https://printer.local../",
  "https://intranet/",
  "https://intranet./",
  "ftp://a.example/",
];
const LOOPBACK = [
  "http://127.0.0.1/",
  "http://2130706433/",
  "http://127.1:8787/",
  "http://[::1]/",
  "http://localhost/",
  "http://localhost:9000/",
];

describe("an address that is not public", () => {
  test.each([...PRIVATE, ...LOOPBACK, "http://127.9.9.9/", "http://localhost./", "http://localhost../"])(
    "is not asked: %s",
    async (address) => {
      await expect(ask(address)).rejects.toMatchObject({ reason: "private" });
      redirects[PUBLIC] = "https://b.example/";
      redirects["https://b.example/"] = address;
      await expect(ask(PUBLIC)).rejects.toMatchObject({ reason: "private" });
      expect(asked).toEqual([PUBLIC, "https://b.example/"]);
    },
  );

  test.each(PRIVATE)("is not requested even if local addresses are allowed: %s", async (address) => {
    redirects["http://127.0.0.1:9000/"] = address;
    await expect(ask("http://127.0.0.1:9000/", { loopback: true })).rejects.toMatchObject({
      reason: "private",
    });
    expect(asked).toHaveLength(1);
  });
});

test("loopback is allowed at any port if the setting is on", async () => {
  for (const address of LOOPBACK) await ask(address, { loopback: true });
  expect(asked).toHaveLength(LOOPBACK.length);
});

test("a public address is fetched, and the final URL is returned", async () => {
  redirects[PUBLIC] = "/next";
  redirects["https://a.example/next"] = "http://8.8.8.8/";
  const { url } = await ask(PUBLIC);
  expect(url.href).toBe("http://8.8.8.8/");
});

test("redirects without end are given up", async () => {
  for (let n = 0; n < 12; n++) redirects[`${PUBLIC}${n}`] = `/${n + 1}`;
  await expect(ask(`${PUBLIC}0`)).rejects.toMatchObject({ reason: "endless", isRedirect: true });
  expect(asked).toHaveLength(6);
});

test("an address that redirects to itself is requested once", async () => {
  redirects[PUBLIC] = "/b";
  redirects[`${PUBLIC}b`] = PUBLIC;
  await expect(ask(PUBLIC)).rejects.toMatchObject({ reason: "loop", isRedirect: true });
  expect(asked).toEqual([PUBLIC, `${PUBLIC}b`]);
});

test.each([
  ["https://a.example:8080/", "port"],
  ["https://wren@b.example/", "password"],
  ["https://wren:secret@b.example:8080/", "password"],
  ["https://wren:secret@10.0.0.1:8080/", "private"],
])("%s is not asked for its %s", async (address, reason) => {
  await expect(ask(address)).rejects.toMatchObject({ reason, isRedirect: false });
  redirects[PUBLIC] = address;
  await expect(ask(PUBLIC)).rejects.toMatchObject({ reason, isRedirect: true });
  expect(asked).toEqual([PUBLIC]);
});
