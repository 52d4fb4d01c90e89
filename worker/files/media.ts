import { cors } from "hono/cors";
import { isAllowed } from "#worker/access/capabilities.ts";
import { noteAudioRequest } from "#worker/analytics/collector.ts";
import { findReplacement } from "#worker/episodes/audio-queries.ts";
import { isDeleted } from "#worker/bin/held-files.ts";
import { fileIdOf, isPublished } from "#worker/files/object-keys.ts";
import { findSuccessor } from "#worker/files/library/successors.ts";
import { parseRange, resolveRange } from "#worker/files/ranges.ts";
import { mediaUrl } from "#worker/files/stored.ts";
import type { Context } from "#worker/platform/context.ts";
import { allowsMatch } from "#worker/platform/http/documents.ts";
import { AppError } from "#worker/platform/errors.ts";
import { router } from "#worker/platform/http/router.ts";
import { RETRY_AFTER } from "#worker/platform/data/unavailable.ts";
import { logError } from "#worker/platform/log.ts";
import { PATIENCE_WITH_D1, within } from "#worker/platform/time/within.ts";

/**
 * Serves files to browsers and podcast apps. Type, name, size and validators are stored with the object in R2. D1 is
 * queried in parallel, for whether the file is deleted and for the replacement of a recording or document.
 */
export const media = router()
  // Podcast players on other sites read audio and pictures.
  .use(
    "/:key{.+}",
    cors({
      origin: "*",
      allowMethods: ["GET", "HEAD"],
      allowHeaders: ["Range", "If-Match", "If-Range", "If-None-Match", "If-Modified-Since"],
      exposeHeaders: ["Accept-Ranges", "Content-Range", "Content-Length", "Content-Disposition", "ETag"],
      maxAge: 86_400,
    }),
  )
  .get("/:key{.+}", (c) => serveFile(c.var.ctx, c.req.raw, c.req.param("key")));

/**
 * Answers a request for a file. `pathOf`: the path to which a request for a replaced one is redirected.
 * @throws `not_found`; `unavailable` while R2 fails
 */
export async function serveFile(ctx: Context, request: Request, key: string, pathOf = mediaUrl) {
  // Pictures that still contain their location are under another prefix.
  if (!mayBeKey(key) || !isPublished(key)) throw notFound();
  const fromR2 = request.method === "HEAD" ? answerHead(ctx, request, key) : answerGet(ctx, request, key);
  const answering = unlessDeleted(ctx, key, fromR2);
  const asksForFormer = new URL(request.url).searchParams.has(FORMER);
  if (asksForFormer && isAllowed("edit", ctx)) return forOwner(await answering);
  const [answer, replacement] = await Promise.allSettled([answering, readReplacement(ctx, key)]);
  if (replacement.status === "fulfilled" && replacement.value !== undefined) {
    const { key: to, isInDraft } = replacement.value;
    if (answer.status === "fulfilled") {
      if (isInDraft && isAllowed("edit", ctx)) return forOwner(answer.value);
      await answer.value.body?.cancel();
    }
    return leadToReplacement(request, to, pathOf);
  }
  if (answer.status === "rejected") {
    if (!(answer.reason instanceof AppError)) throw unreadable(answer.reason);
    const successor = isMissing(answer.reason) ? await readSuccessor(ctx, key) : undefined;
    if (successor === undefined) throw answer.reason;
    return leadToReplacement(request, successor, pathOf);
  }
  return counted(ctx, request, key, answer.value);
}

const isRecording = (key: string) => key.startsWith("podcast-audio/");

/** Pages link to current pictures only, so the replacement of a picture is read only if it is missing in R2. */
const PICTURE = /\.(?:jpe?g|png|gif|webp|avif|heic)$/;

const isMissing = ({ code }: AppError) => code === "not_found";

/** R2 has failed. Podcast apps try again after a 503. */
function unreadable(error: unknown) {
  logError("media: R2 did not give a file", error);
  const message = "This file can’t be read right now. Please try again in a few minutes.";
  return new AppError("unavailable", message, { retryAfter: RETRY_AFTER });
}

/** An editor may open a replaced file in the library, which adds this parameter. */
const FORMER = "former";

function forOwner(answer: Response) {
  answer.headers.set("Cache-Control", "private, no-store");
  return answer;
}

