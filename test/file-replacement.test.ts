import { sql } from "drizzle-orm";
import { beforeAll, describe, expect, test } from "vitest";
import { createArticle, updateArticle } from "#worker/articles/commands.ts";
import { readArticleForEdit } from "#worker/articles/owner-queries.ts";
import { readArticle } from "#worker/articles/queries.ts";
import { createAutomaticLetter } from "#worker/automatic-letters/commands.ts";
import { createEpisode } from "#worker/episodes/commands.ts";
import { readEpisodeForEdit } from "#worker/episodes/owner-queries.ts";
import { readShowForEdit } from "#worker/episodes/show-queries.ts";
import { filePlaces, fileReferences } from "#worker/nouns/list.ts";
import { MOST_PLACES, replaceFile, updateFile } from "#worker/files/library/commands.ts";
import { readFile } from "#worker/files/library/queries.ts";
import { moveText } from "#worker/files/library/replace-references.ts";
import { findStoredFiles } from "#worker/files/stored.ts";
import { readLetter } from "#worker/letters/queries.ts";
import { updatePage } from "#worker/pages/commands.ts";
import { pageDefaults } from "#worker/pages/defaults.ts";
import { readPageForEdit } from "#worker/pages/owner-queries.ts";
import { readPage } from "#worker/pages/queries.ts";
import { readPressItemForEdit } from "#worker/press/owner-queries.ts";
import { createPressItem } from "#worker/press/commands.ts";
import { listPress } from "#worker/press/queries.ts";
import { listRevisions } from "#worker/revisions/queries.ts";
import { readVentureForEdit } from "#worker/ventures/owner-queries.ts";
import { createProfile } from "#worker/profiles/commands.ts";
import { createVenture } from "#worker/ventures/commands.ts";
import { contextAs, ownerContext, visitorContext } from "./support/client.ts";
import { anEpisode, aPressItem, savedShow, storedAudio, storedImage, unique } from "./support/factories.ts";
import { savedLetter, setLetter } from "./support/letters.ts";

type Stored = Awaited<ReturnType<typeof storedImage>>;

const owner = () => ownerContext();
const shown = ({ key }: Stored) => `Before.\n\n![A map](/media/${key})\n\nAfter.`;
const replace = (from: Stored, to: Stored, ctx = owner()) =>
  replaceFile(ctx, from.id, { by: to.id }, filePlaces);
const editor = () => contextAs("editor");
const open = ({ id }: Stored) => readFile(owner(), id, fileReferences);

describe("a picture that is replaced by another", () => {
  let old: Stored;
  let next: Stored;
  const made = { article: 0, slug: "", episode: 0, press: 0, venture: 0 };

  beforeAll(async () => {
    old = await storedImage({ alt: "A map of the river", keptAt: new Date() });
    next = await storedImage({ width: 1500, height: 1500 });
    const article = await createArticle(owner(), {
      title: "Shows it",
      status: "published",
      content: shown(old),
      imageFileId: old.id,
    });
    made.article = article.id;
    made.slug = article.slug;
    made.episode = (
      await createEpisode(owner(), anEpisode({ showNotes: shown(old), imageFileId: old.id }))
    ).id;
    made.press = (await createPressItem(owner(), aPressItem({ content: shown(old) }))).id;
    await createAutomaticLetter(owner(), {
      name: "Shows it",
      content: `${shown(old)}\n\n{{#items}}{{title}}{{/items}}`,
    });
    await createProfile(owner(), { name: "Ada Wren", imageFileId: old.id });
    made.venture = (
      await createVenture(owner(), { name: "A venture", description: "Shows it.", imageFileId: old.id })
    ).id;
    await savedShow({ artworkFileId: old.id });
    await updatePage(owner(), "mission", { ...pageDefaults.mission, statement: { markdown: shown(old) } });
    expect(await replace(old, next)).toEqual({ moved: 8 });
  });

  test("is replaced in the current version of each item", async () => {
    expect((await open(next)).uses.map(({ kind, isCurrent }) => [kind, isCurrent])).toEqual(
      ["article", "automatic-letter", "episode", "page", "press", "profile", "show", "venture"].map(
        (kind) => [kind, true],
      ),
    );
    expect((await readShowForEdit(owner()))?.artwork?.id).toBe(next.id);
    expect((await readVentureForEdit(owner(), made.venture)).values.imageFileId).toBe(next.id);
    const { values } = await readArticleForEdit(owner(), made.article);
    expect(values).toMatchObject({ imageFileId: next.id, content: shown(next) });
    expect((await readEpisodeForEdit(owner(), made.episode)).values).toMatchObject({
      imageFileId: next.id,
      showNotes: shown(next),
    });
  });

  test("is no longer on public pages, and the new one has its own size there", async () => {
    const { article } = await readArticle(visitorContext(), made.slug);
    expect(article.contentHtml).toContain(`src="/media/${next.key}"`);
    expect(article.contentHtml).toContain('width="1500"');
    expect(article.contentHtml).not.toContain(old.key);
    const press = await listPress(visitorContext());
    expect(press.items[0]?.contentHtml).toContain(next.key);
    expect((await readPressItemForEdit(owner(), made.press)).values.content).toBe(shown(next));
    const page = await readPage(visitorContext(), "mission");
    expect(page.statement.html).toContain(next.key);
    expect((await readPageForEdit(owner(), "mission")).values.statement.markdown).toBe(shown(next));
  });

  test("remains in former versions, and each item has a new version", async () => {
    const { uses, file } = await open(old);
    expect(uses.map(({ kind, isCurrent }) => [kind, isCurrent])).toEqual(
      ["article", "episode", "page"].map((kind) => [kind, false]),
    );
    expect(file.isKept).toBe(false);
    const { items } = await listRevisions(owner(), { kind: "article", item: made.article });
    expect(items.map(({ changes }) => changes?.map(({ field }) => field))).toEqual([
      expect.arrayContaining(["content", "imageFileId"]),
      undefined,
    ]);
  });

  test("passes on its description and its place in the library", async () => {
    expect((await open(next)).file).toMatchObject({ alt: "A map of the river", isKept: true });
  });
});

