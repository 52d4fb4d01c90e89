import { createExecutionContext, createScheduledController, waitOnExecutionContext } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { eq, sql } from "drizzle-orm";
import { beforeAll, describe, expect, test } from "vitest";
import { eraseItem } from "#worker/bin/commands.ts";
import type { Role, Scope } from "#worker/access/contract.ts";
import { createArticle, updateArticle } from "#worker/articles/commands.ts";
import { listPublishedArticles, readArticle } from "#worker/articles/queries.ts";
import { filePlaces, fileReferences } from "#worker/nouns/list.ts";
import { createUpload, deleteFile } from "#worker/files/commands.ts";
import type { FileListQuery } from "#worker/files/contract.ts";
import { updateFile } from "#worker/files/library/commands.ts";
import { listFiles, listUnfinishedFiles, readFile } from "#worker/files/library/queries.ts";
import { files } from "#worker/files/table.ts";
import { tick } from "#worker/jobs.ts";
import { updatePage } from "#worker/pages/commands.ts";
import { pageDefaults } from "#worker/pages/defaults.ts";
import { createContext } from "#worker/platform/context.ts";
import { errorOf } from "./support/accounts.ts";
import { fetchSite, jobContext, ownerContext, signedIn, SITE, visitorContext } from "./support/client.ts";
import { publishedEpisode, storedFile, storedImage, unique } from "./support/factories.ts";
import { deliverAll } from "./support/outbox.ts";
import { begunUpload } from "./support/files.ts";
import { savedLetter } from "./support/letters.ts";
import { open } from "./support/pages.ts";
import { byToken, tokenWith } from "./support/tokens.ts";

const nouns = { references: fileReferences, places: filePlaces };
const names = async (query?: FileListQuery) =>
  (await listFiles(ownerContext(), query)).items.map(({ name }) => name);
const aWord = () => `word${unique()}x`;

describe("the list of files", () => {
  test("shows the newest first, each with its type, its use and its description", async () => {
    const word = aWord();
    const picture = await storedImage({ name: `${word}-harbour.jpg`, alt: "The harbour at dawn" });
    const audio = await storedFile({ name: `${word} talk.mp3` });
    await storedFile({ name: `${word}_report.pdf`, type: "application/pdf", durationSeconds: null });
    await publishedEpisode({ audioFileId: audio.id });
    const { items } = await listFiles(ownerContext(), { q: word });
    expect(items.map(({ name, kind, isUsed, isKept, alt }) => [name, kind, isUsed, isKept, alt])).toEqual([
      [`${word}_report.pdf`, "other", false, false, ""],
      [`${word} talk.mp3`, "audio", true, false, ""],
      [`${word}-harbour.jpg`, "picture", false, false, "The harbour at dawn"],
    ]);
    expect(items[2]).toMatchObject({ id: picture.id, url: `/media/${picture.key}`, width: 1600 });
  });

  test("is searched by name and description, and filtered by kind and use", async () => {
    const word = aWord();
    const described = await storedImage({ name: "a.jpg" });
    await updateFile(ownerContext(), described.id, { alt: `The ${word} bridge` }, nouns);
    await storedImage({ name: `${word}-b.jpg` });
    const used = await storedImage({ name: `${word}-c.jpg` });
    await storedFile({ name: `${word}-d.mp3` });
    await createArticle(ownerContext(), { title: "Uses it", imageFileId: used.id });
    const found = (query: FileListQuery) => names({ q: word, ...query });
    expect(await found({})).toEqual([`${word}-d.mp3`, `${word}-c.jpg`, `${word}-b.jpg`, "a.jpg"]);
    expect(await found({ kind: "picture" })).toEqual([`${word}-c.jpg`, `${word}-b.jpg`, "a.jpg"]);
    expect(await found({ used: "yes" })).toEqual([`${word}-c.jpg`]);
    expect(await found({ kind: "picture", used: "no" })).toEqual([`${word}-b.jpg`, "a.jpg"]);
    expect(await names({ q: `${word} bri` })).toEqual(["a.jpg"]);
    expect(await names({ q: "…" })).toEqual([]);
    await deleteFile(ownerContext(), described.id, fileReferences);
    expect(await names({ q: `${word} bri` })).toEqual([]);
  });

  test("lists unfinished uploads separately", async () => {
    const upload = await begunUpload(ownerContext());
    expect((await listFiles(ownerContext())).items.some(({ id }) => id === upload.id)).toBe(false);
    const unfinished = (await listUnfinishedFiles(ownerContext())).find(({ id }) => id === upload.id);
    expect(unfinished).toMatchObject({ received: 1, status: "uploading" });
    await expect(readFile(ownerContext(), upload.id, fileReferences)).rejects.toMatchObject({
      code: "not_found",
    });
  });

  test("costs at most three statements and 200 rows among 5,000 files, for any query", async () => {
    const { db } = ownerContext();
    await db.run(
      sql.raw(`insert into files (id, key, folder, name, type, size, part_size, status, alt, created_by, created_at, completed_at)
        with recursive numbered (n) as (select 1 union all select n + 1 from numbered where n < 5000)
        select 'many-' || n, 'uploads/many-' || n || '/a.png', 'uploads', 'rent ' || n || '.png',
          iif(n % 500, 'image/png', 'audio/mpeg'), 1, 1, 'complete', 'Of homes', 'owner', n, n from numbered`),
    );
    // The background indexing, which these rows would get within minutes, is not needed here.
    await db.run("delete from search_pending");
    const [{ number } = { number: 0 }] = await db.select({ number: sql<number>`max(number)` }).from(files);
    const queries: FileListQuery[] = [
      {},
      { q: "rent" },
      { q: "rent hom", kind: "audio" },
      { kind: "audio" },
      { kind: "picture", used: "no" },
      { used: "yes" },
      { q: "homes", before: String(number - 2500) },
      { before: String(number - 2500) },
    ];
    for (const query of queries) {
      // D1 only reports rows for reads that are batched.
      const ctx = createContext(env, { actor: ownerContext().actor, reads: "any-replica" });
      await listFiles(ctx, query);
      await listUnfinishedFiles(ctx);
      // One of them is the list of unfinished files.
      expect(ctx.d1.statements).toBeLessThanOrEqual(query.q === undefined ? 2 : 4);
      expect(ctx.d1.rowsRead).toBeGreaterThan(0);
      expect(ctx.d1.rowsRead, JSON.stringify(query)).toBeLessThanOrEqual(200);
    }
    const first = await listFiles(ownerContext(), { q: "rent" });
    const second = await listFiles(ownerContext(), { q: "rent", before: first.next! });
    expect([first.items[0]?.name, first.items[29]?.name, second.items[0]?.name]).toEqual([
      "rent 5000.png",
      "rent 4971.png",
      "rent 4970.png",
    ]);
    await db.run(sql`delete from files where id like 'many-%'`);
    for (const before of ["x", "-1", "1e3"])
      await expect(listFiles(ownerContext(), { before })).rejects.toMatchObject({ code: "not_found" });
  });

  test("needs the edit capability", async () => {
    for (const read of [
      () => listFiles(visitorContext()),
      () => listUnfinishedFiles(visitorContext()),
      () => readFile(visitorContext(), "none", fileReferences),
    ])
      await expect(read()).rejects.toMatchObject({ code: "unauthenticated" });
  });
});

