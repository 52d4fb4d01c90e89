import { createExecutionContext, createScheduledController, waitOnExecutionContext } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { eq, inArray, sql } from "drizzle-orm";
import PostalMime from "postal-mime";
import { beforeEach, describe, expect, test, vi } from "vitest";
import { createArticle, deleteArticle, updateArticle } from "#worker/articles/commands.ts";
import type { ArticleChange, NewArticle } from "#worker/articles/contract.ts";
import {
  createAutomaticLetter,
  deleteAutomaticLetter,
  updateAutomaticLetter,
} from "#worker/automatic-letters/commands.ts";
import {
  automaticLetterDefaults,
  MOST_AUTOMATIC_LETTERS,
  MOST_DIGEST_ITEMS,
  type AutomaticLetterChange,
  type NewAutomaticLetter,
} from "#worker/automatic-letters/contract.ts";
import { HELD_TOPIC, notifyOfHeld } from "#worker/automatic-letters/held-notice.ts";
import { makeAutomaticLetters } from "#worker/automatic-letters/make-letters.ts";
import {
  findWaitingFor,
  listAutomaticLetters,
  readAutomaticLetterForEdit,
} from "#worker/automatic-letters/owner-queries.ts";
import { previewAutomaticLetter } from "#worker/automatic-letters/preview.ts";
import { automaticLetterItems, automaticLetters } from "#worker/automatic-letters/table.ts";
import { restoreItem } from "#worker/bin/commands.ts";
import { listBin } from "#worker/bin/queries.ts";
import { readDesk } from "#worker/desk/queries.ts";
import { createEpisode } from "#worker/episodes/commands.ts";
import { deleteFile } from "#worker/files/commands.ts";
import { tick } from "#worker/jobs.ts";
import { createLetter, deleteLetter } from "#worker/letters/commands.ts";
import { everybody } from "#worker/letters/contract.ts";
import { sendDueLetters, sendLetter } from "#worker/letters/sending-commands.ts";
import { letters } from "#worker/letters/table.ts";
import { causedMailId, type Mail } from "#worker/mail/message.ts";
import { fileReferences } from "#worker/nouns/list.ts";
import type { Context } from "#worker/platform/context.ts";
import { outbox } from "#worker/platform/table.ts";
import { deliverOutbox } from "#worker/platform/work/outbox.ts";
import { updateSite } from "#worker/settings/commands.ts";
import { contextAs, jobContext, ownerContext } from "./support/client.ts";
import { anEpisode, savedShow, storedAudio, storedImage, unique } from "./support/factories.ts";
import { killedAfter } from "./support/killed.ts";
import { receivedBy, sendingContext, sendSlices, subscribed } from "./support/sending.ts";

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;
/** Ten o'clock in Sydney, on a Wednesday. */
const T = Date.parse("2026-06-10T00:00:00Z");

const { db } = jobContext();
const owner = (at: number) => ownerContext({ now: new Date(at) });
const job = (at: number) => sendingContext({ now: new Date(at) });

beforeEach(async () => {
  vi.spyOn(console, "error").mockImplementation(() => {});
  await db.delete(automaticLetters);
  await updateSite(ownerContext(), { timeZone: "Australia/Sydney", name: "The Field" });
});

type Input = Partial<NewAutomaticLetter>;

const switchedOn = (at: number, input: Input = {}) =>
  createAutomaticLetter(owner(at), { name: `Automatic ${unique()}`, isOn: true, mode: "send", ...input });

const change = (id: number, at: number, input: AutomaticLetterChange) =>
  updateAutomaticLetter(owner(at), id, input);

const essayAt = (at: number, input: Partial<NewArticle> = {}) =>
  createArticle(owner(at), {
    title: `Essay ${unique()}`,
    excerpt: "In short.",
    status: "published",
    ...input,
  });

const changeEssay = (id: number, at: number, input: ArticleChange) => updateArticle(owner(at), id, input);

async function episodeAt(at: number, input: Parameters<typeof anEpisode>[0] = {}) {
  const audioFileId = (await storedAudio()).id;
  return createEpisode(owner(at), anEpisode({ status: "published", audioFileId, ...input }));
}

/** What the tick of each minute does for letters. */
async function tickAt(at: number, ctx: Context = job(at)) {
  await makeAutomaticLetters(ctx);
  await sendDueLetters(ctx);
}

const madeBy = (id: number) =>
  db.select().from(letters).where(eq(letters.automaticLetterId, id)).orderBy(letters.id);
const subjectsOf = async (id: number) => (await madeBy(id)).map(({ subject }) => subject);
const to = (domain: string) => ({ ...everybody, sources: [domain] });

