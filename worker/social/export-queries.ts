import { tableList } from "#worker/exports/exported.ts";
import { socialPosts } from "#worker/social/table.ts";

/** Posts from elsewhere. */
export const socialPostsForExport = tableList("social-posts.json", socialPosts);
