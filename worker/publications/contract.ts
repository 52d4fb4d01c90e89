/** What is published and has a feed. */
export const publicationKinds = ["article", "episode"] as const;
export type PublicationKind = (typeof publicationKinds)[number];

/** What follows a publication, in the order in which it is shown. The letter only for whoever may write letters. */
export type StepName = "page" | "feed" | "search" | "cache" | "ping" | "letter";

export type Step = {
  name: StepName;
  /** `waiting`: it comes by itself. `none`: it does not apply. */
  state: "done" | "waiting" | "failed" | "none";
  /** Milliseconds UTC: when it was done, failed or was looked at; of what waits, when it is to come. */
  at: number;
  /** A sentence. */
  detail: string;
};

/** That an item went out. */
export type Publication = {
  /** Milliseconds UTC. */
  wentOutAt: number;
  /** By its schedule. */
  isPlanned: boolean;
};

/** What was found to have followed, and what the owner tells others with. */
export type FollowUps = {
  steps: Step[];
  share: {
    url: string;
    title: string;
    text: string;
    /** What previews of a link to its page show: a path on this site. Null where the page names none. */
    picture: string | null;
  };
};
