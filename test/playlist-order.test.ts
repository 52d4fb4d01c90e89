import { env } from "cloudflare:workers";
import { beforeEach, describe, expect, test } from "vitest";
import { deleteEpisode, updateEpisode } from "#worker/episodes/commands.ts";
import { createPlaylist } from "#worker/playlists/commands.ts";
import { addItem, removeItem, reorderItems } from "#worker/playlists/item-commands.ts";
import { readPlaylist } from "#worker/playlists/queries.ts";
import type { Context } from "#worker/platform/context.ts";
import { AppError } from "#worker/platform/errors.ts";
import { ownerContext } from "./support/client.ts";
import { publishedEpisode } from "./support/factories.ts";
import { aListener, episodesIn, fillPlaylist, listenerContext, manyEpisodes } from "./support/listeners.ts";
import { forgetRates } from "./support/rates.ts";

beforeEach(forgetRates);

const CHANGED = "The playlist has changed. Reload it and try again.";

/** A listener with a playlist of so many new episodes. */
async function playlistOf(count: number) {
  const listener = aListener();
  const { id } = await listener.create();
  const episodes = await manyEpisodes(count);
  await fillPlaylist(id, episodes);
  const itemIds = async () => (await listener.open(id)).items.map((item) => item.id);
  const reorder = (ids: unknown) => listener.send("PUT", `/playlists/${id}/order`, { itemIds: ids });
  return { listener, id, episodes, itemIds, reorder, shown: async () => episodesIn(await listener.open(id)) };
}

describe("a new order", () => {
  test("is stored", async () => {
    const { episodes, itemIds, reorder, shown } = await playlistOf(5);
    const ids = await itemIds();
    expect((await reorder(ids.toReversed())).status).toBe(200);
    expect(await itemIds()).toEqual(ids.toReversed());
    expect(await shown()).toEqual(episodes.toReversed());
    expect((await reorder(ids)).status).toBe(200);
    expect(await itemIds()).toEqual(ids);
  });

  test("may be the old one, or that of nothing", async () => {
    const { itemIds, reorder } = await playlistOf(3);
    const ids = await itemIds();
    expect((await reorder(ids)).status).toBe(200);
    expect(await itemIds()).toEqual(ids);
    const empty = await playlistOf(0);
    expect((await empty.reorder([])).status).toBe(200);
  });

  test("names exactly the items that the listener sees, once each, or nothing of it is done", async () => {
    const { itemIds, reorder } = await playlistOf(4);
    const other = await playlistOf(1);
    const [a, b, c, d] = (await itemIds()) as [number, number, number, number];
    const [foreign] = (await other.itemIds()) as [number];
    const wrong = [[], [a, b, c], [d, c, b, a, a], [d, c, b, b], [d, c, b, foreign], [d, c, b, a, foreign]];
    for (const ids of wrong) {
      const response = await reorder(ids);
      expect(response.status, String(ids)).toBe(422);
      expect(await response.json()).toEqual({
        error: { code: "invalid", field: "itemIds", message: CHANGED },
      });
    }
    for (const ids of [[a, b, c, String(d)], [a, b, c, d + 0.5], [a, b, c, null], "all", undefined]) {
      expect((await reorder(ids)).status, String(ids)).toBe(422);
    }
    expect(await itemIds()).toEqual([a, b, c, d]);
  });

  test("that was made before a removal or an addition is refused, with the word to reload", async () => {
    const { listener, id, episodes, itemIds, reorder, shown } = await playlistOf(3);
    const before = await itemIds();
    await listener.send("DELETE", `/playlists/${id}/items/${episodes[2]}`);
    expect((await reorder(before.toReversed())).status).toBe(422);
    // The new item does not replace the deleted one.
    const added = await listener.add(id, (await publishedEpisode()).id);
    expect(before).not.toContain(added.id);
    expect((await reorder(before.toReversed())).status).toBe(422);
    expect(await shown()).toEqual([episodes[0], episodes[1], added.episode.id]);
  });

  test("keeps the positions of hidden items, to which they return", async () => {
    const { episodes, itemIds, reorder, shown } = await playlistOf(5);
    const [a, b, c, d, e] = episodes as [number, number, number, number, number];
    const all = await itemIds();
    await updateEpisode(ownerContext(), b, { status: "archived" });
    await updateEpisode(ownerContext(), d, { status: "draft" });
    expect(await shown()).toEqual([a, c, e]);
    expect((await reorder(all)).status).toBe(422);
    expect((await reorder((await itemIds()).toReversed())).status).toBe(200);
    expect(await shown()).toEqual([e, c, a]);
    await updateEpisode(ownerContext(), b, { status: "published" });
    await updateEpisode(ownerContext(), d, { status: "published" });
    expect(await shown()).toEqual([e, b, c, d, a]);
  });

  test("works without a permanently deleted episode", async () => {
    const { episodes, itemIds, reorder, shown } = await playlistOf(3);
    await deleteEpisode(ownerContext(), episodes[1]!);
    expect((await reorder((await itemIds()).toReversed())).status).toBe(200);
    expect(await shown()).toEqual([episodes[2], episodes[0]]);
  });

  test("is followed by items added next", async () => {
    const { listener, id, episodes, itemIds, reorder, shown } = await playlistOf(3);
    await reorder((await itemIds()).toReversed());
    const { id: next } = await publishedEpisode();
    await listener.add(id, next);
    expect(await shown()).toEqual([...episodes.toReversed(), next]);
  });
});

