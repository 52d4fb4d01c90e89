import type { Visit } from "./caches.ts";

/** Off in development, where edits must not be cached, and in a build with the kill switch. */
export const isOn = import.meta.env.PROD && import.meta.env.VITE_OFFLINE !== "off";

/** Browsers have no service workers on insecure origins, and some have none in private windows. */
export const canWorkOffline = () => isOn && "serviceWorker" in navigator && "caches" in globalThis;

/** The service worker, once it runs. */
async function ready() {
  // Bypasses the browser's cache, so that a newer worker is found immediately.
  await navigator.serviceWorker.register("/sw.js", { updateViaCache: "none" });
  return navigator.serviceWorker.ready;
}

/** Files of a build, and the router's manifest requests. */
const FILE = /^\/(?:assets\/|__manifest$)/;

/**
 * Reports a visit to the service worker, with every file that the document has loaded: the worker may have started
 * after them.
 */
export async function tellVisit(address: string) {
  const { active } = await ready();
  const assets = performance
    .getEntriesByType("resource")
    .map(({ name }) => name)
    .filter((name) => FILE.test(new URL(name).pathname));
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a worker's takes no origin
  active?.postMessage({ visited: address, assets: [...new Set(assets)] } satisfies Visit);
}
