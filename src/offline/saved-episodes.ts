import { EPISODES, PAGES, recordOf, type KeptEpisode } from "./caches.ts";
import { listKept } from "./records.ts";
import { tellVisit } from "./register.ts";
import { mayKeep } from "./rules.ts";

/** The data of an episode to download. */
type Wanted = { id: number; title: string; audioUrl: string };

type Options = {
  signal: AbortSignal;
  /** 0 to 1. */
  onProgress: (done: number) => void;
};

/** The device has no room for an episode. */
export class NoRoom extends Error {}

/**
 * Downloads an episode's whole audio and the player's details. An aborted download leaves nothing. Requests the audio
 * as any podcast app does, so /media counts one download; playing it later makes no request.
 */
export async function keepEpisode(episode: Wanted, options: Options): Promise<KeptEpisode> {
  const isFirst = (await listKept()).length === 0;
  const store = await caches.open(EPISODES);
  try {
    const bytes = await keepAudio(store, episode.audioUrl, options);
    const kept = { id: episode.id, title: episode.title, audioUrl: episode.audioUrl, bytes };
    await keepDetails(store, episode.id);
    await replaceRecord(store, kept);
    await tellVisit(`/episode/${episode.id}`);
    // Some browsers ask the listener for permission: now, when the reason is clear.
    if (isFirst) navigator.storage.persist?.().catch(console.warn);
    return kept;
  } catch (error) {
    throw isOutOfRoom(error) ? new NoRoom() : error;
  }
}

async function keepAudio(store: Cache, address: string, { signal, onProgress }: Options) {
  const answer = await fetch(address, { credentials: "omit", signal });
  const size = Number(answer.headers.get("Content-Length"));
  if (!mayKeep("audio", answer) || !answer.body) throw new Error(`${address}: ${answer.status}`);
  if (!(await hasRoomFor(size))) {
    await answer.body.cancel();
    throw new NoRoom();
  }
  let received = 0;
  const counted = answer.body.pipeThrough(
    new TransformStream<Uint8Array, Uint8Array>({
      transform(chunk, controller) {
        received += chunk.byteLength;
        if (size > 0) onProgress(received / size);
        controller.enqueue(chunk);
      },
    }),
  );
  await store.put(address, new Response(counted, { headers: answer.headers }));
  if (size > 0 && received !== size) {
    await store.delete(address);
    throw new Error(`${address}: ${received} of ${size} bytes`);
  }
  return received;
}

/** Safari before 17 has no estimate. */
const estimate = async (): Promise<StorageEstimate> => (await navigator.storage.estimate?.()) ?? {};

async function hasRoomFor(size: number) {
  const { quota, usage = 0 } = await estimate();
  return quota === undefined || usage + size <= quota;
}

const isOutOfRoom = (error: unknown) => error instanceof DOMException && error.name === "QuotaExceededError";

/** Chapters and transcript; an episode also plays without them. */
async function keepDetails(store: Cache, id: number) {
  try {
    const answer = await fetch(detailsOf(id), { credentials: "omit" });
    if (mayKeep("details", answer)) await store.put(detailsOf(id), answer);
  } catch (error) {
    console.warn(error);
  }
}

const detailsOf = (id: number) => `/api/episodes/${id}`;

/** Replaces the record. If the owner has replaced the audio, deletes the old file. */
async function replaceRecord(store: Cache, kept: KeptEpisode) {
  const earlier = await store.match(recordOf(kept.id));
  const { audioUrl } = earlier ? ((await earlier.json()) as KeptEpisode) : kept;
  if (audioUrl !== kept.audioUrl) await store.delete(audioUrl);
  await store.put(recordOf(kept.id), Response.json(kept));
}

export async function removeKept({ id, audioUrl }: KeptEpisode) {
  const store = await caches.open(EPISODES);
  for (const address of [recordOf(id), audioUrl, detailsOf(id)]) await store.delete(address);
}

const storesOfPages = async () => (await caches.keys()).filter((name) => name.startsWith(PAGES));

/** Deletes downloaded episodes and visited pages. The few files of the offline page stay. */
export async function clearKept() {
  for (const name of [EPISODES, ...(await storesOfPages())]) await caches.delete(name);
}

/** The site's storage on the device, as estimated by the browser, and the number of visited pages in it. */
export async function readUsage() {
  const { usage = 0 } = await estimate();
  const stores = await Promise.all((await storesOfPages()).map((name) => caches.open(name)));
  const addresses = (await Promise.all(stores.map((store) => store.keys()))).flat().map(({ url }) => url);
  // Each page is stored twice: as a document and as data.
  const pages = new Set(addresses.filter((url) => !new URL(url).pathname.endsWith(".data")));
  return { bytes: usage, pages: pages.size };
}
