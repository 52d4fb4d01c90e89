import { createHash } from "node:crypto";
import { eq, sql } from "drizzle-orm";
import { parseFeed } from "podcast-partytime";
import { findWorkerds } from "../../bench/processor.ts";
import { files } from "#worker/files/table.ts";
import type { ImportProgress } from "#worker/imports/contract.ts";
import type { FeedComparison } from "#worker/imports/feed/contract.ts";
import { createContext } from "#worker/platform/context.ts";
import { startBuiltSite } from "../support/built-site.ts";
import { feedXml, type Item } from "../support/feed-xml.ts";
import { audioBytes } from "../support/host-audio.ts";
import { startPodcastHost } from "../support/podcast-host.ts";
import { pngOf } from "../support/png.ts";
import { pause } from "./client.ts";
import { readMemory, residentMB } from "./memory.ts";
import { signInOwner } from "./site.ts";

/**
 * `npm run move`: imports a podcast of EPISODES (1,000) from an old host on this machine, partly slow, broken, huge,
 * redirected, without ranges or lengths, and kills the Worker KILLS (2) times while it imports. Exits with 1 unless
 * each episode was imported once, an independent parser reads both feeds alike in every field that both have, and every
 * file is equal by SHA-256, in an isolate of less than 128 MB. HUGE_MB (500) is the size of the largest file. `PLAN=free` imports in small steps.
 */
const EPISODES = Number(process.env["EPISODES"] ?? 1000);
const KILLS = Number(process.env["KILLS"] ?? 2);
const HUGE_MB = Number(process.env["HUGE_MB"] ?? 500);
const MB = 1024 * 1024;
/** The platform's limit for an isolate. */
const MOST_ISOLATE_MB = 128;
/** Milliseconds after which the run ends in any case. */
const MOST_MS = EPISODES * 1500 + HUGE_MB * 600 + 240_000;
const STEP_MS = 500;
const MINUTE = "* * * * *";
/** Steps between two measurements of the isolate. */
const LOOKS = 10;

setTimeout(() => {
  console.error("Move: it did not end.");
  process.exit(1);
}, MOST_MS).unref();

const host = await startPodcastHost();
const base = `http://127.0.0.1:${host.port}`;
const source = await prepareFeed();
let site = await start();
const { state } = site;
await site.ctx.db.run(sql`delete from episodes`);
const idleMB = await settledMB();

const began = performance.now();
const { id, counts } = await post<ImportProgress>("/api/admin/imports/feed", { url: source.url });
console.log(`Move: ${counts.total} episodes planned in ${Math.round(performance.now() - began)} ms.`);
await post(`/api/admin/imports/${id}/show`, {
  facts: ["title", "description", "author", "category", "guid"],
});
await post(`/api/admin/imports/${id}/start`);

let peakMB = 0;
/** Of the site's own isolate, after a garbage collection. */
let isolateMB = 0;
let looks = 0;
let deaths = 0;
let progress = await read();
while (progress.state === "running") {
  await pause(STEP_MS);
  peakMB = Math.max(peakMB, residentMB());
  if (looks++ % LOOKS === 0) isolateMB = Math.max(isolateMB, await isolateNow());
  progress = await read();
  const had = progress.counts.done + progress.counts.failed;
  if (deaths < KILLS && had >= (EPISODES * (deaths + 1)) / (KILLS + 1)) await die();
  else await site.tick([MINUTE]);
}
const seconds = (performance.now() - began) / 1000;
const faults = await findFaults();
if (isolateMB === 0 || isolateMB >= MOST_ISOLATE_MB) faults.push(`The isolate took ${isolateMB} MB.`);
const comparison = await post<FeedComparison>(`/api/admin/imports/${id}/comparison`);
console.log(
  `Move: compared ${comparison.compared}, alike ${comparison.alike}, missing ${comparison.missingCount}; ` +
    JSON.stringify(comparison.differing.slice(0, 3)),
);
const again = await post<ImportProgress>("/api/admin/imports/feed", { url: source.url });
console.table({
  episodes: EPISODES,
  ...progress.counts,
  "MB moved": Math.round(progress.bytes.moved / MB),
  seconds: Math.round(seconds),
  kills: deaths,
  "workerd MB idle": Math.round(idleMB),
  "workerd MB at most, with local R2 and D1": Math.round(peakMB),
  "isolate MB at most": Math.round(isolateMB),
});
const left = await site.ctx.db.all<{ state: string; n: number }>(
  sql`select state, count(*) as n from import_items where import_id = ${again.id} group by state`,
);
console.log(`Move: a second run would bring ${JSON.stringify(left)}`);
for (const fault of faults.slice(0, 10)) console.error(fault);
console.log(faults.length === 0 ? "Move: no failure." : `Move: ${faults.length} failures.`);
await Promise.race([site.stop(), pause(5000)]);
host.stop();
process.exit(faults.length === 0 ? 0 : 1);

