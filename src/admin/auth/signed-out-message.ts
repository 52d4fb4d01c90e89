import type { Words } from "../form/submit.ts";

/** No user is signed in on these screens: a 401 is about the input. */
export const signedOutWords = (unexpected: string): Words => ({
  unexpected,
  failed: ({ code, message }) => (code === "internal" ? unexpected : message),
});
