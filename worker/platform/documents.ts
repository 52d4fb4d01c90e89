import type { Context as HonoContext } from "hono";
import { AppError } from "#worker/platform/errors.ts";
import type { HonoEnv } from "#worker/platform/http.ts";
import { sha256 } from "#worker/platform/random.ts";

/** Feeds and other documents that machines ask for again and again. */

type Answer = HonoContext<HonoEnv>;

/** States type, tag and how long the document may be kept. */
export function publishDocument(c: Answer, type: string, etag: string) {
  c.header("Content-Type", type);
  c.header("ETag", etag);
  // A publish is to show within a minute, and asking again costs one row.
  c.header("Cache-Control", "public, max-age=60, stale-while-revalidate=60");
  // Web players and readers fetch feeds, chapters and transcripts from their own pages.
  c.header("Access-Control-Allow-Origin", "*");
}

/** Answers with a document whose text is made anew each time: its tag is that of the text. */
export async function answerDocument(c: Answer, type: string, body: string) {
  const etag = await weakTag(body);
  publishDocument(c, type, etag);
  return isFresh(c, etag) ? c.body(null, 304) : c.body(body);
}

export const weakTag = async (...parts: (string | number)[]) =>
  `W/"${(await sha256(parts.join("\n"))).slice(0, 22)}"`;

/** Whether who asks has it already. RFC 9110, 13.2.2: an If-None-Match, where there is one, decides alone. */
export function isFresh(c: Answer, etag: string, isUnchangedSince?: (since: number) => boolean) {
  const tags = c.req.header("If-None-Match");
  if (tags !== undefined) return tagMatches(tags, etag);
  const since = Date.parse(c.req.header("If-Modified-Since") ?? "");
  return isUnchangedSince !== undefined && !Number.isNaN(since) && isUnchangedSince(since);
}

/** Whether an If-None-Match names the tag: weak comparison with `*` or a list of entity tags. */
export function tagMatches(tags: string, etag: string) {
  if (tags === etag) return true;
  const opaque = etag.replace(/^W\//, "");
  return tags.trim() === "*" || [...tags.matchAll(/(?:W\/)?("[^"]*")/g)].some(([, tag]) => tag === opaque);
}

/** Which page of a feed is asked for; the first is the address without a parameter. */
export function feedPageOf(parameter: string | undefined) {
  if (parameter === undefined) return 1;
  if (!/^[1-9]\d{0,5}$/.test(parameter)) throw new AppError("not_found", "The feed has no such page.");
  return Number(parameter);
}