describe("a replacement is refused", () => {
  test("by a file of another type, by the same file, and by a missing one", async () => {
    const [picture, audio] = [await storedImage(), await storedAudio()];
    const refused = (by: string) => replaceFile(owner(), picture.id, { by }, filePlaces);
    await expect(refused(audio.id)).rejects.toMatchObject({ message: "Choose a picture.", field: "by" });
    await expect(refused(picture.id)).rejects.toMatchObject({
      message: "This is the same file.",
      field: "by",
    });
    await expect(refused("none")).rejects.toMatchObject({ message: "Upload the file again.", field: "by" });
    await expect(replaceFile(owner(), "none", { by: picture.id }, filePlaces)).rejects.toMatchObject({
      code: "not_found",
    });
  });

  test("for an episode’s recording, which its form replaces", async () => {
    const [audio, other] = [await storedAudio(), await storedAudio()];
    const { id } = await createEpisode(owner(), anEpisode({ title: "On homes", audioFileId: audio.id }));
    await expect(replace(audio, other)).rejects.toMatchObject({
      code: "conflict",
      message: expect.stringContaining("the recording of “On homes”") as string,
    });
    expect((await readEpisodeForEdit(owner(), id)).values.audioFileId).toBe(audio.id);
  });

  test("as the show’s artwork by a picture that podcast apps refuse, and nothing is changed", async () => {
    const [artwork, small] = [await storedImage(), await storedImage({ width: 300, height: 300 })];
    await savedShow({ artworkFileId: artwork.id });
    const { id } = await createArticle(owner(), { title: "Also shows it", imageFileId: artwork.id });
    await expect(replace(artwork, small)).rejects.toMatchObject({ code: "invalid", field: "by" });
    expect((await readArticleForEdit(owner(), id)).values.imageFileId).toBe(artwork.id);
  });

  test("to an editor in a page that only admins edit", async () => {
    const [picture, other] = [await storedImage(), await storedImage()];
    const legal = pageDefaults["privacy-policy"];
    await updatePage(owner(), "privacy-policy", { ...legal, body: { markdown: shown(picture) } });
    await expect(replace(picture, other, editor())).rejects.toMatchObject({ code: "forbidden" });
    expect(await replace(picture, other)).toEqual({ moved: 1 });
  });

  test("to an editor in a letter, which only admins edit, and nothing is changed", async () => {
    const [picture, other] = [await storedImage(), await storedImage()];
    const letter = await savedLetter({ content: shown(picture) });
    await setLetter(letter.id, { status: "scheduled", scheduledFor: new Date(Date.now() + 86_400_000) });
    const article = await createArticle(owner(), { title: "Also shows it", imageFileId: picture.id });
    await expect(replace(picture, other, editor())).rejects.toMatchObject({ code: "forbidden" });
    expect((await readLetter(owner(), letter.id)).values.content).toBe(shown(picture));
    expect((await readArticleForEdit(owner(), article.id)).values.imageFileId).toBe(picture.id);
    expect(await replace(picture, other)).toEqual({ moved: 2 });
    expect((await readLetter(owner(), letter.id)).values.content).toBe(shown(other));
  });

  test("to an editor without the subject of a sent letter", async () => {
    const [picture, other] = [await storedImage(), await storedImage()];
    const { id } = await savedLetter({ subject: "On rents", content: shown(picture) });
    await setLetter(id, { status: "sent" });
    await expect(replace(picture, other, editor())).rejects.toMatchObject({ code: "forbidden" });
    await expect(replace(picture, other)).rejects.toMatchObject({
      code: "conflict",
      message: expect.stringContaining("“On rents”") as string,
    });
  });

  test("for more items than one batch can update", async () => {
    const [picture, other] = [await storedImage(), await storedImage()];
    for (let n = 0; n <= MOST_PLACES; n++) {
      await createVenture(owner(), { name: `V ${n}`, description: "One.", imageFileId: picture.id }).catch(
        () => createArticle(owner(), { title: `A ${unique()}`, imageFileId: picture.id }),
      );
    }
    await expect(replace(picture, other)).rejects.toMatchObject({ code: "conflict" });
    expect((await open(picture)).useCount).toBe(MOST_PLACES + 1);
  });
});

