import { env } from "cloudflare:workers";
import { beforeEach, describe, expect, it } from "vitest";
import { pageSlugs, type PageInput, type PageSlug } from "#worker/pages/contract.ts";
import { pageDefaults } from "#worker/pages/defaults.ts";
import { updatePage } from "#worker/pages/commands.ts";
import { listPages, readPageForEdit } from "#worker/pages/owner-queries.ts";
import { readPage } from "#worker/pages/queries.ts";
import { restorePage } from "#worker/pages/restore-commands.ts";
import { pages } from "#worker/pages/table.ts";
import { listRevisions, readRevision } from "#worker/revisions/queries.ts";
import { revisions } from "#worker/revisions/table.ts";
import { settings } from "#worker/settings/table.ts";
import { publishedArticle } from "./support/articles.ts";
import { contextOf, fetchSite, ownerContext, signedIn, SITE, visitorContext } from "./support/client.ts";
import { publishedEpisode } from "./support/factories.ts";
import { open } from "./support/pages.ts";
import migration from "../migrations/0022_home_page.sql?raw";

const owner = ownerContext;
const editor = () =>
  contextOf({
    kind: "user",
    id: "e",
    email: "e@example.com",
    fullName: "Edda",
    role: "editor",
    sessionId: "s",
    authenticatedAt: new Date(),
  });

beforeEach(async () => {
  const { db } = owner();
  await db.batch([db.delete(pages), db.delete(revisions)]);
});

const mission = (headline: string): PageInput<"mission"> => ({ ...pageDefaults.mission, headline });
const ofMission = { kind: "page", item: "mission" } as const;

describe("the owner's list of pages", () => {
  it("lists each page, with the time and user of its last change", async () => {
    const before = await listPages(owner());
    expect(before.items.map(({ slug }) => slug)).toEqual(pageSlugs);
    expect(before.items.every(({ updatedAt, savedBy }) => updatedAt === 0 && savedBy === null)).toBe(true);
    const { updatedAt } = await updatePage(editor(), "mission", mission("First"));
    const { items } = await listPages(owner());
    expect(items.find(({ slug }) => slug === "mission")).toEqual({
      slug: "mission",
      updatedAt,
      savedBy: "Edda",
    });
  });

  it("leaves the legal ones out for an editor", async () => {
    const { items } = await listPages(editor());
    expect(items.map(({ slug }) => slug)).toEqual(pageSlugs.filter((slug) => !/privacy|terms/.test(slug)));
  });
});

describe("a page's form", () => {
  it("has the defaults, overridden by the saved values", async () => {
    expect(await readPageForEdit(owner(), "about")).toEqual({
      slug: "about",
      updatedAt: 0,
      values: pageDefaults.about,
    });
    const saved = await updatePage(owner(), "about", { ...pageDefaults.about, headline: "Mine" });
    expect(await readPageForEdit(owner(), "about")).toEqual(saved);
    expect(saved.values.headline).toBe("Mine");
  });

  it("gives a field that was added later its default", async () => {
    const { db, now } = owner();
    const content = { written: { headline: "Old" }, shown: { headline: "Old" } };
    await db.insert(pages).values({ slug: "mission", content, embeddedFileIds: [], updatedAt: now });
    expect((await readPageForEdit(owner(), "mission")).values).toEqual(mission("Old"));
  });
});