describe("a letter for each publication", () => {
  test("is sent five minutes after it, once, to the confirmed subscribers of its segment", async () => {
    const { domain, subscribers } = await subscribed([{}, { verifiedAt: null }, { status: "unsubscribed" }]);
    const { id } = await switchedOn(T, { segment: to(domain) });
    const { slug } = await essayAt(T + MINUTE, {
      title: "On heat",
      excerpt: "Why it *rises*.",
      content: "All.",
    });
    await tickAt(T + 6 * MINUTE - 1);
    expect(await madeBy(id)).toEqual([]);
    const ctx = job(T + 6 * MINUTE);
    await tickAt(T + 6 * MINUTE, ctx);
    const [letter] = await madeBy(id);
    expect(letter).toMatchObject({
      status: "sending",
      subject: "On heat",
      preheader: "Why it *rises*.",
      originKind: "article",
      recipients: 1,
    });
    await sendSlices(ctx, letter!.id);
    for (let minute = 7; minute < 12; minute++) await tickAt(T + minute * MINUTE);
    const mails = await receivedBy(subscribers[0]!.email);
    expect(mails).toHaveLength(1);
    const mail = await PostalMime.parse(mails[0]!.raw);
    expect(mail.subject).toBe("On heat");
    expect(mail.text).toContain("Why it *rises*.");
    expect(mail.html).toContain(`http://localhost:8787/essays/${slug}`);
    expect(await subjectsOf(id)).toEqual(["On heat"]);
  });

  test("gives a reader's token to no link that an author wrote", async () => {
    const { domain, subscribers } = await subscribed([{}]);
    const typed = "{{unsubscribe_token}}";
    const { id } = await switchedOn(T, { segment: to(domain) });
    await essayAt(T + MINUTE, {
      title: `Title ${typed}`,
      excerpt: `https://evil.example/?t=${typed}`,
      content: "All.",
    });
    const ctx = job(T + 6 * MINUTE);
    await tickAt(T + 6 * MINUTE, ctx);
    const [letter] = await madeBy(id);
    await sendSlices(ctx, letter!.id);
    const [received] = await receivedBy(subscribers[0]!.email);
    const { text = "", html = "", subject, headers } = await PostalMime.parse(received!.raw);
    const header = headers.find(({ key }) => key === "list-unsubscribe")!.value;
    const [, token = ""] = /\?token=([\w.-]+)/.exec(header) ?? [];
    expect(token.length).toBeGreaterThan(20);
    expect(subject).toBe(`Title ${typed}`);
    expect(text).toContain(`https://evil.example/?t=${typed}`);
    for (const part of [text, html]) expect(part.split(token)).toHaveLength(2);
  });

  test("is made for an episode, with its picture, its show notes and its page", async () => {
    await savedShow();
    const picture = await storedImage();
    const { id } = await switchedOn(T, {
      items: "episode",
      content:
        "{{#items}}\n{{picture}}\n\n# {{kind}}: {{title}}\n\n{{text}}\n\n**[{{action}}]({{link}})**\n{{/items}}\n\n{{site}}, {{date}}",
    });
    const episode = await episodeAt(T, {
      title: "Wind [part 1]",
      showNotes: "## Notes\n\n{{site}} stays.",
      imageFileId: picture.id,
      imageAlt: "A sail",
    });
    await tickAt(T + 5 * MINUTE);
    const [letter] = await madeBy(id);
    expect(letter!.subject).toBe("Wind [part 1]");
    expect(letter!.content).toBe(
      [
        `![A sail](/media/${picture.key})`,
        "# Episode: Wind \\[part 1\\]",
        "## Notes",
        "{{site}} stays.",
        `**[Listen to the episode](http://localhost:8787/episode/${episode.id})**`,
        "The Field, June 10, 2026",
      ].join("\n\n"),
    );
  });

  test("is one each for two publications within minutes", async () => {
    const { id } = await switchedOn(T);
    await essayAt(T + MINUTE, { title: "One" });
    await essayAt(T + 2 * MINUTE, { title: "Two" });
    await tickAt(T + 10 * MINUTE);
    expect(await subjectsOf(id)).toEqual(["One", "Two"]);
  });

  test("is made of what its schedule publishes", async () => {
    const { id } = await switchedOn(T);
    await essayAt(T, { title: "Planned", status: "scheduled", scheduledFor: T + HOUR });
    const cron = async (at: number) => {
      const execution = createExecutionContext();
      const scheduledTime = new Date(at);
      await tick(createScheduledController({ cron: "* * * * *", scheduledTime }), env, execution);
      await waitOnExecutionContext(execution);
    };
    await cron(T + HOUR);
    expect(await madeBy(id)).toEqual([]);
    await cron(T + HOUR + 5 * MINUTE);
    expect(await subjectsOf(id)).toEqual(["Planned"]);
  });

  test("is not made when the publication is taken back within five minutes, until it is published again", async () => {
    const { id } = await switchedOn(T);
    const essay = await essayAt(T, { title: "Too early" });
    await changeEssay(essay.id, T + 4 * MINUTE, { status: "draft" });
    await tickAt(T + 5 * MINUTE);
    await tickAt(T + DAY);
    expect(await madeBy(id)).toEqual([]);
    await changeEssay(essay.id, T + 2 * DAY, { status: "published" });
    await tickAt(T + 2 * DAY);
    expect(await madeBy(id)).toEqual([]);
    await tickAt(T + 2 * DAY + 5 * MINUTE);
    expect(await subjectsOf(id)).toEqual(["Too early"]);
  });

  test("waits five minutes from the last of several publications of the same item", async () => {
    const { id } = await switchedOn(T);
    const essay = await essayAt(T);
    await changeEssay(essay.id, T + MINUTE, { status: "draft" });
    await changeEssay(essay.id, T + 3 * MINUTE, { status: "published" });
    await tickAt(T + 7 * MINUTE);
    expect(await madeBy(id)).toEqual([]);
    await tickAt(T + 8 * MINUTE);
    expect(await madeBy(id)).toHaveLength(1);
  });

  test("is not made a second time by unpublishing, a changed date, the bin, or a deleted letter", async () => {
    const { id } = await switchedOn(T, { mode: "hold" });
    const essay = await essayAt(T);
    await tickAt(T + 5 * MINUTE);
    expect(await madeBy(id)).toHaveLength(1);
    await changeEssay(essay.id, T + HOUR, { status: "draft" });
    await changeEssay(essay.id, T + 2 * HOUR, { status: "published" });
    await tickAt(T + 3 * HOUR);
    await changeEssay(essay.id, T + 4 * HOUR, { publishedAt: T + 3 * HOUR });
    await changeEssay(essay.id, T + 4 * HOUR + 1, { status: "archived" });
    await changeEssay(essay.id, T + 5 * HOUR, { status: "published", publishedAt: T + 5 * HOUR });
    await tickAt(T + 6 * HOUR);
    await deleteArticle(owner(T + 7 * HOUR), essay.id);
    const { items: bin } = await listBin(owner(T + 7 * HOUR));
    await restoreItem(owner(T + 8 * HOUR), bin[0]!.key);
    await changeEssay(essay.id, T + 8 * HOUR + 1, { status: "draft" });
    await changeEssay(essay.id, T + 8 * HOUR + 2, { status: "published" });
    await tickAt(T + 9 * HOUR);
    const made = await madeBy(id);
    expect(made).toHaveLength(1);
    await deleteLetter(owner(T + 9 * HOUR), made[0]!.id);
    await changeEssay(essay.id, T + 10 * HOUR, { status: "draft" });
    await changeEssay(essay.id, T + 11 * HOUR, { status: "published" });
    await tickAt(T + 12 * HOUR);
    expect(await madeBy(id)).toEqual([]);
  });

  test("is made once by two simultaneous ticks", async () => {
    const { domain, subscribers } = await subscribed([{}]);
    const { id } = await switchedOn(T, { segment: to(domain) });
    await essayAt(T);
    const [one, other] = [job(T + 5 * MINUTE), job(T + 5 * MINUTE)];
    await Promise.all([tickAt(T + 5 * MINUTE, one), tickAt(T + 5 * MINUTE, other)]);
    const made = await madeBy(id);
    expect(made).toHaveLength(1);
    await Promise.all([sendSlices(one, made[0]!.id), sendSlices(other, made[0]!.id)]);
    expect(await receivedBy(subscribers[0]!.email)).toHaveLength(1);
  });

  test("is made and sent once when ticks are killed after each number of statements", async () => {
    const { domain, subscribers } = await subscribed([{}]);
    const { id } = await switchedOn(T, { segment: to(domain) });
    await essayAt(T, { title: "Survives" });
    let statements = 0;
    while (await killedAfter(statements, job(T + 5 * MINUTE), (ctx) => tickAt(T + 5 * MINUTE, ctx)))
      statements++;
    expect(statements).toBeGreaterThan(5);
    await tickAt(T + 6 * MINUTE);
    const made = await madeBy(id);
    expect(made.map(({ subject, status }) => [subject, status])).toEqual([["Survives", "sending"]]);
    await sendSlices(job(T + 7 * MINUTE), made[0]!.id);
    expect(await receivedBy(subscribers[0]!.email)).toHaveLength(1);
  });

  test("is not made of items that were public before, even if they are published again", async () => {
    const [old, undone, between] = [await essayAt(T - DAY), await essayAt(T - DAY), await essayAt(T - DAY)];
    await changeEssay(undone.id, T - HOUR, { status: "draft" });
    const { id } = await switchedOn(T);
    await changeEssay(old.id, T + HOUR, { status: "draft" });
    await changeEssay(old.id, T + 2 * HOUR, { status: "published" });
    await changeEssay(undone.id, T + 2 * HOUR, { status: "published" });
    await change(id, T + 3 * HOUR, { isOn: false });
    await changeEssay(between.id, T + 4 * HOUR, { status: "draft" });
    await essayAt(T + 4 * HOUR, { title: "While it was off" });
    await change(id, T + 5 * HOUR, { isOn: true });
    await changeEssay(between.id, T + 6 * HOUR, { status: "published" });
    await changeEssay(undone.id, T + 6 * HOUR, { status: "draft" });
    await changeEssay(undone.id, T + 7 * HOUR, { status: "published" });
    await tickAt(T + 8 * HOUR);
    expect(await madeBy(id)).toEqual([]);
  });

  test("is not made of imported items, nor of items dated before it was switched on", async () => {
    await savedShow();
    const { id } = await switchedOn(T);
    const mover = jobContext({ now: new Date(T + HOUR) });
    const audioFileId = (await storedAudio()).id;
    for (let year = 0; year < 3; year++) {
      const publishedAt = T - (3 - year) * 365 * DAY;
      const plain = anEpisode({ status: "published", audioFileId, allowDuplicateAudio: true });
      await createEpisode(mover, { ...plain, publishedAt });
    }
    // Without a date of its own, an import is dated today.
    await createEpisode(mover, anEpisode({ status: "published", audioFileId, allowDuplicateAudio: true }));
    await createArticle(owner(T + HOUR), { title: "Moved in", status: "published" }, { isImported: true });
    const drafted = await createArticle(
      owner(T + HOUR),
      { title: "Moved in as a draft" },
      { isImported: true },
    );
    await changeEssay(drafted.id, T + 2 * HOUR, { status: "published", publishedAt: T - 100 * DAY });
    await tickAt(T + 3 * HOUR);
    expect(await madeBy(id)).toEqual([]);
  });

  test("is about the chosen kind only", async () => {
    await savedShow();
    const { id } = await switchedOn(T, { items: "article" });
    await episodeAt(T);
    await essayAt(T, { title: "An essay" });
    await change(id, T + MINUTE, { items: "both" });
    await tickAt(T + 6 * MINUTE);
    expect(await subjectsOf(id)).toEqual(["An essay"]);
    await essayAt(T + HOUR, { title: "Dropped" });
    await change(id, T + HOUR + 1, { items: "episode" });
    await change(id, T + HOUR + 2, { items: "both" });
    await tickAt(T + 2 * HOUR);
    expect(await subjectsOf(id)).toEqual(["An essay"]);
  });

  test("is not made when the owner has made a letter of the item", async () => {
    const { id } = await switchedOn(T);
    const essay = await essayAt(T);
    const own = await createLetter(owner(T + MINUTE), { origin: { kind: "article", id: essay.id } });
    await tickAt(T + 5 * MINUTE);
    expect(await madeBy(id)).toEqual([]);
    await deleteLetter(owner(T + HOUR), own.id);
    await tickAt(T + 2 * HOUR);
    expect(await madeBy(id)).toEqual([]);
  });

  test("is made by each automatic letter of its own", async () => {
    const { id: one } = await switchedOn(T, { mode: "hold", subject: "One: {{title}}" });
    const { id: other } = await switchedOn(T, { mode: "hold", subject: "Other: {{title}}" });
    await essayAt(T, { title: "Both" });
    await tickAt(T + 5 * MINUTE);
    expect([await subjectsOf(one), await subjectsOf(other)]).toEqual([["One: Both"], ["Other: Both"]]);
  });
});

