/** Names in the offline caches, for the pages and the service worker. */

/** Cache of downloaded episodes; it outlives builds. */
export const EPISODES = "episodes";
/** Prefix of the caches of visited pages; each build has its own. */
export const PAGES = "pages-";
/** Prefix of the caches of a build's files. */
export const ASSETS = "assets-";

/** Header of a cached page: when it was cached, in milliseconds UTC. */
export const KEPT_AT = "Kept-At";
/** Header of a cached page: its title, percent-encoded. */
export const TITLE = "Kept-Title";

/** The record of a downloaded episode, stored as JSON next to its audio, under `recordOf`. */
export type KeptEpisode = {
  id: number;
  title: string;
  audioUrl: string;
  /** Total bytes stored for it. */
  bytes: number;
};

/** Not a path of the site: only a key prefix for the records. */
const RECORDS = "/kept-episodes/";
export const recordOf = (id: number) => `${RECORDS}${id}`;
export const isRecord = (address: string) => new URL(address).pathname.startsWith(RECORDS);

/** A page's message to the service worker: its address and the files that it uses. */
export type Visit = { visited: string; assets: string[] };
