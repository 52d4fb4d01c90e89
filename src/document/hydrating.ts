import { HYDRATED } from "#site/document/deferred-hydration.ts";

let hydrating = typeof window !== "undefined";
if (hydrating) addEventListener(HYDRATED, () => (hydrating = false), { once: true });

/** Whether React is hydrating the document. Parts whose render is expensive then keep the server's HTML. */
export const isHydrating = () => hydrating;
