/**
 * The kill switch: replaces the service worker immediately, deletes its caches, and unregisters itself. A build with
 * VITE_OFFLINE=off ships it, and `npm run dev` serves it (`scripts/service-worker-file.ts`).
 */
import { scope } from "./scope.ts";

scope.addEventListener("install", (event) => event.waitUntil(scope.skipWaiting()));
scope.addEventListener("activate", (event) => event.waitUntil(end()));

async function end() {
  for (const name of await caches.keys()) await caches.delete(name);
  await scope.registration.unregister();
}
