import { env } from "cloudflare:workers";
import { eq } from "drizzle-orm";
import { inject } from "vitest";
import { episodes } from "#worker/episodes/table.ts";
import { files } from "#worker/files/table.ts";
import { createFeedImport } from "#worker/imports/feed/commands.ts";
import { startImport } from "#worker/imports/import-commands.ts";
import type { MovedArticle } from "#worker/imports/importers/contract.ts";
import type { Context } from "#worker/platform/context.ts";
import { jobContext, ownerContext } from "./client.ts";
import { feedXml, type Item } from "./feed-xml.ts";
import { audioBytes } from "./host-audio.ts";
import { still, workThrough } from "./imports.ts";
import type { Answer } from "./podcast-host.ts";

/** Two workerds at a time run test files, and the same host serves both. */
let newest = Math.floor(Math.random() * 1e9);
/** A number that no other call of a run gets, for what the host stores and counts. */
export const nextSeed = () => ++newest;

export const HOST = `http://127.0.0.1:${inject("podcastHost")}`;

/** A context that may request addresses on this machine. */
const reaching = <C extends Context>(ctx: C): C => ({
  ...ctx,
  config: { ...ctx.config, loopback: true },
});
export const mover = (options: Partial<Context> = {}) => reaching(ownerContext({ ...still, ...options }));
export const movingJob = (options: Partial<Context> = {}) => reaching(jobContext({ ...still, ...options }));

/** Sets the old host's responses at these paths. */
export const serve = async (...answers: Answer[]) =>
  void (await (await fetch(`${HOST}/answers`, { method: "PUT", body: JSON.stringify(answers) })).text());

/** The ranges that were requested from the old host at a path. */
export const askedFor = async (path: string) => (await fetch(`${HOST}/asked${path}`)).json<string[]>();

export const audioUrl = (seed: string, size: number, way = "plain") => `${HOST}/audio/${seed}/${size}/${way}`;

/** A feed item with 100 kB of audio, unless `item` overrides it. */
export function anItem({
  seed = nextSeed(),
  size = 100_000,
  way = "plain",
  ...item
}: Item & { seed?: string | number; size?: number; way?: string } = {}): Item {
  return {
    guid: `guid-${seed}`,
    title: `Episode ${seed}`,
    pubDate: "Tue, 03 Feb 2026 10:00:00 +0000",
    audio: { url: audioUrl(String(seed), size, way), length: size },
    ...item,
  };
}

/** Serves a feed of these items; returns its address. */
export async function servedFeed(items: Item[], more = "") {
  const path = `/feeds/${crypto.randomUUID()}.xml`;
  await serve({ path, headers: { "Content-Type": "text/xml" }, body: feedXml({ items, more }) });
  return HOST + path;
}

/** Plans and runs the import of a feed of these items, as the queue does; returns its id. */
export async function moved(items: Item[], more = "") {
  const { id } = await createFeedImport(mover(), { url: await servedFeed(items, more) });
  await startImport(mover(), id);
  await workThrough(id, movingJob());
  return id;
}

export async function episodeBy(guid: string) {
  const [row] = await jobContext().db.select().from(episodes).where(eq(episodes.guid, guid));
  return row;
}

/** The stored audio of an episode: its row, and its digest. */
export async function audioOf(fileId: string | null | undefined) {
  const [file] = await jobContext()
    .db.select()
    .from(files)
    .where(eq(files.id, fileId ?? ""));
  const object = file && (await env.MEDIA.get(file.key));
  return { file, digest: object ? await digestOf(new Uint8Array(await object.arrayBuffer())) : null };
}

export const digestOf = async (bytes: Uint8Array<ArrayBuffer>) =>
  new Uint8Array(await crypto.subtle.digest("SHA-256", bytes)).toHex();

export const digestOfAudio = (seed: string | number, size: number) =>
  digestOf(audioBytes(String(seed), 0, size));

/** An article as it arrives from an export of Ghost. */
export const movedArticle = (fields: Partial<MovedArticle> = {}): MovedArticle => ({
  place: "ghost",
  title: `Moved ${nextSeed()}`,
  slug: `moved-${nextSeed()}`,
  status: "published",
  at: Date.UTC(2020, 0, 2),
  excerpt: "Short.",
  content: "Words.",
  categoryId: null,
  tags: [],
  image: null,
  imageAlt: "",
  imageCaption: "",
  pictures: [],
  metaTitle: "",
  metaDescription: "",
  sourceUrl: null,
  guid: null,
  oldAddresses: [],
  notes: [],
  ...fields,
});
