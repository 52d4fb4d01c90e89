import { createExecutionContext, createScheduledController, waitOnExecutionContext } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { getTableColumns, getTableName, is, type AnyColumn } from "drizzle-orm";
import { SQLiteTable } from "drizzle-orm/sqlite-core";
import { beforeAll, describe, expect, test } from "vitest";
import { eraseItem } from "#worker/bin/commands.ts";
import { createArticle, updateArticle } from "#worker/articles/commands.ts";
import { deleteEpisode, updateEpisode } from "#worker/episodes/commands.ts";
import { formerEpisodeAudio } from "#worker/episodes/table.ts";
import { updatePage } from "#worker/pages/commands.ts";
import { createPressItem } from "#worker/press/commands.ts";
import { createProfile } from "#worker/profiles/commands.ts";
import { createVenture } from "#worker/ventures/commands.ts";
import { fileReferences } from "#worker/nouns/list.ts";
import { readFile } from "#worker/files/library/queries.ts";
import { fileParts, files, fileUses, replacedFiles } from "#worker/files/table.ts";
import { tick } from "#worker/jobs.ts";
import { pageDefaults } from "#worker/pages/defaults.ts";
import type { ErrorBody } from "#worker/platform/errors.ts";
import { fetchSite, jobContext, ownerContext, signedIn, SITE } from "./support/client.ts";
import { aPressItem, publishedEpisode, savedShow, storedAudio, storedImage } from "./support/factories.ts";
import { deliverAll } from "./support/outbox.ts";

type Stored = Awaited<ReturnType<typeof storedImage>>;

const shown = ({ key }: Stored) => `![A map](/media/${key})`;

/** Uses a file in each way that there is. */
const uses: Record<string, (file: Stored) => Promise<unknown>> = {
  "an episode's picture": ({ id }) => publishedEpisode({ imageFileId: id }),
  "a picture in show notes": (file) => publishedEpisode({ showNotes: shown(file) }),
  "a file that show notes link to": ({ key }) =>
    publishedEpisode({ showNotes: `[The report](/media/${key}).` }),
  "the show's artwork": ({ id }) => savedShow({ artworkFileId: id }),
  "an article's picture": ({ id }) => createArticle(ownerContext(), { title: "Used", imageFileId: id }),
  "a picture in an essay": (file) =>
    createArticle(ownerContext(), { title: "Shows it", content: `Before.\n\n${shown(file)}\n\nAfter.` }),
  "a picture in a former version of an essay": async (file) => {
    const { id } = await createArticle(ownerContext(), { title: "Showed it", content: shown(file) });
    await updateArticle(ownerContext(), id, { content: "No picture." });
  },
  "a person's picture": ({ id }) => createProfile(ownerContext(), { name: "Ada Wren", imageFileId: id }),
  "a venture's picture": ({ id }) =>
    createVenture(ownerContext(), { name: "Used", description: "It has a picture.", imageFileId: id }),
  "a picture in a press release": (file) =>
    createPressItem(ownerContext(), aPressItem({ content: shown(file) })),
  "a picture in a standing page": (file) =>
    updatePage(ownerContext(), "mission", { ...pageDefaults.mission, statement: { markdown: shown(file) } }),
};

async function runDaily(inDays: number) {
  const execution = createExecutionContext();
  const scheduledTime = new Date(Date.now() + inDays * 24 * 60 * 60 * 1000);
  await tick(createScheduledController({ cron: "17 3 * * *", scheduledTime }), env, execution);
  await waitOnExecutionContext(execution);
  await deliverAll(jobContext({ now: scheduledTime, clock: () => scheduledTime }));
}

const isThere = async ({ key }: Stored) => (await env.MEDIA.head(key)) !== null;

async function remove({ id }: Stored) {
  const { cookie } = await signedIn("editor");
  return fetchSite(`/api/admin/files/${id}`, { method: "DELETE", headers: { cookie, Origin: SITE } });
}

type Tried = { used: Stored; loose: Stored; opened: [boolean, number][]; refused: Response };

describe("a file that is used", () => {
  const tried: Record<string, Tried> = {};

  // The daily run looks at all of them.
  beforeAll(async () => {
    for (const [name, use] of Object.entries(uses)) {
      const [used, loose] = [await storedImage(), await storedImage()];
      await use(used);
      const opened = await Promise.all(
        [used, loose].map(async ({ id }): Promise<[boolean, number]> => {
          const { file, useCount } = await readFile(ownerContext(), id, fileReferences);
          return [file.isUsed, useCount];
        }),
      );
      tried[name] = { used, loose, opened, refused: await remove(used) };
    }
    await runDaily(1);
    await runDaily(2);
  });

  test.each(Object.keys(uses))(
    "as %s cannot be deleted by hand, and is not swept by the daily run",
    async (name) => {
      const { used, loose, opened, refused } = tried[name]!;
      expect(opened).toEqual([
        [true, 1],
        [false, 0],
      ]);
      expect(refused.status).toBe(409);
      const { error } = (await refused.json()) as ErrorBody;
      expect(error.code).toBe("conflict");
      expect(error.message).toMatch(/^This file is in use: by .*“.+”\.$/);
      expect(await isThere(used)).toBe(true);
      expect(await isThere(loose)).toBe(false);
    },
  );
});

test("a picture that a text shows no more is free once no version shows it, in the bin neither", async () => {
  const image = await storedImage();
  const { id } = await publishedEpisode({ showNotes: shown(image) });
  expect((await remove(image)).status).toBe(409);
  await updateEpisode(ownerContext(), id, { showNotes: "" });
  expect((await remove(image)).status).toBe(409);
  await deleteEpisode(ownerContext(), id);
  expect((await remove(image)).status).toBe(409);
  await eraseItem(ownerContext(), `episode:${id}`);
  expect((await remove(image)).status).toBe(204);
});

test("the files of an episode that is deleted for good are kept for another day, so that listeners can finish", async () => {
  const [audio, image] = [await storedAudio(), await storedImage()];
  const episode = await publishedEpisode({ audioFileId: audio.id, imageFileId: image.id });
  await runDaily(1);
  await runDaily(2);
  await deleteEpisode(ownerContext(), episode.id);
  await eraseItem(ownerContext(), `episode:${episode.id}`);
  await runDaily(3);
  expect(await Promise.all([audio, image].map(isThere))).toEqual([true, true]);
  await runDaily(4);
  expect(await Promise.all([audio, image].map(isThere))).toEqual([false, false]);
});

test("every column that names files is in the list", () => {
  const tables = Object.values(import.meta.glob<object>("../worker/*/table.ts", { eager: true }))
    .flatMap(Object.values)
    .filter((value): value is SQLiteTable => is(value, SQLiteTable));
  const columns = tables
    .filter((table) => ![files, fileParts, fileUses].some((own) => own === table))
    // Former audio of an episode and replaced files are not protected.
    .filter((table) => table !== formerEpisodeAudio && table !== replacedFiles)
    // The list of an item's entry in the bin has the files of its rows there.
    .filter((table) => !getTableName(table).startsWith("binned_"))
    .flatMap((table) => Object.values(getTableColumns(table)))
    .filter(({ name }) => /file_ids?$/.test(name));
  const { owners, versions } = fileReferences;
  const listed = [...owners.flatMap(({ one, lists }) => [...one, ...lists]), versions.list].filter(
    ({ table }) => table !== files,
  );
  expect(listed.map(nameOf).toSorted()).toEqual(columns.map(nameOf).toSorted());
});

const nameOf = ({ table, name }: AnyColumn) => `${getTableName(table)}.${name}`;
