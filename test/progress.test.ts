import { beforeEach, describe, expect, test } from "vitest";
import { deleteEpisode, updateEpisode } from "#worker/episodes/commands.ts";
import { addFavorite, updateProgress } from "#worker/playlists/listening-commands.ts";
import type { Favorite, Progress } from "#worker/playlists/contract.ts";
import { ownerContext } from "./support/client.ts";
import { publishedEpisode } from "./support/factories.ts";
import { aListener, listenerContext, manyEpisodes, type Listener } from "./support/listeners.ts";
import { forgetRates } from "./support/rates.ts";

beforeEach(forgetRates);

const progressOf = async (listener: Listener) =>
  (await listener.read<{ items: Progress[] }>("/progress")).items;
const favoritesOf = async (listener: Listener) =>
  (await listener.read<{ items: Favorite[] }>("/favorites")).items;

const save = (listener: Listener, episodeId: unknown, progressSeconds: unknown, completed: unknown = false) =>
  listener.send("PUT", `/progress/${String(episodeId)}`, { progressSeconds, completed });

describe("progress", () => {
  test("is the latest of each episode, most recently heard first", async () => {
    const listener = aListener();
    const [a, b] = (await manyEpisodes(2)) as [number, number];
    const before = Date.now();
    for (const [episode, seconds] of [
      [a, 10],
      [b, 20],
      [a, 25],
    ] as const) {
      expect((await save(listener, episode, seconds)).status).toBe(200);
      await new Promise((resolve) => setTimeout(resolve, 2));
    }
    const heard = await progressOf(listener);
    expect(heard).toEqual([
      { episodeId: a, progressSeconds: 25, completed: false, updatedAt: expect.any(Number) as number },
      { episodeId: b, progressSeconds: 20, completed: false, updatedAt: expect.any(Number) as number },
    ]);
    expect(heard[1]!.updatedAt).toBeGreaterThanOrEqual(before);
    expect(heard[0]!.updatedAt).toBeGreaterThan(heard[1]!.updatedAt);
  });

  test("is completed when the browser reports it, and not once the episode is played again", async () => {
    const listener = aListener();
    const [id] = (await manyEpisodes(1)) as [number];
    await save(listener, id, 3000, true);
    expect(await progressOf(listener)).toMatchObject([{ progressSeconds: 3000, completed: true }]);
    await save(listener, id, 4);
    expect(await progressOf(listener)).toMatchObject([{ progressSeconds: 4, completed: false }]);
  });

  test.each([
    [0, 0],
    [12.9, 12],
    [172_800, 172_800],
  ])("of %d seconds is saved as %d", async (said, saved) => {
    const listener = aListener();
    const [id] = (await manyEpisodes(1)) as [number];
    expect((await save(listener, id, said)).status).toBe(200);
    expect(await progressOf(listener)).toMatchObject([{ progressSeconds: saved }]);
  });

  test.each([
    [-1, false],
    [172_801, false],
    ["10", false],
    [null, false],
    [10, "yes"],
    [10, null],
  ])("of %j, completed %j, is refused", async (seconds, completed) => {
    const [id] = (await manyEpisodes(1)) as [number];
    expect((await save(aListener(), id, seconds, completed)).status).toBe(422);
  });

  test("is one statement, for every player at work sends it again and again", async () => {
    const ctx = await listenerContext();
    const [id] = (await manyEpisodes(1)) as [number];
    await updateProgress(ctx, id, { progressSeconds: 1, completed: false });
    const { statements } = ctx.d1;
    await updateProgress(ctx, id, { progressSeconds: 2, completed: false });
    expect(ctx.d1.statements - statements).toBe(1);
  });

  test("returns the 1,000 episodes that were heard last", async () => {
    const listener = aListener();
    const ctx = await listenerContext(listener.id);
    const episodes = await manyEpisodes(1001);
    for (const [at, id] of episodes.entries()) {
      await updateProgress({ ...ctx, now: new Date(at) }, id, { progressSeconds: 1, completed: false });
    }
    const heard = await progressOf(listener);
    expect(heard.map(({ episodeId }) => episodeId)).toEqual(episodes.slice(1).toReversed());
  });
});

describe("favourites", () => {
  test("are listed newest first, as episodes", async () => {
    const listener = aListener();
    const one = await publishedEpisode();
    const two = await publishedEpisode();
    const put = async (id: number, at: number) =>
      addFavorite(await listenerContext(listener.id, { now: new Date(at) }), id);
    await put(two.id, 1000);
    await put(one.id, 2000);
    // One that is a favourite already keeps its time.
    await put(two.id, 3000);
    expect(await favoritesOf(listener)).toMatchObject([
      { episode: { id: one.id, title: one.title, audioUrl: expect.any(String) as string }, createdAt: 2000 },
      { episode: { id: two.id }, createdAt: 1000 },
    ]);
  });

  test("are added and removed once each, however often that is requested", async () => {
    const listener = aListener();
    const { id } = await publishedEpisode();
    for (const _ of [1, 2]) expect((await listener.send("PUT", `/favorites/${id}`)).status).toBe(200);
    expect(await favoritesOf(listener)).toHaveLength(1);
    for (const _ of [1, 2]) expect((await listener.send("DELETE", `/favorites/${id}`)).status).toBe(204);
    expect(await favoritesOf(listener)).toEqual([]);
  });
});

describe("both", () => {
  test("are of published episodes, and of no others", async () => {
    const listener = aListener();
    const { id } = await publishedEpisode();
    await updateEpisode(ownerContext(), id, { status: "archived" });
    for (const episode of [id, 999_999]) {
      expect((await listener.send("PUT", `/favorites/${episode}`)).status).toBe(404);
      expect((await save(listener, episode, 1)).status).toBe(404);
    }
    for (const episode of ["x", "0", "-1", "1.5"]) {
      expect((await listener.send("PUT", `/favorites/${episode}`)).status, episode).toBe(422);
      expect((await save(listener, episode, 1)).status, episode).toBe(422);
    }
  });

  test("are hidden while an episode is unpublished, and deleted with it", async () => {
    const listener = aListener();
    const { id } = await publishedEpisode();
    const list = await listener.create();
    await listener.add(list.id, id);
    await listener.send("PUT", `/favorites/${id}`);
    await save(listener, id, 30);
    const count = async () => [
      (await favoritesOf(listener)).length,
      (await progressOf(listener)).length,
      (await listener.open(list.id)).items.length,
      (await listener.list())[0]!.episodeCount,
    ];
    expect(await count()).toEqual([1, 1, 1, 1]);
    await updateEpisode(ownerContext(), id, { status: "archived" });
    expect(await count()).toEqual([0, 0, 0, 0]);
    await updateEpisode(ownerContext(), id, { status: "published" });
    expect(await count()).toEqual([1, 1, 1, 1]);
    await deleteEpisode(ownerContext(), id);
    expect(await count()).toEqual([0, 0, 0, 0]);
  });
});
