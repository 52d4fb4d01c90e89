import { eq, sql } from "drizzle-orm";
import { beforeEach, describe, expect, it } from "vitest";
import { createPressItem, deletePressItem, updatePressItem } from "#worker/press/commands.ts";
import type { NewPressItem, PressListQuery } from "#worker/press/contract.ts";
import { listPressItems, previewPressItem, readPressItemForEdit } from "#worker/press/owner-queries.ts";
import { listPress } from "#worker/press/queries.ts";
import { pressItems } from "#worker/press/table.ts";
import { fetchSite, ownerContext, signedIn, visitorContext } from "./support/client.ts";
import { aPressItem, storedImage } from "./support/factories.ts";
import { plansOf } from "./support/plans.ts";

const saved = (overrides: Partial<NewPressItem> = {}) =>
  createPressItem(ownerContext(), aPressItem(overrides));
const titles = async (query: PressListQuery = {}) =>
  (await listPressItems(ownerContext(), query)).items.map(({ title }) => title);
const shown = async () => (await listPress(visitorContext())).items.map(({ title }) => title);

beforeEach(() => ownerContext().db.delete(pressItems));

describe("the owner's list of media items", () => {
  const four = async () => {
    await saved({ title: "Old release", date: "2025-01-01" });
    await saved({ title: "Draft coverage", date: "2026-01-01", type: "media_coverage", published: false });
    await saved({ title: "Draft release", date: "2026-02-01", published: false });
    await saved({ title: "Coverage on the wireless", date: "2026-02-01", type: "media_coverage" });
  };

  it("has drafts too, by date, the newest first", async () => {
    await four();
    expect(await titles()).toEqual([
      "Coverage on the wireless",
      "Draft release",
      "Draft coverage",
      "Old release",
    ]);
  });

  it.each<[PressListQuery, string[]]>([
    [{ type: "press_release" }, ["Draft release", "Old release"]],
    [{ status: "draft" }, ["Draft release", "Draft coverage"]],
    [{ type: "media_coverage", status: "published" }, ["Coverage on the wireless"]],
    [{ q: "cover" }, ["Coverage on the wireless", "Draft coverage"]],
    [{ q: "RELEASE", status: "draft" }, ["Draft release"]],
    [{ q: "…" }, []],
    [{ q: 'nothing" OR title:*' }, []],
  ])("is narrowed by %j", async (query, expected) => {
    await four();
    expect(await titles(query)).toEqual(expected);
  });

  it("is searched by summary, outlet and text too", async () => {
    await saved({ title: "One", outlet: "Harbour FM" });
    await saved({ title: "Two", summary: "Of the harbour." });
    await saved({ title: "Three", content: "By the *harbour* wall.", published: false });
    await saved({ title: "Four" });
    expect((await titles({ q: "harb" })).toSorted()).toEqual(["One", "Three", "Two"]);
  });

  it("finds no title of another noun that has the same number", async () => {
    const { id } = await saved({ title: "Plain" });
    await ownerContext().db.run(sql`insert into categories (id, name, slug, description, color)
      values (${id}, 'Wanted', ${`wanted-${id}`}, '', '#6366f1')
      on conflict (id) do update set name = 'Wanted'`);
    expect(await titles({ q: "wanted" })).toEqual([]);
  });

  it("pages by key, and loses no item when several share a day", async () => {
    const made: string[] = [];
    for (let n = 0; n < 65; n++) {
      const type = n % 2 ? "media_coverage" : "press_release";
      const { values } = await saved({ type, published: n % 3 > 0, date: "2026-05-05", title: `Title ${n}` });
      made.unshift(values.title);
    }
    for (const q of [undefined, "title"]) {
      const seen: string[] = [];
      let before: string | undefined;
      do {
        const page = await listPressItems(ownerContext(), { before, q });
        seen.push(...page.items.map(({ title }) => title));
        before = page.next ?? undefined;
      } while (before);
      expect(seen).toEqual(made);
    }
  });

  it("reads no more of the table than a page of each type and status", async () => {
    const steps = (await plansOf((ctx) => listPressItems(ctx))).join("; ");
    expect(steps).toContain("press_items_shown");
    expect(steps).not.toContain("TEMP B-TREE");
  });
});