describe("saving a page", () => {
  it("refuses a save based on an older version or on one that never existed", async () => {
    const first = await updatePage(owner(), "mission", { ...mission("First"), basedOn: 0 });
    const second = await updatePage(owner(), "mission", { ...mission("Second"), basedOn: first.updatedAt });
    expect(second.updatedAt).toBeGreaterThan(first.updatedAt);
    for (const basedOn of [0, first.updatedAt, 1]) {
      const change = { ...mission("Lost"), basedOn };
      await expect(updatePage(owner(), "mission", change)).rejects.toMatchObject({ code: "conflict" });
    }
    expect((await readPage(visitorContext(), "mission")).headline).toBe("Second");
  });

  it("accepts one of thirty saves based on the same version", async () => {
    for (const basedOn of [0, undefined]) {
      const { db } = owner();
      await db.batch([db.delete(pages), db.delete(revisions)]);
      const saves = Array.from({ length: 30 }, (_, number) =>
        updatePage(owner(), "mission", { ...mission(`Number ${number}`), basedOn }),
      );
      const outcomes = await Promise.allSettled(saves);
      const done = outcomes.filter(({ status }) => status === "fulfilled").length;
      expect(done).toBeGreaterThan(0);
      if (basedOn === 0) expect(done).toBe(1);
      for (const outcome of outcomes)
        if (outcome.status === "rejected") expect(outcome.reason).toMatchObject({ code: "conflict" });
      const { items } = await listRevisions(owner(), ofMission);
      // The default, too.
      expect(items).toHaveLength(done + 1);
    }
  });

  it.each<[string, PageSlug, object, string]>([
    ["a headline that is empty", "about", { headline: " " }, "headline"],
    ["a headline of two lines", "about", { headline: "a\nb" }, "headline"],
    ["a text that is too long", "about", { standfirst: "x".repeat(601) }, "standfirst"],
    ["a heading that is empty", "speaking", { topicsTitle: "" }, "topicsTitle"],
    ["seven arenas", "about", { arenas: titled(7) }, "arenas"],
    ["a card without a title", "guest", { steps: [{ title: "", text: "" }] }, "steps.0.title"],
    ["a kind twice", "contact", { kinds: kinds("media", "media") }, "kinds.1.type"],
    ["an unknown lead", "home", { lead: "podcast" }, "lead"],
    ["a day that is none", "terms-of-service", { since: "2026-02-30" }, "since"],
    [
      "a long text beyond its limit",
      "mission",
      { statement: { markdown: "x".repeat(60_001) } },
      "statement.markdown",
    ],
    ["HTML in place of Markdown", "mission", { statement: { html: "<b>" } }, "statement.markdown"],
  ])("refuses %s", async (_, slug, change, field) => {
    const input = { ...pageDefaults[slug], ...change } as PageInput;
    await expect(updatePage(owner(), slug, input)).rejects.toMatchObject({ code: "invalid", field });
    expect((await listPages(owner())).items.every(({ updatedAt }) => updatedAt === 0)).toBe(true);
  });
});

describe("the versions of a page", () => {
  it("begin with the default, and list the changed fields and the user of each save", async () => {
    await updatePage(editor(), "mission", { ...mission("First"), statement: { markdown: "Words." } });
    await updatePage(owner(), "mission", { ...mission("First"), statement: { markdown: "Others." } });
    await updatePage(owner(), "mission", { ...mission("First"), statement: { markdown: "Others." } });
    const { items } = await listRevisions(owner(), ofMission);
    const changes = items.map((item) => item.changes?.map(({ field }) => field) ?? null);
    expect(changes).toEqual([["statement"], ["headline", "statement"], null]);
    expect(items[1]).toMatchObject({ savedBy: "Edda", isAutomatic: false });
    const { values } = await readRevision(owner(), ofMission, items[2]!.id);
    expect(values).toEqual(pageDefaults.mission);
  });

  it("can be restored, which is a version, too", async () => {
    await updatePage(owner(), "mission", { ...mission("First"), statement: { markdown: "*Words*" } });
    const { updatedAt } = await updatePage(owner(), "mission", mission("Second"));
    const { items } = await listRevisions(owner(), ofMission);
    const first = items[1]!;
    const restored = await restorePage(owner(), "mission", first.id, { basedOn: updatedAt });
    expect(restored.values.headline).toBe("First");
    expect((await readPage(visitorContext(), "mission")).statement.html).toBe("<p><em>Words</em></p>");
    const [newest] = (await listRevisions(owner(), ofMission)).items;
    expect(newest).toMatchObject({ restoredFrom: first.savedAt });
    // Asked for again, it is done already.
    expect(await restorePage(owner(), "mission", first.id, { basedOn: updatedAt })).toEqual(restored);
    const second = items[0]!;
    await expect(restorePage(owner(), "mission", second.id, { basedOn: updatedAt })).rejects.toMatchObject({
      code: "conflict",
    });
  });

  it("cannot be restored to another page", async () => {
    await updatePage(owner(), "mission", mission("First"));
    const { updatedAt } = await updatePage(owner(), "contact", pageDefaults.contact);
    const [{ id } = { id: 0 }] = (await listRevisions(owner(), ofMission)).items;
    await expect(restorePage(owner(), "contact", id, { basedOn: updatedAt })).rejects.toMatchObject({
      code: "not_found",
    });
  });

  it("of a legal page are an admin's", async () => {
    await updatePage(owner(), "privacy-policy", { ...pageDefaults["privacy-policy"], headline: "Privacy" });
    const of = { kind: "page", item: "privacy-policy" } as const;
    const [{ id } = { id: 0 }] = (await listRevisions(owner(), of)).items;
    const forbidden = { code: "forbidden" };
    await expect(listRevisions(editor(), of)).rejects.toMatchObject(forbidden);
    await expect(readRevision(editor(), of, id)).rejects.toMatchObject(forbidden);
    await expect(restorePage(editor(), "privacy-policy", id, { basedOn: 1 })).rejects.toMatchObject(
      forbidden,
    );
    await expect(readPageForEdit(editor(), "privacy-policy")).rejects.toMatchObject(forbidden);
  });
});

