import { env } from "cloudflare:workers";
import { eq } from "drizzle-orm";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { commentBoxes } from "#worker/comments/contract.ts";
import { answerComment, deleteComments, moderateComments } from "#worker/comments/owner-commands.ts";
import { listAllComments } from "#worker/comments/owner-queries.ts";
import { listComments } from "#worker/comments/queries.ts";
import { comments } from "#worker/comments/table.ts";
import { WAITING_TOPIC } from "#worker/comments/waiting-notice.ts";
import { MAIL_TOPIC, type Mail } from "#worker/mail/message.ts";
import { createContext } from "#worker/platform/context.ts";
import { outboxRow } from "#worker/platform/work/outbox.ts";
import { outbox } from "#worker/platform/table.ts";
import { publishedArticle } from "./support/articles.ts";
import { fetchSite, jobContext, ownerContext, signedIn, visitorContext } from "./support/client.ts";
import { aComment, commentRow, setComments, waitingComment } from "./support/comments.ts";
import { hostileTexts } from "./support/hostile.ts";
import { address, db, deliver, mailsTo } from "./support/newsletter.ts";
import { structuredDataOf } from "./support/pages.ts";
import { forgetRates } from "./support/rates.ts";

let essay = { id: 0, slug: "" };
beforeAll(() => setComments(true));
afterAll(() => setComments(false));
beforeEach(async () => {
  await forgetRates();
  await db.delete(comments);
  await db.delete(outbox);
  essay = await publishedArticle();
});

const row = (values: Partial<typeof comments.$inferInsert> = {}) =>
  commentRow({ contentId: essay.id, status: "pending", ...values });
const statusOf = async (id: number) =>
  (await db.select().from(comments).where(eq(comments.id, id)))[0]?.status;
const shown = () => listComments(visitorContext(), { contentType: "article", contentId: essay.id });
const HOUR = 3_600_000;

describe("the owner's boxes", () => {
  it("list their comments with the subject, newest first, and a count", async () => {
    const ids = [await row({ text: "Older" }), await row()];
    await row({ status: "spam", spamReason: "It has “casino”." });
    await row({ status: "unconfirmed" });
    const { items, counts } = await listAllComments(ownerContext(), { box: "pending" });
    expect(items.map(({ id }) => id)).toEqual(ids.toReversed());
    expect(items[1]).toMatchObject({
      text: "Older",
      about: { path: `/essays/${essay.slug}`, isPublished: true },
    });
    expect(counts).toEqual({ unconfirmed: 1, pending: 2, approved: 0, rejected: 0, spam: 1 });
  });

  it("link to a shown comment on its page", async () => {
    const id = await row({ status: "approved" });
    const { items } = await listAllComments(ownerContext(), { box: "approved" });
    expect(items[0]?.about?.path).toBe(`/essays/${essay.slug}?comments=${id}-${id - 1}#comment-${id}`);
  });

  it("are searched by address across all boxes, without unconfirmed comments", async () => {
    const email = address();
    await row({ email, status: "rejected" });
    await row({ email, status: "unconfirmed" });
    const { items } = await listAllComments(ownerContext(), { email });
    expect(items.map(({ status }) => status)).toEqual(["rejected"]);
  });

  it("move several comments together, except unconfirmed ones", async () => {
    const [a, b, c] = [
      await row(),
      await row({ status: "spam", spamReason: "Why" }),
      await row({ status: "unconfirmed" }),
    ];
    expect(await moderateComments(ownerContext(), { ids: [a, b, c], status: "approved" })).toEqual({
      count: 2,
    });
    expect([await statusOf(a), await statusOf(b), await statusOf(c)]).toEqual([
      "approved",
      "approved",
      "unconfirmed",
    ]);
    expect(await shown()).toMatchObject({ count: 2 });
    await moderateComments(ownerContext(), { ids: [a, b], status: "rejected" });
    expect(await shown()).toMatchObject({ count: 0, items: [] });
    await expect(
      moderateComments(ownerContext(), { ids: [c, 999_999], status: "approved" }),
    ).rejects.toMatchObject({ code: "not_found" });
  });

  it("delete several comments together", async () => {
    const ids = [await row(), await row({ status: "approved" })];
    expect(await deleteComments(ownerContext(), { ids })).toEqual({ count: 2 });
    expect(await shown()).toMatchObject({ count: 0 });
    await expect(deleteComments(ownerContext(), { ids })).rejects.toMatchObject({ code: "not_found" });
  });

  it("have correct counts after every kind of write", async () => {
    const ids = [
      await row(),
      await row(),
      await row({ status: "approved" }),
      await row({ status: "rejected" }),
    ];
    await moderateComments(ownerContext(), { ids: ids.slice(0, 2), status: "approved" });
    await deleteComments(ownerContext(), { ids: [ids[1]!] });
    await db.update(comments).set({ status: "spam" }).where(eq(comments.id, ids[3]!));
    const { counts } = await listAllComments(ownerContext(), {});
    expect(counts).toMatchObject({ pending: 0, approved: 2, rejected: 0, spam: 1 });
    expect((await shown()).count).toBe(2);
  });
});

