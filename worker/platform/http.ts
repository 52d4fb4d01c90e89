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
import type { Context } from "#worker/platform/context.ts";
import { AppError, errorBody, type ErrorBody } from "#worker/platform/errors.ts";
import { parseInput } from "#worker/platform/input.ts";
import { currentRequestId, logError, logWarning, withoutIds } from "#worker/platform/log.ts";

export type HonoEnv = { Bindings: Env; Variables: { ctx: Context; renderPage: RenderPage } };

/** A public page's HTML, without its scripts, as whoever the context is about sees it. */
export type RenderPage = (path: string, ctx: Context) => Promise<string>;

export const router = () => new Hono<HonoEnv>();

/** zValidator, answering the first issue in the API's error envelope. For path and query, which arrive as text. */
export const valid = <T extends keyof ValidationTargets, S extends z.ZodType>(target: T, schema: S) =>
  zValidator(target, schema, (result) => {
    // Once more, for the words.
    if (!result.success) parseInput(schema, result.data);
  });

/** The JSON body as it was sent, typed for the client. The command that takes it parses it. */
export const json = <Input>() => validator("json", (body: unknown) => body as Input);

/** The same of the query, for a use case that parses it behind the look at who asks. */
export const query = <Input>() => validator("query", (given: unknown) => given as Input);

/** What a request asked for: the method and the route's own path, or that of a page, without ids and without its query. */
export function routeOf(c: HonoContext<HonoEnv>) {
  const route = matchedRoutes(c).findLast(({ method }) => method !== METHOD_NAME_ALL);
  return `${c.req.method} ${route?.path ?? withoutIds(c.req.path.replace(/\.data$/, ""))}`;
}

/** An answer that is the same for everybody may be cached if it is revalidated each time; an error is not cached. */
export const forEverybody: MiddlewareHandler<HonoEnv> = async (c, next) => {
  await next();
  if (c.res.status === 200) c.header("Cache-Control", "public, no-cache");
};

type BodyRules = {
  /** Bytes of JSON that a path takes. */
  limitOf: (path: string) => number;
  /** Whether only somebody who is signed in may send anything to a path. */
  isClosed: (path: string) => boolean;
  /** Whether a path takes JSON as text, too: what sendBeacon makes of a string. */
  takesText?: (path: string) => boolean;
};

/**
 * The API reads JSON of a bounded size, and nothing of what nobody may send. Parts of an upload have their own rule for
 * what they hold.
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

const isUploadPart = (path: string) => /^\/api\/admin\/files\/[^/]+\/parts\/\d+$/.test(path);

const tooLarge = () => new AppError("too_large", "That’s too much for this form.");

/** Counts what arrives: a body sent in chunks has no Content-Length. Hono's body-limit keeps the rest from `readToTheEnd`. */
async function readBytes(body: ReadableStream<Uint8Array<ArrayBuffer>>, limit: number) {
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
 * Reads what nobody read of a request, up to a limit. An answer that comes before the body's end breaks the connection
 * of whoever stands between (wrangler dev makes a 500 of it), and the sender never learns the reason of a refusal. A form
 * in chunks that is too long is left to Hono's body-limit, which keeps it.
 */
export const readToTheEnd: MiddlewareHandler<HonoEnv> = async (c, next) => {
  await next();
  await drain(c.req.raw);
};

/** Bytes of a body that are still read: more than any part of an upload has. */
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
    // Not a fault here: the sender is gone.
    logWarning("http: a request broke off", cause);
  }
}

export const answerError: ErrorHandler<HonoEnv> = (error, c) => {
  if (error instanceof AppError) {
    if (error.retryAfter !== undefined) c.header("Retry-After", String(error.retryAfter));
    return c.json(errorBody(error), error.status);
  }
  if (error instanceof HTTPException && error.status === 400) {
    return c.json(errorBody(new AppError("bad_request", "The request is not valid JSON.")), 400);
  }
  logError("http: failed", error, { route: routeOf(c), status: 500 });
  return c.json(internalError(), 500);
};

/** Says nothing of what happened, but by which number the owner finds it in the log. */
const internalError = (): ErrorBody => ({
  error: { code: "internal", message: "Something went wrong.", requestId: currentRequestId() },
});
