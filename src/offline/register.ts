import type { Visit } from "./names.ts";

/** Not in development, where what is edited must not be kept, nor where a build ships the kill switch. */
const isOn = import.meta.env.PROD && import.meta.env.VITE_OFFLINE !== "off";

/** Browsers have no service workers where the address is not secure, and some have none in private windows. */
export const canWorkOffline = () => isOn && "serviceWorker" in navigator && "caches" in globalThis;

/** The service worker, once it runs. */
async function ready() {
  // Its own requests pass the browser's cache by, so that a newer one is found at once.
  await navigator.serviceWorker.register("/sw.js", { updateViaCache: "none" });
  return navigator.serviceWorker.ready;
}

/** Files of a build, and the router's questions for routes. */
const FILE = /^\/(?:assets\/|__manifest$)/;

/** Tells the service worker of a visit, with every file that the document has loaded: it may have come after them. */
export async function tellVisit(address: string) {
  const { active } = await ready();
  const assets = performance
    .getEntriesByType("resource")
    .map(({ name }) => name)
    .filter((name) => FILE.test(new URL(name).pathname));
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a worker's takes no origin: it has one
  active?.postMessage({ visited: address, assets: [...new Set(assets)] } satisfies Visit);
}
