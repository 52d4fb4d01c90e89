import { beforeEach, describe, expect, it } from "vitest";
import { MOST_ROWS_A_DAY, pruneCspReports, recordCspReport } from "#worker/csp-reports/commands.ts";
import { MOST_REPORTS_A_DAY } from "#worker/csp-reports/contract.ts";
import { listCspReports } from "#worker/csp-reports/queries.ts";
import { cspReports } from "#worker/csp-reports/table.ts";
import { household } from "./support/accounts.ts";
import { ask } from "./support/cached.ts";
import {
  contextAs,
  fetchSite,
  jobContext,
  ownerContext,
  signedIn,
  SITE,
  visitorContext,
} from "./support/client.ts";
import { MORE_THAN_A_BURST } from "./support/rates.ts";

const { db } = jobContext();
const DAY = 86_400_000;
const PATH = "/api/csp-reports";
const OLDER = "application/csp-report";
const REPORTS = "application/reports+json";

/** What must not be stored: of the page, of its referrer, and of what was blocked. */
const SECRET = "token-of-a-visitor";
const PAGE = `${SITE}/unsubscribe?token=${SECRET}`;
const POLICY = "default-src 'self'; script-src 'self'; report-uri /api/csp-reports; report-to csp";

/** Chromium, by the Reporting API: all reports of a minute. */
const chromium = (...blocked: { directive?: string; url: string; source?: string }[]) =>
  JSON.stringify(
    blocked.map(({ directive = "script-src-elem", url, source = PAGE }) => ({
      age: 53_531,
      body: {
        blockedURL: url,
        columnNumber: 39,
        disposition: "enforce",
        documentURL: PAGE,
        effectiveDirective: directive,
        lineNumber: 121,
        originalPolicy: POLICY,
        referrer: `https://referrer.example/?${SECRET}`,
        sample: SECRET,
        sourceFile: source,
        statusCode: 200,
      },
      type: "csp-violation",
      url: PAGE,
      user_agent: `Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 Chrome/142.0.0.0 Safari/537.36 ${SECRET}`,
    })),
  );

/** Firefox, by `report-uri`. */
const firefox = ({ directive = "script-src-elem", url = "inline", source = PAGE }) =>
  JSON.stringify({
    "csp-report": {
      "blocked-uri": url,
      "column-number": 1,
      disposition: "enforce",
      "document-uri": PAGE,
      "effective-directive": directive,
      "line-number": 12,
      "original-policy": POLICY,
      referrer: "",
      "script-sample": SECRET,
      "source-file": source,
      "status-code": 200,
      "violated-directive": directive,
    },
  });

/** Safari before the Reporting API. */
const safari15 = (url: string) =>
  JSON.stringify({
    "csp-report": {
      "document-uri": PAGE,
      referrer: "",
      "violated-directive": "img-src 'self' data: blob:",
      "original-policy": POLICY,
      "blocked-uri": url,
      "status-code": 0,
    },
  });

/** Safari 16: one report of the Reporting API, without a list around it. */
const safari16 = (url: string) =>
  JSON.stringify({
    type: "csp-violation",
    url: PAGE,
    body: {
      documentURL: PAGE,
      disposition: "enforce",
      referrer: "",
      effectiveDirective: "img-src",
      blockedURL: url,
      originalPolicy: POLICY,
      statusCode: 200,
      sample: "",
    },
  });

const post = (body: BodyInit, type = OLDER, headers: Record<string, string> = {}) =>
  fetchSite(PATH, {
    method: "POST",
    headers: { "Content-Type": type, "CF-Connecting-IP": household(), ...headers },
    body,
  });

const record = (...urls: string[]) =>
  recordCspReport(visitorContext(), chromium(...urls.map((url) => ({ url }))));

const stored = async () =>
  (await listCspReports(ownerContext())).map(({ directive, host, count }) => [directive, host, count]);

beforeEach(async () => void (await db.delete(cspReports)));

