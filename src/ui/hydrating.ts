import { HYDRATED } from "#site/held-scripts.ts";

let hydrating = typeof window !== "undefined";
if (hydrating) addEventListener(HYDRATED, () => (hydrating = false), { once: true });

/** Whether the browser is taking over what the server rendered. What it would only make again may then stay as it is. */
export const isHydrating = () => hydrating;
