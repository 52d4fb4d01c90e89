import type { Context as HonoContext, MiddlewareHandler } from "hono";
import { bodyLimit } from "hono/body-limit";
import type { Context } from "#worker/platform/context.ts";
import { html, raw } from "hono/html";
import type { ContentfulStatusCode } from "hono/utils/http-status";
import { AppError, type ErrorBody } from "#worker/platform/errors.ts";
import { logAsNull, logError } from "#worker/platform/log.ts";
import { HONEYPOT } from "#worker/platform/http/honeypot.ts";
import { router, type HonoEnv } from "#worker/platform/http/router.ts";
import { plainPage } from "#worker/platform/http/plain-page.ts";
import { limitBurst } from "#worker/platform/http/rate.ts";
import { showSentForm } from "#worker/platform/http/sent-form.ts";
import { judgeToken, TURNSTILE_FIELD } from "#worker/platform/http/turnstile.ts";

/** Bytes. Far more than the longest public form, and cheap to parse. */
const MAX_BODY = 64 * 1024;
/**
 * Bytes of a form with long texts. A text of 100,000 characters is read, so that its field shows the error and the text
 * is not lost.
 */
export const MAX_FORM_BODY = 1024 * 1024;
/** Milliseconds. A person rarely fills in a form faster; the browser script waits as long (src/site/forms/send.ts). */
const FILL_TIME = 2000;

type Fields = Record<string, unknown>;

/** The result of the checks for robots. */
export type FormCheck = {
  /** Whether Turnstile accepted the sender, or the site has no Turnstile. */
  isChecked: boolean;
  /** Why a program may have sent the form, as a sentence for the owner; empty if nothing suggests it. */
  doubt: string;
};

/** Whether the sender must first confirm by a link in an email. */
type Taken = void | { isUnconfirmed: boolean };

type FormPage = string | ((ctx: Context, fields: Fields) => Promise<string | null>);

type PublicForm<Input> = {
  /** The route's name in the rate limits. */
  name: string;
  /** The message after a success. */
  thanks: string;
  /**
   * The command. It parses its input and enforces its own limits, since each request may send an email. It never discards
   * a doubtful form: password managers fill in hidden fields, too.
   */
  take: (ctx: Context, input: Input, check: FormCheck) => Promise<Taken>;
  /** The message if the sender must confirm by mail. */
  confirm?: string;
  /**
   * Whether to check Turnstile, if the site has it. A form without a token passes unchecked, and may need confirmation
   * by mail.
   */
  asksTurnstile?: boolean;
  /**
   * The path of the page with the form. Without scripts, a refused form is shown there again with the typed values
   * (sent-form.ts). Without a page, the browser is redirected to the referring page and the values are lost.
   */
  page?: FormPage;
  /** The redirect target after a success without scripts; by default the form's message in the page. */
  sent?: (taken: Taken) => string;
  /** Bytes of a body; 64 KB by default. */
  maxBody?: number;
};

/**
 * A public form: sent as JSON and answered with JSON, or posted by a browser without scripts and answered with a
 * redirect. Its page has the fields of `FormGuard` (src/site/forms/guard.tsx); an API client may omit them.
 */
export const publicForm = <Input extends Record<string, unknown>>(form: PublicForm<Input>) =>
  router().post(
    "/",
    answerPublicForm(form),
    limitBodyTo(form.maxBody ?? MAX_BODY),
    limitBurst(form.name),
    async (c) => {
      const read = await readFields(c);
      const { [HONEYPOT]: trap, [OLD_HONEYPOT]: oldTrap, [TURNSTILE_FIELD]: token, ...rest } = read;
      const { shownAt, form: _, ...fields } = rest;
      const isTimed = isForm(c) || shownAt !== undefined;
      const doubt = trap || oldTrap ? FILLED_IN : isTimed ? findHaste(c.var.ctx, shownAt) : "";
      // A doubtful sender confirms by email, and need not pass Turnstile as well.
      const isAsked = form.asksTurnstile && doubt === "";
      const isChecked = isAsked ? await refuseRobots(c.var.ctx, token) : true;
      const taken = await form.take(c.var.ctx, fields as Input, { isChecked, doubt });
      if (!taken?.isUnconfirmed) return c.json({ success: true, message: form.thanks });
      return c.json({ success: true, message: form.confirm ?? form.thanks, isUnconfirmed: true });
    },
  );

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

/** A path computed from the form's fields. */
type NamedPath = (fields: Fields) => string;

/**
 * Redirects an HTML form back to `page`, or to its Referer. The fragment, `#{form}-sent` or `#{form}-failed`, shows one
 * of two messages that the page already contains, so that the page stays cacheable. `sent` replaces the target after a
 * success.
 */
