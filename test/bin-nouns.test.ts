import { env } from "cloudflare:workers";
import { eq, sql } from "drizzle-orm";
import { describe, expect, test } from "vitest";
import { createArticle, deleteArticle } from "#worker/articles/commands.ts";
import { applyErased } from "#worker/bin/apply-erased.ts";
import { eraseItem, restoreItem } from "#worker/bin/commands.ts";
import { listBin } from "#worker/bin/queries.ts";
import { bin, erased } from "#worker/bin/table.ts";
import { deleteEnquiry } from "#worker/enquiries/owner/commands.ts";
import { readEnquiry } from "#worker/enquiries/owner/queries.ts";
import { enquiryMails } from "#worker/enquiries/table.ts";
import { deleteEpisode } from "#worker/episodes/commands.ts";
import { deleteFile } from "#worker/files/commands.ts";
import { sweepFiles } from "#worker/files/library/sweep.ts";
import { listFiles, readFile } from "#worker/files/library/queries.ts";
import { deleteLetter, updateLetter } from "#worker/letters/commands.ts";
import { readLetter } from "#worker/letters/queries.ts";
import { deliveries } from "#worker/letters/table.ts";
import { deleteSubscriber } from "#worker/newsletter/owner-commands.ts";
import { subscribers } from "#worker/newsletter/table.ts";
import { fileReferences } from "#worker/nouns/list.ts";
import { deletePerson } from "#worker/people/commands.ts";
import { readPerson } from "#worker/people/queries.ts";
import { createPressItem } from "#worker/press/commands.ts";
import { createEngagement } from "#worker/speaking/commands.ts";
import { engagements } from "#worker/speaking/table.ts";
import { contextAs, fetchSite, jobContext, ownerContext, signedIn } from "./support/client.ts";
import { commentRow } from "./support/comments.ts";
import { savedEnquiry } from "./support/enquiries.ts";
import { aPressItem, publishedEpisode, storedAudio, storedImage, unique } from "./support/factories.ts";
import { savedLetter } from "./support/letters.ts";
import { confirmed } from "./support/newsletter.ts";
import { deliverAll } from "./support/outbox.ts";

const { db } = ownerContext();
const owner = ownerContext;
const DAY = 86_400_000;
const inDays = (days: number) => new Date(Date.now() + days * DAY);
const statusOf = async (path: string) => {
  const answer = await fetchSite(path);
  await answer.body?.cancel();
  return answer.status;
};

describe("a file", () => {
  test("in the bin is not found at its address, and returns with its description", async () => {
    const picture = await storedImage({ alt: "A map", keptAt: new Date() });
    const address = `/media/${picture.key}`;
    await deleteFile(owner(), picture.id, fileReferences);
    expect(await statusOf(address)).toBe(404);
    expect((await listFiles(owner())).items.map(({ id }) => id)).not.toContain(picture.id);
    await restoreItem(owner(), `file:${picture.id}`);
    expect(await statusOf(address)).toBe(200);
    const { file } = await readFile(owner(), picture.id, fileReferences);
    expect(file).toMatchObject({ alt: "A map", isKept: true });
  });

  test("in the bin keeps its object through the daily clean-up, until it is deleted for good", async () => {
    const picture = await storedImage();
    await deleteFile(owner(), picture.id, fileReferences);
    const isThere = async () => (await owner().media.head(picture.key)) !== null;
    for (const day of [3, 6]) await sweepFiles(jobContext({ now: inDays(day) }), fileReferences);
    expect(await isThere()).toBe(true);
    await eraseItem(owner(), `file:${picture.id}`);
    expect(await isThere()).toBe(false);
  });

  test("returns although a newer one has its number in the list", async () => {
    const first = await storedImage();
    await deleteFile(owner(), first.id, fileReferences);
    await storedImage();
    await restoreItem(owner(), `file:${first.id}`);
    expect((await listFiles(owner())).items[0]!.id).toBe(first.id);
  });

  test("that only a deleted episode uses is served for a day, so that listeners can finish", async () => {
    const [audio, shared] = [await storedAudio(), await storedImage()];
    const { id } = await publishedEpisode({ audioFileId: audio.id, imageFileId: shared.id });
    await createArticle(owner(), { title: "Uses it, too", imageFileId: shared.id });
    await deleteEpisode(owner(), id);
    expect(await statusOf(`/media/${audio.key}`)).toBe(200);
    await db
      .update(bin)
      .set({ deletedAt: inDays(-2) })
      .where(eq(bin.key, `episode:${id}`));
    expect(await statusOf(`/media/${audio.key}`)).toBe(404);
    expect(await statusOf(`/media/${shared.key}`)).toBe(200);
    await restoreItem(owner(), `episode:${id}`);
    expect(await statusOf(`/media/${audio.key}`)).toBe(200);
  });

  test("that something in the bin uses is not deleted, and the error names that", async () => {
    const picture = await storedImage();
    const { id } = await createArticle(owner(), { title: "On bins", imageFileId: picture.id });
    await deleteArticle(owner(), id);
    await expect(deleteFile(owner(), picture.id, fileReferences)).rejects.toMatchObject({
      code: "conflict",
      message: "This file is in use: by “On bins” in the bin.",
    });
  });
});

