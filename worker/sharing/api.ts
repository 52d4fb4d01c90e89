import { pageAt } from "#worker/addresses.ts";
import { AppError } from "#worker/platform/errors.ts";
import { router } from "#worker/platform/http/router.ts";
import { readSharePicture, type SharePicture } from "#worker/sharing/pictures.ts";
import { PREVIEW_TOKEN, quoteShapes, type QuoteShape } from "#worker/sharing/quote-address.ts";
import { readQuotePicture } from "#worker/sharing/quotes.ts";
import { notedSubject, sharedPage } from "#worker/sharing/subject.ts";

const PLACE = /^(\d{1,6})-(\d{1,6})$/;

/** `/share/…`: pictures of quotes, and the picture of a page in link previews. */
export const sharePictures = router()
  .get("/quotes/:id/:paragraph/:place/:shape", async (c) => {
    const { id, paragraph, place, shape } = c.req.param();
    const [, from, to] = PLACE.exec(place) ?? [];
    if (
      !Object.hasOwn(quoteShapes, shape) ||
      from === undefined ||
      !NUMBER.test(id) ||
      !NUMBER.test(paragraph)
    )
      throw noPicture();
    const { isPublic, ...picture } = await readQuotePicture(c.var.ctx, {
      episodeId: Number(id),
      paragraph: Number(paragraph),
      from: Number(from),
      to: Number(to),
      shape: shape as QuoteShape,
      token: c.req.header(PREVIEW_TOKEN),
      tags: c.req.header("If-None-Match"),
    });
    // A transcript may be corrected, and the address stays the same.
    const caching = isPublic ? "public, no-cache" : "private, no-store";
    return answer(picture, caching, isPublic);
  })
  .get("/:page{.+}", async (c) => {
    const path = sharedPage(`/${c.req.param("page")}`);
    const page = pageAt(path);
    // An escaped trailing slash would create a separate picture.
    if (!page || page.isPersonal || path.endsWith("/") !== (path === "/")) throw noPicture();
    const { ctx } = c.var;
    // The page's own render provides the subject.
    await c.var.renderPage(path, ctx);
    const subject = notedSubject(ctx);
    if (!subject) throw noPicture();
    return answer(await readSharePicture(ctx, path, subject), "public, max-age=86400");
  });

const NUMBER = /^(?:0|[1-9]\d{0,8})$/;

/** 304 without a body. Other sites may show what is public. */
const answer = ({ type, etag, body }: SharePicture, caching: string, isPublic = true) =>
  new Response(body as BodyInit | null, {
    status: body === null ? 304 : 200,
    headers: {
      ...(body !== null && { "Content-Type": type }),
      // A picture without its cover has no tag.
      "Cache-Control": etag ? caching : "no-store",
      "Content-Security-Policy": "default-src 'none'; sandbox",
      "Cross-Origin-Resource-Policy": isPublic ? "cross-origin" : "same-origin",
      ...(etag && { ETag: etag }),
    },
  });

const noPicture = () => new AppError("not_found", "There is no picture at this address.");