describe("a preview", () => {
  const ask = async (slug: string, body: object, role: "editor" | "admin" = "admin") => {
    const { cookie } = await signedIn(role);
    const response = await fetchSite(`/api/admin/pages/${slug}/preview`, {
      method: "POST",
      headers: { Cookie: cookie, "Content-Type": "application/json", Origin: SITE },
      body: JSON.stringify(body),
    });
    return { response, body: (await response.json()) as { html: string; error?: { field: string } } };
  };
  /** Without when it was rendered, which forms say. */
  const mainOf = (html: string) => /<main[\s\S]*<\/main>/.exec(html)?.[0].replaceAll(/value="\d{13}"/g, "");

  it.each(pageSlugs)("of %s is the page as it will be, and saves nothing", async (slug) => {
    const changed = { ...pageDefaults[slug], headline: "Only <in> the preview" };
    const { body } = await ask(slug, changed);
    expect(body.html).toContain("Only &lt;in&gt; the preview</h1>");
    expect((await listPages(owner())).items.every(({ updatedAt }) => updatedAt === 0)).toBe(true);
    await updatePage(owner(), slug, changed);
    const path = { home: "/", booking: "/speaking/book" }[slug as string] ?? `/${slug}`;
    expect(mainOf(body.html)).toBe(mainOf((await open(path)).html));
  });

  it("never reaches a visitor, even during a concurrent request", async () => {
    const asked = Array.from({ length: 10 }, (_, number) =>
      number % 2 ? open("/mission") : ask("mission", mission("Not yet")),
    );
    for (const answer of await Promise.all(asked))
      if ("html" in answer) expect(answer.html).not.toContain("Not yet");
  });

  it("renders Markdown by the sanitiser", async () => {
    const { body } = await ask("mission", {
      ...mission("M"),
      statement: { markdown: "*Words* <script>alert(1)</script> [x](javascript:alert(2))" },
    });
    expect(body.html).toContain("<em>Words</em>");
    expect(body.html).not.toContain("<script");
    expect(body.html).not.toMatch(/alert\(1\)<\/script>|javascript:alert/);
  });

  it("says which field cannot be shown", async () => {
    const { response, body } = await ask("mission", { ...mission(" ") });
    expect(response.status).toBe(422);
    expect(body.error?.field).toBe("headline");
  });
});

describe("the front page", () => {
  const lead = async (choice: PageInput<"home">["lead"]) => {
    await updatePage(owner(), "home", { ...pageDefaults.home, lead: choice });
    return /<h2 class="headline text-2xl"><a[^>]*>([^<]*)/.exec((await open("/")).html)?.[1];
  };

  it("has the lead that the owner chose, and shows each item once", async () => {
    const later = Date.now() - 1000;
    await publishedEpisode({ title: "Older episode", publishedAt: later - 1000 });
    await publishedArticle({ title: "Newer essay", publishedAt: later });
    expect(await lead("episode")).toBe("Older episode");
    expect(await lead("essay")).toBe("Newer essay");
    const { main } = await open("/");
    expect(main.match(/>Newer essay</g)).toHaveLength(1);
    expect(await lead("newest")).toBe("Newer essay");
    await publishedEpisode({ title: "Newest episode", publishedAt: later + 500 });
    expect(await lead("newest")).toBe("Newest episode");
  });

  it("has the texts that were in the settings before", async () => {
    const { db } = owner();
    const words = {
      headline: "It’s “mine”",
      standfirst: "Two\nlines",
      building: [{ title: "A", text: "B", to: "/mission" }],
      principles: [{ title: "P", text: "" }],
    };
    const site = { name: "Kept", ...words } as object;
    await db
      .insert(settings)
      .values({ id: 1, site, updatedAt: new Date() })
      .onConflictDoUpdate({ target: settings.id, set: { site } });
    for (const statement of migration.split("--> statement-breakpoint"))
      await env.DB.prepare(statement.replace(/^--.*$/gm, "")).run();
    const { values } = await readPageForEdit(owner(), "home");
    expect(values).toEqual({ ...pageDefaults.home, ...words });
    expect((await readPage(visitorContext(), "home")).principles).toEqual(words.principles);
    const [row] = await db.select().from(settings);
    expect(row!.site).toEqual({ name: "Kept" });
  });
});

function titled(number: number) {
  return Array.from({ length: number }, (_, at) => ({ title: `Number ${at}`, text: "" }));
}

function kinds(...types: string[]) {
  return types.map((type) => ({ type, title: "A", text: "" }));
}