/** The objects of a deleted file stay in R2 while it can be restored, and until R2 takes the request to delete them. */
async function unlessDeleted(ctx: Context, key: string, fromR2: Promise<Response>) {
  const [answer, isGone] = await Promise.allSettled([
    fromR2,
    within(PATIENCE_WITH_D1, "D1", isDeleted(ctx, fileIdOf(key))),
  ]);
  if (answer.status === "rejected") throw answer.reason;
  if (isGone.status === "rejected")
    logError("media: whether a file was deleted could not be read", isGone.reason);
  else if (isGone.value) {
    await answer.value.body?.cancel();
    throw notFound();
  }
  return answer.value;
}

/** While D1 fails, or takes too long, the requested file is served. */
async function readReplacement(ctx: Context, key: string) {
  if (!isRecording(key)) {
    const to = PICTURE.test(key) ? undefined : await readSuccessor(ctx, key);
    return to === undefined ? undefined : { key: to, isInDraft: false };
  }
  try {
    return await within(PATIENCE_WITH_D1, "D1", findReplacement(ctx, fileIdOf(key)));
  } catch (error) {
    logError("media: whether a recording was replaced could not be read", error);
    return undefined;
  }
}

async function readSuccessor(ctx: Context, key: string) {
  try {
    return await within(PATIENCE_WITH_D1, "D1", findSuccessor(ctx, fileIdOf(key)));
  } catch (error) {
    logError("media: whether a file was replaced could not be read", error);
    return undefined;
  }
}

/**
 * Redirects to the replacement. Apps identify an episode by its GUID and may never read its new address. Range and
 * conditional requests are redirected too. The target changes with the next replacement.
 */
function leadToReplacement(request: Request, key: string | null, pathOf: typeof mediaUrl) {
  if (key === null) throw notFound();
  const to = new URL(request.url);
  to.pathname = pathOf(key);
  return new Response(null, {
    status: 302,
    headers: { Location: to.href, "Cache-Control": "no-store" },
  });
}

function counted(ctx: Context, request: Request, key: string, answer: Response) {
  if (isAudio(answer, key)) countAudio(ctx, request, key, answer);
  return answer;
}

/** A 304 has no type; there, recordings are recognised by their folder. */
const isAudio = ({ status, headers }: Response, key: string) =>
  status === 304 ? isRecording(key) : (headers.get("Content-Type") ?? "").startsWith("audio/");

/**
 * Counts a request for audio after the response, and keeps the CDN from caching it, so that later ones are counted too.
 */
function countAudio(ctx: Context, request: Request, key: string, { status, headers }: Response) {
  headers.set("Cloudflare-CDN-Cache-Control", "no-store");
  const [, first, last] = /^bytes (\d+)-(\d+)\//.exec(headers.get("Content-Range") ?? "") ?? [];
  const cf = request.cf as IncomingRequestCfProperties | undefined;
  noteAudioRequest(ctx, {
    method: request.method,
    status,
    file: key,
    first: Number(first ?? 0),
    last: Number(last ?? Number(headers.get("Content-Length") ?? 1) - 1),
    ...ctx.client,
    asn: cf?.asn ?? null,
    country: cf?.country ?? request.headers.get("CF-IPCountry"),
  });
}

/** A HEAD request has no range. */
async function answerHead(ctx: Context, request: Request, key: string) {
  const object = required(await ctx.media.head(key));
  if (!allowsMatch(request, object.httpEtag)) return failed();
  return isUnchanged(request, object) ? unchanged(object) : whole(request, object);
}

async function answerGet(ctx: Context, request: Request, key: string) {
  if (isConditional(request)) {
    // It nearly always matches, so no body is opened for the check.
    const object = required(await ctx.media.head(key));
    if (!allowsMatch(request, object.httpEtag)) return failed();
    if (isUnchanged(request, object)) return unchanged(object);
  }
  const range = parseRange(request.headers.get("Range"));
  const object = required(
    range === "unsatisfiable" ? await ctx.media.head(key) : await getObject(ctx, key, range),
  );
  if (range === null) return whole(request, object);
  if (!mayContinue(request, object)) {
    await bodyOf(object)?.cancel();
    return whole(request, required(await ctx.media.get(key)));
  }
  const served = range === "unsatisfiable" ? null : resolveRange(range, object.size);
  return served ? part(request, object, served) : refuseRange(object);
}

