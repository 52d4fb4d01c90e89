import { env } from "cloudflare:workers";
import { eq } from "drizzle-orm";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { deleteArticle } from "#worker/articles/commands.ts";
import {
  addComment,
  confirmComment,
  deleteOwnComment,
  pruneUnconfirmedComments,
} from "#worker/comments/commands.ts";
import type { Comment } from "#worker/comments/contract.ts";
import { commentAnswers } from "#worker/comments/limits.ts";
import { listComments, readOwnComment } from "#worker/comments/queries.ts";
import { comments } from "#worker/comments/table.ts";
import { deleteEpisode } from "#worker/episodes/commands.ts";
import { updateSite } from "#worker/settings/commands.ts";
import { siteDefaults } from "#worker/settings/contract.ts";
import { publishedArticle } from "./support/articles.ts";
import { fetchSite, jobContext, ownerContext } from "./support/client.ts";
import {
  aComment,
  commentRow,
  commentsOf,
  postComment,
  postCommentForm,
  setComments,
  waitingComment,
  written,
} from "./support/comments.ts";
import { publishedEpisode } from "./support/factories.ts";
import {
  address,
  DAY,
  db,
  household,
  later,
  mailsTo,
  messageOf,
  tokenIn,
  visitorContext,
} from "./support/newsletter.ts";
import { forgetRates } from "./support/rates.ts";

let essay = 0;
let episode = 0;
beforeAll(async () => {
  await setComments(true);
  essay = (await publishedArticle({ slug: "on-rent", title: "On rent" })).id;
  episode = (await publishedEpisode()).id;
});
afterAll(() => setComments(false));
beforeEach(forgetRates);

const shownOn = async (contentId: number, after?: string) =>
  listComments(visitorContext(), { contentType: "article", contentId, after });
const anEssay = async () => (await publishedArticle()).id;

