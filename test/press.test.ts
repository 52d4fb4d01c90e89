import { sql } from "drizzle-orm";
import { describe, expect, it, vi } from "vitest";
import { NewPressItem, type PressItem } from "#worker/press/contract.ts";
import { createPressItem } from "#worker/press/commands.ts";
import { listPress } from "#worker/press/queries.ts";
import { updateSite } from "#worker/settings/commands.ts";
import { contextAs, fetchSite, ownerContext, visitorContext } from "./support/client.ts";
import { aPressItem, unique } from "./support/factories.ts";
import { open, titleOf } from "./support/pages.ts";
import { plansOf } from "./support/plans.ts";

async function saved(overrides: Partial<NewPressItem> = {}) {
  const input = aPressItem(overrides);
  return { ...input, ...(await createPressItem(ownerContext(), input)) };
}
const coverage = (overrides: Partial<NewPressItem> = {}) => saved({ type: "media_coverage", ...overrides });

/** Deletes the items of earlier tests. */
const clear = () => ownerContext().db.run(sql`delete from press_items`);

async function apiPress(query = "") {
  const response = await fetchSite(`/api/press${query}`);
  return { response, body: (await response.json()) as { items: PressItem[]; next: string | null } };
}

describe("the press page without any item", () => {
  it("shows a message for each list, and links to the media kit", async () => {
    const { response, html, text } = await open("/media");
    expect(response.status).toBe(200);
    expect(text).toContain("No coverage yet");
    expect(text).toContain("No press releases yet");
    expect(html).toContain('href="/media-kit"');
  });
});

describe("a new press item", () => {
  it("needs a title, a date and a summary, and names the missing one", () => {
    const complaints = (input: object) =>
      NewPressItem.safeParse(input).error?.issues.map(({ message }) => message);
    expect(complaints({ title: " ", date: "", summary: "" })).toEqual([
      "Title is required",
      "Date is required",
      "Summary is required",
    ]);
    expect(complaints({ title: "T", date: "2026-02-30", summary: "S" })).toEqual(["Date is required"]);
  });

  it("is a published press release by default", async () => {
    const item = { title: "T", date: "2026-01-01", summary: "S", link: "" };
    const { values } = await createPressItem(ownerContext(), item);
    expect(values).toEqual({
      ...item,
      type: "press_release",
      published: true,
      content: "",
      outlet: "",
      mediaType: "",
      link: null,
    });
  });

  it.each(["javascript:alert(1)", "data:text/html,x", "example.com"])("cannot link to %s", (link) => {
    expect(NewPressItem.safeParse({ title: "T", date: "2026-01-01", summary: "S", link }).success).toBe(
      false,
    );
  });

  it("is refused from a visitor and from a user who may not edit", async () => {
    await expect(createPressItem(visitorContext(), aPressItem())).rejects.toMatchObject({
      code: "unauthenticated",
    });
    const reader = contextAs("user");
    await expect(createPressItem(reader, aPressItem())).rejects.toMatchObject({ code: "forbidden" });
  });

  it("loses anything in its text that could run", async () => {
    await saved({
      title: `Hostile ${unique()}`,
      content: "**Bold** <script>alert(1)</script> [x](javascript:alert(1))",
    });
    const { items } = await listPress(visitorContext(), { type: "press_release" });
    const html = items[0]?.contentHtml ?? "";
    expect(html).toContain("<strong>Bold</strong>");
    expect(html).not.toMatch(/<script|javascript:/);
  });
});

describe("the press lists", () => {
  it("show published items only, newest first, each kind in its own", async () => {
    await clear();
    const older = await coverage({ date: "2025-01-01" });
    const newer = await coverage({ date: "2026-01-01" });
    const sameDay = await coverage({ date: "2026-01-01" });
    const hidden = await coverage({ published: false });
    const release = await saved();
    const { items } = await listPress(visitorContext(), { type: "media_coverage" });
    expect(items.map(({ id }) => id)).toEqual([sameDay.id, newer.id, older.id]);
    const both = await listPress(visitorContext());
    expect(both.items.map(({ id }) => id)).toEqual([release.id, sameDay.id, newer.id, older.id]);
    expect(JSON.stringify(both)).not.toContain(hidden.title);
  });

  it("are paged by key, and lose nothing between pages when several items share a day", async () => {
    await clear();
    const made: number[] = [];
    for (let n = 0; n < 7; n++) {
      const kind = n % 2 === 0 ? coverage : saved;
      made.unshift((await kind({ date: n < 5 ? "2026-05-05" : "2026-06-06" })).id);
    }
    const seen: number[] = [];
    let before: string | undefined;
    do {
      const page = await listPress(visitorContext(), { before, limit: 2 });
      expect(page.items.length).toBeLessThanOrEqual(2);
      seen.push(...page.items.map(({ id }) => id));
      before = page.next ?? undefined;
    } while (before);
    expect(seen).toEqual(made);
  });

  it("read at most one page's rows of the index", async () => {
    const steps = (await plansOf((ctx) => listPress(ctx, { type: "press_release" }))).join("; ");
    expect(steps).toContain("press_items_shown");
    expect(steps).not.toContain("TEMP B-TREE");
  });
});

