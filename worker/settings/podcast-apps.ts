/**
 * Apps and directories in which the owner may have listed the podcast, in the order of tiles and lists. The browser loads
 * this file, so it imports nothing.
 */

/** The families of devices that have apps of their own. */
export const devices = {
  apple: "iPhone, iPad and Mac",
  android: "Android",
  amazon: "Fire tablets",
} as const;
export type Device = keyof typeof devices;

export type PodcastApp = {
  name: string;
  /** Absent for an app that is on every device, or in the browser. */
  onlyOn?: readonly Device[];
};

const rows = {
  youtube: { name: "YouTube" },
  apple: { name: "Apple Podcasts", onlyOn: ["apple"] },
  spotify: { name: "Spotify" },
  youtubeMusic: { name: "YouTube Music" },
  amazon: { name: "Amazon Music" },
  pocketCasts: { name: "Pocket Casts" },
  overcast: { name: "Overcast", onlyOn: ["apple"] },
  antennaPod: { name: "AntennaPod", onlyOn: ["android"] },
  castbox: { name: "Castbox" },
  iHeart: { name: "iHeart" },
  deezer: { name: "Deezer" },
  podcastIndex: { name: "Podcast Index" },
} as const satisfies Record<string, PodcastApp>;

export type PodcastAppKey = keyof typeof rows;
export const podcastApps: Record<PodcastAppKey, PodcastApp> = rows;
export const podcastAppKeys = Object.keys(rows) as PodcastAppKey[];

/** The apps to offer first: those that come with the device, then those that its users choose most. */
export const firstOn: Record<Device, readonly PodcastAppKey[]> = {
  apple: ["apple", "overcast", "pocketCasts", "spotify"],
  android: ["youtubeMusic", "pocketCasts", "antennaPod", "spotify"],
  amazon: ["amazon", "spotify"],
};
