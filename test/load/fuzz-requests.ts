import { randomUUID } from "node:crypto";
import * as fc from "fast-check";
import type { RouteConfigEntry } from "@react-router/dev/routes";
import { sessionCookieOf } from "#worker/accounts/cookie.ts";
import siteRoutes from "#site/routes.ts";
import { createApp } from "#worker/app.ts";
import { LISTENER_HEADER } from "#worker/playlists/contract.ts";

const { name: SESSION } = sessionCookieOf("http://localhost");

export type FuzzRequest = {
  method: string;
  path: string;
  headers: [name: string, value: string][];
  /** Who sends it: whether the owner's cookie goes with it. */
  isOwner: boolean;
  body: Buffer | null;
};

/** What the routers know, each with its parameters still named: `PATCH /api/admin/users/:id`. */
type Route = { method: string; path: string };

function apiRoutes(): Route[] {
  const known = createApp(() => new Response()).routes.filter(
    ({ method, path }) => method !== "ALL" && path !== "/*",
  );
  return known.map(({ method, path }) => ({ method, path }));
}

function pageRoutes(entries: RouteConfigEntry[], parent = ""): Route[] {
  return entries.flatMap(({ path, index, children }) => {
    const here = path ? `${parent}/${path}` : parent;
    const own = path !== undefined || index ? [{ method: "GET", path: here || "/" }] : [];
    return [...own, ...pageRoutes(children ?? [], here)];
  });
}

const routes = [...apiRoutes(), ...pageRoutes(siteRoutes)];

const LONG = 9_000;
/** Characters in a path; most have a meaning to some parser. */
const oddWords = [
  "1",
  "0",
  "-1",
  "1e9",
  "999999999999999999999",
  "NaN",
  "null",
  "undefined",
  "__proto__",
  "constructor",
  "%00",
  "a%00b",
  "%ff",
  "%C0%80",
  "%E0%A4%A",
  "%",
  "%zz",
  "%2e%2e%2f%2e%2e",
  "..%5c..",
  "%F0%9F%8E%99",
  "%D8%A7%D9%84",
  "%ED%A0%80",
  "'%20or%201=1--",
  "%3Cscript%3Ealert(1)%3C/script%3E",
  "a".repeat(LONG),
  "%F0%9F%8E%99".repeat(LONG / 12),
  "a/".repeat(LONG / 2),
  "%2F".repeat(LONG / 3),
  ".data",
  "_.data",
  "..;/",
  "*",
  "{}",
  "[]",
  randomUUID(),
];

const parameters = [
  "before", "after", "q", "kind", "page", "t", "item", "campaign", "coverage", "releases", "source", "type",
  "token", "next", "download", "_routes", "index", "confirmed", "done", "reset", "__proto__",
]; // prettier-ignore

const oddWord = fc.oneof(
  { weight: 4, arbitrary: fc.constantFrom(...oddWords) },
  { weight: 1, arbitrary: fc.integer().map(String) },
  {
    weight: 1,
    arbitrary: fc
      .string({ unit: "binary", maxLength: 40 })
      .map((text) => encodeURIComponent(text.toWellFormed())),
  },
);

const query = fc
  .array(fc.tuple(fc.constantFrom(...parameters), oddWord), { maxLength: 3 })
  .map((pairs) => (pairs.length > 0 ? `?${pairs.map(([name, value]) => `${name}=${value}`).join("&")}` : ""));

/** A known route with odd words for its parameters, now and then its `.data`, or an unknown address. */
const address = (path: string) =>
  fc
    .tuple(
      fc.array(oddWord, { minLength: 4, maxLength: 4 }),
      query,
      fc.constantFrom("", "", "", ".data", "/", "%20"),
    )
    .map(([words, search, end]) => {
      let next = 0;
      const filled = path.replace(/:\w+(\{[^}]*\}+)?|\*/g, () => words[next++] ?? "x");
      return filled + end + search;
    });

const safeHeader = (value: string) => value.replace(/[^\t\x20-\x7e\x80-\xff]/g, "");

