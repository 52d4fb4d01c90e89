import { env } from "cloudflare:workers";
import { beforeEach, describe, expect, test } from "vitest";
import { countHourly } from "#worker/platform/http/rate.ts";
import { listenerOf } from "#worker/playlists/listener.ts";
import { visitorContext } from "./support/client.ts";
import { holdClock } from "./support/clock.ts";
import { aListener, fillPlaylist, manyEpisodes } from "./support/listeners.ts";
import { forgetRates, MORE_THAN_A_BURST } from "./support/rates.ts";

beforeEach(forgetRates);

/** Gives a listener this many more playlists. */
async function fill(listenerId: string, count: number) {
  const listener = await listenerOf(listenerId);
  await env.DB.prepare(
    `with recursive numbers(n) as (select 1 union all select n + 1 from numbers where n < ?)
    insert into playlists (id, listener, name, description, is_public, created_at, updated_at)
    select hex(randomblob(16)), ?, 'Number ' || n, '', 0, n, n from numbers`,
  )
    .bind(count, listener.kind === "listener" ? listener.id : "")
    .run();
}

const statusesOf = (answers: Response[]) => answers.map(({ status }) => status).toSorted();

describe("the limit of 200 playlists a listener", () => {
  const TOO_MANY = "You already have 200 playlists. Delete one to make room.";

  test("also applies to concurrent requests, including smart playlists", async () => {
    const listener = aListener();
    await fill(listener.id, 199);
    const answers = await Promise.all([
      listener.send("POST", "/playlists", { name: "One" }),
      listener.send("POST", "/playlists", { name: "Two" }),
      listener.send("POST", "/playlists/smart", { name: "Recently Played" }),
      listener.send("POST", "/playlists", { name: "Three" }),
    ]);
    expect(statusesOf(answers)).toEqual([201, 409, 409, 409]);
    const refused = answers.find(({ status }) => status === 409);
    expect(await refused?.json()).toEqual({ error: { code: "conflict", message: TOO_MANY } });
    expect(await listener.list()).toHaveLength(200);
  });

  test("does not stop a request for an existing smart playlist, and allows another after a deletion", async () => {
    const listener = aListener();
    const { id } = await listener.createSmart("Recently Played");
    await fill(listener.id, 199);
    const again = await listener.send("POST", "/playlists/smart", { name: "Recently Played" });
    expect(again.status).toBe(200);
    expect(await again.json()).toMatchObject({ id });
    expect((await listener.send("POST", "/playlists", { name: "One more" })).status).toBe(409);
    await listener.send("DELETE", `/playlists/${id}`);
    await listener.create({ name: "One more" });
  });

  test("applies to each listener separately", async () => {
    await fill(aListener().id, 200);
    await aListener().create();
  });
});

describe("the limit of 1,000 items a playlist", () => {
  test("also applies to concurrent requests", async () => {
    const listener = aListener();
    const { id } = await listener.create();
    const episodes = await manyEpisodes(1003);
    await fillPlaylist(id, episodes.slice(0, 999));
    const add = (episodeId: number) => listener.send("POST", `/playlists/${id}/items`, { episodeId });
    const answers = await Promise.all(episodes.slice(999).map(add));
    expect(statusesOf(answers)).toEqual([201, 409, 409, 409]);
    const refused = answers.find(({ status }) => status === 409);
    expect(await refused?.json()).toEqual({
      error: {
        code: "conflict",
        message: "A playlist holds at most 1,000 episodes. Remove one to make room.",
      },
    });
    const { items } = await listener.open(id);
    expect(items).toHaveLength(1000);
    // An existing item may be added again.
    expect((await add(episodes[0]!)).status).toBe(200);
    expect((await add(999_999)).status).toBe(404);
    const itemIds = items.map((item) => item.id);
    expect((await listener.send("PUT", `/playlists/${id}/order`, { itemIds })).status).toBe(200);
    const tooMany = await listener.send("PUT", `/playlists/${id}/order`, { itemIds: [...itemIds, 1] });
    expect(tooMany.status).toBe(422);
  });
});

describe("the limit of one IP address", () => {
  test("is 64 kB a request", async () => {
    const body = { name: "A", description: "d".repeat(65 * 1024) };
    expect((await aListener().send("POST", "/playlists", body)).status).toBe(413);
  });

  test.each([
    ["POST", "/playlists", { name: "A" }],
    ["PATCH", "/playlists/x", { name: "A" }],
    ["POST", "/playlists/x/items", { episodeId: 1 }],
    ["PUT", "/playlists/x/order", { itemIds: [] }],
    ["PUT", "/favorites/1", undefined],
    ["PUT", "/progress/1", { progressSeconds: 1, completed: false }],
  ])("%s %s is refused in bursts", async (method, path, body) => {
    const listener = aListener();
    const answers = await Promise.all(
      Array.from({ length: MORE_THAN_A_BURST }, () => listener.send(method, path, body)),
    );
    const refused = answers.filter(({ status }) => status === 429);
    expect(refused.length).toBeGreaterThanOrEqual(5);
    expect(refused[0]?.headers.get("Retry-After")).toBe("10");
  });

  test("is 100 new playlists an hour, whatever the number of listeners", async () => {
    holdClock();
    const first = aListener();
    for (let n = 0; n < 99; n++) {
      await countHourly(
        visitorContext({ client: { address: first.address, userAgent: "" } }),
        "playlists",
        100,
      );
    }
    await first.create();
    const second = aListener(undefined, first.address);
    for (const [path, name] of [
      ["/playlists", "A"],
      ["/playlists/smart", "Recently Played"],
    ] as const) {
      const refused = await second.send("POST", path, { name });
      expect(refused.status).toBe(429);
      expect(Number(refused.headers.get("Retry-After"))).toBeGreaterThan(0);
    }
    await aListener(second.id).create();
  });
});
