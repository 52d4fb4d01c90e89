import type { Context as HonoContext, MiddlewareHandler } from "hono";
import { serveFile } from "#worker/files/media.ts";
import { findFeed, opensFeed, refuseFeed, requireMemberAudio } from "#worker/members/feed/queries.ts";
import {
  audioPathOf,
  noFeed,
  personalise,
  readTemplate,
  type Marked,
} from "#worker/members/feed/template.ts";
import { feedSigner } from "#worker/members/feed/tokens.ts";
import { createContext } from "#worker/platform/context.ts";
import { AppError } from "#worker/platform/errors.ts";
import { latestBookmark, serveFromCache, TAGS } from "#worker/platform/http/cache.ts";
import { answerDocument, feedPageOf, RSS, weakTag } from "#worker/platform/http/documents.ts";
import { router, type HonoEnv } from "#worker/platform/http/router.ts";

type RequestContext = HonoContext<HonoEnv>;

/** `/rss/members/…`: the private feeds. */
export const memberFeeds = router().get("/members/:file{[^/]+}", async (c) => {
  const { ctx } = c.var;
  const token = c.req.param("file").replace(/\.xml$/, "");
  const page = feedPageOf(c.req.query("page"));
  const feed = await findFeed(ctx, token);
  const template = feed && (await openTemplate(c, page));
  if (!template || !opensFeed(feed, ctx.now, template.graceDays)) throw await refuseFeed(ctx);
  const answer = await answerDocument(c, RSS, {
    mark: `${template.etag} ${feed.hash}`,
    changedAt: template.changedAt,
    render: async () => {
      const [marked, { signatureOf }] = await Promise.all([template.read(), feedSigner(ctx)]);
      return personalise(marked, { token, feed: feed.hash, signatureOf });
    },
  });
  return unshared(answer, "private, no-cache");
});

/** `/media/members/…`: the audio in them, whose addresses stay the same for as long as the feed's. */
export const memberAudio = router().get("/members/:feed/:signature/:key{.+}", async (c) => {
  const { feed, signature, key } = c.req.param();
  const { signatureOf } = await requireMemberAudio(c.var.ctx, { feed, signature, key });
  const pathOf = (to: string) => audioPathOf(feed, signatureOf(feed, to), to);
  const answer = await serveFile(c.var.ctx, c.req.raw, key, pathOf);
  return unshared(answer, "private, max-age=86400");
});

/** No search engine lists an answer there, a redirect or a refusal either, and no other site learns its address. */
export const hideMemberAddress: MiddlewareHandler<HonoEnv> = async (c, next) => {
  await next();
  c.header("X-Robots-Tag", "noindex, nofollow");
  c.header("Referrer-Policy", "no-referrer");
};

/** No shared cache stores it. */
function unshared(answer: Response, caching: string) {
  if (answer.status < 400 && answer.status !== 302) answer.headers.set("Cache-Control", caching);
  answer.headers.set("Cloudflare-CDN-Cache-Control", "no-store");
  return answer;
}

/** The headers of the cached template with what only the Worker reads. */
const CHANGED_AT = "Rostrum-Changed-At";
const GRACE = "Rostrum-Grace-Days";
const MARK = "Rostrum-Mark";

/**
 * The template of a page, from the cache of public answers. No address leads to it: its key is none that a request can have.
 * Null while there are no private feeds.
 */
async function openTemplate(c: RequestContext, page: number) {
  const { env, executionCtx: execution } = c;
  const path = `/private-feeds?page=${page}`;
  const render = () => renderTemplate(c, page);
  const open = async (method: "HEAD" | "GET") => {
    const request = new Request(new URL(path, c.req.url), { method });
    const journey = {
      env,
      execution: execution as ExecutionContext,
      cacheKeyOf: () => ({ path, isEndless: false }),
      needsLatest: () => false,
      render,
    };
    return (await serveFromCache(request, journey)) ?? render();
  };
  const known = await open("HEAD");
  const { status, headers, body } = known;
  if (status === 404) return null;
  if (status !== 200) throw new AppError("unavailable", "The feed can’t be read right now.");
  return {
    etag: headers.get("ETag") ?? "",
    changedAt: new Date(Number(headers.get(CHANGED_AT))),
    graceDays: Number(headers.get(GRACE)),
    // With a body where nothing is cached.
    read: async () => markedIn(body === null ? await open("GET") : known),
  };
}

/** Both of one answer: another render has another mark. */
const markedIn = async (answer: Response): Promise<Marked> => ({
  xml: await answer.text(),
  mark: answer.headers.get(MARK) ?? "",
});

async function renderTemplate(c: RequestContext, page: number) {
  // Begins where the cache has looked for changes, as the render of every cached answer.
  const ctx = createContext(c.env, {
    actor: { kind: "visitor" },
    reads: { since: latestBookmark() },
    later: (work) => c.executionCtx.waitUntil(work),
  });
  try {
    const { xml, mark, changedAt, graceDays } = await readTemplate(ctx, page);
    const { siteUrl, version } = ctx.config;
    const headers = {
      "Cache-Control": "public",
      ETag: await weakTag(String(changedAt.getTime()), siteUrl, version, String(page)),
      [CHANGED_AT]: String(changedAt.getTime()),
      [GRACE]: String(graceDays),
      [MARK]: mark,
      [TAGS]: [...ctx.tags].join(","),
    };
    return new Response(xml, { headers });
  } catch (error) {
    if (error instanceof AppError && error.code === noFeed().code) return new Response(null, { status: 404 });
    throw error;
  }
}
