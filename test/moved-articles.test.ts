import { and, eq, inArray } from "drizzle-orm";
import { beforeAll, expect, test } from "vitest";
import { deleteArticle, updateArticle } from "#worker/articles/commands.ts";
import { oldAddressOf } from "#worker/articles/contract.ts";
import { readArticleForEdit } from "#worker/articles/owner-queries.ts";
import { articles } from "#worker/articles/table.ts";
import { fileReferences } from "#worker/nouns/list.ts";
import { sweepFiles } from "#worker/files/library/sweep.ts";
import { files } from "#worker/files/table.ts";
import { claimNext } from "#worker/imports/claims.ts";
import { importMovedArticle } from "#worker/imports/importers/article.ts";
import type { MovedArticle } from "#worker/imports/importers/contract.ts";
import { findKnownArticles } from "#worker/imports/importers/queries.ts";
import {
  addItems,
  createImport,
  pauseImport,
  resumeImport,
  retryItems,
  startImport,
} from "#worker/imports/import-commands.ts";
import { listItems } from "#worker/imports/import-queries.ts";
import type { Context } from "#worker/platform/context.ts";
import { publishedArticle } from "./support/articles.ts";
import { fetchSite, jobContext, SITE } from "./support/client.ts";
import { itemRows, lapseClaims, progressOf, workThrough } from "./support/imports.ts";
import { askedFor, HOST, movedArticle, mover, movingJob, nextSeed, serve } from "./support/moving.ts";
import { pngOf } from "./support/png.ts";
import { sweepsAll } from "./support/sweeps.ts";

const ctx = mover();
const MINUTE = 60_000;
const inMinutes = (minutes: number) => movingJob({ now: new Date(Date.now() + minutes * MINUTE) });

/** A different picture at the old host. */
async function picture(shade: number) {
  const path = `/pictures/${nextSeed()}.png`;
  const bytes = (await pngOf(24, 16, shade)).toBase64();
  await serve({ path, headers: { "Content-Type": "text/plain" }, bytes });
  return HOST + path;
}

const anArticle = (fields: Partial<MovedArticle> = {}) => movedArticle({ tags: ["One"], ...fields });

async function started(payloads: MovedArticle[], keys = payloads.map(() => `ghost ${nextSeed()}`)) {
  const { id } = await createImport(ctx, { kind: "articles", source: "Ghost: a.json" });
  const items = payloads.map((payload, n) => ({ key: keys[n]!, title: payload.title, payload }));
  for (let at = 0; at < items.length; at += 100)
    await addItems(ctx, id, { items: items.slice(at, at + 100) });
  await startImport(ctx, id);
  return { id, keys };
}

async function moved(payloads: MovedArticle[], job: Context = movingJob()) {
  const { id, keys } = await started(payloads);
  await workThrough(id, job);
  const { items } = await listItems(ctx, id);
  return { id, keys, items, ids: items.map(({ result }) => Number(result)) };
}

const filesAt = async (urls: string[]) =>
  ctx.db
    .select()
    .from(files)
    .where(
      and(
        inArray(
          files.key,
          urls.map((url) => url.replace("/media/", "")),
        ),
        eq(files.status, "complete"),
      ),
    );

let door = "";
beforeAll(async () => {
  door = await picture(90);
});

test("an article is imported with its date, tags, cover and pictures, whose addresses are on this site", async () => {
  const wall = await picture(120);
  const article = anArticle({
    content: `![A *door*](https://picture.invalid/0)\n\nWords ![Wall](https://picture.invalid/1 "Title").`,
    image: 0,
    imageAlt: "A red door",
    pictures: [door, wall],
  });
  const { items, ids } = await moved([article]);
  expect(items).toMatchObject([{ state: "done", message: null }]);
  const { values } = await readArticleForEdit(ctx, ids[0]!);
  expect(values).toMatchObject({
    title: article.title,
    slug: article.slug,
    status: "published",
    publishedAt: article.at,
    tags: ["One"],
    imageAlt: "A red door",
    imageFileId: expect.any(String),
    source: "original",
  });
  const urls = [...values.content.matchAll(/\((\/media\/\S+?)[ )]/g)].map(([, url]) => url!);
  expect(urls).toHaveLength(2);
  expect(await filesAt(urls)).toMatchObject([
    { type: "image/png", width: 24 },
    { type: "image/png", width: 24 },
  ]);
  const served = await fetchSite(urls[0]!);
  expect([served.status, served.headers.get("Content-Type")]).toEqual([200, "image/png"]);
  await served.arrayBuffer();
});

