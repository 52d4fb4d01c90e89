import { followLink } from "#worker/letters/counted-links.ts";
import { router } from "#worker/platform/http/router.ts";
import { idInPath } from "#worker/platform/text/id-in-path.ts";

/** `/l/LETTER/NUMBER-MARK`: redirects for the links of letters, which count clicks. */
export const letterLinks = router().get("/:letter/:link", async (c) => {
  const { letter, link: name } = c.req.param();
  const [position = "", mark = null] = name.split(/-(.*)/s, 2);
  const link = { letterId: idInPath(letter), position: idInPath(position), mark };
  // Hono also routes HEAD here; a prefetching browser sends `Sec-Purpose`.
  const isClick = c.req.method === "GET" && !/prefetch/.test(c.req.header("Sec-Purpose") ?? "");
  const url = await followLink(c.var.ctx, link, { isClick });
  c.header("X-Robots-Tag", "noindex");
  return c.redirect(url, 302);
});
