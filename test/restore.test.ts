import { createHash } from "node:crypto";
import { env } from "cloudflare:workers";
import { eq, sql } from "drizzle-orm";
import { beforeAll, beforeEach, describe, expect, it, test } from "vitest";
import { eventRow } from "#worker/accounts/audit-log.ts";
import { followAlertChoice, sendLogAlerts } from "#worker/accounts/log-alerts.ts";
import { chainEntries, checkLog } from "#worker/accounts/log-chain.ts";
import { apiTokens, endedSessions, passkeys, users } from "#worker/accounts/table.ts";
import { createArticle, deleteArticle, updateArticle } from "#worker/articles/commands.ts";
import { createAutomaticLetter, updateAutomaticLetter } from "#worker/automatic-letters/commands.ts";
import { readAutomaticLetterForEdit } from "#worker/automatic-letters/owner-queries.ts";
import { automaticLetterItems } from "#worker/automatic-letters/table.ts";
import { eraseItem } from "#worker/bin/commands.ts";
import { archiveFiles } from "#worker/exports/archive.ts";
import type { Manifest } from "#worker/exports/contract.ts";
import { MOVED_ARTICLES } from "#worker/imports/importers/contract.ts";
import { readTable, readTables } from "#worker/exports/tables.ts";
import {
  cancelImport,
  createImport,
  deleteImport,
  pauseImport,
  resumeImport,
  startImport,
} from "#worker/imports/import-commands.ts";
import { listItems, readImport } from "#worker/imports/import-queries.ts";
import { importKinds } from "#worker/imports/registry.ts";
import { workOn } from "#worker/imports/work.ts";
import { MAIL_TOPIC } from "#worker/mail/message.ts";
import { readMember } from "#worker/members/owner-queries.ts";
import { deleteSubscriber } from "#worker/newsletter/owner-commands.ts";
import { createVenture, deleteVenture } from "#worker/ventures/commands.ts";
import type { Context } from "#worker/platform/context.ts";
import { streamOf } from "#worker/platform/http/stream.ts";
import { signingKeys } from "#worker/platform/table.ts";
import { addPiece, createRestore, startRestore } from "#worker/restores/commands.ts";
import { isOwnAccount } from "#worker/restores/compare-rows.ts";
import { pruneStaged } from "#worker/restores/end-restore.ts";
import { beginObject, completeObject, storeObjectPart } from "#worker/restores/object-commands.ts";
import { readRestore, readRestoreState } from "#worker/restores/queries.ts";
import { isHalfRestored } from "#worker/restores/staging.ts";
import { updateSite } from "#worker/settings/commands.ts";
import { openArchive } from "../src/admin/restore/archive.ts";
import { contextAs, fetchSite, jobContext, ownerContext, signedIn } from "./support/client.ts";
import { archived, fillEmptyTables, restored, sendArchive, unzip } from "./support/archives.ts";
import { emptySite } from "./support/empty-site.ts";
import { publishedEpisode, savedShow, storedImage } from "./support/factories.ts";
import { jobs } from "./support/newsletter.ts";
import { zipOf } from "./support/exports.ts";
import { itemRows, progressOf, still, workThrough } from "./support/imports.ts";
import { readSubscriber } from "#worker/newsletter/owner-queries.ts";
import { aMember } from "./support/members.ts";
import { aTopic } from "./support/topics.ts";
import { aComment, anEnquiry } from "./support/people.ts";
import { setLetter } from "./support/letters.ts";
import { aLetterTo, subscribed } from "./support/sending.ts";

const tablesIn = (files: Map<string, string>) =>
  (JSON.parse(files.get("manifest.json")!) as Manifest).tables.length;

/** All objects of the bucket, since the empty site has another one. */
async function objects() {
  const stored: [R2Object, ArrayBuffer][] = [];
  const { objects: listed } = await env.MEDIA.list({ include: ["httpMetadata", "customMetadata"] });
  for (const object of listed) stored.push([object, await (await env.MEDIA.get(object.key))!.arrayBuffer()]);
  return stored;
}

async function putAll(stored: [R2Object, ArrayBuffer][]) {
  for (const [{ key, httpMetadata, customMetadata }, bytes] of stored)
    await env.MEDIA.put(key, bytes, { httpMetadata, customMetadata });
}

const ADDRESSES = [
  "/rss/podcast.xml",
  "/rss/essays.xml",
  "/sitemap.xml",
  "/api/episodes",
  "/api/articles/quiet",
  "/api/press",
];

async function answers() {
  const found: Record<string, string> = {};
  for (const path of ADDRESSES) {
    const answer = await fetchSite(path);
    found[path] = `${answer.status} ${await answer.text()}`;
  }
  const moved = await fetchSite("/essays/a-quiet-day");
  found["redirect"] = `${moved.status} ${moved.headers.get("Location")}`;
  return found;
}

const NOW = new Date("2026-11-29T12:00:00Z");

