import { data, redirect } from "react-router";
import { pageAt, pages, queryOf, type PagePath } from "#worker/addresses.ts";
import { findMovedPath } from "#worker/discovery/moved-address.ts";
import { findNearest } from "#worker/discovery/nearest.ts";
import { readShow } from "#worker/episodes/show-queries.ts";
import type { Context } from "#worker/platform/context.ts";
import { errorForPeople } from "#worker/platform/data/unavailable.ts";
import { AppError } from "#worker/platform/errors.ts";
import { logWarning } from "#worker/platform/log.ts";
import {
  allowFrames,
  allowPreload,
  allowTagManager,
  allowTurnstile,
  hideAddress,
} from "#worker/platform/http/security.ts";
import type { Site } from "#worker/settings/contract.ts";
import { readSite } from "#worker/settings/queries.ts";

const read = async (ctx: Context) => {
  const [site, show] = await Promise.all([readSite(ctx), readShow(ctx)]);
  return { site, show };
};

const reads = new WeakMap<Context, ReturnType<typeof read>>();

/**
 * The site's settings and the show, which layout, page and policies all need: read once for the page. `ctx.readOnce`
 * reads each time in a form's POST, which may write; its page is rendered after the write, so one read is enough there.
 */
export function readSiteAndShow(ctx: Context) {
  // Every page shows pictures, which get more sizes some time after their upload.
  ctx.dependsOn("pictures");
  const reading = reads.get(ctx) ?? read(ctx);
  reads.set(ctx, reading);
  return reading;
}

/** Whether the address of a page contains a token, which must stay secret. */
export const isPersonal = (pathname: string) => pageAt(pathname)?.isPersonal ?? false;

/** The tag manager that a page may load; null without one, and on personal pages. */
export const tagManagerOf = ({ tagManager }: Site, pathname: string) =>
  tagManager.id && !isPersonal(pathname) ? tagManager : null;

/**
 * Adds the settings' frame hosts to a page's content policy, and Turnstile and the tag manager if the page has them.
 * Not on a 5xx, since reading the settings may have failed.
 */
export async function setPolicies(ctx: Context, pathname: string, { status, headers }: Response) {
  if (isPersonal(pathname)) hideAddress(headers);
  if (status >= 500 || !headers.get("Content-Type")?.startsWith("text/html")) return;
  const { site } = await readSiteAndShow(ctx);
  allowFrames(headers, site.frameHosts);
  if (ctx.config.turnstile) allowTurnstile(headers);
  if (tagManagerOf(site, pathname)) allowTagManager(headers);
  if (site.transport.preload) allowPreload(headers);
}

/** Turns a use case's AppError into a response with its status, which the page's error boundary shows. */
export async function orErrorResponse<T>(work: Promise<T>): Promise<T> {
  try {
    return await work;
  } catch (error) {
    const known = errorForPeople(error, { isReading: true });
    throw known ? data({ message: known.message }, { status: known.status }) : error;
  }
}

/**
 * A permanent redirect from a former address on this site, with the query parameters that the page reads. `value`
 * replaces `:id` or `:slug`.
 */
export const leadOn = (page: PagePath, value: string | number, { searchParams }: URL) =>
  redirect(page.replace(/:\w+/, String(value)) + queryOf(pages[page], searchParams), 301);

/** Redirects from the first of these addresses that an imported essay or episode had on another site; does nothing if none. */
export async function leadToMoved(ctx: Context, ...addresses: string[]) {
  const path = await findMovedPath(ctx, addresses);
  if (path !== null) throw redirect(path, 301);
}

/** WordPress has posts at `/?p=NUMBER`. Redirects such an address to the essay or episode, or to the home page if unknown. */
export async function leadFromHome(ctx: Context, { searchParams }: URL) {
  const name = ["p", "page_id"].find((each) => searchParams.has(each));
  if (!name) return;
  await leadToMoved(ctx, `/?${name}=${searchParams.get(name)}`);
  throw redirect("/");
}

/** The data of a 404 page; logs the path. Redirects an imported essay's old address, `/blog?p=NUMBER` included. */
export async function respondNotFound(ctx: Context, { pathname, search }: URL) {
  const moving = leadToMoved(ctx, pathname + search, pathname);
  const [{ site }] = await Promise.all([readSiteAndShow(ctx), moving]);
  logWarning(`404: ${pathname}`, undefined, { status: 404 });
  const meta = [{ title: `Page not found | ${site.name}` }, { name: "robots", content: "noindex" }];
  return data({ meta, nearest: await findNearest(ctx, pathname) }, { status: 404 });
}

/** As `orErrorResponse`; a 404 includes the pages that its path may mean. */
export async function orNearest<T>(ctx: Context, { pathname }: URL, work: Promise<T>): Promise<T> {
  try {
    return await work;
  } catch (error) {
    if (!(error instanceof AppError && error.code === "not_found"))
      return orErrorResponse(Promise.reject(error));
    throw data({ nearest: await findNearest(ctx, pathname) }, { status: 404 });
  }
}
