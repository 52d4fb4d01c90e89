import { randomUUID } from "node:crypto";
import * as fc from "fast-check";
import type { RouteConfigEntry } from "@react-router/dev/routes";
import { sessionCookieOf } from "#worker/accounts/cookie.ts";
import siteRoutes from "#site/routes.ts";
import { mountApi } from "#worker/api.ts";
import { createApp } from "#worker/app.ts";
import { LISTENER_HEADER } from "#worker/playlists/contract.ts";
import type { z } from "zod";
import { bodies, withoutBody } from "./bodies.ts";
import { LISTENER, SENDERS, UPLOAD, type Rows, type Sender } from "./known.ts";
import { valuesOf } from "./valid-values.ts";

const { name: SESSION } = sessionCookieOf("http://localhost");

export type FuzzRequest = {
  method: string;
  path: string;
  headers: [name: string, value: string][];
  sender: Sender;
  /** Whether it is sent twice at the same time. */
  isTwice: boolean;
  body: Buffer | null;
};

/** What the routers know, each with its parameters still named: `PATCH /api/admin/users/:id`. */
type Route = { method: string; path: string };

function apiRoutes(): Route[] {
  const known = createApp(() => new Response(), mountApi).routes.filter(
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

/** Any character; `unit: "binary"` would first make a table of all, in three seconds. */
const character = fc
  .integer({ min: 0, max: 0x10f7ff })
  .map((code) => String.fromCodePoint(code < 0xd800 ? code : code + 0x800));

const oddWord = fc.oneof(
  { weight: 4, arbitrary: fc.constantFrom(...oddWords) },
  { weight: 1, arbitrary: fc.integer().map(String) },
  {
    weight: 1,
    arbitrary: fc
      .string({ unit: character, maxLength: 40 })
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
  fc.string({ unit: character, maxLength: 200 }),
);

/** A body with one field replaced by something else, or one too many. */
const withOddField = (good: unknown, field: number, odd: unknown) => {
  const keys = [...Object.keys(good as object), "extra", "__proto__"];
  const own = JSON.stringify(keys[field % keys.length]);
  return { ...(good as object), ...(JSON.parse(`{${own}:${JSON.stringify(odd) ?? "null"}}`) as object) };
};

const asJson = (body: unknown) => Buffer.from(JSON.stringify(body));

/** Bodies of other routes, of which one field is odd. */
const mutated = fc
  .constantFrom(...Object.values(bodies))
  .chain((schema) => fc.tuple(valuesOf(schema), fc.nat(), rubbish, fc.boolean()))
  .map(([good, field, odd, isWhole]) => asJson(isWhole ? good : withOddField(good, field, odd)));

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
const NO_BODY = new Set(["GET", "HEAD", "OPTIONS", "PROPFIND"]);

/** One request to somewhere that the routers know, nearly always by the method that they know. */
const rubbishRequests: fc.Arbitrary<FuzzRequest> = fc.constantFrom(...routes).chain((route) =>
  fc
    .record({
      method: fc.oneof(
        { weight: 8, arbitrary: fc.constant(route.method) },
        { weight: 1, arbitrary: fc.constantFrom(...METHODS) },
      ),
      path: address(route.path),
      headers: fc.array(header, { maxLength: 4 }),
      sender: fc.constantFrom<Sender>("visitor", "super_admin"),
      isTwice: fc.constant(false),
      body: route.path === BEACONS ? fc.oneof(beacons, body) : body,
    })
    .map((request) => ({
      ...request,
      headers: withContentType(request.headers),
      body: NO_BODY.has(request.method) ? null : request.body,
    })),
);

/** Without one nothing is read; so most say that they send JSON. */
const withContentType = (headers: FuzzRequest["headers"]): FuzzRequest["headers"] =>
  headers.some(([name]) => name === "Content-Type")
    ? headers
    : [...headers, ["Content-Type", "application/json"]];

/** The route of a request whose body `bodies` has: its own, or the one that its path is an example of. */
const isExampleOf = (path: string, route: string) =>
  new RegExp(`^${route.replace(/:\w+(\{[^}]*\}+)?/g, "[^/]+")}$`).test(path);

/**
 * Each request that the API and the site take, with an example for each page's content.
 * @throws where a route that writes is in neither list of bodies.ts
 */
function goodRoutes(): (Route & { schema?: z.ZodType })[] {
  const withBody = Object.entries(bodies).map(([route, schema]) => {
    const [method = "", path = ""] = route.split(" ");
    return { method, path, schema };
  });
  const others = routes.filter(
    ({ method, path }) =>
      !withBody.some((each) => each.method === method && isExampleOf(each.path, path)) && path !== "*",
  );
  const unknown = others
    .filter(({ method }) => !["GET", "DELETE"].includes(method))
    .map(({ method, path }) => `${method} ${path}`)
    .filter((route) => !withoutBody.has(route));
  if (unknown.length > 0) throw new Error(`bodies.ts does not know ${unknown.join(", ")}.`);
  return [...withBody, ...others];
}

const good = goodRoutes();
// Here rather than during the run: fails for a schema without a valid value.
for (const { schema } of good) if (schema) valuesOf(schema);

/** Senders with more rights send more requests. */
const senders = fc.oneof(
  { weight: 6, arbitrary: fc.constant<Sender>("super_admin") },
  { weight: 2, arbitrary: fc.constantFrom<Sender>(...SENDERS) },
);

/** A path with existing ids for its parameters, and a signed link's token if its page or form takes one. */
function goodPath({ method, path }: Route, { inPaths, tokens }: Rows) {
  const names = [...path.matchAll(/([^/]+)\/:(\w+)/g)].map(([, segment, name]) => `${segment}/:${name}`);
  const own = inPaths[`${method} ${path}`];
  const values = names.map((name, index) => {
    const known = (index === 0 && own) || inPaths[name];
    return known?.length ? fc.constantFrom(...known) : fc.constant(1);
  });
  const links = method === "GET" ? tokens[path] : undefined;
  return fc
    .tuple(fc.tuple(...values), links?.length ? fc.constantFrom(...links) : fc.constant(""))
    .map(([filled, token]) => {
      let next = 0;
      const here = path.replace(/:\w+(\{[^}]*\}+)?/g, () => String(filled[next++]));
      return token === "" ? here : `${here}?token=${token}`;
    });
}

/** The body that a route takes, of which one in three has one odd field. */
function goodBody({ path, schema }: (typeof good)[number], { inBodies, tokens }: Rows) {
  if (PART.test(path)) {
    // Of the upload's length, and of others.
    return fc.oneof(
      { weight: 3, arbitrary: fc.constant(Buffer.alloc(UPLOAD, "a")) },
      { weight: 1, arbitrary: fc.uint8Array({ maxLength: 2 * UPLOAD }).map((bytes) => Buffer.from(bytes)) },
    );
  }
  if (!schema) return fc.constant(null);
  const known = { ...inBodies, token: tokens[path] ?? [] };
  return fc
    .tuple(
      valuesOf(schema, known),
      fc.nat({ max: 2 }),
      fc.nat(),
      fc.oneof(rubbish, fc.constantFrom(...mildly)),
    )
    .map(([whole, odds, field, odd]) => asJson(odds === 0 ? withOddField(whole, field, odd) : whole));
}

const PART = /\/parts\/:number$/;
/** Odd, but what people do write. */
const mildly = [
  " ",
  "\u200b",
  "0",
  "🏳️‍🌈".repeat(20),
  "<b>bold</b>",
  "a\tb",
  "\u202eeno",
  "ﬁne",
  "Ⅷ",
  0.1 + 0.2,
];

const goodRequests = (rows: Rows): fc.Arbitrary<FuzzRequest> =>
  fc.constantFrom(...good).chain((route) =>
    fc
      .record({
        method: fc.constant(route.method),
        path: goodPath(route, rows),
        sender: senders,
        isTwice: fc.nat({ max: 7 }).map((number) => number === 0),
        body: goodBody(route, rows),
      })
      .map((request) => ({ ...request, headers: headersOf(route) })),
  );

const headersOf = ({ path }: Route): FuzzRequest["headers"] => [
  ["Content-Type", PART.test(path) ? "application/octet-stream" : "application/json"],
  ["User-Agent", "Mozilla/5.0 (X11; Linux x86_64; rv:130.0) Gecko/20100101 Firefox/130.0"],
  ...(OF_LISTENERS.test(path) ? [[LISTENER_HEADER, LISTENER] as [string, string]] : []),
];

const OF_LISTENERS = /^\/api\/(?:playlists|favorites|progress)\b/;

/** Of what the site has: requests that it takes, with one odd field here and there, and as much again of rubbish. */
export const fuzzRequests = (rows: Rows): fc.Arbitrary<FuzzRequest> =>
  fc.oneof({ weight: 3, arbitrary: goodRequests(rows) }, { weight: 2, arbitrary: rubbishRequests });