/** One R2 operation, except for a range past the end, at which R2 throws: then a second one reads the size. */
async function getObject(
  { media: bucket }: Context,
  key: string,
  range: Exclude<ReturnType<typeof parseRange>, string>,
) {
  if (!range) return bucket.get(key);
  try {
    return await bucket.get(key, { range });
  } catch (error) {
    const object = await bucket.head(key);
    if (object && resolveRange(range, object.size)) throw error;
    return object;
  }
}

function required<T>(object: T | null) {
  if (!object) throw notFound();
  return object;
}

const notFound = () => new AppError("not_found", "There is no such file.");

/** Bytes. R2 throws for a longer one. */
const MAX_KEY = 1024;
const mayBeKey = (key: string) => !key.includes("\0") && new TextEncoder().encode(key).length <= MAX_KEY;

const bodyOf = (object: R2Object | R2ObjectBody) => ("body" in object ? object.body : null);

function whole(request: Request, object: R2Object | R2ObjectBody) {
  const headers = describe(request, object);
  headers.set("Content-Length", String(object.size));
  return new Response(bodyOf(object), { headers });
}

function part(
  request: Request,
  object: R2Object | R2ObjectBody,
  { first, last }: { first: number; last: number },
) {
  const headers = describe(request, object);
  headers.set("Content-Length", String(last - first + 1));
  headers.set("Content-Range", `bytes ${first}-${last}/${object.size}`);
  return new Response(bodyOf(object), { status: 206, headers });
}

const refuseRange = ({ size }: R2Object) =>
  new Response(null, {
    status: 416,
    headers: { "Content-Range": `bytes */${size}`, "Accept-Ranges": "bytes" },
  });

/** If-Match: the version of which the client has a part no longer exists. */
const failed = () => new Response(null, { status: 412 });

const unchanged = (object: R2Object) => new Response(null, { status: 304, headers: lasting(object) });

/**
 * A recording opened as a page is loaded once more by the browser's own media document: `media-src` must allow it, and
 * a sandbox, which has another origin, would not. Chromium shows no PDF in a sandbox. Neither runs scripts of ours.
 */
function policyOf({ httpMetadata: { contentType = "" } = {} }: R2Object) {
  if (/^(?:audio|video)\//.test(contentType))
    return "default-src 'none'; media-src 'self'; style-src 'unsafe-inline'; img-src data:";
  return contentType === "application/pdf" ? "frame-ancestors 'self'" : "default-src 'none'; sandbox";
}

/** A key is never reused, so its content never changes. */
const lasting = (object: R2Object) =>
  new Headers({
    "Accept-Ranges": "bytes",
    "Cache-Control": "public, max-age=31536000, immutable",
    "Content-Security-Policy": policyOf(object),
    "Cross-Origin-Resource-Policy": "cross-origin",
    ETag: object.httpEtag,
    "Last-Modified": object.uploaded.toUTCString(),
  });

function describe(request: Request, object: R2Object) {
  const { contentType = "application/octet-stream", contentDisposition = "inline" } =
    object.httpMetadata ?? {};
  const isDownload = new URL(request.url).searchParams.has("download");
  const headers = lasting(object);
  headers.set("Content-Type", contentType);
  headers.set(
    "Content-Disposition",
    isDownload ? contentDisposition.replace(/^inline/, "attachment") : contentDisposition,
  );
  return headers;
}

const isConditional = ({ headers }: Request) =>
  ["If-Match", "If-None-Match", "If-Modified-Since"].some((name) => headers.has(name));

function isUnchanged({ headers }: Request, object: R2Object) {
  const tags = headers.get("If-None-Match");
  if (tags !== null) return tags.trim() === "*" || tags.split(",").some((tag) => isSameTag(tag, object));
  const since = Date.parse(headers.get("If-Modified-Since") ?? "");
  return seconds(object.uploaded.getTime()) <= seconds(since);
}

/** A weak comparison: a cache may have weakened the tag. */
const isSameTag = (tag: string, object: R2Object) => tag.trim().replace(/^W\//, "") === object.httpEtag;

/** If-Range: whether the client's part is of the current version. Otherwise it gets the whole file. */
function mayContinue({ headers }: Request, object: R2Object) {
  const validator = headers.get("If-Range")?.trim();
  if (validator === undefined || validator === object.httpEtag) return true;
  return seconds(Date.parse(validator)) === seconds(object.uploaded.getTime());
}

/** HTTP dates have no milliseconds. NaN, for an invalid date, equals nothing. */
const seconds = (milliseconds: number) => Math.floor(milliseconds / 1000);