describe("a site that is exported, and restored with kills after 4, 8 or 12 statements of each step", () => {
  let before: Map<string, string>;
  let after: Map<string, string>;
  let pagesBefore: Record<string, string>;
  let pagesAfter: Record<string, string>;
  let restoreId: number;
  let kills: number;

  beforeAll(async () => {
    const picture = await storedImage();
    await savedShow({ title: "Plain Ground" });
    await publishedEpisode({
      title: "With times",
      showNotes: "Some **notes**, “quoted”\u0000\u2028 🍋.".replaceAll("\u0000", ""),
      transcript: "WEBVTT\n\n00:00.000 --> 00:02.000\n<v Ada>Good morning.",
    });
    const { id } = await createArticle(ownerContext(), {
      title: "A quiet day",
      content: `Words ${"and more words ".repeat(20_000)}`,
      slug: "a-quiet-day",
      status: "published",
      imageFileId: picture.id,
      imageAlt: "A porch",
    });
    await updateArticle(ownerContext(), id, { slug: "quiet" });
    await subscribed([{}, {}, {}]);
    await aComment({ text: "=1+1", status: "approved" });
    await anEnquiry({ notes: "Call back" });
    await signedIn("super_admin");
    await signedIn("editor");
    await eventRow(ownerContext(), { kind: "login", email: "owner@site.example" });
    await chainEntries(jobContext());
    // Off: one that is on is switched off.
    await createAutomaticLetter(ownerContext(), { name: "Each essay" });
    await fillEmptyTables();
    pagesBefore = await answers();
    const file = await archived({ now: NOW });
    before = await unzip(file);
    const stored = await objects();
    await emptySite();
    await putAll(stored);
    ({ id: restoreId, kills } = await restored(file, { isKilled: true }));
    pagesAfter = await answers();
    after = await unzip(await archived({ now: NOW }));
  });

  it("has each row byte for byte", () => {
    const tables = [...before.keys()].filter((path) => path.startsWith("data/"));
    expect(tables.length).toBeGreaterThan(40);
    for (const path of tables) {
      if (path === "data/security_events.ndjson") continue;
      expect(after.get(path), path).toBe(before.get(path));
    }
    // The restore itself is logged after the events of the archive.
    expect(after.get("data/security_events.ndjson")).toContain(before.get("data/security_events.ndjson"));
  });

  it("continues the chain of the security log", async () => {
    await chainEntries(jobContext());
    expect(await checkLog(ownerContext())).toMatchObject({ checked: expect.any(Number), faults: [] });
  });

  it("has every other file byte for byte", () => {
    expect([...after.keys()]).toEqual([...before.keys()]);
    for (const [path, text] of before) {
      if (path.startsWith("data/") || path === "manifest.json") continue;
      expect(after.get(path), path).toBe(text);
    }
  });

  it("was killed often", () => {
    expect(kills).toBeGreaterThan(30);
  });

  it("answers with the same feeds, answers and redirects", () => {
    expect(pagesAfter).toEqual(pagesBefore);
  });

  it("ends with a report of each table", async () => {
    expect(await readImport(ownerContext(), restoreId)).toMatchObject({
      state: "done",
      counts: { failed: 0 },
    });
    const { items } = await listItems(ownerContext(), restoreId, {});
    expect(items.length).toBeGreaterThan(40);
    const messages: Record<string, string | null> = {};
    for (let next: string | undefined; ;) {
      const page = await listItems(ownerContext(), restoreId, next === undefined ? {} : { before: next });
      for (const { title, message } of page.items) if (message !== null) messages[title] = message;
      if (page.next === null) break;
      next = page.next;
    }
    for (const [title, message] of Object.entries(messages))
      expect(message, title).toMatch(/the same as in the archive|the archive’s hash/);
    const { report } = await readRestore(ownerContext(), restoreId, {});
    expect(report).toEqual({
      tables: tablesIn(before),
      expected: [],
      different: [],
      files: { other: 0, unread: 0 },
    });
  });

  it("refuses to be paused once it has ended, and calls itself a restore", async () => {
    await expect(pauseImport(ownerContext(), restoreId)).rejects.toThrow(
      "You can’t do that now: this restore has finished.",
    );
  });

  it("has no row that refers to a missing one", async () => {
    expect(await jobContext().db.all(sql`pragma foreign_key_check`)).toEqual([]);
  });
});

test("a table that is read alone has the columns and references that it has among all", async () => {
  const ctx = jobContext();
  for (const table of await readTables(ctx)) expect(await readTable(ctx, table.name)).toEqual(table);
  for (const name of ["none", "sessions", "d1_migrations", "search", "search_data"])
    expect(await readTable(ctx, name), name).toBeUndefined();
});

test("the foreign keys are those that D1 knows", async () => {
  const ctx = jobContext();
  for (const { name, references } of await readTables(ctx)) {
    const rows = await ctx.db.all<{ from: string; table: string; to: string; on_delete: string }>(
      sql.raw(`pragma foreign_key_list("${name}")`),
    );
    expect(references.map((reference) => JSON.stringify(reference)).toSorted(), name).toEqual(
      rows
        .map(({ from, table, to, on_delete: rule }) =>
          JSON.stringify({ column: from, table, to, isOwned: rule === "CASCADE" }),
        )
        .toSorted(),
    );
  }
});

