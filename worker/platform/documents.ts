import type { Context as HonoContext } from "hono";
import { cors } from "hono/cors";
import { AppError } from "#worker/platform/errors.ts";
import type { HonoEnv } from "#worker/platform/http.ts";
import { sha256 } from "#worker/platform/random.ts";

/** Feeds and other documents that machines ask for again and again. */

/** Not application/rss+xml, which browsers show as plain text or download: with this one they apply the feed's style. */
export const RSS = "application/xml; charset=utf-8";

/** Web players and readers fetch feeds, chapters and transcripts from their own pages, and ask whether they have changed. */
export const readableAnywhere = cors({
  origin: "*",
  allowMethods: ["GET", "HEAD"],
  allowHeaders: ["If-None-Match", "If-Modified-Since", "If-Match"],
  exposeHeaders: ["ETag", "Last-Modified", "Link", "Content-Language"],
  maxAge: 86_400,
});

type Answer = HonoContext<HonoEnv>;

/** A document that is made only for a client whose copy is stale. */
type Document = {
  /** Differs where the document does, as far as its address and the data go. */
  mark: string;
  /** Where the data tells it: when the document last changed. */
  changedAt?: Date;
  render: () => Promise<string>;
};

/** Answers with a document, or 304 to a client that has it. A finished text is compared as it is. */
export async function answerDocument(c: Answer, type: string, document: string | Document) {
  const { config, now } = c.var.ctx;
  const isText = typeof document === "string";
  const etag = isText
    ? await weakTag(document)
    : await weakTag(document.mark, config.version, config.siteUrl);
  const dates = isText || !document.changedAt ? null : datesOf(document.changedAt.getTime(), now.getTime());

  c.header("Content-Type", type);
  c.header("ETag", etag);
  if (dates) c.header("Last-Modified", new Date(dates.lastModified).toUTCString());
  // Without a Cache-Control of its own, by which others would be given it.
  if (!allowsMatch(c.req.raw, etag)) return c.body(null, 412);
  // A publish is to show within a minute, and asking again costs one row.
  c.header("Cache-Control", "public, max-age=60, stale-while-revalidate=60");
  if (isFresh(c, etag, dates?.isUnchangedSince)) return c.body(null, 304);
  return c.body(isText ? document : await document.render());
}

export const weakTag = async (...parts: string[]) => `W/"${(await sha256(parts.join("\n"))).slice(0, 22)}"`;

/**
 * Whether an If-Match, where there is one, names the tag. Strong comparison: a weak tag matches nothing but `*` (RFC 9110
 * §13.1.1).
 */
export function allowsMatch({ headers }: Request, etag: string) {
  const tags = headers.get("If-Match");
  if (tags === null || tags.trim() === "*") return true;
  return !etag.startsWith("W/") && tags.split(",").some((tag) => tag.trim() === etag);
}

/** Whether the client's copy is still good. RFC 9110, 13.2.2: an If-None-Match, where there is one, decides alone. */
function isFresh(c: Answer, etag: string, isUnchangedSince?: (since: number) => boolean) {
  const tags = c.req.header("If-None-Match");
  if (tags !== undefined) return tagMatches(tags, etag);
  const since = Date.parse(c.req.header("If-Modified-Since") ?? "");
  return isUnchangedSince !== undefined && !Number.isNaN(since) && isUnchangedSince(since);
}

/** Milliseconds. Longer than a write takes to be seen by every reader: 20 seconds, and a render (decision 0011). */
export const QUIET_MS = 30_000;

/**
 * HTTP dates have whole seconds, and a second change may follow within the same one. So a change is dated by the end
 * of its second, and only once nothing can join it there any more; until then by the second's beginning, which never
 * answers 304. A date that we did not give counts when it lies clear of the change.
 */
function datesOf(changedAt: number, now: number) {
  const quietDate = Math.ceil(changedAt / 1000) * 1000;
  const isQuiet = now >= changedAt + QUIET_MS;
  return {
    lastModified: isQuiet ? quietDate : Math.floor(changedAt / 1000) * 1000,
    isUnchangedSince: (since: number) => since === quietDate || since >= changedAt + QUIET_MS,
  };
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
