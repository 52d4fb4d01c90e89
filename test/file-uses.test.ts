import { sql } from "drizzle-orm";
import { describe, expect, test } from "vitest";
import { createArticle, deleteArticle, updateArticle } from "#worker/articles/commands.ts";
import { eraseItem } from "#worker/bin/commands.ts";
import { updatePage } from "#worker/pages/commands.ts";
import { pageDefaults } from "#worker/pages/defaults.ts";
import { fileReferences } from "#worker/nouns/list.ts";
import { listUses, readFile } from "#worker/files/library/queries.ts";
import { files } from "#worker/files/table.ts";
import { usesSchema } from "#worker/files/library/uses-schema.ts";
import { jobContext, ownerContext } from "./support/client.ts";
import { publishedEpisode, savedShow, storedAudio, storedImage } from "./support/factories.ts";

type Stored = Awaited<ReturnType<typeof storedImage>>;

const { db } = ownerContext();
const shown = ({ key }: Stored) => `![A map](/media/${key})`;
const usesOf = async ({ id }: Stored) => (await listUses(ownerContext(), id, fileReferences)).uses;
const isUsed = async ({ id }: Stored) => (await readFile(ownerContext(), id, fileReferences)).file.isUsed;

/** The statements without formatting. */
const plain = (text: string) => text.replaceAll("`", "").replace(/\s+/g, " ").trim();

test("the triggers in the database are those of uses-schema.ts", async () => {
  const rows = await db.all<{ sql: string }>(
    sql`select sql from sqlite_master where type = 'trigger' and (name like 'file_uses_%' or name like 'files_number_%')`,
  );
  const written = usesSchema(fileReferences).triggers.map(plain);
  expect(rows.map((row) => plain(row.sql)).toSorted()).toEqual(written.toSorted());
});

test("the migration that fills the table gives the same rows as the triggers, and numbers the files in order", async () => {
  const [picture, artwork] = [await storedImage(), await storedImage()];
  await storedAudio({ artworkFileId: artwork.id });
  await createArticle(ownerContext(), {
    title: "Shows it",
    content: shown(picture),
    imageFileId: picture.id,
  });
  await publishedEpisode({ showNotes: shown(picture) });
  await savedShow({ artworkFileId: artwork.id });
  await updatePage(ownerContext(), "mission", {
    ...pageDefaults.mission,
    statement: { markdown: shown(picture) },
  });
  const everything = () => db.all(sql`select * from file_uses order by file_id, kind, item, version`);
  const flags = () => db.all(sql`select id, number is not null, is_used from files order by id`);
  const [uses, marks] = [await everything(), await flags()];
  expect(uses.length).toBeGreaterThan(6);
  await db.run(sql`delete from file_uses`);
  for (const statement of usesSchema(fileReferences).fill) await db.run(sql.raw(statement));
  expect(await everything()).toEqual(uses);
  expect(await flags()).toEqual(marks);
});

describe("a use of a file", () => {
  test("has the item's title, and whether its current version or only a former one uses the file", async () => {
    const picture = await storedImage();
    const { id } = await createArticle(ownerContext(), { title: "On maps", content: shown(picture) });
    expect(await usesOf(picture)).toEqual([
      { kind: "article", item: String(id), title: "On maps", isCurrent: true, mayOpen: true },
    ]);
    await updateArticle(ownerContext(), id, { title: "On roads", content: "None." });
    expect(await usesOf(picture)).toEqual([
      { kind: "article", item: String(id), title: "On roads", isCurrent: false, mayOpen: true },
    ]);
    await deleteArticle(ownerContext(), id);
    expect(await usesOf(picture)).toEqual([
      { kind: "bin", item: `article:${id}`, title: "On roads", isCurrent: true, mayOpen: true },
    ]);
    await eraseItem(ownerContext(), `article:${id}`);
    expect(await usesOf(picture)).toEqual([]);
    expect(await isUsed(picture)).toBe(false);
  });

  test("counts once if an item names a file twice, and remains while one of the two does", async () => {
    const picture = await storedImage();
    const input = { title: "Twice", content: shown(picture).repeat(2), imageFileId: picture.id };
    const [first, second] = [
      await createArticle(ownerContext(), input),
      await createArticle(ownerContext(), input),
    ];
    expect(await usesOf(picture)).toHaveLength(2);
    await deleteArticle(ownerContext(), first.id);
    expect(await isUsed(picture)).toBe(true);
    await deleteArticle(ownerContext(), second.id);
    expect(await isUsed(picture)).toBe(true);
    for (const { id } of [first, second]) await eraseItem(ownerContext(), `article:${id}`);
    expect(await isUsed(picture)).toBe(false);
  });

  test("by the audio file in which a picture was found is recorded before that picture is stored", async () => {
    const id = crypto.randomUUID();
    const audio = await storedAudio({ artworkFileId: id, name: "talk.mp3" });
    const artwork = await storedImage({ id, key: `podcast-images/${id}/artwork.jpg` });
    expect(await isUsed(artwork)).toBe(true);
    expect(await usesOf(artwork)).toEqual([
      { kind: "file", item: audio.id, title: "talk.mp3", isCurrent: true, mayOpen: true },
    ]);
    await jobContext()
      .db.delete(files)
      .where(sql`id = ${audio.id}`);
    expect(await isUsed(artwork)).toBe(false);
  });
});
