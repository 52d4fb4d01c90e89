import type { Site } from "#worker/settings/contract.ts";
import { podcastAppKeys, podcastApps } from "#worker/settings/podcast-apps.ts";

/** Podcast apps that have a link. For loaders: their names are not shipped to the browser. */
export const appLinks = ({ platforms }: Pick<Site, "platforms">) =>
  podcastAppKeys.flatMap((key) => {
    const href = platforms[key];
    return href ? [{ key, label: podcastApps[key].name, href }] : [];
  });
export type AppLink = ReturnType<typeof appLinks>[number];
