import { KEPT_AT, TITLE, type Visit } from "../caches.ts";
import { listKept } from "../records.ts";
import { askedFor, mayKeep, partsOf } from "../rules.ts";
import { scope } from "./scope.ts";
import { findAsset, keptPages, openAssets, openPages } from "./stores.ts";

/** Maximum cached pages; the oldest are deleted, unless their episode is downloaded. */
const MOST_PAGES = 50;
/** Milliseconds within which a revisited page is not fetched again. */
const FRESH_FOR = 10 * 60_000;

/** Parses a page's message; null for anything else. */
export function visitOf(message: unknown): Visit | null {
  const { visited, assets } = (message ?? {}) as Partial<Visit>;
  return typeof visited === "string" && Array.isArray(assets) ? { visited, assets } : null;
}

/** Caches both parts of a visited page, and the files that it needs. */
export async function keepVisit({ visited, assets }: Visit) {
  await keepPage(visited);
  await keepAssets(assets);
  await trim();
}

/**
 * Whether this run of the service worker has checked the pages of downloaded episodes, so that a withdrawn one is
 * requested only once.
 */
let areChosenKept = false;

/** Caches the pages of downloaded episodes that this build lacks, before the previous build's cache is deleted. */
export async function keepChosen() {
  if (areChosenKept) return;
  const store = await openPages();
  for (const { id } of await listKept()) {
    const address = `/episode/${id}`;
    if (!(await store.match(address))) await keepPage(address);
  }
  areChosenKept = true;
}

/**
 * Fetches everything without cookies, so that no response is personal. So the visited document itself is never cached,
 * but fetched once more, nearly always from the edge's cache.
 */
async function keepPage(address: string) {
  const parts = partsOf(address, scope.location.origin);
  if (!parts) return;
  const store = await openPages();
  const kept = await store.match(parts.page);
  const age = Date.now() - Number(kept?.headers.get(KEPT_AT) ?? 0);
  if (age < FRESH_FOR && (await store.match(parts.data))) return;
  const [page, data] = await Promise.all([parts.page, parts.data].map(fetchPublic));
  // A server error does not mean that the page is gone.
  if (page!.status >= 500 || data!.status >= 500) return;
  // Withdrawn, or personal now.
  if (!mayKeep("page", page!) || !mayKeep("data", data!)) return forget(store, parts);
  const html = await page!.text();
  await keepAssets(html.match(ASSETS_IN) ?? []);
  await store.put(parts.data, data!);
  await store.put(parts.page, copyOf(page!, html));
}

const fetchPublic = (address: string) => fetch(address, { credentials: "omit" });

const ASSETS_IN = /\/assets\/[\w.-]+\.(?:js|css|woff2)/g;

async function forget(store: Cache, { page, data }: { page: string; data: string }) {
  await store.delete(page);
  await store.delete(data);
}

function copyOf({ headers: given }: Response, html: string) {
  const headers = new Headers(given);
  headers.set(KEPT_AT, String(Date.now()));
  headers.set(TITLE, encodeURIComponent(/<title>([^<]*)/.exec(html)?.[1] ?? ""));
  return new Response(html, { headers });
}

/** Caches missing files. Skips a file that a deployment has removed. */
async function keepAssets(addresses: string[]) {
  const { origin } = scope.location;
  for (const address of new Set(addresses)) {
    const url = new URL(address, origin);
    const asked = askedFor({ method: "GET", url: url.href, mode: "cors", destination: "" }, origin);
    if (asked?.kind !== "asset" || (await findAsset(asked.key))) continue;
    const answer = await fetchPublic(asked.key);
    if (mayKeep("asset", answer)) await (await openAssets()).put(asked.key, answer);
  }
}

async function trim() {
  const store = await openPages();
  const chosen = new Set((await listKept()).map(({ id }) => `/episode/${id}`));
  const pages = (await keptPages()).map(([address]) => address).filter((address) => !chosen.has(address));
  for (const address of pages.slice(MOST_PAGES)) {
    const parts = partsOf(address, scope.location.origin);
    if (parts) await forget(store, parts);
  }
}