/** Faults by episode number; the others are plain. `dead` ones fail until they are fixed. */
function wayOf(n: number) {
  if (n === 3) return "endless";
  return ["moved", "whole", "endless", "cut", "busy", "slow", "gone"][n % 25] ?? "plain";
}

function sizeOf(n: number) {
  if (n === 3) return HUGE_MB * MB;
  if (wayOf(n) === "cut") return 10 * MB;
  return 60_000 + (n % 40) * 5000;
}

async function prepareFeed() {
  const picture = Buffer.from(await pngOf(1400, 1400)).toString("base64");
  for (let n = 0; n < 5; n++)
    host.answers.set(`/pictures/${n}.png`, {
      path: "",
      bytes: picture,
      headers: { "Content-Type": "image/png" },
    });
  const items = Array.from({ length: EPISODES }, (_, n): Item => itemOf(n));
  const pages = [items.slice(0, EPISODES / 2), items.slice(EPISODES / 2)];
  const next = `<atom:link rel="next" href="/feed.xml?page=2"/>`;
  const xml = pages.map((page, at) => feedXml({ items: page, more: at === 0 ? next : "" }));
  const headers = { "Content-Type": "text/html" };
  host.answers.set("/old/feed", { path: "", status: 301, headers: { Location: "/feed.xml" } });
  host.answers.set("/feed.xml", { path: "", headers, body: xml[0] });
  host.answers.set("/feed.xml?page=2", { path: "", headers, body: xml[1] });
  return { url: `${base}/old/feed`, all: feedXml({ items }) };
}

function itemOf(n: number): Item {
  const date = new Date(Date.UTC(2015, 0, 1) + n * 3 * 86_400_000);
  const numbers =
    n % 3 === 0 ? "" : `<itunes:season>${1 + (n % 9)}</itunes:season><itunes:episode>${n}</itunes:episode>`;
  host.answers.set(`/chapters/${n}.json`, {
    path: "",
    body: JSON.stringify({
      chapters: [
        { startTime: 0, title: `Opening ${n}` },
        { startTime: 1.5, title: "Close" },
      ],
    }),
  });
  host.answers.set(`/transcripts/${n}.srt`, {
    path: "",
    body: `1\n00:00:00,500 --> 00:00:02,000\nWords of ${n}.\n`,
  });
  const size = sizeOf(n);
  return {
    guid: n % 2 === 0 ? `urn:old:${n}:é&<` : `https://old.example/?p=${n}`,
    title: `Episode ${n} — on “rent” & land`,
    pubDate: date.toUTCString(),
    audio: {
      url: `${base}/audio/${n}/${size}/${wayOf(n)}`,
      length: wayOf(n) === "endless" ? undefined : size,
    },
    more: `${numbers}<itunes:explicit>${n % 7 === 0 ? "yes" : "no"}</itunes:explicit>
<itunes:episodeType>${n % 11 === 0 ? "bonus" : "full"}</itunes:episodeType>
<description>What ${n} says of rent.</description>
<content:encoded><![CDATA[<p>Notes of <strong>${n}</strong>, with a <a href="https://a.example/${n}">link</a>.</p>]]></content:encoded>
<podcast:person role="guest">Guest ${n % 13}</podcast:person>
${n % 10 === 0 ? `<itunes:image href="${base}/pictures/${(n / 10) % 5}.png"/>` : ""}
${n % 6 === 0 ? `<podcast:chapters url="${base}/chapters/${n}.json" type="application/json+chapters"/>` : ""}
${n % 4 === 0 ? `<podcast:transcript url="${base}/transcripts/${n}.srt" type="application/srt"/>` : ""}`,
  };
}

async function start(from?: string) {
  const built = await startBuiltSite({
    vars: { IMPORT_LOOPBACK: "on", PLAN: process.env["PLAN"] ?? "paid" },
    state: from,
    log: ({ level, message }) => level === "error" && console.error(message.slice(0, 300)),
  });
  const ctx = createContext(built.env, { actor: { kind: "job", name: "load" } });
  return { ...built, ctx, cookie: await signInOwner(ctx) };
}

/** Memory of the Worker after it has served a page. */
async function settledMB() {
  for (let n = 0; n < 5; n++) await (await fetch(`${site.url}/podcast`)).arrayBuffer();
  return residentMB();
}

async function isolateNow() {
  const memory = await readMemory({ ...site, ownerCookie: site.cookie }).catch(() => null);
  return memory?.isolate ?? 0;
}

