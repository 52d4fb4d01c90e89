import { existsSync } from "node:fs";
import { join } from "node:path";
import { root } from "./tools.ts";

/**
 * Source files that share a chunk, by folder, without their ends: many small files compress worse than one. Every public
 * page loads `platform` and `shell`, and `widgets` when it is idle; those with something to play load `player`.
 */
const files = {
  shell: {
    worker: "addresses",
    "src/document": "hydrating link nonce translation",
    "src/shell": "artwork footer generated-artwork header share-bar toast",
    "src/site": "deferred-widgets layout lazy-part page-error toasts",
    "src/site/essays": "facts",
    "src/site/newsletter": "footer-form",
    "src/player": "needed slot",
    "src/ui": `announcer breadcrumb button date-time format icons lazy-import picture progress rich-text scroll-lock
      states theme title use-hydrated`,
  },
  player: {
    "src/shell": "embed-button episode-facts",
    "src/player":
      "keep-offline keeping listener play-button player progress-marks say-offline state use-play",
    "src/player/core": "playback progress queue",
    "src/playlists": "episode-actions favorite-ids",
  },
  widgets: {
    "node_modules/lucide-react/dist/esm": "createLucideIcon",
    "node_modules/lucide-react/dist/esm/icons": "chevron-down users x",
    "src/ui": "end-room new-version popover toast",
  },
};

const packages = ["react", "react-dom", "react-router", "scheduler", "cookie-es", "@remix-run", "jotai"];

/** The groups of Rolldown's `codeSplitting`. */
export const chunks = [
  {
    name: "platform",
    test: new RegExp(
      `node_modules[\\\\/](?:${packages.join("|")})[\\\\/]|src[\\\\/]document[\\\\/]route-modules\\.`,
    ),
  },
  ...Object.entries(files).map(([name, folders]) => ({ name, test: testOf(folders) })),
];

/** @throws if a file has been moved or renamed, since its chunk would silently lose it */
function testOf(folders: Record<string, string>) {
  const paths = Object.entries(folders).flatMap(([folder, names]) =>
    names.split(/\s+/).map((name) => `${folder}/${name}`),
  );
  for (const path of paths)
    if (![".ts", ".tsx", ".mjs"].some((end) => existsSync(join(root, path + end))))
      throw new Error(`scripts/chunks.ts names ${path}, which does not exist.`);
  return new RegExp(`[\\\\/](?:${paths.join("|").replaceAll("/", "[\\\\/]")})\\.`);
}
