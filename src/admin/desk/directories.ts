import type { DirectoryKey } from "#worker/desk/contract.ts";

/** The directories' own pages for submitting a feed. */
export const directories: { key: DirectoryKey; label: string; url: string }[] = [
  { key: "apple", label: "Apple Podcasts", url: "https://podcastsconnect.apple.com/" },
  { key: "spotify", label: "Spotify", url: "https://creators.spotify.com/" },
  { key: "youtube", label: "YouTube", url: "https://studio.youtube.com/" },
  { key: "amazon", label: "Amazon Music", url: "https://podcasters.amazon.com/" },
  { key: "podcastindex", label: "Podcast Index", url: "https://podcastindex.org/add" },
];
