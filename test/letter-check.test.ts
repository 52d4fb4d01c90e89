import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { blockingFindings, checkLetter } from "#worker/letters/check.ts";
import type { NewLetter } from "#worker/letters/contract.ts";
import { updateSite } from "#worker/settings/commands.ts";
import { siteDefaults } from "#worker/settings/contract.ts";
import { ownerContext, visitorContext } from "./support/client.ts";
import { savedLetter } from "./support/letters.ts";

const ctx = ownerContext();

/** Responses of other sites, by address; addresses that are not listed do not respond. */
let answers: Record<string, (init: RequestInit) => Response | Promise<Response>> = {};
let asked: string[] = [];

beforeEach(async () => {
  asked = [];
  answers = {};
  vi.spyOn(globalThis, "fetch").mockImplementation(async (input, init = {}) => {
    const address = String(input);
    asked.push(`${init.method} ${address}`);
    const answer = answers[address];
    if (!answer) throw new TypeError("network connection lost");
    return answer(init);
  });
  await updateSite(ctx, {
    email: { fromName: "", fromEmail: "", replyTo: "answers@example.net" },
    newsletter: { ...siteDefaults.newsletter, postalAddress: "12 Elm Street" },
  });
});
afterEach(() => vi.restoreAllMocks());

const ok = () => new Response("");
const status = (code: number) => () => new Response("", { status: code });

async function check(fields: Partial<NewLetter>) {
  const { id } = await savedLetter({ subject: "On rent", ...fields });
  return checkLetter(ctx, id);
}
const codesOf = async (fields: Partial<NewLetter>) => (await check(fields)).map(({ code }) => code);

describe("the check of a letter", () => {
  it("has no findings for a good one", async () => {
    answers["https://a.example/"] = ok;
    expect(await check({ content: "Read [this](https://a.example/) and [about](/about)." })).toEqual([]);
  });

  it("is only for the owner", async () => {
    const { id } = await savedLetter();
    await expect(checkLetter(visitorContext(), id)).rejects.toMatchObject({ code: "unauthenticated" });
    await expect(checkLetter(ctx, 999_999)).rejects.toMatchObject({ code: "not_found" });
  });

  it("checks the typed text instead of the saved one", async () => {
    const { id } = await savedLetter();
    expect(await checkLetter(ctx, id, { subject: "" })).toMatchObject([
      { code: "no-subject", level: "blocks" },
    ]);
  });

  it.each<[string, Partial<NewLetter>, string[]]>([
    ["no subject and no content", { subject: "", content: " " }, ["no-subject", "no-content"]],
    ["capitals", { subject: "READ THIS NOW" }, ["shouting"]],
    ["capitals of a short name", { subject: "On ABC" }, []],
    ["a script without capitals", { subject: "读这篇文章读这篇文章" }, []],
    ["exclamation marks", { subject: "Read! This!" }, ["exclaiming"]],
    ["words of spam", { subject: "Act now and read" }, ["spam-words"]],
    ["more than a phone shows", { subject: "word ".repeat(11).trim() }, ["long-subject"]],
    ["no preheader", { preheader: "" }, ["no-preheader"]],
    ["a picture without description", { content: "![](/media/a/b.png) ![x](/media/a/c.png)" }, ["no-alt"]],
    ["more than Gmail shows", { content: "雨".repeat(40_000) }, ["too-large"]],
  ])("reports %s", async (_what, fields, codes) => {
    expect(await codesOf(fields)).toEqual(codes);
  });

  it("reports which settings of the sender are missing, or not met by DNS", async () => {
    await updateSite(ctx, { email: siteDefaults.email, newsletter: siteDefaults.newsletter });
    expect(await codesOf({})).toEqual(["no-reply-to", "no-address"]);
  });

  it("lists blocking findings first, and only those prevent sending", async () => {
    const findings = await check({ subject: "!!", content: "", preheader: "" });
    expect(findings.map(({ level }) => level)).toEqual(["blocks", "warns", "warns"]);
    const words = { subject: "!!", preheader: "", content: "[a](https://gone.example/)" };
    expect(await blockingFindings(ctx, words)).toEqual([]);
    expect(await blockingFindings(ctx, { ...words, content: "" })).toMatchObject([{ code: "no-content" }]);
    expect(asked).toEqual([]);
  });
});

