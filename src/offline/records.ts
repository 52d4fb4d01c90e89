import { EPISODES, isRecord, type KeptEpisode } from "./names.ts";

/** Chosen episodes, in the order in which they were kept. */
export async function listKept(): Promise<KeptEpisode[]> {
  // Asked before it is opened: opening makes it.
  if (!(await caches.has(EPISODES))) return [];
  const store = await caches.open(EPISODES);
  const records = (await store.keys()).filter(({ url }) => isRecord(url));
  const answers = await Promise.all(records.map((record) => store.match(record)));
  return Promise.all(answers.flatMap((answer) => (answer ? [answer.json() as Promise<KeptEpisode>] : [])));
}
