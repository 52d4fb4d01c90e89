import { findCreatedArticles, importMovedItem } from "#worker/imports/importers/article.ts";
import { MOVED_ARTICLES, MovedItem } from "#worker/imports/importers/contract.ts";
import { FEED } from "#worker/imports/feed/contract.ts";
import { findCreatedEpisodes, importEpisode } from "#worker/imports/feed/import-episode.ts";
import { LAST_STEP, RESTORE } from "#worker/restores/contract.ts";
import { cutRestore, endRestore } from "#worker/restores/end-restore.ts";
import { restorePiece } from "#worker/restores/restore-piece.ts";
import type { ImportKinds } from "#worker/imports/import-type.ts";
import { LINKEDIN, linkedInKind } from "#worker/imports/linkedin/item.ts";

/** What can be imported item by item through the queue. */
export const importKinds: ImportKinds = {
  [MOVED_ARTICLES]: {
    capability: "edit",
    payload: MovedItem,
    importItem: importMovedItem,
    brings: "article",
    findCreated: findCreatedArticles,
  },
  // Its items are read from the feed.
  [FEED]: {
    capability: "edit",
    payload: null,
    takesDrafts: true,
    joinsArticles: true,
    importItem: importEpisode,
    brings: "episode",
    findCreated: findCreatedEpisodes,
  },
  [LINKEDIN]: linkedInKind,
  [RESTORE]: {
    work: "restore",
    capability: "restore",
    payload: null,
    inOrder: true,
    lastItem: LAST_STEP,
    importItem: restorePiece,
    endingWith: cutRestore,
    onEnd: endRestore,
  },
};