describe("an archive that is not one", () => {
  let files: Map<string, string>;
  beforeAll(async () => {
    files = await unzip(await archived());
  });

  const zip = (change: (files: Map<string, string>) => void) => {
    const changed = new Map(files);
    change(changed);
    return zipOf(Object.fromEntries(changed));
  };
  const manifestOf = (change: (manifest: Manifest) => object) =>
    zip((all) => all.set("manifest.json", JSON.stringify(change(JSON.parse(all.get("manifest.json")!)))));
  const opened = async (file: Blob) => {
    const archive = await openArchive(file);
    await archive.check();
    return archive;
  };

  it.each<[string, () => Promise<Blob>, RegExp]>([
    ["half of it", async () => (await zip(() => {})).slice(0, 20_000), /isn’t a whole zip/],
    ["a picture", async () => new Blob(["\u0089PNG"]), /isn’t a whole zip/],
    ["a zip of another program", () => zipOf({ "posts.csv": "a" }), /isn’t an archive of a Rostrum site/],
    [
      "an export of an older version",
      () => zipOf({ "media.txt": "", "README.txt": "" }),
      /older version.*Articles ▸ Import/,
    ],
    ["a manifest of another program", () => zipOf({ "manifest.json": '{"name":"app"}' }), /isn’t an archive/],
    ["a manifest that is not JSON", () => zipOf({ "manifest.json": "{" }), /list of its files can’t be read/],
    [
      "a newer format",
      () => manifestOf((manifest) => ({ ...manifest, version: 2 })),
      /newer version of Rostrum/,
    ],
    [
      "a manifest whose file names escape",
      () =>
        manifestOf((manifest) => ({
          ...manifest,
          tables: [{ ...manifest.tables[0]!, file: "data/../../etc/passwd" }],
        })),
      /list of its files can’t be read/,
    ],
    ["a zip whose file names escape", () => zip((all) => all.set("../evil.txt", "x")), /points outside/],
    [
      "a missing file",
      () => zip((all) => void all.delete("data/articles.ndjson")),
      /“data\/articles.ndjson” is missing/,
    ],
    [
      "a file that the manifest does not name",
      () => zip((all) => all.set("data/more.ndjson", "{}\n")),
      /doesn’t name: “data\/more.ndjson”/,
    ],
    [
      "a larger file",
      () => zip((all) => all.set("data/articles.ndjson", `${all.get("data/articles.ndjson")}{}\n`)),
      /larger than its manifest says/,
    ],
    [
      "a changed letter",
      () =>
        zip((all) =>
          all.set("data/users.ndjson", all.get("data/users.ndjson")!.replace("A editor", "B editor")),
        ),
      /changed or damaged/,
    ],
  ])("is refused: %s", async (_, make, message) => {
    const file = await make();
    await expect(opened(file)).rejects.toThrow(message);
  });

  const create = async (change: (manifest: Manifest) => Manifest) =>
    createRestore(ownerContext(still), {
      source: "a.zip",
      manifest: change(JSON.parse(files.get("manifest.json")!)),
    });

  it.each<[string, (manifest: Manifest) => Manifest, RegExp]>([
    [
      "of an older version",
      (manifest) => ({ ...manifest, migration: "0001_first" }),
      /older version of Rostrum \(0001_first\)/,
    ],
    ["of a newer version", (manifest) => ({ ...manifest, migration: "zzz" }), /newer version/],
    [
      "with an unknown table",
      (manifest) => ({
        ...manifest,
        tables: [...manifest.tables, { ...manifest.tables[0]!, table: "more", file: "data/more.ndjson" }],
      }),
      /no table “more”/,
    ],
    ["without a table", (manifest) => ({ ...manifest, tables: manifest.tables.slice(1) }), /has no table/],
  ])("is refused by the site: one %s", async (_, change, message) => {
    await expect(create(change)).rejects.toThrow(message);
  });

  it("is refused by a site that is not empty, with what it has", async () => {
    await createArticle(ownerContext(), { title: "One", content: "" });
    await expect(create((manifest) => manifest)).rejects.toMatchObject({
      code: "conflict",
      message: expect.stringContaining("articles"),
    });
  });

  it("is refused for everyone but a super admin", async () => {
    for (const role of ["admin", "editor", "user"] as const)
      await expect(readRestoreState(contextAs(role))).rejects.toMatchObject({ code: "forbidden" });
  });

  describe("in an empty site", () => {
    let id: number;
    beforeAll(async () => {
      await emptySite();
      ({ id } = await create((manifest) => manifest));
    });

    it.each([
      ['{"id":1,"nonsense":2}\n', /no column “nonsense” \(line 1\)/],
      ["nonsense\n", /isn’t a row/],
      ['{"id":1}\n', /“slug” is missing/],
      ['{"id":[1]}\n', /isn’t a text or a number/],
      [`{"slug":"${"x".repeat(2_000_001)}"}\n`, /longer than the site can store/],
    ])("is refused with the line: %#", async (text, message) => {
      const piece = { file: "data/articles.ndjson", number: 1, text };
      await expect(addPiece(ownerContext(still), id, piece)).rejects.toThrow(message);
    });

    it("pauses before anything is written if pieces are missing", async () => {
      await startRestore(ownerContext(still), id);
      await workThrough(id);
      expect(await progressOf(id)).toMatchObject({
        state: "paused",
        pausedReason: expect.stringContaining("Only a part of the archive has arrived"),
      });
      expect(await readRestoreState(ownerContext())).toEqual({ isEmpty: true, reason: null });
    });
  });
});

