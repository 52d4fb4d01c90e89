/**
 * The service worker: keeps visited pages and chosen episodes for when there is no connection. Online, documents and data
 * come from the network, always; `../rules.ts` says what is kept at all (docs/decisions/0061).
 */
import { answerRange } from "../ranges.ts";
import { askedFor, mayKeep, type Asked } from "../rules.ts";
import { offlinePage } from "./offline-page.ts";
import { scope, type Asking } from "./scope.ts";
import { findAsset, findOfEpisode, findPage, findRoutes, openAssets, prune } from "./stores.ts";
import { keepChosen, keepVisit, visitOf } from "./visits.ts";

/** The files of the page that says that there is no connection (`scripts/service-worker-file.ts`). */
declare const SHELL: string[];

scope.addEventListener("install", (event) =>
  event.waitUntil(openAssets().then((store) => store.addAll(SHELL))),
);

// A newer one waits until no page of the site is open, so that none has its worker changed under it.
scope.addEventListener("activate", (event) => event.waitUntil(takeOver()));

/** Navigations wait until it is done, so it asks the network for nothing. */
async function takeOver() {
  await prune();
  await scope.clients.claim();
}

scope.addEventListener("message", (event) => {
  const visit = visitOf(event.data);
  // Without a connection nothing can be kept, and nothing is lost.
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

/** Its name changes with what is in it. */
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

/** A file's key is never used twice, so what is kept is what the site has. */
async function answerAudio(key: string, request: Request) {
  const kept = await findOfEpisode(key);
  return kept ? answerRange(kept, request.headers.get("Range")) : fetch(request);
}