describe("a letter that was made", () => {
  /** The emails to the owner about a letter that waits. */
  async function noticesOf(letterId: number) {
    const about = sql`${outbox.topic} = ${HELD_TOPIC} and ${outbox.payload} ->> 'letterId' = ${letterId}`;
    const rows = await db.select().from(outbox).where(about);
    for (const { id } of [...rows, ...rows])
      await deliverOutbox(jobContext(), id, { [HELD_TOPIC]: notifyOfHeld });
    const ids = rows.map(({ id }) => causedMailId(id));
    return (await db.select().from(outbox).where(inArray(outbox.id, ids))).map(
      ({ payload }) => payload as Mail,
    );
  }

  test("waits as a draft for the owner's approval, and the desk counts it until it is sent", async () => {
    const { domain, subscribers } = await subscribed([{}]);
    const { id } = await switchedOn(T, { mode: "hold", segment: to(domain) });
    const before = (await readDesk(owner(T))).heldLetters!;
    await essayAt(T, { title: "For approval" });
    await tickAt(T + 5 * MINUTE);
    await tickAt(T + DAY);
    const [letter] = await madeBy(id);
    expect(letter).toMatchObject({ status: "draft", pausedReason: null });
    expect((await readDesk(owner(T))).heldLetters).toBe(before + 1);
    expect(await receivedBy(subscribers[0]!.email)).toEqual([]);
    const [notice, ...more] = await noticesOf(letter!.id);
    expect(more).toEqual([]);
    expect(notice).toMatchObject({
      to: ownerContext().config.adminEmail,
      subject: "A letter of The Field waits for your approval",
      link: `http://localhost:8787/admin/newsletter/${letter!.id}`,
    });
    expect(notice!.text).toContain("“For approval” was made automatically.");
    await sendLetter(job(T + DAY), letter!.id, {});
    await sendSlices(job(T + DAY), letter!.id);
    expect(await receivedBy(subscribers[0]!.email)).toHaveLength(1);
    expect((await readDesk(owner(T))).heldLetters).toBe(before);
  });

  test("waits with the reason where no email can leave, or no one would get it", async () => {
    const { domain } = await subscribed([{}]);
    const { id } = await switchedOn(T, { segment: to(domain) });
    await essayAt(T);
    const none = sendingContext({ now: new Date(T + 5 * MINUTE) }, null);
    await tickAt(T + 5 * MINUTE, { ...none, config: { ...none.config, siteUrl: "https://example.com" } });
    const nobody = await switchedOn(T, { segment: to("none.example") });
    await essayAt(T + HOUR);
    await tickAt(T + 2 * HOUR);
    expect((await madeBy(id))[0]).toMatchObject({
      status: "draft",
      pausedReason: expect.stringContaining("No mail server is set"),
    });
    expect((await madeBy(nobody.id))[0]).toMatchObject({
      status: "draft",
      pausedReason: expect.stringContaining("No one would get this letter"),
    });
    expect((await readDesk(owner(T))).stoppedLetters).toBeGreaterThanOrEqual(2);
  });

  test("waits with the reason when its template can no longer be filled in", async () => {
    const { id } = await switchedOn(T);
    await db.update(automaticLetters).set({ content: "Nothing of it." }).where(eq(automaticLetters.id, id));
    await essayAt(T);
    await tickAt(T + 5 * MINUTE);
    expect((await madeBy(id))[0]).toMatchObject({
      status: "draft",
      content: "Nothing of it.",
      pausedReason: expect.stringContaining("The items are missing"),
    });
  });

  test("waits if ten were made within a day, and the owner gets one email about that", async () => {
    const { id } = await switchedOn(T, { segment: to((await subscribed([{}])).domain) });
    for (let at = 0; at < 12; at++) await essayAt(T + at);
    for (let minute = 5; minute < 25; minute++) await tickAt(T + minute * MINUTE);
    const made = await madeBy(id);
    expect(made.map(({ status }) => status === "draft")).toEqual(
      Array.from({ length: 12 }, (_, at) => at >= 10),
    );
    expect(made[10]!.pausedReason).toContain("10 letters were made within a day.");
    expect(await noticesOf(made[10]!.id)).toHaveLength(1);
    expect(await noticesOf(made[11]!.id)).toEqual([]);
    await essayAt(T + 2 * DAY);
    await tickAt(T + 2 * DAY + HOUR);
    expect((await madeBy(id))[12]).toMatchObject({ pausedReason: null });
  });

  test("is not sent when its item is withdrawn before the sending", async () => {
    const { domain, subscribers } = await subscribed([{}]);
    const { id } = await switchedOn(T, { segment: to(domain) });
    const essay = await essayAt(T);
    await makeAutomaticLetters(job(T + 5 * MINUTE));
    expect((await madeBy(id))[0]).toMatchObject({ status: "scheduled" });
    await changeEssay(essay.id, T + 6 * MINUTE, { status: "draft" });
    await tickAt(T + HOUR);
    expect((await madeBy(id))[0]).toMatchObject({
      status: "draft",
      pausedReason: expect.stringContaining("no longer published"),
    });
    expect(await receivedBy(subscribers[0]!.email)).toEqual([]);
  });
});