describe("what was erased", () => {
  const idsOf = async (table: string) =>
    (await jobContext().db.all<{ id: string }>(sql.raw(`select id from ${table} order by id`))).map(
      ({ id }) => String(id),
    );
  /** A site with its key of signed links. */
  const newSite = async (secret: string) => {
    await emptySite();
    await jobContext().db.insert(signingKeys).values({ id: 1, secret });
  };
  const venture = () => createVenture(ownerContext(), { name: "A venture", description: "Words." });

  it("is not restored if it was erased while the archive was made", async () => {
    await newSite("one");
    const { id } = await createArticle(ownerContext(), { title: "Erased" });
    await venture();
    const later = Date.now() + 1000;
    await jobContext().db.run(sql`insert into erased values ('articles', ${String(id)}, ${later})`);
    const file = await archived();
    await newSite("two");
    await restored(file);
    expect(await idsOf("articles")).toEqual([]);
    expect(await idsOf("ventures")).toHaveLength(1);
  });

  it("in the same site since is not restored, even if each step is killed", async () => {
    await newSite("one");
    const { subscribers } = await subscribed([{}, {}]);
    const { id } = await venture();
    const file = await archived();
    for (const subscriber of subscribers) await deleteSubscriber(ownerContext(), subscriber.id);
    await deleteVenture(ownerContext(), id);
    await restored(file, { isKilled: true });
    expect(await idsOf("subscribers")).toEqual([]);
    expect(await idsOf("ventures")).toEqual([String(id)]);
    expect(await idsOf("(select item as id from erased)")).toEqual(
      subscribers.map((each) => each.id).toSorted(),
    );
  });

  it("in another site since is restored, because its ids mean other rows", async () => {
    await newSite("one");
    const { id } = await createArticle(ownerContext(), { title: "Of the archive" });
    const file = await archived();
    await newSite("two");
    const other = await createArticle(ownerContext(), { title: "An attempt" });
    await deleteArticle(ownerContext(), other.id);
    expect((await readRestoreState(ownerContext())).reason).toMatch(/it has items in the bin/);
    await eraseItem(ownerContext(), `article:${other.id}`);
    expect(other.id).toBe(id);
    await restored(file);
    expect(await idsOf("articles")).toEqual([String(id)]);
  });

  describe("since the archive was made", () => {
    let file: Blob;
    let kept: string;
    let erased: string;
    beforeEach(async () => {
      await newSite("one");
      const { subscribers } = await subscribed([{}, {}]);
      [kept, erased] = subscribers.map(({ id }) => id) as [string, string];
      file = await archived();
      await deleteSubscriber(ownerContext(), erased);
      await jobContext().db.run(sql`delete from subscribers`);
    });

    it("stays erased in a second restore, after one that was cancelled at its first step", async () => {
      const id = await started(file);
      await stepThrough(id, "begin");
      await cancelImport(ownerContext(), id);
      await jobContext().db.run(sql`delete from erased`);
      await restored(file);
      expect(await idsOf("subscribers")).toEqual([kept]);
    });

    it("stays erased if the restore waits for longer than its pieces are stored", async () => {
      const id = await started(file);
      await stepThrough(id, "begin");
      await pauseImport(ownerContext(), id);
      await pruneStaged(jobContext({ now: new Date(Date.now() + 15 * 86_400_000) }));
      await resumeImport(ownerContext(still), id);
      await workThrough(id);
      expect(await progressOf(id)).toMatchObject({
        state: "paused",
        pausedReason: "A part of the archive is no longer stored. Restore into a new site.",
      });
      await deleteImport(ownerContext(), id);
      await restored(file);
      expect(await idsOf("subscribers")).toEqual([kept]);
    });

    it("is stored until a restore has finished, and no longer", async () => {
      const id = await started(file);
      await stepThrough(id, "begin");
      expect(await storedKeys("restoring/erased")).toHaveLength(1);
      await workThrough(id);
      expect(await storedKeys("restoring/")).toEqual([]);
    });

    it.each([
      ["cancelled", cancelImport],
      [
        "paused and deleted",
        async (ctx: Context, id: number) => {
          await pauseImport(ctx, id);
          await deleteImport(ctx, id);
        },
      ],
    ])("is erased from the rows of a restore that is %s, and its pieces are deleted", async (_, end) => {
      const id = await started(file);
      await stepThrough(id, "data/subscribers.ndjson");
      expect(await idsOf("subscribers")).toEqual([kept, erased].toSorted());
      await end(ownerContext(), id);
      expect(await idsOf("subscribers")).toEqual([kept]);
      expect(await storedKeys("restoring/pieces/")).toEqual([]);
    });

    it("is erased also from rows that come before the site’s keys", async () => {
      await newSite("one");
      const article = await createArticle(ownerContext(), { title: "Erased" });
      file = await archived();
      await deleteArticle(ownerContext(), article.id);
      await eraseItem(ownerContext(), `article:${article.id}`);
      const id = await started(file);
      await stepThrough(id, "data/articles.ndjson");
      expect(await idsOf("articles")).toEqual([String(article.id)]);
      await cancelImport(ownerContext(), id);
      expect(await idsOf("articles")).toEqual([]);
    });

    it("is erased on the next day if the end of the restore was interrupted", async () => {
      const id = await started(file);
      await stepThrough(id, "data/subscribers.ndjson");
      await jobContext().db.run(sql`update imports set state = 'cancelled' where id = ${id}`);
      await pruneStaged(jobContext());
      expect(await idsOf("subscribers")).toEqual([kept]);
      expect(await storedKeys("restoring/pieces/")).toEqual([]);
    });

    it("is not written by a step that is running while the restore is cancelled", async () => {
      const id = await started(file);
      await stepThrough(id, "data/subscribers.ndjson", { isLastLeft: true });
      const ctx = jobContext(still);
      const get = async (key: string) => {
        const object = await ctx.media.get(key);
        await cancelImport(ownerContext(), id);
        return object;
      };
      const media = new Proxy(ctx.media, {
        get: (bucket, name) =>
          name === "get" ? get : (Reflect.get(bucket, name) as () => unknown).bind(bucket),
      });
      await workOn({ ...ctx, media }, id, importKinds);
      expect(await progressOf(id)).toMatchObject({ state: "cancelled" });
      expect(await idsOf("subscribers")).toEqual([]);
    });
  });
});

const started = async (file: Blob) => {
  const id = await sendArchive(ownerContext(still), await openArchive(file));
  await startRestore(ownerContext(still), id);
  return id;
};

