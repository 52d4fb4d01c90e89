import type { Words } from "../form/submit.ts";

/** Nobody is signed in on these screens: a 401 is about what was typed. */
export const signedOutWords = (unexpected: string): Words => ({
  unexpected,
  failed: ({ code, message }) => (code === "internal" ? unexpected : message),
});
