import { pageAt } from "#worker/addresses.ts";
import { AppError } from "#worker/platform/errors.ts";
import { router } from "#worker/platform/http/router.ts";
import { readSharePicture } from "#worker/sharing/pictures.ts";
import { notedSubject, sharedPage } from "#worker/sharing/subject.ts";

/** `/share/…`: the picture of a page in link previews. The page's own render provides the subject. */
export const sharePictures = router().get("/:page{.+}", async (c) => {
  const path = sharedPage(`/${c.req.param("page")}`);
  const page = pageAt(path);
  // An escaped trailing slash would create a separate picture.
  if (!page || page.isPersonal || path.endsWith("/") !== (path === "/")) throw noPicture();
  const { ctx } = c.var;
  await c.var.renderPage(path, ctx);
  const subject = notedSubject(ctx);
  if (!subject) throw noPicture();
  const { type, etag, body } = await readSharePicture(ctx, path, subject);
  const headers = {
    "Content-Type": type,
    // A picture without its cover has no tag.
    "Cache-Control": etag ? "public, max-age=86400" : "no-store",
    "Content-Security-Policy": "default-src 'none'; sandbox",
    "Cross-Origin-Resource-Policy": "cross-origin",
    ...(etag && { ETag: etag }),
  };
  return new Response(body as BodyInit, { headers });
});

const noPicture = () => new AppError("not_found", "There is no picture at this address.");
