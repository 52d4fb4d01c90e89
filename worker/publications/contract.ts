/** What is published and has a feed. */
export const publicationKinds = ["article", "episode"] as const;
export type PublicationKind = (typeof publicationKinds)[number];

/** What follows a publication, in the order in which it is shown. A letter to subscribers will be one more. */
export const followUps = ["page", "feed", "search", "cache", "ping"] as const;
export type FollowUp = (typeof followUps)[number];

export type Step = {
  name: FollowUp;
  /** `waiting`: it comes by itself. `none`: it does not apply, as `detail` says. */
  state: "done" | "waiting" | "failed" | "none";
  /** Milliseconds UTC: when it was done or failed, was looked at, or is to come. */
  at: number;
  detail: string;
};

/** That an item went out. */
export type Publication = {
  /** Milliseconds UTC. */
  wentOutAt: number;
  /** By its schedule. */
  isPlanned: boolean;
};

/** What was found to have followed. */
export type FollowUps = Publication & { steps: Step[] };
