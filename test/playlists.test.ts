import { beforeEach, describe, expect, test } from "vitest";
import { updateEpisode } from "#worker/episodes/commands.ts";
import type { Playlist } from "#worker/playlists/contract.ts";
import { ownerContext } from "./support/client.ts";
import { publishedEpisode } from "./support/factories.ts";
import { aListener, episodesIn } from "./support/listeners.ts";
import { forgetRates } from "./support/rates.ts";

beforeEach(forgetRates);

const errorOf = async (response: Response) => ((await response.json()) as { error: unknown }).error;

describe("a listener's playlists", () => {
  test("begin empty, and are listed newest first with how many episodes each shows", async () => {
    const listener = aListener();
    expect(await listener.list()).toEqual([]);
    const first = await listener.create({ name: "First" });
    const second = await listener.create({ name: "Second", description: "For the train.", isPublic: true });
    const { id } = await publishedEpisode();
    await listener.add(first.id, id);
    const [newest, oldest] = await listener.list();
    expect(newest).toEqual(second);
    expect(oldest).toMatchObject({ id: first.id, name: "First", episodeCount: 1 });
    expect(second).toEqual({
      id: expect.any(String) as string,
      name: "Second",
      description: "For the train.",
      isPublic: true,
      isSmart: false,
      episodeCount: 0,
      createdAt: expect.any(Number) as number,
      updatedAt: second.createdAt,
    } satisfies Playlist);
  });

  test("have ids that cannot be guessed", async () => {
    const listener = aListener();
    const { id } = await listener.create();
    expect(id).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
  });

  test("are in no shared cache", async () => {
    const response = await aListener().send("GET", "/playlists");
    expect(response.headers.get("Cache-Control")).toBe("no-store");
  });

  test.each([
    [{ name: "  " }, "name", "Give the playlist a name."],
    [{ name: "n".repeat(121) }, "name", "At most 120 characters."],
    [{ name: "A", description: "d".repeat(501) }, "description", "At most 500 characters."],
  ])("%j is refused beside its field", async (input, field, message) => {
    const listener = aListener();
    const response = await listener.send("POST", "/playlists", input);
    expect(response.status).toBe(422);
    expect(await errorOf(response)).toEqual({ code: "invalid", field, message });
    expect(await listener.list()).toEqual([]);
  });

  test("have trimmed names of up to 120 characters, and descriptions of up to 500", async () => {
    const listener = aListener();
    const name = "n".repeat(120);
    const description = "d".repeat(500);
    const playlist = await listener.create({ name: ` ${name}\n`, description: `${description} ` });
    expect(playlist).toMatchObject({ name, description });
  });

  test("do not know fields that do not exist", async () => {
    const response = await aListener().send("POST", "/playlists", { name: "A", listener: "me" });
    expect(response.status).toBe(422);
  });

  test("are renamed, described, and made public or private, each alone", async () => {
    const listener = aListener();
    const { id, createdAt } = await listener.create();
    for (const patch of [
      { name: "Other" },
      { description: "Said." },
      { isPublic: true },
      { isPublic: false },
    ]) {
      const response = await listener.send("PATCH", `/playlists/${id}`, patch);
      expect(response.status).toBe(200);
      expect(await response.json()).toMatchObject({ id, createdAt, ...patch });
    }
    expect(await listener.open(id)).toMatchObject({
      playlist: { name: "Other", description: "Said.", isPublic: false },
      isOwner: true,
    });
  });

  test("are missing once they are deleted", async () => {
    const listener = aListener();
    const { id } = await listener.create();
    await listener.add(id, (await publishedEpisode()).id);
    expect((await listener.send("DELETE", `/playlists/${id}`)).status).toBe(204);
    expect((await listener.send("GET", `/playlists/${id}`)).status).toBe(404);
    expect((await listener.send("DELETE", `/playlists/${id}`)).status).toBe(404);
    expect(await listener.list()).toEqual([]);
  });
});

describe("a playlist's items", () => {
  test("are listed in the order in which they were added, as episodes", async () => {
    const listener = aListener();
    const { id } = await listener.create();
    const one = await publishedEpisode({ title: "One" });
    const two = await publishedEpisode({ title: "Two" });
    const item = await listener.add(id, two.id);
    await listener.add(id, one.id);
    const opened = await listener.open(id);
    expect(episodesIn(opened)).toEqual([two.id, one.id]);
    expect(opened.items[0]).toEqual(item);
    expect(item.episode).toMatchObject({ id: two.id, title: "Two", audioUrl: expect.any(String) as string });
    expect(opened.playlist.episodeCount).toBe(2);
  });

  test("are each there once, however often they are added: 201, then 200 with the same item", async () => {
    const listener = aListener();
    const { id } = await listener.create();
    const { id: episodeId } = await publishedEpisode();
    const add = () => listener.send("POST", `/playlists/${id}/items`, { episodeId });
    const answers = await Promise.all([add(), add(), add()]);
    expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 200, 201]);
    const items = await Promise.all(answers.map((answer) => answer.json()));
    expect(new Set(items.map((item) => JSON.stringify(item))).size).toBe(1);
    expect(episodesIn(await listener.open(id))).toEqual([episodeId]);
  });

  test("are removed by their episode; removing a missing one is not an error", async () => {
    const listener = aListener();
    const { id } = await listener.create();
    const { id: episodeId } = await publishedEpisode();
    await listener.add(id, episodeId);
    for (const _ of [1, 2]) {
      expect((await listener.send("DELETE", `/playlists/${id}/items/${episodeId}`)).status).toBe(204);
      expect((await listener.open(id)).items).toEqual([]);
    }
  });

  test("are published episodes: of others there is nothing to add", async () => {
    const listener = aListener();
    const { id } = await listener.create();
    const archived = await publishedEpisode();
    await updateEpisode(ownerContext(), archived.id, { status: "archived" });
    for (const episodeId of [archived.id, 999_999]) {
      const response = await listener.send("POST", `/playlists/${id}/items`, { episodeId });
      expect(response.status).toBe(404);
      expect(await errorOf(response)).toMatchObject({ message: "That episode no longer exists." });
    }
    for (const episodeId of ["1", 0, -1, 1.5, null]) {
      const response = await listener.send("POST", `/playlists/${id}/items`, { episodeId });
      expect(response.status, String(episodeId)).toBe(422);
    }
  });
});
