import { env } from "cloudflare:workers";
import { beforeAll, beforeEach, describe, expect, test, vi } from "vitest";
import { publishedEpisode } from "./support/factories.ts";
import { aListener, listenerId, type Listener } from "./support/listeners.ts";
import { forgetRates } from "./support/rates.ts";

beforeEach(forgetRates);

let episodeId = 0;
let owner: Listener;
/** The owner's, by what they are. */
const ids = { private: "", public: "", smart: "" };
beforeAll(async () => {
  episodeId = (await publishedEpisode()).id;
  owner = aListener();
  ids.private = (await owner.create({ name: "Private" })).id;
  ids.public = (await owner.create({ name: "Public", isPublic: true })).id;
  ids.smart = (await owner.createSmart("Recently Played")).id;
  for (const id of [ids.private, ids.public]) await owner.add(id, episodeId);
});

type Route = [method: string, path: string, body?: unknown];

const ofListener = (): Route[] => [
  ["GET", "/playlists"],
  ["POST", "/playlists", { name: "Mine" }],
  ["POST", "/playlists/smart", { name: "Not finished yet" }],
  ["GET", "/favorites"],
  ["PUT", `/favorites/${episodeId}`],
  ["DELETE", `/favorites/${episodeId}`],
  ["GET", "/progress"],
  ["PUT", `/progress/${episodeId}`, { progressSeconds: 5, completed: false }],
];
const writesOf = (id: string): Route[] => [
  ["PATCH", `/playlists/${id}`, { name: "Taken over" }],
  ["DELETE", `/playlists/${id}`],
  ["POST", `/playlists/${id}/items`, { episodeId }],
  ["DELETE", `/playlists/${id}/items/${episodeId}`],
  ["PUT", `/playlists/${id}/order`, { itemIds: [] }],
];
const routesOf = (id: string): Route[] => [["GET", `/playlists/${id}`], ...writesOf(id)];

/** What each of the routes answers to this listener. */
async function answersTo(listener: Listener, routes: Route[]) {
  const answers = [];
  for (const [method, path, body] of routes) {
    const response = await listener.send(method, path, body);
    const text = await response.text();
    const { error } = (text ? JSON.parse(text) : {}) as { error?: { code: string; message: string } };
    answers.push({ route: `${method} ${path}`, status: response.status, error });
  }
  return answers;
}

const each = (routes: Route[], status: number, error: unknown) =>
  routes.map(([method, path]) => ({ route: `${method} ${path}`, status, error }));

describe("a request without a listener's id is refused everywhere", () => {
  test.each([
    ["no id", null],
    ["an empty one", ""],
    ["another beginning", listenerId().replace("user_", "User_")],
    ["none", listenerId().slice("user_".length)],
    ["21 characters", `user_${"a".repeat(21)}`],
    ["87 characters", `user_${"a".repeat(87)}`],
    ["a character that none has", `user_${"a".repeat(31)}.`],
    ["two of them", `${listenerId()}, ${listenerId()}`],
  ])("a request without a listener's id is refused: %s", async (_, id) => {
    const routes = [...ofListener(), ...routesOf(ids.public), ...routesOf(ids.private)];
    const message = "Send a Listener-Id: user_ and at least 22 random characters.";
    expect(await answersTo(aListener(id), routes)).toEqual(
      each(routes, 400, { code: "bad_request", message }),
    );
  });
});

test.each([22, 86])("an id of %i characters is long and short enough", async (length) => {
  const alphabet = "-_azAZ09".repeat(11);
  expect(await aListener(`user_${alphabet.slice(0, length)}`).list()).toEqual([]);
});

describe("another listener's playlist", () => {
  const stranger = aListener();

  test.each(["private", "smart"] as const)("that is %s answers every request as not found", async (kind) => {
    const routes = routesOf(ids[kind]);
    expect(await answersTo(stranger, routes)).toEqual(
      each(routes, 404, { code: "not_found", message: "Playlist not found" }),
    );
  });

  test("is answered like one that does not exist at all", async () => {
    for (const id of [crypto.randomUUID(), "1", "smart", "%00", "a".repeat(500)]) {
      const routes = routesOf(id);
      expect(await answersTo(stranger, routes)).toEqual(
        each(routes, 404, { code: "not_found", message: "Playlist not found" }),
      );
    }
  });

  test("that is public is read, and not written", async () => {
    const opened = await stranger.open(ids.public);
    expect(opened).toMatchObject({ playlist: { id: ids.public, name: "Public" }, isOwner: false });
    expect(opened.items).toHaveLength(1);
    const routes = writesOf(ids.public);
    expect(await answersTo(stranger, routes)).toEqual(
      each(routes, 403, { code: "forbidden", message: "This playlist belongs to someone else." }),
    );
  });

  test("is in no other listener's list, and is unchanged", async () => {
    expect(await stranger.list()).toEqual([]);
    const own = await owner.list();
    expect(own.map(({ name, episodeCount }) => [name, episodeCount])).toEqual([
      ["Recently Played", 0],
      ["Public", 1],
      ["Private", 1],
    ]);
  });
});

test("favourites and progress are each listener's own", async () => {
  const [one, other] = [aListener(), aListener()];
  await one.send("PUT", `/favorites/${episodeId}`);
  await one.send("PUT", `/progress/${episodeId}`, { progressSeconds: 7, completed: false });
  expect(await other.read("/favorites")).toEqual({ items: [], next: null });
  expect(await other.read("/progress")).toEqual({ items: [], next: null });
  await other.send("DELETE", `/favorites/${episodeId}`);
  expect(await one.read("/favorites")).toMatchObject({ items: [{ episode: { id: episodeId } }] });
});

test("the id itself is neither stored nor logged", async () => {
  const methods = ["log", "info", "warn", "error", "debug"] as const;
  const spies = methods.map((method) => vi.spyOn(console, method).mockImplementation(() => {}));
  const listener = aListener();
  await listener.create();
  await listener.createSmart("Recently Played");
  await answersTo(listener, [...ofListener(), ...routesOf(ids.private), ...routesOf(ids.public)]);
  const said = JSON.stringify(spies.flatMap(({ mock }) => mock.calls));
  vi.restoreAllMocks();
  expect(said).not.toContain(listener.id);

  const { results: tables } = await env.DB.prepare(
    "select name from sqlite_master where type = 'table' and name not like '\\_cf%' escape '\\' and sql not like '%virtual%'",
  ).all<{ name: string }>();
  expect(tables.map(({ name }) => name)).toEqual(
    expect.arrayContaining(["playlists", "favorites", "progress"]),
  );
  for (const { name } of tables) {
    const { results } = await env.DB.prepare(`select * from "${name}"`).all();
    expect(JSON.stringify(results), name).not.toContain(listener.id);
  }
  const { keys } = await env.KV.list();
  expect(JSON.stringify(keys)).not.toContain(listener.id);
});
