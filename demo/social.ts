import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { Context } from "#worker/platform/context.ts";
import type { NewSocialPost } from "#worker/social/contract.ts";
import { createSocialPost } from "#worker/social/commands.ts";
import { listSocialPosts } from "#worker/social/queries.ts";

type Post = Omit<NewSocialPost, "date"> & { date: string };

export async function loadSocialPosts(ctx: Context) {
  const posts = JSON.parse(readFileSync(join(import.meta.dirname, "social.json"), "utf8")) as Post[];
  // An earlier load may have been interrupted.
  const loaded = new Set((await listSocialPosts(ctx, { limit: posts.length })).map(({ url }) => url));
  for (const { date, ...post } of posts) {
    if (loaded.has(post.url ?? null)) continue;
    await createSocialPost(ctx, { ...post, date: new Date(date).getTime() });
  }
}
