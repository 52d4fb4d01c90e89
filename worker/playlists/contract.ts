import { z } from "zod";
import type { EpisodeSummary } from "#worker/episodes/contract.ts";
import { line, lines } from "#worker/platform/contract.ts";

/** Carries the listener's secret id with every call; only its SHA-256 is stored. */
export const LISTENER_HEADER = "Listener-Id";
export const LISTENER_ID = /^user_[A-Za-z0-9_-]{22,86}$/;

export const MOST_PLAYLISTS = 200;
export const MOST_ITEMS = 1000;
/** Episodes in a smart playlist. */
export const MOST_SMART = 100;
/** Entries in the list of favourites, and in the list of progress. */
export const MOST_LISTED = 1000;

/** The smart playlists; a listener has each at most once. */
export const smartNames = ["Recently Played", "Not finished yet", "Favourites by newest"] as const;
export type SmartName = (typeof smartNames)[number];

const name = line(120).min(1, "Give the playlist a name.");
const description = lines(500);

export const NewPlaylist = z.strictObject({
  name,
  description: description.default(""),
  isPublic: z.boolean().default(false),
});
export type NewPlaylist = z.input<typeof NewPlaylist>;

/** PATCH: only what is to change. */
export const PlaylistPatch = z.strictObject({ name, description, isPublic: z.boolean() }).partial();
export type PlaylistPatch = z.input<typeof PlaylistPatch>;

export const NewSmartPlaylist = z.strictObject({
  name: z.enum(smartNames, "There’s no smart playlist with this name."),
});
export type NewSmartPlaylist = z.input<typeof NewSmartPlaylist>;

const id = z.int().positive();

export const NewItem = z.strictObject({ episodeId: id });
export type NewItem = z.input<typeof NewItem>;

/** The ids of all items that the listener sees, in their new order. */
export const NewOrder = z.strictObject({ itemIds: z.array(id).max(MOST_ITEMS) });
export type NewOrder = z.input<typeof NewOrder>;

/** The longest episode: two days. */
const MAX_SECONDS = 172_800;

export const ProgressInput = z.strictObject({
  /** Stored as whole seconds. */
  progressSeconds: z.number().min(0).max(MAX_SECONDS),
  /** As the browser judges it. */
  completed: z.boolean(),
});
export type ProgressInput = z.input<typeof ProgressInput>;

export type Playlist = {
  /** Unguessable: knowing it is enough to open a public playlist. */
  id: string;
  name: string;
  description: string;
  isPublic: boolean;
  /** Computed when it is read. Private; its items cannot be changed. */
  isSmart: boolean;
  /** Published episodes only. */
  episodeCount: number;
  /** Milliseconds UTC. */
  createdAt: number;
  updatedAt: number;
};

export type PlaylistItem = { id: number; episode: EpisodeSummary };

export type OpenPlaylist = { playlist: Playlist; items: PlaylistItem[]; isOwner: boolean };

/** Newest first. `createdAt` is milliseconds UTC. */
export type Favorite = { episode: EpisodeSummary; createdAt: number };

/** A favourite as it was created. */
export type NewFavorite = { episodeId: number; createdAt: number };

export type Progress = {
  episodeId: number;
  progressSeconds: number;
  completed: boolean;
  /** Milliseconds UTC. */
  updatedAt: number;
};
