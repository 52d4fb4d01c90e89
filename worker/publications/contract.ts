/** The kinds of published items with a feed. */
export const publicationKinds = ["article", "episode"] as const;
export type PublicationKind = (typeof publicationKinds)[number];

/** The steps after a publication, in the order shown. The letter only for users who may write letters. */
export type StepName = "page" | "feed" | "search" | "cache" | "ping" | "letter";

export type Step = {
  name: StepName;
  /** `waiting`: it follows automatically. `none`: it does not apply. */
  state: "done" | "waiting" | "failed" | "none";
  /** Milliseconds UTC: when it was done, failed or was checked; for a waiting step, when it is due. */
  at: number;
  /** A sentence. */
  detail: string;
};

/** The publication of an item. */
export type Publication = {
  /** Milliseconds UTC. */
  wentOutAt: number;
  /** Whether its schedule published it. */
  isPlanned: boolean;
};

/** The state of the steps, and the text and picture for sharing. */
export type FollowUps = {
  steps: Step[];
  share: {
    url: string;
    title: string;
    text: string;
    /** The picture in link previews: a path on this site. Null if the page names none. */
    picture: string | null;
  };
};
