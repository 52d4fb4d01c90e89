import { eq } from "drizzle-orm";
import { beforeAll, beforeEach, describe, expect, inject, test, vi } from "vitest";
import { createArticle, deleteArticle, updateArticle } from "#worker/articles/commands.ts";
import { eraseItem } from "#worker/bin/commands.ts";
import { createEpisode } from "#worker/episodes/commands.ts";
import { createLetter } from "#worker/letters/commands.ts";
import { handlers } from "#worker/jobs.ts";
import type { Context } from "#worker/platform/context.ts";
import { deliverOutbox } from "#worker/platform/work/outbox.ts";
import { outbox } from "#worker/platform/table.ts";
import { retryPing } from "#worker/publications/commands.ts";
import type { PublicationKind, StepName } from "#worker/publications/contract.ts";
import { readFollowUps, readPublication } from "#worker/publications/queries.ts";
import { publications } from "#worker/publications/table.ts";
import { updateSite } from "#worker/settings/commands.ts";
import { fetchSite, jobContext, ownerContext, signedIn, SITE } from "./support/client.ts";
import { anEpisode, publishedEpisode, savedShow, storedImage } from "./support/factories.ts";
import { setLetter } from "./support/letters.ts";

const HUB = `http://127.0.0.1:${inject("hub")}/publications`;
const MINUTE = 60_000;
const { db } = jobContext();

const setHub = (hubUrl: string) => updateSite(ownerContext(), { hubUrl });

/** What followed, by step. */
async function stepsOf(kind: PublicationKind, id: number) {
  const { steps } = await readFollowUps(ownerContext(), kind, id);
  return Object.fromEntries(steps.map((step) => [step.name, step])) as Record<
    StepName,
    (typeof steps)[number]
  >;
}
const statesOf = async (kind: PublicationKind, id: number) =>
  Object.fromEntries(Object.entries(await stepsOf(kind, id)).map(([name, { state }]) => [name, state]));

async function deliver(now: Date) {
  for (const { id } of await db.select().from(outbox)) {
    await deliverOutbox(jobContext({ now }), id, handlers);
  }
}

beforeAll(() => savedShow());
beforeEach(async () => {
  await db.delete(outbox);
  await setHub("");
});

describe("that something went out", () => {
  test("is noted when it is published, however it is dated, and again when it is published once more", async () => {
    const now = new Date(Date.now() - 2 * MINUTE);
    const { id } = await createArticle(ownerContext({ now }), { title: "A draft first" });
    expect(await readPublication(ownerContext(), "article", id)).toBeNull();
    const publishedAt = Date.UTC(2020, 1, 1);
    await updateArticle(ownerContext({ now }), id, { status: "published", publishedAt });
    const first = { wentOutAt: now.getTime(), isPlanned: false };
    expect(await readPublication(ownerContext(), "article", id)).toEqual(first);
    await updateArticle(ownerContext(), id, { title: "A better title" });
    expect(await readPublication(ownerContext(), "article", id)).toEqual(first);
    await updateArticle(ownerContext(), id, { status: "draft" });
    const later = new Date();
    await updateArticle(ownerContext({ now: later }), id, { status: "published" });
    expect(await readPublication(ownerContext(), "article", id)).toMatchObject({
      wentOutAt: later.getTime(),
    });
    await deleteArticle(ownerContext(), id);
    await eraseItem(ownerContext(), `article:${id}`);
    expect(await db.select().from(publications).where(eq(publications.itemId, id))).toEqual([]);
  });

  test("is not noted of a save that was refused", async () => {
    const { id, updatedAt } = await createArticle(ownerContext(), { title: "Twice at once" });
    await updateArticle(ownerContext(), id, { content: "Words." });
    const change = { status: "published" as const, basedOn: updatedAt };
    await expect(updateArticle(ownerContext(), id, change)).rejects.toMatchObject({ code: "conflict" });
    expect(await readPublication(ownerContext(), "article", id)).toBeNull();
  });
});

