import { beforeEach, describe, expect, test } from "vitest";
import { updateEpisode } from "#worker/episodes/commands.ts";
import { addFavorite, removeFavorite, updateProgress } from "#worker/playlists/listening-commands.ts";
import { listPlaylists } from "#worker/playlists/queries.ts";
import { smartNames, type PlaylistItem } from "#worker/playlists/contract.ts";
import { ownerContext } from "./support/client.ts";
import { aListener, episodesIn, listenerContext, manyEpisodes, type Listener } from "./support/listeners.ts";
import { forgetRates } from "./support/rates.ts";

beforeEach(forgetRates);

const START = Date.parse("2026-03-01T10:00:00Z");

/** Actions of a listener, each a minute after the one before. */
async function did(
  { id }: Listener,
  acts: ((ctx: Awaited<ReturnType<typeof listenerContext>>) => unknown)[],
) {
  for (const [minute, act] of acts.entries()) {
    await act(await listenerContext(id, { now: new Date(START + minute * 60_000) }));
  }
}

const heard =
  (episode: number, progressSeconds: number, completed = false) =>
  (ctx: Parameters<typeof updateProgress>[0]) =>
    updateProgress(ctx, episode, { progressSeconds, completed });

async function shown(listener: Listener, name: string) {
  const { id } = await listener.createSmart(name);
  return episodesIn(await listener.open(id));
}

describe("a smart playlist", () => {
  test.each(smartNames)(
    "named %s is created once: 201, then 200 with the same, also for concurrent requests",
    async (name) => {
      const listener = aListener();
      const make = () => listener.send("POST", "/playlists/smart", { name });
      const answers = await Promise.all([make(), make(), make()]);
      expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 200, 201]);
      const made = await Promise.all(answers.map((answer) => answer.text()));
      expect(new Set(made).size).toBe(1);
      expect(await listener.list()).toEqual([
        expect.objectContaining({ name, description: "", isSmart: true, isPublic: false, episodeCount: 0 }),
      ]);
    },
  );

  test.each(["Most Played", "recently played", "", undefined])("named %j does not exist", async (name) => {
    const response = await aListener().send("POST", "/playlists/smart", { name });
    expect(response.status).toBe(422);
    expect(await response.json()).toMatchObject({
      error: { field: "name", message: "There’s no smart playlist with this name." },
    });
  });

  test("is private and cannot be edited, but can be deleted and created again", async () => {
    const listener = aListener();
    const { id } = await listener.createSmart("Recently Played");
    const [episodeId] = await manyEpisodes(1);
    const changes = [
      ["PATCH", "", { isPublic: true }],
      ["PATCH", "", { name: "Mine" }],
      ["POST", "/items", { episodeId }],
      ["DELETE", `/items/${episodeId}`, undefined],
      ["PUT", "/order", { itemIds: [] }],
    ] as const;
    for (const [method, path, body] of changes) {
      const response = await listener.send(method, `/playlists/${id}${path}`, body);
      expect(response.status, `${method} ${path}`).toBe(409);
      expect(await response.json()).toMatchObject({
        error: { message: "A smart playlist fills automatically. You can delete it, but not change it." },
      });
    }
    expect((await listener.send("DELETE", `/playlists/${id}`)).status).toBe(204);
    expect((await listener.createSmart("Recently Played")).id).not.toBe(id);
  });

  test("may have the same name as one of the listener's own", async () => {
    const listener = aListener();
    const own = await listener.create({ name: "Recently Played" });
    const smart = await listener.createSmart("Recently Played");
    expect(own).toMatchObject({ isSmart: false });
    expect(smart.id).not.toBe(own.id);
  });
});