describe("the owner's answer", () => {
  it("approves the comment, joins its thread, and is marked as the author's", async () => {
    const first = await row();
    const answer = await answerComment(ownerContext(), first, { text: "So it is.\r\nThank you." });
    expect(answer).toMatchObject({ parentId: first, isOwner: true, name: "Rostrum", status: "approved" });
    await answerComment(ownerContext(), answer.id, { text: "And more." });
    const { items } = await shown();
    expect(items.map(({ parentId, isOwner }) => [parentId, isOwner])).toEqual([
      [null, false],
      [first, true],
      [first, true],
    ]);
    expect(items[1]!.text).toBe("So it is.\nThank you.");
  });

  it("is one when it is pressed twice", async () => {
    const id = await row({ status: "pending" });
    const [first, second] = await Promise.all([
      answerComment(ownerContext(), id, { text: "So it is.\r\nYes." }),
      answerComment(ownerContext(), id, { text: "So it is.\nYes." }),
    ]);
    expect(second.id).toBe(first.id);
    const third = await answerComment(ownerContext(), id, { text: "Another." });
    expect(third.id).not.toBe(first.id);
    const later = ownerContext({ now: new Date(Date.now() + 11 * 60_000) });
    expect((await answerComment(later, id, { text: "So it is.\nYes." })).id).toBeGreaterThan(third.id);
  });

  it("needs a confirmed comment", async () => {
    const id = await row({ status: "unconfirmed" });
    for (const none of [id, 999_999]) {
      await expect(answerComment(ownerContext(), none, { text: "Hm" })).rejects.toMatchObject({
        code: "not_found",
      });
    }
  });
});

describe("the owner's email", () => {
  const notices = () => mailsTo("owner@example.com");

  it("is sent at most once an hour, and again after an hour while comments wait", async () => {
    for (let n = 0; n < 3; n++) await waitingComment(aComment(essay.id));
    const [mail, ...others] = await notices();
    expect([mail!.link, others]).toEqual(["http://localhost:8787/admin/guests/comments", []]);
    await deliver({ now: new Date(Date.now() + HOUR + 1000) });
    const mails = await notices();
    expect(mails).toHaveLength(2);
    expect(mails[1]!.subject).toContain("3 comments to review");
  });

  it("is not sent again for comments that an earlier email announced", async () => {
    const MINUTE = 60_000;
    const start = Date.now();
    const written = new Set([0, 5, 35, 100]);
    for (let minute = 0; minute <= 300; minute += 5) {
      const now = new Date(start + minute * MINUTE);
      if (written.has(minute)) {
        await row();
        await outboxRow(jobContext({ now }), WAITING_TOPIC, {}).statement;
      }
      await deliver({ now });
    }
    const sent = await db.select().from(outbox).where(eq(outbox.topic, MAIL_TOPIC)).orderBy(outbox.createdAt);
    const mails = sent.map(({ createdAt, payload }) => [
      (createdAt.getTime() - start) / MINUTE,
      (payload as Mail).subject.split(" to review")[0],
    ]);
    expect(mails).toEqual([
      [0, "New comment"],
      [60, "3 comments"],
      [120, "4 comments"],
    ]);
  });

  it("is not sent for spam, nor once no comment is pending", async () => {
    await waitingComment(
      aComment(essay.id, { text: "https://a.example https://b.example https://c.example" }),
    );
    expect(await notices()).toEqual([]);
    const { id } = await waitingComment(aComment(essay.id));
    const second = await waitingComment(aComment(essay.id));
    expect(await notices()).toHaveLength(1);
    await moderateComments(ownerContext(), { ids: [id, second.id], status: "rejected" });
    await deliver({ now: new Date(Date.now() + HOUR + 1000) });
    expect(await notices()).toHaveLength(1);
  });
});

