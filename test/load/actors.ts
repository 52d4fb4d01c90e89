import { randomBytes } from "node:crypto";
import type { Addresses } from "./addresses.ts";
import { Client, pause, pick, type Records } from "./client.ts";
import type { LoadSite } from "./site.ts";
import { listenerWrites, ownerWrites, visitorWrites, type Write } from "./writes.ts";

/** An actor that repeats; `every` is the average interval in milliseconds. */
type Actor = { kind: string; count: number; every: number; act: () => Promise<unknown> };

/** Milliseconds after which an impatient reader has left. */
const IMPATIENCE = 4;
/** Bytes of audio in one request. */
const RANGE = 64 * 1024;

/** All kinds of users, who use the site concurrently. */
export function actorsOf(site: LoadSite, addresses: Addresses, records: Records): Actor[] {
  const client = (kind: string) => new Client(site.url, records, kind);
  const anyOf = (writes: { [name: string]: Write }) => () => pick(Object.values(writes))();
  const [reader, feeds, search, audio] = ["reader", "feed reader", "search", "audio"].map(client) as [
    Client,
    Client,
    Client,
    Client,
  ];
  // What a person may invite in an hour is left for the rounds.
  const { user: _, ...edits } = ownerWrites(client("owner"), site.ownerCookie, addresses);
  return [
    { kind: "reader", count: 8, every: 20, act: () => reader.ask(pick(addresses.public)) },
    { kind: "leaver", count: 1, every: 60, act: () => reader.hangUp(pick(addresses.public), IMPATIENCE) },
    { kind: "feed reader", count: 2, every: 50, act: conditional(feeds) },
    {
      kind: "search",
      count: 1,
      every: 100,
      act: () => search.ask(`/search?q=${randomBytes(4).toString("hex")}`),
    },
    { kind: "audio", count: 2, every: 100, act: () => listen(audio, pick(addresses.audio)) },
    { kind: "listener", count: 3, every: 60, act: anyOf(listenerWrites(client("listener"), addresses)) },
    { kind: "visitor", count: 1, every: 500, act: anyOf(visitorWrites(client("visitor"), addresses)) },
    { kind: "owner", count: 1, every: 250, act: anyOf(edits) },
    { kind: "cron", count: 1, every: 5000, act: async () => tick(site, records) },
  ];
}

/** Fires the crons and does not wait for their end, as the platform does not. */
function tick(site: LoadSite, records: Records) {
  site.tick().catch((error: unknown) => records.fail(`cron: ${String(error)}`));
}

const FEEDS = ["/rss/podcast.xml", "/rss/essays.xml", "/sitemap.xml"];

/** Requests like podcast apps: with the tag of the last response. */
function conditional(client: Client) {
  const tags = new Map<string, string>();
  return async () => {
    const path = pick(FEEDS);
    const tag = tags.get(path);
    const answer = await client.ask(path, tag ? { headers: { "If-None-Match": tag } } : {});
    client.expect(answer, ({ status }) => status === 200 || status === 304, `${path} with its tag`);
    const etag = answer?.headers.get("ETag");
    if (etag) tags.set(path, etag);
  };
}

async function listen(client: Client, path: string) {
  const first = Math.floor(Math.random() * RANGE);
  const answer = await client.ask(path, { headers: { Range: `bytes=${first}-${first + RANGE - 1}` } });
  client.expect(answer, ({ status, body }) => status === 206 && body.length === RANGE, `a range of ${path}`);
}

/** Has them all act until the time is over, and waits for the last of them. */
export async function run(actors: Actor[], milliseconds: number) {
  const end = performance.now() + milliseconds;
  const act = async ({ act: once, every }: Actor) => {
    while (performance.now() < end) {
      await once();
      await pause(Math.min(Math.random() * 2 * every, Math.max(0, end - performance.now())));
    }
  };
  await Promise.all(actors.flatMap((actor) => Array.from({ length: actor.count }, () => act(actor))));
}

const READERS = 8;

/** Rounds of one write with concurrent readers, for each kind of write. */
export async function runRounds(site: LoadSite, addresses: Addresses, records: Records, rounds: number) {
  const client = new Client(site.url, records, "rounds");
  const writes: { [name: string]: Write } = {
    ...listenerWrites(client, addresses),
    ...visitorWrites(client, addresses),
    ...ownerWrites(client, site.ownerCookie, addresses),
  };
  for (const write of Object.values(writes)) {
    for (let round = 0; round < rounds; round++) {
      const path = pick(addresses.public);
      const readers = Array.from({ length: READERS }, () => client.ask(path));
      await Promise.all([write(), ...readers]);
      await Promise.all(Array.from({ length: READERS }, () => client.ask(path)));
    }
  }
}
