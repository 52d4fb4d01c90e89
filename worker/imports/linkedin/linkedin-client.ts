import type { z } from "zod";
import {
  Analytics,
  Images,
  Me,
  PostPage,
  Refusal,
  SocialMetadata,
  UserInfo,
} from "#worker/imports/linkedin/answers.ts";
import type { Config } from "#worker/platform/context.ts";
import { AppError } from "#worker/platform/errors.ts";
import { retryAfterOf } from "#worker/platform/http/retry-after.ts";

type Account = NonNullable<Config["linkedIn"]>;

/** Posts of a page: the most whose engagement LinkedIn returns in one request. */
const PAGE_POSTS = 50;
/** Timeout of a request, in milliseconds. */
const ANSWER_MS = 20_000;
/** Milliseconds until the next request, unless LinkedIn names a time. */
const BUSY_MS = 60_000;

/** LinkedIn refuses requests temporarily: there are too many, or it has a fault. */
export class LinkedInBusy extends Error {
  readonly waitMs: number;
  constructor(message: string, waitMs: number, options?: ErrorOptions) {
    super(message, options);
    this.waitMs = waitMs;
  }
}

/** The token lacks a permission; other requests may succeed. */
export class NotPermitted extends AppError {}

/** The token is no longer valid for any request. */
export class TokenRefused extends AppError {
  constructor(message: string) {
    super("conflict", message);
  }
}

export type Author = {
  urn: string;
  /** The name in the profile's address; null if the token may not read it. */ name: string | null;
};

/**
 * The token's member. Which of the two endpoints returns it depends on the token's permissions.
 * @throws {AppError} for what the owner can fix; {LinkedInBusy}
 */
export async function readAuthor(account: Account): Promise<Author> {
  try {
    const { id, vanityName } = await ask(account, "/v2/me", Me);
    return { urn: `urn:li:person:${id}`, name: vanityName ?? null };
  } catch (error) {
    if (!(error instanceof NotPermitted)) throw error;
    const { sub } = await ask(account, "/v2/userinfo", UserInfo);
    return { urn: `urn:li:person:${sub}`, name: null };
  }
}

/** A page of an author's posts, last modified first. `next` is the start of the page after it; null at the end. */
export async function readPosts(account: Account, author: string, start: number) {
  const query = `author=${encodeURIComponent(author)}&q=author&start=${start}&count=${PAGE_POSTS}&sortBy=LAST_MODIFIED`;
  const { elements, paging } = await ask(account, `/rest/posts?${query}`, PostPage, {
    "X-RestLi-Method": "FINDER",
  });
  const isMore = elements.length >= PAGE_POSTS || paging?.links.some(({ rel }) => rel === "next");
  // An empty page is the last, even if it has a next link.
  return { posts: elements, next: isMore && elements.length > 0 ? start + PAGE_POSTS : null };
}

/** Reactions and comments of posts by their URNs; empty if the token may not read them. */
export async function readCounts(account: Account, urns: string[]) {
  if (urns.length === 0) return new Map<string, { likes: number; comments: number }>();
  const { results } = await orNothing(
    ask(account, `/rest/socialMetadata?ids=${listOf(urns)}`, SocialMetadata, BATCH),
    { results: {} },
  );
  return new Map(
    Object.entries(results).map(([urn, { reactionSummaries, commentSummary }]) => {
      const likes = Object.values(reactionSummaries).reduce((sum, { count }) => sum + count, 0);
      return [urn, { likes, comments: commentSummary?.count ?? 0 }];
    }),
  );
}

/** The number of reshares of a post; null if the token may not read it, which is a separate permission. */
export async function readShares(account: Account, urn: string) {
  const entity = `(${urn.startsWith("urn:li:share:") ? "share" : "ugc"}:${encodeURIComponent(urn)})`;
  const query = `q=entity&entity=${entity}&queryType=RESHARE&aggregation=TOTAL`;
  const { elements } = await orNothing(ask(account, `/rest/memberCreatorPostAnalytics?${query}`, Analytics), {
    elements: [],
  });
  return elements[0]?.count ?? null;
}

/** A temporary address of a post's picture; null if it has none. */
export async function readImageAddress(account: Account, urn: string) {
  const { results } = await ask(account, `/rest/images?ids=${listOf([urn])}`, Images, BATCH);
  return results[urn]?.downloadUrl ?? null;
}

const BATCH = { "X-RestLi-Method": "BATCH_GET" };

/** Rest.li encodes the items of a list, not the list itself. */
const listOf = (urns: string[]) => `List(${urns.map(encodeURIComponent).join(",")})`;

async function orNothing<T>(asked: Promise<T>, nothing: T) {
  try {
    return await asked;
  } catch (error) {
    if (error instanceof NotPermitted) return nothing;
    throw error;
  }
}

async function ask<Schema extends z.ZodType>(
  { url, token, version }: Account,
  path: string,
  schema: Schema,
  headers: Record<string, string> = {},
): Promise<z.output<Schema>> {
  const response = await fetch(url + path, {
    headers: {
      Authorization: `Bearer ${token}`,
      "LinkedIn-Version": version,
      "X-Restli-Protocol-Version": "2.0.0",
      ...headers,
    },
    redirect: "manual",
    signal: AbortSignal.timeout(ANSWER_MS),
  }).catch((cause: unknown) => {
    throw new LinkedInBusy(NO_ANSWER, BUSY_MS, { cause });
  });
  if (!response.ok) throw await refusalOf(response, version);
  const read = schema.safeParse(await response.json().catch(() => null));
  if (!read.success) throw new AppError("conflict", "LinkedIn sent an unexpected answer.");
  return read.data;
}

const NO_ANSWER = "LinkedIn isn’t responding properly. Trying again in a moment.";
const TOO_MANY =
  "LinkedIn asked for a pause after many requests. The import continues automatically; a daily limit ends at midnight UTC.";
const NO_PERMISSION =
  "This token can’t read posts: it needs the permission r_member_social, which LinkedIn grants to an app on request. You don’t need it for the archive.";

async function refusalOf(response: Response, version: string) {
  const { status } = response;
  const { code, message } = Refusal.catch({ code: "", message: "" }).parse(
    await response.json().catch(() => null),
  );
  const wait = retryAfterOf(response, new Date()) ?? BUSY_MS;
  if (status === 429) return new LinkedInBusy(TOO_MANY, wait);
  if (status >= 500) return new LinkedInBusy(NO_ANSWER, wait);
  if (status === 401)
    return new TokenRefused(`${WHY_NOT[code] ?? "LinkedIn doesn’t recognise the token."} ${RENEW}`);
  if (status === 403) return new NotPermitted("conflict", NO_PERMISSION);
  if (status === 426) {
    const words = `LinkedIn no longer supports version ${version} of its API. Set LINKEDIN_VERSION to one of the last 12 months, such as 202610 for October 2026.`;
    return new AppError("conflict", words);
  }
  return new AppError(
    "conflict",
    `LinkedIn refused the request (${status}). ${message.slice(0, 300)}`.trim(),
  );
}

const WHY_NOT: Record<string, string> = {
  EXPIRED_ACCESS_TOKEN: "LinkedIn’s token has expired.",
  REVOKED_ACCESS_TOKEN: "LinkedIn’s token was revoked.",
};
const RENEW =
  "Create a new one in LinkedIn’s developer portal, save it as the secret LINKEDIN_TOKEN, then continue here.";
