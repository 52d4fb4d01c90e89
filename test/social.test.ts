import { describe, expect, it } from "vitest";
import { createSocialPost } from "#worker/social/commands.ts";
import { listSocialPosts } from "#worker/social/queries.ts";
import { ownerContext, visitorContext } from "./support/client.ts";
import { unique } from "./support/factories.ts";

const aPost = (date: number) => ({
  platform: "twitter" as const,
  author: "Imogen Tarrant",
  content: `Post ${unique()}`,
  date,
});

describe("social posts", () => {
  it("are listed newest first, as many as are asked for", async () => {
    const [old, latest, middle] = [aPost(1000), aPost(3000), aPost(2000)];
    for (const post of [old!, latest!, middle!]) await createSocialPost(ownerContext(), post);
    const posts = await listSocialPosts(visitorContext(), { limit: 2 });
    expect(posts.map(({ content }) => content)).toEqual([latest!.content, middle!.content]);
    expect(posts[0]).toEqual({ ...latest, id: posts[0]!.id, likes: 0, comments: 0, shares: 0, url: null });
  });

  it("are not a visitor's to write", async () => {
    const writing = createSocialPost(visitorContext(), aPost(1));
    await expect(writing).rejects.toMatchObject({ code: "unauthenticated" });
  });

  it.each([
    { content: " " },
    { author: "" },
    { url: "javascript:alert(1)" },
    { url: "http://example.com" },
    { likes: -1 },
  ])("with %j are refused", async (wrong) => {
    await expect(createSocialPost(ownerContext(), { ...aPost(1), ...wrong })).rejects.toThrow(/./);
  });
});
