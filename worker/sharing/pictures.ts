import { LRUCache } from "lru-cache";
import { requireCapability } from "#worker/access/capabilities.ts";
import type { Context } from "#worker/platform/context.ts";
import { deleteOldObjects } from "#worker/platform/data/prune.ts";
import { logWarning } from "#worker/platform/log.ts";
import { tagMatches } from "#worker/platform/http/documents.ts";
import { countHourly, refuseBurst } from "#worker/platform/http/rate.ts";
import { COVER } from "#worker/sharing/layout.ts";
import { markOf, type ShareSubject } from "#worker/sharing/subject.ts";

/** Pictures for sharing: drawn on the first request, and stored in R2 until their subject changes. */

/** Bytes. Networks refuse or skip larger ones. */
const MOST_BYTES = 300_000;
/** Qualities of the JPEG, tried in turn. */
const QUALITIES = [84, 70, 50];

const keyOf = (path: string) => `share${path}`;

export type SharePicture = {
  type: string;
  etag: string;
  /** Null if the caller's copy is still valid. */
  body: ReadableStream | Uint8Array | null;
};

/** When a request of this isolate began to draw a page's picture. A cancelled request leaves its flag behind. */
const drawing = new LRUCache<string, number>({ max: 500 });
/** Milliseconds: after which a flag is ignored, between two polls, and of waiting in total. */
const FLAG_LASTS = 15_000;
const POLL_EVERY = 200;
const POLL_FOR = 8_000;

/**
 * The picture of a page. Of concurrent requests one draws; the others poll R2 until it is there. `tags`: an If-None-Match
 * of the caller.
 */
export async function readSharePicture(
  ctx: Context,
  path: string,
  subject: ShareSubject,
  tags?: string,
): Promise<SharePicture> {
  const mark = markOf(subject);
  const found = await find(ctx, path, mark, tags);
  if (found) return found;
  if (isDrawing(path)) {
    const others = await pollFor(ctx, path, mark);
    if (others) return others;
  }
  await refuseTooMany(ctx);
  const since = Date.now();
  drawing.set(path, since);
  try {
    return await make(ctx, path, subject);
  } finally {
    if (drawing.get(path) === since) drawing.delete(path);
  }
}

/** Drawings per hour and address; a network that discovers a new site requests some tens. */
export const MOST_DRAWN = 120;

/**
 * A drawing takes hundreds of milliseconds of CPU time, so a client that renames a playlist repeatedly, or requests the
 * pictures of all pages, is limited. Stored pictures have no limit.
 * @throws `too_many`
 */
async function refuseTooMany(ctx: Context) {
  await refuseBurst(ctx, "share");
  await countHourly(ctx, "share", MOST_DRAWN);
}

/** The stored picture. One without its cover or letters expires: the cover may be fixed since, or Images had failed. */
async function find(
  { media, now }: Context,
  path: string,
  mark: string,
  tags?: string,
): Promise<SharePicture | null> {
  const kept = await media.head(keyOf(path));
  if (kept?.customMetadata?.["mark"] !== mark) return null;
  const until = Number(kept.customMetadata["until"] ?? Infinity);
  if (until <= now.getTime()) return null;
  const isWhole = until === Infinity;
  const type = kept.httpMetadata?.contentType ?? "image/jpeg";
  // R2's own comparison throws for what is no list of tags.
  if (tags !== undefined && isWhole && tagMatches(tags, kept.httpEtag))
    return { type, etag: kept.httpEtag, body: null };
  const object = await media.get(keyOf(path));
  return object && { type, etag: isWhole ? object.httpEtag : "", body: object.body };
}

const isDrawing = (path: string) => Date.now() - (drawing.get(path) ?? 0) < FLAG_LASTS;

async function pollFor(ctx: Context, path: string, mark: string) {
  const end = Date.now() + POLL_FOR;
  while (isDrawing(path) && Date.now() < end) {
    await scheduler.wait(POLL_EVERY);
    if (isDrawing(path)) continue;
    return find(ctx, path, mark);
  }
  return null;
}

async function make(ctx: Context, path: string, subject: ShareSubject): Promise<SharePicture> {
  const { drawPng } = await import("#worker/sharing/draw.ts");
  const cover = subject.cover === null ? null : await squareCover(ctx, subject.cover);
  const { png, isComplete } = await drawPng(subject, cover, ctx.assets);
  const { bytes, type } = await compress(ctx, png);
  const hasCover = subject.cover === null || cover !== null || !ctx.images;
  const isWhole = hasCover && (isComplete || !ctx.assets);
  const { httpEtag } = await ctx.media.put(keyOf(path), bytes, {
    httpMetadata: { contentType: type },
    customMetadata: {
      mark: markOf(subject),
      // Retry a failed cover or font after a while, not on every request.
      ...(!isWhole && { until: String(ctx.now.getTime() + INCOMPLETE_MS) }),
    },
  });
  return { type, etag: isWhole ? httpEtag : "", body: bytes };
}

/** Milliseconds for which a picture without its cover, or without letters, is stored. */
const INCOMPLETE_MS = 10 * 60_000;

/** The cover as a small square JPEG; null if Cloudflare Images is not bound, or rejects it. */
async function squareCover({ images, media }: Context, key: string) {
  if (!images) return null;
  const original = await media.get(key);
  if (!original) return null;
  try {
    const made = await images
      .input(original.body)
      .transform({ width: COVER, height: COVER, fit: "cover" })
      .output({ format: "image/jpeg", quality: 90 });
    return new Uint8Array(await new Response(made.image()).arrayBuffer());
  } catch (error) {
    logWarning(`sharing: the cover ${key} could not be made smaller`, error);
    return null;
  }
}

/** A JPEG of at most `MOST_BYTES`. Without Cloudflare Images the PNG, which is small, since it has no photograph. */
async function compress({ images }: Context, png: Uint8Array<ArrayBufferLike>) {
  if (!images) return { bytes: png, type: "image/png" };
  for (const quality of QUALITIES) {
    const made = await images
      .input(new Blob([png as Uint8Array<ArrayBuffer>]).stream())
      .output({ format: "image/jpeg", quality });
    const bytes = new Uint8Array(await new Response(made.image()).arrayBuffer());
    if (bytes.length <= MOST_BYTES) return { bytes, type: "image/jpeg" };
  }
  throw new Error("A picture for sharing is too large.");
}

const KEEP_MS = 90 * 86_400_000;

/** Daily: deletes old pictures, those of deleted pages included. Others are drawn again on request. */
export async function pruneSharePictures(ctx: Context) {
  requireCapability("edit", ctx);
  await deleteOldObjects(ctx, keyOf("/"), KEEP_MS);
}
