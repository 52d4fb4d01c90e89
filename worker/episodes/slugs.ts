import { binnedEpisodes, episodes, formerEpisodeSlugs } from "#worker/episodes/table.ts";
import { itemSlugs } from "#worker/revisions/item-slugs.ts";

export const episodeSlugs = itemSlugs("episode", {
  id: episodes.id,
  slug: episodes.slug,
  status: episodes.status,
  updatedAt: episodes.updatedAt,
  reserved: binnedEpisodes.slug,
  former: {
    slug: formerEpisodeSlugs.slug,
    owner: formerEpisodeSlugs.episodeId,
    leftAt: formerEpisodeSlugs.leftAt,
  },
});