export const answerForms =
  ({ page, sent }: { page?: NamedPath; sent?: string | NamedPath } = {}): MiddlewareHandler<HonoEnv> =>
  async (c, next) => {
    await next();
    if (!isForm(c)) return;
    if (c.res.status >= 500) return giveBack(c, await readFailure(c));
    const target = c.res.ok && (typeof sent === "function" ? sent(await c.req.parseBody()) : sent);
    if (target) redirect(c, target);
    else await leadBack(c, page);
  };

/** To the form's message, in the page with the form. */
async function leadBack(c: HonoContext<HonoEnv>, page?: NamedPath) {
  const { ok } = c.res;
  const path = page ? page(await keptFields(c)) : cameFrom(c);
  redirect(c, `${path}#${await formNameOf(c)}-${ok ? "sent" : "failed"}`);
}

/** Characters. A longer token would make a Location header that browsers and proxies refuse. */
const MAX_TOKEN = 2000;

/** The page of a mailed link, from the token in its form: the Referer has no path there (`hideAddress`). */
export const linkPage =
  (path: string): NamedPath =>
  ({ token }) => {
    const short = typeof token === "string" && token.length <= MAX_TOKEN ? token : "";
    return `${path}?${new URLSearchParams({ token: short })}`;
  };

/** For a form with its own page: a refused form is shown there again with the typed values. */
const answerPublicForm = <Input>({ page, sent }: PublicForm<Input>): MiddlewareHandler<HonoEnv> =>
  page === undefined
    ? answerForms()
    : async (c, next) => {
        await next();
        if (!isForm(c)) return;
        const fields = await keptFields(c);
        const path = await pathOf(c, page, fields);
        if (!c.res.ok && path !== null) return comeBack(c, path, fields);
        if (c.res.status >= 500) return giveBack(c, await readFailure(c));
        if (path === null) return leadBack(c);
        const taken = await c.res.json<{ isUnconfirmed?: boolean }>();
        const outcome = { isUnconfirmed: taken.isUnconfirmed ?? false };
        const name = await formNameOf(c);
        redirect(c, sent?.(outcome) ?? `${path}#${name}-${outcome.isUnconfirmed ? "confirm" : "sent"}`);
      };

/** The path of the page with the form; null if it has none, or if that cannot be read. */
const pathOf = async (c: HonoContext<HonoEnv>, page: FormPage, fields: Fields) =>
  typeof page === "function"
    ? page(c.var.ctx, fields).catch(logAsNull("forms: the page of a form could not be found"))
    : page;

type Failure = { status: ContentfulStatusCode; error: ErrorBody["error"]; retryAfter: string | null };

/** The refusal of a form, or a failure of the site: 503, since the sender may try again. */
async function readFailure({ res }: HonoContext<HonoEnv>): Promise<Failure> {
  const retryAfter = res.headers.get("Retry-After");
  const { error } = await res.json<ErrorBody>();
  if (error.code !== "internal") return { status: res.status as ContentfulStatusCode, error, retryAfter };
  return { status: 503, error: { ...error, message: FAILED }, retryAfter };
}

const FAILED = "Something went wrong on this site. Please send it again in a few minutes.";

/** Answers with the page itself: a redirect would lose the typed values. */
async function comeBack(c: HonoContext<HonoEnv>, path: string, fields: Fields) {
  const failure = await readFailure(c);
  const { error } = failure;
  const ctx = showSentForm(c.var.ctx, {
    form: c.res.status === 413 ? null : await formNameOf(c),
    values: Object.fromEntries(typedIn(fields)),
    errors: errorsOf(error),
    message: error.field === undefined ? error.message : null,
  });
  try {
    answerWith(c, await c.var.renderPage(path, ctx), failure);
  } catch (cause) {
    logError("forms: the page of a refused form could not be rendered", cause);
    await giveBack(c, failure);
  }
}

/** The messages beside the fields. */
const errorsOf = ({ field, fields, message }: ErrorBody["error"]): Record<string, string> =>
  fields ?? (field === undefined ? {} : { [field]: message });

const typedIn = (fields: Fields) =>
  Object.entries(fields).filter((field): field is [string, string] => typeof field[1] === "string");

/** The message and the form as it was filled in, without the rest of its page, which cannot be rendered. */
async function giveBack(c: HonoContext<HonoEnv>, failure: Failure) {
  const fields = typedIn(await keptFields(c)).filter(([name]) => name !== TURNSTILE_FIELD);
  const errors = errorsOf(failure.error);
  const isTyped = fields.some(([name, value]) => !NOT_TYPED.includes(name) && value.trim() !== "");
  const form = html`<p>${isTyped ? "Nothing that you typed is lost. " : ""}Send it again from here.</p>
    <form method="post" action="${c.req.path}">
      ${fields.map(([name, value]) => fieldOf(name, value, errors[name]))}
      <p><button>Send again</button></p>
    </form>`;
  const page = plainPage(
    // A failure may also follow the write, such as a lost answer of D1.
    failure.status >= 500 ? "This may not have been sent" : "Not sent yet",
    html`<p role="alert">${failure.error.message}</p>
      ${fields.length > 0 ? form : ""}`,
  );
  answerWith(c, page, failure);
}

