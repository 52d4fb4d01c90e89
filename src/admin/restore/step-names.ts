import { COMPARED } from "#worker/restores/contract.ts";

/** What the rows of the tables of an archive are, in an owner's words. */
export const tableNames: Record<string, string> = {
  analytics_counts: "figures of events",
  analytics_rejections: "figures of visits that were refused",
  analytics_sources: "figures of where visitors came from",
  analytics_totals: "figures of visits and views",
  analytics_zones: "time zones of the figures",
  article_former_slugs: "former addresses of articles",
  article_old_addresses: "addresses of articles on other sites",
  articles: "articles",
  automatic_letters: "automatic letters",
  automatic_letter_items: "publications that automatic letters have seen",
  campaigns: "campaigns",
  categories: "categories",
  comments: "comments",
  desk_ticks: "checked items of the desk",
  download_totals: "figures of downloads",
  downloads: "downloads",
  engagements: "engagements",
  enquiries: "enquiries",
  enquiry_mails: "emails about enquiries",
  episode_former_audio: "former recordings of episodes",
  episode_former_slugs: "former addresses of episodes",
  episode_old_addresses: "addresses of episodes on other sites",
  episode_passages: "passages of transcripts",
  episodes: "episodes",
  erased: "list of what was deleted for good",
  favorites: "listeners’ favourites",
  file_peaks: "waveforms",
  files: "files",
  letter_answers: "counts of answers to letters",
  letter_deliveries: "deliveries of letters",
  letter_links: "links in letters",
  letters: "letters",
  listeners: "listeners",
  log_chain: "the chain of the security log",
  mail_events: "bounces and complaints",
  members: "members",
  pages: "pages",
  playlist_items: "episodes in playlists",
  playlists: "playlists",
  press_items: "media items",
  preview_links: "preview links",
  profiles: "people of the podcast",
  progress: "listeners’ progress",
  publications: "publications",
  replaced_files: "replaced files",
  revisions: "earlier versions",
  security_events: "security log",
  sending_days: "emails sent by day",
  settings: "settings",
  shows: "the show",
  signing_keys: "the keys of signed links",
  social_posts: "social posts",
  topics: "topics of letters",
  subscribers: "subscribers",
  tiers: "tiers of members",
  users: "accounts",
  ventures: "ventures",
};

/** `table`: one that this version does not have is shown by its own name. */
export const tableNameOf = (table: string) => tableNames[table] ?? table.replaceAll("_", " ");

/** The title of a step, which names a table or its file in the archive. */
export function stepNameOf(title: string) {
  if (title === "data/objects.ndjson") return "Compare: the files themselves";
  if (title.startsWith(COMPARED)) return COMPARED + tableNameOf(title.slice(COMPARED.length));
  const [, table] = /^data\/(\w+)\.ndjson$/.exec(title) ?? [];
  return table === undefined ? title : `Restore: ${tableNameOf(table)}`;
}
