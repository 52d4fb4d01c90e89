/**
 * The kill switch: takes the place of the service worker, deletes all that it kept, and ends itself. It waits for nobody.
 * A build with VITE_OFFLINE=off ships it, and `npm run dev` serves it (`scripts/service-worker-file.ts`).
 */
import { scope } from "./scope.ts";

scope.addEventListener("install", (event) => event.waitUntil(scope.skipWaiting()));
scope.addEventListener("activate", (event) => event.waitUntil(end()));

async function end() {
  for (const name of await caches.keys()) await caches.delete(name);
  await scope.registration.unregister();
}