test("the same picture is fetched once and is one file, however many articles show it", async () => {
  const shared = await picture(33);
  const articlesOf = () =>
    Array.from({ length: 3 }, () =>
      anArticle({ content: "![](https://picture.invalid/0)", pictures: [shared] }),
    );
  const { ids } = await moved(articlesOf());
  const again = await moved(articlesOf());
  const contents = await Promise.all(
    [...ids, ...again.ids].map(async (id) => (await readArticleForEdit(ctx, id)).values.content),
  );
  expect(new Set(contents).size).toBe(1);
  expect(await askedFor(shared.replace(HOST, ""))).toHaveLength(1);
});

test("a picture that cannot be fetched becomes a link with a note, and the article is imported", async () => {
  const to = (Location: string) => ({ status: 302, headers: { Location } });
  const answers = [
    { path: `/p/${nextSeed()}/private.png`, ...to("http://10.0.0.1/a.png") },
    { path: `/p/${nextSeed()}/metadata.png`, ...to("http://169.254.169.254/latest") },
    { path: `/p/${nextSeed()}/page.png`, body: "<html>Not found</html>" },
    { path: `/p/${nextSeed()}/huge.png`, bytes: new Uint8Array(10_500_000).toBase64() },
  ];
  await serve(...answers);
  const addresses = [
    `${HOST}/p/gone (1).png`,
    "ftp://old.example/x.png",
    ...answers.map(({ path }) => HOST + path),
  ];
  const content = addresses.map((_, n) => `![Picture ${n}](https://picture.invalid/${n})`).join("\n\n");
  const { items, ids } = await moved([anArticle({ content, pictures: addresses, image: 0 })]);
  expect(items).toMatchObject([
    { state: "done", message: expect.stringContaining("6 pictures couldn’t be imported") },
  ]);
  expect(items[0]!.message).toMatch(
    /nothing at its address \(404\).*isn’t public.*isn’t a picture.*larger than 10 MB/s,
  );
  const { values } = await readArticleForEdit(ctx, ids[0]!);
  expect(values.content).toContain(`![Picture 0](${HOST}/p/gone%20%281%29.png)`);
  expect(values.imageFileId).toBeNull();
  expect(await ctx.db.select().from(files).where(eq(files.status, "uploading"))).toEqual([]);
});

test("a picture that was swept while the import was paused is fetched again", async () => {
  const [first, second] = [await picture(51), await picture(52)];
  const busy = { path: second.replace(HOST, ""), status: 503 };
  await serve(busy);
  const content = "![One](https://picture.invalid/0) ![Two](https://picture.invalid/1)";
  const { id } = await started([anArticle({ content, pictures: [first, second] })]);
  await workThrough(id, movingJob());
  await pauseImport(ctx, id);
  const days = 24 * 60 * MINUTE * 2;
  await sweepFiles(jobContext(), fileReferences);
  await sweepFiles(jobContext({ now: new Date(Date.now() + days) }), fileReferences);
  await serve({ ...busy, status: 200, bytes: (await pngOf(24, 16, 52)).toBase64() });
  await resumeImport(ctx, id);
  await workThrough(id, movingJob({ now: new Date(Date.now() + days) }));
  const [item] = await itemRows(id);
  expect(item).toMatchObject({ state: "done", message: null });
  const { values } = await readArticleForEdit(ctx, Number(item!.result));
  const urls = [...values.content.matchAll(/\((\/media\/\S+?)\)/g)].map(([, url]) => url!);
  expect(await filesAt(urls)).toHaveLength(2);
  expect(await askedFor(first.replace(HOST, ""))).toHaveLength(2);
});

test("addresses on this machine are only requested if the setting allows it", async () => {
  const { id } = await started([
    anArticle({ content: "![](https://picture.invalid/0)", pictures: [await picture(7)] }),
  ]);
  const job = movingJob();
  await workThrough(id, { ...job, config: { ...job.config, loopback: false } });
  expect(await itemRows(id)).toMatchObject([
    { state: "done", message: expect.stringContaining("isn’t public") },
  ]);
});

