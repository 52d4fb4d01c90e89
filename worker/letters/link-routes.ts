import { followLink } from "#worker/letters/counted-links.ts";
import { router } from "#worker/platform/http/router.ts";
import { idInPath } from "#worker/platform/text/id-in-path.ts";

/** `/l/…`: redirects for the links of letters, which count clicks. */
export const letterLinks = router().get("/:letter/:position", async (c) => {
  const { letter, position } = c.req.param();
  const link = { letterId: idInPath(letter), position: idInPath(position) };
  // Hono also routes HEAD here; a prefetching browser sends `Sec-Purpose`.
  const isClick = c.req.method === "GET" && !/prefetch/.test(c.req.header("Sec-Purpose") ?? "");
  const url = await followLink(c.var.ctx, link, { isClick });
  c.header("X-Robots-Tag", "noindex");
  return c.redirect(url, 302);
});
