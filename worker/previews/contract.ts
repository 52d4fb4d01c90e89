export const previewKinds = ["article", "page", "episode"] as const;
export type PreviewKind = (typeof previewKinds)[number];

/** A link that shows a draft to people without an account. */
export type PreviewLink = {
  url: string;
  /** Milliseconds UTC. */
  expiresAt: number;
};
