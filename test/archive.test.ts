import { beforeEach, describe, expect, it } from "vitest";
import { listPublicLetters } from "#worker/letters/archive.ts";
import { letters } from "#worker/letters/table.ts";
import { siteDefaults } from "#worker/settings/contract.ts";
import { archivedLetter, setArchive } from "./support/archive.ts";
import { fetchSite, jobContext } from "./support/client.ts";
import { open } from "./support/pages.ts";
import { plansOf } from "./support/plans.ts";

const DAY = 86_400_000;
const { db } = jobContext();

const textOf = async (path: string) => (await fetchSite(path)).text();
const statusOf = async (path: string) => (await fetchSite(path)).status;

beforeEach(async () => {
  await db.delete(letters);
  await setArchive(true);
});

describe("a letter in the archive", () => {
  it.each([
    ["sending", { status: "sending" }],
    ["paused", { status: "paused" }],
    ["sent", { status: "sent" }],
  ] as const)("is readable as soon as it is sent: %s", async (_what, values) => {
    const id = await archivedLetter({ ...values, subject: "On rent & more", preheader: "What we heard." });
    const { html } = await open(`/letters/${id}`);
    expect(html).toContain("On rent &amp; more</h1>");
    expect(html).toContain("<p>Words.</p>");
    expect(html).toContain("What we heard.");
    expect(html).toContain('name="robots" content="index, follow"');
    expect((await open("/letters")).html).toContain(`href="/letters/${id}"`);
  });

  it.each([
    ["a draft", { status: "draft", startedAt: null }],
    ["scheduled", { status: "scheduled", startedAt: null }],
    ["cancelled", { status: "cancelled" }],
    ["kept to its readers", { isPublic: false }],
  ] as const)("is missing: %s", async (_what, values) => {
    const id = await archivedLetter({ ...values, subject: "Secret words" });
    expect(await statusOf(`/letters/${id}`)).toBe(404);
    for (const path of ["/letters", "/sitemap.xml", `/letters/${id}`, "/rss/letters.xml"]) {
      expect(await textOf(path), path).not.toContain("Secret words");
    }
    expect(await textOf("/sitemap.xml")).not.toContain(`/letters/${id}`);
  });

  it("is missing with a link to the other letters, or home while the archive is off", async () => {
    const mainOf = async () => /<main[\s\S]*<\/main>/.exec((await open("/letters/999999999")).html)?.[0];
    expect(await mainOf()).toMatch(/<a[^>]* href="\/letters"[^>]*>All letters<\/a>/);
    await setArchive(false);
    expect(await mainOf()).toMatch(/<a[^>]* href="\/"[^>]*>Return to Home<\/a>/);
  });

  it("is found by number alone", async () => {
    for (const id of ["0", "999999999", "1234567890", "first", "-1", "1.5"]) {
      expect(await statusOf(`/letters/${id}`), id).toBe(404);
    }
  });
});

describe("the archive", () => {
  it("is missing while it is switched off", async () => {
    const id = await archivedLetter();
    await setArchive(false);
    for (const path of ["/letters", "/letters?before=1-1", `/letters/${id}`, "/rss/letters.xml"]) {
      expect(await statusOf(path), path).toBe(404);
    }
    expect(await textOf("/sitemap.xml")).not.toContain("/letters");
    expect(await textOf("/llms.txt")).not.toContain("letters");
    expect(await textOf("/")).not.toContain('href="/letters"');
  });

  it("is in the footer, the sitemap and llms.txt while it is switched on", async () => {
    const startedAt = new Date("2026-11-03T04:05:06Z");
    const id = await archivedLetter({ startedAt });
    expect(await textOf("/")).toContain('href="/letters"');
    const sitemap = await textOf("/sitemap.xml");
    expect(sitemap).toMatch(/\/letters<\/loc>\s*<lastmod>2026-11-03T04:05:06.000Z/);
    expect(sitemap).toMatch(new RegExp(`/letters/${id}</loc>\\s*<lastmod>2026-11-03T04:05:06.000Z`));
    expect(await textOf("/llms.txt")).toContain("/letters)");
    expect(await textOf("/llms.txt")).toContain("/rss/letters.xml)");
  });

  it("shows a message while it is empty", async () => {
    expect((await open("/letters")).html).toContain("No letters yet");
  });

  it("is paged by key, the newest first", async () => {
    const now = Date.now();
    const ids: number[] = [];
    // Two at the same moment are in the order of their numbers.
    for (let n = 0; n < 45; n++) {
      ids.push(await archivedLetter({ startedAt: new Date(now - Math.floor(n / 2) * DAY) }));
    }
    const seen: number[] = [];
    let path: string | undefined = "/letters";
    while (path) {
      const { html } = await open(path);
      seen.push(...[...html.matchAll(/href="\/letters\/(\d+)"/g)].map(([, id]) => Number(id)));
      path = /href="(\/letters\?before=[^"]+)"/.exec(html)?.[1];
    }
    const inOrder = ids.toSorted(
      (a, b) => Math.floor(ids.indexOf(a) / 2) - Math.floor(ids.indexOf(b) / 2) || b - a,
    );
    expect(seen).toEqual(inOrder);
    expect((await open("/letters?before=1-1")).html).toContain("No older letters");
    expect(await statusOf("/letters?before=nonsense")).toBe(404);
  });

  it("reads no more of its index than a page", async () => {
    const site = Promise.resolve({ newsletter: { ...siteDefaults.newsletter, archive: true } });
    const ways = [{}, { before: "1-1" }];
    for (const way of ways) {
      expect(await plansOf((ctx) => listPublicLetters(ctx, { site, ...way }))).toEqual([
        expect.stringMatching(/^(SCAN|SEARCH) letters USING INDEX letters_public/),
      ]);
    }
  });
});
