import type { ImportKinds } from "#worker/imports/kind.ts";

/** What can be imported item by item through the queue. */
export const importKinds: ImportKinds = {};