describe("a letter", () => {
  test("returns with its words, and is shown in the bin to those who may delete it", async () => {
    const { id, values } = await savedLetter({ subject: "To be restored" });
    await deleteLetter(owner(), id);
    const key = `letter:${id}`;
    expect((await listBin(owner())).items[0]).toMatchObject({ key, title: "To be restored" });
    expect((await listBin(contextAs("editor"))).items.map((item) => item.key)).not.toContain(key);
    for (const late of [restoreItem, eraseItem])
      await expect(late(contextAs("editor"), key)).rejects.toMatchObject({ code: "forbidden" });
    await restoreItem(owner(), key);
    expect((await readLetter(owner(), id)).values).toEqual(values);
  });

  test("whose scheduled time has passed returns as a draft, so that it is not sent", async () => {
    const { id } = await savedLetter();
    await db.run(
      sql`update letters set status = 'scheduled', scheduled_for = ${Date.now() + DAY} where id = ${id}`,
    );
    await deleteLetter(owner(), id);
    await restoreItem(owner({ now: inDays(2) }), `letter:${id}`);
    expect(await db.all(sql`select status, scheduled_for from letters where id = ${id}`)).toEqual([
      { status: "draft", scheduled_for: null },
    ]);
    await updateLetter(owner(), id, { subject: "Again" });
  });
});

test("a media item returns to the site", async () => {
  const title = `Of bins ${unique()}`;
  const { id } = await createPressItem(owner(), aPressItem({ title }));
  const isShown = async () => (await (await fetchSite("/api/press")).text()).includes(title);
  const { api } = await signedIn("editor");
  expect((await api.press[":id"].$delete({ param: { id: String(id) } })).status).toBe(204);
  expect(await isShown()).toBe(false);
  await restoreItem(owner(), `press:${id}`);
  expect(await isShown()).toBe(true);
});

test("an enquiry returns with notes and answers", async () => {
  const { id } = await savedEnquiry("message", { notes: "Ask again." });
  await db.insert(enquiryMails).values({
    enquiryId: id,
    subject: "Re: A question",
    body: "Come by.",
    sentBy: "The Owner",
    sentAt: new Date(),
    outboxId: "gone",
  });
  const before = await readEnquiry(owner(), "message", id);
  await deleteEnquiry(owner(), "message", id);
  await expect(readEnquiry(owner(), "message", id)).rejects.toMatchObject({ code: "not_found" });
  await restoreItem(owner(), `enquiry:${id}`);
  expect(await readEnquiry(owner(), "message", id)).toEqual(before);
});

