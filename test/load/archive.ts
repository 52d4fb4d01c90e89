import { openAsBlob, rmSync } from "node:fs";
import { mkdtemp, open } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { like, sql } from "drizzle-orm";
import { findWorkerds } from "../../bench/processor.ts";
import { sessions } from "#worker/accounts/table.ts";
import { files, objectHashes } from "#worker/files/table.ts";
import { migrate } from "../../scripts/migrations.ts";
import type { FilesPart, FilesParts } from "#worker/exports/files.ts";
import type { ImportProgress } from "#worker/imports/contract.ts";
import { createContext } from "#worker/platform/context.ts";
import { OBJECT_PART } from "#worker/restores/contract.ts";
import { openArchive, openFilesArchive } from "../../src/admin/restore/archive.ts";
import { demoState, emptyState, startBuiltSite } from "../support/built-site.ts";
import { pause } from "./client.ts";
import { readMemory } from "./memory.ts";
import { signInOwner } from "./site.ts";

/**
 * `npm run archive`: exports the demo with EPISODES (1,000) more episodes and AUDIO_MB (1,000) of audio of repeated bytes,
 * and restores it into an empty site. workerd is killed KILLS (3) times while the files are downloaded, and as often during
 * the restore. Exits with 1 unless all tables, files and the feed are the same byte for byte, in isolates of less than
 * 128 MB. `PLAN=free` restores in small steps.
 */
const EPISODES = Number(process.env["EPISODES"] ?? 1000);
const AUDIO_MB = Number(process.env["AUDIO_MB"] ?? 1000);
const KILLS = Number(process.env["KILLS"] ?? 3);
const MB = 1024 * 1024;
/** Bytes of both sites. */
const ROOM = 3 * AUDIO_MB * MB;
/** The platform's limit for an isolate. */
const MOST_ISOLATE_MB = 128;
const RECORDING_MB = 96;
/** Milliseconds after which the run ends in any case. */
const MOST_MS = EPISODES * 600 + AUDIO_MB * 400 + 600_000;
const HOUR_MS = 3_600_000;
const STEP_MS = 300;
/** Steps between two measurements of the isolate. */
const LOOKS = 5;
const MINUTE = "* * * * *";
/** Of both sites, so that the feeds can be compared. */
const SITE_URL = "http://restored.example";

setTimeout(() => {
  console.error("Archive: it did not end.");
  process.exit(1);
}, MOST_MS).unref();

const faults: string[] = [];
let isolateMB = 0;
let kills = 0;
const folder = await mkdtemp(join(tmpdir(), "rostrum-archive-"));
process.once("exit", () => rmSync(folder, { recursive: true, force: true }));

let site = await start(await demoState(ROOM));
await addEpisodes();
await addRecordings();
await hashRecordings();
const feed = await read("/rss/podcast.xml");
const began = performance.now();
await confirmIdentity();
const archive = await save("/api/admin/export", "site.zip");
const { set, permit, items: parts } = (await (await get("/api/admin/export/files")).json()) as FilesParts;
const zips: string[] = [];
for (const part of parts) zips.push(await download(part));
const filesMB = Math.round(parts.reduce((sum, { bytes }) => sum + bytes, 0) / MB);
if (filesMB < AUDIO_MB) faults.push(`Only ${filesMB} MB of files are in the zips.`);
const exportSeconds = since(began);
console.log(`Archive: exported in ${exportSeconds} s.`);
const exportKills = kills;
const exportMB = isolateMB;
const tables = await tablesIn(archive);
await site.stop();