describe("1,000 items, changed concurrently", () => {
  const shuffled = <T>(list: T[]) =>
    list
      .map((value) => ({ value, at: Math.random() }))
      .toSorted((a, b) => a.at - b.at)
      .map(({ value }) => value);

  async function thousand() {
    const ctx = await listenerContext();
    const { id } = await createPlaylist(ctx, { name: "Long", description: "", isPublic: false });
    const episodes = await manyEpisodes(1000);
    await fillPlaylist(id, episodes);
    const open = () => readPlaylist(ctx, id);
    return { ctx, id, episodes, open, items: (await open()).items.map((item) => item.id) };
  }

  /** Whether it was done; an error because the list had changed is an answer too. */
  const tried = (work: Promise<unknown>) =>
    work.then(
      () => true,
      (error: unknown) => {
        expect(error).toBeInstanceOf(AppError);
        expect(error).toMatchObject({ status: 422, message: CHANGED });
        return false;
      },
    );

  async function positions(id: string) {
    const { results } = await env.DB.prepare("select position from playlist_items where playlist_id = ?")
      .bind(id)
      .all<{ position: number }>();
    return results.map(({ position }) => position);
  }

  test("concurrent reorderings are atomic, and the last one wins", async () => {
    const { ctx, id, open, items } = await thousand();
    const orders = Array.from({ length: 8 }, () => shuffled(items));
    const done = await Promise.all(orders.map((order) => tried(reorderItems(ctx, id, { itemIds: order }))));
    expect(done).toEqual(orders.map(() => true));
    const now = JSON.stringify((await open()).items.map((item) => item.id));
    expect(orders.map((order) => JSON.stringify(order))).toContain(now);
  });

  test("reorderings, removals and additions: nothing is lost, doubled or brought back", async () => {
    const { ctx, id, episodes, open, items } = await thousand();
    const removed = shuffled(episodes).slice(0, 30);
    const added = await manyEpisodes(30);
    const order = (now: Context, ids: number[]) => tried(reorderItems(now, id, { itemIds: ids }));
    const work = shuffled([
      ...removed.map((episode) => () => tried(removeItem(ctx, id, episode))),
      // Each makes room for one: the list is full.
      ...added.map((episode) => () => addOnceThereIsRoom(ctx, id, episode)),
      ...Array.from({ length: 20 }, () => () => order(ctx, shuffled(items))),
      ...Array.from({ length: 20 }, () => async () => {
        const now = (await open()).items.map((item) => item.id);
        return order(ctx, shuffled(now));
      }),
    ]);
    await Promise.all(work.map((start) => start()));
    const expected = [...episodes.filter((episode) => !removed.includes(episode)), ...added];
    const opened = await open();
    expect(episodesIn(opened).toSorted((a, b) => a - b)).toEqual(expected.toSorted((a, b) => a - b));
    const places = await positions(id);
    expect(new Set(places).size).toBe(places.length);
    const last = shuffled(opened.items.map((item) => item.id));
    await reorderItems(ctx, id, { itemIds: last });
    expect((await open()).items.map((item) => item.id)).toEqual(last);
  });

  async function addOnceThereIsRoom(ctx: Context, id: string, episode: number): Promise<void> {
    try {
      await addItem(ctx, id, { episodeId: episode });
    } catch (error) {
      if (!(error instanceof AppError && error.status === 409)) throw error;
      await addOnceThereIsRoom(ctx, id, episode);
    }
  }
});