describe("a person’s data", () => {
  /** A person with a deleted enquiry, a comment on a deleted article, and a subscription. */
  async function someone() {
    const email = `ada${unique()}@example.com`;
    const enquiry = await savedEnquiry("message", { email });
    const article = await createArticle(owner(), { title: "Commented", status: "published" });
    const comment = await commentRow({ contentId: article.id, email });
    const other = await commentRow({ contentId: article.id, email: `bo${unique()}@example.com` });
    await deleteEnquiry(owner(), "message", enquiry.id);
    await deleteArticle(owner(), article.id);
    return { email, enquiry: enquiry.id, article: article.id, comment, other };
  }

  test("is found in the bin, and deleted from it immediately", async () => {
    const { email, enquiry, article, other } = await someone();
    const { counts } = await readPerson(owner(), { email });
    expect(counts).toMatchObject({ messages: 1, comments: 1 });
    await deletePerson(owner(), { email });
    await expect(restoreItem(owner(), `enquiry:${enquiry}`)).rejects.toMatchObject({ code: "not_found" });
    const rows = await db.all<{ name: string }>(
      sql`select name from sqlite_master where type = 'table' and substr(name, 1, 7) = 'binned_'`,
    );
    for (const { name } of rows)
      expect(JSON.stringify(await db.all(sql`select * from ${sql.identifier(name)}`)), name).not.toContain(
        email,
      );
    await restoreItem(owner(), `article:${article}`);
    expect(await db.all(sql`select id from comments where content_id = ${article}`)).toEqual([{ id: other }]);
  });

  test("is noted by ids alone, and a restored copy loses it again, with what is in its bin", async () => {
    const { email, enquiry, article, comment } = await someone();
    const { id: subscriber } = await confirmed(email);
    const engagement = await createEngagement(owner(), { title: "A talk", contactEmail: email });
    const copy = await copied();
    await deletePerson(owner(), { email });
    expect(JSON.stringify(await db.select().from(erased))).not.toContain(email.split("@")[0]);
    const since = (await db.select().from(erased)).map((row) => ({
      ...row,
      erasedAt: row.erasedAt.getTime(),
    }));
    await copy.restore();
    expect(await db.$count(subscribers, eq(subscribers.id, subscriber))).toBe(1);
    await applyErased(jobContext(), since);
    await expect(readPerson(owner(), { email }).then(({ counts }) => Object.values(counts))).resolves.toEqual(
      Array.from({ length: 9 }, () => 0),
    );
    await expect(restoreItem(owner(), `enquiry:${enquiry}`)).rejects.toMatchObject({ code: "not_found" });
    await restoreItem(owner(), `article:${article}`);
    expect(await db.all(sql`select id from comments where id = ${comment}`)).toEqual([]);
    expect(await db.all(sql`select contact_email from engagements where id = ${engagement.id}`)).toEqual([
      { contact_email: "" },
    ]);
  });
});