describe("writing a comment", () => {
  it("stores it as unconfirmed and emails a link; readers see nothing of it", async () => {
    const comment = aComment(essay, { email: address().toUpperCase() });
    const answer = await postComment(comment);
    expect(answer.status).toBe(200);
    expect(await answer.json()).toEqual({ success: true, message: commentAnswers.success });
    const email = comment.email.toLowerCase();
    expect(await commentsOf(email)).toMatchObject([
      { contentType: "article", contentId: essay, parentId: null, name: "Nadia", status: "unconfirmed" },
    ]);
    expect(await mailsTo(email)).toHaveLength(1);
    expect((await shownOn(essay)).items).toEqual([]);
  });

  it("is possible on an episode", async () => {
    const { contentType } = await written(aComment(episode, { contentType: "episode" }));
    expect(contentType).toBe("episode");
  });

  it("emails no word that a stranger could have chosen", async () => {
    const text = "Buy at https://bad.example now";
    const comment = aComment(essay, { name: "https://worse.example", text });
    await written(comment);
    const [mail] = await mailsTo(comment.email);
    const whole = JSON.stringify(mail);
    expect(whole).toContain("On rent");
    expect(whole).not.toMatch(/bad\.example|worse\.example/);
  });

  it("works as a form without scripts, which leads back to it", async () => {
    const { contentId, parentId: _, ...comment } = aComment(essay, { text: "One.\r\n\r\nTwo." });
    const guard = { form: "comment", leaveEmpty: "", shownAt: String(Date.now() - 5000) };
    const answer = await postCommentForm({
      ...comment,
      contentId: String(contentId),
      parentId: "",
      ...guard,
    });
    expect(answer.status).toBe(303);
    expect(answer.headers.get("Location")).toBe("/essays/on-rent#comment-sent");
    expect(await commentsOf(comment.email)).toMatchObject([{ text: "One.\n\nTwo.", parentId: null }]);
    const refused = await postCommentForm({ ...comment, contentId: "0", ...guard });
    expect(refused.headers.get("Location")).toBe("/essays/on-rent#comment-failed");
  });

  it("without scripts gets its page back, with the typed text and the error at the field", async () => {
    const parentId = await commentRow({ contentId: essay, name: "Ada Quill" });
    const guard = { form: "comment", leaveEmpty: "", shownAt: String(Date.now() - 5000) };
    const fields = { name: "نادية", email: "nobody", text: "A & <b>B</b>" };
    const on = { contentType: "article", contentId: String(essay), parentId: String(parentId) };
    const answer = await postCommentForm({ ...fields, ...on, ...guard }, "", "/api/comments");
    const html = await answer.text();
    expect([answer.status, answer.headers.get("Cache-Control")]).toEqual([422, "no-store"]);
    expect(html).toContain("On rent");
    expect(html).toMatch(/<input[^>]* aria-invalid="true"[^>]* value="nobody"/);
    expect(html).toMatch(/-error"[^>]*>Email is invalid/);
    expect(html).toContain("A &amp; &lt;b&gt;B&lt;/b&gt;</textarea>");
    expect(html).toMatch(/<input[^>]* value="نادية"/);
    expect(html).toMatch(
      new RegExp(`<option[^>]*value="${parentId}"[^>]* selected[^>]*>Ada Quill: Well said.`),
    );
    const long = await postCommentForm({
      ...fields,
      ...on,
      ...guard,
      email: address(),
      text: "x".repeat(100_000),
    });
    expect(await long.text()).toContain(`${"x".repeat(100_000)}</textarea>`);
  });

  it("chooses the comment that a link to reply names, without scripts", async () => {
    const { id } = await publishedArticle({ slug: "replied-to" });
    const parentId = await commentRow({ contentId: id, name: "Ada Quill" });
    const path = `/essays/replied-to?reply=${parentId}`;
    const html = await (await fetchSite(path)).text();
    expect(html).toContain(`href="${path}#comment-form"`);
    expect(html).toMatch(new RegExp(`<option[^>]*value="${parentId}"[^>]* selected`));
    const unknown = await (await fetchSite("/essays/replied-to?reply=999999")).text();
    expect(unknown).toMatch(/<option[^>]*value=""[^>]* selected[^>]*>The essay/);
  });

  it.each([{ leaveEmpty: "x" }, { website: "https://ada.example" }, { shownAt: String(Date.now() + DAY) }])(
    "is pending once it is confirmed, also if it was sent with %j",
    async (traits) => {
      const comment = aComment(essay);
      expect((await postComment({ ...comment, ...traits })).status).toBe(200);
      expect(await commentsOf(comment.email)).toMatchObject([{ status: "unconfirmed" }]);
      const [mail] = await mailsTo(comment.email);
      expect((await postComment({ token: tokenIn(mail?.link ?? "") }, "/confirm")).status).toBe(200);
      expect(await commentsOf(comment.email)).toMatchObject([{ status: "pending" }]);
    },
  );

  it.each([
    [{ name: "" }, "name", "Name is required"],
    [{ name: "a".repeat(121) }, "name", "Name has at most 120 characters."],
    [{ name: "A\u202eB" }, "name", /invisible character/],
    [{ email: "nobody" }, "email", "Email is invalid"],
    [{ text: " \n " }, "text", "Comment is required"],
    [{ text: "a".repeat(3001) }, "text", "Comment has at most 3000 characters."],
    [{ text: "a".repeat(60_000) }, "text", "Comment has at most 3000 characters."],
    [{ contentType: "page" }, "contentType", "Choose what it’s about."],
    [{ parentId: 999_999 }, "parentId", "This comment no longer exists."],
  ])("refuses %j beside the field", async (bad, field, message) => {
    const comment = aComment(essay);
    const answer = await postComment({ ...comment, ...bad });
    expect(answer.status).toBe(422);
    expect(await answer.json()).toMatchObject({
      error: { field, message: expect.stringMatching(message) as string },
    });
    expect(await commentsOf(comment.email)).toEqual([]);
  });

  it("counts characters as people see them", async () => {
    const family = "👩🏽‍❤️‍💋‍👨🏿";
    const { text } = await written(aComment(essay, { text: family.repeat(3000) }));
    expect(text.length).toBeGreaterThan(30_000);
  });

  it("takes an Arabic name, and an address with a plus and an apostrophe, of a form open for three days", async () => {
    const email = `o'hara+notes.${crypto.randomUUID()}@example.com`;
    const comment = aComment(essay, { name: "نور الهدى", email });
    const answer = await postComment({ ...comment, shownAt: String(Date.now() - 3 * DAY) });
    expect(answer.status).toBe(200);
    expect(await commentsOf(email)).toMatchObject([{ name: "نور الهدى", status: "unconfirmed" }]);
    expect(await mailsTo(email)).toHaveLength(1);
  });

  it("refuses an address that is a header, or has quotes, beside its field", async () => {
    for (const email of ["a@example.com\r\nBcc: b@example.com", '"a b"@example.com']) {
      const answer = await postComment(aComment(essay, { email }));
      expect(await answer.json()).toMatchObject({ error: { field: "email", message: "Email is invalid" } });
    }
  });

  it("is one row and one email, of five hundred posts from one address", async () => {
    const headers = { "CF-Connecting-IP": household() };
    const comment = aComment(essay);
    const statuses = new Set<number>();
    for (let count = 0; count < 500; count++) statuses.add((await postComment(comment, "", headers)).status);
    expect([...statuses].toSorted()).toEqual([200, 429]);
    expect(await commentsOf(comment.email)).toHaveLength(1);
    expect(await mailsTo(comment.email)).toHaveLength(1);
  });

  it("refuses fields that readers do not have", async () => {
    for (const extra of [{ status: "approved" }, { isOwner: true }, { id: 1 }]) {
      expect((await postComment({ ...aComment(essay), ...extra })).status).toBe(422);
    }
  });

  it("finds nothing to comment on that is not published", async () => {
    const { id } = await publishedArticle({ status: "draft" });
    for (const contentId of [id, 999_999]) {
      expect((await postComment(aComment(contentId))).status).toBe(404);
    }
  });

  it("is one, sent twice within ten minutes, and two after that", async () => {
    const comment = aComment(essay);
    for (let times = 0; times < 2; times++) expect((await postComment(comment)).status).toBe(200);
    expect(await commentsOf(comment.email)).toHaveLength(1);
    expect(await mailsTo(comment.email)).toHaveLength(1);
    await addComment(later(11 * 60_000), comment);
    expect(await commentsOf(comment.email)).toHaveLength(2);
  });

  it("emails an address at most six times an hour", async () => {
    const email = address();
    const answers = [];
    for (let n = 0; n < 7; n++)
      answers.push(await postComment(aComment(essay, { email, text: `Text ${n}` })));
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200, 200, 200, 429]);
    expect(Number(answers.at(-1)!.headers.get("Retry-After"))).toBeGreaterThan(0);
    expect(await mailsTo(email)).toHaveLength(6);
  });

  it("accepts exactly thirty an hour from one IP address, of sixty concurrent ones", async () => {
    const ctx = visitorContext({ client: { address: household(), userAgent: "" } });
    const asked = await Promise.allSettled(
      Array.from({ length: 60 }, () => addComment(ctx, aComment(essay))),
    );
    expect(asked.filter(({ status }) => status === "fulfilled")).toHaveLength(30);
  });

  it("answers alike whether the address is known or not", async () => {
    const known = await waitingComment(aComment(essay));
    const answers = [];
    for (const email of [known.email, address()]) {
      const answer = await postComment(aComment(essay, { email, text: "Another" }));
      answers.push([answer.status, await answer.text()]);
    }
    expect(answers[0]).toEqual(answers[1]);
  });
});