isolateMB = 0;
kills = 0;
site = await start(await emptyState(ROOM));
const sent = performance.now();
const { id } = await sendArchive();
console.log(`Archive: sent in ${since(sent)} s.`);
let progress = await readProgress();
for (let step = 0; progress.state === "running"; step++) {
  await pause(STEP_MS);
  if (step % LOOKS === 0) await lookAtMemory();
  progress = await readProgress();
  if (kills < KILLS && progress.counts.done >= (progress.counts.total * (kills + 1)) / (KILLS + 1))
    await die();
  else await site.tick([MINUTE]);
}
const restoreSeconds = since(sent);
if (progress.state !== "done") faults.push(`It ended as ${progress.state}: ${progress.pausedReason}`);
if ((await read("/rss/podcast.xml")) !== feed) faults.push("The feed differs.");
await confirmIdentity();
const again = await tablesIn(await save("/api/admin/export", "again.zip"));
for (const [file, hash] of tables) {
  // The restore, and the test's own accounts, add to these.
  if (file === "security_events" || file === "log_chain" || file === "users") continue;
  if (again.get(file) !== hash) faults.push(`${file} differs.`);
}
for (const [name, most, times] of [
  ["export", exportMB, exportKills],
  ["restore", isolateMB, kills],
] as const) {
  if (most === 0 || most >= MOST_ISOLATE_MB) faults.push(`The isolate of the ${name} took ${most} MB.`);
  if (times < KILLS) faults.push(`The ${name} was killed ${times} times.`);
}
console.table({
  episodes: EPISODES,
  "MB of files": filesMB,
  "seconds of the export": exportSeconds,
  "seconds of the restore": restoreSeconds,
  "steps of the restore": progress.counts.done,
  "kills of each": kills,
  "compared tables and the list of files": tables.size,
  "isolate MB at most, export": Math.round(exportMB),
  "isolate MB at most, restore": Math.round(isolateMB),
});
for (const fault of faults.slice(0, 10)) console.error(fault);
console.log(faults.length === 0 ? "Archive: no failure." : `Archive: ${faults.length} failures.`);
await Promise.race([site.stop(), pause(5000)]);
process.exit(faults.length === 0 ? 0 : 1);

/** `cookie`: of the session that continues; without it, the owner signs in. */
async function start(state: string, cookie?: string) {
  const built = await startBuiltSite({
    vars: { SITE_URL, PLAN: process.env["PLAN"] ?? "paid" },
    state,
    log: ({ level, message }) => level === "error" && console.error(message.slice(0, 300)),
  });
  await migrate(built.env.DB);
  const ctx = createContext(built.env, { actor: { kind: "job", name: "load" } });
  return { ...built, ctx, cookie: cookie ?? (await signInOwner(ctx)) };
}

/** As the owner does when asked: a proof of ten minutes is too old after some gigabytes. */
async function confirmIdentity() {
  await site.ctx.db.update(sessions).set({ authenticatedAt: new Date() });
}

/** Copies of the demo's first episode. */
async function addEpisodes() {
  const columns = await site.ctx.db.all<{ name: string }>(sql`pragma table_info(episodes)`);
  const others = columns
    .map(({ name }) => `"${name}"`)
    .filter((name) => !['"id"', '"slug"', '"guid"', '"draft_key"', '"published_at"'].includes(name))
    .join();
  await site.ctx.db.run(
    sql.raw(`insert into episodes (slug, guid, published_at, ${others})
      with recursive n (i) as (values (1) union all select i + 1 from n where i < ${EPISODES})
      select 'copy-' || i, 'copy-' || i, published_at - i * 86400000, ${others}
      from n, (select * from episodes order by id limit 1)`),
  );
}

/** Recordings of repeated bytes, stored in parts like an upload. */
async function addRecordings() {
  const bytes = Buffer.alloc(OBJECT_PART, "sound");
  const uploaded = new Date(Date.now() - 2 * HOUR_MS);
  for (let n = 0; n * RECORDING_MB < AUDIO_MB; n++) {
    const fileId = crypto.randomUUID();
    const key = `podcast-audio/${fileId}/repeated.mp3`;
    const upload = await site.env.MEDIA.createMultipartUpload(key, {
      httpMetadata: { contentType: "audio/mpeg" },
    });
    const stored = [];
    for (let part = 1; part * OBJECT_PART <= RECORDING_MB * MB; part++)
      stored.push(await upload.uploadPart(part, bytes));
    const { size } = await upload.complete(stored);
    await site.ctx.db.insert(files).values({
      id: fileId,
      key,
      folder: "podcast-audio",
      name: "repeated.mp3",
      type: "audio/mpeg",
      size,
      partSize: OBJECT_PART,
      status: "complete",
      createdBy: "load",
      createdAt: uploaded,
      completedAt: uploaded,
    });
  }
}

/** As the minutes after an upload do. */
async function hashRecordings() {
  const recordings = Math.ceil(AUDIO_MB / RECORDING_MB);
  const hashed = like(objectHashes.key, "%/repeated.mp3");
  for (let ticks = 0; (await site.ctx.db.$count(objectHashes, hashed)) < recordings; ticks++) {
    if (ticks > 2 * recordings)
      throw new Error(`After ${ticks} ticks some of ${recordings} recordings have no hash.`);
    // A busy machine closes the connection of a tick now and then; the next tick continues.
    await site.tick([MINUTE]).catch(() => undefined);
  }
}