describe("applyErased", () => {
  test("deletes again what was deleted for good, and leaves a later row with the same number", async () => {
    const [gone, later] = [
      await createArticle(owner(), { title: "Gone", status: "published" }),
      await createArticle(owner(), { title: "Later" }),
    ];
    const subscriber = await confirmed();
    const copy = await copied();
    for (const { id } of [gone, later]) {
      await deleteArticle(owner(), id);
      await eraseItem(owner(), `article:${id}`);
    }
    await deleteSubscriber(owner(), subscriber.id);
    const since = (await db.select().from(erased)).map((row) => ({
      ...row,
      erasedAt: row.erasedAt.getTime(),
    }));
    await copy.restore();
    await db.run(sql`update articles set created_at = ${Date.now() + DAY} where id = ${later.id}`);
    await applyErased(jobContext(), since);
    await applyErased(jobContext());
    const ids = await db.all<{ id: number }>(
      sql`select id from articles where id in (${gone.id}, ${later.id})`,
    );
    expect(ids).toEqual([{ id: later.id }]);
    expect(
      await db.all(sql`select id from revisions where kind = 'article' and item = ${String(gone.id)}`),
    ).toEqual([]);
    expect(await db.$count(subscribers, eq(subscribers.id, subscriber.id))).toBe(0);
  });

  test("deletes from the bin of a copy what was deleted for good since", async () => {
    const { id } = await createArticle(owner(), { title: "Binned" });
    await deleteArticle(owner(), id);
    const copy = await copied();
    await eraseItem(owner(), `article:${id}`);
    const since = (await db.select().from(erased)).map((row) => ({
      ...row,
      erasedAt: row.erasedAt.getTime(),
    }));
    await copy.restore();
    await applyErased(jobContext(), since);
    await expect(restoreItem(owner(), `article:${id}`)).rejects.toMatchObject({ code: "not_found" });
  });

  test("removes the provider’s answer, which may contain an erased address", async () => {
    const { id } = await confirmed();
    const letter = await savedLetter();
    const delivery = {
      letterId: letter.id,
      subscriberId: id,
      status: "failed",
      notBefore: new Date(),
    } as const;
    await db.insert(deliveries).values({ ...delivery, answer: "No mailbox a@b.net", providerId: "p-1" });
    await applyErased(jobContext(), [{ kind: "subscribers", item: id, erasedAt: Date.now() + DAY }]);
    const left = await db.select().from(deliveries).where(eq(deliveries.letterId, letter.id));
    expect(left).toMatchObject([{ subscriberId: null, status: "failed", answer: null, providerId: null }]);
  });

  test("erases the later of two contacts of an engagement", async () => {
    const { id } = await createEngagement(owner(), { title: "A talk", contactEmail: "second@okafor.net" });
    const [before, after] = [Date.now() - DAY, Date.now() + DAY];
    const of = (erasedAt: number) => ({ kind: "engagements", item: String(id), erasedAt });
    await db.insert(erased).values({ ...of(before), erasedAt: new Date(before) });
    await applyErased(jobContext(), [of(after)]);
    const [row] = await db.select().from(engagements).where(eq(engagements.id, id));
    expect(row!.contactEmail).toBe("");
  });

  test("deletes the objects of an erased file", async () => {
    const { id, key } = await storedAudio();
    await applyErased(jobContext(), [{ kind: "files", item: id, erasedAt: Date.now() + DAY }]);
    await deliverAll();
    expect(await env.MEDIA.head(key)).toBeNull();
  });

  test("is for those who may change settings", async () => {
    await expect(applyErased(contextAs("editor"))).rejects.toMatchObject({ code: "forbidden" });
  });
});

const COPIED = [
  "articles",
  "revisions",
  "enquiries",
  "comments",
  "engagements",
  "subscribers",
  "bin",
  "binned_articles",
  "binned_enquiries",
  "binned_enquiry_mails",
  "binned_comments",
  "erased",
];

/** The rows of these tables now, and a function that writes them again, as a restored copy does. */
async function copied() {
  const tables = await Promise.all(
    COPIED.map(async (name) => ({
      name,
      columns: (
        await db.all<{ name: string; hidden: number }>(
          sql`select name, hidden from pragma_table_xinfo(${name})`,
        )
      ).flatMap((column) => (column.hidden === 0 ? [column.name] : [])),
      rows: await db.all<Record<string, unknown>>(sql`select * from ${sql.identifier(name)}`),
    })),
  );
  return {
    async restore() {
      for (const { name } of tables.toReversed()) await db.run(sql`delete from ${sql.identifier(name)}`);
      for (const { name, columns, rows } of tables)
        for (const row of rows)
          await db.run(
            sql`insert into ${sql.identifier(name)} (${sql.join(
              columns.map((column) => sql.identifier(column)),
              sql`, `,
            )}) values (${sql.join(
              columns.map((column) => sql`${row[column]}`),
              sql`, `,
            )})`,
          );
    },
  };
}
