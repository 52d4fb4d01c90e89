import type { Platform } from "#worker/social/contract.ts";

/** Social networks, as the admin area calls them. */
export const networkNames: Record<Platform, string> = {
  twitter: "X",
  linkedin: "LinkedIn",
  youtube: "YouTube",
  instagram: "Instagram",
};