const headerValues: Record<string, string[]> = {
  Accept: ["*/*", "text/html", "application/json", "", "a".repeat(4000), "text/html;q=broken"],
  "Content-Type": [
    "application/json",
    "application/json",
    "application/json",
    "application/x-www-form-urlencoded",
    "application/json; charset=utf-16",
    "multipart/form-data",
    "multipart/form-data; boundary=x",
    "text/plain",
    "APPLICATION/JSON",
    "",
    "a/b/c",
  ],
  Origin: ["https://evil.example", "null", "", "http://localhost:8787", "not an origin"],
  Referer: [
    "https://evil.example/x",
    "//evil.example",
    "http://localhost:8787//evil.example",
    "x",
    "http://[",
    "",
  ],
  "Sec-Fetch-Site": ["cross-site", "same-origin", "none", "rubbish"],
  Cookie: [`${SESSION}=x`, `${SESSION}=`, "a=b; ".repeat(200), "%00=%ff", "=", `${SESSION}=%E0%A4%A`],
  [LISTENER_HEADER]: ["user_0123456789abcdefghijkl", "user_x", "", "user_" + "a".repeat(5000)],
  Range: [
    "bytes=0-1",
    "bytes=-5",
    "bytes=5-1",
    "bytes=99999999999-",
    "bytes=0-1,3-4",
    "bytes=x",
    "bytes",
    "lines=1-2",
  ],
  "If-Range": ['"x"', "Mon, 99 Foo 2026", ""],
  "If-None-Match": ["*", '"x"', 'W/"x", "y"', '"unclosed', ",,,", ""],
  "If-Modified-Since": ["Mon, 01 Jan 2024 00:00:00 GMT", "rubbish", "-1", ""],
  "CF-Connecting-IP": ["::", ":::::", "1.2.3.4", "999.999.999.999", "fe80::1%25eth0", "x".repeat(500), ""],
  "User-Agent": ["", "a".repeat(3000), "<script>alert(1)</script>", "\xff\xfe"],
  "Accept-Language": ["ar", "xx-".repeat(100), "*"],
  "X-Forwarded-Host": ["evil.example"],
  "X-HTTP-Method-Override": ["DELETE"],
};

const header = fc
  .constantFrom(...Object.keys(headerValues))
  .chain((name) =>
    fc.constantFrom(...headerValues[name]!).map((value): [string, string] => [name, safeHeader(value)]),
  );

/** Bodies that a route takes; each is sent with one field or more replaced by rubbish. */
const goodBodies: Record<string, unknown>[] = [
  { email: "somebody@example.com", source: "footer" },
  { token: "x.y.z" },
  { token: "x", password: "a long enough password" },
  { email: "somebody@example.com", password: "x" },
  { email: "owner@example.com", fullName: "The Owner", password: "a long enough password" },
  { email: "somebody@example.com", fullName: "A Person", role: "editor" },
  { currentPassword: "x", password: "a long enough password" },
  { fullName: "Another Name" },
  { name: "A", email: "somebody@example.com", linkedinProfile: "https://linkedin.com/in/a", topic: "T", position: "- P", consent: true },
  { name: "A", email: "somebody@example.com", subject: "S", message: "M", type: "general" },
  { name: "A", email: "somebody@example.com", organization: "O", eventName: "E", eventDate: "2099-05-04", engagementType: "panel", honorarium: "paid", additionalInfo: "" },
  { name: "On the train", description: "", isPublic: true },
  { name: "Recently Played" },
  { episodeId: 1 },
  { itemIds: [1, 2, 3] },
  { progressSeconds: 12.5, completed: false },
  { name: "a.mp3", type: "audio/mpeg", size: 1000, folder: "podcast-audio" },
  { title: "A title", description: "Text", showNotes: "Notes", status: "draft", episodeNumber: 7, people: [], chapters: [] },
  { episode: { title: "A title", description: "Text" }, id: 1 },
  { title: "A show", description: "Text", author: "Me", language: "en", category: "News", explicit: false, type: "episodic", locked: true },
]; // prettier-ignore

const rubbish = fc.oneof(
  fc.constantFrom<unknown>(null, true, 0, -1, 1e308, "", "\0", "\ud800", "x".repeat(70_000), [], {}, [
    [[[]]],
  ]),
  fc.constantFrom<unknown>(
    ">".repeat(50_000),
    "[a](".repeat(24_000),
    "<b>".repeat(30_000),
    "[^a]: ".repeat(16_000),
  ),
  fc.jsonValue({ maxDepth: 3 }),
  fc.string({ unit: "binary", maxLength: 200 }),
);