async function save(path: string, name: string) {
  const file = join(folder, name);
  const output = await open(file, "w");
  for await (const piece of (await get(path)).body!) await output.write(piece);
  await output.close();
  await lookAtMemory();
  return file;
}

/** A zip of files, whose download continues with a range after each kill. */
async function download({ number, bytes }: FilesPart) {
  const file = join(folder, `files-${number}.zip`);
  const output = await open(file, "w");
  let etag = "";
  for (let at = 0; at < bytes;) {
    const headers: Record<string, string> = at === 0 ? {} : { Range: `bytes=${at}-`, "If-Range": etag };
    const response = await get(`/api/admin/export/files/${number}?set=${set}&permit=${permit}`, headers);
    if (at > 0 && response.status !== 206) faults.push(`Part ${number} does not continue at ${at}.`);
    etag = response.headers.get("ETag")!;
    for await (const piece of response.body!) {
      await output.write(piece, 0, piece.length, at);
      at += piece.length;
      if (kills < KILLS && at >= (bytes * (kills + 1)) / (KILLS + 1)) break;
    }
    await lookAtMemory();
    if (at < bytes) await die();
  }
  await output.close();
  return file;
}

async function tablesIn(file: string) {
  const { manifest, close } = await openArchive(await openAsBlob(file));
  await close();
  const { tables: listed, objects } = manifest;
  return new Map([
    ...listed.map(({ table, sha256 }) => [table, sha256] as const),
    ["objects", objects.sha256],
  ]);
}

/** As the page does. */
async function sendArchive() {
  const opened = await openArchive(await openAsBlob(archive));
  await opened.check();
  const created = await post<ImportProgress>("/api/admin/restores", {
    source: "a.zip",
    manifest: opened.manifest,
  });
  const path = `/api/admin/restores/${created.id}`;
  for await (const piece of opened.pieces()) await post(`${path}/pieces`, piece);
  await opened.close();
  for (const zip of zips) await sendFiles(path, zip);
  await lookAtMemory();
  await confirmIdentity();
  await post(`${path}/start`);
  return created;
}

async function sendFiles(path: string, zip: string) {
  const { manifest, read: readFile, close } = await openFilesArchive(await openAsBlob(zip));
  for (const object of manifest.objects) {
    const { upload } = await post<{ upload: string | null }>(`${path}/objects`, object);
    if (upload === null) continue;
    const blob = await readFile(object);
    const etags: string[] = [];
    for (let at = 0; at === 0 || at < blob.size; at += OBJECT_PART) {
      const query = new URLSearchParams({ key: object.key, upload });
      const part = `${path}/parts/${etags.length + 1}?${query}`;
      const { etag } = await send<{ etag: string }>("PUT", part, blob.slice(at, at + OBJECT_PART));
      etags.push(etag);
    }
    await post(`${path}/objects/complete`, { object, upload, etags });
  }
  await close();
}

/** Like a power failure: nothing finishes, and claims lapse after some minutes. */
async function die() {
  for (const workerd of findWorkerds()) process.kill(Number(workerd), "SIGKILL");
  await Promise.race([site.stop({ keepState: true }).catch(() => undefined), pause(3000)]);
  kills++;
  site = await start(site.state, site.cookie);
  await site.ctx.db.run(sql`update import_items set not_before = 0 where state = 'working'`);
}

async function lookAtMemory() {
  const memory = await readMemory({ ...site, ownerCookie: site.cookie }).catch(() => null);
  isolateMB = Math.max(isolateMB, memory?.isolate ?? 0);
}

async function get(path: string, headers: Record<string, string> = {}) {
  const response = await fetch(site.url + path, { headers: { Cookie: site.cookie, ...headers } });
  if (!response.ok) throw new Error(`${path}: ${response.status} ${await response.text()}`);
  return response;
}

async function read(path: string) {
  return (await get(path)).text();
}

async function readProgress() {
  return (await get(`/api/admin/imports/${id}`)).json() as Promise<ImportProgress>;
}

function post<T>(path: string, body: unknown = {}) {
  return send<T>("POST", path, JSON.stringify(body));
}

async function send<T>(method: string, path: string, body: BodyInit) {
  const headers = {
    Cookie: site.cookie,
    ...(method === "POST" && { "Content-Type": "application/json" }),
  };
  const response = await fetch(site.url + path, { method, headers, body });
  if (!response.ok) throw new Error(`${path}: ${response.status} ${await response.text()}`);
  return (response.status === 204 ? undefined : await response.json()) as T;
}

function since(time: number) {
  return Math.round((performance.now() - time) / 1000);
}