/** Works through the steps of a restore up to the first that has this title or key, without it if it is left. */
async function stepThrough(id: number, step: string, { isLastLeft = false } = {}) {
  const rows = await itemRows(id);
  const last = rows.findIndex(({ key, title }) => key === step || title === step);
  expect(last, step).toBeGreaterThanOrEqual(0);
  for (let at = 0; at <= last - Number(isLastLeft); at++) await workOn(jobContext(still), id, importKinds);
}

const storedKeys = async (prefix: string) => (await env.MEDIA.list({ prefix })).objects.map(({ key }) => key);

test("the pieces of an upload that is cancelled are deleted", async () => {
  await emptySite();
  await savedShow({ title: "Plain Ground" });
  const file = await archived();
  await emptySite();
  const id = await sendArchive(ownerContext(still), await openArchive(file));
  expect(await storedKeys("restoring/pieces/")).not.toEqual([]);
  await deleteImport(ownerContext(), id);
  expect(await storedKeys("restoring/")).toEqual([]);
});

test("a restore whose last steps are not added does not start as an import", async () => {
  await emptySite();
  await savedShow({ title: "Plain Ground" });
  const file = await archived();
  await emptySite();
  const id = await sendArchive(ownerContext(still), await openArchive(file));
  await expect(startImport(ownerContext(still), id)).rejects.toThrow("Not all of the archive has arrived.");
  expect(await progressOf(id)).toMatchObject({ state: "open" });
  await startRestore(ownerContext(still), id);
  expect(await progressOf(id)).toMatchObject({ state: "running" });
});

test("what visitors write during a restore with a value that is unique in the archive gives way to it", async () => {
  await emptySite();
  const topic = await aTopic({ name: "Cities" });
  const { subscribers } = await subscribed([{ email: "reader@site.example", topicIds: [topic] }, {}]);
  const member = await aMember({ email: "reader@site.example", source: "free", since: 1000, until: 2000 });
  const commentId = await aComment({ text: "Of the archive", key: "one" });
  const file = await archived();
  await emptySite();
  const id = await started(file);
  await stepThrough(id, "data/comments.ndjson", { isLastLeft: true });
  await subscribed([{ email: "reader@site.example" }, { email: "another@site.example" }]);
  await aComment({ text: "Of a visitor", key: "one" });
  await aComment({ text: "Of another visitor", key: "two" });
  const { db } = jobContext();
  await workThrough(id);
  expect(await progressOf(id)).toMatchObject({ state: "done", counts: { failed: 0 } });
  const found = await db.all<{ id: string; email: string }>(sql`select id, email from subscribers`);
  expect(found).toHaveLength(3);
  expect((await readSubscriber(ownerContext(), subscribers[0]!.id)).topics).toEqual(["Cities"]);
  expect(await readMember(ownerContext(), member.id)).toEqual(member);
  expect(found.find(({ email }) => email === "reader@site.example")?.id).toBe(subscribers[0]!.id);
  expect(
    await db.all<{ id: number; text: string }>(sql`select id, text from comments order by id`),
  ).toMatchObject([{ id: commentId, text: "Of the archive" }, { text: "Of another visitor" }]);
});

describe("the end of a file’s upload", () => {
  const text = "A recording.";
  const key = `podcast-audio/${crypto.randomUUID()}/a.mp3`;
  let id: number;
  const sent = async (words: string) => {
    const sha256 = createHash("sha256").update(text).digest("hex");
    const object = { key, bytes: text.length, sha256, http: {}, custom: {} };
    const { upload } = await beginObject(ownerContext(still), id, object);
    const part = { key, upload: upload!, number: 1 };
    const { etag } = await storeObjectPart(ownerContext(still), id, part, new Response(words).body);
    return { object, upload: upload!, etags: [etag] };
  };
  beforeAll(async () => {
    await emptySite();
    const { manifest } = await openArchive(await archived());
    ({ id } = await createRestore(ownerContext(still), { source: "a.zip", manifest }));
  });

  it("is refused each time that it is repeated for a damaged one", async () => {
    const end = await sent("A recordinG.");
    for (const _ of [1, 2])
      await expect(completeObject(ownerContext(still), id, end)).rejects.toThrow("has arrived damaged");
  });

  it("may be repeated, since its answer may be lost", async () => {
    const end = await sent(text);
    await completeObject(ownerContext(still), id, end);
    await completeObject(ownerContext(still), id, end);
    expect(await (await env.MEDIA.get(key))!.text()).toBe(text);
  });

  it.each([
    ["podcast-audio", "audio/mpeg", "audio/mpeg"],
    ["uploads", "text/vtt; charset=utf-8", "text/vtt; charset=utf-8"],
    ["articles", "image/webp", "image/webp"],
    ["uploads", "text/javascript", "application/octet-stream"],
    ["uploads", "text/html; charset=utf-8", "application/octet-stream"],
    ["uploads", "image/svg+xml", "application/octet-stream"],
    ["uploads", "audio/mpeg, text/html", "application/octet-stream"],
    ["articles", "application/pdf", "application/octet-stream"],
  ])("serves a file in %s of the type %s as %s", async (folder, contentType, served) => {
    const path = `${folder}/${crypto.randomUUID()}/a.bin`;
    const sha256 = createHash("sha256").update(text).digest("hex");
    const object = { key: path, bytes: text.length, sha256, http: { contentType }, custom: {} };
    const { upload } = await beginObject(ownerContext(still), id, object);
    const part = { key: path, upload: upload!, number: 1 };
    const { etag } = await storeObjectPart(ownerContext(still), id, part, new Response(text).body);
    await completeObject(ownerContext(still), id, { object, upload: upload!, etags: [etag] });
    expect((await env.MEDIA.head(path))!.httpMetadata).toMatchObject({ contentType: served });
    await env.MEDIA.delete(path);
  });

  it("deletes no file that it has not joined", async () => {
    await env.MEDIA.delete(key);
    const end = await sent(text);
    await completeObject(ownerContext(still), id, end);
    await env.MEDIA.put(key, "Of another upload");
    await expect(completeObject(ownerContext(still), id, end)).rejects.toThrow("has arrived damaged");
    expect(await (await env.MEDIA.get(key))!.text()).toBe("Of another upload");
  });

  it("and its beginning need a proof of the last hour", async () => {
    const object = { key, bytes: text.length, sha256: "0".repeat(64), http: {}, custom: {} };
    const end = { object, upload: "some", etags: ["some"] };
    const stale = ownerContext(still);
    const authenticatedAt = new Date(stale.now.getTime() - 61 * 60_000);
    stale.actor = { ...stale.actor, authenticatedAt } as typeof stale.actor;
    const refused = { code: "reauthentication_required" };
    await expect(beginObject(stale, id, end.object)).rejects.toMatchObject(refused);
    await expect(completeObject(stale, id, end)).rejects.toMatchObject(refused);
  });

  it("and its beginning are refused once the site has content", async () => {
    await env.MEDIA.delete(key);
    const end = await sent(text);
    await storedImage();
    const refused = { code: "conflict", message: expect.stringMatching(/^This site isn’t empty/) };
    await expect(completeObject(ownerContext(still), id, end)).rejects.toMatchObject(refused);
    await expect(beginObject(ownerContext(still), id, end.object)).rejects.toMatchObject(refused);
  });
});

