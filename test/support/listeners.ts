import { env } from "cloudflare:workers";
import type { Context } from "#worker/platform/context.ts";
import type { OpenPlaylist, Playlist, PlaylistItem } from "#worker/playlists/contract.ts";
import { listenerOf } from "#worker/playlists/listener.ts";
import { contextOf, fetchSite } from "./client.ts";

/** An id as a browser makes it. */
export const listenerId = () =>
  `user_${[...crypto.getRandomValues(new Uint8Array(16))].map((byte) => byte.toString(16).padStart(2, "0")).join("")}`;

/** A listener's context for calling use cases directly. */
export const listenerContext = async (id = listenerId(), options?: Partial<Context>) =>
  contextOf(await listenerOf(id), options);

let households = 0;
const household = () => `10.${households >> 8}.${households++ & 255}.7`;

/** A listener with a browser, at an address of their own: no limit of one counts for another. */
export function aListener(id: string | null = listenerId(), address = household()) {
  const send = (method: string, path: string, body?: unknown) =>
    fetchSite(`/api${path}`, {
      method,
      headers: {
        "CF-Connecting-IP": address,
        ...(id !== null && { "Listener-Id": id }),
        ...(body !== undefined && { "Content-Type": "application/json" }),
      },
      body: body === undefined ? undefined : JSON.stringify(body),
    });
  const read = async <T>(path: string) => {
    const response = await send("GET", path);
    if (response.status !== 200) throw new Error(`${path}: ${response.status} ${await response.text()}`);
    return (await response.json()) as T;
  };
  return {
    id: id ?? "",
    address,
    send,
    read,
    async create(input: { name?: string; description?: string; isPublic?: boolean } = {}) {
      const response = await send("POST", "/playlists", { name: "A list", ...input });
      if (response.status !== 201) throw new Error(await response.text());
      return (await response.json()) as Playlist;
    },
    async createSmart(name: string) {
      const response = await send("POST", "/playlists/smart", { name });
      return (await response.json()) as Playlist;
    },
    async add(playlistId: string, episodeId: number) {
      const response = await send("POST", `/playlists/${playlistId}/items`, { episodeId });
      if (response.status > 201) throw new Error(await response.text());
      return (await response.json()) as PlaylistItem;
    },
    open: (playlistId: string) => read<OpenPlaylist>(`/playlists/${playlistId}`),
    list: async () => (await read<{ items: Playlist[] }>("/playlists")).items,
  };
}
export type Listener = ReturnType<typeof aListener>;

/** The ids of a playlist's episodes, in order. */
export const episodesIn = ({ items }: OpenPlaylist) => items.map(({ episode }) => episode.id);

/** Bare published episodes, without audio, in one statement; their ids in order. */
export async function manyEpisodes(count: number) {
  const { results } = await env.DB.prepare(
    `with recursive numbers(n) as (select 1 union all select n + 1 from numbers where n < ?)
    insert into episodes (
      slug, guid, title, description, show_notes, show_notes_html, embedded_file_ids, status, published_at, season_number, episode_number,
      episode_type, explicit, duration_seconds, image_alt, transcript, cues, chapters, people, soundbites, created_at, updated_at)
    select hex(randomblob(8)), hex(randomblob(8)), 'Number ' || n, '', '', '', '[]', 'published', n, 1, n,
      'full', 0, 60, '', '', '[]', '[]', '[]', '[]', n, n
    from numbers where n <= ? returning id`,
  )
    .bind(count, count)
    .all<{ id: number }>();
  return results.map(({ id }) => id);
}

/** Puts these episodes into an empty playlist, in this order. */
export const fillPlaylist = (playlistId: string, episodeIds: number[]) =>
  env.DB.prepare(
    `insert into playlist_items (playlist_id, episode_id, position, added_at)
    select ?, value, key + 1, 0 from json_each(?)`,
  )
    .bind(playlistId, JSON.stringify(episodeIds))
    .run();