test("a replacement updates the maximum number of articles", async () => {
  const [picture, other] = [await storedImage(), await storedImage()];
  for (let n = 0; n < MOST_PLACES; n++) {
    const title = `One of many ${unique()}`;
    await createArticle(owner(), { title, status: "published", imageFileId: picture.id });
  }
  expect(await replace(picture, other)).toEqual({ moved: MOST_PLACES });
  expect((await open(other)).useCount).toBe(MOST_PLACES);
});

test("an article saved during the replacement is updated with its new content", async () => {
  const [picture, other] = [await storedImage(), await storedImage()];
  const { id } = await createArticle(owner(), { title: "Open", content: shown(picture) });
  const { article } = filePlaces;
  let isSaved = false;
  const places = {
    ...filePlaces,
    article: {
      ...article,
      move: async (...parameters: Parameters<typeof article.move>) => {
        const moved = await article.move(...parameters);
        if (!isSaved) await updateArticle(owner(), id, { content: `New words. ${shown(picture)}` });
        isSaved = true;
        return moved;
      },
    },
  };
  expect(await replaceFile(owner(), picture.id, { by: other.id }, places)).toEqual({ moved: 1 });
  const { values } = await readArticleForEdit(owner(), id);
  expect(values.content).toBe(`New words. ${shown(other)}`);
});

test("replacing an unused file passes on its place in the library", async () => {
  const [first, second] = [await storedImage(), await storedImage()];
  await updateFile(
    owner(),
    first.id,
    { alt: "A door", kept: true },
    { references: fileReferences, places: filePlaces },
  );
  expect(await replace(first, second)).toEqual({ moved: 0 });
  expect((await open(second)).file).toMatchObject({ alt: "A door", isKept: true });
  expect((await open(first)).file.isKept).toBe(false);
});

test("addresses of a file and its smaller copies in a text are replaced, and no others", async () => {
  const [from, to, other] = [await storedImage(), await storedImage(), await storedImage()];
  const move = { from: from.id, to: (await findStoredFiles(owner(), [to.id])).get(to.id)! };
  const text = `[a](/media/${from.key}). https://x.example/media/${from.key}, /media/${from.key.replace("/picture", "/640/picture").replace("jpg", "webp")} and /media/${other.key}`;
  expect(moveText(text, move)).toBe(
    `[a](/media/${to.key}). https://x.example/media/${to.key}, /media/${to.key} and /media/${other.key}`,
  );
});

test("the feed's date changes when an episode in it shows another picture", async () => {
  const [picture, other] = [await storedImage(), await storedImage()];
  await savedShow();
  const audioFileId = (await storedAudio()).id;
  await createEpisode(owner(), anEpisode({ status: "published", audioFileId, imageFileId: picture.id }));
  const date = async () => owner().db.all(sql`select feed_changed_at from shows`);
  const before = await date();
  await replace(picture, other);
  expect(await date()).not.toEqual(before);
});
