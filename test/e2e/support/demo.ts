import { test as base } from "@playwright/test";
import { startSite, type Site } from "./site.ts";

export type Listed = { id: number; title: string; durationSeconds: number };

/** One site for all files that leave the demo as it is, started before the first test of each worker. */
export let site: Site;
/** The demo's episodes, newest first, each with chapters and a transcript. */
export let episodes: Listed[];

async function readEpisodes() {
  const answer = await fetch(`${site.url}/api/episodes`);
  return ((await answer.json()) as { items: Listed[] }).items;
}

/** Milliseconds. */
const START = 180_000;

export const test = base.extend<object, { demo: void }>({
  demo: [
    // oxlint-disable-next-line no-empty-pattern -- Playwright reads from it what is wanted: nothing.
    async ({}, use) => {
      site = await startSite();
      episodes = await readEpisodes();
      await use();
      await site.stop();
    },
    { scope: "worker", auto: true, timeout: START },
  ],
});

export const episodePath = (at = 0) => `/episode/${episodes[at]!.id}`;