describe("a change of a media item", () => {
  it("leaves missing fields unchanged, and clears empty ones", async () => {
    const given = {
      outlet: "Harbour FM",
      mediaType: "Radio",
      link: "https://a.example/",
      content: "**Words**",
    };
    const { id } = await saved(given);
    await updatePressItem(ownerContext(), id, { title: "Renamed" });
    expect((await readPressItemForEdit(ownerContext(), id)).values).toMatchObject({
      ...given,
      title: "Renamed",
    });
    await updatePressItem(ownerContext(), id, { link: "", outlet: "", date: "2027-01-31" });
    const { values } = await readPressItemForEdit(ownerContext(), id);
    expect(values).toMatchObject({ link: null, outlet: "", date: "2027-01-31", content: "**Words**" });
  });

  it("renders the text again, sanitised, and records the files that it shows", async () => {
    const { id } = await saved({ content: "Before." });
    const picture = await storedImage();
    const content = `**After** <script>alert(1)</script> [x](javascript:alert(1))\n\n![A hall](/media/${picture.key})`;
    await updatePressItem(ownerContext(), id, { content });
    const [row] = await ownerContext().db.select().from(pressItems).where(eq(pressItems.id, id));
    expect(row?.contentHtml).toContain("<strong>After</strong>");
    expect(row?.contentHtml).not.toMatch(/<script|javascript:/);
    expect(row?.contentText).not.toContain("Before");
    expect(row?.embeddedFileIds).toEqual([picture.id]);
  });

  it("hides it from visitors and shows it again", async () => {
    const { id, values } = await saved();
    await updatePressItem(ownerContext(), id, { published: false });
    expect(await shown()).toEqual([]);
    await updatePressItem(ownerContext(), id, { published: true });
    expect(await shown()).toEqual([values.title]);
  });

  it("is refused when the item was changed since it was opened, also among concurrent ones", async () => {
    const { id, updatedAt: basedOn } = await saved();
    const answers = await Promise.allSettled(
      Array.from({ length: 30 }, (_, n) =>
        updatePressItem(ownerContext(), id, { title: `Title ${n}`, basedOn }),
      ),
    );
    expect(answers.filter(({ status }) => status === "fulfilled")).toHaveLength(1);
    await expect(updatePressItem(ownerContext(), id, { title: "Late", basedOn })).rejects.toMatchObject({
      code: "conflict",
    });
  });

  it("is removed when the item is deleted", async () => {
    const { id } = await saved();
    await deletePressItem(ownerContext(), id);
    expect(await shown()).toEqual([]);
    for (const late of [deletePressItem(ownerContext(), id), updatePressItem(ownerContext(), id, {})])
      await expect(late).rejects.toMatchObject({ code: "not_found" });
  });
});

it("the preview equals the page, and refuses a too long text", async () => {
  const { html } = await previewPressItem(ownerContext(), { content: "# News <img src=x onerror=alert(1)>" });
  expect(html).toContain("News");
  expect(html).not.toContain("onerror");
  await expect(previewPressItem(ownerContext(), { content: "x ".repeat(60_000) })).rejects.toMatchObject({
    code: "invalid",
    field: "content",
  });
});

it("the admin API lists, creates, reads, changes and deletes", async () => {
  const { cookie } = await signedIn("editor");
  const call = (method: string, path = "", body?: unknown) =>
    fetchSite(`/api/admin/press${path}`, {
      method,
      headers: { Cookie: cookie, "Content-Type": "application/json" },
      body: body === undefined ? undefined : JSON.stringify(body),
    });
  const created = await call("POST", "", aPressItem({ title: "By HTTP", published: false }));
  expect(created.status).toBe(201);
  const { id } = (await created.json()) as { id: number };
  const row = { id, title: "By HTTP", type: "press_release", outlet: "", published: false };
  expect(await (await call("GET", "?status=draft&q=http")).json()).toEqual({
    items: [{ ...row, date: Date.UTC(2026, 2, 4) }],
    next: null,
  });
  expect(await (await call("GET", `/${id}`)).json()).toMatchObject({ id, values: { date: "2026-03-04" } });
  const changed = await call("PATCH", `/${id}`, { published: true });
  expect([changed.status, await changed.json()]).toMatchObject([200, { values: { published: true } }]);
  for (const wrong of ["?status=archived", "?type=gossip", "?page=2"])
    expect((await call("GET", wrong)).status).toBe(422);
  expect((await call("GET", "?before=yesterday")).status).toBe(404);
  expect((await call("PATCH", `/${id}`, { colour: "red" })).status).toBe(422);
  expect((await call("DELETE", `/${id}`)).status).toBe(204);
  expect((await call("DELETE", `/${id}`)).status).toBe(404);
});