describe("a report of what a page's content policy blocked", () => {
  it("of Chromium is one of several in a list", async () => {
    const body = chromium(
      { url: `https://evil.example:8443/a.js?${SECRET}` },
      { url: "https://evil.example/b.js" },
      { directive: "script-src-attr", url: "inline" },
      { directive: "img-src", url: "data" },
    );
    const answer = await post(body, `${REPORTS}; charset=UTF-8`);
    expect([answer.status, await answer.text()]).toEqual([204, ""]);
    expect(await stored()).toEqual([
      ["script-src-elem", "evil.example", 2],
      ["img-src", "data", 1],
      ["script-src-attr", "inline", 1],
    ]);
  });

  it("of Firefox has names with hyphens", async () => {
    expect((await post(firefox({}))).status).toBe(204);
    expect((await post(firefox({ directive: "font-src", url: "https://FONTS.example/a" }))).status).toBe(204);
    expect(await stored()).toEqual([
      ["font-src", "fonts.example", 1],
      ["script-src-elem", "inline", 1],
    ]);
  });

  it("of Safari 15 names the directive with its sources", async () => {
    expect((await post(safari15("https://pictures.example/a.png"))).status).toBe(204);
    expect(await stored()).toEqual([["img-src", "pictures.example", 1]]);
  });

  it.each([REPORTS, OLDER])("of Safari 16 is one without a list, as %s", async (type) => {
    expect((await post(safari16("https://pictures.example/a.png"), type)).status).toBe(204);
    expect(await stored()).toEqual([["img-src", "pictures.example", 1]]);
  });

  it("is counted by day, directive and host, and nothing else of it is stored", async () => {
    await record(`https://evil.example/${SECRET}?${SECRET}#${SECRET}`);
    await recordCspReport(visitorContext(), firefox({ url: `https://${SECRET}@evil.example/` }));
    expect(await db.select().from(cspReports)).toEqual([
      {
        day: new Date().toISOString().slice(0, 10),
        directive: "script-src-elem",
        host: "evil.example",
        count: 2,
      },
    ]);
  });

  it.each([
    ["http://192.168.178.1/a.js", "ip-address"],
    ["https://[2001:db8::1]:444/a.js", "ip-address"],
    ["wss://socket.example/live", "socket.example"],
    ["blob", "blob"],
    [`blob:https://a.example/${SECRET}`, "blob"],
    [`skype:${SECRET}`, "skype"],
    [`other://${SECRET}/`, "other"],
    ["https://xn--bcher-kva.example/", "xn--bcher-kva.example"],
    ["https://bücher.example/", "xn--bcher-kva.example"],
  ])("about %s is counted for %s", async (url, host) => {
    await record(url);
    expect(await stored()).toEqual([["script-src-elem", host, 1]]);
  });

  it.each([
    "chrome-extension",
    "chrome-extension://nkbihfbeogaeaoehlefnkodbefgpgknn/inpage.js",
    "moz-extension://6f1e0f1c-3e5d-4a31-8a5e-0d7a4d5f0a9b/content.js",
    "safari-web-extension://5E7A3C2B/script.js",
    "safari-extension://com.example.clipper/a.js",
    "ms-browser-extension",
    "webkit-masked-url://hidden/",
  ])("that an extension caused is not counted: %s", async (url) => {
    await record(url);
    await recordCspReport(visitorContext(), chromium({ url: "inline", source: url }));
    await recordCspReport(visitorContext(), firefox({ url }));
    await recordCspReport(visitorContext(), firefox({ source: url }));
    expect(await stored()).toEqual([]);
  });

  const violation = {
    "csp-report": { "effective-directive": "img-src", "blocked-uri": "https://a.example" },
  };

  it.each<[string, BodyInit, string]>([
    ["no JSON", "{", OLDER],
    ["null", "null", REPORTS],
    ["another content type", JSON.stringify(violation), "application/json"],
    ["a form", "a=b", "application/x-www-form-urlencoded"],
    ["of another type", JSON.stringify([{ type: "deprecation", body: {} }, null, 1]), REPORTS],
    ["a violation without a body", JSON.stringify([{ type: "csp-violation", body: null }]), REPORTS],
    ["about an unknown directive", firefox({ directive: "<script>" }), OLDER],
    ["about the name of the row for all others", firefox({ directive: "other" }), OLDER],
    ["about no address", firefox({ url: "" }), OLDER],
    ["about a host that no DNS has", firefox({ url: `https://${"a".repeat(254)}/` }), OLDER],
    ["without fields", JSON.stringify({ "csp-report": {} }), OLDER],
    ["with fields of other types", JSON.stringify({ "csp-report": { "blocked-uri": [1] } }), OLDER],
    ["larger than browsers send", firefox({ url: `https://a.example/${"a".repeat(70_000)}` }), OLDER],
    ["empty", "", OLDER],
  ])("that is %s is answered with 204 and not counted", async (_, body, type) => {
    expect((await post(body, type)).status).toBe(204);
    expect(await stored()).toEqual([]);
  });

  it("is accepted from any origin, since no page sends it", async () => {
    const origins = [
      ["Origin", "null"],
      ["Sec-Fetch-Site", "cross-site"],
      ["Sec-Fetch-Site", "none"],
    ] as const;
    for (const origin of origins)
      expect((await post(firefox({}), OLDER, Object.fromEntries([origin]))).status).toBe(204);
    expect(await stored()).toEqual([["script-src-elem", "inline", 3]]);
  });

  it("does not read or renew the session whose cookie it has", async () => {
    const { cookie } = await signedIn("super_admin");
    const answer = await post(firefox({}), OLDER, { Cookie: cookie });
    expect(answer.headers.has("Set-Cookie")).toBe(false);
    expect(await stored()).toEqual([["script-src-elem", "inline", 1]]);
  });

  it("costs one statement, whatever it has", async () => {
    const ctx = visitorContext();
    await recordCspReport(ctx, chromium({ url: "https://a.example/" }, { url: "https://b.example/" }));
    expect(ctx.d1.statements).toBe(1);
    const useless = visitorContext();
    await recordCspReport(useless, "{}");
    expect(useless.d1.statements).toBe(0);
  });

  it("is not counted in a burst of one address", async () => {
    const flood = { "CF-Connecting-IP": household() };
    const all = Array.from({ length: MORE_THAN_A_BURST }, () => post(firefox({}), OLDER, flood));
    expect(new Set((await Promise.all(all)).map(({ status }) => status))).toEqual(new Set([204]));
    const [[, , count] = []] = await stored();
    expect(count).toBeLessThan(MORE_THAN_A_BURST);
  });

  it("beyond a day's rows is counted in one row, and known ones in their own", async () => {
    const urls = Array.from({ length: MOST_ROWS_A_DAY + 10 }, (_, n) => `https://h${n}.example/`);
    for (let n = 0; n < urls.length; n += 10) await record(...urls.slice(n, n + 10));
    await record("https://h5.example/", "https://new.example/", "https://newer.example/");
    const rows = await db.select().from(cspReports);
    expect(rows).toHaveLength(MOST_ROWS_A_DAY + 1);
    expect(rows.find(({ host }) => host === "h5.example")?.count).toBe(2);
    expect(rows.find(({ directive }) => directive === "other")).toMatchObject({ host: "", count: 12 });
    const tomorrow = { ...visitorContext(), now: new Date(Date.now() + DAY) };
    await recordCspReport(tomorrow, chromium({ url: "https://new.example/" }));
    expect(await db.$count(cspReports)).toBe(MOST_ROWS_A_DAY + 2);
  });

  it("beyond a day’s number is only written if it is the first of its directive and host", async () => {
    const day = new Date().toISOString().slice(0, 10);
    await db
      .insert(cspReports)
      .values({ day, directive: "img-src", host: "a.example", count: MOST_REPORTS_A_DAY });
    const image = (host: string) => chromium({ directive: "img-src", url: `https://${host}/` });
    for (const host of ["a.example", "b.example", "b.example", "a.example"])
      await recordCspReport(visitorContext(), image(host));
    expect(await stored()).toEqual([
      ["img-src", "a.example", MOST_REPORTS_A_DAY],
      ["img-src", "b.example", 1],
    ]);
  });

  it("is deleted after thirty days by the nightly sweep", async () => {
    await record("https://a.example/");
    await pruneCspReports(jobContext({ now: new Date(Date.now() + 30 * DAY) }));
    expect(await stored()).toHaveLength(1);
    await pruneCspReports(jobContext({ now: new Date(Date.now() + 31 * DAY) }));
    expect(await stored()).toEqual([]);
  });

  it("is shown to admins, the most frequent first, with its last day", async () => {
    await record("https://a.example/", "https://b.example/", "https://b.example/");
    await recordCspReport(
      { ...visitorContext(), now: new Date(Date.now() - DAY) },
      firefox({ url: "https://a.example/" }),
    );
    await record("https://b.example/");
    expect(await listCspReports(contextAs("admin"))).toEqual([
      {
        directive: "script-src-elem",
        host: "b.example",
        count: 3,
        lastDay: new Date().toISOString().slice(0, 10),
      },
      {
        directive: "script-src-elem",
        host: "a.example",
        count: 2,
        lastDay: new Date().toISOString().slice(0, 10),
      },
    ]);
    await expect(listCspReports(contextAs("editor"))).rejects.toMatchObject({ code: "forbidden" });
    await expect(listCspReports(visitorContext())).rejects.toMatchObject({ code: "unauthenticated" });
  });

  it("is asked for by the policy of each page, cached or not, in the same words", async () => {
    const asked = async (path: string) => {
      const { headers } = (await ask(path)).response;
      expect(headers.get("Content-Security-Policy")).toMatch(
        /; report-uri \/api\/csp-reports; report-to csp$/,
      );
      return headers.get("Reporting-Endpoints");
    };
    for (const path of ["/about", "/about", "/admin/login", "/no-such-page"])
      expect(await asked(path)).toBe('csp="/api/csp-reports"');
  });

  it("is asked for by pages only", async () => {
    const { headers } = await fetchSite("/api/health");
    expect(headers.get("Content-Security-Policy")).not.toContain("report");
    expect(headers.has("Reporting-Endpoints")).toBe(false);
  });
});
