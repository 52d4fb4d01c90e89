import { HYDRATED } from "#site/document/deferred-hydration.ts";

let hydrating = typeof window !== "undefined";
if (hydrating) addEventListener(HYDRATED, () => (hydrating = false), { once: true });

/** Whether React is hydrating the document. A part that would only be rendered again may then stay as it is. */
export const isHydrating = () => hydrating;
