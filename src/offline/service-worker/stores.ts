import { ASSETS, EPISODES, PAGES } from "../names.ts";
import { isOfSameRoutes } from "../rules.ts";

/** Names this build: the files that it ships, and the service worker itself (`scripts/service-worker-file.ts`). */
declare const BUILD: string;

export const openPages = () => caches.open(PAGES + BUILD);
export const openAssets = () => caches.open(ASSETS + BUILD);

/** Caches are listed in the order in which they were made. */
const storesOf = async (kind: string) => (await caches.keys()).filter((name) => name.startsWith(kind));

/**
 * Deletes what other builds have left, but for the one before: its pages are all that is there until they are visited
 * again, and its files are what those run on.
 */
export async function prune() {
  for (const kind of [PAGES, ASSETS]) {
    const others = (await storesOf(kind)).filter((name) => name !== kind + BUILD);
    for (const name of others.slice(0, -1)) await caches.delete(name);
  }
}

/** A page of this build, or else of the one before. */
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
 * All routes that are known to what is kept of a build: which the router asks for depends on the links of the page, and the
 * question may be a new one.
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

/** Something of a chosen episode. */
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
