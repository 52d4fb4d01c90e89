import { expect, test } from "vitest";
import { fetchPosts } from "#worker/imports/linkedin/posts.ts";
import type { FetchedPosts, FetchPosts } from "#worker/imports/contract.ts";
import type { Context } from "#worker/platform/context.ts";
import { AppError } from "#worker/platform/errors.ts";
import { ownerContext } from "./support/client.ts";
import { anAccount, servedPost } from "./support/linkedin.ts";

const PROFILE = { profileUrl: "https://www.linkedin.com/in/imogen-tarrant/", lookbackYears: 2 } as const;
const fetched = (ctx: Context, input: Partial<FetchPosts> = {}) => fetchPosts(ctx, { ...PROFILE, ...input });

async function all(ctx: Context) {
  const pages: FetchedPosts[] = [];
  for (let after: FetchPosts["after"]; ;) {
    const page = await fetched(ctx, { after });
    pages.push(page);
    if (!page.next) return pages;
    after = page.next;
  }
}

const refusal = async (work: Promise<unknown>) => {
  const error = await work.then(
    () => null,
    (thrown: unknown) => thrown,
  );
  expect(error).toBeInstanceOf(AppError);
  return error as AppError;
};

test("posts are read page by page with the documented headers, back to two years ago", async () => {
  const posts = Array.from({ length: 120 }, (_, n) => servedPost(n * 9));
  const { owner, seen } = await anAccount({ posts });
  const pages = await all(owner);
  expect(pages.map((page) => page.posts.length)).toEqual([50, 32]);
  expect(pages[1]!.leftOut.older).toBe(18);
  const { requests } = await seen();
  const [me, first, , second] = requests;
  expect(me!.path).toBe("/v2/me");
  expect(first!.path).toContain("q=author&start=0&count=50");
  expect(first!.path).toContain("author=urn%3Ali%3Aperson%3AyrZCpj2Z12");
  expect(first!.headers).toMatchObject({
    "linkedin-version": "202610",
    "x-restli-protocol-version": "2.0.0",
  });
  // Older posts are not read: the third page is not requested.
  expect(requests.map(({ path }) => path.split("?")[0])).toEqual([
    "/v2/me",
    "/rest/posts",
    "/rest/socialMetadata",
    "/rest/posts",
    "/rest/socialMetadata",
  ]);
  expect(second!.path).toContain("start=50");
});

test("a post has its text, link, picture, date, engagement and visibility", async () => {
  const image = "urn:li:image:C4E10AQFoyyAjHPMQuQ";
  const post = servedPost(3, {
    id: "urn:li:ugcPost:6844785523593134080",
    visibility: "CONNECTIONS",
    commentary:
      "Ask @[Northlight \\[Labs\\]](urn:li:organization:2414183) \\(now\\) \\_why\\_\n\n{hashtag|\\#|leadership} 100% \\| C:\\\\",
    content: { media: { id: image, altText: "Two people at a desk" } },
  });
  const linked = servedPost(4, {
    content: { article: { source: "https://example.com/a", title: "A", thumbnail: image } },
  });
  const film = servedPost(5, { content: { media: { id: "urn:li:video:C5F10AQGKQg_6y2a4sQ" } } });
  const { owner } = await anAccount({
    posts: [post, linked, film],
    counts: { [post.id]: { reactions: { LIKE: 5, PRAISE: 2, EMPATHY: 1 }, comments: 3 } },
  });
  const { posts } = await fetched(owner);
  expect(posts[0]).toEqual({
    urn: post.id,
    words: "Ask Northlight [Labs] (now) _why_\n\n#leadership 100% | C:\\",
    link: null,
    isFilm: false,
    sourceUrl: `https://www.linkedin.com/feed/update/${post.id}`,
    originalPublishedAt: post["publishedAt"],
    isForConnections: true,
    engagement: { likes: 8, comments: 3 },
    image: { urn: image, alt: "Two people at a desk" },
  });
  expect(posts[1]).toMatchObject({ link: "https://example.com/a", image: { urn: image }, engagement: null });
  expect(posts[2]).toMatchObject({ isFilm: true, image: null });
});