describe("a smart playlist computed on each read", () => {
  test.each(smartNames)("%s is found by its name, without creating a playlist", async (name) => {
    const listener = aListener();
    const [a] = (await manyEpisodes(1)) as [number];
    await did(listener, [heard(a, 10), (ctx) => addFavorite(ctx, a)]);
    const path = `/playlists/smart/${encodeURIComponent(name)}`;
    const { items } = await listener.read<{ items: PlaylistItem[] }>(path);
    expect(items.map(({ episode }) => episode.id)).toEqual([a]);
    expect(await listener.list()).toEqual([]);
    expect((await aListener().read<{ items: PlaylistItem[] }>(path)).items).toEqual([]);
    expect((await listener.send("GET", "/playlists/smart/Most%20Played")).status).toBe(422);
  });

  test("Recently Played: the last played first, finished or not", async () => {
    const listener = aListener();
    const [a, b, c] = (await manyEpisodes(4)) as [number, number, number];
    await did(listener, [heard(a, 10), heard(b, 20), heard(c, 3000, true), heard(a, 30)]);
    expect(await shown(listener, "Recently Played")).toEqual([a, c, b]);
  });

  test("Not finished yet: started and not completed, the last played first", async () => {
    const listener = aListener();
    const [a, b, c, d] = (await manyEpisodes(4)) as [number, number, number, number];
    await did(listener, [heard(a, 10), heard(b, 3000, true), heard(c, 0), heard(d, 5)]);
    expect(await shown(listener, "Not finished yet")).toEqual([d, a]);
    // Played through, and started again.
    await did(listener, [heard(d, 3000, true), heard(b, 12)]);
    expect(await shown(listener, "Not finished yet")).toEqual([b, a]);
  });

  test("Favourites by newest: the last added first", async () => {
    const listener = aListener();
    const [a, b, c] = (await manyEpisodes(3)) as [number, number, number];
    await did(listener, [
      (ctx) => addFavorite(ctx, b),
      (ctx) => addFavorite(ctx, c),
      (ctx) => addFavorite(ctx, a),
      (ctx) => addFavorite(ctx, b),
      (ctx) => removeFavorite(ctx, c),
    ]);
    expect(await shown(listener, "Favourites by newest")).toEqual([a, b]);
  });

  test("shows only published episodes, and counts those", async () => {
    const listener = aListener();
    const [a, b] = (await manyEpisodes(2)) as [number, number];
    await did(listener, [
      heard(a, 10),
      heard(b, 20),
      (ctx) => addFavorite(ctx, a),
      (ctx) => addFavorite(ctx, b),
    ]);
    await updateEpisode(ownerContext(), b, { status: "archived" });
    for (const name of smartNames) expect(await shown(listener, name), name).toEqual([a]);
    expect((await listener.list()).map(({ episodeCount }) => episodeCount)).toEqual([1, 1, 1]);
    await updateEpisode(ownerContext(), b, { status: "published" });
    for (const name of smartNames) expect(await shown(listener, name), name).toEqual([b, a]);
    expect((await listener.list()).map(({ episodeCount }) => episodeCount)).toEqual([2, 2, 2]);
  });

  test("has at most 100 items, and its count", async () => {
    const listener = aListener();
    const episodes = await manyEpisodes(101);
    await did(
      listener,
      episodes.flatMap((id) => [
        heard(id, 10),
        (ctx: Parameters<typeof addFavorite>[0]) => addFavorite(ctx, id),
      ]),
    );
    for (const name of smartNames) {
      expect(await shown(listener, name), name).toEqual(episodes.slice(1).toReversed());
    }
    expect((await listener.list()).map(({ episodeCount }) => episodeCount)).toEqual([100, 100, 100]);
  });

  test("a list of playlists needs one statement, however many there are", async () => {
    const listener = aListener();
    for (const name of smartNames) await listener.createSmart(name);
    for (const name of ["One", "Two"]) await listener.create({ name });
    const ctx = await listenerContext(listener.id);
    expect((await listPlaylists(ctx)).items).toHaveLength(5);
    expect(ctx.d1.statements).toBe(1);
  });
});