const mutated = fc.constantFrom(...goodBodies).chain((good) =>
  fc
    .tuple(fc.constantFrom(...Object.keys(good), "extra", "__proto__"), rubbish, fc.boolean())
    .map(([key, value, isWhole]) => {
      const body = isWhole
        ? good
        : {
            ...good,
            ...(JSON.parse(`{${JSON.stringify(key)}:${JSON.stringify(value) ?? "null"}}`) as object),
          };
      return Buffer.from(JSON.stringify(body));
    }),
);

const goodEvent = {
  eventType: "page_view",
  contentType: "page",
  contentId: "/",
  userId: null,
  sessionId: "a-session",
  metadata: { timestamp: 1, referrer: "https://example.com/" },
};
const eventRubbish = fc.oneof(
  rubbish,
  fc.constantFrom<unknown>(
    "reading_time",
    "podcast_pause",
    "social_click",
    "article",
    "episode",
    "1",
    "999999999",
  ),
);
/** Beacons, of whose events one or more have a field of rubbish, or metadata with one. */
const beacons = fc
  .array(
    fc
      .tuple(fc.constantFrom(...Object.keys(goodEvent), "extra"), fc.string({ maxLength: 20 }), eventRubbish)
      .map(([key, name, value]) =>
        key === "metadata"
          ? { ...goodEvent, metadata: { ...goodEvent.metadata, [name]: value } }
          : { ...goodEvent, [key]: value },
      ),
    { maxLength: 50 },
  )
  .map((events) => Buffer.from(JSON.stringify({ events: [goodEvent, ...events] })));

const MB = 1024 * 1024;
const brokenBodies = [
  "",
  "{",
  '{"email":',
  "null",
  '"text"',
  "[]",
  "1e999",
  '{"a":1}trailing',
  "\ufeff{}",
  "\0",
  "form=subscribe&email=a%40example.com&leaveEmpty=",
  "form=subscribe&email=%ff%fe&shownAt=x",
  '--x\r\nContent-Disposition: form-data; name="email"\r\n\r\na\r\n',
].map((text) => Buffer.from(text));
const hugeBodies = () => [
  Buffer.from("[".repeat(100_000)),
  Buffer.from(`${'{"a":'.repeat(50_000)}1${"}".repeat(50_000)}`),
  Buffer.alloc(300 * 1024, "x"),
  Buffer.from(JSON.stringify({ email: "x".repeat(5 * MB) })),
  // Of a refused body the Worker reads 16 MB, so that its sender hears why; a longer one is broken off.
  Buffer.alloc(12 * MB, "["),
  Buffer.from([0xff, 0xfe, 0x00, 0xc0, 0x80]),
  Buffer.concat([Buffer.from('{"email":"'), Buffer.from([0xff, 0xc3, 0x28]), Buffer.from('@example.com"}')]),
];
const huge = hugeBodies();

const body = fc.oneof(
  { weight: 60, arbitrary: mutated },
  { weight: 20, arbitrary: fc.constantFrom(...brokenBodies) },
  { weight: 10, arbitrary: fc.uint8Array({ maxLength: 200 }).map((bytes) => Buffer.from(bytes)) },
  { weight: 3, arbitrary: fc.constantFrom(...huge) },
);

const BEACONS = "/api/analytics/events";
const METHODS = ["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS", "PROPFIND"];

/** One request to somewhere that the routers know, nearly always by the method that they know. */
export const fuzzRequests: fc.Arbitrary<FuzzRequest> = fc.constantFrom(...routes).chain((route) =>
  fc
    .record({
      method: fc.oneof(
        { weight: 8, arbitrary: fc.constant(route.method) },
        { weight: 1, arbitrary: fc.constantFrom(...METHODS) },
      ),
      path: address(route.path),
      headers: fc.array(header, { maxLength: 4 }),
      isOwner: fc.boolean(),
      body: route.path === BEACONS ? fc.oneof(beacons, body) : body,
    })
    .map((request) => ({
      ...request,
      headers: withContentType(request.headers),
      body: ["GET", "HEAD", "OPTIONS", "PROPFIND"].includes(request.method) ? null : request.body,
    })),
);

/** Without one nothing is read; so most say that they send JSON. */
const withContentType = (headers: FuzzRequest["headers"]): FuzzRequest["headers"] =>
  headers.some(([name]) => name === "Content-Type")
    ? headers
    : [...headers, ["Content-Type", "application/json"]];
