import type { ImportKinds } from "#worker/imports/kind.ts";
import { linkedInKind } from "#worker/imports/linkedin-item.ts";

/** What can be imported item by item through the queue. */
export const importKinds: ImportKinds = { linkedin: linkedInKind };