describe("the links of a letter", () => {
  it("are requested by HEAD, then by GET, and each once", async () => {
    answers["https://a.example/"] = ({ method }) =>
      new Response("", { status: method === "HEAD" ? 405 : 200 });
    expect(await codesOf({ content: "[a](https://a.example/) [b](https://a.example/#there)" })).toEqual([]);
    expect(asked).toEqual(["HEAD https://a.example/", "GET https://a.example/"]);
  });

  it("warn if they are dead, broken, insecure, empty or without text", async () => {
    answers["https://gone.example/"] = status(404);
    answers["http://a.example/"] = ok;
    answers["https://a.example/"] = ok;
    const content = [
      "[gone](https://gone.example/)",
      "[lost](https://lost.example/)",
      "[half](https://)",
      "[plain](http://a.example/)",
      "[nothing]()",
      "[](https://a.example/)",
      "[nowhere](/nothing-here)",
      "[mail](mailto:a@example.com)",
    ].join(" ");
    const findings = await check({ content });
    expect(findings.every(({ level }) => level === "warns")).toBe(true);
    expect(findings.map(({ code, where }) => `${code} ${where}`)).toEqual([
      "broken-link https://",
      "insecure-link http://a.example/",
      "empty-link nothing",
      "unnamed-link https://a.example/",
      "dead-link https://gone.example/",
      "dead-link https://lost.example/",
      "missing-page /nothing-here",
    ]);
  });

  it.each([
    "http://127.0.0.1/",
    "http://localhost/",
    "https://10.0.0.1/",
    "https://169.254.169.254/latest/meta-data/",
    "https://[::1]/",
    "https://[::ffff:10.0.0.1]/",
    "https://router.local/",
    "https://a.internal/",
    "https://a.example:8443/",
    "https://2130706433/",
  ])("are never requested at %s", async (url) => {
    const codes = await codesOf({ content: `[a](${url})` });
    expect(codes.some((code) => code === "dead-link" || code === "broken-link")).toBe(true);
    expect(asked).toEqual([]);
  });

  it("are followed redirect by redirect, but not to a private address, and not endlessly", async () => {
    const redirect = (to: string) => () => new Response("", { status: 302, headers: { Location: to } });
    answers["https://a.example/"] = redirect("/b");
    answers["https://a.example/b"] = ok;
    answers["https://evil.example/"] = redirect("http://127.0.0.1:8787/api/admin");
    answers["https://loop.example/"] = redirect("https://loop.example/");
    expect(await codesOf({ content: "[a](https://a.example/)" })).toEqual([]);
    const findings = await check({ content: "[e](https://evil.example/) [l](https://loop.example/)" });
    expect(findings.map(({ message }) => message)).toEqual([
      expect.stringContaining("isn’t public"),
      expect.stringContaining("in a loop"),
    ]);
    expect(asked.filter((line) => line.includes("127.0.0.1"))).toEqual([]);
    expect(asked.length).toBeLessThan(20);
  });

  it("are limited to twenty, six concurrently, with a timeout for each", async () => {
    let running = 0;
    let most = 0;
    const content = Array.from({ length: 30 }, (_, n) => {
      answers[`https://a.example/${n}`] = async ({ signal }) => {
        most = Math.max(most, ++running);
        expect(signal).toBeInstanceOf(AbortSignal);
        await Promise.resolve();
        await new Promise((done) => setTimeout(done));
        running--;
        return ok();
      };
      return `[a](https://a.example/${n})`;
    }).join(" ");
    expect(await codesOf({ content })).toEqual([]);
    expect(asked).toHaveLength(20);
    expect(most).toBe(6);
  });
});
