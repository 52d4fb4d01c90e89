import { requireCapability } from "#worker/access/capabilities.ts";
import { FetchPosts, type FetchedPosts, type SocialPost } from "#worker/imports/contract.ts";
import type { ApiPost } from "#worker/imports/linkedin/answers.ts";
import {
  LinkedInBusy,
  readAuthor,
  readCounts,
  readPosts,
  TokenRefused,
} from "#worker/imports/linkedin/linkedin-client.ts";
import type { Config, Context } from "#worker/platform/context.ts";
import { parseInput } from "#worker/platform/data/input.ts";
import { AppError } from "#worker/platform/errors.ts";

/**
 * A page of the owner's posts of the last years from LinkedIn's API, original ones with their engagement.
 * @throws `unauthenticated`, `forbidden`; `invalid` if it is not a profile, or not the token's; `conflict` with what
 * the owner must fix; `too_many` if LinkedIn asks to wait
 */
export async function fetchPosts(ctx: Context, input: FetchPosts): Promise<FetchedPosts> {
  requireCapability("edit", ctx);
  const { profileUrl: name, lookbackYears, after } = parseInput(FetchPosts, input);
  const account = requireAccount(ctx);
  try {
    const author = after?.author ?? (await authorOf(account, name));
    const { posts, next } = await readPosts(account, author, after?.start ?? 0);
    const since = yearsBefore(ctx.now, lookbackYears);
    const { found, leftOut } = sortOut(posts, since);
    const counts = await readCounts(
      account,
      found.map(({ urn }) => urn),
    );
    // What was last modified before then was posted before then, and so was everything after it.
    const isPast = (posts.at(-1)?.lastModifiedAt ?? Infinity) < since;
    return {
      posts: found.map((post) => ({ ...post, engagement: counts.get(post.urn) ?? null })),
      leftOut,
      next: next === null || isPast ? null : { author, start: next },
    };
  } catch (error) {
    if (!(error instanceof LinkedInBusy)) throw error;
    throw new AppError("too_many", error.message, { retryAfter: Math.ceil(error.waitMs / 1000) });
  }
}

/** @throws `conflict` without a token */
export function requireAccount({ config }: Context) {
  if (config.linkedIn) return config.linkedIn;
  throw new TokenRefused("LinkedIn isn’t connected: LINKEDIN_TOKEN isn’t set.");
}

async function authorOf(account: NonNullable<Config["linkedIn"]>, name: string) {
  const author = await readAuthor(account);
  if (author.name === null || author.name.toLowerCase() === name) return author.urn;
  throw new AppError("invalid", `This token belongs to the profile linkedin.com/in/${author.name}.`, {
    field: "profileUrl",
  });
}

function yearsBefore(now: Date, years: number) {
  const since = new Date(now);
  since.setUTCFullYear(since.getUTCFullYear() - years);
  return since.getTime();
}

function sortOut(posts: (ApiPost | null)[], since: number) {
  const found: SocialPost[] = [];
  const leftOut = { older: 0, notOriginal: 0, unread: 0 };
  for (const post of posts) {
    const at = post?.publishedAt ?? post?.createdAt;
    if (!post || at === undefined || post.lifecycleState !== "PUBLISHED") leftOut.unread++;
    else if (at < since) leftOut.older++;
    else if (!isOriginal(post)) leftOut.notOriginal++;
    else found.push(toPost(post, at));
  }
  return { found, leftOut };
}

/** It has words of its own, and shares no other post. */
const isOriginal = ({ commentary, reshareContext, content }: ApiPost) =>
  plainWords(commentary) !== "" && !reshareContext && !isPostAddress(content?.article?.source ?? "");

const isPostAddress = (text: string) => /linkedin\.com\/(?:feed\/update|posts)\//.test(text);

function toPost({ id, commentary, visibility, content }: ApiPost, originalPublishedAt: number): SocialPost {
  const { media, multiImage, article } = content ?? {};
  const shown = media ?? multiImage?.images[0];
  const picture =
    shown && isImage(shown.id) ? { urn: shown.id, alt: (shown.altText ?? "").slice(0, 300) } : null;
  const thumbnail = article?.thumbnail;
  return {
    urn: id,
    words: plainWords(commentary),
    link: article && /^https?:\/\//.test(article.source) ? article.source : null,
    isFilm: shown !== undefined && picture === null,
    sourceUrl: `https://www.linkedin.com/feed/update/${id}`,
    originalPublishedAt,
    isForConnections: visibility !== "PUBLIC" && visibility !== "LOGGED_IN",
    engagement: null,
    image: picture ?? (thumbnail && isImage(thumbnail) ? { urn: thumbnail, alt: "" } : null),
  };
}

const isImage = (urn: string) => /^urn:li:image:[\w-]{1,100}$/.test(urn);

/** LinkedIn's "little" format: hashtags and mentions as templates, and its own signs behind a backslash. */
const LITTLE =
  /\{hashtag\|\\?[#＃]\|((?:\\.|[^\\}])*)\}|@\[((?:\\.|[^\\\]])*)\]\(urn:[^)]*\)|\\([\\|{}@[\]()<>#*_~])/g;

/** The words of a post as its readers see them. */
const plainWords = (little: string): string =>
  little
    .replaceAll(LITTLE, (_, tag?: string, name?: string, sign?: string) =>
      tag !== undefined ? `#${plainWords(tag)}` : name !== undefined ? plainWords(name) : sign!,
    )
    .replaceAll(/\r\n?/g, "\n")
    .trim();