describe("a digest", () => {
  /** Nine o'clock in Sydney on Thursday, the 11th. */
  const NINE = Date.parse("2026-06-10T23:00:00Z");
  const daily: Input = { frequency: "daily", hour: 9, subject: "{{count}} new on {{site}}" };
  const letterOfEach = "{{#items}}\n- {{title}}\n{{/items}}";

  test("has what was published since the last one, the newest first, once", async () => {
    const { domain, subscribers } = await subscribed([{}]);
    const { id } = await switchedOn(T, { ...daily, content: letterOfEach, segment: to(domain) });
    await essayAt(T + HOUR, { title: "First" });
    await essayAt(T + 2 * HOUR, { title: "Second" });
    await tickAt(NINE - MINUTE);
    expect(await madeBy(id)).toEqual([]);
    await tickAt(NINE);
    for (let minute = 1; minute < 10; minute++) await tickAt(NINE + minute * MINUTE);
    const made = await madeBy(id);
    expect(made.map(({ subject, content }) => [subject, content])).toEqual([
      ["2 new on The Field", "- Second\n\n- First"],
    ]);
    await sendSlices(job(NINE), made[0]!.id);
    expect(await receivedBy(subscribers[0]!.email)).toHaveLength(1);
    await essayAt(NINE + HOUR, { title: "Third" });
    await tickAt(NINE + DAY);
    expect((await madeBy(id))[1]!.content).toBe("- Third");
  });

  test("is not sent when nothing is new, and its period is done", async () => {
    const { id } = await switchedOn(T, daily);
    await tickAt(NINE);
    // Published after the hour: it belongs to the next one.
    await essayAt(NINE + MINUTE);
    await tickAt(NINE + 10 * MINUTE);
    expect(await madeBy(id)).toEqual([]);
    await tickAt(NINE + DAY);
    expect(await madeBy(id)).toHaveLength(1);
  });

  test("leaves what was published less than five minutes before to the next one", async () => {
    const { id } = await switchedOn(T, { ...daily, content: letterOfEach });
    await essayAt(NINE - 5 * MINUTE, { title: "In time" });
    await essayAt(NINE - 4 * MINUTE, { title: "Too late" });
    await tickAt(NINE);
    await tickAt(NINE + DAY);
    expect((await madeBy(id)).map(({ content }) => content)).toEqual(["- In time", "- Too late"]);
  });

  test("is sent late, and once, when the site was down over its hour", async () => {
    const { id } = await switchedOn(T, daily);
    await essayAt(T + HOUR);
    await tickAt(NINE + 3 * DAY + 5 * HOUR);
    await tickAt(NINE + 3 * DAY + 6 * HOUR);
    expect(await subjectsOf(id)).toEqual(["1 new on The Field"]);
    const [row] = (await listAutomaticLetters(owner(NINE + 3 * DAY + 6 * HOUR))).items;
    expect(row).toMatchObject({ nextAt: NINE + 4 * DAY, waiting: 0 });
  });

  test("is made once by two simultaneous ticks, also with nothing new", async () => {
    const { id } = await switchedOn(T, daily);
    await essayAt(T + HOUR);
    await Promise.all([tickAt(NINE), tickAt(NINE), tickAt(NINE)]);
    expect(await madeBy(id)).toHaveLength(1);
    await Promise.all([tickAt(NINE + DAY), tickAt(NINE + DAY)]);
    expect(await madeBy(id)).toHaveLength(1);
  });

  test("takes effect once when ticks are killed after each number of statements", async () => {
    const { domain, subscribers } = await subscribed([{}]);
    const { id } = await switchedOn(T, { ...daily, segment: to(domain) });
    await essayAt(T + HOUR);
    await essayAt(T + 2 * HOUR);
    let kills = 0;
    while (await killedAfter(kills, job(NINE + kills * MINUTE), (ctx) => tickAt(0, ctx))) kills++;
    expect(kills).toBeGreaterThan(5);
    await tickAt(NINE + HOUR);
    const made = await madeBy(id);
    expect(made.map(({ subject, status }) => [subject, status])).toEqual([["2 new on The Field", "sending"]]);
    await sendSlices(job(NINE + HOUR), made[0]!.id);
    expect(await receivedBy(subscribers[0]!.email)).toHaveLength(1);
    expect(await takenBy(id)).toEqual([made[0]!.id, made[0]!.id]);
  });

  const takenBy = async (id: number) =>
    (
      await db
        .select({ letterId: automaticLetterItems.letterId })
        .from(automaticLetterItems)
        .where(sql`automatic_letter_id = ${id} and status = 'taken'`)
    ).map(({ letterId }) => letterId);

  test("changes nothing when an item is changed or withdrawn while it is made", async () => {
    const { id } = await switchedOn(T, { ...daily, content: letterOfEach });
    const essay = await essayAt(T + HOUR, { title: "Before" });
    const ctx = job(NINE);
    // Changed after the tick has read it, before the tick writes.
    const batch = ctx.db.batch.bind(ctx.db);
    let batches = 0;
    vi.spyOn(ctx.db, "batch").mockImplementation(async (statements) => {
      batches++;
      if (batches === 3) await changeEssay(essay.id, NINE, { title: "After" });
      return batch(statements);
    });
    await makeAutomaticLetters(ctx);
    expect(batches).toBe(3);
    expect(await madeBy(id)).toEqual([]);
    await tickAt(NINE + MINUTE);
    expect((await madeBy(id)).map(({ content }) => content)).toEqual(["- After"]);
  });

  test("has at most 50 items, and leaves the others to the next one", async () => {
    const { id } = await switchedOn(T, daily);
    for (let at = 0; at <= MOST_DIGEST_ITEMS; at++) await essayAt(T + at * 1000);
    await tickAt(NINE);
    await tickAt(NINE + DAY);
    expect(await subjectsOf(id)).toEqual(["50 new on The Field", "1 new on The Field"]);
  });

  test("of a week and of a month are due on their days, at an hour of the site's time zone over a change of clocks", async () => {
    const { id: weekly } = await switchedOn(T, { ...daily, frequency: "weekly", weekday: 7, hour: 2 });
    const { id: monthly } = await switchedOn(T, { ...daily, frequency: "monthly", monthday: 31 });
    const nextOf = async (at: number) =>
      (await listAutomaticLetters(owner(at))).items.map(({ nextAt }) => new Date(nextAt!).toISOString());
    // Of Python's zoneinfo. On 4 October 2026 clocks in Sydney go from 02:00 to 03:00.
    expect(await nextOf(Date.parse("2026-10-03T12:00Z"))).toEqual([
      "2026-10-03T16:00:00.000Z",
      "2026-10-30T22:00:00.000Z",
    ]);
    const before = Date.parse("2026-10-03T12:00Z");
    await tickAt(before);
    await essayAt(before, { title: "Over the change" });
    for (let at = before; at < before + DAY; at += 10 * MINUTE) await tickAt(at);
    expect(await subjectsOf(weekly)).toEqual(["1 new on The Field"]);
    expect((await madeBy(weekly))[0]!.createdAt.toISOString()).toBe("2026-10-03T16:00:00.000Z");
    expect(await madeBy(monthly)).toEqual([]);
    await tickAt(Date.parse("2026-10-30T21:59Z"));
    expect(await madeBy(monthly)).toEqual([]);
    await tickAt(Date.parse("2026-10-30T22:00Z"));
    expect(await subjectsOf(monthly)).toEqual(["1 new on The Field"]);
  });

  test("is not due for a time that has passed when its hour is changed", async () => {
    const { id } = await switchedOn(T, daily);
    await essayAt(T + HOUR);
    await change(id, T + 2 * HOUR, { hour: 8 });
    await change(id, T + 3 * HOUR, { hour: 10 });
    await tickAt(T + 4 * HOUR);
    expect(await madeBy(id)).toEqual([]);
    await tickAt(NINE + HOUR);
    expect(await madeBy(id)).toHaveLength(1);
  });

  test("drops what waits when it becomes a letter for each publication, or is switched off", async () => {
    const { id } = await switchedOn(T, daily);
    await essayAt(T + HOUR);
    await essayAt(T + HOUR);
    await change(id, T + 2 * HOUR, { frequency: "publication" });
    await tickAt(T + 3 * HOUR);
    await change(id, T + 3 * HOUR, { frequency: "daily" });
    await essayAt(T + 4 * HOUR);
    await change(id, T + 5 * HOUR, { isOn: false });
    await change(id, T + 6 * HOUR, { isOn: true });
    await tickAt(NINE);
    await tickAt(NINE + DAY);
    expect(await madeBy(id)).toEqual([]);
  });
});