describe("the link of the email", () => {
  it("shows the comment, and changes nothing without a press", async () => {
    const { token, email } = await written(aComment(essay));
    for (let times = 0; times < 2; times++) {
      const own = await readOwnComment(visitorContext(), token);
      expect(own).toMatchObject({ state: "ready", stage: "unconfirmed", about: { path: "/essays/on-rent" } });
      expect((await fetchSite(`/comment?token=${token}`)).headers.get("Cache-Control")).toBe("no-store");
    }
    expect(await commentsOf(email)).toMatchObject([{ status: "unconfirmed" }]);
  });

  it("confirms, with scripts and without; repeating it is not an error", async () => {
    const { token, email } = await written(aComment(essay));
    expect((await postComment({ token }, "/confirm")).status).toBe(200);
    const form = await postCommentForm({ token, form: "link" }, "/confirm");
    expect(form.headers.get("Location")).toBe("/comment?confirmed=1");
    for (const path of ["/confirm", "/delete"]) {
      const refused = await postCommentForm({ token: "nonsense", form: "link" }, path, "/");
      expect(refused.headers.get("Location")).toBe("/comment?token=nonsense#link-failed");
    }
    expect(await commentsOf(email)).toMatchObject([{ status: "pending" }]);
  });

  it("moves a comment with listed words or too many links to spam, without telling its writer", async () => {
    await updateSite(ownerContext(), { spam: { words: ["casino"], links: 1 } });
    try {
      for (const text of ["Best CASINO in town", "https://a.example https://b.example"]) {
        const { token, email } = await waitingComment(aComment(essay, { text }));
        expect(await commentsOf(email)).toMatchObject([{ status: "spam" }]);
        expect((await commentsOf(email))[0]!.spamReason).not.toBe("");
        expect(await readOwnComment(visitorContext(), token)).toMatchObject({ stage: "pending" });
      }
    } finally {
      await updateSite(ownerContext(), { spam: siteDefaults.spam });
    }
  });

  it("deletes the comment in any box with its personal data; repeating it is not an error", async () => {
    for (const status of ["unconfirmed", "pending", "approved", "rejected", "spam"] as const) {
      const { id, token, email } = await written(aComment(essay));
      await db.update(comments).set({ status }).where(eq(comments.id, id));
      for (let times = 0; times < 2; times++) {
        expect((await postComment({ token }, "/delete")).status).toBe(200);
      }
      expect(await commentsOf(email)).toEqual([]);
      expect(await readOwnComment(visitorContext(), token)).toEqual({ state: "gone" });
      expect((await postComment({ token }, "/confirm")).status).toBe(422);
    }
  });

  it("is refused if it was tampered with, or is another email's", async () => {
    const { token } = await written(aComment(essay));
    for (const bad of [`${token.slice(0, -2)}xx`, "", "a".repeat(3000), 7]) {
      for (const path of ["/confirm", "/delete"]) {
        const answer = await postComment({ token: bad }, path);
        expect(answer.status).toBe(422);
        expect(await messageOf(answer)).toMatch(/[.]$/);
      }
    }
    expect(await readOwnComment(visitorContext(), "none")).toMatchObject({ state: "invalid" });
  });

  it("expires with its unconfirmed comment after a week", async () => {
    const { email } = await written(aComment(essay));
    const kept = await waitingComment(aComment(essay));
    await pruneUnconfirmedComments(jobContext({ now: new Date(Date.now() + 6 * DAY) }));
    expect(await commentsOf(email)).toHaveLength(1);
    await pruneUnconfirmedComments(jobContext({ now: new Date(Date.now() + 8 * DAY) }));
    expect(await commentsOf(email)).toEqual([]);
    expect(await commentsOf(kept.email)).toHaveLength(1);
  });
});

