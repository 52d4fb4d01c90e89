/** Names of the networks. */
export const networkNames = {
  twitter: "X (Twitter)",
  linkedin: "LinkedIn",
  youtube: "YouTube",
  instagram: "Instagram",
} as const;
