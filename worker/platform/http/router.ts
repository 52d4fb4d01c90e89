import { zValidator } from "@hono/zod-validator";
import {
  Hono,
  type Context as HonoContext,
  type ErrorHandler,
  type MiddlewareHandler,
  type ValidationTargets,
} from "hono";
import { HTTPException } from "hono/http-exception";
import { matchedRoutes } from "hono/route";
import { METHOD_NAME_ALL } from "hono/router";
import { validator } from "hono/validator";
import type { z } from "zod";
import { html } from "hono/html";
import type { Context } from "#worker/platform/context.ts";
import { AppError, errorBody, type ErrorBody } from "#worker/platform/errors.ts";
import { errorForPeople } from "#worker/platform/data/unavailable.ts";
import { parseInput } from "#worker/platform/data/input.ts";
import { plainPage } from "#worker/platform/http/plain-page.ts";
import { currentRequestId, logError, logWarning, withoutIds } from "#worker/platform/log.ts";

export type HonoEnv = { Bindings: Env; Variables: { ctx: Context; renderPage: RenderPage } };

/** Renders a public page's HTML, without its scripts, for the context's actor. */
export type RenderPage = (path: string, ctx: Context) => Promise<string>;

export const router = () => new Hono<HonoEnv>();

/** zValidator, answering the first issue in the API's error envelope. For path and query, which arrive as text. */
export const valid = <T extends keyof ValidationTargets, S extends z.ZodType>(target: T, schema: S) =>
  zValidator(target, schema, (result) => {
    // Parse again, for the site's own messages.
    if (!result.success) parseInput(schema, result.data);
  });

/** The JSON body as it was sent, typed for the client. The command that takes it parses it. */
export const json = <Input>() => validator("json", (body: unknown) => body as Input);

/** The same for the query, for a use case that parses it after its authorisation. */
export const query = <Input>() => validator("query", (given: unknown) => given as Input);

/** The method and path pattern of a request, without ids and query. */
export function routeOf(c: HonoContext<HonoEnv>) {
  const route = matchedRoutes(c).findLast(({ method }) => method !== METHOD_NAME_ALL);
  return `${c.req.method} ${route?.path ?? withoutIds(c.req.path.replace(/\.data$/, ""))}`;
}

/** A public answer may be cached if it is revalidated each time; an error is not cached. */
export const forEverybody: MiddlewareHandler<HonoEnv> = async (c, next) => {
  await next();
  if (c.res.status === 200) c.header("Cache-Control", "public, no-cache");
};

type BodyRules = {
  /** The maximum bytes of JSON by path. */
  limitOf: (path: string) => number;
  /** Whether a path accepts bodies from signed-in users only. */
  isClosed: (path: string) => boolean;
  /** Whether a path also accepts JSON as text/plain, as sendBeacon sends a string. */
  takesText?: (path: string) => boolean;
};

/**
 * Limits JSON bodies to a size, and leaves a body unread that the sender may not send. Parts of an upload have their
 * own limit.
 */
export const readJson =
  ({ limitOf, isClosed, takesText = () => false }: BodyRules): MiddlewareHandler<HonoEnv> =>
  async (c, next) => {
    const { body } = c.req.raw;
    if (body === null || c.req.header("Content-Length") === "0") return next();
    if (isClosed(c.req.path) && c.var.ctx.actor.kind !== "user") {
      throw new AppError("unauthenticated", "Please sign in.");
    }
    if (isUploadPart(c.req.path)) return next();
    const type = c.req.header("Content-Type") ?? "";
    const isText = takesText(c.req.path) && /^text\/plain\b/i.test(type);
    if (!isText && !/^application\/json\b/i.test(type)) {
      throw new AppError("bad_request", "Send JSON, with the content type application/json.");
    }
    const limit = limitOf(c.req.path);
    if (Number(c.req.header("Content-Length")) > limit) throw tooLarge();
    c.req.raw = new Request(c.req.raw, { method: c.req.method, body: await readBytes(body, limit) });
    if (isText) c.req.raw.headers.set("Content-Type", "application/json");
    await next();
  };

const isUploadPart = (path: string) => /^\/api\/admin\/(?:files|restores)\/[^/]+\/parts\/\d+$/.test(path);

const tooLarge = () => new AppError("too_large", "That’s too much for this form.");

/**
 * The whole body. Counts the bytes: a chunked body has no Content-Length. Hono's body-limit locks the rest, so that
 * `readToTheEnd` cannot read it.
 * @throws `too_large` beyond the limit
 */
export async function readBytes(body: ReadableStream<Uint8Array<ArrayBuffer>>, limit: number) {
  const chunks: Uint8Array<ArrayBuffer>[] = [];
  let size = 0;
  for await (const chunk of body.values({ preventCancel: true })) {
    size += chunk.length;
    if (size > limit) throw tooLarge();
    chunks.push(chunk);
  }
  return new Blob(chunks);
}

/**
 * Drains the unread rest of a request body, up to a limit. An answer before the body's end breaks the connection of a
 * proxy (wrangler dev answers 500), and the sender never sees why it was refused. A chunked form that is too long stays
 * locked by Hono's body-limit.
 */
export const readToTheEnd: MiddlewareHandler<HonoEnv> = async (c, next) => {
  await next();
  await drain(c.req.raw);
};

/** Bytes to drain: more than any part of an upload has. */
const MAX_DRAIN = 16 * 1024 * 1024;

async function drain({ body }: Request) {
  if (!body || body.locked) return;
  let read = 0;
  try {
    for await (const chunk of body) {
      read += chunk.length;
      if (read > MAX_DRAIN) return;
    }
  } catch (cause) {
    // Not a fault of the Worker: the client disconnected.
    logWarning("http: a request broke off", cause);
  }
}

/** Whether a person opens a page: React Router asks for its data by script. */
const isDocument = (c: HonoContext<HonoEnv>) =>
  !c.req.path.startsWith("/api/") && (c.req.header("Accept")?.includes("text/html") ?? false);

const READING = new Set(["GET", "HEAD"]);

export const answerError: ErrorHandler<HonoEnv> = (error, c) => {
  const known = errorForPeople(error, { isReading: READING.has(c.req.method) });
  if (known) {
    const isFailure = known !== error;
    if (isFailure) logError("http: failed", error, { route: routeOf(c), status: known.status });
    if (known.retryAfter !== undefined) c.header("Retry-After", String(known.retryAfter));
    // It may be met before the page: the session is read first.
    if (isFailure && isDocument(c))
      return c.html(plainPage("Failed to load this page", html`<p>${known.message}</p>`), known.status);
    return c.json(errorBody(known), known.status);
  }
  if (error instanceof HTTPException && error.status === 400) {
    return c.json(errorBody(new AppError("bad_request", "The request is not valid JSON.")), 400);
  }
  logError("http: failed", error, { route: routeOf(c), status: 500 });
  return c.json(internalError(), 500);
};

/** Reveals nothing but the request id, by which the owner finds the log entry. */
const internalError = (): ErrorBody => ({
  error: { code: "internal", message: "Something went wrong.", requestId: currentRequestId() },
});