describe("the report of a restore", () => {
  const { db } = jobContext();

  it("names tables with other rows and their keys, and counts missing files", async () => {
    await emptySite();
    await savedShow({ title: "Plain Ground" });
    const { id: file } = await storedImage();
    const archive = await archived();
    const { length: copies } = (await env.MEDIA.list()).objects;
    await emptySite();
    // As if it had been restored with another value.
    await db.run(
      sql`create trigger other after insert on files begin update files set name = 'other' where id = new.id; end`,
    );
    const { id } = await restored(archive);
    const { report } = await readRestore(ownerContext(), id, {});
    expect(report).toMatchObject({
      expected: [],
      different: [{ table: "files", message: `1 row. Not the archive’s: 1 (${file}).` }],
      files: { other: copies, unread: 0 },
    });
  });

  it("says what differs on purpose, and does not count it as different", async () => {
    await emptySite();
    const account = (id: string, role: "super_admin" | "editor", passwordHash: string | null) => {
      const now = new Date();
      const others = { isActive: true, emailVerified: true, stamp: id, createdAt: now, updatedAt: now };
      return { id, email: "owner@example.com", fullName: "Ada", role, passwordHash, ...others };
    };
    await db.insert(users).values(account("before", "editor", "of the archive"));
    const { domain } = await subscribed([{}]);
    for (const status of ["scheduled", "sending", "draft"] as const) {
      const { id } = await aLetterTo(domain);
      await setLetter(id, { status, scheduledFor: status === "scheduled" ? new Date(1) : null });
    }
    await db.run(sql`insert into analytics_sources (span, start, host, views) values (1, 1, 'a.example', 5)`);
    const automatic = await createAutomaticLetter(ownerContext(), { name: "Each essay", isOn: true });
    await createArticle(ownerContext(), { title: "Waits", status: "published" });
    const archive = await archived();
    await emptySite();
    await db.insert(users).values(account("new", "super_admin", "of this site"));
    await db.insert(passkeys).values({
      id: "key",
      userId: "new",
      credentialId: "credential",
      publicKey: "key",
      counter: 0,
      transports: [],
      name: "A laptop",
      createdAt: new Date(),
    });
    await db.insert(apiTokens).values({
      id: "token",
      hash: "hash",
      userId: "new",
      name: "A script",
      scopes: ["drafts:read"],
      createdAt: new Date(),
    });
    await db.insert(endedSessions).values({ id: "ended", userId: "new", expiresAt: new Date() });
    const id = await started(archive);
    await stepThrough(id, "Compare: analytics_sources", { isLastLeft: true });
    await db.run(sql`update analytics_sources set views = views + 1`);
    // The owner has followed the restore for minutes.
    await db.update(users).set({ lastSeenAt: new Date() });
    await workThrough(id);
    const { report } = await readRestore(ownerContext(), id, {});
    // The owner's devices know the former id.
    expect(await db.$count(passkeys)).toBe(0);
    // Its programs do not.
    expect(await db.select({ owner: apiTokens.userId }).from(apiTokens)).toEqual([{ owner: "before" }]);
    expect(await db.$count(endedSessions)).toBe(0);
    expect(report.different).toEqual([]);
    expect((await readAutomaticLetterForEdit(ownerContext(), automatic.id)).values.isOn).toBe(false);
    expect(await db.select({ status: automaticLetterItems.status }).from(automaticLetterItems)).toEqual([
      { status: "waiting" },
    ]);
    // What waited in the copy is not sent after it is switched on again.
    await updateAutomaticLetter(ownerContext(), automatic.id, { isOn: true });
    expect(await db.select({ status: automaticLetterItems.status }).from(automaticLetterItems)).toEqual([
      { status: "past" },
    ]);
    expect(report.expected).toEqual([
      { table: "analytics_sources", message: "1 row. Counted on since the restore began: 1." },
      {
        table: "automatic_letters",
        message: "1 row. An automatic letter is switched off, because it may have been sent since.",
      },
      {
        table: "letters",
        message:
          "3 rows. A letter became a draft, because its time had passed. A letter that was being sent is paused.",
      },
      { table: "users", message: "1 row. An account that was here keeps its password and its role." },
    ]);
  });

  it("calls nothing of another person an account that was here", async () => {
    const row = { email: "a@b.example", role: "editor", is_active: 1, last_seen_at: null, full_name: "Ada" };
    expect(isOwnAccount(row, { ...row, role: "super_admin" })).toBe(true);
    expect(isOwnAccount(row, { ...row, full_name: null })).toBe(false);
  });

  it("of an earlier version shows the tables that were different", async () => {
    await emptySite();
    await savedShow({ title: "Plain Ground" });
    const archive = await archived();
    await emptySite();
    const { id } = await restored(archive);
    await db.run(
      sql`update import_items set result = iif(key = 'compare-shows', '0', '1') where import_id = ${id} and key glob 'compare-*'`,
    );
    const { report } = await readRestore(ownerContext(), id, {});
    expect(report).toMatchObject({ expected: [], different: [{ table: "shows" }] });
  });

  it("says which rows are left out or have lost a link, since something was deleted during the export", async () => {
    await emptySite();
    const { id } = await createArticle(ownerContext(), { title: "One", slug: "one", status: "published" });
    await updateArticle(ownerContext(), id, { slug: "two" });
    const archive = await archived();
    const files = await unzip(archive);
    expect(files.get("data/article_former_slugs.ndjson")).toContain('"one"');
    // As if the article had been deleted before its table was read.
    const empty = { rows: 0, bytes: 0, sha256: createHash("sha256").digest("hex") };
    const manifest = JSON.parse(files.get("manifest.json")!) as Manifest;
    const tables = manifest.tables.map((table) =>
      table.table === "articles" ? { ...table, ...empty } : table,
    );
    files.set("data/articles.ndjson", "");
    files.set("manifest.json", JSON.stringify({ ...manifest, tables }));
    await emptySite();
    const restore = await restored(await zipOf(Object.fromEntries(files)));
    const { report } = await readRestore(ownerContext(), restore.id, {});
    expect(report.different).toEqual([]);
    expect(report.expected).toContainEqual({
      table: "article_former_slugs",
      message: "1 row. Left out: 1, of something that was deleted while the archive was made.",
    });
  });
});