describe("the description of a file", () => {
  const altOf = async (slug: string) => (await readArticle(visitorContext(), slug)).article.picture?.alt;
  const shownBy = async (imageAlt: string, imageFileId: string) => {
    const { slug } = await createArticle(ownerContext(), {
      title: `Shows it ${unique()}`,
      status: "published",
      imageFileId,
      imageAlt,
    });
    return slug;
  };

  test("is shown where an article has no description of its picture, and changes no other description", async () => {
    const picture = await storedImage({ alt: "The harbour" });
    const [silent, own] = [await shownBy("", picture.id), await shownBy("Boats at rest", picture.id)];
    expect([await altOf(silent), await altOf(own)]).toEqual(["The harbour", "Boats at rest"]);
    await updateFile(ownerContext(), picture.id, { alt: "The harbour at dawn" }, nouns);
    expect([await altOf(silent), await altOf(own)]).toEqual(["The harbour at dawn", "Boats at rest"]);
    const { items } = await listPublishedArticles(visitorContext());
    expect(items.find(({ slug }) => slug === silent)?.picture?.alt).toBe("The harbour at dawn");
  });

  test("is taken from the first item that describes the picture", async () => {
    const picture = await storedImage();
    const readAlt = async () => (await readFile(ownerContext(), picture.id, fileReferences)).file.alt;
    const { id } = await createArticle(ownerContext(), { title: "Silent", imageFileId: picture.id });
    expect(await readAlt()).toBe("");
    await updateArticle(ownerContext(), id, { imageAlt: "A ferry" });
    expect(await readAlt()).toBe("A ferry");
    await publishedEpisode({ imageFileId: picture.id, imageAlt: "Another ferry" });
    expect(await readAlt()).toBe("A ferry");
  });

  test.each([
    ["article", "articles:write", "/admin/articles"],
    ["episode", "episodes:write", "/admin/episodes"],
  ] as const)("is taken from a token’s %s only with the scope to publish", async (_, scope, path) => {
    const picture = await storedImage();
    const slug = await shownBy("", picture.id);
    const draft = { title: "A draft", imageFileId: picture.id, imageAlt: "Not the harbour" };
    const write = async (scopes: Scope[]) => {
      const token = await tokenWith(scopes);
      const created = await byToken(token, "POST", path, draft);
      expect(created.status).toBe(201);
      const { id } = await created.json<{ id: number }>();
      const changed = await byToken(token, "PATCH", `${path}/${id}`, { imageAlt: "A ferry" });
      expect(changed.status).toBe(200);
    };
    await write([scope]);
    expect(await altOf(slug)).toBe("");
    await write([scope, "publish"]);
    expect(await altOf(slug)).toBe("Not the harbour");
  });
});

