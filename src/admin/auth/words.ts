import { OF_ACTION, type Words } from "../form/submit.ts";

/** Nobody is signed in on these screens, and nothing is saved: a 401 is about what was typed. */
export const signedOutWords = (unexpected: string): Words => ({
  unexpected,
  lost: OF_ACTION.lost,
  failed: ({ code, message }) => (code === "internal" ? unexpected : message),
});
