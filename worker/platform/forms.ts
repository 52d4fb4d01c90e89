import type { Context as HonoContext, MiddlewareHandler, Next } from "hono";
import { bodyLimit } from "hono/body-limit";
import { every } from "hono/combine";
import type { Context } from "#worker/platform/context.ts";
import { AppError } from "#worker/platform/errors.ts";
import { router, type HonoEnv } from "#worker/platform/http.ts";
import { limitBurst } from "#worker/platform/rate.ts";

/** Bytes. Far more than the longest public form, far less than what would cost anything. */
const MAX_BODY = 64 * 1024;
/** Milliseconds. No person fills in a form sooner; the browser's own script waits as long (src/site/forms/send.ts). */
const FILL_TIME = 2000;

type PublicForm<Input> = {
  /** The route's name in the rate limits. */
  name: string;
  /** Said when it was taken, and to whatever fell into the trap. */
  thanks: string;
  /** The command: it parses its input and enforces its own limits, since each request may lead to a mail. */
  take: (ctx: Context, input: Input) => Promise<void>;
};

/**
 * A form that anybody may send: as JSON, answered with JSON, or as a browser without scripts posts it, answered with the
 * way back. Its page carries the fields of `FormGuard` (src/site/forms/guard.tsx); a machine that sends JSON may leave
 * them out.
 */
export const publicForm = <Input extends Record<string, unknown>>(form: PublicForm<Input>) =>
  router().post("/", answerForms(), boundForm, limitBurst(form.name), async (c) => {
    const { website, shownAt, form: _, ...fields } = await readFields(c);
    const thanks = { success: true, message: form.thanks };
    // People do not see this field. What fills it in is told nothing.
    if (website) return c.json(thanks);
    if (isForm(c) || shownAt !== undefined) refuseHaste(c.var.ctx, shownAt);
    await form.take(c.var.ctx, fields as Input);
    return c.json(thanks);
  });

type Fields = Record<string, unknown>;

/** The fields of a JSON body or of an HTML form, not validated yet. */
export async function readFields(c: HonoContext<HonoEnv>): Promise<Fields> {
  if (isForm(c)) return c.req.parseBody();
  if (!/^application\/json\b/i.test(typeOf(c))) {
    throw new AppError("bad_request", "Send JSON, with the content type application/json.");
  }
  const body = await c.req.json<unknown>().catch(() => {
    throw new AppError("bad_request", "The request is not valid JSON.");
  });
  if (typeof body !== "object" || body === null || Array.isArray(body)) {
    throw new AppError("invalid", "Send an object with the form's fields.");
  }
  return { ...body };
}

/**
 * Turns the answer to an HTML form into a redirect back to where it was filled in. The fragment
 * names the message to show, `#{form}-sent` or `#{form}-failed`, both of which stand in the page already: so the page
 * stays the same for everybody. `sent` is a page to go to instead after a success; it may be named by the form's fields.
 */
export const answerForms =
  ({ sent }: { sent?: string | ((fields: Fields) => string) } = {}): MiddlewareHandler<HonoEnv> =>
  async (c, next) => {
    await next();
    if (!isForm(c)) return;
    const { ok } = c.res;
    const name = await formNameOf(c);
    const page = typeof sent === "function" ? ok && sent(await c.req.parseBody()) : ok && sent;
    const target = page || `${cameFrom(c)}#${name}-${ok ? "sent" : "failed"}`;
    // An answer that is replaced would leave its headers to the next.
    c.res = undefined;
    c.res = new Response(null, { status: 303, headers: { Location: target } });
  };

export const limitBody = bodyLimit({
  maxSize: MAX_BODY,
  onError: () => {
    throw new AppError("too_large", "That is more than this form takes.");
  },
});

/**
 * Behind `answerForms`, so that a form is led back from this error too. A form is read here and Hono keeps it: a later
 * error drains what was not read, and the form's name would be gone.
 */
export const boundForm = every(limitBody, async (c: HonoContext<HonoEnv>, next: Next) => {
  if (isForm(c)) await c.req.parseBody();
  await next();
});

const typeOf = (c: HonoContext<HonoEnv>) => c.req.header("Content-Type") ?? "";
const isForm = (c: HonoContext<HonoEnv>) => /^application\/x-www-form-urlencoded\b/i.test(typeOf(c));

/** A body that was refused for its size has been read, and not kept. */
async function formNameOf(c: HonoContext<HonoEnv>) {
  if (c.res.status === 413) return "form";
  const { form } = await c.req.parseBody();
  return typeof form === "string" && /^[a-z][a-z-]{0,39}$/.test(form) ? form : "form";
}

/** The path of the page with the form. Only ever one of ours: two slashes would begin the name of another host. */
function cameFrom(c: HonoContext<HonoEnv>) {
  const referer = c.req.header("Referer") ?? "";
  if (!URL.canParse(referer)) return "/";
  const { origin, pathname, search } = new URL(referer);
  const ours = [new URL(c.req.url).origin, new URL(c.env.SITE_URL).origin];
  return ours.includes(origin) ? pathname.replace(/^[/\\]+/, "/") + search : "/";
}

/** `shownAt` is the server's own clock when it rendered the form, in milliseconds; every page's form carries it. */
function refuseHaste({ now }: Context, shownAt: unknown) {
  if (now.getTime() - Number(shownAt) >= FILL_TIME) return;
  throw new AppError("invalid", "That was very quick. Please wait a moment and send it again.");
}