test("on the free plan, a step takes at most 50 statements, and compares one piece of a table", async () => {
  await emptySite();
  for (const title of ["One", "Two", "Three"])
    await createArticle(ownerContext(), { title, content: "words ".repeat(25_000) });
  for (let n = 0; n < 12; n++) await storedImage();
  const file = await archived();
  await emptySite();
  const id = await started(file);
  const steps: { statements: number; pieces: number; heads: number }[] = [];
  while ((await progressOf(id)).state === "running" && steps.length < 500) {
    const ctx = jobContext(still);
    const step = { statements: 0, pieces: 0, heads: 0 };
    const media = new Proxy(ctx.media, {
      get(bucket, name) {
        const call = (Reflect.get(bucket, name) as (...args: unknown[]) => unknown).bind(bucket);
        if (name === "head") step.heads++;
        return name !== "get"
          ? call
          : (key: string) => {
              if (key.startsWith("restoring/pieces/")) step.pieces++;
              return call(key);
            };
      },
    });
    await workOn({ ...ctx, media, config: { ...ctx.config, plan: "free" } }, id, importKinds);
    steps.push({ ...step, statements: ctx.d1.statements });
  }
  expect(await progressOf(id)).toMatchObject({ state: "done" });
  expect(Math.max(...steps.map(({ statements }) => statements))).toBeLessThanOrEqual(50);
  expect(Math.max(...steps.map(({ pieces }) => pieces))).toBe(1);
  expect(Math.max(...steps.map(({ heads }) => heads))).toBeLessThanOrEqual(5);
  const { items } = await readRestore(ownerContext(), id, { state: "done" });
  expect(items.items.filter(({ title }) => title === "data/articles.ndjson").length).toBeGreaterThan(2);
  const { report } = await readRestore(ownerContext(), id, {});
  expect(report.different).toEqual([]);
});

test("names also what is erased while the last tables are read", async () => {
  const names = (await readTables(jobContext())).map(({ name }) => name);
  expect(names.at(-1)).toBe("erased");
  await emptySite();
  const { subscribers } = await subscribed([{}]);
  const ctx = ownerContext();
  const files = new Map<string, string>();
  for await (const { path, text } of archiveFiles(ctx)) {
    files.set(path, await new Response(streamOf(text)).text());
    if (path === "data/subscribers.ndjson") await deleteSubscriber(ownerContext(), subscribers[0]!.id);
  }
  expect(files.get("data/subscribers.ndjson")).toContain(subscribers[0]!.id);
  expect(files.get("data/erased.ndjson")).toContain(subscribers[0]!.id);
});

test("a last step that is repeated, since its end was interrupted, logs the restore once", async () => {
  await emptySite();
  const { id } = await restored(await archived());
  const { db } = jobContext();
  const countLogged = async () =>
    (await db.all(sql`select id from security_events where kind = 'site_restored'`)).length;
  expect(await countLogged()).toBe(1);
  await db.run(
    sql`update import_items set state = 'waiting', not_before = 0 where import_id = ${id} and key = 'finish'`,
  );
  await db.run(sql`update imports set state = 'running', done = done - 1 where id = ${id}`);
  await workThrough(id);
  expect(await progressOf(id)).toMatchObject({ state: "done" });
  expect(await countLogged()).toBe(1);
});