describe("the results of a publication", () => {
  test("an essay: its page, the feed and the search have it, words and all", async () => {
    const title = `“Tea” & <sympathy>: it's "done"`;
    const excerpt = `${"Words upon words. ".repeat(30)}`;
    const image = await storedImage();
    const article = { title, excerpt, status: "published" as const, imageFileId: image.id };
    const { id, slug } = await createArticle(ownerContext(), article);
    expect(await statesOf("article", id)).toEqual({
      page: "done",
      feed: "done",
      search: "done",
      // The tests' own Worker has none.
      cache: "none",
      ping: "none",
      letter: "none",
    });
    const { share } = await readFollowUps(ownerContext(), "article", id);
    expect(share).toMatchObject({
      url: `${SITE}/essays/${slug}`,
      title,
    });
    // Its own picture is the cover in it.
    const page = await (await fetchSite(`/essays/${slug}`)).text();
    const [, preview] = /property="og:image" content="([^"]+)"/.exec(page) ?? [];
    expect(`${SITE}${share.picture}`).toBe(preview);
    expect((await fetchSite(share.picture!)).headers.get("Content-Type")).toMatch(/^image[/]/);
    expect(share.text).toMatch(/^“Tea” & <sympathy>: it's "done"\n\nWords upon [^\n]+…\n\nhttp:\/\/.+$/);
    expect(share.text.length).toBeLessThan(400);
  });

  test("an episode, with audio and without", async () => {
    const { id } = await publishedEpisode({ title: "With sound" });
    expect(await statesOf("episode", id)).toMatchObject({ page: "done", feed: "done", search: "done" });
    const { share } = await readFollowUps(ownerContext(), "episode", id);
    expect(share.picture).toMatch(new RegExp(`^/share/episode/${id}[?]v=\\w+$`));
    const silent = await createEpisode(ownerContext(), anEpisode({ status: "published" }));
    const { feed } = await stepsOf("episode", silent.id);
    expect(feed).toMatchObject({ state: "none", detail: "It has no audio, so it isn’t in the feed." });
  });

  test("include the newest letter, only for users who may write letters", async () => {
    const { id } = await createArticle(ownerContext(), { title: "By letter", status: "published" });
    expect((await stepsOf("article", id)).letter).toMatchObject({ detail: "Not sent as a letter yet." });
    await createLetter(ownerContext(), { origin: { kind: "article", id } });
    const letter = await createLetter(ownerContext(), { origin: { kind: "article", id } });
    expect((await stepsOf("article", id)).letter).toMatchObject({
      state: "none",
      detail: "A draft letter is ready. It isn’t sent yet.",
    });
    const scheduledFor = new Date(Date.now() + MINUTE);
    await setLetter(letter.id, { status: "scheduled", scheduledFor });
    expect((await stepsOf("article", id)).letter).toMatchObject({
      state: "waiting",
      at: scheduledFor.getTime(),
    });
    await setLetter(letter.id, { status: "sending", recipients: 3, sent: 1 });
    expect((await stepsOf("article", id)).letter.detail).toBe("Sending the letter: 1 of 3 sent.");
    await setLetter(letter.id, { status: "sent", sent: 3, finishedAt: scheduledFor });
    expect((await stepsOf("article", id)).letter).toMatchObject({
      state: "done",
      at: scheduledFor.getTime(),
      detail: "Sent as a letter to 3 subscribers.",
    });
    const actor = { ...ownerContext().actor, role: "editor" } as Context["actor"];
    const { steps } = await readFollowUps(ownerContext({ actor }), "article", id);
    expect(steps.map(({ name }) => name)).not.toContain("letter");
  });

  test("an essay that is dated before those in the feed is not said to be missing there", async () => {
    for (let n = 0; n < 50; n++) {
      await createArticle(ownerContext(), { title: `Newer ${n}`, status: "published" });
    }
    const publishedAt = Date.UTC(2001, 1, 1);
    const old = { title: "Of long ago", status: "published" as const, publishedAt };
    const { id } = await createArticle(ownerContext(), old);
    expect((await stepsOf("article", id)).feed).toMatchObject({ state: "none" });
    await db.run("delete from articles where title like 'Newer %'");
  });

  test("is looked for, not assumed", async () => {
    const { id } = await createArticle(ownerContext(), { title: "Lost somewhere", status: "published" });
    await db.run("delete from search_documents where title = 'Lost somewhere'");
    const { search } = await stepsOf("article", id);
    expect(search).toMatchObject({ state: "failed", detail: "Search doesn’t find it by its title." });
  });

  test("are not read for an unpublished or missing item", async () => {
    const { id } = await createArticle(ownerContext(), { title: "Not yet" });
    for (const [kind, item] of [
      ["article", id],
      ["article", 999_999],
      ["episode", 999_999],
    ] as const) {
      await expect(readFollowUps(ownerContext(), kind, item)).rejects.toMatchObject({ code: "not_found" });
    }
  });
});

