import { eq, sql } from "drizzle-orm";
import Papa from "papaparse";
import { BlobReader, TextWriter, ZipReader, type FileEntry } from "@zip.js/zip.js/lib/zip-core-native.js";
import { describe, expect, it, test, vi } from "vitest";
import { parse } from "yaml";
import { aTopic } from "./support/topics.ts";
import { securityEvents } from "#worker/accounts/table.ts";
import { createArticle, updateArticle } from "#worker/articles/commands.ts";
import { articles } from "#worker/articles/table.ts";
import { enquiryMails } from "#worker/enquiries/table.ts";
import { LEFT_OUT } from "#worker/exports/left-out.ts";
import { readTables } from "#worker/exports/tables.ts";
import { exportSite } from "#worker/exports/zip.ts";
import { isNextSlice, markdownFile, rowsOf } from "#worker/exports/noun-export.ts";
import { letterLinks } from "#worker/letters/table.ts";
import { createPressItem } from "#worker/press/commands.ts";
import { createEngagement } from "#worker/speaking/commands.ts";
import { stepNameOf, tableNames } from "../src/admin/restore/step-names.ts";
import { addUser, signedInAs } from "./support/accounts.ts";
import { fetchSite, jobContext, ownerContext, signedIn, SITE } from "./support/client.ts";
import { aPressItem, publishedEpisode, savedShow, storedImage, unique } from "./support/factories.ts";
import { aMember } from "./support/members.ts";
import { aComment, anAddress, anEnquiry } from "./support/people.ts";
import { aLetterTo, subscribed } from "./support/sending.ts";

const { db } = jobContext();

async function unzip(body: ReadableStream<Uint8Array>) {
  const blob = await new Response(body).blob();
  const zip = new ZipReader(new BlobReader(blob), { useWebWorkers: false, checkSignature: true });
  const entries = (await zip.getEntries()) as FileEntry[];
  const files = new Map<string, string>();
  for (const entry of entries) files.set(entry.filename, await entry.getData(new TextWriter()));
  expect(files.size).toBe(entries.length);
  return files;
}

const exported = async () => unzip(await exportSite(ownerContext()));

/** The file with this name or ending: ids come from the database. */
function read(files: Map<string, string>, name: string) {
  const found = [...files].filter(([path]) => path === name || path.replace(/\/\d+-/, "/") === name);
  expect(found.map(([path]) => path)).toHaveLength(1);
  return found[0]![1];
}

const json = (files: Map<string, string>, name: string) => JSON.parse(read(files, name)) as unknown;

/** A file as site generators parse it: the front matter, and the text. */
function markdown(files: Map<string, string>, name: string) {
  const [, matter, text] = /^---\n(.*?)\n---\n\n(.*)\n$/s.exec(read(files, name))!;
  return { facts: parse(matter!) as Record<string, unknown>, text };
}