test("a busy host is asked again later, and finally the article is imported without the picture", async () => {
  const path = `/p/${nextSeed()}.png`;
  await serve({ path, status: 503 });
  const { id } = await started([
    anArticle({ content: "![B](https://picture.invalid/0)", pictures: [HOST + path] }),
  ]);
  await workThrough(id, movingJob());
  expect(await itemRows(id)).toMatchObject([{ state: "waiting", message: expect.stringContaining("(503)") }]);
  for (const minutes of [2, 4, 6]) await workThrough(id, inMinutes(minutes));
  expect(await itemRows(id)).toMatchObject([{ state: "done", message: expect.stringContaining("(503)") }]);
  expect(await askedFor(path)).toHaveLength(3);
});

test("drafts remain drafts; past schedules are published at their time; future ones remain scheduled", async () => {
  const future = Date.UTC(2099, 0, 1);
  const { ids } = await moved([
    anArticle({ status: "draft", at: Date.UTC(2020, 0, 1) }),
    anArticle({ status: "scheduled", at: Date.UTC(2021, 0, 1) }),
    anArticle({ status: "scheduled", at: future }),
    anArticle({ status: "published", at: future }),
  ]);
  const states = await Promise.all(
    ids.map(async (id) => {
      const { status, publishedAt, scheduledFor, originalPublishedAt } = (await readArticleForEdit(ctx, id))
        .values;
      return [status, publishedAt, scheduledFor, originalPublishedAt];
    }),
  );
  expect(states).toEqual([
    ["draft", null, null, Date.UTC(2020, 0, 1)],
    ["published", Date.UTC(2021, 0, 1), null, null],
    ["scheduled", null, future, null],
    ["scheduled", null, future, null],
  ]);
  await updateArticle(ctx, ids[0]!, { status: "published" });
  expect((await readArticleForEdit(ctx, ids[0]!)).values.publishedAt).toBe(Date.UTC(2020, 0, 1));
});

test("the short addresses of a feed redirect to the imported essays", async () => {
  await moved([anArticle({ oldAddresses: [`/p/w${nextSeed()}`] })]);
  for (const path of ["/feed", "/feed.xml", "/rss", "/rss.xml"]) {
    const { status, headers } = await fetchSite(path);
    expect([path, status, headers.get("Location")]).toEqual([path, 301, `${SITE}/rss/essays.xml`]);
  }
});

test("old addresses redirect to the essay with 301, but never replace a page of the site, nor lead to a draft", async () => {
  const [word, year] = [`w${nextSeed()}`, 2020];
  const article = anArticle({
    oldAddresses: [
      `/${year}/01/02/${word}/`,
      `/p/${word}`,
      `/blog/?p=77${word.slice(1)}`,
      "/about",
      `/essays/old-${word}`,
      `/podcast/${word}`,
    ],
  });
  const draft = anArticle({ status: "draft", oldAddresses: [`/draft-${word}`] });
  const { ids } = await moved([article, draft]);
  const [, , short] = article.oldAddresses;
  const leadsTo = async (path: string): Promise<[number, string | null]> => {
    const response = await fetchSite(path);
    await response.text();
    const location = response.headers.get("Location");
    return [response.status, location && new URL(location, SITE).pathname];
  };
  const here = [301, `/essays/${article.slug}`];
  for (const path of [
    `/${year}/01/02/${word}`,
    `/${year}/01/02/${word.toUpperCase()}/`,
    `/p/${word}/?utm_source=x`,
    short!,
    short!.replace("/blog", ""),
    `/p/${word}?p=999999999`,
    `/essays/old-${word}`,
    `/essays/old-${word}/`,
    `/podcast/${word}`,
    `/podcast/${word}/`,
  ])
    expect([path, ...(await leadsTo(path))]).toEqual([path, ...here]);
  expect(await leadsTo("/about")).toEqual([200, null]);
  expect(await leadsTo("/?p=999999999")).toEqual([302, "/"]);
  expect(await leadsTo("/blog/")).toEqual([301, "/blog"]);
  expect(await leadsTo("/blog/?p=999999999")).toEqual([301, "/blog"]);
  expect((await leadsTo("/blog?p=999999999"))[0]).toBe(404);
  expect((await leadsTo(`/draft-${word}`))[0]).toBe(404);
  await updateArticle(ctx, ids[1]!, { status: "published" });
  expect(await leadsTo(`/draft-${word}`)).toEqual([301, `/essays/${draft.slug}`]);
  await updateArticle(ctx, ids[0]!, { slug: `renamed-${word}` });
  expect(await leadsTo(`/p/${word}`)).toEqual([301, `/essays/renamed-${word}`]);
  await deleteArticle(ctx, ids[0]!);
  expect((await leadsTo(`/p/${word}`))[0]).toBe(404);
});

