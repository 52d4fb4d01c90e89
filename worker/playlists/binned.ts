import { sql } from "drizzle-orm";
import type { BinPart } from "#worker/bin/facet.ts";
import {
  binnedFavorites,
  binnedPlaylistItems,
  binnedProgress,
  favorites,
  playlistItems,
  playlists,
  progress,
} from "#worker/playlists/table.ts";

/** An episode's places in playlists, and listeners' favourites and progress, which follow it into the bin. */
export const listeningParts: readonly BinPart[] = [
  {
    table: playlistItems,
    binned: binnedPlaylistItems,
    of: (item) => sql`${playlistItems.episodeId} = cast(${item} as integer)`,
    // Its listener may have deleted the playlist.
    restoredIf: (row) => sql`exists (select 1 from ${playlists} where ${playlists.id} = ${row.playlistId})`,
  },
  {
    table: favorites,
    binned: binnedFavorites,
    of: (item) => sql`${favorites.episodeId} = cast(${item} as integer)`,
  },
  {
    table: progress,
    binned: binnedProgress,
    of: (item) => sql`${progress.episodeId} = cast(${item} as integer)`,
  },
];