test("the bucket is marked as half restored from the first step to the end of a restore that is not cancelled", async () => {
  await emptySite();
  await savedShow({ title: "Plain Ground" });
  const file = await archived();
  await emptySite();
  const cancelled = await started(file);
  expect(await isHalfRestored(jobContext())).toBe(false);
  await stepThrough(cancelled, "begin");
  await cancelImport(ownerContext(), cancelled);
  const inDays = (days: number) => jobContext({ now: new Date(Date.now() + days * 86_400_000) });
  expect(await isHalfRestored(inDays(29))).toBe(true);
  expect(await isHalfRestored(inDays(31))).toBe(false);
  // As in a new database on the same bucket.
  await jobContext().db.run(sql`delete from shows`);
  await jobContext().db.run(sql`delete from signing_keys`);
  await restored(file);
  expect(await isHalfRestored(jobContext())).toBe(false);
});

test("the keys of sessions stay with their site, and those of lasting links are the archive's", async () => {
  const keysOf = async (use: "expiring" | "lasting") =>
    (await jobContext().db.select().from(signingKeys).where(eq(signingKeys.use, use))).map(({ kid }) => kid);
  await emptySite();
  await savedShow({ title: "Plain Ground" });
  await signedIn("super_admin");
  const lasting = await keysOf("lasting");
  const file = await archived();
  const text = (await unzip(file)).get("data/signing_keys.ndjson")!;
  expect(text).toContain(lasting[0]);
  for (const kid of await keysOf("expiring")) expect(text).not.toContain(kid);
  await emptySite();
  const { cookie } = await signedIn("super_admin");
  const expiring = await keysOf("expiring");
  await restored(file);
  expect(await keysOf("lasting")).toEqual(lasting);
  expect(await keysOf("expiring")).toEqual(expiring);
  expect((await fetchSite("/api/admin/session", { headers: { Cookie: cookie } })).status).toBe(200);
});

test("an import of another kind is not a restore", async () => {
  const { id } = await createImport(ownerContext(), { kind: MOVED_ARTICLES, source: "a.zip" });
  await expect(readRestore(ownerContext(), id, {})).rejects.toThrow("There is no such restore.");
});

test("the id of an item that was deleted before the archive was made is not given again", async () => {
  await emptySite();
  await createArticle(ownerContext(), { title: "One" });
  const { id } = await createArticle(ownerContext(), { title: "Two" });
  await deleteArticle(ownerContext(), id);
  await eraseItem(ownerContext(), `article:${id}`);
  const file = await archived();
  await emptySite();
  await restored(file);
  expect((await createArticle(ownerContext(), { title: "Three" })).id).toBe(id + 1);
});

test("the new site’s log follows that of the archive, even if it is longer", async () => {
  const log = (detail: string) =>
    eventRow(ownerContext(), { kind: "site_exported", email: "owner@site.example", detail });
  await emptySite();
  await log("archive 1");
  await log("archive 2");
  const file = await archived();
  await emptySite();
  const own = ["site 1", "site 2", "site 3", "site 4", "site 5"];
  for (const detail of own) await log(detail);
  const { id } = await restored(file);
  expect(await readImport(ownerContext(), id)).toMatchObject({ state: "done", counts: { failed: 0 } });
  const rows = await jobContext().db.all<{ detail: string }>(
    sql`select detail from security_events where detail like 'archive %' or detail like 'site %' order by id`,
  );
  expect(rows.map(({ detail }) => detail)).toEqual(["archive 1", "archive 2", ...own]);
});

test("a cron that chains the security log during a restore breaks neither the chain nor the report", async () => {
  await emptySite();
  await savedShow({ title: "Plain Ground" });
  const log = (detail: string) =>
    eventRow(ownerContext(), { kind: "login", email: "owner@site.example", detail });
  for (const detail of ["archive 1", "archive 2"]) await log(detail);
  await chainEntries(jobContext());
  await log("archive 3");
  const file = await archived();
  await emptySite();
  await log("site 1");
  await chainEntries(jobContext());
  const id = await started(file);
  await stepThrough(id, "Compare: log_chain", { isLastLeft: true });
  await chainEntries(jobContext());
  await workThrough(id);
  const { report } = await readRestore(ownerContext(), id, {});
  expect(report.different).toEqual([]);
  expect(report.expected).toEqual([
    { table: "log_chain", message: "1 row. Added to the security log’s chain since the restore began: 1." },
    {
      table: "security_events",
      message: expect.stringMatching(/Added to the security log’s chain since the restore began: \d/),
    },
  ]);
  await chainEntries(jobContext());
  expect(await checkLog(ownerContext())).toMatchObject({ checked: 6, faults: [] });
});

test("the owner gets no email about the archive’s security events", async () => {
  await emptySite();
  await updateSite(ownerContext(), { alerts: { kinds: ["login"] } });
  for (let n = 0; n < 5; n++) await eventRow(ownerContext(), { kind: "login", email: "owner@site.example" });
  const file = await archived();
  await emptySite();
  await updateSite(ownerContext(), { alerts: { kinds: ["login"] } });
  await followAlertChoice(jobContext());
  await restored(file);
  const { db } = jobContext();
  await followAlertChoice(jobContext({ jobs }));
  await sendLogAlerts(jobContext({ jobs }));
  const mails = async () => (await db.all(sql`select id from outbox where topic = ${MAIL_TOPIC}`)).length;
  expect(await mails()).toBe(0);
  await eventRow(ownerContext(), { kind: "login", email: "owner@site.example" });
  await sendLogAlerts(jobContext({ jobs }));
  expect(await mails()).toBe(1);
});
