import { z } from "zod";
import type { EpisodeSummary } from "#worker/episodes/contract.ts";
import { line } from "#worker/platform/contract.ts";

/** A listener's secret, which goes with every call; only its SHA-256 is stored. */
export const LISTENER_HEADER = "Listener-Id";
export const LISTENER_ID = /^user_[A-Za-z0-9_-]{22,86}$/;

export const MOST_PLAYLISTS = 200;
export const MOST_ITEMS = 1000;
/** A smart playlist shows no more. */
export const MOST_SMART = 100;
/** Favourites, and what was listened to, as far as they are told of. */
export const MOST_TOLD = 1000;

/** The playlists that the server makes by itself, each at most once a listener. */
export const smartNames = ["Recently Played", "Not finished yet", "Favourites by newest"] as const;
export type SmartName = (typeof smartNames)[number];

const name = line(120).min(1, "Give the playlist a name.");
const description = line(500);

export const NewPlaylist = z.strictObject({
  name,
  description: description.default(""),
  isPublic: z.boolean().default(false),
});
export type NewPlaylist = z.infer<typeof NewPlaylist>;

/** PATCH: only what is to change. */
export const PlaylistPatch = z.strictObject({ name, description, isPublic: z.boolean() }).partial();
export type PlaylistPatch = z.infer<typeof PlaylistPatch>;

export const NewSmartPlaylist = z.strictObject({
  name: z.enum(smartNames, "There is no smart playlist of this name."),
});

const id = z.int().positive();

export const NewItem = z.strictObject({ episodeId: id });

/** The ids of all the items that the listener sees, in their new order. */
export const NewOrder = z.strictObject({ itemIds: z.array(id).max(MOST_ITEMS) });

/** Two days, as long as an episode may last. */
const MAX_SECONDS = 172_800;

export const ProgressInput = z.strictObject({
  /** Whole seconds are kept. */
  progressSeconds: z.number().min(0).max(MAX_SECONDS),
  /** The browser's own judgement. */
  completed: z.boolean(),
});
export type ProgressInput = z.infer<typeof ProgressInput>;

export type Playlist = {
  /** Unguessable: whoever knows it may open a public playlist. */
  id: string;
  name: string;
  description: string;
  isPublic: boolean;
  /** Made by the server when it is read; private, and its items cannot be changed. */
  isSmart: boolean;
  /** Those that are published. */
  episodeCount: number;
  /** Milliseconds UTC. */
  createdAt: number;
  updatedAt: number;
};

export type PlaylistItem = { id: number; episode: EpisodeSummary };

export type OpenPlaylist = { playlist: Playlist; items: PlaylistItem[]; isOwner: boolean };

/** Newest first. `createdAt` is milliseconds UTC. */
export type Favorite = { episode: EpisodeSummary; createdAt: number };

export type Progress = {
  episodeId: number;
  progressSeconds: number;
  completed: boolean;
  /** Milliseconds UTC. */
  updatedAt: number;
};