describe("the hub's ping", () => {
  test("is pending, then done with its time", async () => {
    const now = new Date();
    await setHub(`${HUB}/ok`);
    const { id } = await createArticle(ownerContext({ now }), { title: "To the hub", status: "published" });
    const waiting = (await stepsOf("article", id)).ping;
    expect(waiting).toMatchObject({ state: "waiting", at: now.getTime() + 25_000 });
    await deliver(new Date(now.getTime() + MINUTE));
    const taken = (await stepsOf("article", id)).ping;
    expect(taken).toMatchObject({ state: "done", at: now.getTime() + MINUTE });
    await expect(retryPing(ownerContext(), "article", id)).rejects.toMatchObject({ code: "not_found" });
    await db.delete(outbox);
    expect((await stepsOf("article", id)).ping).toMatchObject({ state: "none" });
  });

  test("says that the hub was removed while it waited", async () => {
    const now = new Date();
    await setHub(`${HUB}/ok`);
    const { id } = await createArticle(ownerContext({ now }), { title: "To no hub", status: "published" });
    await setHub("");
    await deliver(new Date(now.getTime() + MINUTE));
    expect((await stepsOf("article", id)).ping).toEqual({
      name: "ping",
      state: "none",
      at: now.getTime() + MINUTE,
      detail: "The hub was removed before it was notified.",
    });
  });

  test("shows why it failed, and can be retried by users who may publish", async () => {
    vi.spyOn(console, "error").mockImplementation(() => {});
    const now = new Date();
    await setHub(`${HUB}/busy`);
    const { id } = await createEpisode(ownerContext({ now }), anEpisode({ status: "published" }));
    await deliver(new Date(now.getTime() + MINUTE));
    const failed = (await stepsOf("episode", id)).ping;
    expect(failed).toMatchObject({ state: "failed", at: now.getTime() + 2 * MINUTE });
    expect(failed.detail).toMatch(/^The hub answered 503 .+ Trying again\.$/);
    // As during the second attempt, which the page waits for.
    await db.update(outbox).set({ claimedUntil: new Date(now.getTime() + 60 * MINUTE) });
    expect((await stepsOf("episode", id)).ping).toMatchObject({
      state: "waiting",
      detail: "The hub is being notified.",
    });
    await db.update(outbox).set({ claimedUntil: null });
    await setHub(`${HUB}/ok`);
    const { api } = await signedIn("editor");
    const again = () => api.episodes[":id"].publication.ping.$post({ param: { id: String(id) } });
    expect((await again()).status).toBe(204);
    // The queue may be about to.
    const isDelivered = async () => {
      await deliver(new Date());
      expect((await stepsOf("episode", id)).ping).toMatchObject({ state: "done" });
    };
    await vi.waitFor(isDelivered, { timeout: 60_000 });
    expect((await again()).status).toBe(404);
    vi.restoreAllMocks();
  });
});
