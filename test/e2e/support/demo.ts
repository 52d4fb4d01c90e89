import { expect } from "@playwright/test";
import { startSite, type Site } from "./site.ts";
import { test as base } from "./test.ts";

export type Listed = { id: number; title: string; durationSeconds: number };

/** One site for all files that do not change the demo, started before each worker's first test of them. */
export let site: Site;
/** The demo's episodes, newest first, each with chapters and a transcript. */
export let episodes: Listed[];

async function readEpisodes() {
  const answer = await fetch(`${site.url}/api/episodes`);
  return ((await answer.json()) as { items: Listed[] }).items;
}

/**
 * Not a worker's fixture, though it lasts as long: files with such a fixture and files without are run by workers of their
 * own, each with a browser. The site ends with its worker.
 */
export const test = base.extend<{ demo: void }>({
  demo: [
    // oxlint-disable-next-line no-empty-pattern -- Playwright reads from it what is wanted: nothing.
    async ({}, use) => {
      site ??= await startSite();
      episodes ??= await readEpisodes();
      await use();
    },
    { auto: true },
  ],
});

export const episodePath = (at = 0) => `/episode/${episodes[at]!.id}`;

/** Makes a public playlist of all episodes; its path. */
export async function sharePlaylist() {
  const headers = {
    "Listener-Id": `user_${"0123456789abcdef".repeat(2)}`,
    "Content-Type": "application/json",
  };
  const post = async <T>(path: string, body: unknown) => {
    const answer = await fetch(site.url + path, { method: "POST", headers, body: JSON.stringify(body) });
    expect(answer.status).toBe(201);
    return (await answer.json()) as T;
  };
  const words = { name: "For the long drive", description: "Begin anywhere.", isPublic: true };
  const playlist = await post<{ id: string }>("/api/playlists", words);
  for (const { id: episodeId } of episodes) await post(`/api/playlists/${playlist.id}/items`, { episodeId });
  return `/playlists/${playlist.id}`;
}