describe("a site export", () => {
  test("has each article as Markdown and as JSON, with its picture and its former addresses", async () => {
    const picture = await storedImage();
    const title = `يوم "هادئ": # 1`;
    const content =
      "    code first\n\n# العنوان\n\n- a [link](https://example.com/?a=1&b=2)\n\n```\n---\n```";
    const { id } = await createArticle(ownerContext(), {
      title,
      content,
      slug: "a-quiet-day",
      tags: ["yes", "a: b"],
      excerpt: "Zeile\nZeile",
      status: "published",
      imageFileId: picture.id,
      imageAlt: "A porch",
    });
    await updateArticle(ownerContext(), id, { slug: "quiet" });
    const files = await exported();
    const { facts, text } = markdown(files, `essays/${id}-ywm-hdy-1.md`);
    expect(facts).toMatchObject({
      title,
      status: "published",
      address: `${SITE}/essays/quiet`,
      description: "Zeile\nZeile",
      tags: ["yes", "a: b"],
      image: `${SITE}/media/${picture.key}`,
      image_alt: "A porch",
    });
    expect(facts).not.toHaveProperty("draft");
    expect(text).toBe(content);
    expect(json(files, `essays/${id}-ywm-hdy-1.json`)).toMatchObject({
      id,
      title,
      content,
      contentHtml: expect.stringContaining("<h"),
      tags: ["yes", "a: b"],
    });
    expect(json(files, "essays/former-addresses.json")).toContainEqual({
      from: "/essays/a-quiet-day",
      to: "/essays/quiet",
    });
    expect(read(files, "media.txt").split("\n")).toContain(`${SITE}/media/${picture.key}`);
  });

  test("marks unpublished items, so that site generators do not show them", async () => {
    const title = `Unfinished ${unique()}`;
    await createArticle(ownerContext(), { title, content: "" });
    const { facts } = markdown(await exported(), `essays/${title.toLowerCase().replace(" ", "-")}.md`);
    expect(facts).toMatchObject({ status: "draft", draft: true });
    expect(facts).not.toHaveProperty("date");
  });

  test("has each episode with its show notes, its audio's address and its transcript", async () => {
    await savedShow({ title: "Plain Ground" });
    const timed = await publishedEpisode({
      title: "With times",
      showNotes: "Some **notes**.",
      transcript: "WEBVTT\n\n00:00.000 --> 00:02.000\n<v Ada>Good morning.",
    });
    await publishedEpisode({ title: "Without times", transcript: "Ada: Good morning." });
    const files = await exported();
    expect(markdown(files, "podcast/with-times.md")).toMatchObject({
      text: "Some **notes**.",
      facts: {
        address: `${SITE}/episode/${timed.id}`,
        guid: expect.any(String),
        audio: expect.stringMatching(/^http:.*\/media\/podcast-audio\/.*mp3$/),
        transcript: `${timed.id}-with-times.vtt`,
      },
    });
    expect(read(files, "podcast/with-times.vtt")).toMatch(/^WEBVTT[^]*Good morning/);
    expect(read(files, "podcast/without-times.txt")).toContain("Good morning");
    expect(json(files, "podcast/with-times.json")).toMatchObject({ showNotesHtml: expect.any(String) });
    expect(json(files, "podcast/show.json")).toMatchObject({
      title: "Plain Ground",
      feed: `${SITE}/rss/podcast.xml`,
    });
  });

  test("has the pages; one that was never saved has its default", async () => {
    const files = await exported();
    expect(read(files, "pages/about.md")).toMatch(/^# .+\n\n/m);
    expect(json(files, "pages/about.json")).toMatchObject({ headline: expect.any(String) });
  });

  test("has each letter, with its links and their clicks", async () => {
    const { domain } = await subscribed([{}]);
    const { id } = await aLetterTo(domain, {
      subject: "What I learned",
      content: "Read [this](https://example.com/).",
    });
    await db
      .insert(letterLinks)
      .values({ letterId: id, position: 1, url: "https://example.com/", presses: 7 });
    const files = await exported();
    expect(markdown(files, `letters/${id}-what-i-learned.md`)).toEqual({
      facts: { title: "What I learned", status: "draft", draft: true, updated: expect.any(String) },
      text: "Read [this](https://example.com/).",
    });
    expect(json(files, `letters/${id}-what-i-learned.json`)).toMatchObject({
      links: [{ url: "https://example.com/", presses: 7 }],
      recipients: 0,
    });
  });

  test("has subscribers, comments, enquiries and contacts as they are stored", async () => {
    const [commenter, sender] = [anAddress(), anAddress()];
    const {
      subscribers: [reader],
    } = await subscribed([{}]);
    const member = await aMember({ source: "free" });
    await aComment({ email: commenter, text: "=1+1", status: "spam" });
    const enquiryId = await anEnquiry({ email: sender, notes: "Call back" });
    await db.insert(enquiryMails).values({
      enquiryId,
      subject: "Re",
      body: "Yes",
      sentBy: "The Owner",
      sentAt: new Date(0),
      outboxId: "o",
      recordingAt: new Date(60_000),
      recordingMinutes: 60,
      recordingPlace: "Studio 1",
    });
    await createEngagement(ownerContext(), { title: "Forum", contactEmail: "host@example.com" });
    const press = await createPressItem(ownerContext(), aPressItem({ content: "It *said*." }));
    const topic = await aTopic({ name: "Cities" });
    const files = await exported();
    const subscribers = Papa.parse<Record<string, string>>(read(files, "subscribers.csv").slice(1), {
      header: true,
      skipEmptyLines: true,
    });
    expect(subscribers.errors).toEqual([]);
    expect(subscribers.data.find((row) => row["email"] === reader!.email)).toMatchObject({
      status: "confirmed",
    });
    const members = Papa.parse<Record<string, string>>(read(files, "members.csv").slice(1), { header: true });
    expect(members.data.find((row) => row["email"] === member.email)).toMatchObject({
      tier: member.tier,
      state: "free",
    });
    expect(json(files, "tiers.json")).toContainEqual(expect.objectContaining({ id: member.tierId }));
    expect(json(files, "topics.json")).toContainEqual(expect.objectContaining({ id: topic, name: "Cities" }));
    expect(json(files, "comments.json")).toContainEqual(
      expect.objectContaining({ email: commenter, text: "=1+1", status: "spam" }),
    );
    expect(json(files, "enquiries.json")).toContainEqual(
      expect.objectContaining({
        email: sender,
        notes: "Call back",
        answers: [
          {
            subject: "Re",
            body: "Yes",
            sentBy: "The Owner",
            sentAt: "1970-01-01T00:00:00.000Z",
            recordingAt: "1970-01-01T00:01:00.000Z",
            recordingMinutes: 60,
            recordingPlace: "Studio 1",
          },
        ],
      }),
    );
    expect(json(files, "speaking.json")).toContainEqual(
      expect.objectContaining({ title: "Forum", contactEmail: "host@example.com" }),
    );
    expect([...files].find(([path]) => path.startsWith(`press/${press.id}-`))?.[1]).toContain("It *said*.");
  });

  test("has the rows of every table, except those that left-out.ts lists with a reason", async () => {
    const tables = await db.all<{ name: string }>(
      sql`select name from sqlite_master where type = 'table' and name not like 'sqlite_%' and name not like '%search\\_%' escape '\\'
        and sql not like 'create virtual%' and name not like '\\_cf%' escape '\\' and name <> 'd1_migrations'`,
    );
    const rows = [...(await exported()).keys()].flatMap(
      (path) => /^data\/(.+)\.ndjson$/.exec(path)?.[1] ?? [],
    );
    const found = [...rows.filter((name) => name !== "objects"), ...Object.keys(LEFT_OUT)];
    expect(found.toSorted()).toEqual(
      [...tables.map(({ name }) => name), "search_documents", "search_pending"].toSorted(),
    );
  });

  test("has a name in an owner’s words for each table, which a restore shows", async () => {
    const tables = (await readTables(ownerContext())).map(({ name }) => name);
    expect(Object.keys(tableNames).toSorted()).toEqual(tables.toSorted());
    expect([
      stepNameOf("data/article_former_slugs.ndjson"),
      stepNameOf("Compare: users"),
      stepNameOf("data/objects.ndjson"),
      stepNameOf("Prepare the site"),
    ]).toEqual([
      "Restore: former addresses of articles",
      "Compare: accounts",
      "Compare: the files themselves",
      "Prepare the site",
    ]);
  });

  test("has no password, session or stamp of an account", async () => {
    await signedIn("admin");
    const files = await exported();
    const users = read(files, "data/users.ndjson").trimEnd().split("\n");
    for (const row of users) expect(Object.keys(JSON.parse(row) as object)).not.toContain("stamp");
    expect([...files.values()].join("\n")).not.toContain('"password_hash"');
  });

  test("has no secret of a link, a form or a session in its files for people", async () => {
    const secrets = ["stamp", "draftKey", "passwordHash", "digest"];
    const comment = await aComment({ key: `key-${unique()}-of-a-comment` });
    const files = [...(await exported())].filter(([path]) => !path.startsWith("data/"));
    const text = files.map(([, content]) => content).join("\n");
    for (const secret of secrets) expect(text).not.toContain(`"${secret}"`);
    expect(text).toContain(`{"id":${comment},`);
    expect(text).not.toContain("-of-a-comment");
  });

  test("has file names that are valid on every system", async () => {
    for (const title of ["con", "..", "a/b\\c", "🎙", "x".repeat(255)]) {
      await createArticle(ownerContext(), { title, content: "" });
    }
    for (const path of (await exported()).keys()) {
      expect(path).toMatch(/^(?:[a-z]+\/)?[\w-]{1,130}\.(?:md|json|ndjson|vtt|txt|csv)$/);
      expect(path).not.toMatch(/(?:^|\/)(?:con|aux|nul|prn)\./);
    }
  });

  test("describes each folder and list in its README", async () => {
    const files = await exported();
    const readme = read(files, "README.txt");
    for (const path of files.keys()) {
      if (path === "README.txt") continue;
      expect(readme, path).toContain(path.includes("/") ? path.replace(/[^/]*$/, "") : path);
    }
  });

  test("is a security event with its user", async () => {
    const { cookie } = await signedIn("admin");
    const answer = await fetchSite("/api/admin/export", { headers: { cookie } });
    expect(answer.headers.get("Content-Type")).toBe("application/zip");
    expect(answer.headers.get("Cache-Control")).toBe("no-store");
    expect(answer.headers.get("Content-Disposition")).toMatch(
      /^attachment; filename="localhost-\d{4}-\d\d-\d\d\.zip"$/,
    );
    expect((await unzip(answer.body!)).has("README.txt")).toBe(true);
    const events = await db.select().from(securityEvents).where(eq(securityEvents.kind, "site_exported"));
    expect(events.at(-1)).toMatchObject({ by: null, email: expect.stringContaining("@") });
  });

  test("reads nothing if its response is not consumed", async () => {
    const ctx = ownerContext();
    const body = await exportSite(ctx);
    const { statements } = ctx.d1;
    await new Promise((done) => setTimeout(done));
    expect(ctx.d1.statements).toBe(statements);
    await body.cancel();
  });

  test("does not wait for the downloads of others, which are paused", async () => {
    const paused = await Promise.all(Array.from({ length: 6 }, () => exportSite(ownerContext())));
    const readers = paused.map((body) => body.getReader());
    for (const reader of readers) await reader.read();
    expect((await unzip(await exportSite(ownerContext()))).has("README.txt")).toBe(true);
    for (const reader of readers) await reader.cancel();
  });

  test("reports no error if the client hangs up; an export that cannot be read breaks off, so that it is not taken for complete", async () => {
    const errors = vi.spyOn(console, "error").mockImplementation(() => {});
    // The notice of an export is mailed to a stored user, once in ten minutes.
    const user = await addUser({ role: "super_admin" });
    const ctx = signedInAs(user);
    const reader = (await exportSite(ctx)).getReader();
    await reader.read();
    await reader.cancel();
    const { statements } = ctx.d1;
    await new Promise((done) => setTimeout(done, 50));
    expect(ctx.d1.statements).toBe(statements);
    expect(errors).not.toHaveBeenCalled();

    // Between two files, and within one: the lists of the last nouns are read while they are written.
    for (const last of [4, 21]) {
      let reads = 0;
      const broken = new Proxy(db, {
        get(target, name) {
          if (name === "select" && ++reads > last) throw new Error("D1 is gone.");
          return Reflect.get(target, name) as unknown;
        },
      });
      errors.mockClear();
      const body = await exportSite(signedInAs(user, { db: broken }));
      await expect(new Response(body).blob()).rejects.toThrow("D1 is gone.");
      expect(errors).toHaveBeenCalledOnce();
    }
  });
});

describe("rows are read in slices", () => {
  const slicesOf = async (texts: typeof articles.content | null) => {
    const slices: number[] = [];
    const ids: number[] = [];
    const rows = rowsOf(async (after) => {
      const slice = await db
        .select({ id: articles.id })
        .from(articles)
        .where(isNextSlice(articles.id, after, ...(texts ? [texts] : [])))
        .orderBy(articles.id);
      slices.push(slice.length);
      return slice;
    });
    for await (const { id } of rows) ids.push(id);
    const all = await db.select({ id: articles.id }).from(articles).orderBy(articles.id);
    expect(ids).toEqual(all.map(({ id }) => id));
    return slices;
  };

  async function addArticles(count: number, bytes: number) {
    const { id } = await createArticle(ownerContext(), { title: `Long ${unique()}`, content: "" });
    const columns = sql.raw(
      Object.values({ ...articles })
        .flatMap((column) => (typeof column === "object" && "name" in column ? [String(column.name)] : []))
        .filter((name) => !["id", "slug", "guid", "draft_key", "content"].includes(name))
        .join(", "),
    );
    const prefix = `slice-${unique()}-`;
    await db.run(sql`
      insert into articles (slug, guid, content, ${columns})
      with recursive n (i) as (values (1) union all select i + 1 from n where i < ${count})
      select ${prefix} || i, ${prefix} || i, hex(zeroblob(${bytes / 2})), ${columns} from n, articles where id = ${id}`);
  }

  it("of a bounded number", async () => {
    await addArticles(1200, 2);
    const slices = await slicesOf(null);
    expect(Math.max(...slices)).toBe(500);
  });

  it("of a bounded length", async () => {
    await addArticles(5, 900_000);
    const slices = await slicesOf(articles.content);
    // Two of 900,000 bytes are below the limit of a slice, so a third is added.
    expect(slices.slice(-2)).toEqual([2, 0]);
  });
});

test.each([
  "\u0000a\u001f",
  "\u007f\u0085\u2028\ufeff",
  "yes",
  "1e3",
  "~",
  "---",
  "- a: b # c",
  '"\\',
  "🎙\n\ttwo",
])("%j in front matter is read unchanged", async (title) => {
  const at = new Date("2026-03-04T05:06:07.890Z");
  const file = markdownFile("a.md", { title, at, empty: "", none: null, zero: 0 }, "Text");
  const whole = [...(file.text as string[])].join("");
  const { facts } = markdown(new Map([["a.md", whole]]), "a.md");
  expect(facts).toEqual({ title, at: at.toISOString(), zero: 0 });
});