test("only original posts are found: no reshares, no posts without text, no unpublished ones", async () => {
  const posts = [
    servedPost(1),
    servedPost(2, { reshareContext: { parent: "urn:li:share:1", root: "urn:li:share:1" } }),
    servedPost(3, { commentary: "" }),
    servedPost(4, {
      content: { article: { source: "https://www.linkedin.com/feed/update/urn:li:share:1" } },
    }),
    servedPost(5, { lifecycleState: "DRAFT", publishedAt: undefined }),
    { id: "urn:li:groupPost:1-2" },
  ];
  const { owner } = await anAccount({ posts });
  const { posts: found, leftOut } = await fetched(owner);
  expect(found.map(({ urn }) => urn)).toEqual([posts[0]!.id]);
  expect(leftOut).toEqual({ older: 0, notOriginal: 3, unread: 2 });
});

test("the profile is that of the token, as far as the token may read it", async () => {
  const { owner } = await anAccount({ vanityName: "imogen-tarrant" });
  await expect(fetched(owner, { profileUrl: "linkedin.com/in/Imogen-Tarrant" })).resolves.toBeTruthy();
  const other = await refusal(fetched(owner, { profileUrl: "https://au.linkedin.com/in/somebody-else" }));
  expect(other).toMatchObject({ code: "invalid", field: "profileUrl" });
  expect(other.message).toBe("This token belongs to the profile linkedin.com/in/imogen-tarrant.");
  for (const profileUrl of [
    "",
    "imogen",
    "https://example.com/in/imogen",
    "https://linkedin.com.evil.example/in/x",
  ])
    expect(await refusal(fetched(owner, { profileUrl }))).toMatchObject({
      field: "profileUrl",
      message: "Enter the address of your profile, such as https://www.linkedin.com/in/your-name.",
    });
  const page = await refusal(fetched(owner, { profileUrl: "https://www.linkedin.com/company/northlight" }));
  expect(page.message).toMatch(/^This is a page/);
});

test("a token without the profile's permission is identified by its OpenID", async () => {
  const { owner, seen } = await anAccount({ posts: [servedPost(1)], forbidden: ["/v2/me"] });
  expect((await fetched(owner)).posts).toHaveLength(1);
  expect((await seen()).requests[1]!.path).toBe("/v2/userinfo");
});

test("a token that expires between pages is reported with instructions, and a new token continues", async () => {
  const posts = Array.from({ length: 60 }, (_, n) => servedPost(n));
  const { owner, set } = await anAccount({ posts, expiresAfter: 3 });
  const { next } = await fetched(owner);
  const expired = await refusal(fetched(owner, { after: next! }));
  expect(expired).toMatchObject({ code: "conflict" });
  expect(expired.message).toBe(
    "LinkedIn’s token has expired. Create a new one in LinkedIn’s developer portal, save it as the secret LINKEDIN_TOKEN, then continue here.",
  );
  await set({ posts });
  expect((await fetched(owner, { after: next! })).posts).toHaveLength(10);
});

test("each refusal by LinkedIn has its own message", async () => {
  const messageOf = async (is: "revoked" | "no-permission" | "sunset" | "html", path = "/rest/posts") => {
    const { owner } = await anAccount({ posts: [servedPost(1)], faults: [{ path, is }] });
    return (await refusal(fetched(owner))).message;
  };
  expect(await messageOf("revoked")).toMatch(/^LinkedIn’s token was revoked\. Create a new one/);
  expect(await messageOf("no-permission")).toContain("needs the permission r_member_social");
  expect(await messageOf("sunset")).toContain("Set LINKEDIN_VERSION to one of the last 12 months");
  expect(await messageOf("html")).toBe("LinkedIn sent an unexpected answer.");
  const none = await refusal(fetched(ownerContext()));
  expect(none.message).toBe("LinkedIn isn’t connected: LINKEDIN_TOKEN isn’t set.");
});

test("a wait that LinkedIn asks for is passed on with its length, and so are faults", async () => {
  for (const [is, retryAfter] of [
    ["busy", 1],
    ["down", 60],
    ["cut", 60],
  ] as const) {
    const { owner } = await anAccount({
      posts: [servedPost(1)],
      faults: [{ path: "/rest/socialMetadata", is }],
    });
    expect(await refusal(fetched(owner))).toMatchObject({ code: "too_many", retryAfter });
    expect((await fetched(owner)).posts).toHaveLength(1);
  }
});

test("without the permission for engagement, posts are read without it", async () => {
  const { owner } = await anAccount({ posts: [servedPost(1)], forbidden: ["/rest/socialMetadata"] });
  expect((await fetched(owner)).posts[0]!.engagement).toBeNull();
});