const fieldOf = (name: string, value: string, error?: string) =>
  NOT_TYPED.includes(name)
    ? html`<input type="hidden" name="${name}" value="${value}" />`
    : html`<p>
        <label
          >${labelOf(name)}<br />
          ${
            // A browser drops the first line break of the element.
            value.length > ONE_LINE || value.includes("\n")
              ? html`<textarea name="${name}" rows="10" cols="60" dir="auto">${raw("\n")}${value}</textarea>`
              : html`<input name="${name}" value="${value}" size="60" dir="auto" />`
          }
        </label>
        ${error === undefined ? "" : html`<br /><strong>${error}</strong>`}
      </p>`;

/** Characters of a field with one line. */
const ONE_LINE = 100;

/** "eventName" as "Event name". */
const labelOf = (name: string) =>
  name
    .replace(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`)
    .replace(/^[a-z]/, (letter) => letter.toUpperCase());

/** Fields that the visitor does not type, by all forms. */
const NOT_TYPED: string[] = [
  HONEYPOT,
  "shownAt",
  "form",
  "token",
  "answer",
  "source",
  "consent",
  "contentType",
  "contentId",
  "parentId",
];

function answerWith(
  c: HonoContext<HonoEnv>,
  page: unknown,
  { status, retryAfter }: Pick<Failure, "status" | "retryAfter">,
) {
  c.res = undefined;
  c.res = new Response(String(page), {
    status,
    headers: {
      "Content-Type": "text/html; charset=utf-8",
      "Cache-Control": "no-store",
      ...(retryAfter && { "Retry-After": retryAfter }),
    },
  });
}

/** Replaces an existing answer. */
export function redirect(c: HonoContext<HonoEnv>, target: string) {
  // Hono would copy the headers of a replaced answer.
  c.res = undefined;
  c.res = new Response(null, { status: 303, headers: { Location: target } });
}

const limitBodyTo = (maxSize: number) =>
  bodyLimit({
    maxSize,
    onError: () => {
      throw new AppError("too_large", "That’s too much for this form.");
    },
  });

/** For forms: mounted after `answerForms`, so that this error redirects, too. */
export const limitBody = limitBodyTo(MAX_BODY);

const typeOf = (c: HonoContext<HonoEnv>) => c.req.header("Content-Type") ?? "";
const isForm = (c: HonoContext<HonoEnv>) => /^application\/x-www-form-urlencoded\b/i.test(typeOf(c));

/** A body that was refused for its size is not read into memory. */
const keptFields = async (c: HonoContext<HonoEnv>): Promise<Fields> =>
  c.res.status === 413 ? {} : c.req.parseBody();

async function formNameOf(c: HonoContext<HonoEnv>) {
  const { form } = await keptFields(c);
  return typeof form === "string" && /^[a-z][a-z-]{0,39}$/.test(form) ? form : "form";
}

/**
 * The path of the page with the form or link. Only a path of this site: two slashes would begin another host. A
 * redisplayed form has the API's address, which is not a page.
 */
export function cameFrom(c: HonoContext<HonoEnv>) {
  const referer = c.req.header("Referer") ?? "";
  if (!URL.canParse(referer)) return "/";
  const { origin, pathname, search } = new URL(referer);
  const ours = [new URL(c.req.url).origin, new URL(c.env.SITE_URL).origin];
  if (!ours.includes(origin) || pathname.startsWith("/api/")) return "/";
  return pathname.replace(/^[/\\]+/, "/") + search;
}

/** Its name until 28 November 2026, which a page from an open tab or a cache still sends. */
const OLD_HONEYPOT = "website";
const FILLED_IN = "A hidden field was filled in.";

/** `shownAt` is the server's own clock when it rendered the form, in milliseconds; every page's form carries it. */
function findHaste({ now }: Context, shownAt: unknown) {
  const fillTime = now.getTime() - Number(shownAt);
  if (Number.isNaN(fillTime)) return "The time the form was shown is missing.";
  return fillTime < FILL_TIME ? `It was sent within ${FILL_TIME / 1000} seconds.` : "";
}

/** Whether Turnstile takes the sender for a person. */
async function refuseRobots(ctx: Context, token: unknown) {
  const verdict = await judgeToken(ctx, token);
  if (verdict === "robot") throw new AppError("invalid", NOT_PASSED, { field: TURNSTILE_FIELD });
  return verdict === "person";
}

const NOT_PASSED = "The robot check failed. Please try it again.";