it("prunes also more unconfirmed comments than one batch", async () => {
  await env.DB.prepare(
    `with recursive n(i) as (select 1 union all select i + 1 from n where i < 2100)
    insert into comments (content_type, content_id, name, email, text, status, key, created_at, updated_at)
    select 'article', ?, 'Old', 'old@example.com', 'Old', 'unconfirmed', 'old-' || i, 0, 0 from n`,
  )
    .bind(essay)
    .run();
  await pruneUnconfirmedComments(jobContext());
  expect(await commentsOf("old@example.com")).toEqual([]);
});

describe("the public comments", () => {
  const textsOf = ({ items }: { items: Comment[] }) => items.map(({ text }) => text);

  it("are the approved ones, thread by thread, without addresses", async () => {
    const contentId = await anEssay();
    const first = await commentRow({ contentId, text: "First" });
    await commentRow({ contentId, text: "Second" });
    for (const status of ["unconfirmed", "pending", "rejected", "spam"] as const) {
      await commentRow({ contentId, status });
    }
    await commentRow({ contentId, text: "Answer", parentId: first });
    const list = await shownOn(contentId);
    expect(textsOf(list)).toEqual(["First", "Answer", "Second"]);
    expect(list).toMatchObject({ count: 3, next: null });
    expect(JSON.stringify(list)).not.toMatch(/@|email|status/);
    const answer = await fetchSite(`/api/comments?contentType=article&contentId=${contentId}`);
    expect(await answer.json()).toEqual(list);
  });

  it("has answers of one level: an answer to an answer joins the thread", async () => {
    const contentId = await anEssay();
    const first = await commentRow({ contentId });
    const answer = await commentRow({ contentId, parentId: first });
    const { parentId } = await written(aComment(contentId, { parentId: answer }));
    expect(parentId).toBe(first);
  });

  it("cannot be answered if it is not shown, or on another page", async () => {
    const contentId = await anEssay();
    const elsewhere = await commentRow({ contentId: essay });
    const pending = await commentRow({ contentId, status: "pending" });
    for (const parentId of [elsewhere, pending]) {
      await expect(written(aComment(contentId, { parentId }))).rejects.toMatchObject({ field: "parentId" });
    }
  });

  it("keeps the answers to one that is deleted", async () => {
    const contentId = await anEssay();
    const { id, token } = await written(aComment(contentId));
    await db.update(comments).set({ status: "approved" }).where(eq(comments.id, id));
    await commentRow({ contentId, parentId: id, text: "Answer" });
    await deleteOwnComment(visitorContext(), { token });
    const list = await shownOn(contentId);
    expect(list).toMatchObject({ count: 1, items: [{ parentId: id, text: "Answer" }] });
  });

  it("is paged by key, also within a thread", async () => {
    const contentId = await anEssay();
    const first = await commentRow({ contentId, text: "0" });
    for (let n = 1; n <= 40; n++) await commentRow({ contentId, text: String(n), parentId: first });
    await commentRow({ contentId, text: "41" });
    const page = await shownOn(contentId);
    const rest = await shownOn(contentId, page.next!);
    expect([page.items.length, rest.next, rest.count]).toEqual([30, null, 42]);
    expect([...textsOf(page), ...textsOf(rest)]).toEqual(Array.from({ length: 42 }, (_, n) => String(n)));
    await expect(shownOn(contentId, "nonsense")).rejects.toMatchObject({ code: "not_found" });
  });

  it("are deleted with the article or episode", async () => {
    const contentId = await anEssay();
    const other = (await publishedEpisode()).id;
    await commentRow({ contentId });
    await commentRow({ contentId: other, contentType: "episode" });
    await deleteArticle(ownerContext(), contentId);
    await deleteEpisode(ownerContext(), other);
    const left = (await db.select().from(comments)).map((row) => `${row.contentType} ${row.contentId}`);
    expect(left).not.toContain(`article ${contentId}`);
    expect(left).not.toContain(`episode ${other}`);
  });
});

describe("switched off", () => {
  it("hides and refuses comments, retains stored ones, and the link still deletes", async () => {
    const contentId = await anEssay();
    await commentRow({ contentId });
    const { token, email } = await written(aComment(contentId));
    await setComments(false);
    try {
      const query = `/api/comments?contentType=article&contentId=${contentId}`;
      expect((await fetchSite(query)).status).toBe(404);
      expect((await postComment(aComment(contentId))).status).toBe(404);
      await expect(confirmComment(visitorContext(), { token })).rejects.toMatchObject({ code: "not_found" });
      await deleteOwnComment(visitorContext(), { token });
      expect(await commentsOf(email)).toEqual([]);
    } finally {
      await setComments(true);
    }
    expect(await shownOn(contentId)).toMatchObject({ count: 1 });
  });
});
