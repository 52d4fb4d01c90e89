import { data } from "react-router";
import { readShow } from "#worker/episodes/show.ts";
import type { Context } from "#worker/platform/context.ts";
import { AppError } from "#worker/platform/errors.ts";
import { allowFrames } from "#worker/platform/security.ts";
import { readSite } from "#worker/settings/settings.ts";

const read = async (ctx: Context) => {
  const [site, show] = await Promise.all([readSite(ctx), readShow(ctx)]);
  return { site, show };
};

const frames = new WeakMap<Context, ReturnType<typeof read>>();

/** The site and the show, which layout and page both need: read once a request. */
export function readFrame(ctx: Context) {
  // A page shows some: they come in more sizes a while after they were uploaded.
  ctx.dependsOn("pictures");
  const frame = frames.get(ctx) ?? read(ctx);
  frames.set(ctx, frame);
  return frame;
}

/** Names the settings' frame hosts in a page's content policy. A page that failed may have failed at the settings. */
export async function allowCampaignFrames(ctx: Context, { status, headers }: Response) {
  if (status >= 500 || !headers.get("Content-Type")?.startsWith("text/html")) return;
  const { site } = await readFrame(ctx);
  allowFrames(headers, site.frameHosts);
}

/** A use case's refusal becomes the page's status; anything else surfaces. */
export async function orRefuse<T>(work: Promise<T>): Promise<T> {
  try {
    return await work;
  } catch (error) {
    if (error instanceof AppError) throw data(error.message, { status: error.status });
    throw error;
  }
}

/** The answer for a path without a page; the path is logged. */
export async function answerNotFound(ctx: Context, path: string) {
  const { site } = await readFrame(ctx);
  console.warn(`404: ${path}`);
  const meta = [{ title: `Page not found | ${site.name}` }, { name: "robots", content: "noindex" }];
  return data({ meta }, { status: 404 });
}
