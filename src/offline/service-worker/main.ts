/**
 * The service worker: caches visited pages and downloaded episodes for offline use. Online, documents and data always
 * come from the network; `../rules.ts` defines what is cached (docs/decisions/0061).
 */
import { answerRange } from "../ranges.ts";
import { askedFor, mayKeep, type Asked } from "../rules.ts";
import { offlinePage } from "./offline-page.ts";
import { scope, type Asking } from "./scope.ts";
import { findAsset, findOfEpisode, findPage, findRoutes, openAssets, prune } from "./stores.ts";
import { keepChosen, keepVisit, visitOf } from "./visits.ts";

/** The files of the offline page (`scripts/service-worker-file.ts`). */
declare const SHELL: string[];

scope.addEventListener("install", (event) =>
  event.waitUntil(openAssets().then((store) => store.addAll(SHELL))),
);

// A newer worker waits until no page of the site is open, so that an open page never changes its worker.
scope.addEventListener("activate", (event) => event.waitUntil(takeOver()));

/** Navigations wait for this, so it makes no network requests. */
async function takeOver() {
  await prune();
  await scope.clients.claim();
}

scope.addEventListener("message", (event) => {
  const visit = visitOf(event.data);
  // Offline, caching fails and nothing is lost.
  if (visit) event.waitUntil(keepVisit(visit).catch(console.warn));
});

scope.addEventListener("fetch", (event) => {
  const asked = askedFor(event.request, scope.location.origin);
  if (!asked) return;
  const answered = answer(asked, event);
  event.respondWith(answered);
  if (asked.kind === "page") event.waitUntil(answered.then(keepChosen).catch(console.warn));
});

function answer({ kind, key }: Asked, event: Asking): Promise<Response> {
  if (kind === "asset") return answerAsset(key, event);
  if (kind === "audio") return answerAudio(key, event.request);
  const find = kind === "details" ? findOfEpisode : findPage;
  return fetch(event.request).catch(async (error: unknown) => {
    const kept = await find(key);
    if (kept) return kept;
    if (kind === "page") return offlinePage(SHELL, new URL(event.request.url));
    throw error;
  });
}

/** Cache first: a file's name changes with its content. */
async function answerAsset(key: string, event: Asking) {
  const kept = await findAsset(key);
  if (kept) return kept;
  const answered = await fetch(event.request).catch(async (error: unknown) => {
    const routes = await findRoutes(key);
    if (routes) return routes;
    throw error;
  });
  if (mayKeep("asset", answered) && !(await isOfAdmin(event.clientId))) {
    const copy = answered.clone();
    event.waitUntil(openAssets().then((store) => store.put(key, copy)));
  }
  return answered;
}

async function isOfAdmin(clientId: string) {
  const client = await scope.clients.get(clientId);
  return client !== undefined && new URL(client.url).pathname.startsWith("/admin");
}

/** Cache first: a file's key is never reused, so the cached file is never stale. */
async function answerAudio(key: string, request: Request) {
  const kept = await findOfEpisode(key);
  return kept ? answerRange(kept, request.headers.get("Range")) : fetch(request);
}