describe("GET /api/press", () => {
  it("returns published items of both kinds, or of one", async () => {
    await clear();
    const clip = await coverage({ outlet: "Harbour FM", link: "https://example.org/1", mediaType: "Radio" });
    const release = await saved({ content: "Text." });
    await saved({ published: false });
    const { response, body } = await apiPress();
    expect(response.status).toBe(200);
    expect(body.next).toBeNull();
    expect(body.items.map(({ id }) => id)).toEqual([release.id, clip.id]);
    expect(body.items[1]).toEqual({
      id: clip.id,
      type: "media_coverage",
      title: clip.title,
      summary: clip.summary,
      outlet: "Harbour FM",
      mediaType: "Radio",
      date: Date.UTC(2026, 2, 4),
      link: "https://example.org/1",
      contentHtml: "",
    });
    expect((await apiPress("?type=press_release")).body.items.map(({ id }) => id)).toEqual([release.id]);
  });

  it("refuses an unknown kind or parameter, and a forged cursor", async () => {
    expect((await apiPress("?type=gossip")).response.status).toBe(422);
    expect((await apiPress("?page=2")).response.status).toBe(422);
    expect((await apiPress("?before=yesterday")).response.status).toBe(404);
  });
});

describe("/media", () => {
  it("shows coverage with outlet, date, kind and a link, and releases that open in place", async () => {
    await clear();
    await updateSite(ownerContext(), { name: "Imogen Tarrant", contactEmail: "hello@example.com" });
    const clip = await coverage({
      outlet: "Harbour FM",
      mediaType: "Radio",
      link: "https://example.org/clip",
    });
    const release = await saved({ content: "The **whole** text.", link: "https://example.org/original" });
    const bare = await saved({ link: "https://example.org/elsewhere" });
    const { response, html, text } = await open("/media");
    expect(response.status).toBe(200);
    expect(titleOf(html)).toBe("Media | Imogen Tarrant");
    expect(html).toContain('rel="canonical" href="http://localhost:8787/media"');
    expect(text).toMatch(new RegExp(`Media Coverage.*Harbour FM.*Mar 4, 2026.*${clip.title}.*Radio`));
    expect(text).toContain("Official Press Releases");
    expect(html).toMatch(new RegExp(`<a href="https://example.org/clip"[^>]*>${clip.title}</a>`));
    const details = /<details[\s\S]*?<\/details>/.exec(html)?.[0] ?? "";
    expect(details).toContain(release.title);
    expect(details).toContain("The <strong>whole</strong> text.");
    expect(details).toContain('href="https://example.org/original"');
    expect(html).toMatch(new RegExp(`<a href="https://example.org/elsewhere"[^>]*>${bare.title}</a>`));
    expect(html.match(/<details/g)).toHaveLength(1);
    expect(html).toContain('href="mailto:hello@example.com"');
  });

  it("has one h1, and heading levels without gaps", async () => {
    const { html } = await open("/media");
    const levels = [...html.matchAll(/<h(\d)/g)].map(([, level]) => Number(level));
    expect(levels.filter((level) => level === 1)).toHaveLength(1);
    levels.forEach((level, place) => expect(level - (levels[place - 1] ?? 0)).toBeLessThanOrEqual(1));
  });

  it("links to older items of each list without losing the other", async () => {
    await clear();
    for (let day = 10; day < 25; day++)
      await coverage({ date: `2020-01-${day}`, title: `Clip of day ${day}` });
    const release = await saved();
    const { html, text } = await open("/media");
    expect(text).not.toContain("Clip of day 10");
    const older = /href="(\/media\?coverage=[^"#]+)#coverage"/.exec(html)?.[1] ?? "";
    const second = await open(older);
    expect(second.text).toContain("Clip of day 10");
    expect(second.text).toContain(release.title);
    expect((await open("/media?coverage=1-1")).text).toContain("No older coverage");
    expect((await open("/media?releases=1-1")).text).toContain("No older press releases");
    expect((await open("/media?coverage=soon")).response.status).toBe(404);
  });

  it("shows and opens the item that a search result links to, however old; the other list stays", async () => {
    await clear();
    const old = await saved({ date: "2019-01-01", title: "An old announcement", content: "Its text." });
    const oldClip = await coverage({ date: "2019-01-01", title: "An old clip" });
    for (let day = 10; day < 25; day++) {
      await saved({ date: `2020-01-${day}`, content: "Text." });
      await coverage({ date: `2020-01-${day}`, title: `Clip of day ${day}` });
    }
    expect((await open("/media")).html).not.toContain(`id="press-${old.id}"`);
    const { html, text } = await open(`/media?item=${old.id}`);
    expect(html).toContain(`id="press-${old.id}"`);
    const opened = html.match(/<details open[\s\S]*?<\/details>/g);
    expect(opened).toHaveLength(1);
    expect(opened?.[0]).toContain("An old announcement");
    expect(text).toContain("Clip of day 24");
    expect((await open(`/media?item=${oldClip.id}`)).text).toContain("An old clip");
  });

  it("shows the newest items for a link to one of them, or to a hidden one", async () => {
    await clear();
    const hidden = await coverage({ date: "2019-01-01", published: false });
    for (let day = 10; day < 25; day++)
      await coverage({ date: `2020-01-${day}`, title: `Clip of day ${day}` });
    const shown = await coverage({ date: "2020-01-23" });
    for (const item of [shown.id, hidden.id, 999_999, "soon", "-1"]) {
      expect((await open(`/media?item=${item}`)).text).toContain("Clip of day 24");
    }
  });

  it("runs only the statements for settings, show and the two lists", async () => {
    const { response } = await open("/media");
    expect(response.headers.get("Server-Timing")).toContain('"4 statements, ');
  });

  it("shows an error when the items cannot be read, with a button to retry", async () => {
    const log = vi.spyOn(console, "error").mockImplementation(() => {});
    const { db } = ownerContext();
    await db.run(sql`alter table press_items rename to press_items_away`);
    const { response, html, text } = await open("/media");
    await db.run(sql`alter table press_items_away rename to press_items`);
    log.mockRestore();
    expect(response.status).toBe(500);
    expect(text).toContain("Failed to load media. Please try again later. An unexpected error occurred.");
    expect(text).toContain("Try Again");
    expect(html).not.toContain("no such table");
  });
});