test.each([
  ["/2020/01/02/A-Slug/", "/2020/01/02/a-slug"],
  ["/%e3%81%82/", "/あ"],
  ["/%zz/", "/%zz"],
  ["/?p=12", "/?p=12"],
  ["/?utm=x&page_id=3", "/?page_id=3"],
  ["/blog/?p=12", "/?p=12"],
  ["/blog?p=12#end", "/?p=12"],
  ["/a?b=/?p=12x", "/a"],
  ["https://evil.example/?p=12", null],
  ["/?p=12abc", null],
  ["/", null],
  ["", null],
  ["//evil.example/x", null],
  [`/${"x".repeat(600)}`, null],
])("%s is normalised to %s", (given, wanted) => expect(oldAddressOf(given)).toBe(wanted));

test("a second import creates no duplicates and does not overwrite edits", async () => {
  const article = anArticle();
  const { ids, keys } = await moved([article]);
  await updateArticle(ctx, ids[0]!, { content: "Edited." });
  const { id } = await started([{ ...article, title: "Renamed there" }], keys);
  await workThrough(id, movingJob());
  expect(await itemRows(id)).toMatchObject([{ state: "skipped", result: String(ids[0]) }]);
  expect((await readArticleForEdit(ctx, ids[0]!)).values).toMatchObject({
    title: article.title,
    content: "Edited.",
  });
  const asked = { keys: [...keys, "ghost none"], slugs: [article.slug, "free-address"] };
  expect(await findKnownArticles(ctx, asked)).toEqual({
    items: [{ id: ids[0], slug: article.slug }, null],
    taken: [article.slug],
    episodes: [],
  });
});

test("an article that a concurrent import creates is not overwritten", async () => {
  const article = anArticle();
  const key = `ghost ${nextSeed()}`;
  const { id } = await started([article], [key]);
  let other = 0;
  const outcome = await importMovedArticle(movingJob(), {
    id: 0,
    importId: 0,
    key,
    title: "",
    payload: { ...article, title: "Renamed there" },
    saved: null,
    details: null,
    // After the check whether it exists, before it is written.
    save: async () => {
      await workThrough(id, movingJob());
      other = Number((await itemRows(id))[0]!.result);
      await updateArticle(ctx, other, { content: "Edited." });
      return true;
    },
  });
  expect(outcome).toMatchObject({ is: "skipped", result: other });
  expect((await readArticleForEdit(ctx, other)).values).toMatchObject({
    title: article.title,
    content: "Edited.",
  });
});

test("an article is dated by when it is written, not by when its message began", async () => {
  const began = new Date(Date.now() + 60 * MINUTE);
  const there = new Date(began.getTime() + 30_000);
  const { ids } = await moved([anArticle()], movingJob({ now: began, clock: () => there }));
  const dates = await ctx.db
    .select({ updatedAt: articles.updatedAt })
    .from(articles)
    .where(eq(articles.id, ids[0]!));
  expect(dates).toEqual([{ updatedAt: there }]);
});

test("two articles with the same title are both imported; one whose address is taken gets another", async () => {
  const { slug } = (await readArticleForEdit(ctx, (await publishedArticle()).id)).values;
  const title = `Twice ${nextSeed()}`;
  const { items, ids } = await moved([
    anArticle({ title, slug: `a-${nextSeed()}` }),
    anArticle({ title, slug }),
  ]);
  expect(new Set(ids).size).toBe(2);
  expect(items[1]).toMatchObject({
    state: "done",
    message: expect.stringContaining("address was already used"),
  });
});