describe("the page", () => {
  it("counts comments in its structured data, and shows no address", async () => {
    const first = await row({ status: "approved", text: "One", email: "secret@example.com" });
    await row({ status: "approved", text: "Two", parentId: first });
    const html = await (await fetchSite(`/essays/${essay.slug}`)).text();
    const [article] = structuredDataOf(html, "Article");
    expect(article).toMatchObject({
      commentCount: 2,
      comment: [{ "@type": "Comment", text: "One", author: { name: "Nadia" } }, { text: "Two" }],
    });
    expect(html).not.toContain("secret@example.com");
  });

  it("says nothing of comments while they are switched off", async () => {
    await row({ status: "approved" });
    await setComments(false);
    const html = await (await fetchSite(`/essays/${essay.slug}`)).text();
    await setComments(true);
    expect(html).not.toMatch(/Write a comment|commentCount|\/assets\/section/);
  });

  it("shows hostile text as plain text, whole and without elements", async () => {
    const texts = hostileTexts("alert(1)");
    for (const text of texts) await row({ status: "approved", name: text, text });
    let path = `/essays/${essay.slug}`;
    const seen: string[] = [];
    for (let next: string | null = ""; next !== null; path = `/essays/${essay.slug}?comments=${next}`) {
      const html = await (await fetchSite(path)).text();
      const { elements, attributes, words } = await readSection(html);
      seen.push(...words);
      expect(elements.filter((name) => !OURS.includes(name))).toEqual([]);
      expect(attributes.filter((name) => /^(on|style|src)/.test(name))).toEqual([]);
      next = /\?comments=([\d-]+)#comments/.exec(html)?.[1] ?? null;
    }
    expect(seen.toSorted()).toEqual(texts.map(escaped).toSorted());
  });

  it("of the owner shows them as harmlessly", async () => {
    for (const text of hostileTexts("alert(1)").slice(-30)) await row({ name: text, text, spamReason: text });
    const { cookie } = await signedIn("admin");
    const html = await (await fetchSite("/admin/guests/comments", { headers: { cookie } })).text();
    const { elements, attributes } = await readSection(html, "main ul");
    expect(elements.filter((name) => name === "li")).toHaveLength(30);
    expect(elements.filter((name) => !THEIRS.includes(name))).toEqual([]);
    expect(attributes.filter((name) => /^(on|style|src)/.test(name))).toEqual([]);
  });
});

/** What the owner's list and the readers' consist of. */
const THEIRS = ["li", "input", "div", "p", "bdi", "a", "time", "span", "form", "button"];
const OURS = ["article", "p", "bdi", "a", "time", "li", "ol"];

/** As React writes a text into HTML. */
const escaped = (text: string) =>
  text
    .replaceAll("&", "&amp;")
    .replaceAll("<", "&lt;")
    .replaceAll(">", "&gt;")
    .replaceAll('"', "&quot;")
    .replaceAll("'", "&#x27;");

/** The elements of the list, their attributes, and the texts of the comments. */
async function readSection(html: string, list = "#comments ol") {
  const found = { elements: [] as string[], attributes: [] as string[], words: [] as string[] };
  const rewriter = new HTMLRewriter()
    .on(`${list} *`, {
      element({ tagName, attributes }) {
        found.elements.push(tagName);
        for (const [name = ""] of attributes as unknown as Iterable<string[]>) found.attributes.push(name);
      },
    })
    .on("#comments article > p:first-child", {
      element: () => void found.words.push(""),
      text: (chunk) => void (found.words[found.words.length - 1] += chunk.text),
    });
  await rewriter.transform(new Response(html)).text();
  return found;
}

describe("of 50,000 comments", () => {
  const ROWS = 50_000;
  beforeEach(async () => {
    await env.DB.prepare(
      `with recursive n (i) as (select 1 union all select i + 1 from n where i < ${ROWS})
      insert into comments (content_type, content_id, parent_id, name, email, text, status, created_at, updated_at)
      select 'article', ${essay.id}, null, 'N', 'n' || (i % 100) || '@example.com', 'T' || i,
        iif(i % 4 = 0, 'pending', iif(i % 4 = 1, 'approved', iif(i % 4 = 2, 'rejected', 'spam'))), i, i from n`,
    ).run();
  });

  it("a list of the owner's, and a page of the readers', read few", async () => {
    const boxes = commentBoxes.map((box) => ({ box }));
    for (const query of [...boxes, { email: "n3@example.com" }, {}]) {
      let before: string | undefined;
      for (let page = 0; page < 2; page++) {
        const ctx = ownerContext();
        const { items, counts, next } = await listAllComments(ctx, { ...query, before });
        expect([items.length, counts.pending]).toEqual([30, ROWS / 4]);
        expect(ctx.d1.statements).toBeLessThanOrEqual(3);
        expect(ctx.d1.rowsRead, JSON.stringify(query)).toBeLessThanOrEqual(200);
        before = next!;
      }
    }
    const { next } = await shown();
    const ctx = createContext(env, { actor: { kind: "visitor" }, reads: "any-replica" });
    const list = await listComments(ctx, { contentType: "article", contentId: essay.id, after: next! });
    expect([list.items.length, list.count]).toEqual([30, ROWS / 4]);
    expect([ctx.d1.statements, ctx.d1.rowsRead <= 200]).toEqual([1, true]);
  });
});
