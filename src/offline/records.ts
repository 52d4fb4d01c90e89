import { EPISODES, isRecord, type KeptEpisode } from "./caches.ts";

/** Downloaded episodes, in the order of their downloads. */
export async function listKept(): Promise<KeptEpisode[]> {
  // Checked first, since opening would create the cache.
  if (!(await caches.has(EPISODES))) return [];
  const store = await caches.open(EPISODES);
  const records = (await store.keys()).filter(({ url }) => isRecord(url));
  const answers = await Promise.all(records.map((record) => store.match(record)));
  return Promise.all(answers.flatMap((answer) => (answer ? [answer.json() as Promise<KeptEpisode>] : [])));
}
