/** The names of what is kept, for the pages and the service worker alike. */

/** Chosen episodes; it outlives builds. */
export const EPISODES = "episodes";
/** Visited pages; each build has its own, whose name goes on with the build. */
export const PAGES = "pages-";
/** Files of a build: the same. */
export const ASSETS = "assets-";

/** Header of a kept page: when it was kept, in milliseconds UTC. */
export const KEPT_AT = "Kept-At";
/** Header of a kept page: its title, percent-encoded. */
export const TITLE = "Kept-Title";

/** An episode that is kept, as JSON beside its audio, under `recordOf`. */
export type KeptEpisode = {
  id: number;
  title: string;
  audioUrl: string;
  /** Of all that is kept of it. */
  bytes: number;
};

/** No address of the site: nothing but the list of what is kept is there. */
const RECORDS = "/kept-episodes/";
export const recordOf = (id: number) => `${RECORDS}${id}`;
export const isRecord = (address: string) => new URL(address).pathname.startsWith(RECORDS);

/** What a page tells the service worker: that somebody is at this address, and which files it runs on. */
export type Visit = { visited: string; assets: string[] };
