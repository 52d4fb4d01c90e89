import type { Context as HonoContext } from "hono";
import { cors } from "hono/cors";
import { AppError } from "#worker/platform/errors.ts";
import type { HonoEnv } from "#worker/platform/http/router.ts";
import { sha256 } from "#worker/platform/data/random.ts";

/** Feeds and other documents that clients poll. */

/** Not application/rss+xml, which browsers show as plain text or download: with this one they apply the feed's style. */
export const RSS = "application/xml; charset=utf-8";

/** Web players and readers fetch feeds, chapters and transcripts across origins, with conditional requests. */
export const readableAnywhere = cors({
  origin: "*",
  allowMethods: ["GET", "HEAD"],
  allowHeaders: ["If-None-Match", "If-Modified-Since", "If-Match"],
  exposeHeaders: ["ETag", "Last-Modified", "Link", "Content-Language"],
  maxAge: 86_400,
});

type Answer = HonoContext<HonoEnv>;

/** A document that is rendered only for a client whose copy is stale. */
type Document = {
  /** Identifies the version of the document's data, for the ETag. */
  mark: string;
  /** When the document last changed, if the data has that. */
  changedAt?: Date;
  render: () => Promise<string>;
};

/** Answers with a document, or 304 to a client that has it. A string's ETag is the hash of its content. */
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
  // No Cache-Control: a shared cache must not store the 412.
  if (!allowsMatch(c.req.raw, etag)) return c.body(null, 412);
  // A publication must show within a minute, and revalidation reads one row.
  c.header("Cache-Control", "public, max-age=60, stale-while-revalidate=60");
  if (isFresh(c, etag, dates?.isUnchangedSince)) return c.body(null, 304);
  return c.body(isText ? document : await document.render());
}

export const weakTag = async (...parts: string[]) => `W/"${(await sha256(parts.join("\n"))).slice(0, 22)}"`;

/**
 * Whether the request's If-Match, if any, matches the tag. Strong comparison: a weak tag matches nothing but `*` (RFC
 * 9110 §13.1.1).
 */
export function allowsMatch({ headers }: Request, etag: string) {
  const tags = headers.get("If-Match");
  if (tags === null || tags.trim() === "*") return true;
  return !etag.startsWith("W/") && tags.split(",").some((tag) => tag.trim() === etag);
}

/** Whether the client's copy is fresh. An If-None-Match takes precedence (RFC 9110 §13.2.2). */
function isFresh(c: Answer, etag: string, isUnchangedSince?: (since: number) => boolean) {
  const tags = c.req.header("If-None-Match");
  if (tags !== undefined) return tagMatches(tags, etag);
  const since = Date.parse(c.req.header("If-Modified-Since") ?? "");
  return isUnchangedSince !== undefined && !Number.isNaN(since) && isUnchangedSince(since);
}

/** Milliseconds. Longer than a write takes to reach every reader: 20 seconds and a render (decision 0011). */
export const QUIET_MS = 30_000;

/**
 * HTTP dates have whole seconds, and another change may follow within the same second. So a change is dated by the end
 * of its second once no other can fall into it; until then by the second's beginning, which never answers 304. A date
 * that this server did not send counts only `QUIET_MS` after the change.
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

/** The requested page of a feed; the first has no parameter. */
export function feedPageOf(parameter: string | undefined) {
  if (parameter === undefined) return 1;
  if (!/^[1-9]\d{0,5}$/.test(parameter)) throw new AppError("not_found", "The feed has no such page.");
  return Number(parameter);
}
