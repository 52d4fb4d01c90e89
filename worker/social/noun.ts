import { noun } from "#worker/nouns/noun.ts";
import { socialPosts } from "#worker/social/table.ts";

export const socialNoun = noun({ table: socialPosts, exported: { list: "social-posts.json" } });
