import { ASSETS, EPISODES, PAGES } from "../caches.ts";
import { isOfSameRoutes } from "../rules.ts";

/** The id of this build, a hash of its files and the service worker (`scripts/service-worker-file.ts`). */
declare const BUILD: string;

export const openPages = () => caches.open(PAGES + BUILD);
export const openAssets = () => caches.open(ASSETS + BUILD);

/** Cache names are listed in order of creation. */
const storesOf = async (kind: string) => (await caches.keys()).filter((name) => name.startsWith(kind));

/**
 * Deletes the caches of other builds, except the previous one: its pages stay available offline until they are visited
 * again, and they need its files.
 */
export async function prune() {
  for (const kind of [PAGES, ASSETS]) {
    const others = (await storesOf(kind)).filter((name) => name !== kind + BUILD);
    for (const name of others.slice(0, -1)) await caches.delete(name);
  }
}

/** A page from this build's cache, or otherwise the previous one's. */
export async function findPage(key: string) {
  const names = (await storesOf(PAGES)).filter((name) => name !== PAGES + BUILD);
  for (const name of [PAGES + BUILD, ...names.toReversed()]) {
    const found = await (await caches.open(name)).match(key, { ignoreVary: true });
    if (found) return found;
  }
  return undefined;
}

export async function findAsset(key: string) {
  for (const name of (await storesOf(ASSETS)).toReversed()) {
    const found = await (await caches.open(name)).match(key, { ignoreVary: true });
    if (found) return found;
  }
  return undefined;
}

/**
 * Merges all cached manifests of a build: which routes the router requests depends on the page's links, so the exact
 * request may not be cached.
 */
export async function findRoutes(key: string) {
  const found: Record<string, unknown>[] = [];
  for (const name of await storesOf(ASSETS)) {
    const store = await caches.open(name);
    for (const request of await store.keys()) {
      const { pathname, search } = new URL(request.url);
      if (isOfSameRoutes(key, pathname + search)) found.push(await (await store.match(request))!.json());
    }
  }
  return found.length > 0 ? Response.json(Object.assign({}, ...found)) : undefined;
}

/** A cached file of a downloaded episode. */
export const findOfEpisode = async (key: string) =>
  (await caches.has(EPISODES)) ? (await caches.open(EPISODES)).match(key, { ignoreVary: true }) : undefined;

/** The visited pages of this build with their addresses, newest first. */
export async function keptPages(): Promise<[string, Response][]> {
  const store = await openPages();
  const all = await Promise.all(
    (await store.keys()).map(async (request): Promise<[string, Response | undefined]> => {
      const { pathname, search } = new URL(request.url);
      return [pathname + search, await store.match(request)];
    }),
  );
  return all.filter((one): one is [string, Response] => one[1] !== undefined && !isData(one[0])).toReversed();
}

const isData = (path: string) => path.split("?")[0]!.endsWith(".data");