test("an article keeps the guid of its old feed, unless another article has it", async () => {
  const guid = `https://old.example/?post_type=essay&p=${nextSeed()}`;
  const plain = anArticle();
  const { guid: _unknown, ...fromBefore } = anArticle();
  const { ids, items } = await moved([
    anArticle({ guid }),
    anArticle({ guid }),
    plain,
    fromBefore as MovedArticle,
  ]);
  expect(items.map(({ state, message }) => [state, message])).toEqual(items.map(() => ["done", null]));
  const rows = await ctx.db
    .select({ guid: articles.guid })
    .from(articles)
    .where(inArray(articles.id, ids))
    .orderBy(articles.id);
  const own = expect.stringMatching(/^[\da-f-]{36}$/) as string;
  expect(rows.map((row) => row.guid)).toEqual([guid, own, own, own]);
});

test.each(["", "a\u0007b", "a\nb", "x".repeat(256)])("the guid %j is refused", async (guid) => {
  await expect(started([anArticle({ guid })])).rejects.toMatchObject({ code: "invalid" });
});

test("the essays' feed has the guid of the old one", async () => {
  const guid = `https://old.example/?a=1&p=${nextSeed()}`;
  await moved([anArticle({ guid, at: Date.now() - MINUTE })]);
  const xml = await (await fetchSite("/rss/essays.xml")).text();
  expect(xml).toContain(`<guid isPermaLink="false">${guid.replace("&", "&amp;")}</guid>`);
});

test("an article that its own contract refuses fails alone with the message, and can be retried", async () => {
  const { id, items } = await moved([anArticle({ title: " " }), anArticle()]);
  expect(items).toMatchObject([{ state: "failed", message: "Title is required" }, { state: "done" }]);
  expect(await progressOf(id)).toMatchObject({ state: "done", counts: { done: 1, failed: 1 } });
  await expect(retryItems(ctx, id, {})).resolves.toMatchObject({ state: "running" });
});

test("a Worker that is killed in the middle of an import leaves each article imported once", async () => {
  const total = sweepsAll ? 200 : 40;
  const payloads = Array.from({ length: total }, (_, n) =>
    anArticle({ title: `Killed ${n} ${nextSeed()}`, slug: `killed-${n}-${nextSeed()}` }),
  );
  const { id } = await started(payloads);
  // Killed with some claimed; and, below, after an article was written and before its outcome was stored.
  for (let n = 0; n < 3; n++) await claimNext(movingJob(), id);
  await lapseClaims(id);
  // An item reads the clock five times: the last time when its article is written, which is then to be stored.
  let reads = 0;
  const clock = () => {
    if (++reads > 3 * total + 4) throw new Error("killed");
    return new Date();
  };
  await expect(workThrough(id, movingJob({ clock }))).rejects.toThrow("killed");
  await lapseClaims(id);
  await workThrough(id, movingJob({ now: new Date(Date.now() + 60 * MINUTE) }));
  expect(await progressOf(id)).toMatchObject({ state: "done", counts: { total, failed: 0 } });
  const titles = payloads.map(({ title }) => title);
  const rows = await ctx.db.select({ title: articles.title }).from(articles);
  const here = rows.filter(({ title }) => titles.includes(title));
  expect(here).toHaveLength(total);
  expect(new Set(here.map(({ title }) => title)).size).toBe(total);
});

test("an article that was written when the Worker was killed counts as imported", async () => {
  const article = anArticle();
  const { id } = await started([article]);
  const job = movingJob();
  await workThrough(id, job);
  const [row] = await itemRows(id);
  // The state after the write, before its outcome is stored.
  const { importItems } = await import("#worker/imports/table.ts");
  await job.db
    .update(importItems)
    .set({ state: "working", notBefore: new Date(0), saved: { pictures: [], tries: 0, isWriting: true } })
    .where(eq(importItems.id, row!.id));
  const { imports } = await import("#worker/imports/table.ts");
  await job.db.update(imports).set({ state: "running", done: 0 }).where(eq(imports.id, id));
  await workThrough(id, movingJob());
  expect(await itemRows(id)).toMatchObject([{ state: "done", result: row!.result }]);
  expect(await job.db.select().from(articles).where(eq(articles.title, article.title))).toHaveLength(1);
});