/** Like a power failure: nothing finishes, and claims lapse after some minutes. */
async function die() {
  for (const workerd of findWorkerds()) process.kill(Number(workerd), "SIGKILL");
  await Promise.race([site.stop({ keepState: true }).catch(() => undefined), pause(3000)]);
  deaths++;
  site = await start(state);
  await site.ctx.db.run(sql`update import_items set not_before = 0 where state = 'working'`);
}

async function post<T>(path: string, body: unknown = {}) {
  const response = await fetch(site.url + path, {
    method: "POST",
    headers: { "Content-Type": "application/json", Cookie: site.cookie },
    body: JSON.stringify(body),
  });
  if (!response.ok) throw new Error(`${path}: ${response.status} ${await response.text()}`);
  return (response.status === 204 ? null : await response.json()) as T;
}

async function read() {
  const path = `/api/admin/imports/${id}`;
  const response = await fetch(site.url + path, { headers: { Cookie: site.cookie } });
  if (!response.ok) throw new Error(`${path}: ${response.status} ${await response.text()}`);
  return (await response.json()) as ImportProgress;
}

type Parsed = NonNullable<ReturnType<typeof parseFeed>>["items"][number];

/** The fields that both feeds have, from an independent parser. */
function comparable(item: Parsed) {
  return {
    title: item.title,
    pubDate: item.pubDate?.getTime(),
    explicit: item.explicit,
    type: item.itunesEpisodeType ?? item.podcastEpisode,
    season: item.podcastSeason?.number ?? item.itunesSeason,
    episode: item.podcastEpisode?.number ?? item.itunesEpisode,
    hasPicture: Boolean(item.itunesImage),
    hasTranscript: Boolean(item.podcastTranscripts?.length),
    hasChapters: Boolean(item.podcastChapters),
    enclosure: item.enclosure.type,
    description: item.summary ?? item.description,
    notes: item.content?.replaceAll(/\s+/g, " ").trim(),
    people: item.podcastPeople?.map(({ name, role }) => `${name}, ${role}`),
  };
}

async function findFaults() {
  const found: string[] = [];
  const before = parseFeed(source.all)!;
  const xml = await (await fetch(`${site.url}/rss/podcast.xml`)).text();
  const after = parseFeed(xml)!;
  const byGuid = new Map(after.items.map((item) => [item.guid, item]));
  if (byGuid.size !== after.items.length) found.push("The new feed has an episode twice.");
  const dead = new Set(before.items.filter((_, n) => wayOf(n) === "gone").map(({ guid }) => guid));
  for (const [n, item] of before.items.entries()) {
    const other = byGuid.get(item.guid);
    if (dead.has(item.guid)) {
      if (other) found.push(`${item.guid} came without audio.`);
      continue;
    }
    if (!other) {
      found.push(`${item.guid} is missing.`);
      continue;
    }
    const [one, two] = [comparable(item), comparable(other)].map((fields) => {
      // A large feed omits the notes of older episodes.
      if (other.content === undefined) delete fields.notes;
      return JSON.stringify(fields);
    });
    if (one !== two) found.push(`${item.guid}: ${one} became ${two}`);
    const digest = await digestOf(other.enclosure.url);
    if (digest !== digestOfAudio(n)) found.push(`${item.guid}: its audio is another.`);
  }
  await comparePictures(found);
  return found;
}

async function comparePictures(found: string[]) {
  const original = createHash("sha256")
    .update(await pngOf(1400, 1400))
    .digest("hex");
  const rows = await site.ctx.db
    .select({ key: files.key })
    .from(files)
    .where(eq(files.folder, "podcast-images"));
  const own = await site.ctx.db.all<{ n: number }>(
    sql`select count(distinct image_file_id) as n from episodes where image_file_id is not null`,
  );
  if (own[0]!.n !== 5) found.push(`${own[0]!.n} pictures, not 5.`);
  const used = await site.ctx.db.all<{ key: string }>(
    sql`select distinct key from files join episodes on image_file_id = files.id`,
  );
  for (const { key } of used) {
    const response = await fetch(`${site.url}/media/${key}`);
    const digest = createHash("sha256")
      .update(Buffer.from(await response.arrayBuffer()))
      .digest("hex");
    if (digest !== original) found.push(`${key} is another picture.`);
  }
  console.log(`Move: ${rows.length} pictures, ${used.length} of them of episodes.`);
}

async function digestOf(url: string) {
  const { pathname } = new URL(url);
  const response = await fetch(site.url + pathname);
  const hash = createHash("sha256");
  for await (const piece of response.body ?? []) hash.update(piece);
  return hash.digest("hex");
}

function digestOfAudio(n: number) {
  const hash = createHash("sha256");
  const size = sizeOf(n);
  for (let at = 0; at < size; at += MB) hash.update(audioBytes(String(n), at, Math.min(size, at + MB)));
  return hash.digest("hex");
}