describe("a template", () => {
  const refused = (template: Input) =>
    createAutomaticLetter(ownerContext(), { name: "Refused", ...template });

  test.each<[string, Input, string, RegExp]>([
    ["no subject", { subject: " " }, "subject", /subject is required/],
    ["no block", { content: "Dear reader" }, "content", /items are missing/],
    [
      "a block without an end",
      { content: "{{#items}} {{title}}" },
      "content",
      /{{#items}} has no counterpart/,
    ],
    [
      "an end without a block",
      { content: "{{title}} {{/items}}" },
      "content",
      /{{\/items}} has no counterpart/,
    ],
    [
      "two blocks",
      { content: "{{#items}}{{title}}{{/items}} {{#items}}{{link}}{{/items}}" },
      "content",
      /only once/,
    ],
    [
      "a block without an item",
      { content: "{{#items}} {{site}} {{/items}}" },
      "content",
      /Nothing of an item/,
    ],
    [
      "an item outside the block",
      { content: "{{title}} {{#items}}{{title}}{{/items}}" },
      "content",
      /{{title}} can’t be used here/,
    ],
    [
      "a mistyped name",
      { content: "{{#items}}{{titel}} {{title}}{{/items}}" },
      "content",
      /no placeholder {{titel}}/,
    ],
    ["a text in the subject", { subject: "{{text}}" }, "subject", /{{text}} can’t be used here/],
    [
      "a mistyped name in the preheader",
      { preheader: "{{sumary}}" },
      "preheader",
      /no placeholder {{sumary}}/,
    ],
  ])("with %s is refused at its field", async (_, template, field, message) => {
    await expect(refused(template)).rejects.toMatchObject({
      code: "invalid",
      field,
      message: expect.stringMatching(message),
    });
  });

  test("keeps the marks of a title, and fits long texts into an email", async () => {
    const { id } = await switchedOn(T, {
      frequency: "daily",
      subject: "{{title}}",
      content: "{{#items}}\n## [{{title}}]({{link}})\n\n{{text}}\n{{/items}}\n\nThe end.",
    });
    const long = Array.from({ length: 900 }, (_, at) => `Paragraph ${at} ${"word ".repeat(10)}`).join("\n\n");
    await essayAt(T, { title: "# 1. *Not* a [list]_", content: long });
    await essayAt(T + 1, { title: "Second", content: long });
    await tickAt(Date.parse("2026-06-10T23:00:00Z"));
    const [letter] = await madeBy(id);
    expect(letter!.content.length).toBeLessThanOrEqual(50_000);
    expect(letter!.content.length).toBeGreaterThan(48_000);
    expect(letter!.content).toContain("The end.");
    expect(letter!.contentHtml).toContain("# 1. *Not* a [list]_</a>");
    expect(letter!.content.match(/Paragraph 0 /g)).toHaveLength(2);
  });

  test("names one item in the headline, which is the subject, and several in headings, too", async () => {
    const { id: single } = await switchedOn(T, { items: "article" });
    await essayAt(T, { title: "Alone" });
    await tickAt(T + 10 * MINUTE);
    const [letter] = await madeBy(single);
    expect(letter!.subject).toBe("Alone");
    expect(letter!.contentHtml).not.toContain("Alone</h2>");
    const { id: digest } = await switchedOn(T, { frequency: "daily" });
    for (const title of ["First", "Second"]) await essayAt(T + 11 * MINUTE, { title });
    await tickAt(Date.parse("2026-06-10T23:00:00Z"));
    const [both] = await madeBy(digest);
    for (const title of ["First", "Second"]) expect(both!.contentHtml).toContain(`${title}</h2>`);
  });

  test("keeps a title within its link, whatever its marks are", async () => {
    const { id } = await switchedOn(T, {
      frequency: "daily",
      content: "{{#items}}\n[{{title}}]({{link}})\n{{/items}}",
    });
    await essayAt(T, { title: String.raw`a\](https://evil.example/x) [b` });
    await essayAt(T + 1, { title: String.raw`c\\](https://evil.example/x) [d` });
    await tickAt(Date.parse("2026-06-10T23:00:00Z"));
    const [letter] = await madeBy(id);
    expect(letter!.contentHtml).not.toContain('href="https://evil.example');
    expect(letter!.contentHtml).toContain(String.raw`a\](https://evil.example/x) [b</a>`);
    expect(letter!.contentHtml).toContain(String.raw`c\\](https://evil.example/x) [d</a>`);
  });

  test("is previewed with the newest items, or with an example before the first", async () => {
    const { content, subject, preheader } = automaticLetterDefaults;
    const input = { frequency: "publication", items: "article", content, subject, preheader } as const;
    await db.run(sql`update articles set status = 'archived'`);
    expect(await previewAutomaticLetter(ownerContext(), input)).toMatchObject({
      isExample: true,
      subject: "The title of an essay",
    });
    const now = Date.now();
    await essayAt(now - 1000, { title: "Older" });
    await essayAt(now - 500, { title: "Newest" });
    const one = await previewAutomaticLetter(ownerContext(), input);
    expect(one).toMatchObject({ isExample: false, subject: "Newest" });
    expect(one.html).not.toContain("Older");
    const digest = await previewAutomaticLetter(ownerContext(), { ...input, frequency: "weekly" });
    expect(digest.html).toContain("Older");
    await expect(previewAutomaticLetter(ownerContext(), { ...input, content: "" })).rejects.toMatchObject({
      code: "invalid",
      field: "content",
    });
  });
});

describe("automatic letters", () => {
  test("are at most 20, and deleting one stops it and leaves its letters", async () => {
    const { id } = await switchedOn(T, { mode: "hold" });
    await essayAt(T);
    await tickAt(T + 5 * MINUTE);
    await essayAt(T + 6 * MINUTE);
    for (let at = 1; at < MOST_AUTOMATIC_LETTERS; at++)
      await createAutomaticLetter(owner(T), { name: `No ${at}` });
    await expect(createAutomaticLetter(owner(T), { name: "Too many" })).rejects.toMatchObject({
      code: "conflict",
    });
    await deleteAutomaticLetter(owner(T), id);
    await tickAt(T + DAY);
    expect(await madeBy(id)).toHaveLength(1);
    expect(await db.select().from(automaticLetterItems)).toEqual([]);
    await expect(deleteAutomaticLetter(owner(T), id)).rejects.toMatchObject({ code: "not_found" });
  });

  test("are not changed over a newer version", async () => {
    const { id, updatedAt } = await switchedOn(T);
    await change(id, T + 1, { name: "Newer" });
    await expect(change(id, T + 2, { name: "Mine", basedOn: updatedAt })).rejects.toMatchObject({
      code: "conflict",
    });
    await change(id, T + 3, { name: "Newer", basedOn: updatedAt });
    expect((await readAutomaticLetterForEdit(owner(T), id)).values.name).toBe("Newer");
  });

  test("show what waits, and their last letter", async () => {
    const { id } = await switchedOn(T, { mode: "hold" });
    const essay = await essayAt(T);
    const rowAt = async (at: number) => (await listAutomaticLetters(owner(at))).items[0];
    expect(await rowAt(T + 1)).toMatchObject({ waiting: 1, last: null, nextAt: null });
    await changeEssay(essay.id, T + 2, { status: "draft" });
    expect(await rowAt(T + 3)).toMatchObject({ waiting: 0 });
    await changeEssay(essay.id, T + 4, { status: "published" });
    await tickAt(T + 10 * MINUTE);
    const [letter] = await madeBy(id);
    expect(await rowAt(T + 10 * MINUTE)).toMatchObject({
      waiting: 0,
      last: { letterId: letter!.id, at: T + 10 * MINUTE },
    });
  });

  test("are named after the publication of an item that waits for one, until the letter is made", async () => {
    const { id } = await switchedOn(T, { mode: "hold", name: "Each essay" });
    const essay = await essayAt(T);
    expect(await findWaitingFor(ownerContext(), "article", essay.id)).toBe("Each essay");
    expect(await findWaitingFor(ownerContext(), "episode", essay.id)).toBeNull();
    expect(await findWaitingFor(contextAs("editor"), "article", essay.id)).toBeNull();
    await tickAt(T + 5 * MINUTE);
    expect(await madeBy(id)).toHaveLength(1);
    expect(await findWaitingFor(ownerContext(), "article", essay.id)).toBeNull();
  });

  test("protect the pictures of their templates from deletion", async () => {
    const picture = await storedImage();
    const content = `![A map](/media/${picture.key})\n\n{{#items}}{{title}}{{/items}}`;
    const { id } = await createAutomaticLetter(ownerContext(), { name: "With a map", content });
    const remove = () => deleteFile(ownerContext(), picture.id, fileReferences);
    await expect(remove()).rejects.toMatchObject({
      code: "conflict",
      message: "This file is in use: by the automatic letter “With a map”.",
    });
    await deleteAutomaticLetter(ownerContext(), id);
    await remove();
  });

  test("are for those who may write to the audience", async () => {
    await expect(listAutomaticLetters(contextAs("editor"))).rejects.toMatchObject({ code: "forbidden" });
  });
});