describe("a file of the library", () => {
  async function runDaily(inDays: number) {
    const execution = createExecutionContext();
    const scheduledTime = new Date(Date.now() + inDays * 24 * 60 * 60 * 1000);
    await tick(createScheduledController({ cron: "17 3 * * *", scheduledTime }), env, execution);
    await waitOnExecutionContext(execution);
    await deliverAll(jobContext({ now: scheduledTime, clock: () => scheduledTime }));
  }
  const isThere = async ({ key }: { key: string }) => (await env.MEDIA.head(key)) !== null;

  test("is kept while unused, until it is deleted by hand", async () => {
    const [kept, loose] = [await storedImage({ keptAt: new Date() }), await storedImage()];
    const later = await storedImage();
    await updateFile(ownerContext(), later.id, { kept: true }, nouns);
    await runDaily(1);
    await runDaily(2);
    expect(await Promise.all([kept, loose, later].map(isThere))).toEqual([true, false, true]);
    await deleteFile(ownerContext(), kept.id, fileReferences);
    await eraseItem(ownerContext(), `file:${kept.id}`);
    expect(await isThere(kept)).toBe(false);
  });

  test("is kept from its upload on", async () => {
    const file = { name: "a.png", size: 10, folder: "uploads" as const };
    const uploads = [
      await createUpload(ownerContext(), { ...file, kept: true }),
      await createUpload(ownerContext(), file),
    ];
    const keptAt = uploads.map(async ({ id }) => {
      const [row] = await jobContext().db.select({ at: files.keptAt }).from(files).where(eq(files.id, id));
      return row?.at !== null;
    });
    expect(await Promise.all(keptAt)).toEqual([true, false]);
  });

  test("in use cannot be deleted, and the error names its first use", async () => {
    const picture = await storedImage();
    await createArticle(ownerContext(), { title: "On maps", imageFileId: picture.id });
    await publishedEpisode({ imageFileId: picture.id });
    await expect(deleteFile(ownerContext(), picture.id, fileReferences)).rejects.toMatchObject({
      code: "conflict",
      message: "This file is in use: by the article “On maps” and 1 other place.",
    });
  });
});

describe("a file that a letter and a legal page use", () => {
  let id: string;
  let paths: string[];

  beforeAll(async () => {
    const picture = await storedImage();
    const content = `![A map](/media/${picture.key})`;
    const letter = await savedLetter({ subject: "Of secret rents", content });
    const legal = pageDefaults["privacy-policy"];
    await updatePage(ownerContext(), "privacy-policy", { ...legal, body: { markdown: content } });
    paths = [`/admin/newsletter/${letter.id}`, "/admin/articles/pages/privacy-policy"];
    ({ id } = picture);
  });

  async function seenBy(role: Role) {
    const { cookie } = await signedIn(role);
    const headers = { cookie, Origin: SITE };
    const page = await open(`/admin/podcast/files/${id}`, { headers });
    const refused = await fetchSite(`/api/admin/files/${id}`, { method: "DELETE", headers });
    const { message: refusal } = (await errorOf(refused)) as { message: string };
    return { ...page, links: paths.map((path) => page.html.includes(`href="${path}"`)), refusal };
  }

  test("shows an admin both uses, with links", async () => {
    const { mainText, links, refusal } = await seenBy("admin");
    expect(mainText).toContain("Of secret rents Letter Privacy Policy Page ");
    expect(links).toEqual([true, true]);
    expect(refusal).toBe("This file is in use: by the letter “Of secret rents” and 1 other place.");
  });

  test("shows an editor the uses without the letter’s subject, and without links", async () => {
    const { html, mainText, links, refusal } = await seenBy("editor");
    expect(mainText).toContain("A letter Letter, admins only Privacy Policy Page, admins only ");
    expect(links).toEqual([false, false]);
    expect(html).not.toContain("Of secret rents");
    expect(refusal).toBe("This file is in use: by a letter and 1 other place.");
  });
});
